import { sql } from 'kysely'
import type { Db } from '#server/db/open.ts'

/** Whether an item's sale or time in the shop has begun or ended since the last run. */
const isDueForUpdate = (moment: unknown) => sql<boolean>`
  (sale_price is not null or sold_from is not null or sold_until is not null)
  and (on_sale <> (sale_price is not null and is_within(sale_starts_at, sale_ends_at, ${moment}))
    or visible <> (not hidden and is_within(sold_from, sold_until, ${moment})))`

/** Returns whether an item's sale or time in the shop has begun or ended, by the database's clock. */
export async function hasChangedItem(db: Db): Promise<boolean> {
  const { rows } = await sql<{ due: boolean }>`
    select exists (select from shop_items where ${isDueForUpdate(sql`clock_timestamp()`)}) as due`.execute(db)
  return rows[0]?.due === true
}

/**
 * Shows or hides items whose time in the shop has begun or ended, and updates the prices to sort by. The change expires
 * cached pages. Purchases do not depend on this job, because they compare the times themselves.
 */
export async function updateItemSales(db: Db, now: Date): Promise<void> {
  const moment = sql`${now}::timestamptz`
  await sql`
    update shop_items
    set on_sale = sale_price is not null and is_within(sale_starts_at, sale_ends_at, ${moment}),
        visible = not hidden and is_within(sold_from, sold_until, ${moment})
    where ${isDueForUpdate(moment)}`.execute(db)
}
