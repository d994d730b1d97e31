import { z } from 'zod'
import { declareCalls } from './endpoint.ts'
import { BOARDS } from './game.ts'
import { wholeNumberParam } from './paging.ts'
import { periodIdSchema } from './rankings.ts'
import { id, moment, nullableMoment } from './scalars.ts'

/** The maximum number of rows on a page of the activity. */
export const ACTIVITY_PAGE_SIZE = 30
/** The number of rows on the home page. */
export const HOME_ACTIVITY_ROWS = 6
/** The maximum number of stored rows. */
export const ACTIVITY_ROWS_MAX = 100_000

/** The texts that players see. */
export const ACTIVITY_TEXTS = {
  line: 'Levels, records, wars, tournaments, clubs, news and events, the newest first.',
  empty: 'Nothing has happened yet',
  emptyLine: 'Levels, records, wars and tournaments appear here as they happen.',
  failed: 'We couldn’t load the activity.',
} as const

const character = z.object({ ChaNum: z.int(), ChaName: z.string(), ChaClass: z.string(), ChaSchool: z.int() })
const club = z.object({
  GuName: z.string(),
  GuNum: z.int().nullable().meta({ description: 'Null for a club without a page' }),
})
const commonFields = {
  activity: id,
  day: z.iso.date().meta({ description: 'In Manila' }),
  at: nullableMoment.meta({ description: 'The time; null while the site does not show which players are online' }),
}
const createRowSchema = <Kind extends string, Fields extends z.core.$ZodShape>(kind: Kind, fields: Fields) =>
  z.object({ kind: z.literal(kind), ...commonFields, ...fields })

const activityRow = z.discriminatedUnion('kind', [
  createRowSchema('level', { character, level: z.int() }),
  createRowSchema('first', {
    character,
    level: z.int(),
    class: z.string().meta({ description: 'The class in which the character was the first at this level' }),
  }),
  createRowSchema('record', { character, board: z.enum(BOARDS), value: z.int(), period: periodIdSchema }),
  createRowSchema('area', { area: z.string(), club }),
  createRowSchema('tournament', {
    character,
    club: z.string().nullable().meta({ description: 'The club that the winner led' }),
    tournament: id,
    name: z.string(),
  }),
  createRowSchema('league', {
    league: id,
    name: z.string(),
    club: club.nullable().meta({ description: 'The club that won; null if several clubs share place 1' }),
  }),
  createRowSchema('club', { club }),
  createRowSchema('news', { news: id, subject: z.string() }),
  createRowSchema('event', { event: id, title: z.string(), starts_at: moment }),
])

export const listActivity = declareCalls('rankings', 'public').get('/activity', {
  summary:
    'What happened on the server, the newest first: levels, records, wars, tournaments, leagues, new clubs, news and events',
  cache: { freshMs: 30_000 },
  input: {
    query: z.object({
      before: wholeNumberParam('The entry')
        .optional()
        .meta({ description: 'The id of an entry; the response has only older entries' }),
      only: z.enum(['game']).optional().meta({ description: 'game: leaves out news and events' }),
      size: wholeNumberParam('The size')
        .optional()
        .meta({ description: `At most ${ACTIVITY_PAGE_SIZE}` }),
    }),
  },
  output: z.object({
    data: z.array(activityRow),
    next: id.nullable().meta({ description: 'The value of before for the next page; null on the last one' }),
  }),
})
