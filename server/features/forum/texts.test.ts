import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FORUM_TEXTS } from '#contract/forum.ts'
import { assertRefused } from '#test/account-helpers.ts'
import { insertRows } from '#test/factories.ts'
import { forumPlayer, openTopic, readTopic, reply, TYPED } from '#test/forum-helpers.ts'
import { createTestApp } from '#test/helpers.ts'
import { createForm, pictureFile, sendForm } from '#test/ticket-helpers.ts'
import { approvePost, rejectPost } from './cases.ts'

const site = await createTestApp({ world: 'empty', env: { RATE_LIMIT: 'off' } })
const { db } = site
const ana = await forumPlayer(site)
const ben = await forumPlayer(site)
const newcomer = () => forumPlayer(site, { posts: 2, days: 1 })
await insertRows(db, 'forum_watched_words', [
  { word: 'zzhold', action: 'hold', added_by: null, added_at: site.clock.now() },
  { word: 'zzrefuse', action: 'refuse', added_by: null, added_at: site.clock.now() },
])

const approve = (post: number) => db.transaction().execute((tx) => approvePost(tx, site, { post, by: null }))
const reject = (post: number) =>
  db
    .transaction()
    .execute((tx) => rejectPost(tx, { now: site.clock.now() }, { post, reason: 'Advertising.', by: null }))
const history = async (post: number) => {
  site.cache.clear()
  const { revisions } = (await site.get(`/api/forum/posts/${post}/history`)).json()
  return revisions.map(({ html }: { html: string }) => html)
}

test('refuses a text whose HTML would be far longer, in a preview and in a post', async () => {
  const wide = `${'|a'.repeat(80)}|\n${'|-'.repeat(80)}|\n${'|\n'.repeat(4700)}`
  const long = `|a|b|\n|-|-|\n${'|\n'.repeat(4700)}`
  const linked = `[a]: https://example.com/${'x'.repeat(4000)}\n\n${'[a]'.repeat(1900)}`
  for (const body of [wide, long, `> - ${wide}`, linked]) {
    assertRefused(await ana.post('/api/forum/preview', { body }), 422, FORUM_TEXTS.tooMuchMarkup)
    assertRefused(
      await ana.post('/api/forum/topics', { category: 100, title: 'Mesa', body, ...TYPED }),
      422,
      FORUM_TEXTS.tooMuchMarkup,
    )
  }
  const table = `|Boss|Oras|\n|-|-|\n${'|Tala|20:00|\n'.repeat(40)}`
  assert.match((await ana.post('/api/forum/preview', { body: table })).json().html, /<td>20:00<\/td>/)
})

test('refuses texts that take long to parse or to fold, and accepts long ordinary ones', async () => {
  const fill = (piece: string) => piece.repeat(Math.floor(10_000 / piece.length))
  const open = (body: string, title = 'Mesa') => ana.post('/api/forum/topics', { category: 100, title, body, ...TYPED })
  for (const piece of ['[', '![', '[a]\n', '[(', '<', '`a', '*a_', '~~a', '|a', '&', '-\n', '# a\n', 'https://a.b/ '])
    for (const answer of [await open(fill(piece)), await ana.post('/api/forum/preview', { body: fill(piece) })])
      assertRefused(answer, 422, FORUM_TEXTS.tooMuchMarkup)
  for (const piece of ['\ufdfa', '\ufdfa ', '\u3300'])
    assertRefused(await open(fill(piece)), 422, FORUM_TEXTS.tooMuchMarkup)
  for (const piece of ['Kumusta kayo diyan. ', '안녕하세요 ', 'ñandú ', '(oo) ', '« á » '])
    assert.equal((await open(fill(piece))).status, 200, piece)
  assert.equal((await open('- [x] tapos\n'.repeat(200))).status, 200)
})

test('shows a preview only to players who may write', async () => {
  const body = 'Kumusta'
  const unconfirmed = await forumPlayer(site, { confirmed: false })
  assertRefused(await unconfirmed.post('/api/forum/preview', { body }), 403, FORUM_TEXTS.confirmEmail)
  const bodiless = await forumPlayer(site, { level: null })
  assertRefused(await bodiless.post('/api/forum/preview', { body }), 403)
  assert.equal((await ana.post('/api/forum/preview', { body })).json().html, '<p>Kumusta</p>')
})

test('shows the title of a held edit only once it is approved', async () => {
  const fresh = await newcomer()
  const { topic, post } = await openTopic(site, fresh, { title: 'Tahimik na pamagat', category: 400 })
  await reply(site, ben, topic)
  const edit = (title: string) =>
    fresh.post('/api/forum/posts/edit', { post, title, body: 'Tingnan https://evil.example/x' })
  assert.equal((await edit('zzhold SPAM')).json().held, true)
  const shown = async () => {
    const { topic: row } = await readTopic(site, topic)
    const { topics } = (await site.get('/api/forum/boards/400')).json()
    return [row.title, topics.find((one: { topic: number }) => one.topic === topic).title]
  }
  assert.deepEqual(await shown(), ['Tahimik na pamagat', 'Tahimik na pamagat'])
  assert.equal((await fresh.get(`/api/forum/posts/${post}/source`)).json().title, 'zzhold SPAM')
  assert.equal((await edit('Mas maayos')).json().held, true)
  assert.deepEqual(await shown(), ['Tahimik na pamagat', 'Tahimik na pamagat'])
  await approve(post)
  assert.deepEqual(await shown(), ['Mas maayos', 'Mas maayos'])
  assert.equal((await edit('zzhold na naman')).json().held, true)
  await reject(post)
  assert.deepEqual(await shown(), ['Mas maayos', 'Mas maayos'])
})

test('shows the picture of a held edit as the topic’s picture once it is approved', async () => {
  const fresh = await newcomer()
  const upload = async (width: number) => {
    const form = createForm({ picture: await pictureFile('a.png', { width, height: 600 }) })
    return (await sendForm(site, '/api/forum/pictures', form, fresh.headers)).json().url as string
  }
  const { topic, post } = await openTopic(site, fresh, { category: 300, body: `![a](${await upload(900)})` })
  await reply(site, ben, topic)
  const picture = async () => (await readTopic(site, topic)).topic.picture
  const before = await picture()
  const body = `https://evil.example ![b](${await upload(800)})`
  assert.equal((await fresh.post('/api/forum/posts/edit', { post, body })).json().held, true)
  assert.equal(await picture(), before)
  await approve(post)
  assert.match(await picture(), /^\/files\//)
  assert.notEqual(await picture(), before)
})

test('lists only texts that readers could see in the history of a post', async () => {
  const fresh = await newcomer()
  const { topic } = await openTopic(site, ana)
  const { post } = await reply(site, fresh, topic, 'Bastos na zzhold')
  const edit = async (body: string) => {
    site.clock.advance(1000)
    assert.equal((await fresh.post('/api/forum/posts/edit', { post, body })).status, 200)
  }
  await edit('Magalang')
  await approve(post)
  assert.deepEqual(await history(post), [])
  await edit('Mas magalang')
  await edit('Bastos ulit zzhold')
  await edit('Paumanhin')
  await approve(post)
  assert.deepEqual(await history(post), ['<p>Mas magalang</p>', '<p>Magalang</p>'])
})

test('holds and refuses polls by the rules for texts', async () => {
  const poll = (question: string, ...options: string[]) => ({ question, options, choices_max: 1, days: null })
  const held = async (input: object) => (await openTopic(site, await newcomer(), { poll: input })).held
  assert.equal(await held(poll('Anong araw?', 'Sabado', 'Linggo')), false)
  assert.equal(await held(poll('Anong zzhold?', 'Sabado', 'Linggo')), true)
  assert.equal(await held(poll('Anong araw?', 'Sabado', 'zzhold')), true)
  assert.equal(await held(poll('Anong araw?', 'Sabado', 'https://evil.example')), true)
  const refused = { category: 100, title: 'Botohan', body: 'Boto na', poll: poll('zzrefuse?', 'Oo', 'Hindi'), ...TYPED }
  assertRefused(await ben.post('/api/forum/topics', refused), 422, FORUM_TEXTS.refusedWord)
})

test('finds watched words in any disguise', async () => {
  const { topic } = await openTopic(site, ana)
  for (const body of [
    'z\u200bzrefuse',
    'zz\u00adrefuse',
    'zz\u034frefuse',
    'zz**refuse**',
    'zzref&#117;se',
    'ｚｚrefuse',
    'zz\u0301refuse',
    '[zz](https://play.example.ph/x)refuse',
    '[dito](https://example.com/zzrefuse)',
    '![zzrefuse](https://example.com/a.png)',
    '`zzrefuse`',
  ])
    assertRefused(await ben.post('/api/forum/posts', { topic, body, ...TYPED }), 422, FORUM_TEXTS.refusedWord)
  assertRefused(
    await ben.post('/api/forum/topics', { category: 100, title: 'ｚｚ\u00adrefuse', body: 'Hay', ...TYPED }),
    422,
    FORUM_TEXTS.refusedWord,
  )
  assert.equal((await reply(site, ben, topic, 'zz refuse')).held, false)
})

test('holds a new player’s text with an address in any notation', async () => {
  const { topic } = await openTopic(site, ana)
  const held = async (body: string) => (await reply(site, await newcomer(), topic, body)).held
  for (const body of [
    'www.evil.com',
    'punta sa evil.com/x',
    'evil.com',
    'Evil.PH',
    'ｅｖｉｌ．ｃｏｍ',
    'mag-load sa murang-gold.xyz ha',
    't.me/gold',
    '**evil**.com',
    'evil.com at <https://play.example.ph>',
  ])
    assert.equal(await held(body), true, body)
  for (const body of [
    'Sige.Tara na',
    'Oo.sa bahay na.na lang',
    'play.example.ph/news',
    'v1.2 at 3.5%',
    'juan@gmail.com po',
    '...ano.?',
  ])
    assert.equal(await held(body), false, body)
  assert.equal((await openTopic(site, await newcomer(), { title: 'Murang gold sa evil.com' })).held, true)
  assert.equal((await reply(site, ben, topic, 'www.evil.com evil.com/x a.com b.com')).held, false)
})

test('refuses texts without visible characters, and characters that change the direction', async () => {
  const { topic } = await openTopic(site, ana)
  const open = (title: string, body = 'Kumusta') =>
    ben.post('/api/forum/topics', { category: 100, title, body, ...TYPED })
  assertRefused(await open('\u200b'.repeat(5)), 422, FORUM_TEXTS.titleRequired)
  assertRefused(await open('\u3164\u2800\u00ad'), 422, FORUM_TEXTS.titleRequired)
  assertRefused(await open('\u202eevil title'), 422, FORUM_TEXTS.titleControl)
  assertRefused(await open('Pamilya', '\u2066x'), 422, FORUM_TEXTS.bodyControl)
  for (const body of ['\u200b', '&#x200b;', '[a]: https://example.com', '**\u200d**'])
    assertRefused(await ben.post('/api/forum/posts', { topic, body, ...TYPED }), 422, FORUM_TEXTS.bodyRequired)
  const poll = { question: '\u200b\u200b', options: ['a', 'b'], choices_max: 1, days: null }
  assertRefused(
    await ben.post('/api/forum/topics', { category: 100, title: 'Boto', body: 'x', poll, ...TYPED }),
    422,
    FORUM_TEXTS.questionRequired,
  )
  await reply(site, ben, topic, 'abc &#x202e; def 👨‍👩‍👧')
  const { posts } = await readTopic(site, topic)
  assert.equal(posts.at(-1).html, '<p>abc  def 👨‍👩‍👧</p>')
  assert.equal((await open('👨‍👩‍👧 👍🏽 ❤️')).status, 200)
})
