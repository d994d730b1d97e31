import { z } from 'zod'
import {
  audienceChecks,
  audienceFields,
  GIFTS,
  giftChecks,
  giftFields,
  LETTER_TO,
  letterForm,
} from './desk-letters-fields.ts'
import { deskList, deskQuery } from './desk-list.ts'
import { endpoint } from './endpoint.ts'
import { OPENED_COUNTED } from './limits.ts'

const noPlayer = { status: 422, message: 'There is no account with this user ID.', field: 'user_id' } as const
const noItem = { status: 422, message: 'There is no item with this number.', field: 'bought' } as const
const noGiftItem = { status: 422, message: 'There is no item with this number.', field: 'gift_item' } as const
const noReceiver = {
  status: 422,
  message: 'This player can’t receive a gift yet: they need a confirmed email address and a character.',
  field: 'user_id',
} as const

export const getSentLetters = endpoint({
  method: 'GET',
  path: '/admin/letters',
  summary: 'The letters that staff have written, newest first',
  area: 'desk: letters',
  access: 'letters.send',
  input: { query: deskQuery(['-letter'], {}) },
  output: deskList(
    z.object({
      letter: z.int(),
      subject: z.string(),
      body: z.string(),
      to: z.enum(LETTER_TO),
      to_words: z.string(),
      to_num: z.int().nullable(),
      link: z.string(),
      sent_by: z.string(),
      sent_at: z.iso.datetime(),
      expires_at: z.iso.datetime(),
      opened: z
        .int()
        .max(OPENED_COUNTED)
        .meta({ description: `How many have opened it; ${OPENED_COUNTED} is that many or more` }),
      gift: z
        .object({
          kind: z.enum(GIFTS),
          words: z.string(),
          claims: z.int(),
          claimed: z.int(),
          budget: z.int(),
          state: z.enum(['open', 'claimed', 'withdrawn']),
        })
        .nullable(),
    }),
  ),
})

/** A POST, because it takes the form as it is. It changes nothing but the audit log. */
export const countRecipients = endpoint({
  method: 'POST',
  path: '/admin/letters/recipients',
  summary: 'How many players a letter would reach now',
  area: 'desk: letters',
  access: 'letters.send',
  input: {
    body: z.object({ ...audienceFields, ...giftFields }).check(...audienceChecks, ...giftChecks),
  },
  output: z.object({
    recipients: z.int(),
    each: z.int().meta({ description: 'What the gift is worth to one of them, in R-Coin or Milleage' }),
    total: z.int().meta({ description: 'Recipients × each' }),
  }),
  errors: { noPlayer, noItem, noGiftItem, noReceiver },
})

export const sendLetters = endpoint({
  method: 'POST',
  path: '/admin/letters/send',
  summary: 'Write to one player or to many',
  area: 'desk: letters',
  access: 'letters.send',
  idempotent: true,
  input: { body: z.object(letterForm.shape).check(...audienceChecks, ...giftChecks) },
  fields: letterForm,
  output: z.object({ message: z.string(), letter: z.int() }),
  errors: {
    noPlayer,
    noItem,
    noGiftItem,
    noReceiver,
    notCounted: { status: 422, message: 'Count the recipients first: the total is the budget.', field: 'gift_budget' },
    belowOne: { status: 422, message: 'The budget is not enough for one gift.', field: 'gift_budget' },
  },
})

export const withdrawLetterGift = endpoint({
  method: 'POST',
  path: '/admin/letters/withdraw-gift',
  summary: 'Take back the gift of a letter, from everyone who has not claimed it',
  area: 'desk: letters',
  access: 'letters.send',
  idempotent: true,
  input: { body: z.object({ letter: z.int('Choose a letter.') }) },
  output: z.object({ message: z.string() }),
  errors: {
    noGift: { status: 404, message: 'This letter has no gift from the team.' },
    giftEnded: { status: 409, message: 'This gift has already been claimed or withdrawn.' },
  },
})
