import { z } from 'zod'
import { categoryForm, itemForm, PRICE_CHANGES } from './desk-items-fields.ts'
import { choiceFilter, deskList, deskQuery, textFilter } from './desk-list.ts'
import { endpoint } from './endpoint.ts'
import { changedMeanwhile } from './errors.ts'
import { PRICE_MAX } from './limits.ts'

const said = z.object({ message: z.string() })
const unit = z.int().positive()
const moment = z.iso.datetime({ offset: true }).nullable()
const noItem = { status: 404, message: 'There is no such item.' } as const
const noCategory = { status: 422, message: 'There is no such category.', field: 'category_id' } as const
const oldPicture = {
  status: 422,
  message: 'This item still has a picture from another site. Choose a new one.',
  field: 'image_url',
} as const

/** Where an item is: in the shop, coming, over its time, or hidden. */
export const ITEM_STATES = ['shown', 'coming', 'over', 'hidden'] as const

const itemSchema = z
  .object({
    ...itemForm.shape,
    product_num: unit,
    version: unit,
    sale_starts_at: moment,
    sale_ends_at: moment,
    sold_from: moment,
    sold_until: moment,
    category_name: z.string(),
    state: z.enum(ITEM_STATES),
    on_sale: z.boolean().meta({ description: 'Whether it costs its sale price now' }),
    position: z.int(),
  })
  .meta({ id: 'DeskItem' })

export const getDeskItems = endpoint({
  method: 'GET',
  path: '/admin/items',
  summary: 'The items of the shop, hidden ones too, in their order',
  area: 'desk: items',
  access: 'items.read',
  input: {
    query: deskQuery(['', 'newest'], {
      q: textFilter.meta({ description: 'Part of the name, or the number' }),
      category: textFilter.meta({ description: 'The number of a category' }),
      state: choiceFilter([...ITEM_STATES, 'sale']),
    }),
  },
  output: deskList(itemSchema),
})

export const getDeskItem = endpoint({
  method: 'GET',
  path: '/admin/items/{product_num}',
  summary: 'An item with its latest prices',
  area: 'desk: items',
  access: 'items.read',
  input: { params: z.object({ product_num: z.coerce.number().int().positive() }) },
  output: z.object({
    item: itemSchema,
    prices: z.array(
      z.object({
        price: z.int(),
        sale_price: z.int().nullable(),
        sale_starts_at: moment,
        sale_ends_at: moment,
        changed_at: moment.meta({ description: 'Null for the price it had before prices were kept' }),
      }),
    ),
  }),
  errors: { noItem },
})

export const saveItem = endpoint({
  method: 'POST',
  path: '/admin/items/save',
  summary: 'Change an item, or make a new one, which goes to the end of the shop',
  area: 'desk: items',
  access: 'items.write',
  idempotent: true,
  input: { body: z.object(itemForm.shape) },
  fields: itemForm,
  output: z.object({ message: z.string(), item: itemSchema }),
  errors: { noItem, noCategory, changedMeanwhile, oldPicture },
})

const someItems = z.array(unit).min(1, 'Choose at least one item.').max(1000, 'Choose at most 1,000 items.')

export const hideItems = endpoint({
  method: 'POST',
  path: '/admin/items/hide',
  summary: 'Hide items, or show them again',
  area: 'desk: items',
  access: 'items.write',
  idempotent: true,
  input: { body: z.object({ items: someItems, hidden: z.boolean('Say whether to hide them.') }) },
  output: z.object({ message: z.string(), changed: z.int() }),
  errors: { oldPicture },
})

export const moveItem = endpoint({
  method: 'POST',
  path: '/admin/items/move',
  summary: 'Put an item before another one, or at the end',
  area: 'desk: items',
  access: 'items.write',
  idempotent: true,
  input: { body: z.object({ product_num: unit, before: unit.nullable() }) },
  output: said,
  errors: { noItem, oldPicture },
})

const repriced = z.object({
  product_num: unit,
  item_name: z.string(),
  section: z.int(),
  version: unit,
  price: z.int(),
  sale_price: z.int().nullable(),
  new_price: z.int(),
  problem: z.string().nullable(),
})

export const previewPrices = endpoint({
  method: 'GET',
  path: '/admin/items/prices',
  summary: 'What a change of many prices would make of each; nothing is changed',
  area: 'desk: items',
  access: 'items.read',
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
  output: z.object({ rows: z.array(repriced) }),
  errors: { tooMany: { status: 422, message: 'That is more than 1,000 items. Choose a category or fewer items.' } },
})

export const changePrices = endpoint({
  method: 'POST',
  path: '/admin/items/reprice',
  summary: 'Give many items the prices of a preview, all or none',
  area: 'desk: items',
  access: 'items.write',
  idempotent: true,
  input: {
    body: z.object({
      target: z.enum(['price', 'sale']),
      sale_starts_at: moment.default(null),
      sale_ends_at: moment.default(null),
      rows: z
        .array(z.object({ product_num: unit, version: unit, price: z.int().min(1).max(PRICE_MAX) }))
        .min(1, 'Choose at least one item.')
        .max(1000, 'Choose at most 1,000 items.'),
    }),
  },
  output: z.object({ message: z.string(), changed: z.int() }),
  errors: {
    changedMeanwhile,
    oldPicture,
    notBelow: { status: 422, message: 'A sale price must be below the price, and a price above its sale price.' },
    endsEarly: { status: 422, message: 'The sale must end after it starts.', field: 'sale_ends_at' },
  },
})

export const getItemsCsv = endpoint({
  method: 'GET',
  path: '/admin/items/csv',
  summary: 'All items as a CSV file that can be changed and imported again',
  area: 'desk: items',
  access: 'items.read',
  audited: true,
  output: z.file(),
})

const csvFile = z.file('Choose a CSV file.').max(4_000_000, 'The file is larger than 4 MB.')

export const checkItemsCsv = endpoint({
  method: 'POST',
  path: '/admin/items/check-csv',
  summary: 'What importing a CSV file would do, with every problem by line; nothing is changed',
  area: 'desk: items',
  access: 'items.write',
  input: { form: z.object({ file: csvFile }) },
  output: z.object({
    /** Names the file and the items as they are. */
    checked: z.string(),
    added: z.int(),
    changed: z.int(),
    unchanged: z.int(),
    problems: z.array(z.object({ line: z.int(), field: z.string(), message: z.string() })),
    changes: z
      .array(z.object({ line: z.int(), product_num: z.int().nullable(), item_name: z.string(), what: z.string() }))
      .meta({ description: 'The first 200' }),
  }),
})

export const importItemsCsv = endpoint({
  method: 'POST',
  path: '/admin/items/import-csv',
  summary: 'Import a CSV file that was checked and has no problem, all or nothing',
  area: 'desk: items',
  access: 'items.write',
  idempotent: true,
  input: { form: z.object({ file: csvFile, checked: z.string().max(100) }) },
  output: z.object({ message: z.string(), added: z.int(), changed: z.int() }),
  errors: {
    hasProblems: { status: 422, message: 'The file has problems. Check it again.', field: 'file' },
    changedMeanwhile: {
      status: 409,
      message: 'The file or some of its items have changed since the check. Check it again.',
    },
    oldPicture,
  },
})

const categorySchema = z.object({ id: unit, category_name: z.string(), version: unit, items: z.int() })

export const getDeskCategories = endpoint({
  method: 'GET',
  path: '/admin/categories',
  summary: 'The categories in their order, with how many items each has',
  area: 'desk: items',
  access: 'items.read',
  output: z.object({ rows: z.array(categorySchema) }),
})

export const saveCategory = endpoint({
  method: 'POST',
  path: '/admin/categories/save',
  summary: 'Rename a category, or add one at the end',
  area: 'desk: items',
  access: 'items.write',
  idempotent: true,
  input: { body: z.object(categoryForm.shape) },
  fields: categoryForm,
  output: z.object({ message: z.string(), category: categorySchema }),
  errors: {
    noCategory: { status: 404, message: 'There is no such category.' },
    changedMeanwhile,
    taken: { status: 422, message: 'There is already a category with this name.', field: 'category_name' },
  },
})

export const orderCategories = endpoint({
  method: 'POST',
  path: '/admin/categories/order',
  summary: 'Put the categories in an order; names all of them',
  area: 'desk: items',
  access: 'items.write',
  input: { body: z.object({ categories: z.array(unit).max(1000) }) },
  output: said,
  errors: { changedMeanwhile },
})

export const deleteCategory = endpoint({
  method: 'POST',
  path: '/admin/categories/delete',
  summary: 'Delete a category that has no items',
  area: 'desk: items',
  access: 'items.write',
  input: { body: z.object({ id: unit }) },
  output: said,
  errors: {
    noCategory: { status: 404, message: 'There is no such category.' },
    hasItems: { status: 409, message: 'This category still has items. Move them first.' },
  },
})
