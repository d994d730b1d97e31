import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { reportAccounts, takeAccountWork } from '#contract/bridge-accounts.ts'
import { reportGame } from '#contract/bridge-characters.ts'
import type { getGame } from '#contract/desk-game.ts'
import { MINUTE_MS } from '#contract/durations.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { type getStuckLogin, STUCK_LOGIN_TEXTS } from '#contract/stuck-login.ts'
import { createPlayer, openPlayerSession } from '#test/account-helpers.ts'
import { createAgentDouble, linkAccount, listenForBridges } from '#test/bridge-helpers.ts'
import { createTestApp } from '#test/helpers.ts'

const site = await createTestApp({ env: { RATE_LIMIT: 'off' }, world: 'demo' })
const { db, clock } = site
const agent = await createAgentDouble(site, await listenForBridges(site))
await agent.start()
const copy = { epoch: randomUUID() as string, counter: 1 }

const takeResets = async (frees_logins = true) =>
  (await agent.call(takeAccountWork, { wait_ms: 0, copy, frees_logins })).resets
type FreedLogins = Partial<Pick<Parameters<typeof agent.call<typeof reportAccounts>>[1], 'freed' | 'freed_all'>>
const reportFreed = (freed: FreedLogins) =>
  agent.call(reportAccounts, { copy, done: [], refused: [], balances: [], ...freed })
const reportPlaying = (playing: number[]) =>
  agent.call(reportGame, { problem: '', online: playing.length, playing, areas: null })
const readStuckLogin = async (player: Awaited<ReturnType<typeof createPlayer>>) =>
  (await (await player.get('/api/stuck-login')).json()) as CallOutput<typeof getStuckLogin>
const requestReset = (player: Awaited<ReturnType<typeof createPlayer>>) => player.post('/api/stuck-login', {})

test('offers the reset of a login only if the active bridge has the right', async () => {
  const ana = await createPlayer(site)
  await linkAccount(site, ana.user.UserNum)
  await takeResets(false)
  assert.equal((await readStuckLogin(ana)).offered, false)
  assert.equal((await requestReset(ana)).status, 409)
  await takeResets()
  assert.deepEqual(await readStuckLogin(ana), { offered: true, next_at: null, state: null })
  assert.equal((await readStuckLogin(await createPlayer(site))).offered, false)
})

test('issues one request in 15 minutes, and stores its result in the history and the audit log', async () => {
  const ana = await createPlayer(site)
  const { UserNum: account } = ana.user
  const game_user_num = await linkAccount(site, account)
  assert.equal((await requestReset(ana)).status, 200)
  const response = await requestReset(ana)
  assert.deepEqual(
    [response.status, ((await response.json()) as { message: string }).message],
    [409, STUCK_LOGIN_TEXTS.tooSoon],
  )
  assert.deepEqual(await takeResets(false), [], 'an agent without the right gets none')
  assert.partialDeepStrictEqual(await takeResets(), [{ kind: 'free', account, game_user_num }])
  assert.equal((await readStuckLogin(ana)).state, 'waiting')
  await reportFreed({ freed: [{ account, outcome: 'reset' }] })
  await reportFreed({ freed: [{ account, outcome: 'online' }] })
  assert.equal((await readStuckLogin(ana)).state, 'reset', 'a second report changes nothing')
  assert.deepEqual(await takeResets(), [])
  const rows = db.selectFrom('account_events').where('user_num', '=', account).orderBy('event')
  const events = await rows.select('kind').execute()
  assert.deepEqual(
    events.map(({ kind }) => kind).filter((kind) => kind.startsWith('login-reset')),
    ['login-reset-requested', 'login-reset'],
  )
  const auditEntries = await db.selectFrom('audit_log').where('action', '=', 'stuck login freed').selectAll().execute()
  assert.equal(auditEntries.length, 1)
  clock.advance(15 * MINUTE_MS)
  assert.deepEqual(await readStuckLogin(ana), { offered: true, next_at: null, state: null })
  assert.equal((await requestReset(ana)).status, 200)
  clock.advance(MINUTE_MS)
  assert.equal((await readStuckLogin(ana)).state, 'unavailable')
  assert.deepEqual(await takeResets(), [], 'a request expires after a minute')
})

test('an account counts as offline after ten minutes of reports that do not contain it', async () => {
  const ana = await createPlayer(site)
  const game_user_num = await linkAccount(site, ana.user.UserNum)
  const isOffline = async () => {
    await db.deleteFrom('login_resets').execute()
    await requestReset(ana)
    const [reset] = await takeResets()
    return reset?.kind === 'free' && reset.offline
  }
  assert.equal(await isOffline(), false, 'the bridge has sent no report')
  await reportPlaying([game_user_num])
  for (let minute = 0; minute < 9; minute++) {
    clock.advance(MINUTE_MS)
    await reportPlaying([])
  }
  assert.equal(await isOffline(), false, 'the account was online ten minutes ago')
  clock.advance(MINUTE_MS)
  await reportPlaying([])
  assert.equal(await isOffline(), true)
})

test('a reported restart frees all accounts that logged in before it, once', async () => {
  const gm = await openPlayerSession(site, 'gm')
  const startMs = clock.now().getTime()
  assert.equal((await gm.post('/api/admin/game/restarted', { minutes_ago: 5 })).status, 200)
  const [reset] = await takeResets()
  assert.ok(reset?.kind === 'free-all')
  assert.equal(Date.parse(reset.restarted_at), startMs - 5 * MINUTE_MS)
  await db.deleteFrom('login_resets').execute()
  await reportFreed({ freed_all: [{ restart: reset.restart, accounts: 12 }] })
  assert.deepEqual(await takeResets(), [])
  const { logins } = (await (await gm.get('/api/admin/game')).json()) as CallOutput<typeof getGame>
  assert.equal(logins.restart?.freed, 12)
})
