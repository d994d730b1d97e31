import { formatPlural } from '#contract/numbers.ts'

/** Screen readers announce the number of remaining characters if it is at most this. */
const ANNOUNCED_MAX = 200

/**
 * Counts a text against its limit. Ignores spaces around the text and counts a line break as one character, as the rule of
 * the field does.
 *
 * @returns the count, whether it exceeds the limit, and the announcement for screen readers; null without a limit
 */
export function countText(text: string, limit: number | undefined) {
  if (limit === undefined || limit <= 0) return null
  const typedLength = text.replace(/\r\n?/g, '\n').trim().length
  const remainingCount = limit - typedLength
  const announcement =
    remainingCount < 0
      ? `${formatPlural(-remainingCount, 'character')} too many`
      : remainingCount <= ANNOUNCED_MAX
        ? `${formatPlural(remainingCount, 'character')} left`
        : ''
  return { typedLength, isTooLong: remainingCount < 0, announcement }
}
