import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { errorAnswer, jsonAnswer } from './errors.ts'
import { pagingFields, wholeNumberNamed } from './paging.ts'

/** An item of the shop (SPEC §3). Section 2 is paid in R-Coin, every other one in Milleage. */
export const shopItemSchema = z
  .object({
    ProductNum: z.int(),
    ItemName: z.string(),
    price: z.int(),
    section: z.int(),
    description: z.string(),
    icon: z.string().nullable().meta({ description: 'File name of the slot image' }),
    image_url: z.string().nullable(),
    ribbon: z.string().nullable().meta({ description: 'Address of the ribbon image' }),
    ribbon_label: z.string().nullable(),
    category: z.int(),
  })
  .meta({ id: 'ShopItem' })

export type ShopItem = z.infer<typeof shopItemSchema>

const tags = ['shop']

export const getShopCategories = endpoint({
  method: 'get',
  path: '/shopcategories',
  summary: 'The categories of the shop, in their order',
  tags,
  responses: { 200: jsonAnswer('The categories', z.array(z.object({ id: z.int(), category_name: z.string() }))) },
})

const SEARCH_RULE = 'Search takes at most 60 characters of text.'
export const SHOP_SORTS = ['', 'price', '-price', 'name'] as const

export const getItemShop = endpoint({
  method: 'get',
  path: '/itemshop',
  summary: 'Items of a category (0 = All), 8 a page; a page past the end is the last page',
  tags,
  request: {
    query: z.object({
      category: wholeNumberNamed('Category').optional(),
      page: wholeNumberNamed('Page').optional(),
      q: z
        .string(SEARCH_RULE)
        .max(60, SEARCH_RULE)
        .regex(/^\P{Cc}*$/u, SEARCH_RULE)
        .optional()
        .meta({ description: 'Words of the name' }),
      sort: z.enum(SHOP_SORTS, 'Sort must be price, -price or name.').optional(),
    }),
  },
  responses: {
    200: jsonAnswer('The items', z.object({ itemshopdata: z.array(shopItemSchema), ...pagingFields, total: z.int() })),
    422: errorAnswer('Not a number'),
  },
})

export const getShopItem = endpoint({
  method: 'get',
  path: '/shopitem/{productnum}',
  summary: 'One item',
  tags,
  request: { params: z.object({ productnum: wholeNumberNamed('The item number') }) },
  responses: {
    200: jsonAnswer('The item', z.object({ data: shopItemSchema })),
    404: errorAnswer('No such item'),
    422: errorAnswer('Not a number'),
  },
})
