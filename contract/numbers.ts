/**
 * Formats a number with a comma before every three digits: 1234567 as '1,234,567'.
 *
 * The browser's formatter would delay every page, because its first use loads language data (docs/decisions/009).
 */
export function formatCount(value: number | bigint): string {
  return groupDigits(String(value))
}

/** Formats a count with its noun: '1 unit', '1,234 units'. */
export const formatPlural = (count: number, singular: string, plural = `${singular}s`): string =>
  `${formatCount(count)} ${count === 1 ? singular : plural}`

/** Formats an ordinal: '1st', '2nd', '3rd', '4th', '11th'. */
export function formatOrdinal(number: number): string {
  const isTeen = number % 100 > 10 && number % 100 < 14
  return `${number}${(isTeen ? undefined : ['th', 'st', 'nd', 'rd'][number % 10]) ?? 'th'}`
}

/** Formats whole money for people: 50000 as '50,000.00' (MONEY-4). */
export function formatMoney(amount: number): string {
  return groupDigits(amount.toFixed(2))
}

function groupDigits(digits: string): string {
  const [integerPart = '', ...fraction] = digits.split('.')
  return [integerPart.replace(/\B(?=(\d{3})+$)/g, ','), ...fraction].join('.')
}

/**
 * Parses a whole number as a person types it, with or without commas before every three digits. Returns null for any
 * other text, such as '5.00', '5,00' or '-5', which must not become another number.
 */
export function parseWholeNumber(text: string): number | null {
  const digits = text.trim()
  return /^(\d{1,15}|\d{1,3}(,\d{3}){1,4})$/.test(digits) ? Number(digits.replaceAll(',', '')) : null
}

/** The error for a text that `parseWholeNumber` cannot parse, in a form or a file. */
export const WHOLE_NUMBER_RULE = 'Enter a whole number such as 1500.'
