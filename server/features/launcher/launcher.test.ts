import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HOUR_MS } from '#contract/durations.ts'
import { launcherSchema } from '#contract/launcher.ts'
import { insertNews } from '#test/factories.ts'
import { changeSettings, createTestApp } from '#test/helpers.ts'

const site = await createTestApp({ pages: true })
const { db, clock } = site
const PAGE_MAX_BYTES = 20_000

async function readPath(path: string) {
  site.cache.clear()
  return site.get(path)
}
const readJson = async () => launcherSchema.parse((await readPath('/launcher.json')).json())

test('returns the state, the next event, three news items and the published downloads', async () => {
  const { name, site: address, state, players, maintenance, event, news, downloads } = await readJson()
  assert.deepEqual([state, players, maintenance], ['unknown', null, null])
  assert.equal(address, site.publicUrl)
  assert.ok(name !== '' && event !== null && news.length === 3 && downloads.length > 0)
  for (const link of [event.address, ...news.map((entry) => entry.address), ...downloads.map((entry) => entry.address)])
    assert.match(link, /^https?:\/\//)
  await db.updateTable('downloads').set({ visible: false }).execute()
  assert.deepEqual((await readJson()).downloads, [])
  await db.updateTable('downloads').set({ visible: true }).execute()
})

test('reports running maintenance, and announces the next one before it starts', async () => {
  const hoursFromNow = (hours: number) => new Date(clock.now().getTime() + hours * HOUR_MS).toISOString()
  await changeSettings(site, {
    maintenance: { from: hoursFromNow(2), until: hoursFromNow(4), message: 'A new patch', allowed: [] },
  })
  const launcher = await readJson()
  assert.equal(launcher.state, 'unknown')
  assert.deepEqual(launcher.maintenance, { from: hoursFromNow(2), until: hoursFromNow(4), text: 'A new patch' })
  assert.match((await readPath('/launcher')).text, /<b>Next maintenance:<\/b> .* to .*\. A new patch/)
  await changeSettings(site, {
    maintenance: { from: hoursFromNow(-1), until: '', message: 'A new patch', allowed: [] },
  })
  assert.equal((await readJson()).state, 'maintenance')
  assert.match((await readPath('/launcher')).text, /The server is under maintenance\./)
  await changeSettings(site, { maintenance: { from: '', until: '', message: '', allowed: [] } })
})

test('the page and its picture have at most 20 kB and no features newer than browsers of 2009', async () => {
  const longSubject = 'Ñ'.repeat(120)
  for (let count = 0; count < 3; count++) await insertNews(db, { subject: longSubject, created_at: clock.now() })
  const { text, status } = await readPath('/launcher')
  const picture = await site.get('/launcher.jpg')
  assert.deepEqual([status, picture.status, picture.headers.get('content-type')], [200, 200, 'image/jpeg'])
  const bytes = Buffer.byteLength(text) + Number(picture.headers.get('content-length'))
  assert.ok(bytes <= PAGE_MAX_BYTES, `${bytes} bytes`)
  assert.doesNotMatch(
    text,
    /<script|<svg|<link|display:\s*(grid|flex)|var\(|--[a-z]|<(main|section|nav|header|article)\b|webp|calc\(|rgba\(/,
  )
  assert.match(text, /^<!DOCTYPE html>/)
})

test('the page does not reload by itself, which would lose the scroll position', async () => {
  assert.doesNotMatch((await readPath('/launcher')).text, /http-equiv="refresh"/)
})

test('escapes operators’ texts', async () => {
  await insertNews(db, { subject: '<img src=x onerror=alert(1)>', created_at: clock.now() })
  const { text } = await readPath('/launcher')
  assert.match(text, /&lt;img src=x/)
  assert.doesNotMatch(text, /<img src=x/)
})

test('scripts of other sites may read launcher.json, but not with a token', async () => {
  const readHeader = async (headers: Record<string, string>) =>
    (await site.get('/launcher.json', headers)).headers.get('access-control-allow-origin')
  assert.equal(await readHeader({ Origin: 'https://fans.example' }), '*')
  assert.equal(await readHeader({ Authorization: 'Bearer x' }), null)
})

test('launcher.json is listed in the API documentation', async () => {
  const { paths, components } = (await site.get('/api/openapi.json')).json()
  assert.deepEqual(paths['/launcher.json'].get.servers, [{ url: site.publicUrl }])
  assert.ok('news' in components.schemas.Launcher.properties)
  assert.match((await site.get('/api/docs')).text, /\/launcher\.json, not below \/api\./)
})
