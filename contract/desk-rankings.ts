import { z } from 'zod'
import { choiceFilter, deskList, deskQuery, textFilter } from './desk-list.ts'
import { archiveForm, correctionForm, hideForm } from './desk-rankings-fields.ts'
import { endpoint } from './endpoint.ts'
import { changedMeanwhile } from './errors.ts'
import { BOARDS } from './game.ts'
import { periodIdSchema } from './rankings.ts'

const area = 'desk: rankings'
const moment = z.iso.datetime()
const unit = z.int()
const said = z.object({ message: z.string() })
const noCharacter = { status: 404, message: 'There is no such character.' } as const
const noEntry = { status: 404, message: 'This character has no entry in that month.' } as const

const characterRow = z
  .object({
    cha_num: unit,
    cha_name: z.string(),
    cha_level: unit,
    cha_class: z.string(),
    cha_school: unit,
    user_num: unit.nullable().meta({ description: 'Null where no account of the site is linked with it' }),
    user_id: z.string().nullable(),
    kept_out: z.enum(['', 'staff', 'blocked', 'deleted', 'missing']).meta({ description: 'Why the game keeps it out' }),
    blocked: z.boolean(),
    hidden_at: moment.nullable(),
    hidden_by: z.string().nullable(),
    reason: z.string(),
  })
  .meta({ id: 'DeskCharacter' })

export const getCharacters = endpoint({
  method: 'GET',
  path: '/admin/rankings/characters',
  summary: 'Characters by the beginning of their names, else the best ones; or those that are hidden, newest first',
  area,
  access: 'rankings.write',
  input: {
    query: deskQuery(['-cha_level'], {
      q: textFilter.meta({ description: 'How the name begins, or the number' }),
      state: choiceFilter(['hidden']),
    }),
  },
  output: deskList(characterRow),
})

export const hideCharacter = endpoint({
  method: 'POST',
  path: '/admin/rankings/hide',
  summary: 'Leave a character out of the boards, the archive as players see it, and the search',
  area,
  access: 'rankings.write',
  idempotent: true,
  input: { body: z.object(hideForm.shape) },
  fields: hideForm,
  output: said,
  errors: { noCharacter, hidden: { status: 409, message: 'This character is already hidden.' } },
})

export const showCharacter = endpoint({
  method: 'POST',
  path: '/admin/rankings/show',
  summary: 'Show a hidden character again',
  area,
  access: 'rankings.write',
  idempotent: true,
  input: { body: z.object(hideForm.shape) },
  fields: hideForm,
  output: said,
  errors: { notHidden: { status: 409, message: 'This character is not hidden.' } },
})

const monthRow = z.object({
  period: periodIdSchema,
  open: z.boolean(),
  closed_at: moment.nullable(),
  values_from: moment.nullable().meta({ description: 'When the values that it begins with were read from the game' }),
  values_at: moment.nullable().meta({ description: 'When its values were read from the game, where they were' }),
  characters: unit,
  corrections: unit,
})

export const getMonths = endpoint({
  method: 'GET',
  path: '/admin/rankings/months',
  summary: 'The months of the rankings, newest first',
  area,
  access: 'rankings.write',
  input: { query: deskQuery(['-period'], {}) },
  output: deskList(monthRow),
})

const entryRow = z
  .object({
    period: periodIdSchema,
    cha_num: unit,
    version: unit,
    place: unit.nullable().meta({ description: 'The place that players see; null for one that they do not see' }),
    closed_place: unit.meta({ description: 'The place when the month was closed' }),
    cha_name: z.string(),
    cha_level: unit,
    cha_class: z.string(),
    cha_school: unit,
    kills: unit,
    deaths: unit,
    mmr: unit,
    resu: unit,
    money: unit,
    taken_out_at: moment.nullable(),
    hidden: z.boolean(),
    blocked: z.boolean(),
    user_num: unit.nullable(),
    user_id: z.string().nullable(),
    corrections: unit,
  })
  .meta({ id: 'DeskArchiveEntry' })

export const getMonth = endpoint({
  method: 'GET',
  path: '/admin/rankings/month',
  summary: 'A board of a closed month, with entries that players do not see at its end',
  area,
  access: 'rankings.write',
  input: { query: z.object({ period: periodIdSchema, board: z.enum(BOARDS), after: z.string().max(0).default('') }) },
  output: deskList(entryRow),
  errors: { noMonth: { status: 404, message: 'This month is not closed, or was never ranked.' } },
})

const changed = said.extend({ version: unit })

export const correctEntry = endpoint({
  method: 'POST',
  path: '/admin/rankings/correct',
  summary: 'Correct what a closed month says about a character; what it said is kept',
  area,
  access: 'rankings.write',
  idempotent: true,
  input: { body: z.object(correctionForm.shape) },
  fields: correctionForm,
  output: changed,
  errors: { noEntry, changedMeanwhile, same: { status: 422, message: 'Nothing was changed.' } },
})

export const takeOutEntry = endpoint({
  method: 'POST',
  path: '/admin/rankings/take-out',
  summary: 'Take a character out of a closed month; its entry is kept and can be put back',
  area,
  access: 'rankings.write',
  idempotent: true,
  input: { body: z.object(archiveForm.shape) },
  fields: archiveForm,
  output: changed,
  errors: { noEntry, changedMeanwhile, out: { status: 409, message: 'This character has already been taken out.' } },
})

export const putBackEntry = endpoint({
  method: 'POST',
  path: '/admin/rankings/put-back',
  summary: 'Put a character that was taken out back into a closed month',
  area,
  access: 'rankings.write',
  idempotent: true,
  input: { body: z.object(archiveForm.shape) },
  fields: archiveForm,
  output: changed,
  errors: { noEntry, changedMeanwhile, in: { status: 409, message: 'This character was not taken out.' } },
})

const correctionRow = z.object({
  correction: unit,
  at: moment,
  by: z.string().nullable(),
  period: periodIdSchema,
  cha_num: unit,
  cha_name: z.string(),
  kind: z.enum(['corrected', 'taken out', 'put back']),
  reason: z.string(),
  changes: z.array(z.object({ field: z.string(), before: z.unknown().optional(), after: z.unknown().optional() })),
})

export const getCorrections = endpoint({
  method: 'GET',
  path: '/admin/rankings/corrections',
  summary: 'What was changed in closed months, newest first',
  area,
  access: 'rankings.write',
  input: {
    query: deskQuery(['-correction'], {
      period: z
        .string()
        .regex(/^(\d{4}-\d\d)?$/, 'Choose a month.')
        .default(''),
      character: z
        .string()
        .regex(/^\d{0,15}$/, 'Enter the number of a character.')
        .default(''),
    }),
  },
  output: deskList(correctionRow),
})
