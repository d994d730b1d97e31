import { z } from 'zod'
import { declareCalls } from './endpoint.ts'
import { BOARDS } from './game.ts'
import { wholeNumberParam } from './paging.ts'
import { nullableMoment, offsetMoment } from './scalars.ts'

const rankings = declareCalls('rankings', 'public')

/** The page of the club ranking. Menus link it while clubs exist (CLUB-4). */
export const CLUB_RANKING_PATH = '/rankings/club'

/** The maximum number of clubs in the ranking (CLUB-3). */
export const RANKED_CLUBS_MAX = 100
/** The maximum number of members on a club's page. */
export const CLUB_MEMBERS_MAX = 200
/** The maximum number of leagues on a club's page. */
export const CLUB_LEAGUES_MAX = 20
/** The maximum number of allied clubs on a club's page. */
export const CLUB_ALLIES_MAX = 50
/** The maximum number of periods on a club's page in which the club held an area. */
export const CLUB_HOLDINGS_MAX = 20

/** The address of the picture of a club's mark (CLUB-5). */
const mark = z
  .string()
  .nullable()
  .meta({ description: 'The address of the club’s mark in the game, as PNG; null for a club without a mark' })

const characterFields = { ChaNum: z.int(), ChaName: z.string() }
const clubFields = {
  GuNum: z.int(),
  GuName: z.string(),
  mark,
  school: z.int().meta({ description: 'The school of most of its members' }),
  members: z.int().meta({ description: 'The number of its characters in the rankings' }),
  leader: z.object(characterFields).nullable(),
  wins: z.int(),
  losses: z.int(),
  draws: z.int(),
}

/** The fields of a club that another page names. Number, school and mark are set only for a club in the club ranking. */
export const namedClubFields = {
  club: z.string().nullable().meta({ description: 'The name of the club; null for no club' }),
  GuNum: z.int().nullable().meta({
    description: 'Its number, which is also in the address of its page; null for a club outside the club ranking',
  }),
  school: z
    .int()
    .nullable()
    .meta({ description: 'The school of most of its members; null for a club outside the club ranking' }),
  mark,
}

/** A club in the ranking. */
export const rankedClubSchema = z
  .object({
    ...clubFields,
    areas: z.array(z.string()).meta({ description: 'The areas that it holds, by their names' }),
  })
  .meta({ id: 'RankedClub' })

export const getClubRanking = rankings.get('/club-ranking', {
  summary: `The first ${RANKED_CLUBS_MAX} clubs that have ranked characters, the most wins first`,
  cache: { freshMs: 60_000 },
  cors: true,
  output: z.object({ data: z.array(rankedClubSchema) }),
})

export const getClub = rankings.get('/club/{club}', {
  summary:
    'A club: its leader, its members with their best ranks of the month, its battles, and the areas that it holds',
  cache: { freshMs: 60_000 },
  cors: true,
  input: { params: z.object({ club: wholeNumberParam('The club number') }) },
  output: z.object({
    ...clubFields,
    rank: z.int().nullable().meta({ description: 'Its rank; null if the ranking is too short to list the club' }),
    founded_at: nullableMoment,
    areas: z.array(z.object({ id: z.int(), name: z.string(), tax_percent: z.int(), img_url: z.string().nullable() })),
    held: z.array(z.object({ name: z.string(), since: offsetMoment, until: nullableMoment })).meta({
      description:
        'The latest periods in which the club held an area, the latest first; `until` is null while it still holds the area',
    }),
    alliance: z
      .array(
        z.object({
          GuNum: z.int(),
          GuName: z.string(),
          mark,
          school: clubFields.school,
          leads: z.boolean().meta({ description: 'Whether this club leads the alliance' }),
        }),
      )
      .meta({
        description:
          'The clubs of its alliance that have a page, including this club, with the leading club first; empty if no other club of the alliance has a page',
      }),
    leagues: z
      .array(z.object({ league: z.int(), name: z.string(), place: z.int(), points: z.int(), final_at: offsetMoment }))
      .meta({ description: 'Its ranks in the latest final leagues, the latest first' }),
    roll: z
      .array(
        z.object({
          ...characterFields,
          ChaLevel: z.int(),
          ChaClass: z.string(),
          ChaSchool: z.int(),
          best: z
            .object({ board: z.enum(BOARDS), rank: z.int() })
            .nullable()
            .meta({
              description: 'The best rank of the character on this month’s boards, if it is among the first 1,000',
            }),
        }),
      )
      .meta({ description: 'The members of the club, the highest level first' }),
  }),
  errors: { clubNotFound: { status: 404, message: 'There is no such club.' } },
})
