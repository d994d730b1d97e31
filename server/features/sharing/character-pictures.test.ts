import assert from 'node:assert/strict'
import { readdir, rm, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, test } from 'node:test'
import sharp from 'sharp'
import { formatRank } from '#contract/characters.ts'
import { ORIGINAL_THEME } from '#contract/theme.ts'
import { loadPen } from '#server/drawn-text.ts'
import { insertAccount, insertCharacter, insertRows, updateRows } from '#test/factories.ts'
import { changeSettings, createTestApp, listenOnPort } from '#test/helpers.ts'
import { waitUntil } from '#test/wait-until.ts'
import { rollOver } from '../rankings/rollover.ts'

const site = await createTestApp({ world: 'empty', pages: true, env: { RATE_LIMIT: 'off' } })
const { db } = site
const request = await listenOnPort(site)
const folder = join(site.config.dataDir, 'pictures')
const owner = await insertAccount(db)
const listCachedPictures = () => readdir(folder).catch(() => [])

beforeEach(async () => {
  await db.deleteFrom('hidden_characters').execute()
  await db.deleteFrom('ranking_periods').execute()
  await db.deleteFrom('characters').execute()
  await rollOver(db, site.now())
  await rm(folder, { recursive: true, force: true })
  site.cache.clear()
})

const addCharacter = (values: Partial<Parameters<typeof insertCharacter>[1]> = {}) =>
  insertCharacter(db, {
    user_num: owner,
    cha_name: 'Bayani',
    cha_level: 90,
    cha_class: '256',
    cha_school: 0,
    ...values,
  })

/** Returns the address of the picture in the document of a character's page. */
async function readPicture(chaNum: number): Promise<string> {
  site.cache.clear()
  const { status, text } = await site.get(`/character/${chaNum}`)
  assert.equal(status, 200)
  const [, path] = /<meta property="og:image" content="https:\/\/play\.example\.ph(\/[^"]+)"/.exec(text) ?? []
  assert.ok(path, 'the page has no picture')
  return path.replaceAll('&amp;', '&')
}

test('a character’s page names a picture for shared links in the size that messengers recommend', async () => {
  const address = await readPicture(await addCharacter())
  const { status, headers, body } = await request(address)
  assert.equal(status, 200)
  assert.equal(headers['content-type'], 'image/jpeg')
  const { width, height, format } = await sharp(body).metadata()
  assert.deepEqual([width, height, format], [1200, 630, 'jpeg'])
  assert.ok(body.length < 300_000, `${body.length}`)

  const cachedResponse = await request(address, { 'If-None-Match': String(headers.etag) })
  assert.deepEqual([cachedResponse.status, cachedResponse.body.length], [304, 0])
})

test('the picture’s address changes only with the name, level, rank, theme or site name', async () => {
  const chaNum = await addCharacter()
  const addresses = [await readPicture(chaNum)]
  assert.equal(await readPicture(chaNum), addresses[0])
  const change = async (makeChange: () => Promise<unknown>) => {
    await makeChange()
    const address = await readPicture(chaNum)
    assert.ok(!addresses.includes(address), makeChange.toString())
    addresses.push(address)
  }
  await change(() => updateRows(db, 'characters', { cha_num: chaNum }, { cha_name: 'Bayani II' }))
  await change(() => updateRows(db, 'characters', { cha_num: chaNum }, { cha_level: 91 }))
  await change(() => addCharacter({ cha_name: 'Better', cha_level: 95 }))
  await change(() => changeSettings(site, { site_name: 'Barkada Online' }))
  const value = JSON.stringify({ ...ORIGINAL_THEME, colors: { ...ORIGINAL_THEME.colors, accent: '#ff9f1f' } })
  await change(() => insertRows(db, 'looks', { value, published_at: site.now(), published_by: 'gm' }))
  // Pictures are drawn one after another, so the queue is empty after the last one. The next test counts drawn pictures.
  const isDrawn = async () => (await request(addresses.at(-1) ?? '')).status !== 503
  await waitUntil('the last picture is drawn', isDrawn, { everyMs: 50 })
})

test('draws a picture once for concurrent requests, and ignores the query of its address', async () => {
  const chaNum = await addCharacter()
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, index) => request(`/character/${chaNum}.jpg?v=${index}&more=${index}`)),
  )
  assert.deepEqual(
    answers.map(({ status }) => status),
    answers.map(() => 200),
  )
  const [name, ...otherNames] = await listCachedPictures()
  assert.ok(name)
  assert.deepEqual(otherNames, [])

  // The next request gets the cached file, whatever its age.
  await utimes(join(folder, name), 0, 0)
  assert.equal((await request(`/character/${chaNum}.jpg`)).status, 200)
  assert.deepEqual(await listCachedPictures(), [name])
})

test('draws no picture for characters without a page and for made-up addresses', async () => {
  const hiddenCharacter = await addCharacter()
  await db
    .insertInto('hidden_characters')
    .values({ cha_num: hiddenCharacter, reason: 'x', hidden_at: site.now() })
    .execute()
  const invalidNames = [
    `${hiddenCharacter}.jpg`,
    '999999.jpg',
    '999999999999999.jpg',
    '0.jpg',
    '01.jpg',
    '-1.jpg',
    '1e3.jpg',
    'x.jpg',
  ]
  for (const name of [...invalidNames, '9999999999999999.jpg', `${hiddenCharacter}.png`, `${hiddenCharacter}.jpg.jpg`])
    assert.equal((await request(`/character/${name}`)).status, 404, name)
  assert.deepEqual(await listCachedPictures(), [])
})

test('draws names of any length and letters, also for unknown classes and schools', async () => {
  for (const cha_name of ['x', 'W'.repeat(60), '<b>&"Ñ</b>', '한글', '', 'Ąžuolas Łódź'])
    assert.equal(
      (await request(`/character/${await addCharacter({ cha_name, cha_class: '7', cha_school: 9 })}.jpg`)).status,
      200,
    )
})

test('describes a rank with its group', () => {
  const describeRank = (ChaClass: string, of: 'all' | 'class' | 'school', board: 'level' | 'mmr') =>
    formatRank({ board, of }, { ChaClass, ChaSchool: 2 })
  assert.equal(describeRank('2', 'class', 'level'), 'of Swordsmen')
  assert.equal(describeRank('8', 'class', 'mmr'), 'of Shamans, MMR')
  assert.equal(describeRank('8', 'school', 'level'), 'of Phoenix')
  assert.equal(describeRank('8', 'all', 'mmr'), 'MMR')
  assert.equal(describeRank('7', 'class', 'level'), 'Level')
})

test('draws text as outlines of the site’s font, including letters of Latin Extended-A', async () => {
  const pen = await loadPen()
  for (const letters of ['Ñandú', 'Łódź', 'ĀĒĪŌŪ', 'šžč', '#1,234']) {
    const { svg, width } = pen.write(letters, 100)
    assert.equal(svg.match(/<path [^>]*d="M[^"]+"/g)?.length, letters.length, letters)
    assert.ok(width > 25 * letters.length && width < 70 * letters.length, `${letters} ${width}`)
    assert.doesNotMatch(svg, /<text/)
  }
  assert.ok(pen.write('AVAV', 100).width < pen.write('AAVV', 100).width, 'letters are kerned')
})
