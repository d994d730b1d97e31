import { StateBadge } from '../../kit/facts.tsx'

/** The priorities by their number. */
export const PRIORITIES = [
  [3, 'Urgent'],
  [2, 'High'],
  [1, 'Normal'],
  [0, 'Low'],
] as const

/** A priority that is not the usual one. */
export function PriorityBadge({ priority }: { priority: number }) {
  if (priority === 1) return null
  const label = PRIORITIES.find(([number]) => number === priority)?.[1]
  return <StateBadge tone={priority === 3 ? 'bad' : priority === 2 ? 'next' : 'off'}>{label}</StateBadge>
}
