import assert from 'node:assert/strict'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import sharp from 'sharp'
import { SHARE_PICTURE_MAX_BYTES, SHARED_KINDS } from '#contract/sharing.ts'
import { ROUTES } from '#test/e2e/routes.ts'
import { insertRows, updateRows } from '#test/factories.ts'
import { createTestApp, listenOnPort } from '#test/helpers.ts'
import type { Page } from '#web/api/page.ts'
import { getPageAt, PAGES } from '#web/pages.ts'
import { readCard } from './cards.ts'
import { createPictureJob } from './jobs.ts'
import { createSharePictures } from './pictures.ts'

const site = await createTestApp({ pages: true, env: { RATE_LIMIT: 'off' } })
const request = await listenOnPort(site)
const { db } = site

const readTag = (text: string, property: string) =>
  new RegExp(`<meta property="${property}" content="([^"]*)"`).exec(text)?.[1]?.replaceAll('&amp;', '&')

/** Fails unless the page's picture for shared links is a JPEG with the size of its tags. */
async function assertPicture(path: string): Promise<string> {
  const { status, text } = await site.get(path)
  assert.equal(status, 200, path)
  const image = readTag(text, 'og:image') ?? ''
  assert.match(image, /^https:\/\/play\.example\.ph\//, path)
  assert.equal(readTag(text, 'og:locale'), 'en_US', path)
  assert.notEqual(readTag(text, 'og:image:alt') ?? '', '', path)
  const address = image.replace('https://play.example.ph', '')
  const { status: pictureStatus, headers, body } = await request(address)
  assert.equal(pictureStatus, 200, `${path}: ${address}`)
  assert.equal(headers['content-type'], readTag(text, 'og:image:type'), path)
  assert.ok(body.length < SHARE_PICTURE_MAX_BYTES, `${path}: ${body.length}`)
  const { width, height, format } = await sharp(body).metadata()
  assert.deepEqual(
    [format, String(width), String(height)],
    ['jpeg', readTag(text, 'og:image:width'), readTag(text, 'og:image:height')],
    path,
  )
  return address
}

/** The addresses of pages in states that the page tests do not cover. */
const EXTRA_PATHS = ['/topic/46', '/news/46', '/gallery?picture=1', '/characters?class=archer', '/rankings?period=LAST']

test('every public page has a picture for shared links, with its size, type and text', async () => {
  const { period } = await db
    .selectFrom('ranking_periods')
    .where('closed_at', 'is not', null)
    .select('period')
    .orderBy('period', 'desc')
    .executeTakeFirstOrThrow()
  const paths = [...ROUTES.map(([path]) => path), ...EXTRA_PATHS].map((path) => path.replace('LAST', period))
  const isPublic = ({ access, listing }: Page) => access === 'all' && listing !== 'noindex'
  const publicPaths = paths.filter((path) => isPublic(getPageAt(path.split('?')[0] ?? '').page))
  const testedPages = new Set(publicPaths.map((path) => getPageAt(path.split('?')[0] ?? '').page))
  const untestedPages = PAGES.filter((page) => isPublic(page) && !testedPages.has(page)).map(({ path }) => path)
  // The demo world has no free page, so the test creates one.
  assert.deepEqual(untestedPages, ['/page/:name'])
  const addresses: string[] = []
  for (const path of publicPaths) addresses.push(await assertPicture(path))
  for (const kind of SHARED_KINDS)
    assert.ok(
      addresses.some((address) => address.startsWith(`/share/${kind}/`)),
      `no page has a picture of the kind ${kind}`,
    )
})

test('begins to draw the picture of a page when its document is requested', async () => {
  const folder = join(site.config.dataDir, 'pictures')
  await rm(folder, { recursive: true, force: true })
  site.cache.clear()
  const address = readTag((await site.get('/club/1')).text, 'og:image')?.replace('https://play.example.ph', '') ?? ''
  const name = `${new URL(address, 'http://test.local').searchParams.get('v')}.jpg`
  const deadline = Date.now() + 10_000
  while (!(await readdir(folder).catch((): string[] => [])).includes(name)) {
    assert.ok(Date.now() < deadline, 'the picture was not drawn')
    await setTimeout(20)
  }
})

test('the job draws pictures of news, events, clubs and ranked characters in advance', async () => {
  const folder = join(site.config.dataDir, 'pictures')
  const pictures = createSharePictures(site)
  const news = await db.selectFrom('news').where('published', '=', true).select('id').orderBy('id', 'desc').execute()
  const pictureNames: string[] = []
  for (const address of [
    `/share/news/${news.at(0)?.id}.jpg`,
    '/share/event/1.jpg',
    '/share/wars/0.jpg',
    '/share/club/1.jpg',
    '/character/1.jpg',
  ]) {
    const drawing = await pictures.find(address).catch(() => null)
    if (drawing !== null) pictureNames.push(`${drawing.version}.jpg`)
  }
  assert.ok(pictureNames.length >= 4)
  await rm(folder, { recursive: true, force: true })
  const work = createPictureJob(site)
  const signal = AbortSignal.timeout(60_000)
  const isDrawn = async () => {
    const names = await readdir(folder).catch((): string[] => [])
    return pictureNames.every((name) => names.includes(name))
  }
  while (!(await isDrawn())) {
    assert.ok(!signal.aborted, 'the pictures were not drawn')
    await work(signal)
  }
})

test('a picture’s address changes only with its content', async () => {
  const readAddress = async () => {
    site.cache.clear()
    return readTag((await site.get('/events/1')).text, 'og:image')
  }
  const addressBefore = await readAddress()
  assert.equal(await readAddress(), addressBefore)
  await updateRows(db, 'events', { event: 1 }, { title: 'Bakbakan sa bubong' })
  assert.notEqual(await readAddress(), addressBefore)
})

test('draws nothing for unknown and hidden pages, and for uploads of players', async () => {
  await updateRows(db, 'events', { event: 2 }, { visible: false })
  await insertRows(db, 'files', {
    hash: 'a'.repeat(64),
    content: Buffer.from('x'),
    type: 'image/webp',
    width: 1,
    height: 1,
    of_players: true,
    uploaded_at: site.now(),
  })
  for (const path of [
    ...[
      '/share/news/999999.jpg',
      '/share/event/2.jpg',
      '/share/month/2020-01.jpg',
      '/share/news/2020-01.jpg',
      '/share/month/1.jpg',
      '/share/nothing/1.jpg',
      '/share/club/999.jpg',
    ],
    ...['/art/none.webp', '/movies/../server.ts', 'https://example.com/a.png', `/files/${'a'.repeat(64)}.webp`, ''].map(
      (sharedPath) => `/share/picture.jpg?of=${encodeURIComponent(sharedPath)}`,
    ),
  ])
    assert.equal((await request(path)).status, 404, path)
})

test('fits a title of any length, also in the square picture of a post', async () => {
  for (const title of [
    'x',
    'W'.repeat(60),
    'Isang gabing mahaba para sa lahat ng barkada sa bubong ng paaralan',
    '한글 🎉',
  ])
    for (const path of ['/share/event/1.jpg', '/share/event/1.jpg?shape=square']) {
      await updateRows(db, 'events', { event: 1 }, { title })
      const { status, body } = await request(path)
      assert.equal(status, 200, title)
      const { width, height } = await sharp(body).metadata()
      assert.deepEqual([width, height], path.endsWith('square') ? [1080, 1080] : [1200, 630])
      assert.ok(body.length < SHARE_PICTURE_MAX_BYTES)
    }
})

test('omits a winner who chose to be left out from the picture of a tournament', async () => {
  const winner = await db
    .selectFrom('tournament_entries as e')
    .innerJoin('tournaments as t', 't.tournament', 'e.tournament')
    .where('t.state', '=', 'finalised')
    .where('e.place', '=', 1)
    .select(['e.tournament', 'e.user_num'])
    .executeTakeFirstOrThrow()
  const readLines = async () => {
    site.cache.clear()
    return (await readCard(site, 'tournament', String(winner.tournament)))?.lines.join() ?? ''
  }
  assert.match(await readLines(), /Won by/)
  await updateRows(db, 'accounts', { user_num: winner.user_num ?? 0 }, { left_out: true })
  assert.doesNotMatch(await readLines(), /Won by/)
  await updateRows(db, 'accounts', { user_num: winner.user_num ?? 0 }, { left_out: false })
})
