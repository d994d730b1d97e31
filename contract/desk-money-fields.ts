/** The fields of the form that changes a balance. Browsers fetch this file on demand, so it is written with zod/mini. */
import * as z from 'zod/mini'
import { PRICE_MAX } from './limits.ts'

const AMOUNT = `Enter a whole number from 1 to ${PRICE_MAX.toLocaleString('en-US')}.`
const REASON = 'Say why, in 3 to 200 characters.'

/** What staff write about why they do something. */
export const reasonField = z
  .string(REASON)
  .check(z.trim(), z.minLength(3, REASON), z.maxLength(200, REASON), z.regex(/^\P{Cc}*$/u, REASON))

export const adjustForm = z.object({
  currency: z.enum(['rCoin', 'milleage'], 'Choose R-Coin or Milleage.'),
  direction: z.enum(['give', 'take'], 'Choose whether to give or to take.'),
  amount: z.int(AMOUNT).check(z.minimum(1, AMOUNT), z.maximum(PRICE_MAX, AMOUNT)),
  reason: reasonField,
})
