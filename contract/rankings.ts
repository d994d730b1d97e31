import { z } from 'zod'
import * as f from 'zod/mini'
import { describeFields } from './describe-fields.ts'
import { choiceFilter, declareDeskCalls, listPageSchema, textFilter } from './desk.ts'
import { declareCalls } from './endpoint.ts'
import { conflict, messageSchema } from './errors.ts'
import { reasonField, wholeField } from './fields.ts'
import { BOARDS } from './game.ts'
import { count, id, moment, offsetMoment } from './scalars.ts'

const rankings = declareCalls('rankings', 'public')

const desk = declareDeskCalls('rankings', { read: 'rankings.write', notPersonal: ['month'] })

/**
 * A character on a board (RANK-5, RANK-8). Kills, deaths and resu are those of the month. Level, MMR and money are
 * current. In a closed month they are the last values of that month.
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
    ChaLevelUpDate: offsetMoment.nullable(),
  })
  .meta({ id: 'RankedCharacter' })

export type RankedCharacter = z.infer<typeof rankedCharacterSchema>

const characterList = z.array(rankedCharacterSchema)

export const rankingsSchema = z
  .object({
    topresu: characterList,
    topmmr: characterList,
    toppk: characterList,
    toplevel: characterList,
    topmoney: characterList,
    toplevelside: characterList,
  })
  .meta({ id: 'Rankings' })

export type Rankings = z.infer<typeof rankingsSchema>

/** A calendar month in Asia/Manila, such as 2026-10. */
export const periodIdSchema = z.string().regex(/^\d{4}-(0[1-9]|1[0-2])$/, 'Period must be a month such as 2026-10.')

export const getTopRankingsList = rankings.get('/get-top-rankings-list', {
  summary: 'The top 100 of every board, of this month or of a closed one',
  cache: { freshMs: 60_000 },
  cors: true,
  input: { query: z.object({ period: periodIdSchema.optional() }) },
  output: rankingsSchema,
  errors: { periodNotFound: { status: 404, message: 'There are no rankings of that month.' } },
})

export const getRankingPeriods = rankings.get('/ranking-periods', {
  summary: 'The open month and the closed ones, newest first',
  cache: { freshMs: 60_000 },
  cors: true,
  output: z.object({
    data: z.array(
      z.object({
        period: periodIdSchema,
        starts_at: offsetMoment,
        ends_at: offsetMoment,
        open: z.boolean(),
      }),
    ),
  }),
})

export const getTotalRankings = rankings.get('/total-rankings', {
  summary:
    'The top 100 of a board of all time: kills, deaths and resu since the beginning, and the present level, MMR and money',
  cache: { freshMs: 60_000 },
  cors: true,
  input: { query: z.object({ board: z.enum(BOARDS) }) },
  output: z.object({ data: characterList }),
})

const characterField = f.number('Choose a character.').check(f.int(), f.positive())
const figureField = wholeField(0, 9e15)

export const hideForm = f.object({ cha_num: characterField, reason: reasonField })

/** A character's entry in a closed month. `version` is the version on which the change is based. */
const entryFields = {
  period: f.string('Choose a month.').check(f.regex(/^\d{4}-(0[1-9]|1[0-2])$/, 'Choose a month.')),
  cha_num: characterField,
  version: f.number('Load the month again.').check(f.int()),
  reason: reasonField,
}

export const archiveForm = f.object(entryFields)

export const correctionForm = f.object({
  ...entryFields,
  cha_name: f
    .string('Enter a name.')
    .check(f.trim(), f.minLength(1, 'Enter a name.'), f.maxLength(60, 'Use at most 60 characters.')),
  cha_level: wholeField(1, 100_000),
  kills: figureField,
  deaths: figureField,
  mmr: figureField,
  resu: figureField,
  money: figureField,
})

export const correctionFields = describeFields(correctionForm, {
  cha_name: 'Name',
  cha_level: 'Level',
  kills: 'Kills',
  deaths: 'Deaths',
  resu: 'Resu',
  mmr: 'MMR',
  money: 'Money',
  reason: { label: 'Reason', kind: 'long', rows: 2 },
})

const characterNotFound = { status: 404, message: 'There is no such character.' } as const
const entryNotFound = { status: 404, message: 'This character has no entry in that month.' } as const

const characterRow = z
  .object({
    cha_num: id,
    cha_name: z.string(),
    cha_level: z.int(),
    cha_class: z.string(),
    cha_school: z.int(),
    user_num: id.nullable().meta({ description: 'Null if no account of the site is linked with it' }),
    user_id: z.string().nullable(),
    kept_out: z
      .enum(['', 'staff', 'blocked', 'deleted', 'missing'])
      .meta({ description: 'Why the rankings leave it out, as the game reports; empty if they do not' }),
    blocked: z.boolean(),
    hidden_at: moment.nullable(),
    hidden_by: z.string().nullable(),
    reason: z.string(),
  })
  .meta({ id: 'DeskCharacter' })

export const getCharacters = desk.list('/admin/rankings/characters', {
  summary:
    'Characters by the beginning of their name or by number; without `q`, all by level, or the hidden characters, the latest first',
  sorts: ['-cha_level'],
  filters: {
    q: textFilter.meta({ description: 'The beginning of the name, or the number' }),
    state: choiceFilter(['hidden']),
  },
  row: characterRow,
})

export const hideCharacter = desk.write('/admin/rankings/hide', {
  title: 'Hide character',
  summary: 'Hide a character from the boards, the players’ archive and the search',
  fields: hideForm,
  errors: { characterNotFound, hidden: { status: 409, message: 'This character is already hidden.' } },
})

export const showCharacter = desk.write('/admin/rankings/show', {
  title: 'Show character',
  summary: 'Show a hidden character again',
  fields: hideForm,
  errors: { notHidden: { status: 409, message: 'This character is not hidden.' } },
})

const clubField = f.number('Choose a club.').check(f.int(), f.positive())
export const markForm = f.object({ club: clubField, reason: reasonField })

export const getMarks = desk.list('/admin/rankings/marks', {
  summary: 'The marks of clubs, the latest change first; or only the hidden marks',
  sorts: ['-read_at'],
  filters: { q: textFilter.meta({ description: 'A part of the club’s name' }), state: choiceFilter(['hidden']) },
  row: z.object({
    club: id,
    name: z.string(),
    picture: z.string().nullable().meta({ description: 'The mark as a data URL; null if its format is unknown' }),
    read_at: moment,
    hidden_at: moment.nullable(),
  }),
})

export const hideMark = desk.write('/admin/rankings/marks/hide', {
  title: 'Hide club mark',
  summary: 'Show the default shield instead of a club’s mark, even after the club changes the mark',
  fields: markForm,
  errors: {
    markNotFound: { status: 404, message: 'This club has no mark.' },
    markHidden: { status: 409, message: 'The mark of this club is already hidden.' },
  },
})

export const showMark = desk.write('/admin/rankings/marks/show', {
  title: 'Show club mark',
  summary: 'Show the mark of a club again',
  fields: markForm,
  errors: { markShown: { status: 409, message: 'The mark of this club is not hidden.' } },
})

const monthRow = z.object({
  period: periodIdSchema,
  open: z.boolean(),
  closed_at: moment.nullable(),
  values_from: moment.nullable().meta({ description: 'When its starting values were read from the game' }),
  values_at: moment.nullable().meta({ description: 'When its values were read from the game; null if they were not' }),
  characters: count,
  corrections: count,
})

export const getMonths = desk.list('/admin/rankings/months', {
  summary: 'The months of the rankings, newest first',
  sorts: ['-period'],
  filters: {},
  row: monthRow,
})

const entryRow = z
  .object({
    period: periodIdSchema,
    cha_num: id,
    version: count,
    place: z.int().nullable().meta({ description: 'The place that players see; null if they do not see the entry' }),
    closed_place: z.int().meta({ description: 'The place when the month was closed' }),
    cha_name: z.string(),
    cha_level: z.int(),
    cha_class: z.string(),
    cha_school: z.int(),
    kills: count,
    deaths: count,
    mmr: z.int(),
    resu: count,
    money: z.int(),
    taken_out_at: moment.nullable(),
    hidden: z.boolean(),
    blocked: z.boolean(),
    user_num: id.nullable(),
    user_id: z.string().nullable(),
    corrections: count,
  })
  .meta({ id: 'DeskArchiveEntry' })

export const getMonth = desk.read('/admin/rankings/month', {
  summary: 'A board of a closed month; entries that players do not see come last',
  input: { query: z.object({ period: periodIdSchema, board: z.enum(BOARDS), after: z.string().max(0).default('') }) },
  output: listPageSchema(entryRow),
  errors: { monthNotFound: { status: 404, message: 'This month is not closed, or was never ranked.' } },
})

const changeOutput = messageSchema.extend({ version: count })

export const correctEntry = desk.write('/admin/rankings/correct', {
  title: 'Correct ranking entry',
  summary: 'Correct a character’s values in a closed month; the old values stay stored',
  fields: correctionForm,
  output: changeOutput,
  errors: { entryNotFound, conflict, same: { status: 422, message: 'Nothing was changed.' } },
})

export const takeOutEntry = desk.write('/admin/rankings/take-out', {
  title: 'Remove ranking entry',
  summary: 'Take a character out of a closed month; its entry is stored and can be put back',
  fields: archiveForm,
  output: changeOutput,
  errors: { entryNotFound, conflict, out: { status: 409, message: 'This character has already been taken out.' } },
})

export const putBackEntry = desk.write('/admin/rankings/put-back', {
  title: 'Restore ranking entry',
  summary: 'Put a character that was taken out back into a closed month',
  fields: archiveForm,
  output: changeOutput,
  errors: { entryNotFound, conflict, in: { status: 409, message: 'This character was not taken out.' } },
})

const correctionRow = z.object({
  correction: id,
  at: moment,
  by: z.string().nullable(),
  period: periodIdSchema,
  cha_num: id,
  cha_name: z.string(),
  kind: z.enum(['corrected', 'taken out', 'put back']),
  reason: z.string(),
  changes: z.array(z.object({ field: z.string(), before: z.unknown().optional(), after: z.unknown().optional() })),
})

export const getCorrections = desk.list('/admin/rankings/corrections', {
  summary: 'The changes to closed months, newest first',
  sorts: ['-correction'],
  filters: {
    period: z
      .string()
      .regex(/^(\d{4}-\d\d)?$/, 'Choose a month.')
      .default(''),
    character: z
      .string()
      .regex(/^\d{0,15}$/, 'Enter the number of a character.')
      .default(''),
  },
  row: correctionRow,
})
