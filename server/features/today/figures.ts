import { sql } from 'kysely'
import { DAY_MS, MINUTE_MS } from '#contract/durations.ts'
import { DAILY_DETAILS_KEPT_DAYS, R_COIN_SECTION } from '#contract/limits.ts'
import { dayAfter, manilaDay, startOfDay } from '#contract/manila.ts'
import type { Db } from '#server/db/open.ts'

/** How many days the desk's first screen shows, with today. */
export const DAYS_SHOWN = 30
/** How many best-selling items it shows. */
const BEST_SELLERS = 10
/** How many of the largest balances are listed, of each currency. */
const LARGEST_BALANCES = 200
/** What happened at the end of a day may be written a little later. */
const LATE_MS = 15 * MINUTE_MS

/**
 * Counts the days that the desk's first screen shows: those that were never counted, and each day again until a quarter
 * of an hour after its end. Everything is found through an index on time, so the cost is that of the day. Then keeps
 * which items sold best and who can still spend most; for the latter every account is read.
 *
 * @param options.all counts every one of those days again, as after a restore
 * @returns the days that were counted, oldest first
 */
export async function countFigures(
  db: Db,
  now: Date,
  { all = false, signal }: { all?: boolean; signal?: AbortSignal } = {},
): Promise<string[]> {
  const today = manilaDay(now)
  const shown = Array.from({ length: DAYS_SHOWN }, (_, index) =>
    manilaDay(now.getTime() - (DAYS_SHOWN - 1 - index) * DAY_MS),
  )
  const { rows } = await sql<{ day: string }>`
    select day::text as day from daily_figures
    where day between ${shown[0]}::date and ${today}::date
      and counted_at >= ((day + 1)::timestamp at time zone 'Asia/Manila') + ${LATE_MS} * interval '1 millisecond'`.execute(
    db,
  )
  const done = new Set(all ? [] : rows.map(({ day }) => day))
  // What is outstanding builds on the day before, so all that follow a counted day are counted too.
  const first = shown.findIndex((day) => !done.has(day))
  const due = shown.slice(first)
  for (const day of due) {
    signal?.throwIfAborted()
    await db.transaction().execute((tx) => countDay(tx, day, now))
  }
  await db.transaction().execute((tx) => keepBestSellers(tx, shown[0] ?? today))
  await db.transaction().execute(keepLargestBalances)
  return due
}

/** One count at a time: the job's, or that of a command. */
const lockFigures = (tx: Db) => sql`select pg_advisory_xact_lock(hashtext('daily_figures'))`.execute(tx)

/** Counts one day from what is in the database, in place of what was counted before. */
async function countDay(tx: Db, day: string, now: Date): Promise<void> {
  await lockFigures(tx)
  const from = startOfDay(day)
  const to = startOfDay(dayAfter(day))
  const isOfDay = (column: string) => sql`${sql.ref(column)} >= ${from} and ${sql.ref(column)} < ${to}`
  const isRCoin = sql`section = ${sql.lit(R_COIN_SECTION)}`
  const sum = (value: ReturnType<typeof sql>, source: string, where: ReturnType<typeof sql>) =>
    sql`(select coalesce(sum(${value}), 0)::bigint from ${sql.ref(source)} where ${where})`
  const figuresOf = (currency: 'r_coin' | 'milleage') => {
    const name = (what: string) => sql.ref(`${currency}_${what}`)
    const isOfCurrency = sql`currency = ${sql.lit(currency)}`
    const isSpent = currency === 'r_coin' ? isRCoin : sql`not (${isRCoin})`
    return sql`
      ${sum(sql`delta`, 'entries', sql`${isOfCurrency} and reason <> 'refund'`)} as ${name('issued')},
      ${sum(sql`price * quantity`, 'bought', isSpent)} as ${name('spent')},
      ${sum(sql`delta`, 'entries', sql`${isOfCurrency} and reason = 'refund'`)} as ${name('refunded')},
      coalesce(
        (select ${name('outstanding')} from daily_figures where day = ${day}::date - 1),
        (select sum(delta) from ledger where ${isOfCurrency} and created_at < ${from}), 0)::bigint as ${name('before')}`
  }
  const { rows } = await sql<DayRow>`
    with
      bought as materialized (
        select user_num, product_num, section, price, quantity from purchases where gift is null and ${isOfDay('created_at')}),
      entries as materialized (
        select user_num, currency, reason, delta from ledger where reason <> 'purchase' and ${isOfDay('created_at')}),
      logins as materialized (
        select user_num from account_events where kind = 'login' and ${isOfDay('created_at')})
    select (select count(*)::int from accounts where ${isOfDay('created_at')}) as registrations,
      (select count(*)::int from logins) as logins,
      (select count(*)::int from (
        select user_num from logins union select user_num from bought
        union select user_num from entries where reason = 'voucher') active) as active_players,
      ${figuresOf('r_coin')}, ${figuresOf('milleage')}`.execute(tx)
  const [counted] = rows
  if (counted === undefined) throw new Error('The figures of a day came without a row.')
  const { r_coin_before, milleage_before, ...figures } = counted
  const values = {
    ...figures,
    r_coin_outstanding: r_coin_before + figures.r_coin_issued - figures.r_coin_spent + figures.r_coin_refunded,
    milleage_outstanding:
      milleage_before + figures.milleage_issued - figures.milleage_spent + figures.milleage_refunded,
    counted_at: now,
  }
  await tx
    .insertInto('daily_figures')
    .values({ day, ...values })
    .onConflict((conflict) => conflict.column('day').doUpdateSet(values))
    .execute()
  await sql`delete from daily_sales where day = ${day}::date`.execute(tx)
  await sql`
    insert into daily_sales (day, product_num, units, r_coin, milleage)
    select ${day}::date, product_num, sum(quantity),
      coalesce(sum(price * quantity) filter (where ${isRCoin}), 0),
      coalesce(sum(price * quantity) filter (where not (${isRCoin})), 0)
    from purchases where gift is null and ${isOfDay('created_at')} group by product_num`.execute(tx)
  await sql`delete from daily_codes where day = ${day}::date`.execute(tx)
  await sql`
    insert into daily_codes (day, referral_code, codes)
    select ${day}::date, referral_code, count(*)
    from vouchers where referral_code is not null and ${isOfDay('redeemed_at')} group by referral_code`.execute(tx)
}

type PerCurrency<What extends string> = Record<`${'r_coin' | 'milleage'}_${What}`, number>
type DayRow = { registrations: number; logins: number; active_players: number } & PerCurrency<
  'issued' | 'spent' | 'refunded' | 'before'
>

/** Keeps which items sold best since a day, and forgets the sales and codes of days that are no longer shown. */
async function keepBestSellers(tx: Db, since: string): Promise<void> {
  await lockFigures(tx)
  await sql`delete from best_sellers`.execute(tx)
  await sql`
    insert into best_sellers (place, product_num, units, r_coin, milleage)
    select row_number() over (order by sum(units) desc, product_num), product_num, sum(units), sum(r_coin), sum(milleage)
    from daily_sales where day >= ${since}::date
    group by product_num order by 1 limit ${BEST_SELLERS}`.execute(tx)
  for (const table of ['daily_sales', 'daily_codes'])
    await sql`delete from ${sql.table(table)} where day < ${since}::date - ${DAILY_DETAILS_KEPT_DAYS - DAYS_SHOWN}::int`.execute(
      tx,
    )
}

/** Keeps who has most of each currency. */
async function keepLargestBalances(tx: Db): Promise<void> {
  await lockFigures(tx)
  await sql`delete from largest_balances`.execute(tx)
  for (const currency of ['r_coin', 'milleage'] as const) {
    const balance = sql.ref(currency)
    await sql`
      insert into largest_balances (currency, place, user_num)
      select ${sql.lit(currency)}, row_number() over (order by ${balance} desc, user_num), user_num
      from (
        select user_num, ${balance} from accounts where ${balance} > 0
        order by ${balance} desc, user_num limit ${sql.lit(LARGEST_BALANCES)}) largest`.execute(tx)
  }
}
