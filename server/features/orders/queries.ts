import { type RawBuilder, sql } from 'kysely'
import { DESK_PAGE_SIZE } from '#contract/desk.ts'
import type { CallAnswer, ValidInput } from '#contract/endpoint.ts'
import { R_COIN_SECTION } from '#contract/limits.ts'
import { toDayRange } from '#contract/manila.ts'
import {
  type GiftState,
  type getOrder,
  type getOrders,
  ORDER_SORT_KEYS,
  SORTED_ORDERS_MAX,
  UNIT_STAGES,
  type UnitStage,
  URGENT_STAGES,
} from '#contract/orders.ts'
import { escapeLike } from '#server/db/like.ts'
import type { Db } from '#server/db/open.ts'
import { buildPaymentsFrom, parsePurchaseReference } from '#server/features/wallet/book.ts'
import { combineConditions, createCursorError, parseTypedNumber } from '#server/http/desk-lists.ts'

/** The maximum number of items that a part of a name may match. */
const MATCHING_ITEMS_MAX = 20

/**
 * Returns the SQL condition that a unit is in a stage; for `odd`, that its row in the game is inconsistent.
 *
 * @param unit the alias of its row of `deliveries`
 */
function isInStage(stage: UnitStage | 'odd', unit = 'd'): RawBuilder<unknown> {
  const getColumn = (name: string) => sql.ref(`${unit}.${name}`)
  const isQueued = sql`${getColumn('state')} = 'queued' and ${getColumn('refund_requested_at')} is null`
  switch (stage) {
    case 'waiting':
      return sql`${isQueued} and ${getColumn('handed_at')} is null and ${getColumn('failed_at')} is null`
    case 'handed':
      return sql`${isQueued} and ${getColumn('handed_at')} is not null and ${getColumn('failed_at')} is null`
    case 'failed':
      return sql`${isQueued} and ${getColumn('failed_at')} is not null`
    case 'refund_requested':
      return sql`${getColumn('state')} <> 'refunded' and ${getColumn('refund_requested_at')} is not null`
    case 'refunded':
      return sql`${getColumn('state')} = 'refunded'`
    case 'lost':
      return sql`${getColumn('in_game')} = 'lost' and ${getColumn('state')} <> 'refunded' and ${getColumn('refund_requested_at')} is null`
    case 'odd':
      return sql`${getColumn('in_game')} <> ''`
    default:
      return sql`${getColumn('state')} = ${sql.lit(stage)} and ${getColumn('in_game')} <> 'lost'
        and ${getColumn('refund_requested_at')} is null`
  }
}

/** The stage of a unit `d`. */
const UNIT_STAGE = sql`case ${sql.join(
  UNIT_STAGES.map((stage) => sql`when ${isInStage(stage)} then ${sql.lit(stage)}`),
  sql` `,
)} end`

type SortKey = (typeof ORDER_SORT_KEYS)[number]

/** The value that each sort key sorts by, as SQL for a purchase `p` and its account `a`. */
const SORT_VALUES: Record<SortKey, RawBuilder<unknown>> = {
  order: sql`p.user_num`,
  player: sql`lower(a.user_id)`,
  item: sql`lower(p.item_name)`,
  total: sql`p.price::bigint * p.quantity`,
  state: sql`coalesce((
    select min(array_position(${sql.lit(`{${URGENT_STAGES.join(',')}}`)}::text[], (${UNIT_STAGE})::text))
    from deliveries d where d.user_num = p.user_num and d.ordinal = p.ordinal), 99)`,
}
const TEXT_SORTS: readonly SortKey[] = ['player', 'item']

/** Selects a page of orders, newest first or in the order of `sort`. `next` is null on the last page. */
export async function selectOrders(
  db: Db,
  filters: Omit<ValidInput<typeof getOrders>, 'sort'> & { sort?: ValidInput<typeof getOrders>['sort'] },
) {
  const { after, sort = '-bought_at', player, item, stage, from, until } = filters
  const startsAt = from === '' ? undefined : toDayRange(from)?.startsAt
  const endsAt = until === '' ? undefined : toDayRange(until)?.endsAt
  const userNum = player === '' ? undefined : await findPlayer(db, player)
  const items = item === '' ? undefined : await findItems(db, item)
  const isEmpty =
    (from !== '' && startsAt === undefined) ||
    (until !== '' && endsAt === undefined) ||
    (player !== '' && userNum === undefined) ||
    items?.length === 0
  if (isEmpty) return { rows: [], next: null }
  const matches = combineConditions([
    startsAt !== undefined && sql`p.created_at >= ${startsAt}`,
    endsAt !== undefined && sql`p.created_at <= ${endsAt}`,
    userNum !== undefined && sql`p.user_num = ${userNum}`,
    items !== undefined && sql`p.product_num = any(${items}::bigint[])`,
    stage !== '' &&
      sql`exists (select from deliveries d where d.user_num = p.user_num and d.ordinal = p.ordinal and ${isInStage(stage)})`,
  ])
  const sortKey = ORDER_SORT_KEYS.find((sortKey) => sort === sortKey || sort === `-${sortKey}`)
  const isAscending = !sort.startsWith('-')
  const rows =
    sortKey === undefined
      ? await selectByTime(db, { matches, after, isAscending })
      : await selectSorted(db, { matches, after, isAscending, key: sortKey })
  const pageRows = rows.slice(0, DESK_PAGE_SIZE)
  return {
    rows: await readOrders(db, pageRows),
    next: rows.length > pageRows.length ? (pageRows.at(-1)?.key ?? null) : null,
  }
}

type PageQuery = { matches: RawBuilder<unknown>; after: string; isAscending: boolean }

const toComparison = (isAscending: boolean) => (isAscending ? sql`>` : sql`<`)
const toDirection = (isAscending: boolean) => (isAscending ? sql`asc` : sql`desc`)

/** Selects a page of the orders by their time, and one row more. */
async function selectByTime(db: Db, { matches, after, isAscending }: PageQuery) {
  const { at, numbers } = parseCursorKey(after)
  const [userNum = 0, ordinal = 0] = numbers
  const direction = toDirection(isAscending)
  const isAfterCursor =
    after === ''
      ? sql`true`
      : sql`(p.created_at, p.user_num, p.ordinal) ${toComparison(isAscending)} (${at}::timestamptz, ${userNum}::bigint, ${ordinal}::bigint)`
  const { rows } = await sql<Purchase & { key: string }>`
    select p.user_num, p.ordinal, p.created_at::text || '|' || p.user_num || '|' || p.ordinal as key
    from purchases p where ${matches} and ${isAfterCursor}
    order by p.created_at ${direction}, p.user_num ${direction}, p.ordinal ${direction} limit ${DESK_PAGE_SIZE + 1}`.execute(
    db,
  )
  return rows
}

/** Selects a page of the newest orders, sorted by another value than their time, and one row more. */
async function selectSorted(db: Db, { matches, after, isAscending, key }: PageQuery & { key: SortKey }) {
  const [, userNum = '0', ordinal = '0', value = ''] = /^(\d{1,15})\|(\d{1,15})\|(.{0,200})$/s.exec(after) ?? []
  const isText = TEXT_SORTS.includes(key)
  if (after !== '' && (userNum === '0' || (!isText && !/^\d{1,18}$/.test(value)))) throw createCursorError()
  const type = isText ? sql`text` : sql`bigint`
  const direction = toDirection(isAscending)
  const isAfterCursor =
    after === ''
      ? sql`true`
      : sql`(value, user_num, ordinal) ${toComparison(isAscending)} (${value}::${type}, ${userNum}::bigint, ${ordinal}::bigint)`
  const { rows } = await sql<Purchase & { key: string }>`
    with newest as (
      select p.* from purchases p where ${matches}
      order by p.created_at desc, p.user_num desc, p.ordinal desc limit ${SORTED_ORDERS_MAX}),
    sortable_orders as (
      select p.user_num, p.ordinal, (${SORT_VALUES[key]})::${type} as value
      from newest p join accounts a on a.user_num = p.user_num)
    select user_num, ordinal, user_num || '|' || ordinal || '|' || value as key
    from sortable_orders where ${isAfterCursor}
    order by value ${direction}, user_num ${direction}, ordinal ${direction} limit ${DESK_PAGE_SIZE + 1}`.execute(db)
  return rows
}

/**
 * Parses `next` of the previous page: the time with the precision of the database, the account's number and the purchase's
 * ordinal. The first page has none of them.
 *
 * @throws Refusal 422
 */
function parseCursorKey(after: string): { at: string; numbers: number[] } {
  if (!/^(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d[\d.]*[+-]\d\d(:\d\d)?)?(\|\d{1,15}){0,2}$/.test(after))
    throw createCursorError()
  const [at = '', ...numbers] = after.split('|')
  return { at, numbers: numbers.map(Number) }
}

/** Finds an account by its user ID in any letter case, or else by its number. */
async function findPlayer(db: Db, player: string): Promise<number | undefined> {
  const { rows } = await sql<{ user_num: number }>`
    select user_num from accounts where lower(user_id) = lower(${player})
    union all
    select user_num from accounts where user_num = ${parseTypedNumber(player)}::bigint
    limit 1`.execute(db)
  return rows[0]?.user_num
}

/** Finds an item by its number, or items whose names contain a text. Names that begin with it come first. */
async function findItems(db: Db, item: string): Promise<number[]> {
  if (parseTypedNumber(item) >= 0) return [parseTypedNumber(item)]
  const pattern = escapeLike(item)
  const { rows } = await sql<{ product_num: number }>`
    select product_num from shop_items where search_fold(item_name) like '%' || search_fold(${pattern}) || '%'
    order by search_fold(item_name) like search_fold(${pattern}) || '%' desc, product_num
    limit ${MATCHING_ITEMS_MAX}`.execute(db)
  return rows.map(({ product_num }) => product_num)
}

type Purchase = { user_num: number; ordinal: number }
type OrderRow = Purchase & {
  user_id: string
  product_num: number
  item_name: string
  quantity: number
  currency: 'r_coin' | 'milleage'
  price: number
  bought_at: Date
  gift: GiftState | null
  /** The delivery numbers of the units in each stage. */
  stages: Partial<Record<UnitStage, number[]>>
}

/** Returns purchases for the desk's list, in the given order. */
async function readOrders(db: Db, purchases: readonly Purchase[]) {
  if (purchases.length === 0) return []
  const { rows } = await sql<OrderRow>`
    select p.user_num, p.ordinal, a.user_id, p.product_num, p.item_name, p.quantity, p.price, p.created_at as bought_at,
      case when p.section = ${R_COIN_SECTION} then 'r_coin' else 'milleage' end as currency, g.state as gift, u.stages
    from unnest(${purchases.map((purchase) => purchase.user_num)}::bigint[], ${purchases.map((purchase) => purchase.ordinal)}::bigint[])
      with ordinality as requested_orders (user_num, ordinal, nth)
    join purchases p on p.user_num = requested_orders.user_num and p.ordinal = requested_orders.ordinal
    join accounts a on a.user_num = p.user_num
    left join letter_gifts g on g.buyer = p.user_num and g.bought_ordinal = p.ordinal
    cross join lateral (
      select coalesce(jsonb_object_agg(stage, units), '{}') as stages
      from (
        select ${UNIT_STAGE} as stage, jsonb_agg(d.delivery order by d.delivery) as units from deliveries d
        where d.user_num = p.user_num and d.ordinal = p.ordinal group by 1) s) u
    order by requested_orders.nth`.execute(db)
  return rows.map(({ user_num, ordinal, stages, ...row }) => ({
    order: `${user_num}-${ordinal}`,
    user_num,
    ...row,
    total: row.price * row.quantity,
    ...(Object.fromEntries(UNIT_STAGES.map((stage) => [stage, stages[stage]?.length ?? 0])) as Record<
      UnitStage,
      number
    >),
    again: [...(stages.failed ?? []), ...(stages.lost ?? [])].toSorted((a, b) => a - b),
  }))
}

/** Parses `12-3` as the account's number and the number of its purchase. */
function parseOrderNumber(order: string): Purchase {
  const [user_num = 0, ordinal = 0] = order.split('-').map(Number)
  return { user_num, ordinal }
}

/** Selects the delivery numbers of all units of orders. Ignores unknown orders. */
export async function selectUnitsByOrder(db: Db, orders: readonly string[]): Promise<number[]> {
  const purchases = orders.map(parseOrderNumber)
  const { rows } = await sql<{ delivery: number }>`
    select d.delivery
    from unnest(${purchases.map((purchase) => purchase.user_num)}::bigint[], ${purchases.map((purchase) => purchase.ordinal)}::bigint[])
      as requested_orders (user_num, ordinal)
    join deliveries d on d.user_num = requested_orders.user_num and d.ordinal = requested_orders.ordinal
    order by d.delivery`.execute(db)
  return rows.map(({ delivery }) => delivery)
}

type Order = CallAnswer<typeof getOrder>
type UnitRow = Omit<Order['units'][number], 'can_refund' | 'can_refund_picked_up'>
type EntryRow = Order['entries'][number]
type GiftRow = {
  way: 'sent' | 'got'
  user_num: number | null
  user_id: string | null
  ended_at: Date | null
  refund_entry: number | null
  /** The ordinal of the recipient's order for a sent gift, of the buyer's for a received one. */
  counterpart_ordinal: number | null
}

/** Selects the gift that a purchase paid for or came from; undefined for any other purchase. */
async function selectGiftByOrder(db: Db, { user_num, ordinal }: Purchase): Promise<GiftRow | undefined> {
  const { rows } = await sql<GiftRow>`
    select 'sent' as way, a.user_num, a.user_id, g.ended_at, g.refund_entry, p.ordinal as counterpart_ordinal
    from letter_gifts g join accounts a on a.user_num = g.recipient
    left join purchases p on p.gift = g.letter
    where g.buyer = ${user_num} and g.bought_ordinal = ${ordinal}
    union all
    select 'got', g.buyer, a.user_id, p.created_at, null, g.bought_ordinal
    from purchases p join letter_gifts g on g.letter = p.gift left join accounts a on a.user_num = g.buyer
    where p.user_num = ${user_num} and p.ordinal = ${ordinal}`.execute(db)
  return rows[0]
}

/** Selects an order with its units, its ledger entries and the orders bought together with it; undefined if not found. */
export async function selectOrder(db: Db, orderNumber: string) {
  const { user_num, ordinal } = parseOrderNumber(orderNumber)
  const [order] = await readOrders(db, [{ user_num, ordinal }])
  if (order === undefined) return undefined
  const { rows: units } = await sql<UnitRow>`
    select delivery, unit, ${UNIT_STAGE} as stage, queued_at, handed_at, delivered_at, claimed_at, failed_at, failure,
      retry_at, (select a.user_id from accounts a where a.user_num = d.deliver_to) as to, pur_key, in_game, refund_refused,
      state = 'queued' and exists (select from bridges where revoked_at is null)
        and not exists (select from game_links g where g.user_num = coalesce(d.deliver_to, d.user_num)) as waits_for_account,
      refund_requested_at, refunded_at
    from deliveries d where user_num = ${user_num} and ordinal = ${ordinal} order by unit`.execute(db)
  const gift = await selectGiftByOrder(db, { user_num, ordinal })
  const { rows: entries } = await sql<EntryRow>`
    with payments as materialized (
      select l.* ${buildPaymentsFrom(sql`${user_num}`, sql`${ordinal}::bigint`)} and l.currency = ${order.currency}),
    entries as (
      select * from payments
      union all
      select l.* from refunds r join ledger l on l.entry = r.ledger_entry
      where r.delivery = any(${units.map(({ delivery }) => delivery)}::bigint[])
      union all
      select l.* from ledger l where l.entry = ${gift?.refund_entry ?? null}::bigint
      union all
      select l.* from deliveries d join refunds r on r.delivery = d.delivery join ledger l on l.entry = r.ledger_entry
      where ${gift?.way === 'sent'} and d.user_num = ${gift?.user_num ?? null}::bigint
        and d.ordinal = ${gift?.counterpart_ordinal ?? null}::bigint)
    select e.entry, e.created_at as at, e.currency, e.delta, e.balance_after, e.reason, e.reference, a.user_id as actor
    from entries e left join accounts a on a.user_num = e.actor order by e.entry`.execute(db)
  const { first, last } = parsePurchaseReference(entries[0]?.reference ?? '') ?? { first: 0, last: 0 }
  const ordersTogether = await db
    .selectFrom('purchases')
    .where('user_num', '=', user_num)
    .where('ordinal', '>=', first)
    .where('ordinal', '<=', last)
    .where('ordinal', '<>', ordinal)
    .select(['ordinal', 'item_name', 'quantity'])
    .orderBy('ordinal')
    .execute()
  return {
    order,
    units,
    entries,
    together: ordersTogether.map((purchase) => ({ ...purchase, order: `${user_num}-${purchase.ordinal}` })),
    gift: gift === undefined ? null : toGift(gift),
  }
}

/** Converts a gift for the desk. A gift by staff has no order that paid for it. */
const toGift = ({ way, user_num, user_id, ended_at, counterpart_ordinal }: GiftRow) => ({
  way,
  user_num,
  user_id,
  ended_at,
  order: counterpart_ordinal === null ? null : `${user_num}-${counterpart_ordinal}`,
})
