import { z } from 'zod'
import { namedClubFields } from './clubs.ts'
import { DAY_MS } from './durations.ts'
import { declareCalls } from './endpoint.ts'
import { offerSchema } from './gifts.ts'
import { formatPlural } from './numbers.ts'
import { count, id, nullableMoment, offsetMoment } from './scalars.ts'

const leagues = declareCalls('rankings', 'public')

/** Messages of the calls of leagues (WAR-3). */
export const LEAGUE_TEXTS = {
  leagueNotFound: 'There is no such league.',
} as const

/** What a league counts in a war: the areas that a club holds after it, or the club's rank in it. */
export const LEAGUE_MEASURES = ['areas', 'places'] as const
export type LeagueMeasure = (typeof LEAGUE_MEASURES)[number]

/** The labels of a league's phases. The clock determines `coming`, `running` and `decided`. */
export const LEAGUE_PHASES = {
  draft: 'Draft',
  coming: 'Begins soon',
  running: 'Running',
  decided: 'Over, not final yet',
  finalised: 'Final',
  cancelled: 'Cancelled',
} as const
export type LeaguePhase = keyof typeof LEAGUE_PHASES

/** A result or a league can be made final only after this time has passed since its last change. */
export const LEAGUE_OBJECTION_PERIOD_MS = DAY_MS
/** The delay after a war before the holders of areas are counted. Servers hand areas over within minutes. */
export const HANDOVER_MINUTES = 15

/** The recipients of a club's prizes: its leader, or each of its members. */
export const PRIZE_RECIPIENTS = ['leader', 'members'] as const
export type PrizeRecipient = (typeof PRIZE_RECIPIENTS)[number]
/** The maximum number of members of a club who get a prize; those with the highest levels come first. */
export const PRIZE_MEMBERS_MAX = 200

export const LEAGUE_EVENTS_MAX = 5
export const LEAGUE_DURATION_MAX_MS = 366 * DAY_MS
export const LEAGUE_POINTS_MAX = 1000
/** The maximum number of ranks that get points in a war. */
export const LEAGUE_RANKS_MAX = 32

/** The maximum number of wars on a league's page. */
export const LEAGUE_WARS_SHOWN_MAX = 60
/** The maximum numbers of leagues, and of clubs per league, on the page of wars. */
export const LEAGUES_SHOWN_MAX = 6
export const LEAGUE_CLUBS_SHOWN_MAX = 8

/** Returns the points for a number of areas, or for a rank. */
export function calculatePoints(
  { counts: measure, points }: { counts: LeagueMeasure; points: readonly number[] },
  value: number,
): number {
  return measure === 'areas' ? value * (points[0] ?? 0) : (points[value - 1] ?? 0)
}

/** Formats a result of a club: '2 areas' or 'Place 1'. */
export const formatScore = (measure: LeagueMeasure, value: number) =>
  measure === 'areas' ? formatPlural(value, 'area') : `Place ${value}`

const getKeys = <Key extends string>(labels: Record<Key, string>) => Object.keys(labels) as [Key, ...Key[]]

export const standingSchema = z
  .object({
    rank: z.int().meta({ description: 'Clubs with the same points and the same number of wars won share a rank' }),
    ...namedClubFields,
    wars: count.meta({ description: 'The number of wars in which the club scored' }),
    won: count.meta({ description: 'The number of wars in which no club did better' }),
    adjusted: z.int().meta({ description: 'The sum of its bonuses minus its penalties' }),
    points: z.int(),
  })
  .meta({ id: 'LeagueStanding' })
export type Standing = z.infer<typeof standingSchema>

const summaryFields = {
  league: id,
  name: z.string(),
  phase: z.enum(getKeys<LeaguePhase>(LEAGUE_PHASES)),
  counts: z.enum(LEAGUE_MEASURES),
  points: z.array(z.int()).meta({ description: 'The points for each area, or for each rank from the first on' }),
  starts_at: offsetMoment,
  ends_at: offsetMoment,
  table: z.array(standingSchema),
}

export const leagueSummarySchema = z.object(summaryFields).meta({ id: 'LeagueSummary' })

export const leagueSchema = z
  .object({
    ...summaryFields,
    about: z.string(),
    cancelled_why: z.string(),
    offers: z.array(offerSchema).meta({ description: 'The prizes by rank' }),
    prizes_to: z.enum(PRIZE_RECIPIENTS),
    events: z.array(z.object({ event: id.nullable(), title: z.string() })).meta({
      description: 'The events whose wars count; `event` is null for an event without a page',
    }),
    next_at: nullableMoment.meta({ description: 'When the next war of the league begins' }),
    wars: z
      .array(
        z.object({
          event: id.nullable(),
          title: z.string(),
          starts_at: offsetMoment,
          is_final: z.boolean(),
          scores: z.array(z.object({ ...namedClubFields, value: z.int(), points: z.int() })),
        }),
      )
      .meta({ description: 'The latest wars with a result, the latest first' }),
    adjustments: z
      .array(z.object({ ...namedClubFields, points: z.int(), reason: z.string(), made_at: offsetMoment }))
      .meta({ description: 'Bonuses and penalties, the latest first' }),
  })
  .meta({ id: 'League' })
export type League = z.infer<typeof leagueSchema>

export const getLeague = leagues.get('/wars/league/{league}', {
  summary: 'A league of club wars: its table, the results of its wars, bonuses and penalties',
  cache: { freshMs: 30_000 },
  cors: true,
  input: { params: z.object({ league: z.string().regex(/^\d{1,15}$/, LEAGUE_TEXTS.leagueNotFound) }) },
  output: leagueSchema,
  errors: { leagueNotFound: { status: 404, message: LEAGUE_TEXTS.leagueNotFound } },
})
