/** The forms about items and categories. Browsers fetch this file on demand, so it is written with zod/mini. */
import * as z from 'zod/mini'
import { PRICE_MAX } from './limits.ts'

const money = (missing: string) =>
  z
    .number(missing)
    .check(
      z.int('Use a whole number.'),
      z.minimum(1, 'The lowest price is 1.'),
      z.maximum(PRICE_MAX, 'The highest price is 999,999,999.'),
    )

const moment = z.nullable(z.iso.datetime({ offset: true, error: 'Choose a date and time.' }))

/** A picture of this site, or none. */
const picture = z.nullable(
  z
    .string('Choose a picture.')
    .check(
      z.maxLength(300, 'Choose a picture from this site.'),
      z.regex(/^\/([^/\\\p{Cc}][^\p{Cc}]*)?$/u, 'Choose a picture from this site.'),
    ),
)

const line = (max: number, missing: string) =>
  z
    .string(missing)
    .check(
      z.trim(),
      z.minLength(1, missing),
      z.maxLength(max, `Use at most ${max} characters.`),
      z.regex(/^[^\p{Cc}\p{Cs}\u2028\u2029]*$/u, 'Use one line of text.'),
    )

const unit = z.number('Load the page again.').check(z.int(), z.positive())

export const itemForm = z.object({
  product_num: z.nullable(unit),
  version: z.nullable(unit),
  item_name: line(60, 'Give the item a name.'),
  category_id: z.number('Choose a category.').check(z.int(), z.positive()),
  section: z.number('Choose a currency.').check(z.int(), z.minimum(1), z.maximum(32_767)),
  price: money('Enter a price.'),
  description: z
    .string('Describe the item.')
    .check(
      z.trim(),
      z.maxLength(1000, 'Use at most 1,000 characters.'),
      z.regex(/^[\P{Cc}\n\t]*$/u, 'Use plain text.'),
    ),
  icon: z.nullable(
    z
      .string('Choose a picture.')
      .check(
        z.maxLength(300, 'Choose a picture from this site.'),
        z.regex(/^(\/[^/\\\p{Cc}][^\p{Cc}]*|[\w.-]+)$/u, 'Choose a picture from this site.'),
      ),
  ),
  image_url: picture,
  ribbon: z.nullable(line(12, 'Enter a text for the ribbon, or remove it.')),
  ribbon_picture: picture,
  sale_price: z.nullable(money('Enter a price.')),
  sale_starts_at: moment,
  sale_ends_at: moment,
  account_limit: z.nullable(
    z
      .number('Enter a number.')
      .check(z.int('Use a whole number.'), z.minimum(1, 'Use 1 or more.'), z.maximum(1_000_000)),
  ),
  game_product_num: z._default(
    z.nullable(
      z
        .number('Enter a number.')
        .check(
          z.int('Use a whole number.'),
          z.minimum(1, 'Use 1 or more.'),
          z.maximum(2_147_483_647, 'Use a smaller number.'),
        ),
    ),
    null,
  ),
  sold_from: moment,
  sold_until: moment,
  hidden: z.boolean('Say whether the item is hidden.'),
})

export type ItemValues = Omit<z.output<typeof itemForm>, 'product_num' | 'version'>

const isLater = (end: string | null, start: string | null) =>
  end === null || start === null || Date.parse(end) > Date.parse(start)

/** What does not fit together in an item, by field. */
export function findItemProblems(item: ItemValues): Record<string, string[]> {
  const { price, sale_price, sale_starts_at, sale_ends_at, sold_from, sold_until } = item
  const wrong: Record<string, string[]> = {}
  if (sale_price !== null && sale_price >= price) wrong.sale_price = ['The sale price must be below the price.']
  if (sale_price === null && (sale_starts_at !== null || sale_ends_at !== null))
    wrong.sale_price = ['Enter a sale price, or clear the sale times.']
  if (!isLater(sale_ends_at, sale_starts_at)) wrong.sale_ends_at = ['The sale must end after it starts.']
  if (!isLater(sold_until, sold_from)) wrong.sold_until = ['The end must be after the start.']
  return wrong
}

export const categoryForm = z.object({
  id: z.nullable(unit),
  version: z.nullable(unit),
  category_name: line(30, 'Give the category a name.'),
})

export const PRICE_CHANGES = ['percent', 'amount', 'price'] as const

/** The price after a change, rounded to the nearest step, never below 1. */
export function changePrice(
  price: number,
  { change, value, round }: { change: (typeof PRICE_CHANGES)[number]; value: number; round: number },
): number {
  const exact = change === 'percent' ? (price * (100 + value)) / 100 : change === 'amount' ? price + value : value
  return Math.max(1, Math.round(Number((exact / round).toFixed(6))) * round)
}
