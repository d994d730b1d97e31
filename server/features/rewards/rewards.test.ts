import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { DAY_MS } from '#contract/durations.ts'
import { toManilaDay } from '#contract/manila.ts'
import { REWARD_TEXTS } from '#contract/rewards.ts'
import { assertRefused, openPlayerSession } from '#test/account-helpers.ts'
import { createOperator } from '#test/desk-helpers.ts'
import { insertCharacter, insertRows, updateRows } from '#test/factories.ts'
import { changeSettings, createTestApp } from '#test/helpers.ts'
import { assertBooksAgree, countUnits, createBuyer, insertItem, readBalance } from '#test/money-helpers.ts'
import { giveReward } from './give.ts'

const site = await createTestApp({ world: 'demo', env: { RATE_LIMIT: 'off' } })
const { db, clock } = site
let gm = await openPlayerSession(site, 'gm')

let playerCount = 0

/** Creates a player who may have rewards and is in the game today. */
async function createEligiblePlayer({ days = 8, level = 31 }: { days?: number; level?: number } = {}) {
  const player = await createBuyer(site)
  const created_at = new Date(clock.now().getTime() - days * DAY_MS)
  await updateRows(db, 'accounts', { user_num: player.userNum }, { created_at })
  await insertCharacter(db, { user_num: player.userNum, cha_name: `Pana${++playerCount}`, cha_level: level })
  await playToday(player.userNum)
  return player
}

/** Records that an account was in the game today, and extends its session. */
async function playToday(user_num: number) {
  const session = { last_seen_at: clock.now(), ends_at: new Date(clock.now().getTime() + DAY_MS) }
  await updateRows(db, 'sessions', { user_num }, session)
  await sql`insert into last_played values (${user_num}, ${toManilaDay(clock.now())}::date)
    on conflict (user_num) do update set played_on = excluded.played_on`.execute(db)
}

/** Advances the clock and logs the operator in again, because staff must have confirmed who they are within 15 minutes. */
async function advanceClock(ms: number) {
  clock.advance(ms)
  gm = await openPlayerSession(site, 'gm')
}

async function saveDaily(days: unknown[], budget: number, operator: Pick<typeof gm, 'get' | 'post'> = gm) {
  const { version } = (await operator.get('/api/admin/rewards/daily')).json()
  return operator.post('/api/admin/rewards/daily/save', { version, budget, days })
}
const createOffer = (day: number, amount: number) => ({ day, gift: 'milleage', amount, item: null })

test('gives a day’s reward in Milleage once, on that day, to an account that played', async () => {
  clock.set('2026-11-25T04:00:00Z')
  await advanceClock(0)
  assert.equal((await saveDaily([createOffer(0, 50), createOffer(26, 70)], 1000)).status, 200)
  const ana = await createEligiblePlayer()
  assert.deepEqual((await ana.get('/api/daily/own')).json(), { claimed: [], why_not: null })
  const claimResponse = await ana.post('/api/daily/claim')
  assert.deepEqual(claimResponse.json(), { message: REWARD_TEXTS.claimed, reward: '50 Milleage', userPoints2: 50 })
  assertRefused(await ana.post('/api/daily/claim'), 409, REWARD_TEXTS.claimedBefore)
  assert.deepEqual((await ana.get('/api/daily/own')).json(), { claimed: [25], why_not: REWARD_TEXTS.claimedBefore })
  // It is midnight in Manila.
  clock.set('2026-11-25T16:00:00Z')
  await advanceClock(0)
  await playToday(ana.userNum)
  await updateRows(db, 'last_played', { user_num: ana.userNum }, { played_on: '2026-11-25' })
  assertRefused(await ana.post('/api/daily/claim'), 409, REWARD_TEXTS.notPlayed)
  await playToday(ana.userNum)
  assert.equal((await ana.post('/api/daily/claim')).json().reward, '70 Milleage')
  assert.deepEqual(await readBalance(db, ana.userNum), { rCoin: 0, milleage: 120 })
  assert.deepEqual((await ana.get('/api/daily/own')).json().claimed, [25, 26])
  await assertBooksAgree(db)
})

test('lists the month’s rewards in the calendar, the same for every visitor', async () => {
  const { month, today, days } = (await site.get('/api/daily')).json()
  assert.deepEqual([month, today, days.length], ['2026-11', 26, 30])
  assert.deepEqual(
    [days[24], days[25]],
    [
      { day: 25, reward: '50 Milleage', milleage: 50, item: null },
      { day: 26, reward: '70 Milleage', milleage: 70, item: null },
    ],
  )
})

test('delivers an item of a reward like a purchase without a price, and never refunds it', async () => {
  const item = await insertItem(db, { item_name: 'Agimat', price: 40 })
  assert.equal((await saveDaily([{ day: 0, gift: 'item', amount: 2, item }], 1000)).status, 200)
  const ana = await createEligiblePlayer()
  assert.equal((await ana.post('/api/daily/claim')).json().reward, '2 × Agimat')
  assert.equal(await countUnits(db, ana.userNum), 2)
  const units = await db.selectFrom('deliveries').where('user_num', '=', ana.userNum).select('delivery').execute()
  const body = { units: units.map(({ delivery }) => delivery), reason: 'By mistake' }
  assert.equal((await gm.post('/api/admin/orders/refund', body)).status, 409)
  assert.deepEqual(await readBalance(db, ana.userNum), { rCoin: 0, milleage: 0 })
})

test('gives nothing to new accounts, low characters, staff, and accounts that did not play', async () => {
  await saveDaily([createOffer(0, 50)], 1000)
  const assertRefusedClaim = async (player: Awaited<ReturnType<typeof createEligiblePlayer>>, message: string) => {
    assertRefused(await player.post('/api/daily/claim'), 409, message)
    assert.equal((await player.get('/api/daily/own')).json().why_not, message)
    assert.deepEqual(await readBalance(db, player.userNum), { rCoin: 0, milleage: 0 })
  }
  await assertRefusedClaim(await createEligiblePlayer({ days: 6 }), REWARD_TEXTS.tooYoung)
  await assertRefusedClaim(await createEligiblePlayer({ level: 30 }), REWARD_TEXTS.tooLow)
  const inactivePlayer = await createEligiblePlayer()
  await updateRows(db, 'last_played', { user_num: inactivePlayer.userNum }, { played_on: '2026-11-01' })
  await assertRefusedClaim(inactivePlayer, REWARD_TEXTS.notPlayed)
  const staffPlayer = await createEligiblePlayer()
  await updateRows(db, 'accounts', { user_num: staffPlayer.userNum }, { user_type: 11 })
  await assertRefusedClaim(staffPlayer, REWARD_TEXTS.notForYou)
})

test('gives no reward to a fourth account of a device or an address on the same day', async () => {
  await saveDaily([createOffer(0, 50)], 1000)
  const claim = async (...places: string[]) => {
    const player = await createEligiblePlayer()
    for (const place of places)
      await insertRows(db, 'known_places', { user_num: player.userNum, place, seen_at: clock.now() })
    return (await player.post('/api/daily/claim')).status
  }
  const phone = 'device of-a-cafe'
  for (const nth of [1, 2, 3]) assert.equal(await claim(phone, `address 10.0.0.${nth}`), 200)
  assert.equal(await claim(phone, 'address 10.0.0.4'), 409)
  await changeSettings(site, { reward_accounts_address: 4 })
  for (const nth of [1, 2, 3, 4]) assert.equal(await claim(`device ${nth}`, 'address 10.0.1.1'), 200)
  assert.equal(await claim('device 5', 'address 10.0.1.1'), 409)
  await changeSettings(site, { reward_accounts_address: 3 })
})

test('limits a source to its budget in the database, also with concurrent requests', async () => {
  await advanceClock(DAY_MS)
  assert.equal((await saveDaily([createOffer(0, 50)], 120)).status, 200)
  const eligiblePlayers = await Promise.all([1, 2, 3, 4].map(() => createEligiblePlayer()))
  const answers = await Promise.all(eligiblePlayers.map((player) => player.post('/api/daily/claim')))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 200, 409, 409])
  assert.equal((await gm.get('/api/admin/rewards/daily')).json().spent, 100)
  // 20 of the budget are left.
  const reward = await db.selectFrom('rewards').selectAll().orderBy('reward', 'desc').executeTakeFirstOrThrow()
  const rewardValues = { source: 'daily', user_num: gm.user.UserNum, key: 'made up', given_at: clock.now() } as const
  const { entry } = await db
    .insertInto('ledger')
    .values(createLedgerEntry(gm.user.UserNum, 21))
    .returning('entry')
    .executeTakeFirstOrThrow()
  await assert.rejects(
    insertRows(db, 'rewards', { ...rewardValues, day: reward.day, value: 21, ledger_entry: entry }),
    /used up/,
  )
  await sql`alter table ledger disable trigger ledger_append_only`.execute(db)
  await db.deleteFrom('ledger').where('entry', '=', entry).execute()
  await sql`alter table ledger enable trigger ledger_append_only`.execute(db)
  await assert.rejects(sql`update rewards set value = 1`.execute(db), /cannot be changed/)
  await assertBooksAgree(db)
})

const createLedgerEntry = (user_num: number, delta: number) => ({
  user_num,
  currency: 'milleage' as const,
  delta,
  balance_after: delta,
  reason: 'reward',
  created_at: clock.now(),
})

test('gives one reward for each key', async () => {
  await advanceClock(DAY_MS)
  const ana = await createEligiblePlayer()
  const give = () =>
    db
      .transaction()
      .execute((tx) =>
        giveReward({ ...site, db: tx }, { source: 'daily', slots: [0], userNum: ana.userNum, key: 'twice' }),
      )
  const results = await Promise.all([give(), give()])
  assert.deepEqual(results.map((result) => 'reward' in result).sort(), [false, true])
  assert.deepEqual(await readBalance(db, ana.userNum), { rCoin: 0, milleage: 50 })
})

test('counts a raised reward or budget against the limit of 24 hours, but not a lowered one', async () => {
  await advanceClock(DAY_MS)
  const operator = await createOperator(site, 'owner')
  await createOperator(site, 'owner')
  await changeSettings(site, { approval_limit: 500 })
  assert.equal((await saveDaily([createOffer(0, 60)], 100, operator)).status, 200)
  assert.equal((await saveDaily([createOffer(0, 60)], 501, operator)).status, 202)
  assert.equal((await saveDaily([createOffer(0, 600)], 100, operator)).status, 202)
  assert.equal((await saveDaily([createOffer(0, 1)], 90, operator)).status, 200)
  const { budget, days } = (await gm.get('/api/admin/rewards/daily')).json()
  assert.deepEqual([budget, days], [90, [createOffer(0, 1)]])
})
