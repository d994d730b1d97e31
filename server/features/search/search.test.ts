import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { readDefaults } from '#content/documents.ts'
import { GUIDE_PAGES } from '#content/guide-pages.ts'
import { DOCUMENTS } from '#contract/documents.ts'
import { SEARCH_TEXTS, type SearchHit } from '#contract/search.ts'
import { assertRefused } from '#test/account-helpers.ts'
import { TEST_NOW } from '#test/databases.ts'
import { insertAccount, insertCharacter, insertNews, updateRows } from '#test/factories.ts'
import { createTestApp } from '#test/helpers.ts'
import { insertItem } from '#test/money-helpers.ts'
import { waitUntil } from '#test/wait-until.ts'

const site = await createTestApp({ world: 'empty' })
const { db } = site
// The search finds written pages only after they are published.
for (const [name, values] of Object.entries(readDefaults({ demo: true })))
  await updateRows(db, 'documents', { name }, { published: JSON.stringify(values), published_at: TEST_NOW })
const daysAgo = (days: number) => new Date(TEST_NOW.getTime() - days * 86_400_000)

const fiesta = await insertNews(db, {
  subject: 'Fiesta at the Zapote gate',
  type: 2,
  content: '<h2>Lanterns &amp; lugaw</h2><p>Señor Dalisay sells <strong>piñata</strong>s by the wishing well.</p>',
  created_at: daysAgo(1),
})
const patch = await insertNews(db, {
  subject: 'Patch notes',
  type: 0,
  content: `<p>Good morning, everybody. ${'Filler words stand here. '.repeat(40)}The zapote shortcut is open.</p><p>${'More filler. '.repeat(40)} Until next time.</p>`,
  created_at: daysAgo(400),
})
const guide = await insertNews(db, { subject: 'Zapote run, step by step', type: 1, content: '<p>Go left.</p>' })
const hiddenNews = await insertNews(db, { subject: 'Zapote secret', published: false })
const futureNews = await insertNews(db, { subject: 'Zapote tomorrow', created_at: daysAgo(-1) })

const item = await insertItem(db, { item_name: 'Zapote juice', price: 40, description: 'Sweet. Restores 200 HP.' })
const hiddenItem = await insertItem(db, { item_name: 'Zapote crate', visible: false })

const player = await insertAccount(db)
const blockedAccount = await insertAccount(db, { blocked_at: daysAgo(2) })
const staffAccount = await insertAccount(db, { user_type: 11 })
const zapper = await insertCharacter(db, {
  user_num: player,
  cha_name: 'ZapoteKing',
  cha_level: 90,
  cha_class: '4',
  cha_school: 2,
})
const zapote = await insertCharacter(db, {
  user_num: player,
  cha_name: 'Zapote',
  cha_level: 3,
  cha_class: '77',
  cha_school: 9,
})
await insertCharacter(db, { user_num: blockedAccount, cha_name: 'ZapoteThief' })
await insertCharacter(db, { user_num: staffAccount, cha_name: 'ZapoteGM' })

type SearchAnswer = {
  data: SearchHit[]
  counts: Record<string, number>
  total: number
  page: number
  prev_page: number | null
  next_page: number | null
  last_page: number
  lpm1: number
}
const requestSearch = (q: string, filters = '') => site.get(`/api/search?q=${encodeURIComponent(q)}${filters}`)
async function search(q: string, filters = ''): Promise<SearchAnswer> {
  const answer = await requestSearch(q, filters)
  assert.equal(answer.status, 200, `${q}: ${answer.text}`)
  return answer.json()
}
const getPaths = ({ data }: SearchAnswer) => data.map(({ path }) => path)
const joinText = (parts: { text: string }[]) => parts.map(({ text }) => text).join('')
const getMarks = (parts: { text: string; hit: boolean }[]) => parts.filter(({ hit }) => hit).map(({ text }) => text)

test('knows a title and a summary of every page, its own or those of its document', () => {
  const documentPaths = Object.values(DOCUMENTS).map(({ path }): string | null => path)
  for (const { path, title = '', summary = '' } of GUIDE_PAGES)
    assert.ok(
      documentPaths.includes(path.replace(/[?#].*/, '')) || (title !== '' && summary !== ''),
      `content/guide-pages.csv: ${path} is no document, so it needs a title and a summary`,
    )
})

test('finds and counts news, guides, items and characters by one word', async () => {
  const answer = await search('zapote')
  assert.deepEqual(answer.counts, { guides: 1, news: 2, items: 1, characters: 2, forum: 0 })
  assert.equal(answer.total, 6)
  assert.deepEqual(
    new Set(getPaths(answer)),
    new Set([
      `/news?topic=${fiesta}`,
      `/news?topic=${patch}`,
      `/news?topic=${guide}`,
      `/itemshop/${item}`,
      `/character/${zapper}`,
      `/character/${zapote}`,
    ]),
  )
  assert.deepEqual([answer.page, answer.last_page, answer.next_page], [1, 1, null])
})

test('never finds hidden and future news, hidden items, or blocked and staff accounts', async () => {
  for (const [q, hiddenPath] of [
    ['secret', `/news?topic=${hiddenNews}`],
    ['tomorrow', `/news?topic=${futureNews}`],
    ['crate', `/itemshop/${hiddenItem}`],
  ] as const) {
    assert.ok(!getPaths(await search(q)).includes(hiddenPath), q)
  }
  for (const name of ['zapotethief', 'zapotegm']) assert.equal((await search(name)).counts.characters, 0, name)
})

test('finds a future news item from its date on', async () => {
  site.clock.advance(2 * 86_400_000)
  try {
    assert.deepEqual(getPaths(await search('tomorrow')), [`/news?topic=${futureNews}`])
  } finally {
    site.clock.advance(-2 * 86_400_000)
    site.cache.clear()
  }
})

test('returns the hits of one kind, with the counts of the others', async () => {
  const answer = await search('zapote', '&kind=news')
  assert.deepEqual(getPaths(answer), [`/news?topic=${fiesta}`, `/news?topic=${patch}`])
  assert.deepEqual(answer.counts, { guides: 1, news: 2, items: 1, characters: 2, forum: 0 })
  assert.equal(answer.total, 2)
})

test('returns the same fields for each kind, with null for those of other kinds', async () => {
  const [hit] = (await search('zapote', '&kind=items')).data
  assert.deepEqual(hit, {
    kind: 'items',
    path: `/itemshop/${item}`,
    title: [
      { text: 'Zapote', hit: true },
      { text: ' juice', hit: false },
    ],
    excerpt: [{ text: 'Sweet. Restores 200 HP.', hit: false }],
    news: null,
    item: { price: 40, section: hit?.item?.section, icon: null, image_url: null },
    character: null,
    post: null,
  })
})

test('matches the beginning of the last word, and other forms of a word', async () => {
  assert.deepEqual(getPaths(await search('lant', '&kind=news')), [`/news?topic=${fiesta}`])
  assert.deepEqual(getPaths(await search('lantern', '&kind=news')), [`/news?topic=${fiesta}`])
  assert.deepEqual(getPaths(await search('sell wish', '&kind=news')), [`/news?topic=${fiesta}`])
  const brawler = await search('brawl')
  assert.equal(brawler.data[0]?.path, '/characters?class=brawler')
  assert.deepEqual(getMarks(brawler.data[0]?.title ?? []), ['Brawler'])
})

test('requires every word, quoted words together, and excludes words after a minus', async () => {
  assert.equal((await search('zapote lugaw', '&kind=news')).total, 1)
  assert.equal((await search('zapote hovercraft')).total, 0)
  assert.equal((await search('"wishing well"', '&kind=news')).total, 1)
  assert.equal((await search('"well wishing"', '&kind=news')).total, 0)
  assert.deepEqual(getPaths(await search('zapote -lugaw', '&kind=news')), [`/news?topic=${patch}`])
  assert.equal((await search('lugaw or shortcut', '&kind=news')).total, 2)
})

test('ignores a stop word at the end, but finds words that begin with a single stop word', async () => {
  assert.equal((await search('lugaw then', '&kind=news')).total, 1)
  assert.equal((await search('lugaw not', '&kind=news')).total, 1)
  assert.equal((await search('her', '&kind=news')).total, 1)
})

test('finds ñ and é with and without accents, in any letter case', async () => {
  for (const q of ['senor', 'SEÑOR', 'Señor', 'sen\u0303or', 'pinata']) {
    assert.deepEqual(getPaths(await search(q, '&kind=news')), [`/news?topic=${fiesta}`], q)
  }
})

test('returns a passage around the found terms, without tags and with its special characters', async () => {
  const [firstHit] = (await search('lugaw', '&kind=news')).data
  assert.equal(joinText(firstHit?.excerpt ?? []), 'Lanterns & lugaw Señor Dalisay sells piñatas by the wishing well.')
  assert.deepEqual(getMarks(firstHit?.excerpt ?? []), ['lugaw'])
  const [secondHit] = (await search('shortcut', '&kind=news')).data
  assert.match(joinText(secondHit?.excerpt ?? []), /^… .*words stand here\. The zapote shortcut is open.* …$/)
})

test('does not find hidden text, but finds text between and after it', async () => {
  const readPlainText = async (html: string) =>
    (await sql<{ words: string }>`select plain_text(${html}) as words`.execute(db)).rows[0]?.words
  for (const [html, plainText] of [
    ['<p>One</p><!-- a --><p>two</p><!-- b --><p>three</p>', 'One two three'],
    ['<p>One</p><style>p{}</style><p>two</p><STYLE media="print">a{}</style ><p>three</p>', 'One two three'],
    ['<p>One</p><svg><title>a</title><text>b</text></svg><p>two</p>', 'One two'],
    ['<p>One</p><!-- <script> --><p>two</p><script>"<!--"</script><p>three</p>', 'One two three'],
    ['<p>One</p><iframe src="x">two', 'One'],
    ['<p>One</p><!-- two', 'One'],
    ['One <titles>two</titles> a < b', 'One two a < b'],
  ] as const)
    assert.equal(await readPlainText(html), plainText)
  assert.equal(await readPlainText(`<style>${'a{b:c}'.repeat(20_000)}</style>${'<svg></svg>'.repeat(2000)}end`), 'end')
  const id = await insertNews(db, { content: '<!-- a --><p>Halamanan</p><!-- b --><svg></svg><p>bakuran</p>' })
  for (const word of ['halamanan', 'bakuran']) assert.deepEqual((await search(word)).data[0]?.path, `/news?topic=${id}`)
  await db.deleteFrom('news').where('id', '=', id).execute()
})

test('returns the type and date of news, and lists a guide among the news with the guides', async () => {
  const [event] = (await search('fiesta', '&kind=news')).data
  assert.deepEqual(event?.news, { type: 2, created_at: daysAgo(1).toISOString() })
  const [guideHit] = (await search('zapote', '&kind=guides')).data
  assert.deepEqual(
    [guideHit?.kind, guideHit?.path, guideHit?.news],
    ['guides', `/news?topic=${guide}`, { type: 1, created_at: null }],
  )
})

test('ranks newer results first among equal matches', async () => {
  const oldNews = await insertNews(db, { subject: 'Quiapo walk', created_at: daysAgo(300) })
  const recentNews = await insertNews(db, { subject: 'Quiapo walk', created_at: daysAgo(3) })
  assert.deepEqual(getPaths(await search('quiapo')), [`/news?topic=${recentNews}`, `/news?topic=${oldNews}`])
})

test('finds characters by the beginning of the name, an exact match first, then by level', async () => {
  const { data } = await search('zapote', '&kind=characters')
  assert.deepEqual(
    data.map(({ title }) => joinText(title)),
    ['Zapote', 'ZapoteKing'],
  )
  assert.deepEqual(getMarks(data[1]?.title ?? []), ['Zapote'])
  assert.equal((await search('apote', '&kind=characters')).total, 0)
  assert.equal((await search('zapotek', '&kind=characters')).total, 1)
})

test('links a character to its page, with its best rank of the month', async () => {
  const [hit] = (await search('zapoteking')).data
  assert.equal(hit?.path, `/character/${zapper}`)
  assert.deepEqual(hit?.character, {
    ChaLevel: 90,
    ChaClass: '4',
    ChaSchool: 2,
    place: { board: 'level', rank: 1 },
  })
})

test('links a character without a rank to its page', async () => {
  const otherCharacters = Array.from({ length: 100 }, (_, index) => ({
    user_num: player,
    cha_name: `Crowd${index}`,
    cha_level: 50,
    cha_class: '1',
    cha_school: 0,
    cha_mmr: 5,
    cha_money: 5,
  }))
  await db.insertInto('characters').values(otherCharacters).execute()
  const unrankedCharacter = await insertCharacter(db, {
    user_num: player,
    cha_name: 'Mahiyain',
    cha_level: 2,
    cha_class: '8',
    cha_school: 1,
  })
  site.clock.advance(6000)
  const [hit] = (await search('mahi')).data
  assert.deepEqual([hit?.path, hit?.character?.place], [`/character/${unrankedCharacter}`, null])
})

test('returns twenty results a page, and the last page for a page past the end', async () => {
  const firstPage = await search('crowd', '&kind=characters')
  assert.deepEqual(
    [
      firstPage.data.length,
      firstPage.total,
      firstPage.page,
      firstPage.prev_page,
      firstPage.next_page,
      firstPage.last_page,
      firstPage.lpm1,
    ],
    [20, 100, 1, null, 2, 5, 4],
  )
  const lastPage = await search('crowd', '&kind=characters&page=5')
  assert.equal(lastPage.next_page, null)
  for (const page of ['6', '99999', '9'.repeat(90)]) {
    assert.deepEqual(await search('crowd', `&kind=characters&page=${page}`), lastPage, page)
  }
  for (const page of ['0', '-3'])
    assert.deepEqual(await search('crowd', `&kind=characters&page=${page}`), firstPage, page)
  const allPages = await Promise.all([1, 2, 3, 4, 5].map((page) => search('crowd', `&kind=characters&page=${page}`)))
  assert.equal(new Set(allPages.flatMap(({ data }) => data.map(({ title }) => joinText(title)))).size, 100)
})

test('mixes guides from pages and from news in the pages of results', async () => {
  for (let index = 0; index < 30; index++) await insertNews(db, { subject: `Barangay guide ${index}`, type: 1 })
  const pages = await Promise.all([1, 2, 3].map((page) => search('guide', `&kind=guides&page=${page}`)))
  assert.equal(pages[0]?.data.length, 20)
  const paths = pages.flatMap(getPaths)
  assert.equal(new Set(paths).size, Math.min(60, pages[0]?.total ?? 0))
  assert.ok(paths.some((path) => path.startsWith('/characters')) && paths.some((path) => path.startsWith('/news')))
})

test('returns marks as parts of plain text, which authors cannot inject', async () => {
  const id = await insertNews(db, {
    subject: '<b>Kalabasa</b> \u0001fake\u0002 <img src=x onerror=steal()>',
    content: '<p>kalabasa &lt;script&gt;steal()&lt;/script&gt; \u0001fake\u0002</p><script>kalabasa hidden()</script>',
  })
  const [hit] = (await search('kalabasa')).data
  assert.equal(hit?.path, `/news?topic=${id}`)
  assert.deepEqual(getMarks(hit?.title ?? []), ['Kalabasa'])
  assert.equal(joinText(hit?.title ?? []), '<b>Kalabasa</b> fake <img src=x onerror=steal()>')
  assert.equal(joinText(hit?.excerpt ?? []), 'kalabasa <script>steal()</script> fake')
  assert.equal((await search('hidden', '&kind=news')).total, 0)
})

test('treats operators, quotes and characters of SQL as text', async () => {
  for (const q of [
    "' or 1=1 --",
    "'; drop table news; --",
    '!!!',
    '& | ! ( ) : * <->',
    'zapote:*',
    'zap%',
    'z_p',
    '\\\\',
    '""',
    '"zapote',
    '--zapote',
    'a:b & !c | (d',
    '<script>alert(1)</script>',
    '%%%%',
    '的是 日本',
    '🙂🙂',
    "ab'c\\d",
    'and or not',
  ]) {
    const { status } = await requestSearch(q)
    assert.equal(status, 200, q)
  }
  assert.equal((await search('zap%', '&kind=characters')).total, 0)
  assert.equal((await search('z_p', '&kind=characters')).total, 0)
})

test('refuses short and long texts, arrays, control characters and unknown kinds with a message', async () => {
  for (const query of [
    '',
    '?q=',
    '?q=a',
    '?q=+a+',
    `?q=${'x'.repeat(81)}`,
    `?q=${'x'.repeat(5000)}`,
    '?q=%00ab',
    '?q=a%00b',
    '?q=zap&q=ote',
    '?q[]=zapote',
  ]) {
    assertRefused(await site.get(`/api/search${query}`), 422, SEARCH_TEXTS.lengthRule)
  }
  assertRefused(await requestSearch('zapote', '&kind=accounts'), 422, SEARCH_TEXTS.kindRule)
  assertRefused(await requestSearch('zapote', '&page=x'), 422, 'Page must be a whole number.')
  assert.equal((await requestSearch(`zapote ${'x'.repeat(73)}`)).status, 200)
})

test('answers 304 for a matching ETag, and caches one response for all spellings', async () => {
  const firstResponse = await requestSearch('zapote')
  const etag = firstResponse.headers.get('etag') ?? ''
  assert.match(firstResponse.headers.get('cache-control') ?? '', /s-maxage/)
  assert.equal((await site.get('/api/search?q=zapote', { 'If-None-Match': etag })).status, 304)
  const { entries } = site.cache.getSize()
  for (const q of ['ZAPOTE', ' zapote ', 'Zapote']) assert.equal((await requestSearch(q)).headers.get('etag'), etag)
  assert.equal((await requestSearch('zapote', '&utm=1')).headers.get('etag'), etag)
  assert.equal(site.cache.getSize().entries, entries)
})

test('finds a changed item by its new text before cached results expire', async () => {
  assert.equal((await search('sinigang', '&kind=items')).total, 0)
  await db.updateTable('shop_items').set({ item_name: 'Sinigang cup' }).where('product_num', '=', item).execute()
  await waitUntil('the search finds the item', async () => (await search('sinigang', '&kind=items')).total === 1, {
    withinMs: 2000,
  })
})

test('counts many characters with the same name up to the limit, the best first', async () => {
  await sql`insert into characters (user_num, cha_name, cha_level, cha_class, cha_school, base_kills, base_deaths, base_resu)
    select ${player}, 'Many' || n, 1 + n % 90, '1', n % 3, 0, 0, 0 from generate_series(1, 2000) n`.execute(db)
  const [firstHit] = (await search('many', '&kind=characters')).data
  assert.equal(firstHit?.character?.ChaLevel, 90)
  const lastPage = await search('many', '&kind=characters&page=50')
  assert.deepEqual([lastPage.total, lastPage.page, lastPage.last_page, lastPage.data.length], [400, 20, 20, 20])
})

test('runs or queues a few of many concurrent searches, and refuses the rest with a retry time', async () => {
  const answers = await Promise.all(Array.from({ length: 100 }, (_, index) => site.get(`/api/search?q=word${index}`)))
  const refusedAnswers = answers.filter(({ status }) => status === 503)
  assert.ok(refusedAnswers.length > 0 && refusedAnswers.length < 100, `${refusedAnswers.length} refused`)
  assert.ok(answers.every(({ status }) => status === 200 || status === 503))
  for (const { headers } of refusedAnswers) assert.match(String(headers.get('retry-after')), /^[1-9]/)
  assert.equal((await site.get('/api/search?q=later')).status, 200)
})
