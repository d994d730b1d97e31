import { sql } from 'kysely'
import type { Db } from '#server/db/open.ts'

/** An item whose sale or time on the shelf has begun or ended since it was last looked at. */
const isChanged = (moment: unknown) => sql<boolean>`
  (sale_price is not null or sold_from is not null or sold_until is not null)
  and (on_sale <> (sale_price is not null and is_within(sale_starts_at, sale_ends_at, ${moment}))
    or visible <> (not hidden and is_within(sold_from, sold_until, ${moment})))`

/** Whether an item's sale or time on the shelf has begun or ended by the database's clock. */
export async function hasChangedItem(db: Db): Promise<boolean> {
  const { rows } = await sql<{ due: boolean }>`
    select exists (select from shop_items where ${isChanged(sql`clock_timestamp()`)}) as due`.execute(db)
  return rows[0]?.due === true
}

/**
 * Puts items on the shelf or takes them off, and sorts them by their sale's price, once their moment has come. The change
 * expires cached pages. Purchases do not wait for it: they go by the clock.
 */
export async function updateItemSales(db: Db, now: Date): Promise<void> {
  const moment = sql`${now}::timestamptz`
  await sql`
    update shop_items
    set on_sale = sale_price is not null and is_within(sale_starts_at, sale_ends_at, ${moment}),
        visible = not hidden and is_within(sold_from, sold_until, ${moment})
    where ${isChanged(moment)}`.execute(db)
}
