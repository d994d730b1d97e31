import { sql } from 'kysely'
import { CART_LINES_MAX, LINE_QUANTITY_MAX } from '#contract/limits.ts'
import type { Db } from '#server/db/open.ts'
import { ITEM_COLUMNS } from '../shop/queries.ts'

/** Selects the lines of a cart whose items are on sale, in the order they were added. */
export function selectCart(db: Db, userNum: number) {
  return db
    .selectFrom('cart_lines as l')
    .innerJoin('shop_items as i', 'i.product_num', 'l.product_num')
    .where('l.user_num', '=', userNum)
    .where('i.visible', '=', true)
    .select(['l.seq', 'l.quantity', 'l.is_checked'])
    .select(ITEM_COLUMNS)
    .orderBy('l.seq')
    .execute()
}

type AddOutcome = 'added' | 'itemNotFound' | 'lineFull' | 'cartFull'

/**
 * Adds one unit of an item to a cart. Locks the account, because concurrent additions must not exceed a limit. A second
 * statement counts the lines, because a single one would see them as they were before it waited for the lock.
 */
export async function addLine(db: Db, userNum: number, productNum: number): Promise<AddOutcome> {
  return db.transaction().execute(async (tx) => {
    await sql`select from accounts where user_num = ${userNum} for no key update`.execute(tx)
    const { rows } = await sql<{ is_on_sale: boolean; has_room: boolean; is_added: boolean }>`with
      item as (select product_num from shop_items where product_num = ${productNum} and visible),
      room as (
        select exists (select from cart_lines where user_num = ${userNum} and product_num = ${productNum})
          or ${CART_LINES_MAX} > (
            select count(*) from cart_lines l join shop_items i on i.product_num = l.product_num and i.visible
            where l.user_num = ${userNum}) as has_room),
      added as (
        insert into cart_lines (user_num, product_num, quantity)
        select ${userNum}, product_num, 1 from item, room where has_room
        on conflict (user_num, product_num) do update set quantity = cart_lines.quantity + 1, is_checked = true
        where cart_lines.quantity < ${LINE_QUANTITY_MAX}
        returning seq)
      select exists (select from item) as is_on_sale, has_room, exists (select from added) as is_added from room`.execute(
      tx,
    )
    const [row] = rows
    if (row === undefined || !row.is_on_sale) return 'itemNotFound'
    if (row.is_added) return 'added'
    return row.has_room ? 'lineFull' : 'cartFull'
  })
}

/**
 * Changes a line's quantity by one, and removes a line with no units left. Locks the line first, because concurrent changes
 * must all count.
 *
 * @returns 'lineNotFound' for a line that is not the account's, 'lineFull' above 99
 */
export async function changeLineQuantity(
  db: Db,
  userNum: number,
  seq: number,
  step: 1 | -1,
): Promise<'changed' | 'lineFull' | 'lineNotFound'> {
  const { rows } = await sql<{ quantity: number }>`with
    line as materialized (
      select seq, quantity from cart_lines where seq = ${seq} and user_num = ${userNum} for update),
    stepped as (
      update cart_lines l set quantity = line.quantity + ${step}::int from line
      where l.seq = line.seq and line.quantity + ${step}::int between 1 and ${LINE_QUANTITY_MAX}),
    removed as (
      delete from cart_lines l using line where l.seq = line.seq and line.quantity + ${step}::int < 1)
    select quantity from line`.execute(db)
  const [line] = rows
  if (line === undefined) return 'lineNotFound'
  return line.quantity + step > LINE_QUANTITY_MAX ? 'lineFull' : 'changed'
}

/** Checks or unchecks a line. @returns whether there is such a line of the account */
export async function toggleLine(db: Db, userNum: number, seq: number): Promise<boolean> {
  const changedLines = await db
    .updateTable('cart_lines')
    .set((eb) => ({ is_checked: eb.not('is_checked') }))
    .where('seq', '=', seq)
    .where('user_num', '=', userNum)
    .returning('seq')
    .execute()
  return changedLines.length > 0
}

/** Returns the number of an account's purchases from a counter, which is fast for a long history. */
export async function countPurchases(db: Db, userNum: number): Promise<number> {
  const { purchase_count } = await db
    .selectFrom('accounts')
    .where('user_num', '=', userNum)
    .select('purchase_count')
    .executeTakeFirstOrThrow()
  return purchase_count
}

type DeliveryState = 'queued' | 'delivered' | 'claimed' | 'refunded'
type BoughtUnit = {
  unit: number
  state: DeliveryState
  since: string
  refundRequested: string | null
  refunded: string | null
}

/** Selects an account's purchases by their numbers, newest first, with the states of their units. */
export function selectPurchases(db: Db, userNum: number, { from, to }: { from: number; to: number }) {
  return db
    .selectFrom('purchases as p')
    .innerJoin('shop_items as i', 'i.product_num', 'p.product_num')
    .leftJoin('letter_gifts as g', (join) =>
      join.onRef('g.buyer', '=', 'p.user_num').onRef('g.bought_ordinal', '=', 'p.ordinal'),
    )
    .where('p.user_num', '=', userNum)
    .where('p.ordinal', '>=', from)
    .where('p.ordinal', '<=', to)
    .select([
      'p.ordinal',
      'p.quantity',
      'p.created_at',
      'p.product_num',
      'p.item_name',
      'p.section',
      'p.price',
      'p.gift',
      'g.state as gift_state',
      sql<string | null>`case when g.letter is not null then gift_addressee(g) end`.as('gift_to'),
      'i.category_id',
      'i.description',
      'i.icon',
      'i.image_url',
      'i.kind',
      'i.service',
      sql<BoughtUnit[]>`(
        select coalesce(json_agg(json_build_object('unit', unit, 'state', state, 'refundRequested', refund_requested_at, 'refunded', refunded_at,
          'since', coalesce(case state when 'delivered' then delivered_at when 'claimed' then claimed_at
            when 'refunded' then refunded_at end, queued_at)) order by unit), '[]')
        from deliveries d where d.user_num = p.user_num and d.ordinal = p.ordinal)`.as('units'),
      sql<{ state: DeliveryState; units: number }[]>`(
        select coalesce(json_agg(json_build_object('state', s.state, 'units', s.units) order by s.state), '[]')
        from (select state, count(*) as units from deliveries d
              where d.user_num = p.user_num and d.ordinal = p.ordinal group by state) s)`.as('deliveries'),
    ])
    .orderBy('p.ordinal', 'desc')
    .execute()
}
