import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { BOARDS } from './game.ts'

/**
 * A character on a board (SPEC §3). Kills, deaths and resu are those of the month; level, MMR and money are the
 * current values, or the last ones of a closed month.
 */
export const rankedCharacterSchema = z
  .object({
    ChaNum: z.int(),
    ChaName: z.string(),
    ChaLevel: z.int(),
    ChaClass: z.string(),
    ChaSchool: z.int(),
    ChaPKScore: z.int(),
    ChaPKDeath: z.int(),
    ChaMMR: z.int(),
    ChaResuScore: z.int(),
    ChaMoney: z.int(),
    ChaLevelUpDate: z.iso.datetime({ offset: true }).nullable(),
  })
  .meta({ id: 'RankedCharacter' })

export type RankedCharacter = z.infer<typeof rankedCharacterSchema>

const list = z.array(rankedCharacterSchema)

export const rankingsSchema = z
  .object({
    topresu: list,
    topmmr: list,
    toppk: list,
    toplevel: list,
    topmoney: list,
    toplevelside: list,
  })
  .meta({ id: 'Rankings' })

export type Rankings = z.infer<typeof rankingsSchema>

/** A calendar month in Asia/Manila, such as 2026-10. */
export const periodIdSchema = z.string().regex(/^\d{4}-(0[1-9]|1[0-2])$/, 'Period must be a month such as 2026-10.')

export const getTopRankingsList = endpoint({
  method: 'GET',
  path: '/get-top-rankings-list',
  summary: 'The top 100 of every board, of this month or of a closed one',
  area: 'rankings',
  access: 'public',
  cache: { freshMs: 60_000 },
  input: { query: z.object({ period: periodIdSchema.optional() }) },
  output: rankingsSchema,
  errors: { noPeriod: { status: 404, message: 'There are no rankings of that month.' } },
})

export const getRankingPeriods = endpoint({
  method: 'GET',
  path: '/ranking-periods',
  summary: 'The open month and the closed ones, newest first',
  area: 'rankings',
  access: 'public',
  cache: { freshMs: 60_000 },
  output: z.object({
    data: z.array(
      z.object({
        period: periodIdSchema,
        starts_at: z.iso.datetime({ offset: true }),
        ends_at: z.iso.datetime({ offset: true }),
        open: z.boolean(),
      }),
    ),
  }),
})

export const getTotalRankings = endpoint({
  method: 'GET',
  path: '/total-rankings',
  summary:
    'The top 100 of a board of all time: kills, deaths and resu since the beginning, and the present level, MMR and money',
  area: 'rankings',
  access: 'public',
  cache: { freshMs: 60_000 },
  input: { query: z.object({ board: z.enum(BOARDS) }) },
  output: z.object({ data: list }),
})
