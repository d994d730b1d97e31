import { z } from 'zod'
import { calls } from './endpoint.ts'
import { count, id, nullableMoment, offsetMoment } from './scalars.ts'

const wars = calls('rankings', 'public')

/** The texts that players see. */
export const WARS = {
  line: 'Which club holds which area, when the next war begins, and how the last ones ended.',
  noClub: 'No club',
  leagueNotFound: 'There is no such league.',
} as const

/** How many changes of holders, and how many results of wars, the page of the wars lists. */
export const CHANGES_SHOWN = 20
export const RESULTS_SHOWN = 6

/** A club by its name; its number and school are those of a club with a page. */
const clubFields = {
  club: z.string().nullable().meta({ description: 'The name of the club; null where no club is meant' }),
  GuNum: z.int().nullable().meta({ description: 'Its number if it has a page at /club/{GuNum}' }),
  school: z.int().nullable().meta({ description: 'The school of most of its members' }),
}

export const getWars = wars.get('/wars', {
  summary: 'The wars of clubs: the next one, who holds which area since when, and the last results',
  cache: { freshMs: 30_000 },
  output: z.object({
    next: z
      .object({ event: id, title: z.string(), starts_at: offsetMoment, ends_at: offsetMoment })
      .nullable()
      .meta({ description: 'The club war that is on or comes next' }),
    areas: z.array(
      z.object({
        id,
        name: z.string(),
        img_url: z.string().nullable(),
        tax_percent: count,
        ...clubFields,
        held_since: nullableMoment.meta({ description: 'Since when; null where no change was recorded' }),
      }),
    ),
    changes: z
      .array(z.object({ area: z.string(), ...clubFields, since: offsetMoment }))
      .meta({ description: 'The last changes of holders, the latest first' }),
    results: z.array(z.object({ event: id, title: z.string(), starts_at: offsetMoment, result: z.string() })),
  }),
})
