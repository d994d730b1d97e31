import { z } from 'zod'
import { endpoint } from './endpoint.ts'

const until = z.string().meta({ description: 'When it ends, ISO 8601; empty for no announced end' })

/** What every page announces: maintenance, which may be planned, or a line of the operators. */
const noticeSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('maintenance'), text: z.string(), from: z.string(), until }),
  z.object({ kind: z.literal('announcement'), text: z.string(), link: z.string(), until }),
])

export type Notice = z.infer<typeof noticeSchema>

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
    registration_open: z.boolean(),
    notices: z.array(noticeSchema),
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

const text = z.string()
const fact = z.object({ name: text, value: text, note: text })

/** Everything that the server information sheet says, as the operators wrote it. */
export const getServerInfo = endpoint({
  method: 'GET',
  path: '/server-info',
  summary: 'Rates, limits, times and rules of the game server',
  area: 'site',
  access: 'public',
  cache: { freshMs: 60_000 },
  output: z.object({
    intro: text,
    rates: z.array(fact).readonly(),
    numbers: z.array(fact).readonly(),
    week: z
      .array(
        fact.extend({
          color: z.enum(['red', 'blue', 'green']),
          spans: z.array(z.object({ day: z.int(), from: z.number(), to: z.number() })).readonly(),
        }),
      )
      .readonly(),
    month: fact,
    chat: z.array(z.object({ name: text, value: text })).readonly(),
    rules: z.array(z.object({ title: text, text })).readonly(),
    help: z.array(z.object({ name: text, text, to: text, label: text })).readonly(),
  }),
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
