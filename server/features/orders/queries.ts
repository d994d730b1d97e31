import { type RawBuilder, sql } from 'kysely'
import { DESK_PAGE_SIZE } from '#contract/desk-list.ts'
import { UNIT_STAGES, type UnitStage } from '#contract/desk-orders.ts'
import { R_COIN_SECTION } from '#contract/limits.ts'
import { dayOf } from '#contract/manila.ts'
import type { Db } from '#server/db/open.ts'

/** How many purchases a page looks at. Where several filters meet and few orders fit, the next page looks further back. */
const LOOKED_AT_MAX = 2000
/** How many items a part of a name stands for. */
const NAMED_ITEMS_MAX = 20

/** The units of each stage. */
const STAGE: Record<UnitStage, RawBuilder<unknown>> = {
  waiting: sql`d.state = 'queued' and d.handed_at is null and d.failed_at is null and d.refund_requested_at is null`,
  handed: sql`d.state = 'queued' and d.handed_at is not null and d.failed_at is null and d.refund_requested_at is null`,
  failed: sql`d.failed_at is not null and d.state = 'queued' and d.refund_requested_at is null`,
  refund_requested: sql`d.refund_requested_at is not null and d.state <> 'refunded'`,
  delivered: sql`d.state = 'delivered' and d.refund_requested_at is null`,
  claimed: sql`d.state = 'claimed' and d.refund_requested_at is null`,
  refunded: sql`d.state = 'refunded'`,
}

/** The stage of a unit `d`, as an expression. */
export const stageOf = sql<UnitStage>`case ${sql.join(
  UNIT_STAGES.map((stage) => sql`when ${STAGE[stage]} then ${sql.lit(stage)}`),
  sql` `,
)} end`

export type OrderFilters = {
  after: string
  player: string
  item: string
  stage: UnitStage | ''
  from: string
  until: string
}

type Looked = { user_num: number; ordinal: number; key: string; fits: boolean }

/** A page of orders, newest first. `next` is null on the last page only: one with few orders can be followed by others. */
export async function selectOrders(db: Db, filters: OrderFilters) {
  const looked = await lookAtOrders(db, filters)
  if (looked === undefined) return { rows: [], next: null }
  const fitting = looked.rows.filter(({ fits }) => fits)
  const shown = fitting.slice(0, DESK_PAGE_SIZE)
  const last = fitting.length > DESK_PAGE_SIZE ? shown.at(-1) : looked.isFull ? looked.rows.at(-1) : undefined
  return { rows: await readOrders(db, shown), next: last?.key ?? null }
}

/**
 * The purchases that a page looks at, through the index of one filter, and which of them fit the others. Where that filter
 * is the only one, these are the page itself.
 *
 * @returns undefined when the filters name a player, an item or a day that does not exist
 */
async function lookAtOrders(
  db: Db,
  { after, player, item, stage, from, until }: OrderFilters,
): Promise<{ rows: Looked[]; isFull: boolean } | undefined> {
  const first = from === '' ? undefined : dayOf(from)?.startsAt
  const last = until === '' ? undefined : dayOf(until)?.endsAt
  if ((from !== '' && first === undefined) || (until !== '' && last === undefined)) return undefined
  const userNum = player === '' ? undefined : await findPlayer(db, player)
  const items = item === '' ? undefined : await findItems(db, item)
  if ((player !== '' && userNum === undefined) || items?.length === 0) return undefined
  const between = (moment: string) =>
    sql`${sql.ref(moment)} >= ${first ?? '-infinity'}::timestamptz and ${sql.ref(moment)} <= ${last ?? 'infinity'}::timestamptz`
  const isOfItems = (column: string) => (items ? sql`${sql.ref(column)} = any(${items}::bigint[])` : sql`true`)
  const [at = '', one = '', two = ''] = after.split('|')
  const isDeeper = after !== ''

  if (userNum !== undefined) {
    const hasStage =
      stage === ''
        ? sql`true`
        : sql`exists (select from deliveries d where d.user_num = p.user_num and d.ordinal = p.ordinal and ${STAGE[stage]})`
    const isPlain = stage === '' && items === undefined && from === '' && until === ''
    const size = isPlain ? DESK_PAGE_SIZE + 1 : LOOKED_AT_MAX
    const { rows } = await sql<Looked>`
      select p.user_num, p.ordinal, p.ordinal::text as key, ${hasStage} and ${isOfItems('p.product_num')} and ${between('p.created_at')} as fits
      from (
        select * from purchases where user_num = ${userNum} and ${isDeeper ? sql`ordinal < ${digits(at)}` : sql`true`}
        order by ordinal desc limit ${size}) p
      order by p.ordinal desc`.execute(db)
    return { rows, isFull: !isPlain && rows.length === size }
  }

  if (stage !== '') {
    // A purchase stands where the last of its units in that stage stands.
    const { rows } = await sql<Looked>`
      select d.user_num, d.ordinal, d.queued_at::text || '|' || d.delivery as key,
        ${isOfItems('d.product_num')} and not exists (
          select from deliveries later where later.user_num = d.user_num and later.ordinal = d.ordinal
            and later.delivery > d.delivery and ${sql.raw(stageCondition(stage, 'later'))}) as fits
      from (
        select * from deliveries d
        where ${STAGE[stage]} and ${between('queued_at')}
          and ${isDeeper ? sql`(queued_at, delivery) < (${at}::timestamptz, ${digits(one)}::bigint)` : sql`true`}
        order by queued_at desc, delivery desc limit ${LOOKED_AT_MAX}) d
      order by d.queued_at desc, d.delivery desc`.execute(db)
    return { rows, isFull: rows.length === LOOKED_AT_MAX }
  }

  const size = DESK_PAGE_SIZE + 1
  const isBefore = isDeeper
    ? sql`(created_at, user_num, ordinal) < (${at}::timestamptz, ${digits(one)}::bigint, ${digits(two)}::bigint)`
    : sql`true`
  const newest = sql`order by created_at desc, user_num desc, ordinal desc limit ${size}`
  const source =
    items === undefined
      ? sql`select user_num, ordinal, created_at from purchases where ${between('created_at')} and ${isBefore} ${newest}`
      : sql`
        select p.* from unnest(${items}::bigint[]) as item cross join lateral (
          select user_num, ordinal, created_at from purchases
          where product_num = item and ${between('created_at')} and ${isBefore} ${newest}) p
        ${newest}`
  const { rows } = await sql<Looked>`
    select user_num, ordinal, created_at::text || '|' || user_num || '|' || ordinal as key, true as fits
    from (${source}) p order by created_at desc, user_num desc, ordinal desc`.execute(db)
  return { rows, isFull: false }
}
