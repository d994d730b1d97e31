import { z } from 'zod'
import * as f from 'zod/mini'
import { balancesSchema, frozen } from './cart.ts'
import { DAY_MS, inDays } from './durations.ts'
import { calls } from './endpoint.ts'
import { messageSchema } from './errors.ts'
import { linesField } from './fields.ts'
import { GIFT_WAITS_MS, USER_ID_MAX } from './limits.ts'
import { formatCount } from './numbers.ts'
import { pauses, SHOP } from './shop.ts'

const cart = calls('cart', 'player')

/** The texts of gifts between players. */
export const GIFT = {
  send: 'Send as a gift',
  sent: `Sent! Your gift waits in their mail box. If they don’t claim it within ${inDays(GIFT_WAITS_MS)}, you get your money back.`,
  userIdRequired: 'Enter the user ID of the player.',
  recipientNotFound: 'We can’t send this gift: no player with this user ID can receive it.',
  yourself: 'You can’t send a gift to yourself.',
  unverified: 'Confirm your email address first. Then you can send gifts.',
  tooYoung: 'Your account has to be 7 days old before you can send gifts.',
  tooMany: 'You can send 5 gifts in 24 hours. Please try again later.',
  accepts: 'Other players can send you gifts.',
  refuses: 'Other players can no longer send you gifts.',
} as const

/** How many gifts an account can send in 24 hours. */
export const GIFTS_A_DAY = 5
/** How old an account must be to send one. */
export const GIFT_ACCOUNT_AGE_MS = 7 * DAY_MS

type Worth = {
  currency?: 'r_coin' | 'milleage' | null
  amount?: number | null
  item_name?: string | null
  quantity?: number | null
}

/** Formats a gift or a prize: '500 R-Coin', '2 × Bandana', or 'Bandana' for one. */
export function giftWorth({ currency, amount, item_name, quantity }: Worth): string {
  if (amount != null) return `${formatCount(amount)} ${currency === 'r_coin' ? 'R-Coin' : 'Milleage'}`
  return quantity === 1 ? (item_name ?? 'an item') : `${quantity} × ${item_name ?? 'item'}`
}

const GIFT_NOTE_MAX = 200

export const giftForm = f.object({
  user_id: f
    .string(GIFT.userIdRequired)
    .check(f.trim(), f.minLength(1, GIFT.userIdRequired), f.maxLength(USER_ID_MAX, GIFT.recipientNotFound)),
  note: f._default(linesField(GIFT_NOTE_MAX), ''),
})

/** One text for all who cannot receive a gift: it does not reveal who exists or declines gifts. */
const recipientNotFound = { status: 422, message: GIFT.recipientNotFound, field: 'user_id' } as const

export const buyGift = cart.post('/buygift', {
  summary: 'Buy one of an item at its current price for another player',
  idempotent: true,
  input: {
    body: z.object({ ...giftForm.shape, productnum: z.int('The item number must be a whole number.') }),
  },
  fields: giftForm,
  output: balancesSchema,
  errors: {
    itemNotFound: { status: 404, message: SHOP.itemNotFound },
    unverified: { status: 422, message: GIFT.unverified },
    tooYoung: { status: 422, message: GIFT.tooYoung },
    tooMany: { status: 422, message: GIFT.tooMany },
    yourself: { status: 422, message: GIFT.yourself, field: 'user_id' },
    recipientNotFound,
    frozen,
    overLimit: { status: 422, message: SHOP.overLimit },
    shortRCoin: { status: 422, message: SHOP.shortRCoin },
    shortMilleage: { status: 422, message: SHOP.shortMilleage },
    ...pauses,
  },
})

export const getGiftChoice = cart.get('/gifts', {
  summary: 'Whether the caller accepts gifts from other players',
  output: z.object({ accepts: z.boolean() }),
})

export const setGiftChoice = cart.post('/gifts', {
  summary: 'Choose whether to accept gifts from other players',
  input: { body: z.object({ accepts: z.boolean('Accepts must be true or false.') }) },
  output: messageSchema,
})
