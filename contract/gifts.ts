import { z } from 'zod'
import { movedSchema } from './cart.ts'
import { endpoint } from './endpoint.ts'
import { maintenance, saidSchema } from './errors.ts'
import { giftForm } from './gift-fields.ts'
import { GIFT } from './gift-messages.ts'
import { SHOP } from './shop-messages.ts'

/** One text for everyone who cannot have a gift, so that nobody learns who exists or refuses. */
const noRecipient = { status: 422, message: GIFT.noRecipient, field: 'user_id' } as const

export const buyGift = endpoint({
  method: 'POST',
  path: '/buygift',
  summary: 'Buy one of an item at its current price for another player',
  area: 'cart',
  access: 'player',
  idempotent: true,
  input: {
    body: z.object({ ...giftForm.shape, productnum: z.int('The item number must be a whole number.') }),
  },
  fields: giftForm,
  output: movedSchema,
  errors: {
    noItem: { status: 404, message: SHOP.noItem },
    unverified: { status: 422, message: GIFT.unverified },
    tooYoung: { status: 422, message: GIFT.tooYoung },
    tooMany: { status: 422, message: GIFT.tooMany },
    yourself: { status: 422, message: GIFT.yourself, field: 'user_id' },
    noRecipient,
    overLimit: { status: 422, message: SHOP.overLimit },
    shortRCoin: { status: 422, message: SHOP.shortRCoin },
    shortMilleage: { status: 422, message: SHOP.shortMilleage },
    maintenance,
  },
})

export const getGiftChoice = endpoint({
  method: 'GET',
  path: '/gifts',
  summary: 'Whether the caller accepts gifts from other players',
  area: 'cart',
  access: 'player',
  output: z.object({ accepts: z.boolean() }),
})

export const setGiftChoice = endpoint({
  method: 'POST',
  path: '/gifts',
  summary: 'Choose whether to accept gifts from other players',
  area: 'cart',
  access: 'player',
  input: { body: z.object({ accepts: z.boolean('Accepts must be true or false.') }) },
  output: saidSchema,
})
