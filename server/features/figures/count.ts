import { type RawBuilder, sql } from 'kysely'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#contract/durations.ts'
import { CATCH_UP_DAYS, DAILY_DETAILS_RETENTION_DAYS, PLAYER_INACTIVE_DAYS, R_COIN_SECTION } from '#contract/limits.ts'
import { getNextDay, getStartOfDay, toManilaDay } from '#contract/manila.ts'
import type { Db } from '#server/db/open.ts'

/** The number of accounts that are stored for each currency. */
const LARGEST_BALANCES = 200
/** The counts of a day are final this long after its end, because rows from its end may be written a little later. */
const FINAL_AFTER_MS = 15 * MINUTE_MS
/** The number of days that a statement counts: for a small site, planning a statement takes longer than counting a day. */
const DAYS_PER_STATEMENT = 10

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
  const today = toManilaDay(now)
  const lastDays = Array.from({ length: CATCH_UP_DAYS }, (_, index) =>
    toManilaDay(now.getTime() - (CATCH_UP_DAYS - 1 - index) * DAY_MS),
  )
  const { rows } = await sql<{ day: string }>`
    select day::text as day from daily_figures
    where day between ${lastDays[0]}::date and ${today}::date
      and counted_at >= ((day + 1)::timestamp at time zone 'Asia/Manila') + ${FINAL_AFTER_MS} * interval '1 millisecond'`.execute(
    db,
  )
  const finalDays = new Set(all ? [] : rows.map(({ day }) => day))
  // Outstanding amounts build on the previous day, so all days after a counted one are counted too.
  const firstDueIndex = lastDays.findIndex((day) => !finalDays.has(day))
  const dueDays = lastDays.slice(firstDueIndex)
  for (let start = 0; start < dueDays.length; start += DAYS_PER_STATEMENT) {
    signal?.throwIfAborted()
    const days = dueDays.slice(start, start + DAYS_PER_STATEMENT)
    await db.transaction().execute((tx) => countDays(tx, days, now))
  }
  await db.transaction().execute((tx) => deleteOldDetails(tx, today))
  await db.transaction().execute(storeLargestBalances)
  return dueDays
}

/** Allows one count at a time, because the job and a command can run concurrently. */
const lockFigures = (tx: Db) => sql`select pg_advisory_xact_lock(hashtext('daily_figures'))`.execute(tx)

const isRCoin = sql`section = ${sql.lit(R_COIN_SECTION)}`
const isLogin = sql`kind = 'login'`

/** Returns the condition that a time lies in a day `d`. */
const isOfDay = (column: string) => sql`${sql.ref(column)} >= d.starts_at and ${sql.ref(column)} < d.ends_at`

/** Returns the table `d` of days, each with its start and its end. */
const createDaysTable = (days: string[]) => sql`
  unnest(${days}::date[], ${days.map(getStartOfDay)}::timestamptz[],
    ${days.map((day) => getStartOfDay(getNextDay(day)))}::timestamptz[]) as d (day, starts_at, ends_at)`

/** Counts consecutive days from the database, and replaces their earlier counts. */
async function countDays(tx: Db, days: string[], now: Date): Promise<void> {
  await lockFigures(tx)
  const rows = await selectCounts(tx, days)
  const outstanding = await readOutstandingBefore(tx, days[0] ?? '')
  const values = rows.map((row) => {
    for (const currency of CURRENCIES)
      outstanding[currency] += row[`${currency}_issued`] - row[`${currency}_spent`] + row[`${currency}_refunded`]
    const { r_coin, milleage } = outstanding
    return { ...row, r_coin_outstanding: r_coin, milleage_outstanding: milleage, counted_at: now }
  })
  const columns = Object.keys(values[0] ?? {}) as (keyof (typeof values)[number])[]
  await tx
    .insertInto('daily_figures')
    .values(values)
    .onConflict((conflict) =>
      conflict
        .column('day')
        .doUpdateSet(({ ref }) => Object.fromEntries(columns.map((column) => [column, ref(`excluded.${column}`)]))),
    )
    .execute()
  await replaceDetails(tx, days)
}

/** Counts the figures of each day. */
async function selectCounts(tx: Db, days: string[]): Promise<DayRow[]> {
  const { rows } = await sql<DayRow>`
    select d.day::text as day, counted.*
    from ${createDaysTable(days)} cross join lateral (
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
        ${returningCount} as returning_players,
        ${lostCount} as lost_players,
        ${sumFigures('r_coin')}, ${sumFigures('milleage')},
        (select count(*)::int from tickets where ${isOfDay('created_at')}) as tickets,
        (select count(*)::int from posts where title <> '') as forum_topics,
        (select count(*)::int from posts) as forum_posts,
        (select count(distinct author)::int from posts) as forum_writers,
        answers.*
      from (
        select ${sql.join(
          ANSWER_TIMES.map(
            ([column, moreThan, atMost]) =>
              sql`count(*) filter (where waited > ${moreThan} and waited <= ${atMost})::int as ${sql.ref(column)}`,
          ),
        )}
        from (
          select extract(epoch from first_answered_at - created_at) * 1000 as waited
          from tickets where ${isOfDay('first_answered_at')}) answered) answers) counted
    order by d.day`.execute(tx)
  return rows
}

/** Returns the columns with what a day issued, redeemed, spent and refunded in a currency. */
function sumFigures(currency: Currency) {
  const sum = (value: RawBuilder<unknown>, source: string, where: RawBuilder<unknown>) =>
    sql`(select coalesce(sum(${value}), 0)::bigint from ${sql.ref(source)} where ${where})`
  const getColumn = (suffix: string) => sql.ref(`${currency}_${suffix}`)
  const isOfCurrency = sql`currency = ${sql.lit(currency)}`
  const isSpent = currency === 'r_coin' ? isRCoin : sql`not (${isRCoin})`
  return sql`
      ${sum(sql`delta`, 'entries', sql`${isOfCurrency} and reason <> 'refund'`)} as ${getColumn('issued')},
      ${sum(sql`delta`, 'entries', sql`${isOfCurrency} and reason = 'voucher'`)} as ${getColumn('redeemed')},
      ${sum(sql`price * quantity`, 'bought', isSpent)} as ${getColumn('spent')},
      ${sum(sql`delta`, 'entries', sql`${isOfCurrency} and reason = 'refund'`)} as ${getColumn('refunded')}`
}

/** Counts logins by hour, sales by item and redeemed codes of days, and replaces their earlier counts. */
async function replaceDetails(tx: Db, days: string[]): Promise<void> {
  for (const table of ['daily_logins', 'daily_sales', 'daily_campaigns', 'daily_codes'])
    await sql`delete from ${sql.table(table)} where day = any(${days}::date[])`.execute(tx)
  await sql`
    insert into daily_logins (day, hour, logins)
    select d.day, extract(hour from created_at at time zone 'Asia/Manila'), count(*)
    from ${createDaysTable(days)} join account_events on ${isLogin} and ${isOfDay('created_at')}
    group by 1, 2`.execute(tx)
  await sql`
    insert into daily_sales (day, product_num, units, r_coin, milleage)
    select d.day, product_num, sum(quantity), ${spentSums}
    from ${createDaysTable(days)} join purchases on price > 0 and ${isOfDay('created_at')}
    group by 1, product_num`.execute(tx)
  await countCodes(tx, 'daily_campaigns', 'campaign', days)
  await countCodes(tx, 'daily_codes', 'referral_code', days)
}

/** Returns the outstanding amounts at the start of a day. Takes them from the ledger if the day before was not counted. */
async function readOutstandingBefore(tx: Db, day: string): Promise<Record<Currency, number>> {
  const selectOutstanding = (currency: Currency) => sql`
    coalesce((select ${sql.ref(`${currency}_outstanding`)} from daily_figures where day = ${day}::date - 1),
      (select sum(delta) from ledger where currency = ${sql.lit(currency)} and created_at < ${getStartOfDay(day)}), 0)::bigint`
  const { rows } = await sql<Record<Currency, number>>`
    select ${selectOutstanding('r_coin')} as r_coin, ${selectOutstanding('milleage')} as milleage`.execute(tx)
  return rows[0] ?? { r_coin: 0, milleage: 0 }
}

/** The columns by the time in ms until a ticket's first answer: more than the first number, at most the second. */
const ANSWER_TIMES = [
  ['answered_1h', -1, HOUR_MS],
  ['answered_4h', HOUR_MS, 4 * HOUR_MS],
  ['answered_1d', 4 * HOUR_MS, DAY_MS],
  ['answered_3d', DAY_MS, 3 * DAY_MS],
  ['answered_later', 3 * DAY_MS, Number.MAX_SAFE_INTEGER],
] as const

/** The spending on purchases in R-Coin and in Milleage. */
const spentSums = sql`
  coalesce(sum(price * quantity) filter (where ${isRCoin}), 0) as r_coin,
  coalesce(sum(price * quantity) filter (where not (${isRCoin})), 0) as milleage`

/** The time without a login after which a player counts as lost. In hours, because days of some time zones are longer. */
const INACTIVE_TIME = sql`${sql.lit(`${PLAYER_INACTIVE_DAYS * 24} hours`)}::interval`

/**
 * Returns the condition that an account logged in between two times. A session lasts 30 days at most, so an active player
 * logs in at least that often.
 */
const hasLoggedIn = (account: string, from: RawBuilder<unknown>, to: RawBuilder<unknown>) => sql`exists (
  select from account_events login where login.user_num = ${sql.ref(account)} and login.kind = 'login'
    and login.created_at >= ${from} and login.created_at < ${to})`

/** Counts players who logged in on the day after more than 30 days without a login. */
const returningCount = sql`(
  select count(*)::int from (select distinct user_num from logins) player
  where ${hasLoggedIn('player.user_num', sql`'epoch'`, sql`d.starts_at - ${INACTIVE_TIME}`)}
    and not ${hasLoggedIn('player.user_num', sql`d.starts_at - ${INACTIVE_TIME}`, sql`d.starts_at`)})`

/** Counts players whose last login was 30 days before the day. */
const lostCount = sql`(
  select count(distinct earlier.user_num)::int from account_events earlier
  where earlier.kind = 'login' and earlier.created_at >= d.starts_at - ${INACTIVE_TIME}
    and earlier.created_at < d.ends_at - ${INACTIVE_TIME}
    and not ${hasLoggedIn('earlier.user_num', sql`d.ends_at - ${INACTIVE_TIME}`, sql`d.ends_at`)})`

/**
 * Counts the codes that were redeemed on each day, by campaign or by the streamer of the referral code, and the day's
 * spending by players who had redeemed one in the 30 days before.
 */
async function countCodes(
  tx: Db,
  table: 'daily_campaigns' | 'daily_codes',
  column: 'campaign' | 'referral_code',
  days: string[],
) {
  const code = sql.ref(`vouchers.${column}`)
  await sql`
    insert into ${sql.table(table)} (day, ${sql.ref(column)}, codes, r_coin_redeemed, milleage_redeemed, r_coin_spent, milleage_spent)
    select d.day, counted.*
    from ${createDaysTable(days)} cross join lateral (
      with
        redeemed as (
          select ${code} as code, count(*) as codes, sum(topups.r_coin) as r_coin, sum(topups.milleage) as milleage
          from (
            select distinct user_num from ledger
            where reason <> 'purchase' and reason = 'voucher' and ${isOfDay('created_at')}) redeemer
          join topups using (user_num) join vouchers using (code_hash)
          where ${isOfDay('topups.created_at')} and ${code} is not null
          group by 1),
        spent as (
          select code, ${spentSums}
          from (
            select distinct ${code} as code, purchases.user_num, purchases.ordinal, purchases.section, purchases.price,
              purchases.quantity
            from purchases join topups on topups.user_num = purchases.user_num
              and topups.created_at <= purchases.created_at
              and topups.created_at > purchases.created_at - interval '30 days'
            join vouchers using (code_hash)
            where purchases.price > 0 and ${isOfDay('purchases.created_at')} and ${code} is not null) purchase
          group by 1)
      select code, coalesce(redeemed.codes, 0), coalesce(redeemed.r_coin, 0), coalesce(redeemed.milleage, 0),
        coalesce(spent.r_coin, 0), coalesce(spent.milleage, 0)
      from redeemed full join spent using (code)) counted`.execute(tx)
}

const CURRENCIES = ['r_coin', 'milleage'] as const
type Currency = (typeof CURRENCIES)[number]
type PerCurrency<Suffix extends string> = Record<`${Currency}_${Suffix}`, number>
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
  | (typeof ANSWER_TIMES)[number][0],
  number
> &
  PerCurrency<'issued' | 'redeemed' | 'spent' | 'refunded'> & { day: string }

/** Deletes the old details of single days. */
async function deleteOldDetails(tx: Db, today: string): Promise<void> {
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
