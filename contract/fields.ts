/** Rules that several forms share. */
import * as f from 'zod/mini'
import { describeFields } from './describe-fields.ts'
import { formatCount, parseWholeNumber } from './numbers.ts'

/** A visible character, as opposed to a space or an invisible character. */
const VISIBLE_PATTERN = /[^\p{Z}\p{C}\p{M}\p{Default_Ignorable_Code_Point}\u2800]/u

/**
 * Characters that texts must not contain: control characters, halves of surrogate pairs, and characters that reverse the
 * direction of text.
 */
const FORBIDDEN_PATTERN = /[\p{Cs}\p{Bidi_Control}\u2028\u2029]|(?![\n\t])\p{Cc}/u

/** Whether a text has a visible character. */
export const hasVisibleCharacter = (text: string) => VISIBLE_PATTERN.test(text)

/** Whether a text is one line that a page can show: no controls, line breaks or direction marks (TEXT-1). */
export const isSingleLine = (text: string) => !FORBIDDEN_PATTERN.test(text) && !/[\n\t]/.test(text)

/** Whether a page can show a text, which may have line breaks and tabs. */
export const isMultiline = (text: string) => !FORBIDDEN_PATTERN.test(text)

/** The error messages of a text's rule that differ from the defaults. */
type TextMessages = { tooShort?: string; tooLong?: string; characters?: string }

/** Returns the checks for all texts. Without `requiredText`, a text may be empty, but not only invisible characters. */
function createTextChecks(
  max: number,
  isAllowed: (text: string) => boolean,
  requiredText: string | undefined,
  messages: TextMessages & { characters: string },
) {
  const { tooLong = `Use at most ${formatCount(max)} characters.`, characters } = messages
  return [
    f.trim(),
    ...(requiredText === undefined ? [] : [f.minLength(1, requiredText)]),
    f.maxLength(max, tooLong),
    f.refine<string>(isAllowed, characters),
    f.refine<string>((text) => text === '' || hasVisibleCharacter(text), requiredText ?? characters),
  ] as const
}

/**
 * The rule of a single line of text (TEXT-1), trimmed.
 *
 * @param max in characters
 * @param requiredText the message for an empty text; without it, the text may be empty
 */
export const lineField = (max: number, requiredText?: string, messages: TextMessages = {}) =>
  f
    .string(requiredText ?? 'Use one line of text.')
    .check(...createTextChecks(max, isSingleLine, requiredText, { characters: 'Use one line of text.', ...messages }))

/** The rule of a text with several lines, whose line breaks become \n. */
export const linesField = (max: number, requiredText?: string, messages: TextMessages = {}) =>
  f.string(requiredText ?? 'Enter text.').check(
    f.overwrite((text) => text.replace(/\r\n?/g, '\n')),
    ...createTextChecks(max, isMultiline, requiredText, { characters: 'Use plain text.', ...messages }),
  )

/** The reason for an action (DESK-23). The audit log stores it, and the player concerned may read it. */
export const reasonField = linesField(300, 'Please give a reason.').check(f.minLength(3, 'Please give a reason.'))

/** The field for the reason of an action. */
export const reasonFields = describeFields(f.object({ reason: reasonField }), {
  reason: { label: 'Reason', kind: 'lines', rows: 2 },
})

/** The id of a record that the screen shows. */
export const recordIdField = f.number('Load the page again.').check(f.int(), f.positive())

/** Whether a text is an address of this site, such as `/news`, of at most 300 characters. */
export const isSitePath = (text: string) => text === '/' || SITE_FILE_PATTERN.test(text)

const SITE_FILE_PATTERN = /^\/[^/\\\p{Cc}][^\p{Cc}]{0,298}$/u

/** The address of a file of this site. */
export const siteFileField = (rule: string) => f.string(rule).check(f.regex(SITE_FILE_PATTERN, rule))

/** The address of a picture of this site, or null. */
export const pictureField = f.nullable(siteFileField('Choose a picture from this site.'))

const parseDigits = (value: string | number | null) => {
  return typeof value === 'string' ? (parseWholeNumber(value) ?? value) : value
}

/** Returns the rule of a whole number, which may be the text of a form's field. */
export function wholeField(min: number, max: number) {
  const rule = `Enter a whole number from ${min} to ${formatCount(max)}.`
  const wholeNumberRule = f.int(rule).check(f.minimum(min, rule), f.maximum(max, rule))
  return f.pipe(
    f.pipe(
      f.union([f.number(rule), f.string(rule)], rule),
      f.transform((value: string | number) => parseDigits(value)),
    ),
    wholeNumberRule,
  )
}

/** Returns the rule of a limit, a whole number from 1; an empty field means no limit. */
export function limitField(max: number) {
  const rule = `Enter a whole number from 1 to ${formatCount(max)}, or nothing.`
  const wholeNumberRule = f.nullable(f.int(rule).check(f.minimum(1, rule), f.maximum(max, rule)))
  const parseInput = (value: string | number | null) => (value === '' ? null : parseDigits(value))
  return f.pipe(
    f.pipe(f.union([f.number(rule), f.string(rule), f.null(rule)], rule), f.transform(parseInput)),
    wholeNumberRule,
  )
}
