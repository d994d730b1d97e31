import { z } from 'zod'
import { endpoint } from './endpoint.ts'

/** The operator's settings that the shell shows, and the size of each school. */
export const siteSchema = z
  .object({
    app_name: z.string(),
    public_url: z.string(),
    agent_url: z.string().nullable(),
    social_url: z.string().nullable(),
    operator_name: z.string(),
    operator_email: z.string().nullable(),
    demo: z.boolean(),
    schools: z.array(z.object({ school: z.int(), characters: z.int() })),
  })
  .meta({ id: 'Site' })

export const getSite = endpoint({
  method: 'GET',
  path: '/site',
  summary: 'Name, links and the number of characters in each school',
  area: 'site',
  access: 'public',
  cache: { freshMs: Number.MAX_SAFE_INTEGER },
  output: siteSchema,
})

/** The time that all visitors' clocks share (SPEC §1, §3 "Time value"). */
export const getTime = endpoint({
  method: 'GET',
  path: '/time',
  summary: "The server's time, in Manila",
  area: 'site',
  access: 'public',
  output: z.object({
    time: z.string().meta({ description: 'A leading part, and hh:mm at the end' }),
    epoch_ms: z.int(),
  }),
})

export const clubAreaSchema = z
  .object({
    id: z.int(),
    name: z.string(),
    club: z.string().nullable(),
    tax_percent: z.int(),
    img_url: z.string().nullable(),
  })
  .meta({ id: 'ClubArea' })

export const getClubAreas = endpoint({
  method: 'GET',
  path: '/club-areas',
  summary: 'The areas that clubs fight for, with their owners and taxes',
  area: 'site',
  access: 'public',
  cache: { freshMs: 60_000 },
  output: z.object({ data: z.array(clubAreaSchema) }),
})
