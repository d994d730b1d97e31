import * as calls from '#contract/desk-items.ts'
import { calculateNewPrice } from '#contract/desk-items.ts'
import { formatCount } from '#contract/numbers.ts'
import { createCollection } from '#server/collections.ts'
import type { Db } from '#server/db/open.ts'
import type { Deps } from '#server/deps.ts'
import { type RefusingCall, refuse, refuseViolations } from '#server/errors.ts'
import { type DeskTools, type MountedCall, mount } from '#server/http/mount.ts'
import { readSettingsNow } from '#server/settings.ts'
import {
  type DeskItem,
  findItems,
  selectDeskCategories,
  selectDeskItems,
  selectItemsByNumber,
  selectItemsToReprice,
  selectPrices,
  selectUsualPrices,
} from './desk-queries.ts'
import {
  type CsvChanges,
  describeItemChange,
  describeNewItem,
  readItemsCsv,
  writeItemsCsv,
  writeItemsTemplate,
} from './items-csv.ts'
import { findPriceRisk, requestPriceApproval } from './usual-price.ts'
import {
  getItemValues,
  hideItems,
  moveItem,
  moveToCategory,
  type Writer,
  writeItem,
  writePrices,
  writeRows,
} from './write-items.ts'

const categoryCollection = createCollection('shop_categories', {
  notFoundName: 'categoryNotFound',
  newRowPosition: 'last',
})

const REPRICE_MAX = 1000
const CHANGES_SHOWN_MAX = 200

const formatItems = (count: number) => (count === 1 ? '1 item' : `${formatCount(count)} items`)

const getItemNumbers = (rows: readonly { product_num: number }[]) => rows.map(({ product_num }) => product_num)

const createWriter = ({ staff, deps }: Pick<DeskTools, 'staff'> & { deps: Pick<Deps, 'now'> }): Writer => ({
  by: staff.userNum,
  now: deps.now(),
})

/** The calls of the desk about items, prices and categories. */
export const shopDeskCalls: MountedCall[] = [
  mount(calls.getDeskItems, (filters, { deps }) => selectDeskItems(deps.browseDb, filters, deps.now())),

  mount(calls.findItems, async ({ q }, { deps }) => ({ rows: await findItems(deps.browseDb, q) })),

  mount(calls.getItemsCsv, async (_, { deps, record }) => {
    const allItems = await selectItemsByNumber(deps.browseDb, deps.now(), {})
    record({ target: ['list', '/admin/items'], after: { rows: allItems.length } })
    const name = `items-${deps.now().toISOString().slice(0, 10)}.csv`
    return new File([writeItemsCsv(allItems)], name, { type: 'text/csv' })
  }),

  mount(calls.getItemsTemplate, async (_, { deps }) => {
    const [category] = await selectDeskCategories(deps.db)
    const text = writeItemsTemplate(category?.category_name ?? 'Costumes')
    return new File([text], 'items-template.csv', { type: 'text/csv' })
  }),

  mount(calls.previewPrices, async (input, { deps }) => {
    const { browseDb: db, now } = deps
    const terms = { now: now(), floor: (await readSettingsNow(deps)).price_floor }
    const requestedNumbers = input.items === '' ? undefined : input.items.split(',').map(Number)
    const repricedItems =
      requestedNumbers === undefined
        ? await selectItemsToReprice(db, now(), { ...input, limit: REPRICE_MAX + 1 })
        : await selectItemsByNumber(db, now(), { items: requestedNumbers })
    if (repricedItems.length > REPRICE_MAX) throw refuse(calls.previewPrices, 'tooMany')
    return {
      rows: repricedItems.map((item) => {
        const new_price = calculateNewPrice(item.price, input)
        const problem = findPriceProblem(item, input.target, new_price)
        const after =
          input.target === 'sale'
            ? { ...item, sale_price: new_price, sale_ends_at: null }
            : { ...item, price: new_price }
        return { ...item, new_price, problem, risk: findPriceRisk(item, after, item, terms) }
      }),
    }
  }),

  mount(calls.getDeskItem, async ({ product_num }, { deps }) => {
    const [item] = await selectItemsByNumber(deps.db, deps.now(), { items: [product_num] })
    if (item === undefined) throw refuse(calls.getDeskItem, 'itemNotFound')
    return { item, prices: await selectPrices(deps.db, product_num) }
  }),

  mount(calls.saveItem, async (change, context) => {
    const { deps } = context
    const { before, after } = await writeItem(deps.db, change, createWriter(context)).catch(
      refusePicture(calls.saveItem),
    )
    await requestPriceApproval(context, before === undefined ? [] : [before], [after.product_num])
    context.record({
      target: ['item', after.product_num],
      before: before === undefined ? {} : { ...getItemValues(before) },
      after: { ...getItemValues(after) },
    })
    return { message: before === undefined ? `“${after.item_name}” is in the list.` : 'Saved.', item: after }
  }),

  mount(calls.hideItems, async ({ items: numbers, hidden }, context) => {
    const { deps } = context
    const changedItems = await hideItems(deps.db, numbers, hidden, deps.now()).catch(refusePicture(calls.hideItems))
    await requestPriceApproval(context, changedItems, getItemNumbers(changedItems))
    const [firstItem] = changedItems
    const isSingle = changedItems.length === 1 && firstItem !== undefined
    context.record({
      target: isSingle ? ['item', firstItem.product_num] : ['items', changedItems.length],
      before: isSingle ? { hidden: !hidden } : {},
      after: isSingle ? { hidden } : { hidden, items: getItemNumbers(changedItems) },
    })
    return {
      message: `${formatItems(changedItems.length)} ${hidden ? 'hidden' : 'shown again'}.`,
      changed: changedItems.length,
    }
  }),

  mount(calls.moveToCategory, async ({ items: numbers, category_id }, { deps: { db: tx, now }, record }) => {
    const category = await lockCategory(tx, category_id, calls.moveToCategory)
    const movedItems = await moveToCategory(tx, numbers, category_id, now()).catch(refusePicture(calls.moveToCategory))
    record({
      target: ['category', category_id],
      before: Object.fromEntries(movedItems.map((item) => [`category of item ${item.product_num}`, item.category_id])),
      after: Object.fromEntries(movedItems.map((item) => [`category of item ${item.product_num}`, category_id])),
    })
    return {
      message: `${formatItems(movedItems.length)} moved to “${category.category_name}”.`,
      changed: movedItems.length,
    }
  }),

  mount(calls.moveItem, async ({ product_num, before }, { deps, record }) => {
    await moveItem(deps.db, product_num, before).catch(refusePicture(calls.moveItem))
    record({
      target: ['item', product_num],
      after: { moved: before === null ? 'to the end' : `before item ${before}` },
    })
    return { message: 'Moved.' }
  }),

  mount(calls.changePrices, async ({ target, sale_starts_at, sale_ends_at, rows }, context) => {
    const { db: tx, now } = context.deps
    if (sale_starts_at !== null && sale_ends_at !== null && Date.parse(sale_ends_at) <= Date.parse(sale_starts_at))
      throw refuse(calls.changePrices, 'endsEarly')
    if (sale_ends_at !== null && Date.parse(sale_ends_at) <= now().getTime())
      throw refuse(calls.changePrices, 'endsInThePast')
    const presentItems = await selectItemsByNumber(tx, now(), { items: getItemNumbers(rows), lock: true })
    const itemsByNumber = new Map(presentItems.map((item) => [item.product_num, item]))
    for (const { product_num, version, price } of rows) {
      const item = itemsByNumber.get(product_num)
      if (item?.version !== version) throw refuse(calls.changePrices, 'conflict')
      if (findPriceProblem(item, target, price) !== null) throw refuse(calls.changePrices, 'notBelow')
    }
    const sale = target === 'sale' ? { starts: sale_starts_at, ends: sale_ends_at } : null
    await writePrices(tx, rows, sale, createWriter(context)).catch(refusePicture(calls.changePrices))
    await requestPriceApproval(context, presentItems, getItemNumbers(rows))
    const field = target === 'sale' ? 'sale_price' : 'price'
    context.record({
      target: ['items', rows.length],
      before: Object.fromEntries(presentItems.map((item) => [`${field} of item ${item.product_num}`, item[field]])),
      after: {
        ...Object.fromEntries(rows.map((row) => [`${field} of item ${row.product_num}`, row.price])),
        ...(sale !== null && { sale_starts_at, sale_ends_at }),
      },
    })
    return { message: `${formatItems(rows.length)} changed.`, changed: rows.length }
  }),

  mount(calls.checkItemsCsv, async ({ file }, { deps, record }) => {
    const fileChanges = await readItemsCsv(deps.db, await file.bytes(), deps.now())
    const { price_floor: priceFloor } = await readSettingsNow(deps)
    const { added, changed, unchanged, problems, checked } = fileChanges
    const counts = { added: added.length, changed: changed.length, unchanged }
    record({ target: ['items', 'CSV file'], after: { ...counts, problems: problems.length } })
    return {
      ...counts,
      checked,
      problems: problems.slice(0, 1000),
      changes: await describeChanges(deps.db, fileChanges, { now: deps.now(), floor: priceFloor }),
    }
  }),

  mount(calls.importItemsCsv, async ({ file, checked }, context) => {
    const { db: tx, now } = context.deps
    const fileChanges = await readItemsCsv(tx, await file.bytes(), now(), true)
    if (fileChanges.checked !== checked) throw refuse(calls.importItemsCsv, 'conflict')
    if (fileChanges.problems.length > 0) throw refuse(calls.importItemsCsv, 'hasProblems')
    const changes = [...fileChanges.changed, ...fileChanges.added].map(({ change }) => change)
    const added = await writeRows(tx, changes, createWriter(context)).catch(refusePicture(calls.importItemsCsv))
    const before = fileChanges.changed.map((change) => change.before)
    await requestPriceApproval(context, before, [...getItemNumbers(before), ...added])
    const counts = { added: fileChanges.added.length, changed: fileChanges.changed.length }
    context.record({ target: ['items', 'CSV file'], after: { ...counts, items: getItemNumbers(before) } })
    return { message: `${formatItems(counts.changed)} changed, ${formatItems(counts.added)} added.`, ...counts }
  }),

  mount(calls.getDeskCategories, async (_, { deps }) => ({ rows: await selectDeskCategories(deps.db) })),

  mount(calls.saveCategory, async ({ id, version, category_name }, { deps, record }) => {
    const { db: tx } = deps
    const savedCategory = await categoryCollection
      .save(tx, calls.saveCategory, { id, version }, { category_name })
      .catch(refuseViolations(calls.saveCategory, { shop_categories_category_name_key: 'taken' }))
    record({ target: ['category', savedCategory.id], before: savedCategory.before, after: savedCategory.after })
    const [category] = await selectDeskCategories(tx, savedCategory.id)
    if (category === undefined) throw new Error('The category was not written.')
    return { message: id === null ? `“${category_name}” is added.` : 'Saved.', category }
  }),

  mount(calls.orderCategories, async ({ categories: categoryOrder }, { deps: { db: tx }, record }) => {
    await categoryCollection.reorder(tx, calls.orderCategories, categoryOrder)
    record({ target: ['categories', 'order'], after: { order: categoryOrder } })
    return { message: 'Saved.' }
  }),

  mount(calls.deleteCategory, async ({ id }, { deps: { db: tx }, record }) => {
    const before = await lockCategory(tx, id, calls.deleteCategory)
    const [category] = await selectDeskCategories(tx, id)
    if (category?.items !== 0) throw refuse(calls.deleteCategory, 'hasItems')
    await tx.deleteFrom('shop_categories').where('id', '=', id).execute()
    record({ target: ['category', id], before: { category_name: before.category_name } })
    return { message: `“${before.category_name}” is deleted.` }
  }),
]

/** Refuses an item with a picture from another site. Items from older versions can still have one. */
const refusePicture = (call: RefusingCall<'oldPicture'>) =>
  refuseViolations(call, { shop_items_image_url_is_own: 'oldPicture' })

/** Returns the reason why an item cannot have a price. */
function findPriceProblem(item: DeskItem, target: 'price' | 'sale', price: number): string | null {
  if (price > 999_999_999) return 'The highest price is 999,999,999.'
  if (target === 'sale') return price < item.price ? null : 'The sale price must be below the price.'
  return item.sale_price === null || price > item.sale_price
    ? null
    : `Its sale price is ${formatCount(item.sale_price)}, which is not below the new price.`
}

/** Describes up to `CHANGES_SHOWN_MAX` changes of a file in one line each. Changes that need an approval come first. */
async function describeChanges(db: Db, { added, changed }: CsvChanges, terms: Parameters<typeof findPriceRisk>[3]) {
  const newItems = added.map(({ change }) => change)
  const usualPrices = await selectUsualPrices(db, terms.now, newItems)
  const noPrice = { usual_price: null, only_r_coin: null }
  return [
    ...changed.map((itemChange) => ({
      line: itemChange.line,
      product_num: itemChange.before.product_num,
      item_name: itemChange.change.item_name,
      what: describeItemChange(itemChange).slice(0, 500),
      risk: findPriceRisk(itemChange.before, itemChange.change, itemChange.before, terms),
    })),
    ...added.map((itemChange, index) => ({
      line: itemChange.line,
      product_num: null,
      item_name: itemChange.change.item_name,
      what: describeNewItem(itemChange),
      risk: findPriceRisk(undefined, itemChange.change, usualPrices[index] ?? noPrice, terms),
    })),
  ]
    .sort((a, b) => Number(b.risk !== null) - Number(a.risk !== null) || a.line - b.line)
    .slice(0, CHANGES_SHOWN_MAX)
}

async function lockCategory(tx: Db, id: number, call: RefusingCall<'categoryNotFound'>) {
  const query = tx.selectFrom('shop_categories').where('id', '=', id).selectAll().forUpdate()
  const category = await query.executeTakeFirst()
  if (category === undefined) throw refuse(call, 'categoryNotFound')
  return category
}
