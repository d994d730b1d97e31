import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { errorAnswer, jsonAnswer } from './errors.ts'

/**
 * A character on a board (SPEC §3). Kills, deaths and resu are the month's;
 * level, MMR and money the present values (in a closed month: the last ones).
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

/** A calendar month in Asia/Manila, written 2026-10. */
export const periodIdSchema = z.string().regex(/^\d{4}-(0[1-9]|1[0-2])$/, 'must be a month such as 2026-10')

export const getTopRankingsList = endpoint({
  method: 'get',
  path: '/get-top-rankings-list',
  summary: 'The top 100 of every board, of this month or of a closed one',
  tags: ['rankings'],
  request: { query: z.object({ period: periodIdSchema.optional() }) },
  responses: {
    200: jsonAnswer('The six lists', rankingsSchema),
    404: errorAnswer('No such month'),
    422: errorAnswer('Not a month'),
  },
})

export const getRankingPeriods = endpoint({
  method: 'get',
  path: '/ranking-periods',
  summary: 'The open month and the closed ones, newest first',
  tags: ['rankings'],
  responses: {
    200: jsonAnswer(
      'The months',
      z.object({
        data: z.array(
          z.object({
            period: periodIdSchema,
            starts_at: z.iso.datetime({ offset: true }),
            ends_at: z.iso.datetime({ offset: true }),
            open: z.boolean(),
          }),
        ),
      }),
    ),
  },
})
