import { z } from 'zod'
import { namedClubFields } from './clubs.ts'
import { calls } from './endpoint.ts'
import { leagueSummarySchema } from './leagues.ts'
import { count, id, nullableMoment, offsetMoment } from './scalars.ts'

const wars = calls('rankings', 'public')

/** The maximum numbers of changes of holders and of war results on the page of wars. */
export const CHANGES_SHOWN = 20
export const RESULTS_SHOWN = 6

export const getWars = wars.get('/wars', {
  summary: 'The wars of clubs: the next one, who holds which area since when, the leagues and the last results',
  cache: { freshMs: 30_000 },
  cors: true,
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
        ...namedClubFields,
        held_since: nullableMoment.meta({ description: 'Since when; null where no change was recorded' }),
        alliance: z.object({ GuNum: z.int(), GuName: z.string() }).nullable().meta({
          description:
            'The club that leads its alliance, which can be the holder itself; null without one that has a page',
        }),
      }),
    ),
    changes: z
      .array(z.object({ area: z.string(), ...namedClubFields, since: offsetMoment }))
      .meta({ description: 'The last changes of holders, the latest first' }),
    leagues: z.array(leagueSummarySchema).meta({
      description: 'The leagues with the first clubs of their tables, those that are not final first',
    }),
    results: z.array(z.object({ event: id, title: z.string(), starts_at: offsetMoment, result: z.string() })),
  }),
})
