import { sql } from 'kysely'
import { CART_LINES_MAX, LINE_QUANTITY_MAX } from '#contract/limits.ts'
import type { Db } from '#server/db/open.ts'

/** The lines of a cart whose items are still sold, in the order they were added. */
export function selectCart(db: Db, userNum: number) {
  return db
    .selectFrom('cart_lines as l')
    .innerJoin('shop_items as i', 'i.product_num', 'l.product_num')
    .where('l.user_num', '=', userNum)
    .where('i.visible', '=', true)
    .select(['l.seq', 'l.quantity', 'l.is_checked'])
    .selectAll('i')
    .orderBy('l.seq')
    .execute()
}

export type AddOutcome = 'added' | 'no-item' | 'line-full' | 'cart-full'

/** Adds one of an item under the account's lock, so that neither limit can be passed by two at once. */
export async function addLine(db: Db, userNum: number, productNum: number): Promise<AddOutcome> {
  const { rows } = await sql<{ outcome: AddOutcome }>`with
    me as materialized (select user_num from accounts where user_num = ${userNum} for update),
    item as (select product_num from shop_items where product_num = ${productNum} and visible),
    held as (select count(*) as lines, coalesce(max(quantity) filter (where product_num = ${productNum}), 0) as quantity
             from cart_lines, me where cart_lines.user_num = me.user_num),
    verdict as (select case
      when not exists (select from item) then 'no-item'
      when quantity >= ${LINE_QUANTITY_MAX} then 'line-full'
      when quantity = 0 and lines >= ${CART_LINES_MAX} then 'cart-full'
      else 'added' end as outcome from held),
    put as (
      insert into cart_lines (user_num, product_num, quantity)
      select me.user_num, item.product_num, 1 from me, item, verdict where verdict.outcome = 'added'
      on conflict (user_num, product_num) do update set quantity = cart_lines.quantity + 1, is_checked = true)
    select outcome from verdict`.execute(db)
  return rows[0]?.outcome ?? 'no-item'
}

/** Changes a line's quantity by one; one less of one removes it. @returns null for a line that is not the account's */
export async function stepLine(db: Db, userNum: number, seq: number, step: 1 | -1): Promise<'changed' | 'full' | null> {
  if (step === -1) {
    const removed = await db
      .deleteFrom('cart_lines')
      .where('seq', '=', seq)
      .where('user_num', '=', userNum)
      .where('quantity', '=', 1)
      .returning('seq')
      .execute()
    if (removed.length > 0) return 'changed'
  }
  const changed = await db
    .updateTable('cart_lines')
    .set((eb) => ({ quantity: eb('quantity', '+', step) }))
    .where('seq', '=', seq)
    .where('user_num', '=', userNum)
    .where((eb) => eb.between(eb('quantity', '+', step), 1, LINE_QUANTITY_MAX))
    .returning('seq')
    .execute()
  if (changed.length > 0) return 'changed'
  const line = await db
    .selectFrom('cart_lines')
    .where('seq', '=', seq)
    .where('user_num', '=', userNum)
    .select('seq')
    .executeTakeFirst()
  return line === undefined ? null : 'full'
}

/** Checks or unchecks a line. @returns whether there is such a line of the account */
export async function toggleLine(db: Db, userNum: number, seq: number): Promise<boolean> {
  const changed = await db
    .updateTable('cart_lines')
    .set((eb) => ({ is_checked: eb.not('is_checked') }))
    .where('seq', '=', seq)
    .where('user_num', '=', userNum)
    .returning('seq')
    .execute()
  return changed.length > 0
}

/** How many purchases an account has; a counter, so that a long history costs nothing. */
export async function countPurchases(db: Db, userNum: number): Promise<number> {
  const { purchase_count } = await db
    .selectFrom('accounts')
    .where('user_num', '=', userNum)
    .select('purchase_count')
    .executeTakeFirstOrThrow()
  return purchase_count
}

/** Purchases by their numbers within the account, newest first, with how far their units have come. */
export function selectPurchases(db: Db, userNum: number, { from, to }: { from: number; to: number }) {
  return db
    .selectFrom('purchases as p')
    .innerJoin('shop_items as i', 'i.product_num', 'p.product_num')
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
      'i.category_id',
      'i.description',
      'i.icon',
      'i.image_url',
      sql<{ state: 'queued' | 'delivered' | 'claimed' | 'refunded'; units: number }[]>`(
        select coalesce(json_agg(json_build_object('state', s.state, 'units', s.units) order by s.state), '[]')
        from (select state, count(*) as units from deliveries d
              where d.user_num = p.user_num and d.ordinal = p.ordinal group by state) s)`.as('deliveries'),
    ])
    .orderBy('p.ordinal', 'desc')
    .execute()
}
