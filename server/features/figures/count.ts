import { type RawBuilder, sql } from 'kysely'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#contract/durations.ts'
import { COUNTED_DAYS, DAILY_DETAILS_RETENTION_DAYS, PLAYER_INACTIVE_DAYS, R_COIN_SECTION } from '#contract/limits.ts'
import { dayAfter, manilaDay, startOfDay } from '#contract/manila.ts'
import type { Db } from '#server/db/open.ts'

/** The number of largest balances that are listed for each currency. */
const LARGEST_BALANCES = 200
/** A day is final after this time, because rows from its end may be written a little later. */
const LATE_MS = 15 * MINUTE_MS

/**
 * Counts the days that were never counted, and counts each day again until a quarter of an hour after its end. Indexes on
 * time limit each count to the rows of the day. Then stores the largest balances, for which it reads every account.
 *
 * @param options.all counts every one of the last days again, as after a restore
 * @returns the counted days, oldest first
 */
export async function countFigures(
  db: Db,
  now: Date,
  { all = false, signal }: { all?: boolean; signal?: AbortSignal } = {},
): Promise<string[]> {
  const today = manilaDay(now)
  const last = Array.from({ length: COUNTED_DAYS }, (_, index) =>
    manilaDay(now.getTime() - (COUNTED_DAYS - 1 - index) * DAY_MS),
  )
  const { rows } = await sql<{ day: string }>`
    select day::text as day from daily_figures
    where day between ${last[0]}::date and ${today}::date
      and counted_at >= ((day + 1)::timestamp at time zone 'Asia/Manila') + ${LATE_MS} * interval '1 millisecond'`.execute(
    db,
  )
  const done = new Set(all ? [] : rows.map(({ day }) => day))
  // Outstanding amounts build on the previous day, so all days after a counted one are counted too.
  const first = last.findIndex((day) => !done.has(day))
  const due = last.slice(first)
  for (const day of due) {
    signal?.throwIfAborted()
    await db.transaction().execute((tx) => countDay(tx, day, now))
  }
  await db.transaction().execute((tx) => forgetOldDetails(tx, today))
  await db.transaction().execute(storeLargestBalances)
  return due
}

/** Allows one count at a time, because the job and a command can run concurrently. */
const lockFigures = (tx: Db) => sql`select pg_advisory_xact_lock(hashtext('daily_figures'))`.execute(tx)

const isRCoin = sql`section = ${sql.lit(R_COIN_SECTION)}`
const isLogin = sql`kind = 'login'`

/** Counts one day from the database, and replaces the earlier count. */
async function countDay(tx: Db, day: string, now: Date): Promise<void> {
  await lockFigures(tx)
  const from = startOfDay(day)
  const to = startOfDay(dayAfter(day))
  const isOfDay = (column: string) => sql`${sql.ref(column)} >= ${from} and ${sql.ref(column)} < ${to}`
  const sum = (value: RawBuilder<unknown>, source: string, where: RawBuilder<unknown>) =>
    sql`(select coalesce(sum(${value}), 0)::bigint from ${sql.ref(source)} where ${where})`
  const sumFigures = (currency: 'r_coin' | 'milleage') => {
    const name = (what: string) => sql.ref(`${currency}_${what}`)
    const isOfCurrency = sql`currency = ${sql.lit(currency)}`
    const isSpent = currency === 'r_coin' ? isRCoin : sql`not (${isRCoin})`
    return sql`
      ${sum(sql`delta`, 'entries', sql`${isOfCurrency} and reason <> 'refund'`)} as ${name('issued')},
      ${sum(sql`delta`, 'entries', sql`${isOfCurrency} and reason = 'voucher'`)} as ${name('redeemed')},
      ${sum(sql`price * quantity`, 'bought', isSpent)} as ${name('spent')},
      ${sum(sql`delta`, 'entries', sql`${isOfCurrency} and reason = 'refund'`)} as ${name('refunded')},
      coalesce(
        (select ${name('outstanding')} from daily_figures where day = ${day}::date - 1),
        (select sum(delta) from ledger where ${isOfCurrency} and created_at < ${from}), 0)::bigint as ${name('before')}`
  }
  const { rows } = await sql<DayRow>`
    with
      bought as materialized (
        select user_num, product_num, section, price, quantity from purchases where price > 0 and ${isOfDay('created_at')}),
      entries as materialized (
        select user_num, currency, reason, delta from ledger where reason <> 'purchase' and ${isOfDay('created_at')}),
      logins as materialized (
        select user_num from account_events where ${isLogin} and ${isOfDay('created_at')}),
      posts as materialized (
        select author, title from forum_posts where state = 'visible' and ${isOfDay('shown_at')})
    select (select count(*)::int from accounts where ${isOfDay('created_at')}) as registrations,
      (select count(*)::int from logins) as logins,
      (select count(*)::int from (
        select user_num from logins union select user_num from bought
        union select user_num from entries where reason = 'voucher') active) as active_players,
      ${countReturning(from)} as returning_players,
      ${countLost(from, to)} as lost_players,
      ${sumFigures('r_coin')}, ${sumFigures('milleage')},
      (select count(*)::int from tickets where ${isOfDay('created_at')}) as tickets,
      (select count(*)::int from posts where title <> '') as forum_topics,
      (select count(*)::int from posts) as forum_posts,
      (select count(distinct author)::int from posts) as forum_writers,
      answers.*
    from (
      select ${sql.join(
        ANSWERED.map(
          ([name, after, within]) =>
            sql`count(*) filter (where waited > ${after} and waited <= ${within})::int as ${sql.ref(name)}`,
        ),
      )}
      from (
        select extract(epoch from first_answered_at - created_at) * 1000 as waited
        from tickets where ${isOfDay('first_answered_at')}) answered) answers`.execute(tx)
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
  for (const table of ['daily_logins', 'daily_sales', 'daily_campaigns', 'daily_codes'])
    await sql`delete from ${sql.table(table)} where day = ${day}::date`.execute(tx)
  await sql`
    insert into daily_logins (day, hour, logins)
    select ${day}::date, extract(hour from created_at at time zone 'Asia/Manila'), count(*)
    from account_events where ${isLogin} and ${isOfDay('created_at')} group by 2`.execute(tx)
  await sql`
    insert into daily_sales (day, product_num, units, r_coin, milleage)
    select ${day}::date, product_num, sum(quantity), ${spent}
    from purchases where price > 0 and ${isOfDay('created_at')} group by product_num`.execute(tx)
  await countCodes(tx, 'daily_campaigns', 'campaign', day)
  await countCodes(tx, 'daily_codes', 'referral_code', day)
}

/** The columns by the time until a ticket's first answer: more than the first number of ms, at most the second. */
const ANSWERED = [
  ['answered_1h', -1, HOUR_MS],
  ['answered_4h', HOUR_MS, 4 * HOUR_MS],
  ['answered_1d', 4 * HOUR_MS, DAY_MS],
  ['answered_3d', DAY_MS, 3 * DAY_MS],
  ['answered_later', 3 * DAY_MS, Number.MAX_SAFE_INTEGER],
] as const

/** The spending on purchases in R-Coin and in Milleage. */
const spent = sql`
  coalesce(sum(price * quantity) filter (where ${isRCoin}), 0) as r_coin,
  coalesce(sum(price * quantity) filter (where not (${isRCoin})), 0) as milleage`

const daysBefore = (moment: Date, days: number) => new Date(moment.getTime() - days * DAY_MS)

/**
 * Whether an account logged in between two times. A session lasts 30 days at most, so a player cannot play longer
 * without a login.
 */
const hasLoggedIn = (account: string, from: Date, to: Date) => sql`exists (
  select from account_events other where other.user_num = ${sql.ref(account)} and other.kind = 'login'
    and other.created_at >= ${from} and other.created_at < ${to})`

/** Counts players who logged in on the day, not in the 30 days before, but earlier. */
const countReturning = (from: Date) => sql`(
  select count(*)::int from (select distinct user_num from logins) back
  where ${hasLoggedIn('back.user_num', new Date(0), daysBefore(from, PLAYER_INACTIVE_DAYS))}
    and not ${hasLoggedIn('back.user_num', daysBefore(from, PLAYER_INACTIVE_DAYS), from)})`

/** Counts players whose last login was 30 days before the day. */
const countLost = (from: Date, to: Date) => sql`(
  select count(distinct earlier.user_num)::int from account_events earlier
  where earlier.kind = 'login' and earlier.created_at >= ${daysBefore(from, PLAYER_INACTIVE_DAYS)}
    and earlier.created_at < ${daysBefore(to, PLAYER_INACTIVE_DAYS)}
    and not ${hasLoggedIn('earlier.user_num', daysBefore(to, PLAYER_INACTIVE_DAYS), to)})`

/**
 * Counts the codes that were redeemed on a day, by campaign or by the streamer of the referral code, and the day's
 * spending by players who had redeemed one in the 30 days before.
 */
async function countCodes(
  tx: Db,
  table: 'daily_campaigns' | 'daily_codes',
  by: 'campaign' | 'referral_code',
  day: string,
) {
  const from = startOfDay(day)
  const to = startOfDay(dayAfter(day))
  const key = sql.ref(`v.${by}`)
  await sql`
    insert into ${sql.table(table)} (day, ${sql.ref(by)}, codes, r_coin_redeemed, milleage_redeemed, r_coin_spent, milleage_spent)
    with
      redeemed as (
        select ${key} as key, count(*) as codes, sum(t.r_coin) as r_coin, sum(t.milleage) as milleage
        from (
          select distinct user_num from ledger
          where reason <> 'purchase' and reason = 'voucher' and created_at >= ${from} and created_at < ${to}) redeemer
        join topups t using (user_num) join vouchers v using (code_hash)
        where t.created_at >= ${from} and t.created_at < ${to} and ${key} is not null
        group by 1),
      spent as (
        select key, ${spent}
        from (
          select distinct ${key} as key, p.user_num, p.ordinal, p.section, p.price, p.quantity
          from purchases p join topups t on t.user_num = p.user_num
            and t.created_at <= p.created_at and t.created_at > p.created_at - interval '30 days'
          join vouchers v using (code_hash)
          where p.price > 0 and p.created_at >= ${from} and p.created_at < ${to} and ${key} is not null) each
        group by 1)
    select ${day}::date, key, coalesce(r.codes, 0), coalesce(r.r_coin, 0), coalesce(r.milleage, 0),
      coalesce(s.r_coin, 0), coalesce(s.milleage, 0)
    from redeemed r full join spent s using (key)`.execute(tx)
}

type PerCurrency<What extends string> = Record<`${'r_coin' | 'milleage'}_${What}`, number>
type DayRow = Record<
  | 'registrations'
  | 'logins'
  | 'active_players'
  | 'returning_players'
  | 'lost_players'
  | 'tickets'
  | 'forum_topics'
  | 'forum_posts'
  | 'forum_writers'
  | (typeof ANSWERED)[number][0],
  number
> &
  PerCurrency<'issued' | 'redeemed' | 'spent' | 'refunded' | 'before'>

/** Deletes the old details of single days. */
async function forgetOldDetails(tx: Db, today: string): Promise<void> {
  await lockFigures(tx)
  for (const table of ['daily_logins', 'daily_sales', 'daily_campaigns', 'daily_codes', 'item_opens', 'share_visits'])
    await sql`delete from ${sql.table(table)} where day < ${today}::date - ${DAILY_DETAILS_RETENTION_DAYS}::int`.execute(
      tx,
    )
}

/** Stores the largest balances of each currency. */
async function storeLargestBalances(tx: Db): Promise<void> {
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
