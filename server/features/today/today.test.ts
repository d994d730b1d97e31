import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { DAY_MS } from '#contract/durations.ts'
import { manilaDay, startOfDay } from '#contract/manila.ts'
import { FIRST_STEPS } from '#contract/today.ts'
import { loginAs } from '#test/account-helpers.ts'
import { TEST_NOW } from '#test/databases.ts'
import { insertAccount } from '#test/factories.ts'
import { changeSettings, createTestApp } from '#test/helpers.ts'
import { createBuyer, insertItem, insertVouchers, MILLEAGE } from '#test/money-helpers.ts'
import { countFigures, DAYS_SHOWN } from './figures.ts'

const site = await createTestApp({ env: { RATE_LIMIT: 'off' } })
const { db, clock } = site
const gm = await loginAs(site, 'gm', 'gm-demo-1')
const DAY = manilaDay(TEST_NOW)

const today = async (headers = gm.headers) => {
  const answer = await site.get('/api/admin/today', headers)
  assert.equal(answer.status, 200, answer.text)
  return answer.json()
}

/** What the days say, counted plainly from every row there is. */
async function recount() {
  const { rows } = await sql<Record<string, unknown>>`
    with days as (select generate_series(${DAY}::date - ${DAYS_SHOWN - 1}::int, ${DAY}::date, '1 day')::date as day)
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

const COUNTED = [
  'registrations',
  'logins',
  'active_players',
  'r_coin_spent',
  'milleage_issued',
  'r_coin_outstanding',
  'milleage_outstanding',
] as const
const toNumbers = (row: Record<string, unknown>) => Object.fromEntries(COUNTED.map((name) => [name, Number(row[name])]))

async function counted() {
  const rows = await db
    .selectFrom('daily_figures')
    .where('day', '>=', manilaDay(TEST_NOW.getTime() - (DAYS_SHOWN - 1) * DAY_MS))
    .select([...COUNTED, sql<string>`day::text`.as('day')])
    .orderBy('day')
    .execute()
  return rows.map((row) => ({ day: row.day, ...toNumbers(row) }))
}

/** A player who logs in, buys and redeems at a moment. */
async function playAt(at: Date) {
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

test('the figures of the days are those of a plain recount, whatever happened when', async () => {
  await playAt(new Date(startOfDay(DAY).getTime() - 1))
  await playAt(startOfDay(DAY))
  await playAt(new Date(TEST_NOW.getTime() - 5 * DAY_MS))
  await countFigures(db, TEST_NOW, { all: true })
  assert.deepEqual(await counted(), await recount())
})

test('today is counted again and again, yesterday until a quarter of an hour after its end, other days no more', async () => {
  await countFigures(db, TEST_NOW, { all: true })
  assert.deepEqual(await countFigures(db, TEST_NOW), [DAY])
  const midnight = startOfDay(DAY).getTime() + DAY_MS
  const [next, later] = [midnight + 60_000, midnight + 16 * 60_000].map((at) => new Date(at))
  assert.equal((await countFigures(db, next ?? TEST_NOW)).length, 2)
  assert.equal((await countFigures(db, later ?? TEST_NOW)).length, 2)
  assert.deepEqual(await countFigures(db, later ?? TEST_NOW), [manilaDay(later ?? TEST_NOW)])
  await sql`delete from daily_figures where day > ${DAY}::date`.execute(db)
})

test('days on which nothing ran are counted later', async () => {
  await countFigures(db, TEST_NOW, { all: true })
  await sql`delete from daily_figures where day > ${DAY}::date - 4`.execute(db)
  assert.equal((await countFigures(db, TEST_NOW)).length, 4)
  assert.deepEqual(await counted(), await recount())
})

test('counting while players buy makes nothing wrong', async () => {
  await Promise.all([
    ...Array.from({ length: 4 }, () => countFigures(db, TEST_NOW)),
    ...Array.from({ length: 3 }, () => playAt(TEST_NOW)),
  ])
  await countFigures(db, TEST_NOW)
  assert.deepEqual(await counted(), await recount())
})

test('the first screen shows a value for each of 30 days, the last one today', async () => {
  await playAt(TEST_NOW)
  await countFigures(db, TEST_NOW)
  const { days, players, money, codes, counted_at } = await today()
  assert.equal(days.length, DAYS_SHOWN)
  assert.equal(days.at(-1), DAY)
  assert.equal(counted_at, TEST_NOW.toISOString())
  const series = [...Object.values(players), ...Object.values(money.r_coin), ...Object.values(money.milleage)]
  for (const values of series as number[][]) assert.equal(values.length, DAYS_SHOWN)
  const last = (await recount()).at(-1)
  assert.equal(players.logins.at(-1), last?.logins)
  assert.equal(money.r_coin.outstanding.at(-1), last?.r_coin_outstanding)
  const streamer = codes.find((one: { referral_code: string }) => one.referral_code === 'TAMBAYAN')
  assert.equal(streamer.streamer, 'Tambayan')
  assert.equal(
    streamer.codes,
    streamer.per_day.reduce((sum: number, codes: number) => sum + codes, 0),
  )
})

test('the best-selling items are those with the most units in 30 days', async () => {
  const item = await insertItem(db, { item_name: 'Pinakamabili', price: 1 })
  const buyer = await createBuyer(site, { rCoin: 1_000_000 })
  const bought = {
    user_num: buyer.userNum,
    product_num: item,
    item_name: 'x',
    section: 2,
    price: 1,
    created_at: TEST_NOW,
  }
  await db
    .insertInto('purchases')
    .values([1, 2].map((ordinal) => ({ ...bought, ordinal: 900 + ordinal, quantity: 99 })))
    .execute()
  await countFigures(db, TEST_NOW)
  const [best] = (await today()).money.best_sellers
  assert.deepEqual(best, { product_num: item, item_name: 'Pinakamabili', units: 198, r_coin: 198, milleage: 0 })
  await sql`delete from purchases where product_num = ${item}`.execute(db)
})

const kinds = async (headers = gm.headers) =>
  ((await today(headers)).needs as { kind: string; count: number }[]).map(({ kind, count }) => [kind, count])
const needOf = async (kind: string) => (await today()).needs.find((need: { kind: string }) => need.kind === kind)

test('what waits for a person is counted, and since when', async () => {
  const { count: before = 0 } = (await needOf('mails')) ?? {}
  const at = new Date(TEST_NOW.getTime() - 400 * DAY_MS)
  const mail = { to_address: 'a@b.ph', subject: 's', body_text: '', body_html: '', created_at: at, next_attempt_at: at }
  await db
    .insertInto('mail_outbox')
    .values({ ...mail, given_up_at: at })
    .execute()
  const { count, more, since } = await needOf('mails')
  assert.deepEqual([count, more, since], [before + 1, false, at.toISOString()])
  await db
    .insertInto('mail_outbox')
    .values(Array.from({ length: 120 }, () => ({ ...mail, given_up_at: at })))
    .execute()
  const many = await needOf('mails')
  assert.deepEqual([many.count, many.more], [99, true])
  await sql`delete from mail_outbox`.execute(db)
  assert.equal(await needOf('mails'), undefined)
})

test('who may not do something about it is not shown it', async () => {
  await db.insertInto('staff_roles').values({ role: 'bare', name: 'Bare', permissions: [] }).execute()
  const user_num = await insertAccount(db, { user_id: 'bare_member', user_type: 11 })
  await db
    .insertInto('staff_members')
    .values({ user_num, role: 'bare', granted_by: null, granted_at: TEST_NOW })
    .execute()
  const buyer = await createBuyer(site)
  await sql`update sessions set user_num = ${user_num} where user_num = ${buyer.userNum}`.execute(db)
  const seen = await buyer.get('/api/admin/today')
  assert.equal(seen.status, 200, seen.text)
  const { needs, players, money, codes } = seen.json()
  assert.deepEqual({ needs, players, money, codes }, { needs: [], players: null, money: null, codes: null })
  assert.ok((await kinds()).length > 0)
})

test('the demo world begins without the first steps of a new site; the settings show them (DESK-17)', async () => {
  assert.equal((await today()).first_steps, null)
  await changeSettings(site, { first_steps: true })
  assert.equal((await today()).first_steps.length, FIRST_STEPS.length)
  await changeSettings(site, { first_steps: false })
})
