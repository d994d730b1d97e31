import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#contract/durations.ts'
import { CATCH_UP_DAYS } from '#contract/limits.ts'
import { getStartOfDay, toManilaDay } from '#contract/manila.ts'
import { assertRefused, openPlayerSession } from '#test/account-helpers.ts'
import { TEST_NOW } from '#test/databases.ts'
import { insertAccount, insertRows } from '#test/factories.ts'
import { createTestApp } from '#test/helpers.ts'
import { createBuyer, insertItem, insertVouchers, MILLEAGE } from '#test/money-helpers.ts'
import { countFigures } from './count.ts'

const site = await createTestApp({ env: { RATE_LIMIT: 'off' } })
const { db, clock } = site
const DAY = toManilaDay(TEST_NOW)

/** Counts the days from all rows, without indexes. */
async function recount() {
  const { rows } = await sql<Record<string, unknown>>`
    with days as (select generate_series(${DAY}::date - ${CATCH_UP_DAYS - 1}::int, ${DAY}::date, '1 day')::date as day)
    select day::text as day,
      (select count(*)::int from accounts where (created_at at time zone 'Asia/Manila')::date = day) as registrations,
      (select count(*)::int from account_events where kind = 'login' and (created_at at time zone 'Asia/Manila')::date = day) as logins,
      (select count(distinct user_num)::int from (
        select user_num, created_at from account_events where kind = 'login'
        union all select user_num, created_at from ledger where reason in ('purchase', 'voucher')) seen
        where (created_at at time zone 'Asia/Manila')::date = day) as active_players,
      (select coalesce(-sum(delta), 0)::bigint from ledger where currency = 'r_coin' and reason = 'purchase'
        and (created_at at time zone 'Asia/Manila')::date = day) as r_coin_spent,
      (select coalesce(sum(delta), 0)::bigint from ledger where currency = 'milleage' and reason not in ('purchase', 'refund')
        and (created_at at time zone 'Asia/Manila')::date = day) as milleage_issued,
      (select coalesce(sum(delta), 0)::bigint from ledger where currency = 'r_coin'
        and (created_at at time zone 'Asia/Manila')::date <= day) as r_coin_outstanding,
      (select coalesce(sum(delta), 0)::bigint from ledger where currency = 'milleage'
        and (created_at at time zone 'Asia/Manila')::date <= day) as milleage_outstanding
    from days order by day`.execute(db)
  return rows.map((row) => ({ ...row, ...toNumbers(row) }))
}

const COUNTED_COLUMNS = [
  'registrations',
  'logins',
  'active_players',
  'r_coin_spent',
  'milleage_issued',
  'r_coin_outstanding',
  'milleage_outstanding',
] as const
const toNumbers = (row: Record<string, unknown>) =>
  Object.fromEntries(COUNTED_COLUMNS.map((name) => [name, Number(row[name])]))

async function readCounts() {
  const rows = await db
    .selectFrom('daily_figures')
    .where('day', '>=', toManilaDay(TEST_NOW.getTime() - (CATCH_UP_DAYS - 1) * DAY_MS))
    .select([...COUNTED_COLUMNS, sql<string>`day::text`.as('day')])
    .orderBy('day')
    .execute()
  return rows.map((row) => ({ day: row.day, ...toNumbers(row) }))
}

/** Creates a player who logs in, buys and redeems a code at this time. */
async function simulatePlay(at: Date) {
  clock.set(at)
  const buyer = await createBuyer(site, { rCoin: 1000, milleage: 500 })
  await sql`update accounts set created_at = ${at} where user_num = ${buyer.userNum}`.execute(db)
  await db.insertInto('account_events').values({ user_num: buyer.userNum, kind: 'login', created_at: at }).execute()
  assert.equal((await buyer.buy(await insertItem(db, { price: 100 }))).status, 200)
  assert.equal((await buyer.buy(await insertItem(db, { price: 30, section: MILLEAGE }))).status, 200)
  const [code = ''] = await insertVouchers(db, 1, {})
  assert.equal((await buyer.redeem(code, 'TAMBAYAN')).status, 200)
  clock.set(TEST_NOW)
  return buyer
}

test('counts the same figures as a recount without indexes', async () => {
  await simulatePlay(new Date(getStartOfDay(DAY).getTime() - 1))
  await simulatePlay(getStartOfDay(DAY))
  await simulatePlay(new Date(TEST_NOW.getTime() - 5 * DAY_MS))
  await countFigures(db, TEST_NOW, { all: true })
  assert.deepEqual(await readCounts(), await recount())
})

test('counts today each time, yesterday until a quarter hour after its end, no earlier day', async () => {
  await countFigures(db, TEST_NOW, { all: true })
  assert.deepEqual(await countFigures(db, TEST_NOW), [DAY])
  const midnight = getStartOfDay(DAY).getTime() + DAY_MS
  const [minuteLater, quarterLater] = [new Date(midnight + MINUTE_MS), new Date(midnight + 16 * MINUTE_MS)]
  assert.equal((await countFigures(db, minuteLater)).length, 2)
  assert.equal((await countFigures(db, quarterLater)).length, 2)
  assert.deepEqual(await countFigures(db, quarterLater), [toManilaDay(quarterLater)])
  await sql`delete from daily_figures where day > ${DAY}::date`.execute(db)
})

test('also counts the days on which the job did not run', async () => {
  await countFigures(db, TEST_NOW, { all: true })
  await sql`delete from daily_figures where day > ${DAY}::date - 4`.execute(db)
  assert.equal((await countFigures(db, TEST_NOW)).length, 4)
  assert.deepEqual(await readCounts(), await recount())
})

test('counts correctly during concurrent purchases', async () => {
  await Promise.all([
    ...Array.from({ length: 4 }, () => countFigures(db, TEST_NOW)),
    ...Array.from({ length: 3 }, () => simulatePlay(TEST_NOW)),
  ])
  await countFigures(db, TEST_NOW)
  assert.deepEqual(await readCounts(), await recount())
})

// The following tests use the days from 27 November, after the demo world, and create all data for them.

/** The operator who reads the figures. The session begins on the day after the range. */
let gm: Awaited<ReturnType<typeof openPlayerSession>>
const RANGE_QUERY = 'from=2026-11-27&until=2026-11-29'
const createManilaTime = (day: string, time: string) => new Date(`2026-${day}T${time}:00+08:00`)
const readFigures = async (path = '') => {
  const answer = await site.get(`/api/admin/figures${path}?${RANGE_QUERY}`, gm.headers)
  assert.equal(answer.status, 200, answer.text)
  return answer.json()
}

const insertPlayer = (user_id: string, createdAt: Date) => insertAccount(db, { user_id, created_at: createdAt })
const logIn = (user_num: number, ...times: Date[]) =>
  db
    .insertInto('account_events')
    .values(times.map((created_at) => ({ user_num, kind: 'login', created_at })))
    .execute()

/** Sets the clock to a time and extends the buyer's session. */
async function visitAt(buyer: Awaited<ReturnType<typeof createBuyer>>, at: Date) {
  clock.set(at)
  const sessionTimes = { last_seen_at: at, ends_at: new Date(at.getTime() + DAY_MS) }
  await db.updateTable('sessions').set(sessionTimes).where('user_num', '=', buyer.userNum).execute()
}

async function insertTicket(created_at: Date, first_answered_at: Date | null) {
  const letters = Math.random()
    .toString(36)
    .toUpperCase()
    .replaceAll(/[^A-HJ-NP-Z2-9]/g, 'X')
    .padEnd(9, 'Q')
  await db
    .insertInto('tickets')
    .values({
      number: `T-${letters.slice(1, 5)}-${letters.slice(5, 9)}`,
      email: 'guest@example.ph',
      category: 'bug',
      subject: 'A test',
      created_at,
      updated_at: created_at,
      first_answered_at,
    })
    .execute()
}

async function insertPost(
  author: number,
  at: Date,
  { topic, state = 'visible' }: { topic?: number; state?: 'visible' | 'held' } = {},
) {
  const topicNum =
    topic ??
    (
      await db
        .insertInto('forum_topics')
        .values({ category: 100, title: 'A topic', author, state: 'visible', created_at: at, last_post_at: at })
        .returning('topic')
        .executeTakeFirstOrThrow()
    ).topic
  const title = topic === undefined ? 'A topic' : ''
  const shown_at = state === 'visible' ? at : null
  await insertRows(db, 'forum_posts', {
    topic: topicNum,
    author,
    state,
    title,
    body: 'x',
    html: '<p>x</p>',
    created_at: at,
    shown_at,
  })
  return topicNum
}

/** Creates the logins, purchases, tickets and posts that the next test counts. @returns both items */
async function createFigureData() {
  await sql`delete from account_events`.execute(db)
  const longAgo = createManilaTime('09-01', '12:00')
  const [lostPlayer, returningPlayer, stayingPlayer] = [
    await insertPlayer('fig_lost', longAgo),
    await insertPlayer('fig_back', longAgo),
    await insertPlayer('fig_stays', longAgo),
  ]
  await logIn(lostPlayer, createManilaTime('10-28', '10:00'))
  await logIn(
    returningPlayer,
    createManilaTime('10-20', '10:00'),
    createManilaTime('11-28', '23:30'),
    createManilaTime('11-28', '23:59'),
  )
  await logIn(stayingPlayer, createManilaTime('10-29', '00:00'), createManilaTime('11-28', '08:00'))

  const firstTimePlayer = await insertPlayer('fig_first', longAgo)
  await logIn(firstTimePlayer, createManilaTime('11-25', '10:00'))

  const buyer = await createBuyer(site, { rCoin: 1000, milleage: 500 })
  await sql`update accounts set created_at = ${createManilaTime('11-27', '00:00')} where user_num = ${buyer.userNum}`.execute(
    db,
  )
  await logIn(buyer.userNum, createManilaTime('11-27', '00:00'))
  const [cape, soup] = [await insertItem(db, { price: 100 }), await insertItem(db, { price: 30, section: MILLEAGE })]
  const [code = '', secondCode = ''] = await insertVouchers(db, 2, { r_coin: 700 })
  const actAt = async (at: Date, action: () => Promise<{ status: number; text: string }>) => {
    await visitAt(buyer, at)
    const answer = await action()
    assert.equal(answer.status, 200, answer.text)
  }
  await actAt(createManilaTime('11-25', '12:00'), () => buyer.buy(soup))
  await actAt(createManilaTime('11-27', '12:00'), () => buyer.buy(cape))
  await actAt(createManilaTime('11-28', '12:00'), () => buyer.redeem(code, 'TAMBAYAN'))
  await actAt(createManilaTime('11-28', '13:00'), () => buyer.redeem(secondCode))
  await actAt(createManilaTime('11-29', '12:00'), () => buyer.buy(cape))
  await actAt(createManilaTime('11-29', '12:01'), () => buyer.buy(soup))
  for (const at of ['12:00', '12:01', '12:02'])
    await actAt(createManilaTime('11-28', at), () => site.post(`/api/shopitem/${cape}/opened`, {}))

  const insertAnsweredTicket = (day: string, waitedMs: number) => {
    const openedAt = createManilaTime(day, '10:00')
    return insertTicket(openedAt, new Date(openedAt.getTime() + waitedMs))
  }
  await insertAnsweredTicket('11-27', HOUR_MS)
  await insertAnsweredTicket('11-27', HOUR_MS + 1)
  await insertAnsweredTicket('11-27', 32 * HOUR_MS)
  await insertAnsweredTicket('11-22', 7 * DAY_MS)
  await insertTicket(createManilaTime('11-29', '23:59'), null)

  const topic = await insertPost(stayingPlayer, createManilaTime('11-27', '09:00'))
  await insertPost(returningPlayer, createManilaTime('11-28', '09:00'), { topic })
  await insertPost(returningPlayer, createManilaTime('11-28', '09:01'), { topic })
  await insertPost(lostPlayer, createManilaTime('11-28', '09:02'), { topic, state: 'held' })

  const noon = createManilaTime('11-30', '12:00')
  clock.set(noon)
  gm = await openPlayerSession(site, 'gm')
  await countFigures(db, noon)
  return { cape, soup }
}

test('returns the exact figures of a range and of the previous range', async () => {
  const { cape, soup } = await createFigureData()
  const { from, before, days, sums, sums_before, hours } = await readFigures()
  assert.deepEqual([from, before], ['2026-11-27', { from: '2026-11-24', until: '2026-11-26' }])
  const listByDay = (name: string) => days.map((row: Record<string, number>) => row[name])
  assert.deepEqual(listByDay('registrations'), [1, 0, 0])
  assert.deepEqual(listByDay('lost_players'), [1, 0, 0])
  assert.deepEqual(listByDay('returning_players'), [0, 1, 0])
  assert.deepEqual(listByDay('active_players'), [1, 3, 1])
  assert.deepEqual(listByDay('logins'), [1, 3, 0])
  assert.deepEqual(listByDay('r_coin_spent'), [100, 0, 100])
  assert.deepEqual(listByDay('milleage_spent'), [0, 0, 30])
  assert.deepEqual(listByDay('r_coin_redeemed'), [0, 1400, 0])
  assert.deepEqual(listByDay('tickets'), [3, 0, 1])
  assert.deepEqual([sums.answered_1h, sums.answered_4h, sums.answered_1d], [1, 1, 0])
  assert.deepEqual([sums.answered_3d, sums.answered_later], [1, 1])
  assert.deepEqual([sums.forum_topics, sums.forum_posts], [1, 3])
  assert.deepEqual(listByDay('forum_writers'), [1, 1, 0])
  assert.deepEqual([sums_before.milleage_spent, sums_before.logins], [30, 1])
  assert.equal(sums_before.returning_players, 0, 'a first login does not count as a return')
  assert.deepEqual([hours[0], hours[8], hours[23]], [1, 1, 2])

  const { rows: hourRows } = await readFigures('/hours')
  assert.deepEqual([hourRows[10].before, hourRows[23]], [1, { hour: 23, logins: 2, before: 0 }])
  assert.deepEqual(
    (await readFigures('/days')).rows.map(({ day }: { day: string }) => day),
    ['2026-11-29', '2026-11-28', '2026-11-27'],
  )
  assert.deepEqual((await readFigures('/items')).rows, [
    { product_num: cape, item_name: await readName(cape), opened: 3, units: 2, r_coin: 200, milleage: 0 },
    { product_num: soup, item_name: await readName(soup), opened: 0, units: 1, r_coin: 0, milleage: 30 },
  ])
  const { rows: categories } = await readFigures('/categories')
  const soupCategory = categories.find(({ milleage }: { milleage: number }) => milleage > 0)
  assert.deepEqual([soupCategory.milleage, soupCategory.milleage_before, soupCategory.units], [30, 30, 1])
  const redeemedSums = {
    redeemed: 2,
    r_coin_redeemed: 1400,
    milleage_redeemed: 0,
    r_coin_spent: 100,
    milleage_spent: 30,
  }
  const [{ campaign: _, name: _1, ...campaign }, ...otherCampaigns] = (await readFigures('/campaigns')).rows
  assert.deepEqual([campaign, otherCampaigns], [{ codes: 2, ...redeemedSums }, []])
  assert.deepEqual((await readFigures('/streamers')).rows, [
    { referral_code: 'TAMBAYAN', streamer: 'Tambayan', codes: 0, ...redeemedSums, redeemed: 1, r_coin_redeemed: 700 },
  ])
})

const readName = async (num: number) =>
  (await db.selectFrom('shop_items').where('product_num', '=', num).select('item_name').executeTakeFirstOrThrow())
    .item_name

test('counting again gives the same figures, also for days whose figures were deleted', async () => {
  const readAllFigures = async () =>
    Promise.all(
      ['', '/days', '/hours', '/items', '/categories', '/campaigns', '/streamers'].map((path) => readFigures(path)),
    )
  const stringifyWithoutTime = (value: unknown) => JSON.stringify(value).replaceAll(/"counted_at":"[^"]*"/g, '')
  const firstFigures = stringifyWithoutTime(await readAllFigures())
  const noon = createManilaTime('11-30', '12:00')
  await countFigures(db, noon, { all: true })
  assert.equal(stringifyWithoutTime(await readAllFigures()), firstFigures)
  await sql`delete from daily_figures where day >= '2026-11-27'`.execute(db)
  assert.equal((await readFigures()).days.length, 0)
  assert.equal((await countFigures(db, noon)).length, 4)
  assert.equal(stringifyWithoutTime(await readAllFigures()), firstFigures)
})

test('the tables of figures have no column for a person', async () => {
  const { rows } = await sql<{ name: string }>`
    select table_name || '.' || column_name as name from information_schema.columns
    where (table_name like 'daily\\_%' or table_name in ('item_opens', 'share_visits')) and table_schema = current_schema()
      and (column_name like '%user%' or column_name like '%account%' or column_name like '%address%'
        or (data_type like 'text%' and column_name not in ('referral_code', 'mark')))`.execute(db)
  assert.deepEqual(rows, [])
})

test('refuses an invalid range at its field', async () => {
  const badRanges = [
    ['from=2026-11-29&until=2026-11-27', 'until'],
    ['from=2026-02-30&until=2026-11-27', 'from'],
    ['until=2026-13-01', 'from'],
    ['from=2024-11-01&until=2026-11-27', 'from'],
  ] as const
  for (const path of ['', '/days', '/hours', '/items', '/categories', '/campaigns', '/shares', '/streamers'])
    for (const [query, field] of badRanges) {
      const answer = await site.get(`/api/admin/figures${path}?${query}`, gm.headers)
      assertRefused(answer, 422)
      assert.deepEqual(Object.keys(answer.json()['form-error']), [field], `${path}?${query}`)
    }
})

test('counts no openings of a hidden item', async () => {
  const hiddenItem = await insertItem(db, { visible: false, hidden: true })
  assertRefused(await site.post(`/api/shopitem/${hiddenItem}/opened`, {}), 404)
})

test('shows the last 30 days up to yesterday when no range is given', async () => {
  clock.set(createManilaTime('11-30', '12:00'))
  const { from, until, before } = (await site.get('/api/admin/figures', gm.headers)).json()
  assert.deepEqual([from, until], ['2026-10-31', '2026-11-29'])
  assert.deepEqual(before, { from: '2026-10-01', until: '2026-10-30' })
})
