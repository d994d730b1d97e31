import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { createApp } from '#server/app.ts'
import { createMetrics } from '#server/http/metrics.ts'
import { loadPages } from '#server/pages.ts'
import { insertNews } from '#test/factories.ts'
import { createTestApp, listenOnPort, openUnavailableDatabase } from '#test/helpers.ts'
import { toPlainText } from '#test/html.ts'

const site = await createTestApp({ pages: true })
const offlineSite = await createTestApp({ pages: true, database: openUnavailableDatabase() })
const APP = 'Tambayan Online'
const SITE_ADDRESS = 'https://play.example.ph'
const [latestNews] = (await site.get('/api/getnewsall/0/1/0/1')).json().data

/** Reads the head of a document. */
function readHead(html: string) {
  const readAttributes = (tag: string) =>
    Object.fromEntries(
      [...tag.matchAll(/([\w:-]+)="([^"]*)"/g)].map(([, name = '', value = '']) => [name, toPlainText(value)]),
    )
  const tags = [...html.matchAll(/<(meta|link)\s[^>]*>/g)].map(([tag]) => readAttributes(tag))
  const getMeta = (name: string) => tags.find((tag) => tag.name === name || tag.property === name)?.content
  const titles = [...html.matchAll(/<title>([^<]*)<\/title>/g)].map(([, title = '']) => toPlainText(title))
  const canonical = tags.filter((tag) => tag.rel === 'canonical').map((tag) => tag.href)
  return { titles, canonical, getMeta }
}

const PAGES = [
  '/',
  '/news',
  '/rankings',
  '/gamesystem',
  '/story',
  '/characters',
  '/instructions',
  '/itemshop',
  '/shoppingcart',
  '/shoppurchases',
  '/topup',
  '/topuphistory',
  '/gallery',
  '/wallpaper',
  '/movies',
  '/downloads',
  '/download',
  '/ticket',
  '/checkticket',
  '/register',
  '/login',
  '/changepassword',
  '/user',
  '/findaccount',
  '/serverinfo',
  '/socials',
  `/news?topic=${latestNews.id}`,
  `/topic/${latestNews.id}`,
]

for (const path of PAGES) {
  test(`${path} is a complete document with title, description, canonical link and share preview`, async () => {
    const { status, headers, text } = await site.get(path)
    assert.equal(status, 200)
    assert.equal(headers.get('content-type'), 'text/html; charset=utf-8')
    assert.match(text, /^<!DOCTYPE html><html lang="en"/)
    const { titles, canonical, getMeta } = readHead(text)
    assert.equal(titles.length, 1)
    const crumb = titles[0]?.slice(0, -` | ${APP}`.length) ?? ''
    assert.equal(titles[0], `${crumb} | ${APP}`)
    assert.ok(crumb.length > 1)
    assert.ok((getMeta('description')?.length ?? 0) > 20, 'description')
    assert.equal(canonical.length, 1)
    assert.ok(canonical[0]?.startsWith(`${SITE_ADDRESS}/`))
    assert.equal(getMeta('og:title'), crumb)
    assert.equal(getMeta('og:url'), canonical[0])
    assert.equal(getMeta('og:description'), getMeta('description'))
    assert.match(getMeta('og:image') ?? '', /^https:\/\/play\.example\.ph\/(art|share|character)\/[^?]+\.jpg(\?|$)/)
    assert.equal(getMeta('og:site_name'), APP)
    assert.equal(getMeta('twitter:card'), 'summary_large_image')
    assert.equal(getMeta('twitter:title'), crumb)
    assert.match(text, /<h1[\s>]/)
  })
}

test('a page can be cached for 30 seconds, and shown stale while it is fetched again', async () => {
  for (const path of ['/', '/news', '/rankings', `/topic/${latestNews.id}`]) {
    const { headers } = await site.get(path)
    assert.equal(
      headers.get('cache-control'),
      'public, max-age=0, s-maxage=30, stale-while-revalidate=300, stale-if-error=600',
    )
    const etag = headers.get('etag') ?? ''
    const retry = await site.get(path, { 'If-None-Match': etag })
    assert.equal(retry.status, 304)
    // With a 304, a browser would apply the policy to its older copy, whose scripts may have other hashes.
    assert.equal(retry.headers.get('content-security-policy'), null)
    assert.equal(headers.get('set-cookie'), null)
  }
})

/** Removes the data for the page's own scripts, which contains the time of rendering, from a document. */
const removeHandoff = (html: string) =>
  html.replace(/<script type="application\/json" id="handoff">[\s\S]*?<\/script>/, '')

test('a page is the same for every visitor', async () => {
  for (const path of ['/', '/rankings', '/user']) {
    site.cache.clear()
    const guest = await site.get(path)
    site.cache.clear()
    const player = await site.get(path, {
      Authorization: 'Bearer 0123456789abcdef0123456789abcdef',
      Cookie: 'ACCESS_TOKEN=abc; session=1',
      'Accept-Language': 'fil',
      'User-Agent': 'Googlebot/2.1',
      Host: 'evil.example',
      'X-Forwarded-Host': 'evil.example',
    })
    assert.equal(removeHandoff(player.text), removeHandoff(guest.text), path)
    assert.doesNotMatch(player.text, /evil\.example/)
  }
})

test('the security policy of a page allows exactly its inline scripts', async () => {
  for (const path of [...PAGES, '/nothing']) {
    const { headers, text } = await site.get(path)
    const policy = headers.get('content-security-policy') ?? ''
    const sources = /script-src ([^;]*)/.exec(policy)?.[1] ?? ''
    assert.match(sources, /^'self'( 'sha256-[\w+/=]+')+$/, path)
    assert.match(policy, /frame-ancestors 'none'/)
    assert.equal(headers.get('x-script-hashes'), null)
    const inlineScripts = [...text.matchAll(/<script((?![^>]*\ssrc=)[^>]*)>([\s\S]*?)<\/script>/g)]
    assert.ok(inlineScripts.length > 0)
    for (const [, attributes = '', body = ''] of inlineScripts) {
      if (/type="application\/(ld\+)?json"/.test(attributes)) continue
      const hash = createHash('sha256').update(body).digest('base64')
      assert.ok(sources.includes(`'sha256-${hash}'`), `${path}: ${body.slice(0, 60)}`)
    }
    assert.doesNotMatch(text, /<[a-z]+\s[^>]*\son[a-z]+="/i, path)
    assert.doesNotMatch(text, / nonce="/, path)
  }
})

test('a news item’s page has its subject, author, text and picture under each of its addresses', async () => {
  const item = (await site.get('/api/getnewsall/0/50/0/0'))
    .json()
    .data.find(
      (candidate: { IsShowThumbnail: number; created_at: string | null }) =>
        candidate.IsShowThumbnail === 1 && candidate.created_at,
    )
  const pages = await Promise.all(
    [`/news?topic=${item.id}`, `/topic/${item.id}`, `/news/${item.id}`].map((path) => site.get(path)),
  )
  for (const { text } of pages) {
    const { titles, canonical, getMeta } = readHead(text)
    assert.deepEqual(titles, [`${item.subject} | ${APP}`])
    assert.deepEqual(canonical, [`${SITE_ADDRESS}/news?topic=${item.id}`])
    assert.equal(getMeta('og:type'), 'article')
    assert.match(getMeta('og:image') ?? '', new RegExp(`/share/news/${item.id}[.]jpg[?]v=`))
    const json = /<script type="application\/ld\+json"[^>]*>([\s\S]*?)<\/script>/.exec(text)?.[1] ?? ''
    assert.partialDeepStrictEqual(JSON.parse(json), {
      '@type': 'NewsArticle',
      headline: item.subject,
      datePublished: item.created_at,
      author: { name: item.author },
    })
    assert.ok(text.includes(item.content.trim().split('\n')[0]), 'content')
  }
})

test('the home and news pages show the newest item before any script runs', async () => {
  for (const path of ['/', '/news']) {
    assert.ok(toPlainText((await site.get(path)).text).includes(latestNews.subject), path)
  }
})

test('the home and rankings pages show the leader of the level board before any script runs', async () => {
  const { toplevel } = (await site.get('/api/get-top-rankings-list')).json()
  for (const path of ['/', '/rankings']) assert.ok((await site.get(path)).text.includes(toplevel[0].ChaName), path)
})

test('accepts an address with a slash at its end and in any letter case', async () => {
  const plainHead = readHead((await site.get('/rankings')).text)
  for (const path of ['/rankings/', '/RANKINGS', '/Rankings/', '/rankings?utm_source=x']) {
    const { status, text } = await site.get(path)
    assert.equal(status, 200, path)
    const { titles, canonical } = readHead(text)
    assert.deepEqual({ titles, canonical }, { titles: plainHead.titles, canonical: plainHead.canonical }, path)
  }
  assert.equal((await site.get(`/TOPIC/${latestNews.id}/`)).status, 200)
  assert.equal((await site.get('/Register')).status, 200)
})

test('all notations of an address share one cached page; unknown paths share one document', async () => {
  const groups = [
    ['/rankings', '/rankings/', '/rankings///', '/RANKINGS', '/Rankings//?q=1', '/rankings?utm_source=x', '/rankings?'],
    ['/', '/?q=1', '/?q=2', '/?made=up&parameters', '//', '/?'],
    [`/topic/${latestNews.id}`, `/TOPIC/${latestNews.id}/`, `/topic/${latestNews.id}?q=1`],
    ['/nothing', '/nothing/else', '/NOTHING?q=1', '/index.php', '/.env', '/%'],
  ]
  for (const [firstPath = '', ...otherPaths] of groups) {
    site.cache.clear()
    await site.get(firstPath)
    const { entries } = site.cache.getSize()
    for (const path of otherPaths) await site.get(path)
    assert.equal(site.cache.getSize().entries, entries, firstPath)
  }
})

test('renders a few of many concurrent pages, lets some wait, and answers 503 to the rest', async () => {
  site.cache.clear()
  const requests = Array.from({ length: 120 }, (_, index) =>
    site.get(`/topic/${10_000 + index}`, { Accept: 'text/html' }),
  )
  const answers = await Promise.all(requests)
  const refusals = answers.filter(({ status }) => status === 503)
  assert.ok(refusals.length > 0 && refusals.length < 120, `${refusals.length} refused`)
  assert.ok(answers.every(({ status }) => status === 404 || status === 503))
  for (const { headers, text } of refusals) {
    assert.match(String(headers.get('retry-after')), /^[1-9]/)
    assert.equal(headers.get('cache-control'), 'no-store')
    assert.match(text, /^<!DOCTYPE html>.*<h1>The site is very busy right now/s)
  }
  assert.equal((await site.get('/topic/10119')).status, 404, 'the queue has space again')
})

test('answers an unknown path with a 404 document that search engines do not list', async () => {
  for (const path of [
    '/nothing',
    '/news/1/2',
    '/forum/150',
    ...[
      '/itemshop/abc',
      '/itemshop/1.5',
      '/itemshop/-1',
      '/itemshop/999999999999',
      '/capsuleshop/abc',
      '/capsuleshop/0',
    ],
    ...['/character/abc', '/rankings/tournament/abc'],
    '/index.php',
    '/.env',
    '/topic',
    '/assets/gone.js',
    '/%',
    '/%00',
  ]) {
    const { status, headers, text } = await site.get(path)
    assert.equal(status, 404, path)
    assert.match(String(headers.get('content-type')), /^text\/html/, path)
    assert.deepEqual(readHead(text).titles, [`404 NOT FOUND | ${APP}`], path)
    assert.match(text, /404 NOT FOUND/)
    assert.equal(readHead(text).getMeta('robots'), 'noindex', path)
    const retry = await site.get(path, { 'If-None-Match': headers.get('etag') ?? '*' })
    assert.equal(retry.status, 404, path)
  }
})

test('answers repeated slashes without an error and without a redirect to another site', async () => {
  const get = await listenOnPort(site)
  for (const path of ['//evil.example', '//evil.example/news', '//%2f..', '///evil.example']) {
    const { status, headers } = await get(path)
    assert.deepEqual({ status, location: headers.location }, { status: 404, location: undefined }, path)
  }
  for (const path of ['//', '///', '/./', '/.//']) {
    const { status, headers, body } = await get(path)
    assert.deepEqual({ status, location: headers.location }, { status: 200, location: undefined }, path)
    assert.deepEqual(readHead(body.toString()).canonical, [`${SITE_ADDRESS}/`], path)
  }
})

test('answers an unknown, hidden or malformed topic with a 404 document', async () => {
  const hiddenNews = await insertNews(site.db, { published: false })
  for (const path of [
    '/news?topic=999999',
    '/topic/999999',
    '/topic/abc',
    '/topic/0',
    `/topic/${hiddenNews}`,
    '/topic/99999999999999',
  ]) {
    const { status, text } = await site.get(path)
    assert.equal(status, 404, path)
    assert.match(text, /No news data available\./, path)
  }
})

test('answers a page past the end of a news board and invalid filters without an error', async () => {
  for (const path of ['/news?board=all&page=999', '/news?page=x', '/news?board=nothing&page=-1', '/news?category=9']) {
    assert.equal((await site.get(path)).status, 200, path)
  }
})

test('answers a month that was never ranked without an error', async () => {
  assert.equal((await site.get('/rankings?period=1999-01')).status, 404)
  assert.ok((await site.get('/rankings?period=nonsense')).status < 500)
})

test('refuses a page that is requested with another method or as data', async () => {
  for (const method of ['POST', 'PUT', 'DELETE'])
    assert.equal((await site.send('/news', { method })).status, 404, method)
  assert.equal((await site.get('/news.data')).status, 404)
  assert.equal((await site.get('/_root.data')).status, 404)
})

test('answers HEAD with the headers of a page and no body', async () => {
  const headAnswer = await site.send('/', { method: 'HEAD' })
  assert.deepEqual({ status: headAnswer.status, text: headAnswer.text }, { status: 200, text: '' })
  assert.equal(headAnswer.headers.get('etag'), (await site.get('/')).headers.get('etag'))
})

test('without the database, answers with the uncached error page and 503', async () => {
  for (const path of ['/', '/news', '/rankings', `/topic/${latestNews.id}`]) {
    const { status, headers, text } = await offlineSite.get(path)
    assert.equal(status, 503, path)
    assert.match(String(headers.get('retry-after')), /^[1-9]/)
    assert.equal(headers.get('cache-control'), 'no-store')
    assert.match(text, /Unable to process your request!/)
    assert.match(text, /An error has occurred due to a temporary system issue\./)
    for (const button of ['Go Back', 'Support', 'Homepage']) assert.ok(text.includes(button), button)
    assert.match(readHead(text).titles.join(), / \| Tambayan Online$/)
    assert.doesNotMatch(text, /ECONNREFUSED|127\.0\.0\.1|node_modules|server\/|at [\w.]+ \(/)
    assert.match(String(headers.get('content-security-policy')), /script-src 'self'/)
  }
  assert.equal(offlineSite.cache.getSize().entries, 0)
})

test('without the database, serves cached pages and calls even after a change, but no others', async () => {
  const pools = { calls: offlineSite.db, browsing: offlineSite.browseDb }
  const metrics = createMetrics({ ...site, pools })
  const deps = { ...site, db: offlineSite.db, browseDb: offlineSite.browseDb, metrics }
  const offlineApp = createApp(deps, await loadPages(deps))
  const paths = ['/', '/news', '/api/getnewsall/0/8/1/0', '/sitemap.xml', '/feed.xml']
  const texts = new Map<string, string>()
  for (const path of paths) texts.set(path, (await site.get(path)).text)
  site.cache.clear()
  site.clock.advance(11 * 60_000)
  for (const path of paths) {
    const answer = await offlineApp.request(path)
    assert.deepEqual([answer.status, answer.headers.get('age')], [200, '660'], path)
    assert.equal(await answer.text(), texts.get(path), path)
  }
  assert.equal((await offlineApp.request('/topic/77')).status, 503)
})

test('sends built files compressed and cacheable permanently, and drawings cacheable for a day', async () => {
  const { text } = await site.get('/')
  const script = /src="(\/assets\/[^"]+\.js)"|href="(\/assets\/[^"]+\.js)"/.exec(text)
  const path = script?.[1] ?? script?.[2] ?? ''
  const asset = await site.get(path, { 'Accept-Encoding': 'br' })
  assert.equal(asset.status, 200)
  assert.equal(asset.headers.get('cache-control'), 'public, max-age=31536000, immutable')
  assert.equal(asset.headers.get('content-encoding'), 'br')
  assert.match(String(asset.headers.get('content-type')), /javascript/)
  assert.equal(asset.headers.get('x-content-type-options'), 'nosniff')
  const drawing = await site.get('/art/banner-1.svg')
  assert.equal(drawing.status, 200)
  assert.match(String(drawing.headers.get('cache-control')), /max-age=86400/)
  const etag = drawing.headers.get('etag') ?? ''
  assert.equal((await site.get('/art/banner-1.svg', { 'If-None-Match': etag })).status, 304)
  const film = await site.get('/movies/last-trip-home.mp4')
  assert.equal(
    (await site.get('/movies/last-trip-home.mp4', { 'If-None-Match': film.headers.get('etag') ?? '' })).status,
    304,
  )
  for (const outsidePath of [
    '/assets/../../package.json',
    '/assets/%2e%2e/%2e%2e/package.json',
    '/art/..%2f..%2fstamp',
  ]) {
    assert.equal((await site.get(outsidePath)).status, 404, outsidePath)
  }
})

test('a rendering leaves no pending timer', async () => {
  const countTimers = () => process.getActiveResourcesInfo().filter((resource) => resource === 'Timeout').length
  await site.get('/nothing-yet')
  const timersBefore = countTimers()
  for (let count = 0; count < 5; count++) await site.get(`/nothing-${count}`)
  assert.equal(countTimers(), timersBefore)
})

test('answers every address below /admin with one uncached, unlisted document', async () => {
  const answer = await site.get('/admin')
  assert.equal(answer.status, 200)
  assert.equal(answer.headers.get('Cache-Control'), 'no-store')
  const policy = answer.headers.get('Content-Security-Policy') ?? ''
  assert.match(policy, /script-src 'self';/)
  const html = answer.text
  assert.match(html, /<title>Desk \| Tambayan Online<\/title>/)
  assert.match(html, /<meta name="robots" content="noindex">/)
  assert.doesNotMatch(html, /<script>|<style/)
  for (const address of ['/admin/', '/Admin/players/7?tab=orders']) assert.equal((await site.get(address)).text, html)
  assert.equal((await site.get('/administrators')).status, 404)
  const [script = ''] = html.match(/\/desk-assets\/[\w-]+\.js/) ?? []
  const file = await site.get(script)
  assert.equal(file.headers.get('Cache-Control'), 'public, max-age=31536000, immutable')
})

test('loads no file of the desk on the site’s pages, and no file of the pages at the desk', async () => {
  assert.doesNotMatch((await site.get('/')).text, /desk-assets/)
  assert.doesNotMatch((await site.get('/admin')).text, /"\/assets\//)
})
