import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import sharp from 'sharp'
import { DOWNLOAD_TEXTS } from '#contract/downloads.ts'
import { MINUTE_MS } from '#contract/durations.ts'
import { changeSettings, createTestApp } from '#test/helpers.ts'
import { findInnerHtml, findTexts, toPlainText } from '#test/html.ts'

/** Tests the HTML of pages without scripts. test/e2e tests pages in a browser. */
const site = await createTestApp({ pages: true })

const getPart = (html: string, name: string) => findInnerHtml(html, name)[0] ?? ''
const getMain = (html: string) => getPart(html, 'main')
const fetchHtml = async (path: string) => (await site.get(path)).text
/** Returns the addresses of the links in HTML, by their texts. */
const findLinks = (html: string) =>
  new Map(
    [...html.matchAll(/<a [^>]*href="([^"]*)"[^>]*>(.*?)<\/a>/gs)].map(([, href = '', inner = '']) => [
      toPlainText(inner),
      href.replaceAll('&amp;', '&'),
    ]),
  )
/** Returns the address of the first link whose text begins with `text`. */
const findLinkTo = (html: string, text: string) =>
  [...findLinks(html)].find(([name]) => name.startsWith(text))?.[1] ?? ''

test('the main menu has the entries of MENU-2, and the footer those of MENU-4 and SHELL-1', async () => {
  const html = await fetchHtml('/')
  const menu = /<nav[^>]* aria-label="Main menu".*?<\/nav>/s.exec(html)?.[0] ?? ''
  const columns = menu.split(/<li [^>]*data-column="true"/).slice(1)
  assert.deepEqual(
    columns.map((column) => findTexts(column, 'a').map((text) => text.replace(/^\d\d| \(opens in a new tab\)$/g, ''))),
    [
      ['News', 'Focus'],
      ['Guide', 'Story', 'Character', 'Game System'],
      ['Shop', 'Item Shop', 'Top Up R-Coin', 'Shopping Cart', 'Purchase History', 'Top Up History'],
      ['Gallery'],
      ['Overall rankings'],
      ['Download', 'Game Download', 'Wallpaper', 'Movie'],
      ['Support', 'Talk to an Agent', 'Submit Ticket', 'Check My Ticket'],
    ],
  )
  const footer = getPart(html, 'footer')
  assert.deepEqual(
    findInnerHtml(getPart(footer, 'nav'), 'a').map((link) => findTexts(link, 'span')[0]),
    ['Home', 'News', 'Game Guides', 'Item Shop', 'Recharge', 'Forum', 'Download', 'Support'],
  )
  assert.deepEqual(findTexts(footer, 'p').slice(0, 2), ['since 2002', 'Copyright 2009-2010 Tambayan Online'])
  for (const name of ['Operation Policy', 'Privacy Policy', 'Game Cash Agreement', 'Credits'])
    assert.deepEqual(findTexts(getMain(await fetchHtml(findLinkTo(footer, name))), 'h1'), [name])
})

test('the home page has the widget’s filters and three club areas without owner, at 0%', async () => {
  const main = getMain(await fetchHtml('/'))
  const texts = findTexts(main, 'a')
  for (const name of ['all', 'brawler', 'swordsman', 'archer', 'shaman', 'extreme', 'gunner'])
    assert.equal(texts.filter((text) => text === name).length, 1, name)
  assert.ok(!texts.includes('assassin'))
  assert.match(main, /<a [^>]*href="[^"]*school=1[^"]*"[^>]*>(?:(?!<\/a>).)*Mystic Peak/s)
  const areas = findInnerHtml(main, 'table').find((table) => table.includes('Who holds the club areas')) ?? ''
  assert.deepEqual(
    findTexts(areas, 'td'),
    ['Covered Court', 'Old Market', 'Sky Bridge'].flatMap((area) => [area, 'none', '0%']),
  )
})

test('the news page has three boards of four columns and eight rows, of which the first is new', async () => {
  const boards = findInnerHtml(getMain(await fetchHtml('/news')), 'table')
  assert.equal(boards.length, 3)
  for (const board of boards) {
    assert.deepEqual(findTexts(board, 'th'), ['SUBJECT', 'WRITER', 'DATE', 'VIEWS'])
    const rows = findInnerHtml(getPart(board, 'tbody'), 'tr')
    assert.deepEqual(
      rows.map((row) => findTexts(row, 'td').at(-1)),
      Array(8).fill('65'),
    )
    assert.deepEqual(
      rows.map((row) => findTexts(row, 'span').includes('new')),
      [true, ...Array(7).fill(false)],
    )
    const topic = findLinkTo(getPart(board, 'tbody'), '')
    assert.match(topic, /^\/news\?topic=\d+$/)
    assert.match(getMain(await fetchHtml(topic)), /<p>/)
  }
})

test('the rankings have the five tabs and columns of RANK-3, and a hundred rows each', async () => {
  const columns: [string, string, string[]][] = [
    ['', 'Level Ranking', ['Level', 'Time Logged']],
    ['?tab=resu', 'Resu Ranking', ['Level', 'Resu']],
    ['?tab=mmr', 'MMR Ranking', ['MMR']],
    ['?tab=richest', 'Richest Ranking', ['Level', 'Money']],
    ['?tab=killer', 'Killer Ranking', ['Level', 'Kills', 'Deaths']],
  ]
  for (const [query, heading, lastColumns] of columns) {
    const main = getMain(await fetchHtml(`/rankings${query}`))
    assert.deepEqual(findTexts(main, 'h1'), [heading])
    assert.match(main, /Top 100 players in this month\./)
    assert.match(main, /Rankings will be reset every first day of month\./)
    assert.deepEqual(findTexts(main, 'th'), ['Rank', 'Character Name', 'Class', 'School', ...lastColumns])
    assert.equal(findInnerHtml(getPart(main, 'tbody'), 'tr').length, 100)
    assert.equal(findLinkTo(main, heading.split(' ')[0] ?? ''), `/rankings${query}`)
  }
})

test('numbers a filtered board from 1, marks its filters, and offers only two classes for Resu', async () => {
  const main = getMain(await fetchHtml('/rankings?school=2&class=archer'))
  const ranks = findInnerHtml(getPart(main, 'tbody'), 'tr').map((row) => findTexts(row, 'td')[0])
  assert.ok(ranks.length > 2 && ranks.length < 100)
  assert.deepEqual(
    ranks,
    ranks.map((_, index) => String(index + 1)),
  )
  const markedTexts = [...main.matchAll(/<a [^>]*aria-current="true"[^>]*>(.*?)<\/a>/gs)].map(([, inner = '']) =>
    toPlainText(inner),
  )
  for (const choice of ['Phoenix', 'archer']) assert.ok(markedTexts.includes(choice), choice)
  const resu = getMain(await fetchHtml('/rankings?tab=resu'))
  const classLinks = /<nav[^>]* aria-label="Class".*?<\/nav>/s.exec(resu)?.[0] ?? ''
  assert.deepEqual(findTexts(classLinks, 'a'), ['All', 'shaman', 'extreme'])
})

test('links the club ranking to clubs, a club to its members, and a member to its club (CLUB-2, CLUB-3)', async () => {
  const ranking = getMain(await fetchHtml('/rankings/club'))
  const rows = findInnerHtml(getPart(ranking, 'tbody'), 'tr')
  assert.equal(rows.length, 12)
  const firstRowLinks = findLinks(rows[0] ?? '')
  assert.equal(firstRowLinks.get('Bukang Liwayway'), '/club/1')
  const html = await fetchHtml('/club/1')
  assert.match(getPart(html, 'title'), /^Bukang Liwayway \|/)
  assert.match(toPlainText(getMain(html)), /AllianceBukang Liwayway Leader/)
  assert.equal(findLinks(getMain(html)).get('Huling Biyahe'), '/club/8')
  const member = findLinks(getMain(html)).get('JuanTamad')
  const page = getMain(await fetchHtml(member ?? ''))
  assert.match(toPlainText(page), /Member of Bukang Liwayway/)
  assert.equal(findLinks(page).get('Bukang Liwayway'), '/club/1')
})

test('shows the panel of every class at its address, including classes without a tab', async () => {
  const findTabs = (html: string) => /<nav aria-label="Classes".*?<\/nav>/s.exec(html)?.[0] ?? ''
  const TABS = ['Brawler', 'Archer', 'Sword', 'Shaman', 'Extreme', 'Scientist', 'Assassin']
  for (const [key, name, tab] of [
    ['gunner', 'Scientist', 'Scientist'],
    ['magician', 'Magician'],
    ['shaper', 'Shaper'],
    ['conductor', 'Conductor'],
    ['nobody', 'Brawler', 'Brawler'],
  ]) {
    const html = await fetchHtml(`/characters?class=${key}`)
    const shownClasses = findTexts(getMain(html), 'h3').filter((text) =>
      [...TABS, 'Magician', 'Shaper', 'Conductor'].includes(text),
    )
    assert.deepEqual(shownClasses, [name])
    assert.deepEqual(findTexts(findTabs(html), 'a'), TABS)
    const markedTexts = [...findTabs(html).matchAll(/<a [^>]*aria-current="page".*?<\/a>/gs)].map(([link]) =>
      toPlainText(link),
    )
    assert.deepEqual(markedTexts, tab === undefined ? [] : [tab])
    assert.match(html, /<title>Character \| Tambayan Online<\/title>/)
    if (key === 'nobody') continue
    assert.ok(html.includes(`property="og:title" content="${name}: class guide"`))
    assert.match(html, new RegExp(`rel="canonical" href="[^"]*/characters\\?class=${key}"`))
  }
  assert.equal(findLinkTo(findTabs(await fetchHtml('/characters')), 'Scientist'), '/characters?class=gunner')
})

test('serves the search without scripts, as a form with tabs and hits as links', async () => {
  assert.equal(findLinkTo(getPart(await fetchHtml('/'), 'header'), 'Search'), '/search')
  const html = await fetchHtml('/search?q=rooftop')
  assert.match(html, /<meta name="robots" content="noindex"/)
  const main = getMain(html)
  assert.match(main, /<form [^>]*role="search" action="\/search"(?:(?!<\/form>).)*<input [^>]*name="q"/s)
  assert.match(getPart(main, 'mark'), /rooftop/i)
  const items = findLinkTo(main, 'Items')
  assert.equal(items, '/search?q=rooftop&kind=items')
  const item = findLinkTo(getMain(await fetchHtml(items)), 'Rooftop kick scooter')
  assert.deepEqual(findTexts(getMain(await fetchHtml(item)), 'h1'), ['Rooftop kick scooter'])
  const emptyResults = getMain(await fetchHtml('/search?q=nothingatall'))
  assert.match(toPlainText(emptyResults), /Nothing found for “nothingatall”/)
  assert.notEqual(findLinkTo(emptyResults, 'how to start'), '')
})

test('serves a readable bracket without scripts', async () => {
  const bracket = getMain(await fetchHtml('/rankings/tournament/2'))
  assert.ok([...findTexts(bracket, 'h2'), ...findTexts(bracket, 'h3')].includes('Semi-finals'))
  assert.ok(findTexts(bracket, 'p').includes('Walkover'))
})

test('links the login page to the account search and the registration', async () => {
  const main = getMain(await fetchHtml('/login'))
  assert.equal(findLinkTo(main, 'Forget your ID or Password'), '/findaccount')
  assert.equal(findLinkTo(main, 'Sign up'), '/register')
})

test('the error page has its text and its three buttons', async () => {
  const main = getMain(await fetchHtml('/error'))
  assert.match(
    toPlainText(main),
    /We are very sorry for the inconvenience! An error has occurred due to a temporary system issue\. If this problem continues, please report it to our support section for a faster response\./,
  )
  const links = [...main.matchAll(/<a [^>]*href="([^"]*)"[^>]*>(.*?)<\/a>/gs)].map(([, href, inner = '']) => [
    toPlainText(inner),
    href,
  ])
  assert.ok(links.some(([text]) => text === 'Go Back'))
  assert.ok(links.some(([text, href]) => text === 'Support' && href === '/ticket'))
  assert.ok(links.some(([text, href]) => text === 'Homepage' && href === '/'))
})

test('shows the agent’s link and the social link, which open new tabs', async () => {
  const page = getMain((await site.get('/socials')).text)
  for (const address of ['https://example.com/agent', 'https://example.com/barkada']) {
    assert.match(page, new RegExp(`<a href="${address}"[^>]* target="_blank" rel="noopener"`))
  }
  assert.match(page, /href="\/feed\.xml"/)
})

test('shows no agent or social link without an address, and offers alternatives', async () => {
  const otherSite = await createTestApp({
    pages: true,
    database: site.database,
    config: { agentUrl: undefined, socialUrl: undefined },
  })
  const page = getMain((await otherSite.get('/socials')).text)
  assert.doesNotMatch(page, /Talk to an Agent|Join the barkada/)
  assert.match(page, /No page and no messenger yet/)
  assert.match(page, /href="\/feed\.xml"/)
  assert.match(page, /href="\/ticket"/)
})

test('shows only the social link if the agent has no address', async () => {
  const otherSite = await createTestApp({ pages: true, database: site.database, config: { agentUrl: undefined } })
  const page = getMain((await otherSite.get('/socials')).text)
  assert.doesNotMatch(page, /Talk to an Agent|No page and no messenger/)
  assert.match(page, /Join the barkada/)
})

test('includes maintenance and the announcement in the HTML of every page until they end', async () => {
  const createTime = (ms: number) => new Date(site.now().getTime() + ms).toISOString()
  const readBars = async (path: string) =>
    /<div id="notices">(?:<style>.*?<\/style><section(.*?)<\/section>)?<\/div>/s.exec(
      (await site.get(path)).text,
    )?.[1] ?? ''
  assert.equal(await readBars('/'), '')
  await changeSettings(site, {
    maintenance: {
      from: createTime(90 * MINUTE_MS),
      until: createTime(150 * MINUTE_MS),
      message: 'A <larger> disk.',
      allowed: [],
    },
    announcement_text: 'Club war on Saturday',
    announcement_link: '/news',
    announcement_until: createTime(30 * MINUTE_MS),
  })
  for (const path of ['/', '/itemshop', '/nowhere']) {
    const bars = await readBars(path)
    assert.match(bars, /Maintenance starts in 1 hour 30 minutes/, path)
    assert.match(bars, /A &lt;larger&gt; disk\./)
    assert.match(bars, /<a href="\/news">Club war on Saturday<\/a>/)
  }
  site.clock.advance(100 * MINUTE_MS)
  const bars = await readBars('/')
  assert.match(bars, /Maintenance: back in 50 minutes/)
  assert.doesNotMatch(bars, /Club war/)
  site.clock.advance(60 * MINUTE_MS)
  assert.equal(await readBars('/'), '')
})

test('opens a gallery picture at its address, with a link to the next one', async () => {
  const gallery = getMain(await fetchHtml('/gallery'))
  assert.match(gallery, /href="\/gallery\?picture=2"/)
  assert.doesNotMatch(gallery, /<dialog[^>]* open/)
  const openedPage = await fetchHtml('/gallery?picture=2')
  assert.match(openedPage, /<dialog[^>]* open[^>]*>.*<img/s)
  assert.equal(findLinkTo(openedPage, 'Next picture'), '/gallery?picture=3')
  assert.equal(findLinkTo(openedPage, 'Close'), '/gallery')
})

test('offers each wallpaper as a file of the size that its link names', async () => {
  const main = getMain(await fetchHtml('/wallpaper'))
  const links = [...main.matchAll(/<a [^>]*download="([^"]*)"[^>]*>(.*?)<\/a>/gs)]
  assert.equal(links.length, 15)
  for (const [link, name = '', inner = ''] of links) {
    const text = toPlainText(inner)
    const [, width, height] = /(\d+)×(\d+)/.exec(text) ?? []
    const path = /href="([^"]*)"/.exec(link)?.[1] ?? ''
    const picture = sharp(join(import.meta.dirname, 'public', path))
    const { width: realWidth, height: realHeight } = await picture.metadata()
    assert.deepEqual([realWidth, realHeight], [Number(width), Number(height)], name)
    assert.match(name, new RegExp(`^tambayan-[a-z-]+-${width}x${height}\\.jpg$`))
    const { headers } = await site.get(path)
    assert.ok(text.includes(`${Math.round(Number(headers.get('content-length')) / 1000)} kB`), text)
  }
})

test('has four download links in new tabs, both guides and the table of requirements', async () => {
  const main = getMain(await fetchHtml('/downloads'))
  assert.deepEqual(findTexts(main, 'h1'), ['Full Client Download'])
  assert.ok(toPlainText(main).includes('Please choose one of the download links.'))
  const links = main.slice(main.indexOf('aria-label="Download links"'), main.indexOf('<table'))
  const externalLinks = [...links.matchAll(/<a [^>]*target="_blank".*?<\/a>/gs)].filter(([link]) =>
    link.includes('<svg'),
  )
  assert.equal(externalLinks.length, 4)
  assert.equal(findLinkTo(main, 'Full game guide'), '/instructions')
  assert.equal(findLinkTo(main, 'Quick game guide'), '/characters')
  const rows = findInnerHtml(findInnerHtml(main, 'table')[0] ?? '', 'tr').map((row) =>
    [...row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/gs)].map(([, cell = '']) => toPlainText(cell)),
  )
  assert.deepEqual(rows, [[...DOWNLOAD_TEXTS.columns], ...DOWNLOAD_TEXTS.rows.map((row) => [...row])])
  assert.ok(toPlainText(main).includes('The specs are for one client. Multiple clients may lower performance.'))
})

test('shows the whole guide and the popup of a region at its address', async () => {
  const main = getMain(await fetchHtml('/instructions'))
  assert.equal(findInnerHtml(main, 'summary').length >= 9, true)
  assert.doesNotMatch(main, /<dialog[^>]* open/)
  assert.match(main, /<a [^>]*href="\/instructions\?part=map"/)
  const openedPage = await fetchHtml('/instructions?part=map')
  const popup = /<dialog[^>]* open.*?<\/dialog>/s.exec(openedPage)?.[0] ?? ''
  assert.ok(toPlainText(popup).includes('Stairs or a door to another map.'))
  assert.equal(findLinkTo(popup, 'Close'), '/instructions')
})

test('repeats the lines of the server sheet as a table', async () => {
  const main = getMain(await fetchHtml('/serverinfo'))
  const rows = findInnerHtml(main, 'th').map(toPlainText)
  for (const line of ['Experience', 'Level cap', 'Maintenance', 'Club war', 'Season and rankings', 'Regional channel'])
    assert.ok(rows.includes(line), line)
  assert.ok(toPlainText(main).includes('These are the values of the demo server'))
})

test('links the home page to the first steps, and each step to its pages', async () => {
  assert.match(await fetchHtml('/'), /href="\/characters"/)
  const main = getMain(await fetchHtml('/characters'))
  assert.ok(findTexts(main, 'h1').concat(findTexts(main, 'h2')).includes('Quick guide for beginners'))
  const steps = findInnerHtml(main, 'ol').find((list) => list.includes('Your first hour')) ?? ''
  for (const path of ['/register', '/downloads', '/story', '/serverinfo', '/instructions', '/gamesystem'])
    assert.equal([...steps.matchAll(new RegExp(`href="${path}"`, 'g'))].length, 1, path)
})

test('shows the columns and divisions of the running season, and the seasons of its characters', async () => {
  const main = getMain(await fetchHtml('/rankings/season'))
  const columns = ['Rank', 'Character Name', 'Class', 'School', 'Level', 'Levels gained', 'Division']
  assert.deepEqual(findTexts(getPart(main, 'thead'), 'th'), columns)
  assert.match(toPlainText(main), /Bituin the best 1%/)
  const mmr = getMain(await fetchHtml(findLinkTo(main, 'MMR')))
  assert.equal(findTexts(getPart(mmr, 'thead'), 'th')[5], 'Points')
  const [[name, path] = ['', '']] = findLinks(findInnerHtml(getPart(mmr, 'tbody'), 'tr')[0] ?? '')
  const character = getMain(await fetchHtml(path))
  assert.deepEqual(findTexts(character, 'h1'), [name])
  const headings = ['h2', 'h3'].flatMap((level) => findTexts(character, level))
  for (const heading of ['Season of Lanterns', 'Season of Rains', 'Seasons and months'])
    assert.ok(headings.includes(heading), heading)
})

test('links final seasons and the boards of all time', async () => {
  const main = getMain(await fetchHtml('/rankings/season'))
  const season = getMain(await fetchHtml(findLinkTo(main, 'Season of Rains')))
  assert.deepEqual(findTexts(season, 'h1'), ['Season of Rains'])
  assert.match(toPlainText(season), /, final\./)
  const total = [...findLinks(season)].find(([, path]) => path.startsWith('/rankings/total'))?.[1] ?? ''
  assert.ok(toPlainText(getMain(await fetchHtml(total))).includes('These boards are never reset.'))
})

test('serves a 404 document for an unknown character', async () => {
  const { status, text } = await site.get('/character/999999')
  assert.deepEqual([status, findTexts(getMain(text), 'h1')], [404, ['404 NOT FOUND']])
})
