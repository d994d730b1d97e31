import { z } from 'zod'
import { MINUTE_MS } from './durations.ts'
import { endpoint } from './endpoint.ts'
import { pagingFields, wholeNumberNamed } from './paging.ts'
import { SHOP } from './shop-messages.ts'

/** An item of the shop (SPEC §3). Section 2 is paid in R-Coin, every other one in Milleage. */
export const shopItemSchema = z
  .object({
    ProductNum: z.int(),
    ItemName: z.string(),
    price: z.int().meta({ description: 'What it costs now; a purchase pays the price of its moment' }),
    section: z.int(),
    description: z.string(),
    icon: z.string().nullable().meta({ description: 'File name of the slot image' }),
    image_url: z.string().nullable(),
    ribbon: z.string().nullable().meta({ description: 'Address of the ribbon image' }),
    ribbon_label: z.string().nullable(),
    category: z.int(),
    regular_price: z.int().optional().meta({ description: 'During a sale: what it costs otherwise' }),
    sale_ends_at: z.iso.datetime({ offset: true }).optional(),
    account_limit: z.int().optional().meta({ description: 'How many of it one account may have' }),
  })
  .meta({ id: 'ShopItem' })

export type ShopItem = z.infer<typeof shopItemSchema>

/** Long enough that a component does not request again what the change of page has just fetched. */
const JUST_FETCHED_MS = 1000

export const getShopCategories = endpoint({
  method: 'GET',
  path: '/shopcategories',
  summary: 'The categories of the shop, in their order',
  area: 'shop',
  access: 'public',
  cache: { freshMs: 5 * MINUTE_MS },
  output: z.array(z.object({ id: z.int(), category_name: z.string() })),
})

const SEARCH_RULE = 'Search takes at most 60 characters of text.'
export const SHOP_SORTS = ['', 'price', '-price', 'name'] as const

export const getItemShop = endpoint({
  method: 'GET',
  path: '/itemshop',
  summary: 'Items of a category (0 = all), 8 per page; a page past the end is the last page',
  area: 'shop',
  access: 'public',
  cache: { freshMs: JUST_FETCHED_MS },
  input: {
    query: z.object({
      category: wholeNumberNamed('Category').optional(),
      page: wholeNumberNamed('Page').optional(),
      q: z
        .string(SEARCH_RULE)
        .max(60, SEARCH_RULE)
        .regex(/^\P{Cc}*$/u, SEARCH_RULE)
        .optional()
        .meta({ description: 'Words of the item’s name' }),
      sort: z.enum(SHOP_SORTS, 'Sort must be price, -price or name.').optional(),
    }),
  },
  output: z.object({ itemshopdata: z.array(shopItemSchema), ...pagingFields, total: z.int() }),
})

export const getShopItem = endpoint({
  method: 'GET',
  path: '/shopitem/{productnum}',
  summary: 'One item',
  area: 'shop',
  access: 'public',
  cache: { freshMs: JUST_FETCHED_MS },
  input: { params: z.object({ productnum: wholeNumberNamed('The item number') }) },
  output: z.object({ data: shopItemSchema }),
  errors: { noItem: { status: 404, message: SHOP.noItem } },
})
