import { z } from 'zod'
import { declareCalls } from './endpoint.ts'
import { BOARD_NAMES, BOARDS, type Board, CLASS_NAMES, findClassByCode, findSchool, formatClassPlural } from './game.ts'
import { wholeNumberParam } from './paging.ts'
import { periodIdSchema } from './rankings.ts'
import { offsetMoment } from './scalars.ts'
import { seasonStateSchema } from './seasons.ts'

const rankings = declareCalls('rankings', 'public')

const board = z.enum(BOARDS)

/** A rank on a board. */
const rankFields = {
  board,
  rank: z
    .int()
    .nullable()
    .meta({ description: 'Null below rank 1,000 of an open board, where only the first 1,000 are counted' }),
  value: z.int(),
}
const rankChange = z
  .union([z.int(), z.literal('new')])
  .nullable()
  .meta({
    description:
      'Ranks gained since the previous month or season, negative for ranks lost; new: among the first 100 now, and not ranked then; null: there is no previous month or season, or no rank to compare',
  })

/** A title that a character won. */
const titleFields = {
  kind: z.enum(['month', 'season', 'tournament', 'league', 'first']),
  name: z.string().meta({
    description:
      'The name of the month, the season, the tournament or the league; for the kind `first`, the name of the class',
  }),
  board: board.nullable().meta({ description: 'The board of a month or a season; null for other titles' }),
  period: periodIdSchema.nullable().meta({ description: 'The month, such as 2026-10; null for other titles' }),
  id: z
    .int()
    .nullable()
    .meta({ description: 'The id of the season, the tournament or the league; null for other titles' }),
  level: z
    .int()
    .nullable()
    .meta({ description: 'For the kind `first`: the level that the character reached first; null for other titles' }),
  won_at: offsetMoment,
}
const titleSchema = z.object(titleFields)
export type CharacterTitle = z.infer<typeof titleSchema>

export const getTitles = rankings.get('/titles', {
  summary:
    'The latest titles with their holders, newest first: of months, seasons, tournaments and leagues, and of the first of a class to reach a level',
  cache: { freshMs: 60_000 },
  cors: true,
  output: z.object({
    data: z.array(
      z.object({
        ...titleFields,
        ChaNum: z.int(),
        ChaName: z.string(),
        ChaClass: z.string(),
        ChaSchool: z.int(),
        club: z
          .object({ GuNum: z.int(), GuName: z.string() })
          .nullable()
          .meta({ description: 'The club that won a league; the character is its leader or another member' }),
      }),
    ),
  }),
})

export const getCharacter = rankings.get('/character/{cha_num}', {
  summary: 'A ranked character: its last twelve months, its seasons, its all-time ranks and its tournaments',
  cache: { freshMs: 60_000 },
  cors: true,
  input: { params: z.object({ cha_num: wholeNumberParam('The character number') }) },
  output: z.object({
    ChaNum: z.int(),
    ChaName: z.string(),
    ChaLevel: z.int(),
    ChaClass: z.string(),
    ChaSchool: z.int(),
    ChaLevelUpDate: offsetMoment.nullable(),
    poster: z
      .object({ picture: z.string(), text: z.string() })
      .nullable()
      .meta({ description: 'The picture of its class; null unless the published class guide has one' }),
    picture: z
      .string()
      .meta({ description: 'The picture of its page for messengers; the address changes with the picture' }),
    club: z
      .object({
        GuNum: z.int(),
        GuName: z.string(),
        leads: z.boolean().meta({ description: 'Whether it leads the club' }),
      })
      .nullable(),
    online: z.boolean().nullable().meta({
      description:
        'Whether it is online; null if the site does not show who is online, or the game has not reported it lately',
    }),
    ranks: z
      .array(z.object({ board, of: z.enum(['all', 'class', 'school']), rank: z.int() }))
      .meta({ description: 'Its best ranks up to 100 this month, among all characters, its class and its school' }),
    averages: z.array(z.object({ board, value: z.int() })).meta({
      description: 'The average values of the ranked characters of its class on the boards of the open month',
    }),
    days: z.array(z.object({ day: z.iso.date(), level: z.int(), rank: z.int() })).meta({
      description: 'Its level, and its rank on the level board, on the last days with a rank up to 1,000',
    }),
    months: z.array(
      z.object({
        period: periodIdSchema,
        open: z.boolean(),
        places: z.array(z.object({ ...rankFields, moved: rankChange })),
      }),
    ),
    seasons: z.array(
      z.object({
        season: z.int(),
        name: z.string(),
        first_month: periodIdSchema,
        last_month: periodIdSchema,
        state: seasonStateSchema,
        places: z.array(z.object({ ...rankFields, division: z.string(), moved: rankChange })),
      }),
    ),
    total: z.array(z.object(rankFields)),
    titles: z.array(titleSchema).meta({ description: 'Its titles, newest first' }),
    tournaments: z.array(
      z.object({
        tournament: z.int(),
        name: z.string(),
        club: z.string().nullable().meta({ description: 'The club that the character led' }),
        starts_at: offsetMoment,
        state: z.enum(['announced', 'drawn', 'finalised']),
        place: z.int().nullable(),
        entries: z.int(),
      }),
    ),
  }),
  errors: { characterNotFound: { status: 404, message: 'There is no such character in the rankings.' } },
})

/** Formats a title, such as 'First on Level, October 2026'. */
export function formatTitle({ kind, name, board, level }: Omit<CharacterTitle, 'won_at'>): string {
  if (kind === 'first') return `First ${name} at level ${level}`
  return board === null ? `Winner of ${name}` : `First on ${BOARD_NAMES[board]}, ${name}`
}

type RankGroup = 'all' | 'class' | 'school'

/** Formats the text that follows the number of a rank: 'Level', 'of Archers', or 'of Phoenix, MMR'. */
export function formatRank(
  { board, of }: { board: Board; of: RankGroup },
  { ChaClass, ChaSchool }: { ChaClass: string; ChaSchool: number },
): string {
  const className = findClassByCode(ChaClass)
  const group =
    of === 'school' ? findSchool(ChaSchool)?.name : of === 'class' && className && formatClassPlural(className)
  if (!group) return BOARD_NAMES[board]
  return board === 'level' ? `of ${group}` : `of ${group}, ${BOARD_NAMES[board]}`
}

export const getUnlinkedCharacters = rankings.get('/ranking-unlinked', {
  summary:
    'The characters on the boards of a closed month that have no page, because they were deleted or are no longer ranked',
  cache: { freshMs: 60_000 },
  input: { query: z.object({ period: periodIdSchema }) },
  output: z.object({ data: z.array(z.int()) }),
})

export const getOwnRanks = rankings.get('/own-ranks', {
  summary:
    'The ranks of the caller’s characters on a board of a month, a season or all time, among all, or in a school or class',
  access: 'player',
  input: {
    query: z.object({
      of: z.enum(['month', 'season', 'total']),
      board,
      period: periodIdSchema.optional().meta({ description: 'A closed month' }),
      season: wholeNumberParam('The season').optional(),
      school: z.coerce
        .number()
        .pipe(z.literal([0, 1, 2]))
        .optional(),
      class: z.enum(CLASS_NAMES).optional(),
    }),
  },
  output: z.object({
    last: z
      .object({ rank: z.int(), value: z.int() })
      .nullable()
      .meta({ description: 'The last counted rank, if the board has more characters below it' }),
    data: z.array(
      z.object({
        ChaNum: z.int(),
        ChaName: z.string(),
        GuName: z.string().nullable().meta({ description: 'The name of its club' }),
        rank: z
          .int()
          .nullable()
          .meta({ description: 'Null for a character that is not ranked, or is below rank 1,000' }),
        behind: z.boolean().meta({ description: 'Whether it is ranked below 1,000' }),
        division: z.string().nullable(),
      }),
    ),
  }),
})
