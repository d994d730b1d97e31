import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { id, offsetMoment } from './scalars.ts'

/** How often a page that stays open asks again. */
export const STATUS_EVERY_MS = 120_000

export const getServerStatus = endpoint({
  method: 'GET',
  path: '/server-status',
  summary: 'Whether the game is up, how many play, and the event that is on or comes next',
  area: 'site',
  access: 'public',
  cache: { freshMs: 60_000 },
  output: z.object({
    up: z.boolean().nullable().meta({ description: 'Null while no bridge tells' }),
    players: z.int().nullable(),
    event: z
      .object({ event: id, title: z.string(), starts_at: offsetMoment, ends_at: offsetMoment })
      .nullable()
      .meta({ description: 'The event that is on or comes next' }),
  }),
})
