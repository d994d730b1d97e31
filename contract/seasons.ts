import { z } from 'zod'
import * as f from 'zod/mini'
import { describeFields } from './describe-fields.ts'
import { declareDeskCalls } from './desk.ts'
import { declareCalls } from './endpoint.ts'
import { conflict } from './errors.ts'
import { isMultiline, lineField, reasonField } from './fields.ts'
import { BOARDS } from './game.ts'
import { idParam, wholeNumberParam } from './paging.ts'
import { periodIdSchema } from './rankings.ts'
import { nullableMoment, offsetMoment } from './scalars.ts'

const rankings = declareCalls('rankings', 'public')

const desk = declareDeskCalls('rankings', { read: 'rankings.write', notPersonal: ['state', 'last_month'] })

/** The rule of a season's board: points for the rank in each month, or the gain since the season began. */
const seasonRuleSchema = z.enum(['points', 'growth'])
export type SeasonRule = z.infer<typeof seasonRuleSchema>

/** The state of a season: announced, counting, over and being checked, or final. */
export const seasonStateSchema = z.enum(['planned', 'running', 'ended', 'final'])
export type SeasonState = z.infer<typeof seasonStateSchema>

const divisionSchema = z.object({
  name: z.string(),
  share: z.int().meta({ description: 'The percentage of ranked characters in this division or a better one' }),
})

const seasonSchema = z
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

export const getSeasons = rankings.get('/seasons', {
  summary: 'The seasons, newest first, announced ones included',
  cache: { freshMs: 60_000 },
  cors: true,
  output: z.object({ data: z.array(seasonSchema) }),
})

const seasonEntrySchema = z
  .object({
    ChaNum: z.int(),
    ChaName: z.string(),
    ChaLevel: z.int(),
    ChaClass: z.string(),
    ChaSchool: z.int(),
    Value: z.int().meta({ description: 'Points, or the gain since the season began' }),
    Division: z.string(),
    HasPage: z.boolean().meta({ description: 'Whether the page /character/{ChaNum} exists' }),
  })
  .meta({ id: 'SeasonEntry' })

export const getSeasonRankings = rankings.get('/season-rankings', {
  summary: 'The top 100 of a board of a season; without `season`, of the running season or else the last one',
  cache: { freshMs: 60_000 },
  cors: true,
  input: { query: z.object({ board: z.enum(BOARDS), season: wholeNumberParam('The season').optional() }) },
  output: z.object({
    season: seasonSchema.nullable().meta({ description: 'Null before the first season' }),
    rule: seasonRuleSchema,
    ranked: z.int().meta({ description: 'How many characters are ranked on this board' }),
    data: z.array(seasonEntrySchema),
  }),
  errors: { seasonNotFound: { status: 404, message: 'There is no such season, or it has not begun.' } },
})

const NAME_RULE = 'Give the season a name of 1 to 60 characters.'
const DIVISIONS_RULE = 'Write one division per line, best first: its name and its share, such as Gold 10.'
const DIVISIONS_MAX = 8

export type Division = { name: string; share: number }

/** Parses divisions, one per line. @returns the error if a line is invalid */
export function parseSeasonDivisions(text: string): Division[] | string {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const divisions: Division[] = []
  for (const line of lines) {
    const [, name = '', share = ''] = /^\s*(\S.{0,29}?)\s+(\d{1,3})\s*%?\s*$/u.exec(line) ?? []
    if (name === '') return DIVISIONS_RULE
    divisions.push({ name, share: Number(share) })
  }
  if (divisions.length === 0) return DIVISIONS_RULE
  if (divisions.length > DIVISIONS_MAX) return `Use at most ${DIVISIONS_MAX} divisions.`
  const isRising = divisions.every(({ share }, index) => share > (divisions[index - 1]?.share ?? 0))
  if (!isRising) return 'Each share must be larger than the one before it, because it includes the better divisions.'
  if (divisions.at(-1)?.share !== 100) return 'Give the last division 100, so every ranked character is in a division.'
  if (new Set(divisions.map(({ name }) => name.toLowerCase())).size < divisions.length)
    return 'Give each division a different name.'
  return divisions
}

/** Formats divisions as text, one per line. */
export const formatDivisions = (divisions: readonly Division[]) =>
  divisions.map(({ name, share }) => `${name} ${share}`).join('\n')

const divisionsField = f.string(DIVISIONS_RULE).check(
  f.maxLength(600, DIVISIONS_RULE),
  f.refine(isMultiline, DIVISIONS_RULE),
  f.check<string>((field) => {
    const divisionsOrError = parseSeasonDivisions(field.value)
    if (typeof divisionsOrError === 'string')
      field.issues.push({ code: 'custom', message: divisionsOrError, input: field.value })
  }),
)

const monthField = f
  .string('Choose a month.')
  .check(f.regex(/^\d{4}-(0[1-9]|1[0-2])$/, 'Enter a month such as 2026-12.'))
const boardRuleField = f.enum(['points', 'growth'], 'Choose how this board counts.')
const loadedNumberField = f.number('Load the season again.').check(f.int())

export const seasonForm = f.object({
  /** The season and the version on which the change is based; null for a new season. */
  season: f.nullable(loadedNumberField),
  version: f.nullable(loadedNumberField),
  name: lineField(60, NAME_RULE, { tooLong: NAME_RULE, characters: NAME_RULE }),
  first_month: monthField,
  last_month: monthField,
  divisions: divisionsField,
  resu: boardRuleField,
  mmr: boardRuleField,
  level: boardRuleField,
  richest: boardRuleField,
  killer: boardRuleField,
})

const boardOptions = (label: string, growth: string) => ({
  label,
  options: { growth, points: 'Points for the place in each month' },
})
export const seasonFields = describeFields(seasonForm, {
  name: { label: 'Name', hint: 'Players see it' },
  first_month: { label: 'First month', kind: 'choice' },
  last_month: { label: 'Last month', kind: 'choice' },
  resu: boardOptions('Resu board', 'Resu since the start'),
  mmr: boardOptions('MMR board', 'MMR gained since the start'),
  level: boardOptions('Level board', 'Levels gained since the start'),
  richest: boardOptions('Richest board', 'Money gained since the start'),
  killer: boardOptions('Killer board', 'Kills since the start'),
  divisions: {
    label: 'Divisions, one per line, best first: name and share',
    kind: 'long',
    rows: 6,
    help: '“Gold 5” means that the best 5% of the characters ranked on a board are in Gold or better. The last division needs 100 to contain all other characters.',
  },
})

export const seasonStepForm = f.object({ season: loadedNumberField, version: loadedNumberField, reason: reasonField })

const seasonNotFound = { status: 404, message: 'There is no such season.' } as const

const seasonRow = z
  .object({
    season: z.int(),
    version: z.int(),
    name: z.string(),
    first_month: periodIdSchema,
    last_month: periodIdSchema,
    state: z.enum(['planned', 'running', 'ending', 'ended', 'finalising', 'final']),
    ranked: z.int().meta({ description: 'Characters on its largest board' }),
  })
  .meta({ id: 'DeskSeason' })

export const getDeskSeasons = desk.list('/admin/rankings/seasons', {
  summary: 'The seasons, newest first',
  sorts: ['-first_month'],
  filters: {},
  row: seasonRow,
})

export const getDeskSeason = desk.read('/admin/rankings/seasons/{season}', {
  summary: 'A season with its rules',
  input: { params: z.object({ season: idParam(seasonNotFound.message) }) },
  output: seasonRow.extend({
    divisions: z.array(divisionSchema),
    boards: z.array(z.object({ board: z.enum(BOARDS), rule: seasonRuleSchema, ranked: z.int() })),
    begun_at: nullableMoment,
    ended_at: nullableMoment,
    finalised_at: nullableMoment,
    created_by: z.string().nullable(),
  }),
  errors: { seasonNotFound },
})

export const saveSeason = desk.write('/admin/rankings/seasons/save', {
  title: 'Save season',
  summary:
    'Plan a season or change one. After it has begun, and until it ends, you can change only its name, last month and divisions',
  fields: seasonForm,
  output: z.object({ season: z.int(), message: z.string() }),
  errors: {
    seasonNotFound,
    conflict,
    order: { status: 422, message: 'The last month is before the first one.', field: 'last_month' },
    past: {
      status: 422,
      message: 'This month is over. Choose the present month or a later one.',
      field: 'first_month',
    },
    pastEnd: {
      status: 422,
      message: 'This month is over. To end the season now, press End now.',
      field: 'last_month',
    },
    overlap: { status: 422, message: 'Another season has one of these months.', field: 'first_month' },
    begun: { status: 409, message: 'This season has begun: its first month and its rules stay as they are.' },
    over: { status: 409, message: 'This season is over and stays as it is.' },
  },
})

export const endSeasonNow = desk.write('/admin/rankings/seasons/end', {
  title: 'End season',
  summary: 'End the running season before its last month is over; its values stop changing within a minute',
  fields: seasonStepForm,
  errors: { seasonNotFound, conflict, notRunning: { status: 409, message: 'This season is not running.' } },
})

export const finaliseSeasonNow = desk.write('/admin/rankings/seasons/finalise', {
  title: 'Finalise season',
  summary:
    'Make an ended season final. This removes characters that are blocked or hidden now; nothing changes it later',
  fields: seasonStepForm,
  errors: { seasonNotFound, conflict, notEnded: { status: 409, message: 'This season has not ended, or is final.' } },
})

export const deleteSeason = desk.write('/admin/rankings/seasons/delete', {
  title: 'Delete season',
  summary: 'Delete a season that has not begun',
  fields: seasonStepForm,
  errors: {
    seasonNotFound,
    conflict,
    begun: { status: 409, message: 'This season has begun and cannot be deleted. You can end it.' },
  },
})
