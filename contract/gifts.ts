import { z } from 'zod'
import * as f from 'zod/mini'
import { balancesSchema, frozenAccountError } from './cart.ts'
import { CURRENCY_NAMES } from './currencies.ts'
import { DAY_MS, formatDays } from './durations.ts'
import { declareCalls } from './endpoint.ts'
import { messageSchema } from './errors.ts'
import { lineField, linesField } from './fields.ts'
import { GIFT_LIFETIME_MS, USER_ID_MAX } from './limits.ts'
import { formatCount } from './numbers.ts'
import { count, id } from './scalars.ts'
import { pauseErrors, SHOP_TEXTS } from './shop.ts'

const cart = declareCalls('cart', 'player')

/** The texts of gifts between players. */
export const GIFT_TEXTS = {
  send: 'Send as a gift',
  sent: `Sent! Your gift waits in their mail box. If they don’t claim it within ${formatDays(GIFT_LIFETIME_MS)}, you get your money back.`,
  recipientRequired: 'Enter a user ID or a character’s name.',
  recipientNotFound: 'We can’t send this gift: no player with this user ID can receive it.',
  characterNotFound: 'We can’t send this gift: no player with this character can receive it.',
  yourself: 'You can’t send a gift to yourself.',
  unverified: 'Confirm your email address first. Then you can send gifts.',
  tooYoung: 'Your account has to be 7 days old before you can send gifts.',
  tooMany: 'You can send 5 gifts in 24 hours. Please try again later.',
  accepts: 'Other players can send you gifts.',
  refuses: 'Other players can no longer send you gifts.',
} as const

/** The maximum number of gifts that an account can send in 24 hours. */
export const GIFTS_A_DAY = 5
/** The minimum age of an account that sends gifts. */
export const GIFT_ACCOUNT_AGE_MS = 7 * DAY_MS

type GiftValue = {
  currency?: 'r_coin' | 'milleage' | null
  amount?: number | null
  item_name?: string | null
  quantity?: number | null
}

/** Formats a gift or a prize: '500 R-Coin', '2 × Bandana', or 'Bandana' for one. */
export function formatGift({ currency, amount, item_name, quantity }: GiftValue, names = CURRENCY_NAMES): string {
  if (amount != null) return `${formatCount(amount)} ${currency === 'r_coin' ? names.rCoin : names.milleage}`
  return quantity === 1 ? (item_name ?? 'an item') : `${quantity} × ${item_name ?? 'item'}`
}

/** The prize of a rank: an amount of money, or items with their name. */
export const offerSchema = z.object({
  place: z.int(),
  currency: z.enum(['r_coin', 'milleage']).nullable(),
  amount: z.int().nullable(),
  product_num: id.nullable(),
  item_name: z.string().nullable(),
  quantity: count.nullable(),
})

const GIFT_NOTE_MAX = 200

/** The maximum length of a character's name in any game. */
const CHARACTER_NAME_MAX = 33

/** The recipient of a gift, by user ID or by the name of a character; exactly one of the two is set. */
const recipientFields = {
  user_id: f._default(
    f.string(GIFT_TEXTS.recipientRequired).check(f.trim(), f.maxLength(USER_ID_MAX, GIFT_TEXTS.recipientNotFound)),
    '',
  ),
  character: f._default(lineField(CHARACTER_NAME_MAX), ''),
}

export const giftForm = f.object({ ...recipientFields, note: f._default(linesField(GIFT_NOTE_MAX), '') })

const productnum = z.int('The item number must be a whole number.')

/**
 * The refusals of sending a gift. All user IDs that cannot receive a gift get the same text, and so do all characters.
 * Therefore the refusal does not reveal whether a player exists, is hidden or refuses gifts.
 */
const giftRefusals = {
  itemNotFound: { status: 404, message: SHOP_TEXTS.itemNotFound },
  unverified: { status: 422, message: GIFT_TEXTS.unverified },
  tooYoung: { status: 422, message: GIFT_TEXTS.tooYoung },
  tooMany: { status: 422, message: GIFT_TEXTS.tooMany },
  needsOne: { status: 422, message: GIFT_TEXTS.recipientRequired, field: 'user_id' },
  yourself: { status: 422, message: GIFT_TEXTS.yourself, field: 'user_id' },
  yourCharacter: { status: 422, message: GIFT_TEXTS.yourself, field: 'character' },
  recipientNotFound: { status: 422, message: GIFT_TEXTS.recipientNotFound, field: 'user_id' },
  characterNotFound: { status: 422, message: GIFT_TEXTS.characterNotFound, field: 'character' },
  frozen: frozenAccountError,
  overLimit: { status: 422, message: SHOP_TEXTS.overLimit },
  shortRCoin: { status: 422, message: SHOP_TEXTS.shortRCoin },
  shortMilleage: { status: 422, message: SHOP_TEXTS.shortMilleage },
  ...pauseErrors,
} as const

export const checkGift = cart.post('/giftcheck', {
  summary: 'The recipient of a gift: a user ID, or a character with its class, school and level',
  input: { body: z.object({ ...recipientFields, productnum }) },
  output: z.object({
    user_id: z.string().nullable(),
    character: z
      .object({ ChaName: z.string(), ChaLevel: z.int(), ChaClass: z.string(), ChaSchool: z.int() })
      .nullable(),
  }),
  errors: giftRefusals,
})

export const buyGift = cart.post('/buygift', {
  summary: 'Buy one unit of an item at its current price for another player',
  idempotent: true,
  input: {
    body: z.object({ ...giftForm.shape, productnum }),
  },
  fields: giftForm,
  output: balancesSchema,
  errors: giftRefusals,
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
