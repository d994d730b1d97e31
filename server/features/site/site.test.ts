import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import sharp from 'sharp'
import { TEST_NOW } from '#test/databases.ts'
import { insertAccount, insertCharacter, insertNews } from '#test/factories.ts'
import { createTestApp } from '#test/helpers.ts'

const site = await createTestApp({ env: { APP_NAME: 'Kanto & Co' }, pages: true })

/** Asserts that a text is well-formed XML. @returns the names of its elements */
function readXml(xml: string): string[] {
  assert.match(xml, /^<\?xml version="1\.0" encoding="utf-8"\?>/i)
  assert.doesNotMatch(xml, /[^\t\n\r\x20-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u)
  const textWithoutCdata = xml.replace(/<\?xml[^>]*\?>/, '').replace(/<!\[CDATA\[[\s\S]*?\]\]>/g, '')
  const names: string[] = []
  const openElements: string[] = []
  for (const [, isClosing, name = '', isEmpty] of textWithoutCdata.matchAll(
    /<(\/?)([\w:]+)(?:\s+[\w:]+="[^"<]*")*\s*(\/?)>/g,
  )) {
    if (isClosing) assert.equal(openElements.pop(), name)
    else names.push(name)
    if (!isClosing && !isEmpty) openElements.push(name)
  }
  assert.deepEqual(openElements, [])
  const text = textWithoutCdata.replace(/<\/?[\w:]+(?:\s+[\w:]+="[^"<]*")*\s*\/?>/g, '')
  assert.doesNotMatch(text, /[<>]|\]\]|&(?!(?:amp|lt|gt|quot|apos|#\d+);)/)
  return names
}

test('getSiteBanners returns the slides in their order with the fields of the rotator', async () => {
  const { status, json } = await site.get('/api/getSiteBanners')
  assert.equal(status, 200)
  const { data } = json()
  assert.equal(data.length, 5)
  for (const banner of data) {
    assert.deepEqual(Object.keys(banner).sort(), ['href', 'id', 'img_phone_url', 'img_url', 'line', 'tag', 'title'])
    assert.ok(Number.isInteger(banner.id) && Array.isArray(banner.title) && banner.title.length > 0)
  }
})

test('omits hidden banners, and orders the others by position', async () => {
  const { data: before } = (await site.get('/api/getSiteBanners')).json()
  await site.db.updateTable('banners').set({ position: -1 }).where('id', '=', before[3].id).execute()
  await site.db.updateTable('banners').set({ visible: false }).where('id', '=', before[0].id).execute()
  site.cache.clear()
  const { data } = (await site.get('/api/getSiteBanners')).json()
  assert.deepEqual(
    data.map(({ id }: { id: number }) => id),
    [before[3].id, before[1].id, before[2].id, before[4].id],
  )
})

test('returns null as the picture of a banner without one', async () => {
  await site.db.updateTable('banners').set({ picture: null, picture_phone: null }).where('position', '=', -1).execute()
  site.cache.clear()
  const { data } = (await site.get('/api/getSiteBanners')).json()
  assert.deepEqual([data[0].img_url, data[0].img_phone_url], [null, null])
})

test('getdownloadsall returns the links in their order with the fields of DOWNLOAD-2', async () => {
  const { data } = (await site.get('/api/getdownloadsall')).json()
  assert.equal(data.length, 4)
  for (const link of data) {
    assert.deepEqual(Object.keys(link), [
      'seq',
      'link_name',
      'link_address',
      'link_type',
      'link_description',
      'link_date',
      'link_icon',
      'link_version',
      'link_size',
      'link_changes',
    ])
    assert.equal(new Date(link.link_date).toISOString(), link.link_date)
  }
})

test('omits a hidden download', async () => {
  const { data: before } = (await site.get('/api/getdownloadsall')).json()
  await site.db.updateTable('downloads').set({ visible: false }).where('seq', '=', before[1].seq).execute()
  site.cache.clear()
  const { data } = (await site.get('/api/getdownloadsall')).json()
  assert.deepEqual(data, [before[0], before[2], before[3]])
})

test('club-areas returns three areas without a club and with 0% tax', async () => {
  const { data } = (await site.get('/api/club-areas')).json()
  assert.equal(data.length, 3)
  for (const area of data) {
    assert.deepEqual(Object.keys(area).sort(), ['club', 'id', 'img_url', 'name', 'tax_percent'])
    assert.deepEqual([area.club, area.tax_percent], [null, 0])
  }
})

test('site returns its name, its links and the number of characters of each school', async () => {
  const { schools, ...body } = (await site.get('/api/site')).json()
  assert.partialDeepStrictEqual(body, {
    app_name: 'Kanto & Co',
    since: 'since 2002',
    copyright: 'Copyright 2009-2010',
    public_url: 'https://play.example.ph',
    agent_url: 'https://example.com/agent',
    social_url: 'https://example.com/barkada',
    operator_name: 'the operators of Kanto & Co',
    operator_email: null,
    demo: true,
    registration_open: true,
    notices: [],
  })
  const { count } = await site.db
    .selectFrom('characters')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  assert.deepEqual(
    schools.map(({ school }: { school: number }) => school),
    [0, 1, 2],
  )
  assert.equal(
    schools.reduce((sum: number, { characters }: { characters: number }) => sum + characters, 0),
    Number(count),
  )
})

test('allows public caches to store public responses for 30 seconds', async () => {
  for (const path of [
    'site',
    'club-areas',
    'getSiteBanners',
    'getdownloadsall',
    'ranking-periods',
    'get-top-rankings-list',
  ]) {
    const { headers } = await site.get(`/api/${path}`)
    assert.equal(headers.get('cache-control'), 'public, max-age=0, s-maxage=30, stale-if-error=600', path)
    assert.ok(headers.get('etag'), path)
  }
})

test('returns the server’s time in Manila with a trailing hh:mm, which is not cached', async () => {
  const { headers, json } = await site.get('/api/time')
  assert.deepEqual(json(), { time: 'Fri 20 Nov 2026 · GMT+08:00 21:42', epoch_ms: TEST_NOW.getTime() })
  assert.equal(headers.get('cache-control'), 'no-store')
  site.clock.advance(60_000)
  assert.equal((await site.get('/api/time')).json().time.slice(-5), '21:43')
  site.clock.advance(-60_000)
})

test('robots.txt excludes the calls and private pages and names the sitemap', async () => {
  const { status, headers, text } = await site.get('/robots.txt')
  assert.equal(status, 200)
  assert.match(String(headers.get('content-type')), /^text\/plain/)
  for (const line of [
    'User-agent: *',
    'Disallow: /api/',
    'Disallow: /admin',
    'Sitemap: https://play.example.ph/sitemap.xml',
  ]) {
    assert.ok(text.split('\n').includes(line), line)
  }
})

test('every page links the app manifest with the site’s name, color, icons and screenshots', async () => {
  const { status, headers, json } = await site.get('/manifest.webmanifest')
  assert.equal(status, 200)
  assert.equal(headers.get('content-type'), 'application/manifest+json')
  assert.equal(headers.get('cache-control'), 'public, max-age=300, s-maxage=300')
  const { description, icons, screenshots, ...app } = json()
  const color = '#0A0C13'
  assert.deepEqual(app, {
    name: 'Kanto & Co',
    short_name: 'Kanto & Co',
    lang: 'en',
    dir: 'ltr',
    id: '/',
    start_url: '/',
    scope: '/',
    display: 'standalone',
    theme_color: color,
    background_color: color,
  })
  assert.match(description, /Kanto & Co/)
  const kinds = icons.map(({ sizes, purpose }: { sizes: string; purpose: string }) => `${purpose} ${sizes}`)
  assert.deepEqual(kinds.sort(), ['any 192x192', 'any 512x512', 'maskable 192x192', 'maskable 512x512'])
  for (const { label } of screenshots) assert.notEqual(label, '')
  assert.deepEqual(
    screenshots.map(({ form_factor }: { form_factor: string }) => form_factor),
    ['narrow', 'wide'],
  )
  for (const { src, sizes, type } of [...icons, ...screenshots]) {
    const { width, height, format } = await sharp(await readPicture(src, type)).metadata()
    assert.deepEqual([`${width}x${height}`, `image/${format}`], [sizes, type], src)
  }
  for (const path of ['/', '/news', '/rankings', '/login', '/user', '/nothing']) {
    const { text } = await site.get(path)
    const [head = ''] = text.split('</head>')
    assert.ok(head.includes('<link rel="manifest" href="/manifest.webmanifest"/>'), path)
    assert.ok(head.includes('<link rel="apple-touch-icon" href="/art/apple-touch-icon.png"/>'), path)
    assert.ok(head.includes(`<meta name="theme-color" content="${color}"/>`), path)
  }
})

/** Fetches a picture, and asserts that it has at most 60 kB. */
async function readPicture(path: string, type: string): Promise<ArrayBuffer> {
  const answer = await site.app.request(path)
  assert.deepEqual([answer.status, answer.headers.get('content-type')], [200, type], path)
  const bytes = await answer.arrayBuffer()
  assert.ok(bytes.byteLength < 60_000, path)
  return bytes
}

test('a maskable icon has only its background outside of the safe circle', async () => {
  const { json } = await site.get('/manifest.webmanifest')
  for (const { src, purpose, type } of json().icons) {
    if (purpose !== 'maskable') continue
    const { data, info } = await sharp(await readPicture(src, type))
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true })
    const center = (info.width - 1) / 2
    for (let pixel = 0; pixel < info.width * info.height; pixel++) {
      const distance = Math.hypot((pixel % info.width) - center, Math.floor(pixel / info.width) - center)
      if (distance <= 0.4 * info.width) continue
      const color = data.subarray(pixel * info.channels, pixel * info.channels + 3).toString('hex')
      if (color !== '0a0c13') assert.fail(`${src} has ${color} ${Math.round(distance)} pixels from its middle`)
    }
  }
})

/** Returns the addresses in a sitemap file, and asserts that it has elements of one kind. */
async function readSitemap(path: string, element: 'sitemap' | 'url'): Promise<string[]> {
  const { status, headers, text } = await site.get(path)
  assert.equal(status, 200, path)
  assert.match(String(headers.get('content-type')), /^application\/xml/)
  const names = readXml(text)
  const addresses = [...text.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, address = '']) => address)
  assert.equal(names.filter((name) => name === element).length, addresses.length)
  return addresses
}

const toPath = (address: string) => address.replace('https://play.example.ph', '')

test('sitemap.xml names files with all public pages, items, news, boards and topics', async () => {
  const files = await readSitemap('/sitemap.xml', 'sitemap')
  assert.deepEqual(files.map(toPath), [
    '/sitemap-pages.xml',
    '/sitemap-items-1.xml',
    '/sitemap-news-1.xml',
    '/sitemap-boards-1.xml',
    '/sitemap-topics-1.xml',
    '/sitemap-clubs-1.xml',
  ])
  const addresses = (await Promise.all(files.map((file) => readSitemap(toPath(file), 'url')))).flat()
  const { total, data } = (await site.get('/api/getnewsall/0/50/0/0')).json()
  const shop = (await site.get('/api/itemshop?category=0&page=1')).json()
  for (const path of ['/', '/news', '/rankings', '/itemshop', '/register', `/news?topic=${data[0].id}`]) {
    assert.ok(addresses.includes(`https://play.example.ph${path}`), path)
  }
  assert.ok(addresses.includes(`https://play.example.ph/itemshop/${shop.itemshopdata[0].ProductNum}`))
  assert.equal(addresses.filter((address) => address.includes('topic=')).length, total)
  assert.equal(addresses.filter((address) => address.includes('/itemshop/')).length, shop.total)
  const { boards } = (await site.get('/api/forum/boards')).json()
  const topics = boards.reduce((sum: number, board: { topics: number }) => sum + board.topics, 0)
  assert.equal(addresses.filter((address) => /\/forum\/\d+$/.test(address)).length, boards.length)
  assert.equal(addresses.filter((address) => /\/forum\/\d+\/\d+$/.test(address)).length, topics)
  assert.ok((await site.get('/sitemap-news-1.xml')).text.includes(`<lastmod>${data[0].created_at}</lastmod>`))
  assert.ok(!addresses.some((address) => /\/(user|admin|login|shoppingcart)$/.test(address)))
})

test('omits hidden and scheduled pages from sitemaps, and answers 404 for other sitemap files', async () => {
  const laterTime = new Date(TEST_NOW.getTime() + 60_000)
  const hiddenNews = [
    await insertNews(site.db, { published: false }),
    await insertNews(site.db, { created_at: laterTime }),
  ]
  site.cache.clear()
  const addresses = await readSitemap('/sitemap-news-1.xml', 'url')
  for (const id of hiddenNews) assert.ok(!addresses.some((address) => address.endsWith(`topic=${id}`)))
  for (const path of [
    '/sitemap-news-2.xml',
    '/sitemap-news-0.xml',
    '/sitemap-users-1.xml',
    '/sitemap-items-999999999.xml',
  ])
    assert.equal((await site.get(path)).status, 404, path)
  await site.db.deleteFrom('news').where('id', 'in', hiddenNews).execute()
})

test('lists the rows of ten thousand consecutive numbers in each sitemap file', async () => {
  const ids = [9_999, 10_000, 250_000_000]
  await site.db
    .insertInto('news')
    .values(ids.map((id) => ({ id, subject: 'Far', type: 0 as const, author: 'GM', content: '', created_at: null })))
    .execute()
  site.cache.clear()
  const files = (await readSitemap('/sitemap.xml', 'sitemap')).map(toPath)
  assert.deepEqual(files.slice(2, 5), ['/sitemap-news-1.xml', '/sitemap-news-2.xml', '/sitemap-news-25001.xml'])
  assert.ok((await readSitemap('/sitemap-news-1.xml', 'url')).some((address) => address.endsWith('topic=9999')))
  assert.deepEqual((await readSitemap('/sitemap-news-2.xml', 'url')).map(toPath), ['/news?topic=10000'])
  await site.db.deleteFrom('news').where('id', 'in', ids).execute()
})

test('feed.xml is well-formed RSS with the newest items', async () => {
  const { headers, text } = await site.get('/feed.xml')
  assert.match(String(headers.get('content-type')), /^application\/rss\+xml/)
  const names = readXml(text)
  assert.deepEqual(names.slice(0, 2), ['rss', 'channel'])
  assert.equal(names.filter((name) => name === 'item').length, 20)
  const { data } = (await site.get('/api/getnewsall/0/1/0/1')).json()
  assert.ok(text.includes(`<![CDATA[${data[0].subject}]]>`) || text.includes(data[0].subject))
  assert.ok(text.includes(`https://play.example.ph/news?topic=${data[0].id}`))
})

test('writes a well-formed feed and sitemap for any text of an author', async () => {
  await insertNews(site.db, {
    subject: 'A ]]> B ]]> C <b>&amp; \u0008 D',
    author: 'GM & Co <gm@example.ph>',
    content: '<p>]]&gt; ]]> \u000b & < 5</p>',
    created_at: TEST_NOW,
  })
  site.cache.clear()
  const feed = (await site.get('/feed.xml')).text
  readXml(feed)
  assert.match(feed, /C <b>&amp;/)
  for (const path of ['/sitemap.xml', '/sitemap-news-1.xml']) readXml((await site.get(path)).text)
})

/** Asserts that the stored number of visible characters of each school is correct. */
async function assertSchoolsCounted() {
  const { rows } = await sql<{ school: number; characters: number }>`
    select cha_school as school, count(*)::int as characters from characters where kept_out = '' group by cha_school
    order by 1`.execute(site.db)
  const counts = await site.db
    .selectFrom('shown_per_school')
    .where('characters', '>', 0)
    .orderBy('school')
    .selectAll()
    .execute()
  assert.deepEqual(
    counts.map(({ school, characters }) => ({ school, characters: Number(characters) })),
    rows,
  )
}

test('counts the characters of each school when they are added, moved and deleted', async () => {
  const { db } = site
  await assertSchoolsCounted()
  const player = await insertAccount(db)
  const movedCharacter = await insertCharacter(db, { user_num: player, cha_school: 7 })
  await insertCharacter(db, { user_num: player, cha_school: 7 })
  await assertSchoolsCounted()
  await db.updateTable('characters').set({ cha_school: 8 }).where('cha_num', '=', movedCharacter).execute()
  await db.updateTable('characters').set({ cha_level: 5 }).where('user_num', '=', player).execute()
  await assertSchoolsCounted()
  await db.updateTable('characters').set({ kept_out: 'deleted' }).where('cha_num', '=', movedCharacter).execute()
  await assertSchoolsCounted()
  await db.deleteFrom('characters').where('user_num', '=', player).execute()
  await assertSchoolsCounted()
})
