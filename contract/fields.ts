/** Rules that forms of several areas share. */
import * as f from 'zod/mini'
import { describeFields } from './describe-fields.ts'
import { formatCount, readWhole } from './numbers.ts'

/** The reason a person gives for what they do (DESK-23); the audit log keeps it, and the person concerned may read it. */
export const reasonField = f
  .string('Please give a reason.')
  .check(
    f.trim(),
    f.minLength(3, 'Please give a reason.'),
    f.maxLength(300, 'Use at most 300 characters.'),
    f.regex(/^[\P{Cc}\n]*$/u, 'Use plain text.'),
  )

/** The field for it, where a reason is asked for before something is done. */
export const reasonFields = describeFields(f.object({ reason: reasonField }), {
  reason: { label: 'Reason', kind: 'lines', rows: 2 },
})

/** What one line of text consists of. */
export const ONE_LINE = /^[^\p{Cc}\p{Cs}\u2028\u2029]*$/u

/** One line of text. Without `missing` it may be empty. */
export const lineField = (max: number, missing?: string) =>
  f
    .string(missing ?? 'Use one line of text.')
    .check(
      f.trim(),
      ...(missing === undefined ? [] : [f.minLength(1, missing)]),
      f.maxLength(max, `Use at most ${max} characters.`),
      f.regex(ONE_LINE, 'Use one line of text.'),
    )

/** The number of something that the screen has shown. */
export const shownNumber = f.number('Load the page again.').check(f.int(), f.positive())

/** A picture of this site, or none. */
export const pictureField = f.nullable(
  f
    .string('Choose a picture.')
    .check(
      f.maxLength(300, 'Choose a picture from this site.'),
      f.regex(/^\/([^/\\\p{Cc}][^\p{Cc}]*)?$/u, 'Choose a picture from this site.'),
    ),
)

const readDigits = (value: string | number | null) => {
  return typeof value === 'string' ? (readWhole(value) ?? value) : value
}

/** A whole number, also as the text that a form's field has. */
export function wholeField(min: number, max: number) {
  const rule = `Enter a whole number from ${min} to ${formatCount(max)}.`
  const whole = f.int(rule).check(f.minimum(min, rule), f.maximum(max, rule))
  return f.pipe(
    f.pipe(
      f.union([f.number(rule), f.string(rule)], rule),
      f.transform((value: string | number) => readDigits(value)),
    ),
    whole,
  )
}

/** The same, where nothing stands for no limit. */
export function limitField(max: number) {
  const rule = `Enter a whole number from 1 to ${formatCount(max)}, or nothing.`
  const whole = f.nullable(f.int(rule).check(f.minimum(1, rule), f.maximum(max, rule)))
  const read = (value: string | number | null) => (value === '' ? null : readDigits(value))
  return f.pipe(f.pipe(f.union([f.number(rule), f.string(rule), f.null(rule)], rule), f.transform(read)), whole)
}
