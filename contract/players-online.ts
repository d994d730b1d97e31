import { z } from 'zod'
import { HOUR_MS, MINUTE_MS } from './durations.ts'
import { declareCalls } from './endpoint.ts'
import { CLASS_NAMES } from './game.ts'
import { moment } from './scalars.ts'

const site = declareCalls('site', 'public')

/** The period of one point in the chart. */
export const ONLINE_POINT_PERIOD_MS = 30 * MINUTE_MS
/** The number of points in the chart: the last 24 hours. */
export const ONLINE_POINT_COUNT = 48
/** The age in ms above which a count is shown with its time. */
export const ONLINE_COUNT_MAX_AGE_MS = 5 * MINUTE_MS

/** The period of one point in the chart of 30 days. */
export const MONTH_POINT_PERIOD_MS = 4 * HOUR_MS
/** The number of points in the chart of 30 days. */
export const MONTH_POINT_COUNT = 180

/** The counts of players in a school or a class, null if unknown: now, and the average and the highest of 30 days. */
const groupCountFields = { now: z.int(), average: z.number(), most: z.int() }

/** The number of players online, as the bridge counts them every minute. */
export const onlineSchema = z.object({
  players: z.int(),
  counted_at: moment,
  old: z.boolean().meta({ description: 'Whether the count is older than five minutes' }),
  most: z.int().meta({ description: 'The highest count of the last 24 hours' }),
  peak_today: z.int().meta({ description: 'The highest count since midnight in Manila' }),
  demo: z.boolean().meta({ description: 'Whether the numbers are invented, because a demo site has no game' }),
  from: moment.meta({ description: 'When the first point begins; each covers half an hour' }),
  points: z.array(z.int().nullable()).meta({ description: 'Averages; null where nothing was counted' }),
  month: z.object({
    from: moment.meta({ description: 'When the first point begins; each covers four hours' }),
    points: z.array(z.int().nullable()),
    most: z.int(),
    up_percent: z
      .number()
      .nullable()
      .meta({ description: 'The percentage of the observed time in which the game was up' }),
    schools: z.array(z.object({ school: z.int().nullable(), ...groupCountFields })),
    classes: z.array(z.object({ class: z.enum(CLASS_NAMES).nullable(), ...groupCountFields })),
  }),
})
export type Online = z.infer<typeof onlineSchema>

export const getPlayersOnline = site.get('/players-online', {
  summary:
    'How many players are online now, and were in the last 24 hours and 30 days; null without a bridge or without a count in 24 hours',
  cache: { freshMs: 60_000 },
  cors: true,
  output: z.object({ online: onlineSchema.nullable() }),
})

/** The maximum number of kills, and of wars, in the response (STATUS-5). */
export const GAME_LOG_SHOWN_MAX = 10

const fighter = z.object({ ChaNum: z.int(), ChaName: z.string(), ChaClass: z.string(), ChaSchool: z.int() })
const fightingClub = z.object({ GuNum: z.int(), GuName: z.string() })

export const getGameLog = site.get('/happenings', {
  summary:
    'The latest kills, and the latest wars of clubs; empty unless the bridge reads the game log. Kills also need the setting `show_who_plays`',
  cache: { freshMs: 60_000 },
  cors: true,
  output: z.object({
    kills: z.array(z.object({ at: moment, killer: fighter, victim: fighter })),
    wars: z.array(
      z.object({ at: moment, winner: fightingClub, loser: fightingClub.nullable(), area: z.string().nullable() }),
    ),
  }),
})
