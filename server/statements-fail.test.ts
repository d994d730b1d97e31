import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { DAY_MS } from '#contract/durations.ts'
import { GIFT_ACCOUNT_AGE_MS } from '#contract/gifts.ts'
import { toManilaDay } from '#contract/manila.ts'
import type { RewardSource } from '#contract/rewards.ts'
import { VOTE_LISTS } from '#contract/vote-lists.ts'
import {
  type Answer,
  createPlayer,
  createRegistration,
  findLinkToken,
  openPlayerSession,
} from '#test/account-helpers.ts'
import { backdateRights, createOperator } from '#test/desk-helpers.ts'
import { insertCharacter, insertRows, insertTournament } from '#test/factories.ts'
import { FAILURES, openFailingDatabase } from '#test/failing-database.ts'
import { createTestApp } from '#test/helpers.ts'
import { assertBooksAgree, createBuyer, insertItem, insertVouchers } from '#test/money-helpers.ts'
import type { Db } from './db/open.ts'
import { returnOverdueGifts, sendGiftLetter } from './features/mailbox/gifts.ts'
import { findAccountToken } from './features/rewards/account-tokens.ts'
import { rewardFriends } from './features/rewards/friends.ts'
import { giveStarters } from './features/rewards/starter.ts'
import { createLinkToken, hashToken } from './http/tokens.ts'

const { database, reliableDatabase, faults } = await openFailingDatabase('demo')
after(() => database.close())
const site = await createTestApp({ database, env: { RATE_LIMIT: 'off' } })
const { clock } = site
const { db } = reliableDatabase
const gm = await openPlayerSession(site, 'gm')
const item = await insertItem(db, { item_name: 'Item of failures', price: 100 })

/** Sends the request of a use case. Retries use the same key. */
type Send = (key: Record<string, string>) => Promise<Pick<Answer, 'status' | 'text'>>

/** A request of a player or operator that moves value or changes an identity. */
type UseCase = {
  /** Creates new objects for one request. */
  prepare(): Promise<Send>
  /** The status of a retry after a successful request, if the outcome is not stored under a key. */
  retryStatus?: number
}

const EXCLUDED_TABLES = [
  // These tables contain counters of limits, times of last use, and numbers of attempts.
  ...['attempts', 'recent_errors', 'known_places'],
]

/** Counts all rows and values. States that differ by an effect have different counts. */
async function countEverything(from: Db): Promise<Record<string, number>> {
  const { rows: columns } = await sql<{ table: string; column: string; type: string }>`
    select table_name as table, column_name as column, data_type as type from information_schema.columns
    where table_schema = 'public' and table_name in (
      select table_name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE')
    order by table_name, ordinal_position`.execute(from)
  const tables = new Map<string, typeof columns>()
  for (const row of columns)
    if (!EXCLUDED_TABLES.includes(row.table) && !row.table.startsWith('kysely_'))
      tables.set(row.table, [...(tables.get(row.table) ?? []), row])
  const parts = [...tables].map(([table, tableColumns]) => {
    const counts = tableColumns.flatMap(({ column, type }) => {
      const value = sql.ref(column)
      const columnCount = sql`count(${value}) as ${sql.ref(column)}`
      if (column === 'state')
        return ['queued', 'waiting', 'done', 'open', 'claimed', 'returned', 'refunded'].map(
          (state) => sql`count(*) filter (where ${value}::text = ${sql.lit(state)}) as ${sql.ref(`state ${state}`)}`,
        )
      if (MONEY_COLUMNS.includes(column) && /int/.test(type))
        return [columnCount, sql`coalesce(sum(${value}), 0) as ${sql.ref(`sum ${column}`)}`]
      return [columnCount]
    })
    return sql`select ${sql.lit(table)} as table, to_jsonb(c) as counts
      from (select count(*) as rows, ${sql.join(counts)} from ${sql.table(table)}) c`
  })
  const { rows } = await sql<{ table: string; counts: Record<string, number> }>`
    ${sql.join(parts, sql` union all `)}`.execute(from)
  return Object.fromEntries(
    rows.flatMap(({ table, counts }) => Object.entries(counts).map(([name, n]) => [`${table}: ${name}`, Number(n)])),
  )
}

const MONEY_COLUMNS = ['r_coin', 'milleage', 'delta', 'amount', 'budget', 'spent']

/** Returns the differences between two counts. */
const diffCounts = (countsBefore: Record<string, number>, countsAfter: Record<string, number>) =>
  Object.fromEntries(
    [...new Set([...Object.keys(countsBefore), ...Object.keys(countsAfter)])]
      .map((countName) => [countName, (countsAfter[countName] ?? 0) - (countsBefore[countName] ?? 0)] as const)
      .filter(([, n]) => n !== 0),
  )

/**
 * Sends the request repeatedly, with the first, second, third … statement failing, each in three ways. Each time either
 * nothing or everything must have happened, and the balances must equal their ledger entries. A retry with the same key
 * must then give the right response, after which everything has happened exactly once.
 */
async function failEverywhere({ prepare, retryStatus }: UseCase): Promise<number> {
  const send = await prepare()
  const countsBefore = await countEverything(db)
  const key = () => ({ 'Idempotency-Key': randomUUID() })
  const expectedResponse = await send(key())
  assert.equal(expectedResponse.status, 200, expectedResponse.text)
  const expectedChanges = diffCounts(countsBefore, await countEverything(db))
  assert.notDeepEqual(expectedChanges, {})
  let statements = 0
  // The embedded database tests all three ways. On PostgreSQL only a commit with a lost response could differ.
  for (const failure of database.url === undefined ? FAILURES : (['lost after'] as const))
    for (let statementNumber = 1; ; statementNumber++) {
      const failurePoint = `statement ${statementNumber}, ${failure}`
      const send = await prepare()
      const idempotencyKey = key()
      const countsBefore = await countEverything(db)
      faults.arm(statementNumber, failure)
      const failedAnswer = await send(idempotencyKey)
      const outcome = faults.disarm()
      statements = Math.max(statements, outcome.statements)
      const changes = diffCounts(countsBefore, await countEverything(db))
      const isDone = Object.keys(changes).length > 0
      if (isDone)
        assert.deepEqual(changes, expectedChanges, `${failurePoint}: only a part was done: ${failedAnswer.text}`)
      if (failedAnswer.status === 200) assert.ok(isDone, `${failurePoint}: answered 200 with nothing done`)
      else assert.ok(failedAnswer.status >= 500, `${failurePoint}: ${failedAnswer.status} ${failedAnswer.text}`)
      const retry = await send(idempotencyKey)
      const expectedStatus = isDone && retryStatus !== undefined && failedAnswer.status !== 200 ? retryStatus : 200
      if (failedAnswer.status !== 200 || retryStatus === undefined)
        assert.equal(retry.status, expectedStatus, `${failurePoint}: ${retry.text}`)
      assert.deepEqual(
        diffCounts(countsBefore, await countEverything(db)),
        expectedChanges,
        `${failurePoint}: after the retry`,
      )
      if (!outcome.hasFailed) break
    }
  await assertBooksAgree(db)
  return statements
}

/** Creates a player with money who can send and receive gifts. */
async function createFriend(rCoin = 0) {
  clock.advance(1000)
  const player = await createBuyer(site, { rCoin })
  const registeredAt = new Date(clock.now().getTime() - GIFT_ACCOUNT_AGE_MS - 1000)
  const { user_id: userId } = await db
    .updateTable('accounts')
    .set({ created_at: registeredAt, email_verified_at: registeredAt })
    .where('user_num', '=', player.userNum)
    .returning('user_id')
    .executeTakeFirstOrThrow()
  await insertCharacter(db, { user_num: player.userNum, cha_name: `Bigay${player.userNum}`, known_since: registeredAt })
  return { ...player, userId }
}

/** Creates a player who can get rewards and was in the game today. */
async function createRewardedPlayer() {
  const player = await createFriend()
  await db.updateTable('characters').set({ cha_level: 99 }).where('user_num', '=', player.userNum).execute()
  await db
    .insertInto('last_played')
    .values({ user_num: player.userNum, played_on: toManilaDay(clock.now()) })
    .execute()
  return player
}

/** Sets the rewards of a source, with a sufficient budget. */
async function setOffer(source: RewardSource, offer: { milleage: number } | { product_num: number; quantity: number }) {
  await db.updateTable('reward_sources').set({ budget: 1_000_000_000 }).where('source', '=', source).execute()
  await db.deleteFrom('reward_offers').where('source', '=', source).execute()
  await insertRows(db, 'reward_offers', { source, slot: 0, ...offer })
  // Insert the row of the day here, because otherwise only the first reward of a day would insert it.
  await db
    .insertInto('reward_days')
    .values({ source, day: toManilaDay(clock.now()) })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

const voteSite = await (async () => {
  const token = createLinkToken()
  const { check, ...values } = { ...VOTE_LISTS.xtremetop100, list: 'xtremetop100' as const }
  const { site } = await db
    .insertInto('vote_sites')
    .values({ ...values, link: 'https://lists.example/{account}', pause_hours: 12, address_hash: hashToken(token) })
    .returning('site')
    .executeTakeFirstOrThrow()
  return { site, token }
})()

let letterCount = 0
/** Creates a letter with a gift in a player's mail box. */
async function createGift() {
  const player = await createFriend()
  const letter = await db.transaction().execute((tx) =>
    sendGiftLetter(tx, {
      account: player.userNum,
      kind: 'prize',
      values: { subject: 'First place', body: 'Congratulations.', now: clock.now() },
      gift: { currency: 'R-Coin', amount: 70 },
      reference: `failures ${++letterCount}`,
    }),
  )
  return { player, letter }
}

/** Creates a gift that one player bought for another. */
async function createPresent() {
  const [ana, ben] = [await createFriend(100), await createFriend()]
  assert.equal((await ana.post('/api/buygift', { productnum: item, user_id: ben.userId, note: '' })).status, 200)
  const { letter } = (await ben.get('/api/mailbox')).json().letters[0]
  return { ben, letter }
}

const changeEmail =
  (player: Awaited<ReturnType<typeof createPlayer>>, UserEmail: string) =>
  (key = {}) =>
    player.post(
      '/api/updateuserdetails',
      {
        ...player.owner,
        UserPass: player.form.userPassword,
        UserPass2: '',
        UserEmail,
        NameFirst: 'Ana',
        NameLast: 'Ramos',
        PhoneNumber: '',
      },
      key,
    )

const approver = await createOperator(site, 'shop')
await backdateRights(db)
const capsule = await (async () => {
  const answer = await gm.post('/api/admin/capsules/save', {
    capsule: null,
    version: null,
    name: 'Capsule of failures',
    description: '',
    currency: 'r_coin',
    price: 150,
    visible: true,
    chances: [{ product_num: item, chance: 1_000_000 }],
  })
  assert.equal(answer.status, 200, answer.text)
  const { capsule, version } = answer.json()
  return { capsule, version }
})()

/** Creates a request that approves an operator's request. */
async function createApproval(answer: Answer): Promise<Send> {
  assert.equal(answer.status, 202, answer.text)
  const { approval } = answer.json()
  const { content_hash } = await db
    .selectFrom('approvals')
    .where('approval', '=', approval)
    .select('content_hash')
    .executeTakeFirstOrThrow()
  const decision = { approval, content_hash, decision: 'approve', note: '' }
  return (key) => approver.post('/api/admin/approvals/decide', decision, key)
}

const USE_CASES: Record<string, UseCase> = {
  'a purchase': {
    prepare: async () => {
      const ana = await createBuyer(site, { rCoin: 100 })
      return (key) => ana.post(`/api/buyitem?productnum=${item}`, {}, key)
    },
  },
  'the purchase of a cart': {
    prepare: async () => {
      const ana = await createBuyer(site, { rCoin: 300 })
      await ana.add(item)
      await ana.add(item)
      return (key) => ana.post('/api/buycartitem', {}, key)
    },
  },
  'a redeemed voucher': {
    prepare: async () => {
      const ana = await createBuyer(site)
      const [CouponCode = ''] = await insertVouchers(db, 1)
      return (key) => ana.post('/api/processCoupon', { CouponCode }, key)
    },
  },
  'a refund': {
    prepare: async () => {
      const ana = await createBuyer(site, { rCoin: 100 })
      await ana.buy(item)
      const units = await db.selectFrom('deliveries').where('user_num', '=', ana.userNum).select('delivery').execute()
      const body = { units: units.map(({ delivery }) => delivery), reason: 'Bought by mistake' }
      return (key) => gm.post('/api/admin/orders/refund', body, key)
    },
  },
  'a refund of a picked-up unit': {
    prepare: async () => {
      const ana = await createBuyer(site, { rCoin: 100 })
      await ana.buy(item)
      const { delivery } = await db
        .updateTable('deliveries')
        .set({ state: 'claimed' })
        .where('user_num', '=', ana.userNum)
        .returning('delivery')
        .executeTakeFirstOrThrow()
      return (key) => gm.post('/api/admin/orders/refund-picked-up', { unit: delivery, reason: 'Weakened' }, key)
    },
  },
  'a gift that is bought': {
    prepare: async () => {
      const [ana, ben] = [await createFriend(100), await createFriend()]
      return (key) => ana.post('/api/buygift', { productnum: item, user_id: ben.userId, note: 'Hi' }, key)
    },
  },
  'a gift that is claimed': {
    prepare: async () => {
      const { player, letter } = await createGift()
      return (key) => player.post('/api/mailbox/claim', { letter }, key)
    },
  },
  'a bought gift that is claimed': {
    prepare: async () => {
      const { ben, letter } = await createPresent()
      return (key) => ben.post('/api/mailbox/claim', { letter }, key)
    },
  },
  'a gift that is refused': {
    prepare: async () => {
      const { ben, letter } = await createPresent()
      return (key) => ben.post('/api/mailbox/refuse', { letter }, key)
    },
  },
  'a gift that was not accepted': {
    prepare: async () => {
      const laterTime = new Date(clock.now().getTime() + 40 * DAY_MS)
      await returnOverdueGifts(db, laterTime)
      await createPresent()
      return () =>
        returnOverdueGifts(site.db, laterTime).then(
          (count) => ({ status: 200, text: String(count) }),
          (error: Error) => ({ status: 500, text: error.message }),
        )
    },
  },
  'a claim of the daily reward, in Milleage': {
    prepare: async () => {
      await setOffer('daily', { milleage: 50 })
      const ana = await createRewardedPlayer()
      return (key) => ana.post('/api/daily/claim', {}, key)
    },
  },
  'a claim of the daily reward, an item': {
    prepare: async () => {
      await setOffer('daily', { product_num: item, quantity: 2 })
      const ana = await createRewardedPlayer()
      return (key) => ana.post('/api/daily/claim', {}, key)
    },
  },
  'a vote that a list reports': {
    prepare: async () => {
      await setOffer('vote', { milleage: 25 })
      await db.updateTable('reward_offers').set({ slot: voteSite.site }).where('source', '=', 'vote').execute()
      const ana = await createRewardedPlayer()
      const token = await findAccountToken(db, ana.userNum)
      return () => site.get(`/votes/${voteSite.token}?custom=${token}&votingip=203.0.113.9`)
    },
  },
  'a friend who has reached the level': {
    prepare: async () => {
      await setOffer('friend', { milleage: 30 })
      const [ana, ben] = [await createRewardedPlayer(), await createRewardedPlayer()]
      const invited_at = new Date(clock.now().getTime() - 8 * DAY_MS)
      await insertRows(db, 'invitations', {
        user_num: ben.userNum,
        inviter: ana.userNum,
        invited_at,
        rewarded_at: null,
      })
      return () =>
        rewardFriends(site).then(
          (count) => ({ status: 200, text: String(count) }),
          (error: Error) => ({ status: 500, text: error.message }),
        )
    },
  },
  'starter items': {
    prepare: async () => {
      await setOffer('starter', { product_num: item, quantity: 2 })
      await insertRows(db, 'reward_offers', { source: 'starter', slot: 1, product_num: item, quantity: 1 })
      const ana = await createFriend()
      await insertRows(db, 'known_places', {
        user_num: ana.userNum,
        place: `device ${ana.userNum}`,
        seen_at: clock.now(),
      })
      await db.deleteFrom('starters').execute()
      await insertRows(db, 'starters', { user_num: ana.userNum, due_at: clock.now() })
      return () =>
        giveStarters(site).then(
          (count) => ({ status: 200, text: String(count) }),
          (error: Error) => ({ status: 500, text: error.message }),
        )
    },
  },
  'a draw of a capsule': {
    prepare: async () => {
      const ana = await createBuyer(site, { rCoin: 150 })
      return (key) => ana.post('/api/drawcapsule', capsule, key)
    },
  },
  'a balance changed by hand': {
    prepare: async () => {
      const ana = await createBuyer(site)
      const body = { currency: 'rCoin', direction: 'give', amount: 5, reason: 'A lost hat' }
      return (key) => gm.post(`/api/admin/players/${ana.userNum}/money`, body, key)
    },
  },
  'a change of a balance that is approved': {
    prepare: async () => {
      const ana = await createBuyer(site)
      const body = { currency: 'rCoin', direction: 'give', amount: 5_000_000, reason: 'A lost castle' }
      const answer = await gm.post(`/api/admin/players/${ana.userNum}/money`, body)
      return createApproval(answer)
    },
  },
  'a letter with a gift': {
    prepare: async () => {
      const ana = await createFriend()
      const body = {
        subject: 'A little something',
        body: 'From all of us.',
        link: '',
        to: 'player',
        user_id: ana.userId,
        gift: 'r_coin',
        gift_amount: 5,
      }
      return (key) => gm.post('/api/admin/letters/send', body, key)
    },
  },
  'a prize of a tournament': {
    prepare: async () => {
      const { tournament } = await insertTournament(db, {
        state: 'finalised',
        now: clock.now(),
        resultBy: approver.user.UserNum,
        finalisedBy: gm.user.UserNum,
      })
      // The amount is far below the daily limit of the operator gm.
      await db.updateTable('tournament_offers').set({ amount: 5 }).where('tournament', '=', tournament).execute()
      return (key) => gm.post('/api/admin/tournaments/pay', { tournament, place: 1 }, key)
    },
  },
  'the balances of an import': {
    prepare: async () => {
      const { bridge } = await db
        .insertInto('bridges')
        .values({ name: 'Test', sign_key: randomUUID(), seal_key: 'seal', paired_at: clock.now() })
        .returning('bridge')
        .executeTakeFirstOrThrow()
      await db.deleteFrom('game_balances').execute()
      const changed_at = clock.now()
      const row = { bridge, amount: 50, state: 'seen' as const, changed_at }
      await insertRows(db, 'game_balances', { ...row, game_user_num: 900_001 })
      return createApproval(
        await gm.post('/api/admin/game/account-import/balances', { count: 1, sum: 50, reason: 'Moving in' }),
      )
    },
  },
  'a registration': {
    prepare: async () => {
      const form = createRegistration()
      return () => site.post('/api/register', form)
    },
    retryStatus: 422,
  },
  'a changed email address': {
    prepare: async () => {
      const player = await createPlayer(site)
      return changeEmail(player, `new_${player.form.userEmail}`)
    },
    retryStatus: 401,
  },
  'an email change that is undone': {
    prepare: async () => {
      const player = await createPlayer(site)
      await changeEmail(player, `new_${player.form.userEmail}`)()
      const token = await findLinkToken(site, player.form.userEmail, '')
      return () => site.post('/api/undoemail', { token })
    },
  },
  'a password that is reset': {
    prepare: async () => {
      const { form } = await createPlayer(site)
      await site.post('/api/findPassword', { findPWID: form.userId, findPWEmail: form.userEmail })
      const token = await findLinkToken(site, form.userEmail, '')
      return () => site.post('/api/resetpassword', { token, NewUserPass: 'bayani-8' })
    },
    retryStatus: 422,
  },
  'an erasure': {
    prepare: async () => {
      const { userNum, userId } = await createFriend()
      const body = { user_num: userNum, user_id: userId, rename_characters: false, reason: 'They answer' }
      return () => gm.post('/api/admin/players/erase', body)
    },
    retryStatus: 409,
  },
}

for (const [name, useCase] of Object.entries(USE_CASES)) {
  test(`${name} happens once or not at all when any of its statements fails`, async () => {
    // The clock advances with every case, and an operator's confirmation expires after minutes.
    assert.equal((await gm.post('/api/confirmidentity', { UserPass: 'gm-demo-1' })).status, 200)
    assert.equal((await approver.post('/api/confirmidentity', { UserPass: approver.form.userPassword })).status, 200)
    assert.ok((await failEverywhere(useCase)) > 0)
  })
}
