import { sql } from 'kysely'
import { DAY_MS } from '#contract/durations.ts'
import { manilaDay } from '#contract/manila.ts'
import { getToday } from '#contract/today.ts'
import type { Db } from '#server/db/open.ts'
import { type Mounted, mount } from '#server/http/mount.ts'
import { DAYS_SHOWN } from './figures.ts'
import { readFirstSteps } from './first-steps.ts'
import { findNeeds } from './needs.ts'

const STREAMERS_SHOWN = 10

/** The call of the desk's first screen. */
export const todayDeskCalls: Mounted[] = [
  mount(getToday, async (_, { deps, staff }) => {
    const now = deps.now()
    const days = Array.from({ length: DAYS_SHOWN }, (_, index) =>
      manilaDay(now.getTime() - (DAYS_SHOWN - 1 - index) * DAY_MS),
    )
    const { permissions } = staff
    const [first_steps, needs, figures, bestSellers, codes] = await Promise.all([
      readFirstSteps(deps, staff),
      findNeeds(deps, staff),
      selectFigures(deps.browseDb, days),
      permissions.has('orders.read') ? selectBestSellers(deps.browseDb) : [],
      permissions.has('vouchers.read') ? selectCodes(deps.browseDb, days) : null,
    ])
    const seriesOf = (figure: keyof Figures) => figures.map((day) => day?.[figure] ?? 0)
    const seriesOfCurrency = (currency: 'r_coin' | 'milleage') => ({
      issued: seriesOf(`${currency}_issued`),
      spent: seriesOf(`${currency}_spent`),
      refunded: seriesOf(`${currency}_refunded`),
      outstanding: carryOver(figures.map((day) => day?.[`${currency}_outstanding`])),
    })
    return {
      first_steps,
      needs,
      days,
      counted_at: figures.at(-1)?.counted_at ?? null,
      players: permissions.has('players.read')
        ? {
            registrations: seriesOf('registrations'),
            logins: seriesOf('logins'),
            active: seriesOf('active_players'),
          }
        : null,
      money: permissions.has('orders.read')
        ? { r_coin: seriesOfCurrency('r_coin'), milleage: seriesOfCurrency('milleage'), best_sellers: bestSellers }
        : null,
      codes,
    }
  }),
]

type Row = Awaited<ReturnType<typeof readRows>>[number]
type Figures = Omit<Row, 'day' | 'counted_at'>

const readRows = (db: Db, since: string) =>
  db
    .selectFrom('daily_figures')
    .where('day', '>=', since)
    .select([
      sql<string>`day::text`.as('day'),
      'registrations',
      'logins',
      'active_players',
      'r_coin_issued',
      'r_coin_spent',
      'r_coin_refunded',
      'r_coin_outstanding',
      'milleage_issued',
      'milleage_spent',
      'milleage_refunded',
      'milleage_outstanding',
      'counted_at',
    ])
    .execute()

/** The figures of each day; undefined for one that was not counted. */
async function selectFigures(db: Db, days: readonly string[]): Promise<(Row | undefined)[]> {
  const rows = await readRows(db, days[0] ?? '')
  return days.map((day) => rows.find((row) => row.day === day))
}

/** What is there stays there on a day that was not counted. */
function carryOver(values: readonly (number | undefined)[]): number[] {
  let last = values.find((value) => value !== undefined) ?? 0
  return values.map((value) => {
    last = value ?? last
    return last
  })
}

const selectBestSellers = (db: Db) =>
  db
    .selectFrom('best_sellers as b')
    .innerJoin('shop_items as i', 'i.product_num', 'b.product_num')
    .select(['b.product_num', 'i.item_name', 'b.units', 'b.r_coin', 'b.milleage'])
    .orderBy('b.place')
    .execute()

/** The streamers whose codes were redeemed most, with each day. */
async function selectCodes(db: Db, days: readonly string[]) {
  const { rows } = await sql<{
    referral_code: string
    streamer: string
    codes: number
    by_day: Record<string, number>
  }>`
    select c.referral_code, coalesce(r.streamer, c.referral_code) as streamer, sum(c.codes)::int as codes,
      jsonb_object_agg(c.day::text, c.codes) as by_day
    from daily_codes c left join referral_codes r on r.code = c.referral_code
    where c.day >= ${days[0]}::date
    group by c.referral_code, r.streamer order by sum(c.codes) desc, c.referral_code limit ${STREAMERS_SHOWN}`.execute(
    db,
  )
  return rows.map(({ by_day, ...row }) => ({ ...row, per_day: days.map((day) => by_day[day] ?? 0) }))
}
