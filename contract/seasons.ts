import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { BOARDS } from './game.ts'
import { wholeNumberNamed } from './paging.ts'
import { periodIdSchema } from './rankings.ts'
import { offsetMoment } from './scalars.ts'

/** How a board of a season counts: points for the place in each month, or what was gained since the season began. */
export const seasonRuleSchema = z.enum(['points', 'growth'])
export type SeasonRule = z.infer<typeof seasonRuleSchema>

/** Where a season is: announced, counting, over and being checked, or unchangeable. */
export const seasonStateSchema = z.enum(['planned', 'running', 'ended', 'final'])
export type SeasonState = z.infer<typeof seasonStateSchema>

export const divisionSchema = z.object({
  name: z.string(),
  share: z.int().meta({ description: 'The percentage of ranked characters that reach it, better ones included' }),
})

export const seasonSchema = z
  .object({
    season: z.int(),
    name: z.string(),
    first_month: periodIdSchema,
    last_month: periodIdSchema,
    state: seasonStateSchema,
    ended_at: offsetMoment.nullable(),
    divisions: z.array(divisionSchema),
  })
  .meta({ id: 'Season' })

export type Season = z.infer<typeof seasonSchema>

export const getSeasons = endpoint({
  method: 'GET',
  path: '/seasons',
  summary: 'The seasons, newest first, announced ones included',
  area: 'rankings',
  access: 'public',
  cache: { freshMs: 60_000 },
  output: z.object({ data: z.array(seasonSchema) }),
})

const seasonEntrySchema = z
  .object({
    ChaNum: z.int(),
    ChaName: z.string(),
    ChaLevel: z.int(),
    ChaClass: z.string(),
    ChaSchool: z.int(),
    Value: z.int().meta({ description: 'Points, or what was gained since the season began' }),
    Division: z.string(),
    HasPage: z.boolean().meta({ description: 'Whether /character/{ChaNum} is there' }),
  })
  .meta({ id: 'SeasonEntry' })

export const getSeasonRankings = endpoint({
  method: 'GET',
  path: '/season-rankings',
  summary: 'The top 100 of a board of a season; without a number of the running one, else of the last one',
  area: 'rankings',
  access: 'public',
  cache: { freshMs: 60_000 },
  input: { query: z.object({ board: z.enum(BOARDS), season: wholeNumberNamed('The season').optional() }) },
  output: z.object({
    season: seasonSchema.nullable().meta({ description: 'Null while there has never been a season' }),
    rule: seasonRuleSchema,
    ranked: z.int().meta({ description: 'How many characters are ranked on this board' }),
    data: z.array(seasonEntrySchema),
  }),
  errors: { noSeason: { status: 404, message: 'There is no such season, or it has not begun.' } },
})
