import { sql } from 'kysely'
import { findItemProblems, type ItemValues, saveItem } from '#contract/desk-items.ts'
import { getClassCodes } from '#contract/game.ts'
import type { Db } from '#server/db/open.ts'
import { createInputRefusal, refuse } from '#server/errors.ts'
import { type DeskItem, selectItemsByNumber } from './desk-queries.ts'

/** The columns that operators fill in and that have the same names in the CSV file. */
export const CSV_FIELDS = [
  'price',
  'description',
  'icon',
  'image_url',
  'ribbon',
  'ribbon_picture',
  'sale_price',
  'sale_starts_at',
  'sale_ends_at',
  'account_limit',
  'game_product_num',
  'sold_from',
  'sold_until',
  'hidden',
] as const

/** The columns of a service (SERVICE-1). */
const SERVICE_FIELDS = [
  'service',
  'service_pause_hours',
  'service_classes',
  'service_schools',
  'service_choices',
] as const

/** All columns that operators fill in. */
export const ITEM_FIELDS = ['item_name', 'category_id', 'section', ...CSV_FIELDS, ...SERVICE_FIELDS] as const

/** Returns the values of an item that operators fill in. */
export const getItemValues = (item: ItemValues): ItemValues =>
  Object.fromEntries(ITEM_FIELDS.map((field) => [field, item[field]])) as ItemValues

const isWithin = (start: string | null, end: string | null, now: Date) =>
  (start === null || Date.parse(start) <= now.getTime()) && (end === null || now.getTime() < Date.parse(end))

/** The author of a change, and its time. */
export type Writer = { by: number; now: Date }

/** Returns the columns of an item: the values that operators fill in, and those that derive from them at the present time. */
function toColumns(item: ItemValues, { by, now }: Writer) {
  return {
    ...getItemValues(item),
    priced_by: by,
    kind: item.service === null ? 'item' : 'service',
    service_pause_hours: item.service === null ? null : (item.service_pause_hours ?? 0),
    service_classes: item.service_classes.flatMap(getClassCodes),
    on_sale: item.sale_price !== null && isWithin(item.sale_starts_at, item.sale_ends_at, now),
    visible: !item.hidden && isWithin(item.sold_from, item.sold_until, now),
  }
}

/** Returns whether a bridge to the game is paired. A bridge delivers items by their numbers in the game. */
export async function isBridgePaired(db: Db): Promise<boolean> {
  const pairedBridges = db.selectFrom('bridges').where('revoked_at', 'is', null).select('bridge').limit(1)
  return (await pairedBridges.executeTakeFirst()) !== undefined
}

/** A change of an item, or a new item if `product_num` is null. */
export type ItemChange = ItemValues & { product_num: number | null; version: number | null }

/**
 * Writes a change of an item, or adds an item at the end of the shop. Call this in a transaction.
 *
 * @returns the item before and after
 * @throws Refusal 404, 409 if the item has another version, 422
 */
export async function writeItem(
  tx: Db,
  change: ItemChange,
  writer: Writer,
): Promise<{ before: DeskItem | undefined; after: DeskItem }> {
  const { product_num: productNum, version } = change
  const { now } = writer
  const category = await tx
    .selectFrom('shop_categories')
    .where('id', '=', change.category_id)
    .select('id')
    .executeTakeFirst()
  if (category === undefined) throw refuse(saveItem, 'categoryNotFound')
  const before = productNum === null ? undefined : await lockItem(tx, productNum, now)
  if (before !== undefined && before.version !== version) throw refuse(saveItem, 'conflict')
  const problems = findItemProblems(change, { storedItem: before, now, isBridgePaired: await isBridgePaired(tx) })
  if (Object.keys(problems).length > 0) throw createInputRefusal(problems)
  const [newNumber] = await writeRows(tx, [change], writer)
  const productNumber = before?.product_num ?? newNumber ?? 0
  const [after] = await selectItemsByNumber(tx, now, { items: [productNumber] })
  if (after === undefined) throw new Error('The item was not written.')
  return { before, after }
}

async function lockItem(tx: Db, productNum: number, now: Date): Promise<DeskItem> {
  const [item] = await selectItemsByNumber(tx, now, { items: [productNum], lock: true })
  if (item === undefined) throw refuse(saveItem, 'itemNotFound')
  return item
}

/**
 * Writes checked items, with one statement for existing items and one for new items. New items go to the end of the shop
 * in their order.
 *
 * @returns the numbers of the new items
 */
export async function writeRows(tx: Db, changes: readonly ItemChange[], writer: Writer): Promise<number[]> {
  const [firstChange] = changes
  if (firstChange === undefined) return []
  const columns = Object.keys(toColumns(firstChange, writer))
  const columnList = sql.join(columns.map((column) => sql.ref(column)))
  const toRows = (rowChanges: readonly ItemChange[]) => {
    const rows = rowChanges.map((change) => ({ product_num: change.product_num, ...toColumns(change, writer) }))
    return sql`jsonb_populate_recordset(null::shop_items, ${JSON.stringify(rows)}::jsonb) as input`
  }
  const existingItems = changes.filter(({ product_num }) => product_num !== null)
  if (existingItems.length > 0) {
    const set = columns.map((column) => sql`${sql.ref(column)} = ${sql.ref(`input.${column}`)}`)
    await sql`update shop_items i set ${sql.join(set)}, version = i.version + 1 from ${toRows(existingItems)}
      where input.product_num = i.product_num`.execute(tx)
  }
  const newItems = changes.filter(({ product_num }) => product_num === null)
  if (newItems.length === 0) return []
  // Without the lock, new items of concurrent calls would get the same positions.
  await sql`select pg_advisory_xact_lock(hashtext('shop_items position'))`.execute(tx)
  const { rows } = await sql<{ product_num: number }>`
    insert into shop_items (${columnList}, position)
    select ${columnList}, (select coalesce(max(position), 0) from shop_items) + row_number() over ()
    from ${toRows(newItems)} returning product_num`.execute(tx)
  return rows.map(({ product_num }) => product_num)
}

/** Hides or shows items. @returns the changed items */
export async function hideItems(tx: Db, items: number[], hidden: boolean, now: Date): Promise<DeskItem[]> {
  const foundItems = await selectItemsByNumber(tx, now, { items, lock: true })
  const changedItems = foundItems.filter((item) => item.hidden !== hidden)
  await sql`
    update shop_items set hidden = ${hidden}, version = version + 1,
      visible = not ${hidden} and is_within(sold_from, sold_until, ${now}::timestamptz)
    where product_num = any(${changedItems.map(({ product_num }) => product_num)}::bigint[])`.execute(tx)
  return changedItems
}

/** Moves items to a category. @returns the moved items before the change */
export async function moveToCategory(tx: Db, items: number[], category: number, now: Date): Promise<DeskItem[]> {
  const foundItems = await selectItemsByNumber(tx, now, { items, lock: true })
  const movedItems = foundItems.filter((item) => item.category_id !== category)
  await sql`update shop_items set category_id = ${category}, version = version + 1
    where product_num = any(${movedItems.map(({ product_num }) => product_num)}::bigint[])`.execute(tx)
  return movedItems
}

/**
 * Moves an item before another item, or to the end. Changes only the positions between the two.
 *
 * @throws Refusal 404
 */
export async function moveItem(tx: Db, productNum: number, before: number | null): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('shop_items position'))`.execute(tx)
  const { rows } = await sql<{ product_num: number; nth: number }>`
    with ordered as (select product_num, position, row_number() over (order by position, product_num)::int as nth from shop_items)
    select product_num, nth from ordered
    where product_num in (${productNum}, ${before ?? productNum})`.execute(tx)
  const item = rows.find((row) => row.product_num === productNum)
  const target = rows.find((row) => row.product_num === before)
  if (item === undefined || (before !== null && target === undefined)) throw refuse(saveItem, 'itemNotFound')
  await sql`
    with ordered as (select product_num, row_number() over (order by position, product_num)::int as nth from shop_items),
    placed as (
      select product_num, row_number() over (order by
        case when product_num = ${productNum} then coalesce(${target?.nth ?? null}::int, (select count(*) + 1 from ordered)) - 0.5
          else nth end)::int as place
      from ordered)
    update shop_items i set position = p.place from placed p
    where p.product_num = i.product_num and i.position <> p.place`.execute(tx)
}

/** Sets new prices of items, or the prices of a sale with its start and end, in one statement. */
export async function writePrices(
  tx: Db,
  items: readonly { product_num: number; price: number }[],
  sale: { starts: string | null; ends: string | null } | null,
  { by, now }: Writer,
): Promise<void> {
  const numbers = items.map(({ product_num }) => product_num)
  const prices = items.map(({ price }) => price)
  const input = sql`unnest(${numbers}::bigint[], ${prices}::bigint[]) as input (product_num, new_price)`
  await (sale === null
    ? sql`update shop_items i set price = new_price, priced_by = ${by}, version = version + 1 from ${input}
        where input.product_num = i.product_num`
    : sql`update shop_items i set sale_price = new_price, sale_starts_at = ${sale.starts}::timestamptz,
          sale_ends_at = ${sale.ends}::timestamptz, on_sale = ${isWithin(sale.starts, sale.ends, now)},
          priced_by = ${by}, version = version + 1 from ${input}
        where input.product_num = i.product_num`
  ).execute(tx)
}
