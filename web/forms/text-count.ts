import { formatPlural } from '#contract/numbers.ts'

/** Below this number of remaining characters, screen readers announce the number. */
const NEARLY_FULL = 200

/**
 * Counts a text against its limit. Like the rule, it ignores spaces around the text.
 *
 * @returns the count, whether it exceeds the limit, and the announcement for screen readers; null without a limit
 */
export function countText(text: string, limit: number | undefined) {
  if (limit === undefined || limit <= 0) return null
  const typed = text.replace(/\r\n?/g, '\n').trim().length
  const left = limit - typed
  const spoken =
    left < 0
      ? `${formatPlural(-left, 'character')} too many`
      : left <= NEARLY_FULL
        ? `${formatPlural(left, 'character')} left`
        : ''
  return { typed, isOver: left < 0, spoken }
}
