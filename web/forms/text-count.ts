import { formatPlural } from '#contract/numbers.ts'

/** From here on the number of characters left is read out. */
const NEARLY_FULL = 200

/**
 * Counts a text against its limit as its rule does, which ignores spaces around it.
 *
 * @returns the count, whether it is over the limit, and what screen readers read out; nothing without a limit
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
