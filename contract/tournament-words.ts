import { DAY_MS } from './durations.ts'

/** What tournaments are made of, and their words. Without Zod, for the browser. */

export const FORMATS = {
  single: 'Single elimination',
  double: 'Double elimination',
  groups: 'Groups',
} as const
export type Format = keyof typeof FORMATS

export const OUTCOMES = ['played', 'walkover1', 'walkover2', 'cancelled'] as const
/** How a match ended. `walkover1` is a win of the first entry because the second did not come. */
export type Outcome = (typeof OUTCOMES)[number]

/** Where a tournament is. Up to `ready` it goes by the clock. */
export const PHASES = {
  draft: 'Draft',
  coming: 'Registration opens soon',
  open: 'Registration open',
  closed: 'Registration closed',
  checkin: 'Check-in open',
  ready: 'About to begin',
  running: 'Running',
  decided: 'Decided, not final yet',
  finalised: 'Final',
  cancelled: 'Cancelled',
} as const
export type Phase = keyof typeof PHASES

/** A result stands a day before the tournament can be finalised. */
export const OBJECTIONS_MS = DAY_MS

/** A win, a draw and a defeat in a group. */
export const GROUP_POINTS = { win: 3, draw: 1, loss: 0 } as const

/** How many places can be worth something: those that the format decides between all entries. */
export function decidedPlaces({ format, third_place }: { format: Format; third_place: boolean }): number {
  if (format === 'groups') return third_place ? 4 : 2
  return format === 'double' || third_place ? 4 : 2
}

type Position = { stage: number; grp: number; round: number; number: number }
type Shape = { format: Format; groups: number | null }

/** What the part of a bracket is called that a match belongs to. */
export function partName({ stage, grp }: Pick<Position, 'stage' | 'grp'>, { format, groups }: Shape): string {
  if (format === 'groups' && stage === 1) return groups === 1 ? 'Matches' : `Group ${groupLetter(grp)}`
  if (format === 'double') return ['Upper bracket', 'Lower bracket', 'Grand final'][grp - 1] ?? ''
  return grp === 1 ? (format === 'groups' ? 'Finals' : 'Bracket') : 'Third place'
}

export const groupLetter = (grp: number) => String.fromCharCode(64 + grp)

/** What a round is called. @param rounds how many there are in its part */
export function roundName(position: Position, rounds: number, { format }: Shape): string {
  const { stage, grp, round } = position
  if (format === 'groups' && stage === 1) return `Round ${round}`
  if (format === 'double') {
    if (grp === 3) return round === 1 ? 'Grand final' : 'Deciding match'
    if (round === rounds) return grp === 1 ? 'Upper final' : 'Lower final'
    return `Round ${round}`
  }
  if (grp === 2) return 'Third place'
  const left = rounds - round
  return left === 0 ? 'Final' : left === 1 ? 'Semi-finals' : left === 2 ? 'Quarter-finals' : `Round ${round}`
}

/** The texts that players see. */
export const TOURNAMENTS = {
  line: 'Brackets, groups and prizes, for players and clubs. All times are Manila time.',
  noTournament: 'There is no such tournament.',
  empty: 'No tournaments yet',
  emptyLine: 'The next one is announced here and in the news.',
  failed: 'We couldn’t load the tournaments.',
  registered: 'You are registered.',
  withdrawn: 'You are no longer registered.',
  checkedIn: 'You are checked in. Good luck!',
} as const
