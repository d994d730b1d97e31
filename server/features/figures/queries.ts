import { sql } from 'kysely'
import { DESK_PAGE_SIZE } from '#contract/desk.ts'
import { FIGURES, type Figure } from '#contract/figures.ts'
import { toDayRange } from '#contract/manila.ts'
import type { PostedKind } from '#contract/sharing.ts'
import type { Db } from '#server/db/open.ts'
import { createCursorError, cutPage, parseCursorPair } from '#server/http/desk-lists.ts'

/** Days in Manila, the first and the last. */
export type Range = { from: string; until: string }
/** A range, and as many days before it. */
export type Ranges = Range & { before: Range }

type Sums = Record<Figure, number>
type DayFigures = Sums & { day: string; r_coin_outstanding: number; milleage_outstanding: number; counted_at: Date }

const PAGE_LIMIT = sql.lit(DESK_PAGE_SIZE + 1)

const isInRange = ({ from, until }: Range, column = 'day') =>
  sql`${sql.ref(column)} between ${from}::date and ${until}::date`

/** Selects the counted days of a range, in their order. */
export async function selectDays(db: Db, range: Range): Promise<DayFigures[]> {
  const { rows } = await sql<DayFigures>`
    select day::text as day, counted_at, r_coin_outstanding, milleage_outstanding, ${sql.join(FIGURES.map((name) => sql.ref(name)))}
    from daily_figures where ${isInRange(range)} order by daily_figures.day`.execute(db)
  return rows
}

/** Selects a page of the days of a range, the newest first. */
export async function selectDayPage(db: Db, range: Range, after: string) {
  if (after !== '' && toDayRange(after) === undefined) throw createCursorError()
  const days = (await selectDays(db, range)).reverse()
  return cutPage(after === '' ? days : days.filter(({ day }) => day < after), ({ day }) => day)
}

/** Selects the sums of a range. */
export async function selectSums(db: Db, range: Range): Promise<Sums> {
  const sums = FIGURES.map((name) => sql`coalesce(sum(${sql.ref(name)}), 0)::bigint as ${sql.ref(name)}`)
  const { rows } = await sql<Sums>`select ${sql.join(sums)} from daily_figures where ${isInRange(range)}`.execute(db)
  const [row] = rows
  if (row === undefined) throw new Error('The sums of a range were not returned.')
  return row
}

/** Selects the logins of each hour in Manila, including hours without logins, in the range and in the range before. */
export async function selectHours(db: Db, { before, ...range }: Ranges) {
  const { rows } = await sql<{ hour: number; logins: number; before: number }>`
    select hour, coalesce(sum(logins) filter (where ${isInRange(range)}), 0)::int as logins,
      coalesce(sum(logins) filter (where ${isInRange(before)}), 0)::int as before
    from generate_series(0, 23) hour left join daily_logins using (hour)
    group by hour order by hour`.execute(db)
  return rows
}

/** Selects the spending by the current categories of the items, in the range and in the range before. */
export async function selectCategories(db: Db, { before, ...range }: Ranges) {
  const { rows } = await sql<{
    category: number
    category_name: string
    units: number
    r_coin: number
    milleage: number
    r_coin_before: number
    milleage_before: number
  }>`
    select c.id as category, c.category_name,
      coalesce(sum(s.units) filter (where ${isInRange(range)}), 0)::int as units,
      coalesce(sum(s.r_coin) filter (where ${isInRange(range)}), 0)::bigint as r_coin,
      coalesce(sum(s.milleage) filter (where ${isInRange(range)}), 0)::bigint as milleage,
      coalesce(sum(s.r_coin) filter (where ${isInRange(before)}), 0)::bigint as r_coin_before,
      coalesce(sum(s.milleage) filter (where ${isInRange(before)}), 0)::bigint as milleage_before
    from shop_categories c
      left join shop_items i on i.category_id = c.id
      left join daily_sales s on s.product_num = i.product_num and s.day between ${before.from}::date and ${range.until}::date
    group by c.id order by c.position, c.id`.execute(db)
  return rows
}

/** Selects a page of the items that were opened or bought, those with the most units first. */
export async function selectItems(db: Db, range: Range, after: string) {
  const [units, lastNum] = after === '' ? [0, 0] : parseCursorPair(after)
  const { rows } = await sql<{
    product_num: number
    item_name: string
    opened: number
    units: number
    r_coin: number
    milleage: number
  }>`
    select product_num, i.item_name, sum(opened)::int as opened, sum(units)::int as units,
      sum(r_coin)::bigint as r_coin, sum(milleage)::bigint as milleage
    from (
      select product_num, opens as opened, 0 as units, 0 as r_coin, 0 as milleage from item_opens where ${isInRange(range)}
      union all select product_num, 0, units, r_coin, milleage from daily_sales where ${isInRange(range)}) each
    join shop_items i using (product_num)
    group by product_num, i.item_name
    having ${after === '' ? sql`true` : sql`(-sum(units), product_num) > (${-units}, ${lastNum})`}
    order by sum(units) desc, product_num limit ${PAGE_LIMIT}`.execute(db)
  return cutPage(rows, (row) => `${row.units}.${row.product_num}`)
}

type RedeemedSums = {
  codes: number
  redeemed: number
  r_coin_redeemed: number
  milleage_redeemed: number
  r_coin_spent: number
  milleage_spent: number
}

const redeemedSums = sql`
  sum(d.codes)::int as redeemed, sum(d.r_coin_redeemed)::bigint as r_coin_redeemed,
  sum(d.milleage_redeemed)::bigint as milleage_redeemed, sum(d.r_coin_spent)::bigint as r_coin_spent,
  sum(d.milleage_spent)::bigint as milleage_spent`

/**
 * Selects a page of the campaigns whose codes were redeemed in the range, or whose redeemers of the 30 days before spent
 * something in it. The most redeemed come first.
 */
export async function selectCampaigns(db: Db, range: Range, after: string) {
  const [redeemed, lastNum] = after === '' ? [0, 0] : parseCursorPair(after)
  const { rows } = await sql<RedeemedSums & { campaign: number; name: string }>`
    select d.campaign, c.name, c.codes, ${redeemedSums}
    from daily_campaigns d join voucher_campaigns c on c.id = d.campaign where ${isInRange(range, 'd.day')}
    group by d.campaign, c.name, c.codes
    having ${after === '' ? sql`true` : sql`(-sum(d.codes), d.campaign) > (${-redeemed}, ${lastNum})`}
    order by sum(d.codes) desc, d.campaign limit ${PAGE_LIMIT}`.execute(db)
  return cutPage(rows, (row) => `${row.redeemed}.${row.campaign}`)
}

/** Selects a page of the short links that were followed, the most visits first. */
export async function selectShares(db: Db, { before, ...range }: Ranges, after: string) {
  const [visits, lastCode = ''] = after === '' ? [0] : parseShareCursor(after)
  const { rows } = await sql<{
    mark: string
    kind: PostedKind
    page: string
    title: string
    visits: number
    before: number
  }>`
    select l.mark, l.kind, l.page, l.title, coalesce(sum(v.visits) filter (where ${isInRange(range, 'v.day')}), 0)::int as visits,
      coalesce(sum(v.visits) filter (where ${isInRange(before, 'v.day')}), 0)::int as before
    from share_links l join share_visits v using (mark)
    where v.day between ${before.from}::date and ${range.until}::date
    group by l.mark
    having ${after === '' ? sql`true` : sql`(-coalesce(sum(v.visits) filter (where ${isInRange(range, 'v.day')}), 0), l.mark) > (${-visits}, ${lastCode})`}
    order by 5 desc, l.mark limit ${PAGE_LIMIT}`.execute(db)
  return cutPage(rows, (row) => `${row.visits}.${row.mark}`)
}

/** Parses the number of visits and the short link's code of a page's last row. @throws Refusal 422 */
function parseShareCursor(after: string): [visits: number, code: string] {
  const [, visits, code] = /^(\d{1,9})\.([a-z0-9]{6})$/.exec(after) ?? []
  if (visits === undefined || code === undefined) throw createCursorError()
  return [Number(visits), code]
}

/** Selects the redeemed codes and the spending by streamer. There are few streamers, so all are on one page. */
export async function selectStreamers(db: Db, range: Range) {
  const { rows } = await sql<RedeemedSums & { referral_code: string; streamer: string }>`
    select d.referral_code, coalesce(r.streamer, d.referral_code) as streamer,
      coalesce((select sum(c.codes) from voucher_campaigns c where c.streamer = d.referral_code), 0)::int as codes,
      ${redeemedSums}
    from daily_codes d left join referral_codes r on r.code = d.referral_code where ${isInRange(range, 'd.day')}
    group by d.referral_code, r.streamer order by sum(d.codes) desc, d.referral_code`.execute(db)
  return { rows, next: null }
}
