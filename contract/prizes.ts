/** The rules of prizes by rank, which tournaments and leagues share. */
import * as f from 'zod/mini'
import { describeFields } from './describe-fields.ts'
import { reasonField } from './fields.ts'

export const GIFT_RULE =
  'Enter an amount of 1 or more for each prize, without decimals. If the prize is an item, choose the item too.'
export const ONE_PRIZE_RULE = 'Each place can have only one prize.'

/** The states of a sent prize. They follow from the gift in the letter that delivers the prize. */
export const PRIZE_STATES = ['open', 'claimed', 'withdrawn'] as const
export type PrizeState = (typeof PRIZE_STATES)[number]

/** Why a prize cannot be withdrawn. */
export const withdrawPrizeErrors = {
  prizeNotFound: { status: 404, message: 'There is no such prize.' },
  gone: {
    status: 409,
    message: 'This prize has already been accepted or withdrawn. An accepted prize cannot be withdrawn.',
  },
} as const

/** The maximum number of ranks with a prize. */
export const PRIZES_MAX = 8

const prizeForm = f.object({
  place: f.int('Choose a place.').check(f.gte(1, 'Choose a place.'), f.lte(PRIZES_MAX, 'Choose a place.')),
  gift: f.enum(['r_coin', 'milleage', 'item'], 'Choose what the prize is.'),
  /** The amount of R-Coin or Milleage, or the quantity of the item. */
  amount: f.nullable(f.number(GIFT_RULE)),
  item: f.nullable(f.number(GIFT_RULE)),
})

/** The prize of a rank in a form. */
export type Prize = f.infer<typeof prizeForm>

export const prizesField = f
  .array(prizeForm, 'Enter the prizes.')
  .check(f.maxLength(PRIZES_MAX, `Use at most ${PRIZES_MAX} prizes.`))

export const withdrawPrizeForm = f.object({ prize: f.int('Choose a prize.'), reason: reasonField })

const isWholeNumber = (value: number | null, max: number) =>
  value !== null && Number.isSafeInteger(value) && value >= 1 && value <= max

/** Whether a prize has an amount of money, or an item and its quantity. */
export const isCompletePrize = ({ gift, amount, item }: Prize) =>
  gift === 'item' ? isWholeNumber(amount, 99) && isWholeNumber(item, 1e12) : isWholeNumber(amount, 1_000_000_000)

/** Whether each rank has at most one prize. */
export const hasUniqueRanks = (prizes: readonly Prize[]) =>
  new Set(prizes.map(({ place }) => place)).size === prizes.length

/** The fields of a prize. The form adds the rank to the labels, such as 'Item for place 1'. */
export const prizeFields = describeFields(prizeForm, {
  gift: {
    label: 'Place',
    none: 'Nothing',
    options: { r_coin: 'R-Coin', milleage: 'Milleage', item: 'An item of the shop' },
  },
  item: { label: 'Item for place', kind: 'item' },
  amount: 'How much for place',
})

type StoredPrize = {
  place: number
  currency: 'r_coin' | 'milleage' | null
  amount: number | null
  product_num: number | null
  quantity: number | null
}

/** Converts the stored prize of a rank to the fields of a form. */
export const toPrize = ({ place, currency, amount, product_num, quantity }: StoredPrize): Prize => ({
  place,
  gift: currency ?? 'item',
  amount: amount ?? quantity,
  item: product_num,
})
