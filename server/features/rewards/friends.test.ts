import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY_MS } from '#contract/durations.ts'
import { FRIENDS_A_MONTH } from '#contract/rewards.ts'
import { registerPlayer } from '#test/account-helpers.ts'
import { insertCharacter, insertRows, updateRows } from '#test/factories.ts'
import { createTestApp } from '#test/helpers.ts'
import { assertBooksAgree, createBuyer, readBalance, runConcurrently } from '#test/money-helpers.ts'
import { rewardFriends, sweepInvitations } from './friends.ts'

const site = await createTestApp({ world: 'empty', env: { RATE_LIMIT: 'off' } })
const { db, clock } = site
await updateRows(db, 'reward_sources', { source: 'friend' }, { budget: 100_000 })
await insertRows(db, 'reward_offers', { source: 'friend', slot: 0, milleage: 30 })

let playerCount = 0
async function createPlayer(level: number) {
  const player = await createBuyer(site)
  await updateRows(
    db,
    'accounts',
    { user_num: player.userNum },
    { created_at: new Date(clock.now().getTime() - 8 * DAY_MS) },
  )
  await insertCharacter(db, { user_num: player.userNum, cha_name: `Kaibigan${++playerCount}`, cha_level: level })
  return player
}

/** Creates a player whom another player invited eight days ago. */
async function createFriend(inviter: { userNum: number }, level = 50) {
  const friend = await createPlayer(level)
  const invited_at = new Date(clock.now().getTime() - 8 * DAY_MS)
  await insertRows(db, 'invitations', {
    user_num: friend.userNum,
    inviter: inviter.userNum,
    invited_at,
    rewarded_at: null,
  })
  return friend
}

const readMilleage = async ({ userNum }: { userNum: number }) => (await readBalance(db, userNum)).milleage

test('a registration with the token of a player’s link is an invitation; a wrong token is ignored', async () => {
  const ana = await createPlayer(60)
  const { link } = (await ana.get('/api/friends/own')).json()
  const token = new URL(link).searchParams.get('invite') ?? ''
  assert.match(token, /^[0-9a-f]{20}$/)
  await registerPlayer(site, { invite: token })
  await registerPlayer(site, { invite: 'made up' })
  await registerPlayer(site)
  const rows = await db.selectFrom('invitations').select(['inviter', 'rewarded_at']).execute()
  assert.deepEqual(rows, [{ inviter: ana.userNum, rewarded_at: null }])
  assert.equal((await ana.get('/api/friends/own')).json().waiting, 1)
  await db.deleteFrom('invitations').execute()
})

test('gives both players their reward once, when the friend has reached the level', async () => {
  const ana = await createPlayer(60)
  const ben = await createFriend(ana, 49)
  assert.equal(await rewardFriends(site), 0)
  await updateRows(db, 'characters', { user_num: ben.userNum }, { cha_level: 50 })
  const rounds = await runConcurrently(3, () => rewardFriends(site))
  assert.equal(
    rounds.reduce((sum, count) => sum + count, 0),
    1,
  )
  assert.equal(await rewardFriends(site), 0)
  assert.deepEqual([await readMilleage(ana), await readMilleage(ben)], [30, 30])
  const letters = await db.selectFrom('letters').select(['to_num', 'kind', 'subject']).orderBy('letter').execute()
  assert.deepEqual(letters, [
    { to_num: ana.userNum, kind: 'reward', subject: 'You got 30 Milleage' },
    { to_num: ben.userNum, kind: 'reward', subject: 'You got 30 Milleage' },
  ])
  await assertBooksAgree(db)
})

test('gives no reward while one of the two players cannot have it', async () => {
  const lowPlayer = await createPlayer(20)
  const ben = await createFriend(lowPlayer)
  assert.equal(await rewardFriends(site), 0)
  assert.deepEqual([await readMilleage(lowPlayer), await readMilleage(ben)], [0, 0])
  await updateRows(db, 'characters', { user_num: lowPlayer.userNum }, { cha_level: 60 })
  // The budget is enough for one of them.
  const dayRow = await db
    .selectFrom('reward_days')
    .where('source', '=', 'friend')
    .select('spent')
    .executeTakeFirstOrThrow()
  await updateRows(db, 'reward_sources', { source: 'friend' }, { budget: Number(dayRow.spent) + 40 })
  assert.equal(await rewardFriends(site), 0)
  assert.deepEqual([await readMilleage(lowPlayer), await readMilleage(ben)], [0, 0])
  await updateRows(db, 'reward_sources', { source: 'friend' }, { budget: 100_000 })
  assert.equal(await rewardFriends(site), 1)
  assert.deepEqual([await readMilleage(lowPlayer), await readMilleage(ben)], [30, 30])
})

test('rewards ten friends in a month, and the eleventh in the next', async () => {
  const ana = await createPlayer(60)
  for (let nth = 0; nth <= FRIENDS_A_MONTH; nth++) await createFriend(ana)
  assert.equal(await rewardFriends(site), FRIENDS_A_MONTH)
  assert.equal(await rewardFriends(site), 0)
  assert.equal(await readMilleage(ana), 30 * FRIENDS_A_MONTH)
  clock.set('2026-11-30T16:00:00Z')
  assert.equal(await rewardFriends(site), 1)
  assert.equal(await readMilleage(ana), 30 * (FRIENDS_A_MONTH + 1))
})

test('deletes invitations after a year, or two months after their reward', async () => {
  const ana = await createPlayer(20)
  const waitingFriend = await createFriend(ana)
  const sweepAndListInvited = async (days: number) => {
    await sweepInvitations(db, new Date(clock.now().getTime() + days * DAY_MS))
    return (await db.selectFrom('invitations').select('user_num').execute()).map(({ user_num }) => user_num)
  }
  assert.deepEqual(await sweepAndListInvited(63), [waitingFriend.userNum])
  assert.deepEqual(await sweepAndListInvited(366), [])
})
