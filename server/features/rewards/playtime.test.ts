import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { reportGame } from '#contract/bridge-characters.ts'
import { DAY_MS, MINUTE_MS } from '#contract/durations.ts'
import { GAME_REPORT_LIFETIME_MS } from '#contract/limits.ts'
import { toManilaDay } from '#contract/manila.ts'
import { REWARD_TEXTS } from '#contract/rewards.ts'
import { assertRefused, openPlayerSession } from '#test/account-helpers.ts'
import { createAgentDouble, linkAccount, listenForBridges } from '#test/bridge-helpers.ts'
import { insertCharacter, updateRows } from '#test/factories.ts'
import { changeSettings, createTestApp } from '#test/helpers.ts'
import { assertBooksAgree, createBuyer, readBalance } from '#test/money-helpers.ts'

const site = await createTestApp({ world: 'demo', env: { RATE_LIMIT: 'off' } })
const { db, clock } = site
clock.set('2026-11-25T04:00:10Z')
const agent = await createAgentDouble(site, await listenForBridges(site))
// The agent starts several times in the same process, so each start can take the lease at once (BRIDGE-23).
const agentProcess = randomUUID()
const callAsFirstStart = agent.callAs(`${agentProcess}-1`)
let call = callAsFirstStart
await agent.start(call)
let gm = await openPlayerSession(site, 'gm')

let playerCount = 0
/** Creates a player who may have rewards, with an account in the game. */
async function createLinkedPlayer() {
  const player = await createBuyer(site)
  const created_at = new Date(clock.now().getTime() - 8 * DAY_MS)
  await updateRows(db, 'accounts', { user_num: player.userNum }, { created_at })
  await insertCharacter(db, { user_num: player.userNum, cha_name: `Laro${++playerCount}`, cha_level: 31 })
  const session = { last_seen_at: clock.now(), ends_at: new Date(clock.now().getTime() + DAY_MS) }
  await updateRows(db, 'sessions', { user_num: player.userNum }, session)
  return { ...player, gameUserNum: await linkAccount(site, player.userNum) }
}

type GameActivity = { log_age_ms: number | null; mark: string }
const ACTIVE_GAME: GameActivity = { log_age_ms: 0, mark: '' }
const report = (playing: number[], activity: GameActivity | null = ACTIVE_GAME, callBridge = call) =>
  callBridge(reportGame, { problem: '', online: playing.length, playing, life: activity, areas: null })
async function play(gameUserNum: number, minutes: number, activity?: GameActivity | null) {
  for (let minute = 0; minute < minutes; minute++) {
    clock.advance(MINUTE_MS)
    await report([gameUserNum], activity)
  }
}
async function readMinutes(user_num: number) {
  const row = await db
    .selectFrom('play_days')
    .where('user_num', '=', user_num)
    .where('day', '=', toManilaDay(clock.now()))
    .select('minutes')
    .executeTakeFirst()
  return row?.minutes ?? 0
}
async function savePlaytime(milleage: number | null, budget: number) {
  gm = await openPlayerSession(site, 'gm')
  const { version } = (await gm.get('/api/admin/rewards/playtime')).json()
  return gm.post('/api/admin/rewards/playtime/save', { version, budget, milleage })
}

test('counts a minute once for an account, also if several starts of the agent report it', async () => {
  const ana = await createLinkedPlayer()
  await play(ana.gameUserNum, 3)
  await report([ana.gameUserNum, ana.gameUserNum])
  call = agent.callAs(`${agentProcess}-2`)
  await agent.start(call)
  await report([ana.gameUserNum])
  await assert.rejects(report([ana.gameUserNum], ACTIVE_GAME, callAsFirstStart), /taken over/)
  assert.equal(await readMinutes(ana.userNum), 3)
})

test('counts minutes only while the game is active', async () => {
  const ana = await createLinkedPlayer()
  await play(ana.gameUserNum, 2, { log_age_ms: 20 * MINUTE_MS, mark: 'a' })
  clock.advance(20 * MINUTE_MS)
  const minutesBefore = await readMinutes(ana.userNum)
  await play(ana.gameUserNum, 3, { log_age_ms: null, mark: 'a' })
  assert.equal(
    await readMinutes(ana.userNum),
    minutesBefore,
    'a crashed game server, whose database still shows players as online, counts no minutes',
  )
  await play(ana.gameUserNum, 17, { log_age_ms: null, mark: 'b' })
  assert.equal(
    await readMinutes(ana.userNum),
    minutesBefore + 16,
    'a changed mark shows a login: its minute and the next 15 count',
  )
  await play(ana.gameUserNum, 1, null)
  assert.equal(await readMinutes(ana.userNum), minutesBefore + 16, 'an older bridge reports no activity')
  await play(ana.gameUserNum, 1, ACTIVE_GAME)
  assert.equal(await readMinutes(ana.userNum), minutesBefore + 17)
})

test('pays for each full hour once, four times a day at most, in Milleage', async () => {
  assert.equal((await savePlaytime(15, 1000)).status, 200)
  const ana = await createLinkedPlayer()
  assertRefused(await ana.post('/api/playtime/claim'), 409, REWARD_TEXTS.playedTooLittle)
  await play(ana.gameUserNum, 61)
  assert.deepEqual((await ana.get('/api/playtime/own')).json(), { minutes: 61, claimed: 0, open: 1, why_not: null })
  assert.partialDeepStrictEqual((await ana.post('/api/playtime/claim')).json(), { rewards: 1, userPoints2: 15 })
  assertRefused(await ana.post('/api/playtime/claim'), 409, REWARD_TEXTS.playedTooLittle)
  await updateRows(db, 'play_days', { user_num: ana.userNum }, { minutes: 600 })
  assert.equal((await ana.post('/api/playtime/claim')).json().rewards, 3)
  assert.deepEqual((await ana.get('/api/playtime/own')).json(), {
    minutes: 600,
    claimed: 4,
    open: 0,
    why_not: REWARD_TEXTS.playtimeBefore,
  })
  assertRefused(await ana.post('/api/playtime/claim'), 409, REWARD_TEXTS.playtimeBefore)
  assert.deepEqual(await readBalance(db, ana.userNum), { rCoin: 0, milleage: 60 })
  await assertBooksAgree(db)
})

test('stops at the budget of the day, and pays once for two concurrent claims', async () => {
  assert.equal((await savePlaytime(15, 75)).status, 200)
  const ana = await createLinkedPlayer()
  await play(ana.gameUserNum, 1)
  await updateRows(db, 'play_days', { user_num: ana.userNum }, { minutes: 240 })
  const answers = await Promise.all([ana.post('/api/playtime/claim'), ana.post('/api/playtime/claim')])
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409])
  assert.equal((await readBalance(db, ana.userNum)).milleage, 15, '60 of 75 were given before')
})

test('more rewards a day increase the payout and change the content to approve', async () => {
  await changeSettings(site, { playtime_times: 4 })
  assert.equal((await savePlaytime(15, 1_000_000)).status, 200)
  const readSource = async () => (await gm.get('/api/admin/rewards/playtime')).json()
  const { pays, content_hash } = (await readSource()).approval
  await changeSettings(site, { playtime_times: 8 })
  const approvalAfter = (await readSource()).approval
  assert.equal(approvalAfter.pays, 2 * pays)
  assert.notEqual(approvalAfter.content_hash, content_hash)
})

test('a login during a long gap between reports counts no minutes', async () => {
  const ana = await createLinkedPlayer()
  await play(ana.gameUserNum, 1, { log_age_ms: null, mark: 'c' })
  const minutesBefore = await readMinutes(ana.userNum)
  clock.advance(GAME_REPORT_LIFETIME_MS)
  await play(ana.gameUserNum, 2, { log_age_ms: null, mark: 'd' })
  assert.equal(await readMinutes(ana.userNum), minutesBefore, 'the login may have been before a crash')
  await play(ana.gameUserNum, 1, { log_age_ms: null, mark: 'e' })
  assert.equal(await readMinutes(ana.userNum), minutesBefore + 1)
})
