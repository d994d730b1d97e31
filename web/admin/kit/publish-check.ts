import { BLANK_PATTERN } from '#contract/document-fields.ts'
import { toManilaDay } from '#contract/manila.ts'
import { findOutsideLinks } from '#contract/outside-links.ts'

/** A difference from the published text, as plain text. `fieldPath` joins the labels that lead to the field. */
export type Change = { fieldPath: string; before: string; after: string }

/** The points that an operator must check before publishing a text. */
export type Findings = {
  /** The blanks with the text around them, which shows their position. */
  blanks: { textBefore: string; blank: string; textAfter: string }[]
  dates: { text: string; isPast: boolean }[]
  links: { address: string; isNew: boolean }[]
}

const MONTH_NAMES =
  'Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?'
const DATE_PATTERN = new RegExp(
  String.raw`\b(?:\d{1,2} (?:${MONTH_NAMES})\.? \d{4}|(?:${MONTH_NAMES})\.? \d{1,2}, \d{4}|\d{4}-\d{2}-\d{2})\b`,
  'g',
)

/** Parses the day of a written date, such as 2026-11-29. Day 31 of a shorter month becomes a day of the next month. */
function parseDay(text: string): string | undefined {
  const time = Date.parse(/^\d{4}-/.test(text) ? text : `${text.replace('Sept ', 'Sep ')} UTC`)
  return Number.isNaN(time) ? undefined : new Date(time).toISOString().slice(0, 10)
}

/** The length of the text on each side of a blank, in characters. */
const CONTEXT_LENGTH = 50

/** Finds the blanks of a text, with whole words on each side. */
function findBlanks(text: string): Findings['blanks'] {
  const plainText = text.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ')
  return [...plainText.matchAll(BLANK_PATTERN)].map(({ 0: blank, index }) => {
    const end = index + blank.length
    const textBefore = plainText.slice(0, index).slice(-CONTEXT_LENGTH)
    const textAfter = plainText.slice(end, end + CONTEXT_LENGTH)
    return {
      textBefore: index > CONTEXT_LENGTH ? textBefore.replace(/^\S*/, '…') : textBefore,
      blank,
      textAfter: end + CONTEXT_LENGTH < plainText.length ? textAfter.replace(/\S*$/, '…') : textAfter,
    }
  })
}

/** Returns every text in a value, at any depth. */
function listTexts(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(listTexts) : []
}

/**
 * Finds the blanks, dates and external links in a text before it is published.
 *
 * @param published the text that readers see now, or null
 * @param site the address of this site
 * @param now the current time; a date before this day in Manila is past
 */
export function findThingsToCheck(text: unknown, published: unknown, site: string, now: Date): Findings {
  const texts = listTexts(text)
  const publishedLinks = findOutsideLinks(published, site)
  const dates = texts.flatMap((part) => part.replace(/<[^>]*>/g, ' ').match(DATE_PATTERN) ?? [])
  return {
    blanks: texts.flatMap(findBlanks),
    dates: [...new Set(dates)].map((date) => ({ text: date, isPast: (parseDay(date) ?? '9') < toManilaDay(now) })),
    links: [...new Set(findOutsideLinks(text, site))].map((address) => ({
      address,
      isNew: !publishedLinks.includes(address),
    })),
  }
}

/** Formats a value for the list of changes. */
export function toPlainText(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value !== 'string') return JSON.stringify(value)
  if (!value.startsWith('<')) return value
  const { body } = new DOMParser().parseFromString(value.replaceAll('</', ' </'), 'text/html')
  return body.textContent.replace(/\s+/g, ' ').trim()
}
