import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FORUM_TEXTS } from '#contract/forum.ts'
import { assertRefused } from '#test/account-helpers.ts'
import { insertRows } from '#test/factories.ts'
import { createForumPlayer, openTopic, postReply, readTopic, TYPING_TIME } from '#test/forum-helpers.ts'
import { createTestApp } from '#test/helpers.ts'
import { createForm, createPictureFile, sendForm } from '#test/ticket-helpers.ts'
import { approvePost, rejectPost } from './cases.ts'

const site = await createTestApp({ world: 'empty', env: { RATE_LIMIT: 'off' } })
const { db } = site
const ana = await createForumPlayer(site)
const ben = await createForumPlayer(site)
const createNewPlayer = () => createForumPlayer(site, { posts: 2, days: 1 })
await insertRows(db, 'forum_watched_words', [
  { word: 'zzhold', action: 'hold', added_by: null, added_at: site.clock.now() },
  { word: 'zzrefuse', action: 'refuse', added_by: null, added_at: site.clock.now() },
])

const approveHeldPost = (post: number) => db.transaction().execute((tx) => approvePost(tx, site, { post, by: null }))
const rejectPostAsAdvertising = (post: number) =>
  db
    .transaction()
    .execute((tx) => rejectPost(tx, { now: site.clock.now() }, { post, reason: 'Advertising.', by: null }))
const readHistory = async (post: number) => {
  site.cache.clear()
  const { revisions } = (await site.get(`/api/forum/posts/${post}/history`)).json()
  return revisions.map(({ html }: { html: string }) => html)
}

test('refuses a text that becomes far longer as HTML, in a preview and in a post', async () => {
  const wideTable = `${'|a'.repeat(80)}|\n${'|-'.repeat(80)}|\n${'|\n'.repeat(4700)}`
  const longTable = `|a|b|\n|-|-|\n${'|\n'.repeat(4700)}`
  const repeatedLinks = `[a]: https://example.com/${'x'.repeat(4000)}\n\n${'[a]'.repeat(1900)}`
  for (const body of [wideTable, longTable, `> - ${wideTable}`, repeatedLinks]) {
    assertRefused(await ana.post('/api/forum/preview', { body }), 422, FORUM_TEXTS.tooMuchMarkup)
    assertRefused(
      await ana.post('/api/forum/topics', { category: 100, title: 'Mesa', body, ...TYPING_TIME }),
      422,
      FORUM_TEXTS.tooMuchMarkup,
    )
  }
  const table = `|Boss|Oras|\n|-|-|\n${'|Tala|20:00|\n'.repeat(40)}`
  assert.match((await ana.post('/api/forum/preview', { body: table })).json().html, /<td>20:00<\/td>/)
})

test('refuses texts that take long to parse or to normalize, and accepts long ordinary texts', async () => {
  const fillText = (fragment: string) => fragment.repeat(Math.floor(10_000 / fragment.length))
  const postTopic = (body: string, title = 'Mesa') =>
    ana.post('/api/forum/topics', { category: 100, title, body, ...TYPING_TIME })
  for (const fragment of [
    '[',
    '![',
    '[a]\n',
    '[(',
    '<',
    '`a',
    '*a_',
    '~~a',
    '|a',
    '&',
    '-\n',
    '# a\n',
    'https://a.b/ ',
  ])
    for (const answer of [
      await postTopic(fillText(fragment)),
      await ana.post('/api/forum/preview', { body: fillText(fragment) }),
    ])
      assertRefused(answer, 422, FORUM_TEXTS.tooMuchMarkup)
  for (const fragment of ['\ufdfa', '\ufdfa ', '\u3300'])
    assertRefused(await postTopic(fillText(fragment)), 422, FORUM_TEXTS.tooMuchMarkup)
  for (const fragment of ['Kumusta kayo diyan. ', '안녕하세요 ', 'ñandú ', '(oo) ', '« á » '])
    assert.equal((await postTopic(fillText(fragment))).status, 200, fragment)
  assert.equal((await postTopic('- [x] tapos\n'.repeat(200))).status, 200)
})

test('shows a preview only to players who may write', async () => {
  const body = 'Kumusta'
  const unconfirmed = await createForumPlayer(site, { confirmed: false })
  assertRefused(await unconfirmed.post('/api/forum/preview', { body }), 403, FORUM_TEXTS.confirmEmail)
  const playerWithoutCharacter = await createForumPlayer(site, { level: null })
  assertRefused(await playerWithoutCharacter.post('/api/forum/preview', { body }), 403)
  assert.equal((await ana.post('/api/forum/preview', { body })).json().html, '<p>Kumusta</p>')
})

test('shows the title of a held edit only once it is approved', async () => {
  const newPlayer = await createNewPlayer()
  const { topic, post } = await openTopic(site, newPlayer, { title: 'Tahimik na pamagat', category: 400 })
  await postReply(site, ben, topic)
  const editPost = (title: string) =>
    newPlayer.post('/api/forum/posts/edit', { post, title, body: 'Tingnan https://evil.example/x' })
  assert.equal((await editPost('zzhold SPAM')).json().held, true)
  const readTitles = async () => {
    const { topic: shownTopic } = await readTopic(site, topic)
    const { topics } = (await site.get('/api/forum/boards/400')).json()
    return [shownTopic.title, topics.find((row: { topic: number }) => row.topic === topic).title]
  }
  assert.deepEqual(await readTitles(), ['Tahimik na pamagat', 'Tahimik na pamagat'])
  assert.equal((await newPlayer.get(`/api/forum/posts/${post}/source`)).json().title, 'zzhold SPAM')
  assert.equal((await editPost('Mas maayos')).json().held, true)
  assert.deepEqual(await readTitles(), ['Tahimik na pamagat', 'Tahimik na pamagat'])
  await approveHeldPost(post)
  assert.deepEqual(await readTitles(), ['Mas maayos', 'Mas maayos'])
  assert.equal((await editPost('zzhold na naman')).json().held, true)
  await rejectPostAsAdvertising(post)
  assert.deepEqual(await readTitles(), ['Mas maayos', 'Mas maayos'])
})

test('shows the picture of a held edit as the topic’s picture once it is approved', async () => {
  const newPlayer = await createNewPlayer()
  const upload = async (width: number) => {
    const form = createForm({ picture: await createPictureFile('a.png', { width, height: 600 }) })
    return (await sendForm(site, '/api/forum/pictures', form, newPlayer.headers)).json().url as string
  }
  const { topic, post } = await openTopic(site, newPlayer, { category: 300, body: `![a](${await upload(900)})` })
  await postReply(site, ben, topic)
  const readPicture = async () => (await readTopic(site, topic)).topic.picture
  const pictureBefore = await readPicture()
  const body = `https://evil.example ![b](${await upload(800)})`
  assert.equal((await newPlayer.post('/api/forum/posts/edit', { post, body })).json().held, true)
  assert.equal(await readPicture(), pictureBefore)
  await approveHeldPost(post)
  assert.match(await readPicture(), /^\/files\//)
  assert.notEqual(await readPicture(), pictureBefore)
})

test('lists only texts that readers could see in the history of a post', async () => {
  const newPlayer = await createNewPlayer()
  const { topic } = await openTopic(site, ana)
  const { post } = await postReply(site, newPlayer, topic, 'Bastos na zzhold')
  const editPost = async (body: string) => {
    site.clock.advance(1000)
    assert.equal((await newPlayer.post('/api/forum/posts/edit', { post, body })).status, 200)
  }
  await editPost('Magalang')
  await approveHeldPost(post)
  assert.deepEqual(await readHistory(post), [])
  await editPost('Mas magalang')
  await editPost('Bastos ulit zzhold')
  await editPost('Paumanhin')
  await approveHeldPost(post)
  assert.deepEqual(await readHistory(post), ['<p>Mas magalang</p>', '<p>Magalang</p>'])
})

test('holds or refuses polls by the rules for posts', async () => {
  const createPoll = (question: string, ...options: string[]) => ({ question, options, choices_max: 1, days: null })
  const isHeld = async (input: object) => (await openTopic(site, await createNewPlayer(), { poll: input })).held
  assert.equal(await isHeld(createPoll('Anong araw?', 'Sabado', 'Linggo')), false)
  assert.equal(await isHeld(createPoll('Anong zzhold?', 'Sabado', 'Linggo')), true)
  assert.equal(await isHeld(createPoll('Anong araw?', 'Sabado', 'zzhold')), true)
  assert.equal(await isHeld(createPoll('Anong araw?', 'Sabado', 'https://evil.example')), true)
  const topicValues = {
    category: 100,
    title: 'Botohan',
    body: 'Boto na',
    poll: createPoll('zzrefuse?', 'Oo', 'Hindi'),
    ...TYPING_TIME,
  }
  assertRefused(await ben.post('/api/forum/topics', topicValues), 422, FORUM_TEXTS.refusedWord)
})

test('finds watched words that have invisible characters, accents, markup or entities in them', async () => {
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
    assertRefused(await ben.post('/api/forum/posts', { topic, body, ...TYPING_TIME }), 422, FORUM_TEXTS.refusedWord)
  assertRefused(
    await ben.post('/api/forum/topics', { category: 100, title: 'ｚｚ\u00adrefuse', body: 'Hay', ...TYPING_TIME }),
    422,
    FORUM_TEXTS.refusedWord,
  )
  assert.equal((await postReply(site, ben, topic, 'zz refuse')).held, false)
})

test('holds a new player’s text with an address, even without https:// or with markup in it', async () => {
  const { topic } = await openTopic(site, ana)
  const isHeld = async (body: string) => (await postReply(site, await createNewPlayer(), topic, body)).held
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
    assert.equal(await isHeld(body), true, body)
  for (const body of [
    'Sige.Tara na',
    'Oo.sa bahay na.na lang',
    'play.example.ph/news',
    'v1.2 at 3.5%',
    'juan@gmail.com po',
    '...ano.?',
  ])
    assert.equal(await isHeld(body), false, body)
  assert.equal((await openTopic(site, await createNewPlayer(), { title: 'Murang gold sa evil.com' })).held, true)
  assert.equal((await postReply(site, ben, topic, 'www.evil.com evil.com/x a.com b.com')).held, false)
})

test('refuses texts without visible characters, and characters that change the direction', async () => {
  const { topic } = await openTopic(site, ana)
  const postTopic = (title: string, body = 'Kumusta') =>
    ben.post('/api/forum/topics', { category: 100, title, body, ...TYPING_TIME })
  assertRefused(await postTopic('\u200b'.repeat(5)), 422, FORUM_TEXTS.titleRequired)
  assertRefused(await postTopic('\u3164\u2800\u00ad'), 422, FORUM_TEXTS.titleRequired)
  assertRefused(await postTopic('\u202eevil title'), 422, FORUM_TEXTS.titleControl)
  assertRefused(await postTopic('Pamilya', '\u2066x'), 422, FORUM_TEXTS.bodyControl)
  for (const body of ['\u200b', '&#x200b;', '[a]: https://example.com', '**\u200d**'])
    assertRefused(await ben.post('/api/forum/posts', { topic, body, ...TYPING_TIME }), 422, FORUM_TEXTS.bodyRequired)
  const poll = { question: '\u200b\u200b', options: ['a', 'b'], choices_max: 1, days: null }
  assertRefused(
    await ben.post('/api/forum/topics', { category: 100, title: 'Boto', body: 'x', poll, ...TYPING_TIME }),
    422,
    FORUM_TEXTS.questionRequired,
  )
  await postReply(site, ben, topic, 'abc &#x202e; def 👨‍👩‍👧')
  const { posts } = await readTopic(site, topic)
  assert.equal(posts.at(-1).html, '<p>abc  def 👨‍👩‍👧</p>')
  assert.equal((await postTopic('👨‍👩‍👧 👍🏽 ❤️')).status, 200)
})
