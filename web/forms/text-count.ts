import { formatPlural } from '#contract/numbers.ts'

/** Screen readers announce the number of remaining characters from this number down. */
const ANNOUNCE_BELOW = 200

/**
 * Counts a text against its limit. Like the rule, it ignores spaces around the text.
 *
 * @returns the count, whether it exceeds the limit, and the announcement for screen readers; null without a limit
 */
export function countText(text: string, limit: number | undefined) {
  if (limit === undefined || limit <= 0) return null
  const typedLength = text.replace(/\r\n?/g, '\n').trim().length
  const remaining = limit - typedLength
  const announcement =
    remaining < 0
      ? `${formatPlural(-remaining, 'character')} too many`
      : remaining <= ANNOUNCE_BELOW
        ? `${formatPlural(remaining, 'character')} left`
        : ''
  return { typedLength, isTooLong: remaining < 0, announcement }
}
