/** The fields of the form that changes a balance. Browsers fetch this file on demand, so it is written with zod/mini. */
import * as z from 'zod/mini'
import { PRICE_MAX } from './limits.ts'
import { formatCount } from './numbers.ts'

const REASON = 'Say why, in 3 to 300 characters.'

/** What staff write about why they do something. */
export const reasonField = z
  .string(REASON)
  .check(z.trim(), z.minLength(3, REASON), z.maxLength(300, REASON), z.regex(/^[\P{Cc}\n]*$/u, REASON))

const readDigits = (value: string | number | null) => {
  const text = typeof value === 'string' ? value.trim().replaceAll(',', '') : value
  return typeof text === 'string' && /^\d{1,12}$/.test(text) ? Number(text) : text
}

/** A whole number, also as the text that a form's field has. */
export function wholeField(min: number, max: number) {
  const rule = `Enter a whole number from ${min} to ${formatCount(max)}.`
  const whole = z.int(rule).check(z.minimum(min, rule), z.maximum(max, rule))
  return z.pipe(
    z.pipe(
      z.union([z.number(rule), z.string(rule)], rule),
      z.transform((value: string | number) => readDigits(value)),
    ),
    whole,
  )
}

/** The same, where nothing stands for no limit. */
export function limitField(max: number) {
  const rule = `Enter a whole number from 1 to ${formatCount(max)}, or nothing.`
  const whole = z.nullable(z.int(rule).check(z.minimum(1, rule), z.maximum(max, rule)))
  const read = (value: string | number | null) => (value === '' ? null : readDigits(value))
  return z.pipe(z.pipe(z.union([z.number(rule), z.string(rule), z.null(rule)], rule), z.transform(read)), whole)
}

export const adjustForm = z.object({
  currency: z.enum(['rCoin', 'milleage'], 'Choose R-Coin or Milleage.'),
  direction: z.enum(['give', 'take'], 'Choose whether to give or to take.'),
  amount: wholeField(1, PRICE_MAX),
  reason: reasonField,
})
