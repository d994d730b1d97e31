import { z } from 'zod'
import * as f from 'zod/mini'
import { describeFields, type Field } from './describe-fields.ts'
import { choiceFilter, declareDeskCalls, textFilter } from './desk.ts'
import { conflict } from './errors.ts'
import { lineField, linesField, pictureField, recordIdField } from './fields.ts'
import { CLASS_NAMES } from './game.ts'
import { PRICE_MAX } from './limits.ts'
import { idParam } from './paging.ts'
import { offsetMoment, positiveId } from './scalars.ts'
import { CHOICE_MAX, FREE_SERVICE } from './services.ts'

const desk = declareDeskCalls('items', { read: 'items.read', write: 'items.write' })

const LOWEST_PRICE_RULE = 'The lowest price is 1.'

const priceField = (requiredText: string, minimum = 1) =>
  f
    .number(requiredText)
    .check(
      f.int('Use a whole number.'),
      f.minimum(minimum, LOWEST_PRICE_RULE),
      f.maximum(PRICE_MAX, 'The highest price is 999,999,999.'),
    )

const momentField = f.nullable(f.iso.datetime({ offset: true, error: 'Choose a date and time.' }))

export const itemForm = f.object({
  product_num: f.nullable(recordIdField),
  version: f.nullable(recordIdField),
  item_name: lineField(60, 'Give the item a name.'),
  category_id: f.number('Choose a category.').check(f.int(), f.positive()),
  section: f.number('Choose a currency.').check(f.int(), f.minimum(1), f.maximum(32_767)),
  // Only the free service may cost nothing; see findItemProblems.
  price: priceField('Enter a price.', 0),
  description: linesField(1000),
  icon: f.nullable(
    f
      .string('Choose a picture.')
      .check(
        f.maxLength(300, 'Choose a picture from this site.'),
        f.regex(/^(\/[^/\\\p{Cc}][^\p{Cc}]*|[\w.-]+)$/u, 'Choose a picture from this site.'),
      ),
  ),
  image_url: pictureField,
  ribbon: f.nullable(lineField(12, 'Enter a text for the ribbon, or remove it.')),
  ribbon_picture: pictureField,
  sale_price: f.nullable(priceField('Enter a price.')),
  sale_starts_at: momentField,
  sale_ends_at: momentField,
  account_limit: f.nullable(
    f
      .number('Enter a number.')
      .check(f.int('Use a whole number.'), f.minimum(1, 'Use 1 or more.'), f.maximum(1_000_000)),
  ),
  game_product_num: f._default(
    f.nullable(
      f
        .number('Enter a number.')
        .check(
          f.int('Use a whole number.'),
          f.minimum(1, 'Use 1 or more.'),
          f.maximum(2_147_483_647, 'Use a smaller number.'),
        ),
    ),
    null,
  ),
  sold_from: momentField,
  sold_until: momentField,
  hidden: f.boolean('Choose whether the item is hidden.'),
  service: f._default(
    f.nullable(
      f
        .string('Choose a service.')
        .check(
          f.regex(
            /^[a-z][a-z0-9-]{0,29}$/,
            'Use lowercase letters, digits and hyphens, as in the bridge’s configuration.',
          ),
        ),
    ),
    null,
  ),
  service_pause_hours: f._default(
    f.nullable(f.int('Use whole hours.').check(f.minimum(0, 'Use 0 or more.'), f.maximum(8760, 'Use at most a year.'))),
    null,
  ),
  service_classes: f._default(f.array(f.enum(CLASS_NAMES, 'Choose some of the classes.')), []),
  service_schools: f._default(f.array(f.int('Choose some of the schools.').check(f.minimum(0), f.maximum(99))), []),
  service_choices: f._default(
    f
      .array(lineField(CHOICE_MAX, 'Enter a text for each choice.'), 'Enter what players can choose.')
      .check(f.maxLength(50, 'Offer at most 50 choices.')),
    [],
  ),
})

export const itemFields = describeFields(itemForm, {
  item_name: 'Name',
  category_id: { label: 'Category', kind: 'choice' },
  description: { label: 'Description', kind: 'long', rows: 3 },
  icon: { label: 'Slot icon, on the card', use: 'item-icon' },
  image_url: { label: 'Large picture, in the tooltip', use: 'item-picture' },
  ribbon_picture: { label: 'Ribbon', use: 'ribbon' },
  ribbon: { label: 'Ribbon text', hint: 'empty for none' },
  price: { label: 'Price', hint: 'unstuck may cost 0' },
  section: { label: 'Paid in', kind: 'choice' },
  sale_price: { label: 'Sale price', hint: 'empty for no sale' },
  sale_starts_at: { label: 'Sale starts', hint: 'empty: right away' },
  sale_ends_at: { label: 'Sale ends', hint: 'empty: until you end it' },
  sold_from: { label: 'Sold from', hint: 'empty: right away' },
  sold_until: { label: 'Sold until', hint: 'empty: no end' },
  account_limit: { label: 'Limit per account', hint: 'empty for none' },
  game_product_num: {
    label: 'Number in the game',
    hint: 'a change needs approval',
    help: 'The game delivers the item with this number. It is required while a bridge is paired. Without a bridge, an empty field means that the number in the game is the item’s number in this shop.',
  },
  hidden: 'Hide it from the shop',
  service: { label: 'Service', hint: 'what the bridge does to a character; cannot be changed later' },
  service_pause_hours: { label: 'Hours between two uses', hint: 'of the same character; 0 for none' },
})

export type ItemValues = Omit<f.output<typeof itemForm>, 'product_num' | 'version'>

const isLater = (end: string | null, start: string | null) =>
  end === null || start === null || Date.parse(end) > Date.parse(start)

/**
 * Finds the problems of an item, by field (DESK-37).
 *
 * @param storedItem the stored item; its sale may have ended, but a new sale must end in the future
 * @param isBridgePaired whether a bridge delivers items by their numbers in the game
 */
export function findItemProblems(
  item: ItemValues,
  {
    storedItem,
    now,
    isBridgePaired,
  }: { storedItem: Pick<ItemValues, 'sale_ends_at' | 'service'> | undefined; now: Date; isBridgePaired: boolean },
): Record<string, string[]> {
  const { price, sale_price, sale_starts_at, sale_ends_at, sold_from, sold_until } = item
  const problems: Record<string, string[]> = {}
  if (sale_price !== null && sale_price >= price) problems.sale_price = ['The sale price must be below the price.']
  if (sale_price === null && (sale_starts_at !== null || sale_ends_at !== null))
    problems.sale_price = ['Enter a sale price, or clear the sale times.']
  if (sale_ends_at !== null && sale_ends_at !== storedItem?.sale_ends_at && Date.parse(sale_ends_at) <= now.getTime())
    problems.sale_ends_at = ['The sale has to end in the future.']
  if (!isLater(sale_ends_at, sale_starts_at)) problems.sale_ends_at = ['The sale must end after it starts.']
  if (!isLater(sold_until, sold_from)) problems.sold_until = ['The end must be after the start.']
  if (price === 0 && item.service !== FREE_SERVICE) problems.price = [LOWEST_PRICE_RULE]
  if (price === 0 && sale_price !== null) problems.sale_price = ['A free item cannot have a sale price.']
  const isService = item.service !== null
  if (storedItem !== undefined && (storedItem.service !== null) !== isService)
    problems.service = ['An item cannot become a service, or a service an item. Add a new one instead.']
  if (isService && item.game_product_num !== null) problems.game_product_num = ['A service has no number in the game.']
  if (!isService && item.game_product_num === null && isBridgePaired)
    problems.game_product_num = ['Enter the item’s number in the game. The bridge delivers the item by this number.']
  if (!isService && item.service_classes.length + item.service_schools.length + item.service_choices.length > 0)
    problems.service = ['Only a service can have classes, schools and choices.']
  return problems
}

export const categoryForm = f.object({
  id: f.nullable(recordIdField),
  version: f.nullable(recordIdField),
  category_name: lineField(30, 'Give the category a name.'),
})

export const categoryFields = describeFields(categoryForm, { category_name: 'Name' })

export const PRICE_CHANGES = ['percent', 'amount', 'price'] as const

/** The input for a preview of changed prices. */
export const repriceFields = {
  category: { kind: 'choice', label: 'Items in', none: 'All categories' },
  section: {
    kind: 'choice',
    label: 'Paid in',
    none: 'R-Coin or Milleage',
    options: { 2: 'R-Coin', other: 'Milleage' },
  },
  target: {
    kind: 'choice',
    label: 'Change',
    options: { sale: 'the sale price, based on the price', price: 'the price itself' },
  },
  change: {
    kind: 'choice',
    label: 'How',
    options: { percent: 'by a percentage', amount: 'by an amount', price: 'to a fixed price' },
  },
  value: { kind: 'text', label: 'Percent', hint: 'negative to lower it' },
  round: {
    kind: 'choice',
    label: 'Round to',
    options: {
      1: 'whole numbers',
      5: 'multiples of 5',
      10: 'multiples of 10',
      50: 'multiples of 50',
      100: 'multiples of 100',
    },
    isNumber: true,
  },
  starts: { kind: 'moment', label: 'Sale starts', hint: 'empty: right away', isNullable: true },
  ends: { kind: 'moment', label: 'Sale ends', hint: 'empty: until you end it', isNullable: true },
} as const satisfies Record<string, Field>

/** Returns the price after a change, rounded to the nearest step, at least 1. */
export function calculateNewPrice(
  price: number,
  { change, value, round }: { change: (typeof PRICE_CHANGES)[number]; value: number; round: number },
): number {
  const exactPrice = change === 'percent' ? (price * (100 + value)) / 100 : change === 'amount' ? price + value : value
  return Math.max(1, Math.round(Number((exactPrice / round).toFixed(6))) * round)
}

const itemNotFound = { status: 404, message: 'There is no such item.' } as const
const categoryNotFound = { status: 422, message: 'There is no such category.', field: 'category_id' } as const
const oldPicture = {
  status: 422,
  message: 'This item still has a picture from another site. Choose a new one.',
  field: 'image_url',
} as const

/** The state of an item: sold, sold later, no longer sold, or hidden. */
const ITEM_STATES = ['shown', 'coming', 'over', 'hidden'] as const

const itemSchema = z
  .object({
    ...itemForm.shape,
    product_num: positiveId,
    version: z.int().positive(),
    sale_starts_at: offsetMoment.nullable(),
    sale_ends_at: offsetMoment.nullable(),
    sold_from: offsetMoment.nullable(),
    sold_until: offsetMoment.nullable(),
    category_name: z.string(),
    state: z.enum(ITEM_STATES),
    kind: z.enum(['item', 'service']),
    service: z.string().nullable(),
    on_sale: z.boolean().meta({ description: 'Whether it costs its sale price now' }),
    position: z.int(),
    usual_price: z.int().nullable().meta({
      description:
        'The highest price in 30 days of items with the same number in the game, or of the same service; null if there was none',
    }),
  })
  .meta({ id: 'DeskItem' })

export const getDeskItems = desk.list('/admin/items', {
  summary: 'The items of the shop in their order, including hidden items',
  sorts: ['', 'newest'],
  filters: {
    q: textFilter.meta({ description: 'Part of the name, or the number' }),
    category: textFilter.meta({ description: 'The number of a category' }),
    state: choiceFilter([...ITEM_STATES, 'sale']),
    kind: choiceFilter(['item', 'service']),
  },
  row: itemSchema,
})

/**
 * Finds items for the forms in which an operator chooses one. It needs no special permission, because it returns only
 * names and pictures of items.
 */
export const findItems = desk.read('/admin/items/find', {
  summary: 'The first items whose name or number matches a query, without services',
  access: 'staff',
  input: { query: z.object({ q: textFilter }) },
  output: z.object({
    rows: z.array(
      z.object({
        product_num: positiveId,
        item_name: z.string(),
        picture: z.string().nullable(),
        hidden: z.boolean().meta({ description: 'Whether players do not see it in the shop' }),
      }),
    ),
  }),
})

export const getDeskItem = desk.read('/admin/items/{product_num}', {
  summary: 'An item with its latest prices',
  input: { params: z.object({ product_num: idParam(itemNotFound.message) }) },
  output: z.object({
    item: itemSchema,
    prices: z.array(
      z.object({
        price: z.int(),
        sale_price: z.int().nullable(),
        sale_starts_at: offsetMoment.nullable(),
        sale_ends_at: offsetMoment.nullable(),
        changed_at: offsetMoment
          .nullable()
          .meta({ description: 'Null for the price before the first recorded change' }),
      }),
    ),
  }),
  errors: { itemNotFound },
})

export const saveItem = desk.write('/admin/items/save', {
  title: 'Save item',
  summary: 'Change an item, or add one at the end of the shop',
  sudo: true,
  approvable: true,
  fields: itemForm,
  output: z.object({ message: z.string(), item: itemSchema }),
  errors: { itemNotFound, categoryNotFound, conflict, oldPicture },
})

/** The items of a bulk action (DESK-19). */
const itemsField = z.array(positiveId).min(1, 'Choose at least one item.').max(1000, 'Choose at most 1,000 items.')

export const hideItems = desk.write('/admin/items/hide', {
  title: 'Hide or show items',
  summary: 'Hide items, or show them again. Showing an item with a low price needs approval',
  approvable: true,
  input: { body: z.object({ items: itemsField, hidden: z.boolean('Choose whether to hide them.') }) },
  output: z.object({ message: z.string(), changed: z.int() }),
  errors: { oldPicture },
})

export const moveToCategory = desk.write('/admin/items/move-to-category', {
  title: 'Move items to category',
  summary: 'Move items to a category; their position in the shop does not change',
  input: { body: z.object({ items: itemsField, category_id: z.int('Choose a category.').positive() }) },
  output: z.object({ message: z.string(), changed: z.int() }),
  errors: { categoryNotFound, oldPicture },
})

export const moveItem = desk.write('/admin/items/move', {
  title: 'Move item',
  summary: 'Put an item before another one, or at the end of the shop',
  input: { body: z.object({ product_num: positiveId, before: positiveId.nullable() }) },
  errors: { itemNotFound, oldPicture },
})

const risk = z
  .string()
  .nullable()
  .meta({ description: 'Why the change needs another operator’s approval; null if it does not' })

const priceChange = z.object({
  product_num: positiveId,
  item_name: z.string(),
  section: z.int(),
  version: z.int().positive(),
  price: z.int(),
  sale_price: z.int().nullable(),
  new_price: z.int(),
  usual_price: z.int().nullable(),
  problem: z.string().nullable(),
  risk,
})

export const previewPrices = desk.read('/admin/items/prices', {
  summary: 'Preview a change of many prices; nothing is changed',
  input: {
    query: z.object({
      items: z
        .string()
        .regex(/^\d*(,\d+)*$/, 'Choose some items.')
        .max(8000, 'Choose fewer items.')
        .default('')
        .meta({ description: 'Numbers of items, separated by commas; empty for all of the category' }),
      category: textFilter,
      section: choiceFilter(['2', 'other']),
      target: z.enum(['price', 'sale']),
      change: z.enum(PRICE_CHANGES),
      value: z.coerce.number('Enter a number.').min(-PRICE_MAX).max(PRICE_MAX),
      round: z.coerce.number().int().min(1).max(1_000_000).default(1),
    }),
  },
  output: z.object({ rows: z.array(priceChange) }),
  errors: { tooMany: { status: 422, message: 'That is more than 1,000 items. Choose a category or fewer items.' } },
})

export const changePrices = desk.write('/admin/items/reprice', {
  title: 'Change prices',
  summary: 'Change many items to the prices of a preview, all or none',
  sudo: true,
  approvable: true,
  input: {
    body: z.object({
      target: z.enum(['price', 'sale']),
      sale_starts_at: z.iso.datetime({ offset: true }).nullable().default(null),
      sale_ends_at: z.iso.datetime({ offset: true }).nullable().default(null),
      rows: z
        .array(z.object({ product_num: positiveId, version: z.int().positive(), price: z.int().min(1).max(PRICE_MAX) }))
        .min(1, 'Choose at least one item.')
        .max(1000, 'Choose at most 1,000 items.'),
    }),
  },
  output: z.object({ message: z.string(), changed: z.int() }),
  errors: {
    conflict,
    oldPicture,
    notBelow: { status: 422, message: 'A sale price must be below the price, and a price above its sale price.' },
    endsEarly: { status: 422, message: 'The sale must end after it starts.', field: 'sale_ends_at' },
    endsInThePast: { status: 422, message: 'The sale has to end in the future.', field: 'sale_ends_at' },
  },
})

export const getItemsCsv = desk.read('/admin/items/csv', {
  title: 'Export items CSV',
  summary: 'All items as a CSV file that can be changed and imported again',
  audited: true,
  output: z.file(),
})

export const getItemsTemplate = desk.read('/admin/items/template', {
  summary: 'A CSV file that explains the columns, with an example that an import ignores',
  output: z.file(),
})

const csvFileField = z.file('Choose a CSV file.').max(4_000_000, 'The file is larger than 4 MB.')

export const checkItemsCsv = desk.read('/admin/items/check-csv', {
  title: 'Check items CSV',
  summary: 'Preview the import of a CSV file, with up to 1,000 problems by line; nothing is changed',
  method: 'POST',
  access: 'items.write',
  input: { form: z.object({ file: csvFileField }) },
  output: z.object({
    /** Identifies the state of the file and of its items at the check. The import has to send it. */
    checked: z.string(),
    added: z.int(),
    changed: z.int(),
    unchanged: z.int(),
    problems: z.array(z.object({ line: z.int(), field: z.string(), message: z.string() })),
    changes: z
      .array(
        z.object({ line: z.int(), product_num: z.int().nullable(), item_name: z.string(), what: z.string(), risk }),
      )
      .meta({
        description:
          'At most 200 changes; changed items that need another operator’s approval come first. A new item can need it too, but has no risk here',
      }),
  }),
})

export const importItemsCsv = desk.write('/admin/items/import-csv', {
  title: 'Import items CSV',
  summary: 'Import a CSV file that was checked and has no problem, all or nothing',
  sudo: true,
  approvable: true,
  input: { form: z.object({ file: csvFileField, checked: z.string().max(100) }) },
  output: z.object({ message: z.string(), added: z.int(), changed: z.int() }),
  errors: {
    hasProblems: { status: 422, message: 'The file has problems. Check it again.', field: 'file' },
    conflict: {
      status: 409,
      message: 'The file or some of its items have changed since the check. Check it again.',
    },
    oldPicture,
  },
})

const categorySchema = z.object({
  id: positiveId,
  category_name: z.string(),
  version: z.int().positive(),
  items: z.int(),
})

export const getDeskCategories = desk.read('/admin/categories', {
  summary: 'The categories in their order, with the number of items of each',
  output: z.object({ rows: z.array(categorySchema) }),
})

export const saveCategory = desk.write('/admin/categories/save', {
  title: 'Save category',
  summary: 'Rename a category, or add one at the end',
  fields: categoryForm,
  output: z.object({ message: z.string(), category: categorySchema }),
  errors: {
    categoryNotFound: { status: 404, message: 'There is no such category.' },
    conflict,
    taken: { status: 422, message: 'There is already a category with this name.', field: 'category_name' },
  },
})

export const orderCategories = desk.write('/admin/categories/order', {
  title: 'Order categories',
  summary: 'Order the categories; the input lists all of them',
  idempotent: false,
  input: { body: z.object({ categories: z.array(positiveId).max(1000) }) },
  errors: { conflict },
})

export const deleteCategory = desk.write('/admin/categories/delete', {
  title: 'Delete category',
  summary: 'Delete a category that has no items',
  idempotent: false,
  input: { body: z.object({ id: positiveId }) },
  errors: {
    categoryNotFound: { status: 404, message: 'There is no such category.' },
    hasItems: { status: 409, message: 'This category still has items. Move them first.' },
  },
})
