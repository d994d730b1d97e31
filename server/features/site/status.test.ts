import assert from 'node:assert/strict'
import { test } from 'node:test'
import { reportGame } from '#contract/bridge-characters.ts'
import { HOUR_MS, MINUTE_MS } from '#contract/durations.ts'
import { createAgentDouble, listenForBridges } from '#test/bridge-helpers.ts'
import { changeSettings, createTestApp } from '#test/helpers.ts'

const site = await createTestApp({ world: 'empty', env: { RATE_LIMIT: 'off' } })
const { db, clock } = site

async function readStatus() {
  site.cache.clear()
  return (await site.get('/api/server-status')).json()
}

test('omits the game’s status without a bridge, and names the next event', async () => {
  assert.deepEqual(await readStatus(), { up: null, players: null, peak_today: null, demo: false, events: [] })
  const starts_at = new Date(clock.now().getTime() + HOUR_MS)
  const ends_at = new Date(starts_at.getTime() + HOUR_MS)
  await db
    .insertInto('events')
    .values({ title: 'Quiz', repeats: 'once', starts_at, ends_at, created_at: clock.now(), changed_at: clock.now() })
    .execute()
  assert.equal((await readStatus()).events[0].title, 'Quiz')
})

test('the game is up while the bridge counts players, down when it cannot, else unknown', async () => {
  const agent = await createAgentDouble(site, await listenForBridges(site))
  await agent.start()
  const report = (online: number | null, problem = '') => agent.call(reportGame, { problem, online, areas: null })
  const readGame = async () => {
    const { up, players } = await readStatus()
    return [up, players]
  }
  await report(null, 'The table ChaInfo is not there.')
  assert.deepEqual(await readGame(), [null, null])
  await report(142)
  assert.deepEqual(await readGame(), [true, 142])
  clock.advance(4 * MINUTE_MS)
  await report(null, 'The database does not answer.')
  assert.deepEqual(await readGame(), [true, 142])
  clock.advance(2 * MINUTE_MS)
  await report(null, 'The database does not answer.')
  assert.deepEqual(await readGame(), [false, null])
  clock.advance(6 * MINUTE_MS)
  assert.deepEqual(await readGame(), [null, null])
  await report(7)
  await changeSettings(site, {
    maintenance: { from: clock.now().toISOString(), until: '', message: 'Back soon.', allowed: [] },
  })
  assert.deepEqual(await readGame(), [false, null])
  await db.updateTable('bridges').set({ revoked_at: clock.now() }).execute()
  assert.deepEqual(await readGame(), [null, null])
})

test('the demo world simulates players until a bridge is paired, and marks them as simulated', async () => {
  const demoSite = await createTestApp({ world: 'demo', env: { RATE_LIMIT: 'off' } })
  demoSite.clock.set('2026-11-25T13:00:00Z')
  const readJson = async (path: string) => {
    demoSite.cache.clear()
    return (await demoSite.get(path)).json()
  }
  const { up, players, peak_today, demo: isDemo } = await readJson('/api/server-status')
  assert.deepEqual([up, isDemo, players > 100, peak_today >= players], [true, true, true, true])
  const { online } = await readJson('/api/players-online')
  assert.deepEqual([online.demo, online.players, online.peak_today], [true, players, peak_today])
  assert.ok(online.peak_today <= online.most && online.most <= online.month.most, 'a longer time has the higher peak')
  await createAgentDouble(demoSite, await listenForBridges(demoSite))
  assert.equal((await readJson('/api/server-status')).up, null)
  assert.equal((await readJson('/api/players-online')).online, null)
})
