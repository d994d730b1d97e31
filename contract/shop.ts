import { z } from 'zod'
import { MINUTE_MS } from './durations.ts'
import { declareCalls } from './endpoint.ts'
import { maintenance } from './errors.ts'
import { pagingFields, wholeNumberParam } from './paging.ts'
import { offsetMoment } from './scalars.ts'
import { foldQuery } from './search.ts'

const shop = declareCalls('shop', 'public')

/** The texts of the shop, the cart and vouchers. The texts that docs/RULES.md quotes are literal. */

export const SHOP_TEXTS = {
  confirmBuy: 'Are you sure you want to buy this item?',
  categoriesFailed: 'failed to fetch shop categories',
  itemsFailed: 'failed to fetch shop items',
  historyFailed: 'Failed to fetch purchase history',
  addToCart: 'Add to cart',
  buyNow: 'Buy now',
  proceed: 'Proceed to Buy',
  checkout: 'Checkout',
  subtotal: 'Subtotal',
  total: 'Total',
  itemNotFound: 'There is no such item in the shop.',
  lineNotFound: 'This item is not in your cart.',
  itemGone: 'An item in your cart is no longer sold. Please remove it.',
  overLimit: 'This is more of an item than one account may have. Please choose fewer.',
  frozen: 'For 24 hours after support helped with an account, it cannot buy anything or send gifts.',
  cartFull: 'Your cart is full: 50 different items at most.',
  lineFull: 'You can have at most 99 of one item.',
  quantity: 'The quantity must be a whole number from 1 to 99.',
  stepOnly: 'The quantity can only change by 1 at a time.',
  nothingChecked: 'No checked items in your cart.',
  notChecked: 'Only checked items in your own cart can be bought.',
  added: 'Added to cart.',
  changed: 'Your cart has been updated.',
  bought: 'Thank you! Your purchase is on its way to your item bank.',
  shortRCoin: 'Not enough R-Coin.',
  shortMilleage: 'Not enough Milleage.',
  shortBoth: 'Not enough R-Coin and Milleage.',
  keyReused: 'This request was already used for something else. Please try again.',
  closed: 'Purchases are closed for now. You can look around and redeem codes.',
  earnMilleage: 'How do I get Milleage?',
  receiptsOn: 'You will get receipts by email.',
  receiptsOff: 'You will not get receipts by email.',
} as const

export const VOUCHER_TEXTS = {
  codeRequired: 'Voucher Code is required.',
  loginFirst: 'Please Login to Continue!',
  notices: ['Codes are case-sensitive.', 'Each code can be used only once.'],
  unknown: 'This voucher code is not valid.',
  used: 'This voucher code has already been used.',
  expired: 'This voucher code has expired.',
  oncePerAccount: 'You have already used a code of this kind.',
  allRedeemed: 'All codes of this campaign have been used up.',
  unknownReferral: 'This referral code is not valid.',
  ownCode: 'You made this code or gave it away, so you can’t redeem it.',
  ownReferral: 'You gave out this referral code, so you can’t use it.',
  redeemed: 'Your code has been redeemed.',
} as const

/** An item of the shop (SHOP-2, MONEY-3). Section 2 is paid in R-Coin, every other one in Milleage. */
export const shopItemSchema = z
  .object({
    ProductNum: z.int(),
    ItemName: z.string(),
    price: z.int().meta({ description: 'The current price; a purchase costs the price that is valid when it is made' }),
    section: z.int(),
    description: z.string(),
    icon: z.string().nullable().meta({ description: 'File name of the slot image' }),
    image_url: z.string().nullable(),
    ribbon: z.string().nullable().meta({ description: 'Address of the ribbon image' }),
    ribbon_label: z.string().nullable(),
    category: z.int(),
    regular_price: z.int().optional().meta({ description: 'The price without the sale; only during a sale' }),
    sale_ends_at: offsetMoment.optional(),
    account_limit: z.int().optional().meta({ description: 'The maximum number that one account may have' }),
    kind: z.enum(['item', 'service']).meta({ description: 'A service is bought for a character, not with the cart' }),
    service: z.string().optional().meta({ description: 'The key of the service' }),
  })
  .meta({ id: 'ShopItem' })

export type ShopItem = z.infer<typeof shopItemSchema>

type ItemRow<Moment> = {
  product_num: number
  category_id: number
  item_name: string
  price: number
  section: number
  description: string
  icon: string | null
  image_url: string | null
  ribbon: string | null
  ribbon_picture: string | null
  sale_price: number | null
  sale_starts_at: Moment | null
  sale_ends_at: Moment | null
  account_limit: number | null
  kind: 'item' | 'service'
  service: string | null
}

const RIBBON_PICTURE_NAMES: Record<string, string> = { NEW: 'new', HOT: 'hot' }

/**
 * Converts an item to the field names of the API, with its current price. `price_at` in the database computes the same
 * price.
 */
export function toShopItem<Moment extends Date | string>(row: ItemRow<Moment>, now: Date) {
  const isReached = (moment: Moment) => new Date(moment) <= now
  const isOnSale =
    row.sale_price !== null &&
    (row.sale_starts_at === null || isReached(row.sale_starts_at)) &&
    (row.sale_ends_at === null || !isReached(row.sale_ends_at))
  const sale = {
    regular_price: row.price,
    ...(row.sale_ends_at !== null && { sale_ends_at: row.sale_ends_at }),
  }
  return {
    ProductNum: row.product_num,
    ItemName: row.item_name,
    price: isOnSale && row.sale_price !== null ? row.sale_price : row.price,
    section: row.section,
    description: row.description,
    icon: row.icon,
    image_url: row.image_url,
    ribbon:
      row.ribbon_picture ??
      (row.ribbon === null ? null : `/art/ribbon-${RIBBON_PICTURE_NAMES[row.ribbon] ?? 'sale'}.svg`),
    ribbon_label: row.ribbon,
    category: row.category_id,
    ...(isOnSale && sale),
    ...(row.account_limit !== null && { account_limit: row.account_limit }),
    kind: row.kind,
    ...(row.service !== null && { service: row.service }),
  }
}

/** Long enough to prevent a second fetch of the same data right after a change of page. */
const SHOP_CACHE_MS = 1000

export const getShopCategories = shop.get('/shopcategories', {
  summary: 'The categories of the shop, in their order',
  cache: { freshMs: 5 * MINUTE_MS },
  // The list is the whole answer (CALL-4).
  output: z.array(z.object({ id: z.int(), category_name: z.string() })),
})

/** The longest query of the shop's search, in characters. */
export const SHOP_QUERY_MAX = 60
export const SHOP_QUERY_RULE = `Search takes at most ${SHOP_QUERY_MAX} characters of text.`
export const SHOP_SORTS = ['', 'price', '-price', 'name'] as const

export const getItemShop = shop.get('/itemshop', {
  summary: 'Items of a category (0 = all), 8 per page; a page past the end is the last page',
  cache: { freshMs: SHOP_CACHE_MS },
  input: {
    query: z.object({
      category: wholeNumberParam('Category').optional(),
      page: wholeNumberParam('Page').optional(),
      q: z
        .string(SHOP_QUERY_RULE)
        .overwrite(foldQuery)
        .max(SHOP_QUERY_MAX, SHOP_QUERY_RULE)
        .regex(/^\P{Cc}*$/u, SHOP_QUERY_RULE)
        .optional()
        .meta({ description: 'Text of the item’s name' }),
      sort: z.enum(SHOP_SORTS, 'Sort must be price, -price or name.').optional(),
    }),
  },
  output: z.object({ itemshopdata: z.array(shopItemSchema), ...pagingFields, total: z.int() }),
})

export const getShopItem = shop.get('/shopitem/{productnum}', {
  summary: 'One item',
  cache: { freshMs: SHOP_CACHE_MS },
  input: { params: z.object({ productnum: wholeNumberParam('The item number') }) },
  output: z.object({ data: shopItemSchema }),
  errors: { itemNotFound: { status: 404, message: SHOP_TEXTS.itemNotFound } },
})

/**
 * A cached page does not reach the server, so the browser reports that a player opened an item's page. The site stores
 * only the count (DESK-18).
 */
export const openItem = shop.post('/shopitem/{productnum}/opened', {
  summary: 'Count that the page of an item was opened',
  input: { params: z.object({ productnum: wholeNumberParam('The item number') }) },
  output: z.object({}),
  errors: { itemNotFound: { status: 404, message: SHOP_TEXTS.itemNotFound } },
})

/**
 * The refusals of calls that spend money: during maintenance, or while purchases are closed, with the operators' text.
 */
export const pauseErrors = { maintenance, purchasesClosed: { status: 503, message: SHOP_TEXTS.closed } } as const
