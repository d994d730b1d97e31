import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { id, offsetMoment } from './scalars.ts'

/** How often a page that stays open asks again. */
export const STATUS_EVERY_MS = 120_000
/** How many events it names. */
export const STATUS_EVENTS = 4

export const getServerStatus = endpoint({
  method: 'GET',
  path: '/server-status',
  summary: 'Whether the game is up, how many play, and which events come next',
  area: 'site',
  access: 'public',
  cache: { freshMs: 60_000 },
  output: z.object({
    up: z.boolean().nullable().meta({ description: 'Null while no bridge tells' }),
    players: z.int().nullable(),
    events: z
      .array(z.object({ event: id, title: z.string(), starts_at: offsetMoment }))
      .meta({ description: 'Events that are on or come next, each at its next time, the earliest first' }),
  }),
})
