import type { League } from '#contract/leagues.ts'
import { formatPlural } from '#contract/numbers.ts'

/** Describes how a league counts points, in a sentence. */
export function describePoints({ counts, points }: Pick<League, 'counts' | 'points'>): string {
  if (counts === 'areas')
    return `${formatPlural(points[0] ?? 0, 'point')} for each area that a club holds at the end of a war.`
  return points.length === 1
    ? `${formatPlural(points[0] ?? 0, 'point')} for the first place in a war.`
    : `Points for the first ${points.length} places in a war: ${points.join(', ')}.`
}
