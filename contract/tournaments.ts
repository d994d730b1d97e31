import { z } from 'zod'
import * as f from 'zod/mini'
import { DAY_MS } from './durations.ts'
import { declareCalls } from './endpoint.ts'
import { messageSchema } from './errors.ts'
import { lineField } from './fields.ts'
import { offerSchema } from './gifts.ts'
import { count, id, offsetMoment } from './scalars.ts'

const tournaments = declareCalls('tournaments', 'player')

export const TOURNAMENT_FORMATS = {
  single: 'Single elimination',
  double: 'Double elimination',
  groups: 'Groups',
} as const
export type TournamentFormat = keyof typeof TOURNAMENT_FORMATS

export const MATCH_OUTCOMES = ['played', 'walkover1', 'walkover2', 'cancelled'] as const
/** The way a match ended. `walkover1` is a win of the first entry because the second did not appear. */
export type MatchOutcome = (typeof MATCH_OUTCOMES)[number]

/** The state of a tournament. Up to `ready` it depends on the clock. */
export const TOURNAMENT_PHASES = {
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
export type TournamentPhase = keyof typeof TOURNAMENT_PHASES

/** The minimum time after the last result before a tournament can be finalised. */
export const TOURNAMENT_OBJECTION_PERIOD_MS = DAY_MS

/** The points for a win, a draw and a defeat in a group. */
export const GROUP_POINTS = { win: 3, draw: 1, loss: 0 } as const

/** Returns the number of ranks that the format decides between all entries. Only these ranks can have a prize. */
export function countDecidedRanks({ format, third_place }: { format: TournamentFormat; third_place: boolean }): number {
  if (format === 'groups') return third_place ? 4 : 2
  return format === 'double' || third_place ? 4 : 2
}

type MatchPosition = { stage: number; grp: number; round: number; number: number }
type BracketShape = { format: TournamentFormat; groups: number | null }

/** Returns the name of the bracket's part that a match belongs to. */
export function getPartName(
  { stage, grp }: Pick<MatchPosition, 'stage' | 'grp'>,
  { format, groups }: BracketShape,
): string {
  if (format === 'groups' && stage === 1) return groups === 1 ? 'Matches' : `Group ${getGroupLetter(grp)}`
  if (format === 'double') return ['Upper bracket', 'Lower bracket', 'Grand final'][grp - 1] ?? ''
  return grp === 1 ? (format === 'groups' ? 'Finals' : 'Bracket') : 'Third place'
}

export const getGroupLetter = (grp: number) => String.fromCharCode(64 + grp)

/** Returns the name of a round. @param rounds the number of rounds in its part */
export function getRoundName(position: MatchPosition, rounds: number, { format }: BracketShape): string {
  const { stage, grp, round } = position
  if (format === 'groups' && stage === 1) return `Round ${round}`
  if (format === 'double') {
    if (grp === 3) return round === 1 ? 'Grand final' : 'Deciding match'
    if (round === rounds) return grp === 1 ? 'Upper final' : 'Lower final'
    return `Round ${round}`
  }
  if (grp === 2) return 'Third place'
  const remainingRounds = rounds - round
  return remainingRounds === 0
    ? 'Final'
    : remainingRounds === 1
      ? 'Semi-finals'
      : remainingRounds === 2
        ? 'Quarter-finals'
        : `Round ${round}`
}

/** The texts that players see. */
export const TOURNAMENT_TEXTS = {
  line: 'Brackets, groups and prizes, for players and clubs. All times are Manila time.',
  tournamentNotFound: 'There is no such tournament.',
  empty: 'No tournaments yet',
  emptyLine: 'The next one is announced here and in the news.',
  failed: 'We couldn’t load the tournaments.',
  registered: 'You are registered.',
  withdrawn: 'You are no longer registered.',
  checkedIn: 'You are checked in. Good luck!',
} as const

export const CLUB_NAME_MAX = 30
const CLUB_NAME_RULE = `Use 2 to ${CLUB_NAME_MAX} characters.`

/** The name of a club in one line; empty in a tournament of players. */
export const clubField = lineField(CLUB_NAME_MAX, undefined, {
  tooLong: CLUB_NAME_RULE,
  characters: CLUB_NAME_RULE,
}).check(f.refine((name) => name === '' || name.length >= 2, CLUB_NAME_RULE))

/** A character's number, or its digits from a select field. */
const characterField = f.pipe(
  f.pipe(
    f.union([f.number('Choose one of your characters.'), f.string('Choose one of your characters.')]),
    f.transform((value: string | number) =>
      typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value,
    ),
  ),
  f.int('Choose one of your characters.').check(f.positive('Choose one of your characters.')),
)

export const registrationForm = f.object({
  tournament: f.int('Choose a tournament.'),
  character: characterField,
  club: f._default(clubField, ''),
})

const getKeys = <Key extends string>(labels: Record<Key, string>) => Object.keys(labels) as [Key, ...Key[]]
const tournamentNotFound = { status: 404, message: TOURNAMENT_TEXTS.tournamentNotFound } as const

const summaryFields = {
  tournament: id,
  name: z.string(),
  kind: z.enum(['players', 'clubs']),
  format: z.enum(getKeys<TournamentFormat>(TOURNAMENT_FORMATS)),
  phase: z.enum(getKeys<TournamentPhase>(TOURNAMENT_PHASES)),
  entries: count,
  max_entries: count,
  level_from: z.int(),
  level_to: z.int().nullable(),
  registration_from: offsetMoment,
  registration_until: offsetMoment,
  checkin_from: offsetMoment,
  checkin_until: offsetMoment,
  starts_at: offsetMoment,
  winner: z.string().nullable().meta({ description: 'The winner; null until the tournament is final' }),
  first_prize: offerSchema
    .nullable()
    .meta({ description: 'The prize of the best rank that has one; null without prizes' }),
  next_match_at: offsetMoment
    .nullable()
    .meta({ description: 'The earliest time of a match that has two known entries and no result' }),
}
const summarySchema = z.object(summaryFields).meta({ id: 'TournamentSummary' })

export const getTournaments = tournaments.get('/tournaments', {
  summary: 'Tournaments, the latest first, 20 at a time',
  access: 'public',
  cache: { freshMs: 15_000 },
  input: {
    query: z.object({
      after: z
        .string()
        .regex(/^(\d{1,15}\.\d{1,15})?$/, 'after must be the next of the previous page.')
        .default('')
        .meta({ description: 'The `next` of the previous page' }),
    }),
  },
  output: z.object({ data: z.array(summarySchema), next: z.string().nullable() }),
})

const entrySchema = z.object({
  entry: id,
  seed: z.int().nullable(),
  name: z.string().meta({ description: 'The club, or the character of a player' }),
  club: z.string().nullable(),
  cha_num: id,
  cha_name: z.string(),
  cha_level: z.int(),
  cha_class: z.string(),
  cha_school: z.int(),
  has_page: z.boolean().meta({ description: 'Whether the character has a page' }),
  checked_in: z.boolean(),
  place: z.int().nullable(),
})

const matchSchema = z.object({
  match: id,
  stage: z.int(),
  grp: z.int(),
  round: z.int(),
  number: z.int(),
  entry1: id.nullable(),
  entry2: id.nullable(),
  state: z.enum(['open', 'ready', 'done', 'bye', 'unneeded']),
  outcome: z.enum(MATCH_OUTCOMES).nullable(),
  score1: z.int().nullable(),
  score2: z.int().nullable(),
  winner: id.nullable(),
  starts_at: offsetMoment.nullable(),
})

const groupTableSchema = z.object({
  grp: z.int(),
  rows: z.array(
    z.object({
      entry: id,
      played: count,
      wins: count,
      draws: count,
      losses: count,
      scored: z.int(),
      against: z.int(),
      points: z.int(),
    }),
  ),
})

export const tournamentSchema = z
  .object({
    ...summaryFields,
    about: z.string(),
    third_place: z.boolean(),
    groups: count.nullable(),
    advance: count.nullable(),
    cancelled_why: z.string(),
    offers: z.array(offerSchema),
    list: z
      .array(entrySchema)
      .meta({ description: 'The entries, sorted by place, then by seed, then by registration' }),
    matches: z.array(matchSchema),
    tables: z.array(groupTableSchema),
  })
  .meta({ id: 'Tournament' })

export type Tournament = z.infer<typeof tournamentSchema>

export const getTournament = tournaments.get('/tournaments/{id}', {
  summary: 'A tournament with its entries, its bracket and its prizes',
  access: 'public',
  cache: { freshMs: 10_000 },
  input: { params: z.object({ id: z.string().regex(/^\d{1,15}$/, TOURNAMENT_TEXTS.tournamentNotFound) }) },
  output: tournamentSchema,
  errors: { tournamentNotFound },
})

const ownEntrySchema = z.object({
  entry: id,
  cha_num: id,
  club: z.string().nullable(),
  checked_in: z.boolean(),
})

export const getOwnEntry = tournaments.get('/tournaments/{id}/mine', {
  summary:
    'The caller’s entry in a tournament, and the caller’s characters, each with the reason why it may not register',
  input: { params: z.object({ id: z.string().regex(/^\d{1,15}$/, TOURNAMENT_TEXTS.tournamentNotFound) }) },
  output: z.object({
    entry: ownEntrySchema.nullable(),
    characters: z.array(
      z.object({ cha_num: id, cha_name: z.string(), cha_level: z.int(), why_not: z.string().nullable() }),
    ),
  }),
  errors: { tournamentNotFound },
})

const body = z.object({ tournament: id })

export const registerEntry = tournaments.post('/tournaments/register', {
  summary: 'Register a character for a tournament of players, or a club with its leader’s character',
  limit: 'tournamentEntries',
  fields: registrationForm,
  output: messageSchema,
  errors: {
    tournamentNotFound,
    notOpen: { status: 409, message: 'Registration is not open.' },
    full: { status: 409, message: 'The last spot has just been taken.' },
    registered: { status: 409, message: 'You are already registered.' },
    characterNotFound: { status: 422, message: 'Choose one of your characters.', field: 'character' },
    level: { status: 422, message: 'This character’s level is outside the allowed range.', field: 'character' },
    hidden: { status: 422, message: 'This character cannot take part. Please contact support.', field: 'character' },
    clubMissing: { status: 422, message: 'Enter the name of your club.', field: 'club' },
    clubTaken: { status: 409, message: 'This club is already registered.', field: 'club' },
  },
})

export const withdrawEntry = tournaments.post('/tournaments/withdraw', {
  summary: 'Withdraw the caller’s registration, until the bracket is drawn',
  limit: 'tournamentEntries',
  input: { body },
  output: messageSchema,
  errors: {
    tournamentNotFound,
    notRegistered: { status: 409, message: 'You are not registered.' },
    drawn: { status: 409, message: 'The bracket is drawn. Please tell an operator if you cannot play.' },
  },
})

export const checkInEntry = tournaments.post('/tournaments/checkin', {
  summary: 'Check in the caller’s entry; entries that are not checked in are left out of the bracket',
  limit: 'tournamentEntries',
  input: { body },
  output: messageSchema,
  errors: {
    tournamentNotFound,
    notRegistered: { status: 409, message: 'You are not registered.' },
    notOpen: { status: 409, message: 'Check-in is not open.' },
  },
})
