import { z } from 'zod'
import { MINUTE_MS } from './durations.ts'
import { endpoint } from './endpoint.ts'
import { moment } from './scalars.ts'

/** How much time one point of the chart stands for. */
export const ONLINE_STEP_MS = 30 * MINUTE_MS
/** Points of the chart: the last 24 hours. */
export const ONLINE_POINTS = 48
/** A count that is older says when it was made. */
export const ONLINE_OLD_MS = 5 * MINUTE_MS

/** How many play the game, as its bridge counts them every minute. */
export const onlineSchema = z.object({
  players: z.int(),
  counted_at: moment,
  old: z.boolean().meta({ description: 'Whether the count is older than five minutes' }),
  most: z.int().meta({ description: 'The highest count of the last 24 hours' }),
  from: moment.meta({ description: 'When the first point begins; each stands for half an hour' }),
  points: z.array(z.int().nullable()).meta({ description: 'Averages; null where nothing was counted' }),
})
export type Online = z.infer<typeof onlineSchema>

export const getPlayersOnline = endpoint({
  method: 'GET',
  path: '/players-online',
  summary: 'How many players are in the game now and were in the last 24 hours; null without a bridge to the game',
  area: 'site',
  access: 'public',
  cache: { freshMs: 60_000 },
  output: z.object({ online: onlineSchema.nullable() }),
})
