import { z } from 'zod'
import { namedClubFields } from './clubs.ts'
import { declareCalls } from './endpoint.ts'
import { leagueSummarySchema } from './leagues.ts'
import { count, id, nullableMoment, offsetMoment } from './scalars.ts'

const wars = declareCalls('rankings', 'public')

/** The maximum number of changes of holders on the page of wars. */
export const CHANGES_SHOWN_MAX = 20
/** The maximum number of war results on the page of wars. */
export const RESULTS_SHOWN_MAX = 6

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
        held_since: nullableMoment.meta({ description: 'When the club took the area; null if no change was recorded' }),
        alliance: z.object({ GuNum: z.int(), GuName: z.string() }).nullable().meta({
          description:
            'The leader of the holder’s alliance, possibly the holder; null if the holder has no alliance or the leader has no page',
        }),
      }),
    ),
    changes: z
      .array(z.object({ area: z.string(), ...namedClubFields, since: offsetMoment }))
      .meta({ description: 'The last changes of holders, newest first' }),
    leagues: z.array(leagueSummarySchema).meta({
      description: 'The leagues with the first clubs of their tables; leagues that are not final come first',
    }),
    results: z.array(z.object({ event: id, title: z.string(), starts_at: offsetMoment, result: z.string() })),
  }),
})
