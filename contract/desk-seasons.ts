import { z } from 'zod'
import { deskList, deskQuery } from './desk-list.ts'
import { seasonForm, seasonStepForm } from './desk-seasons-fields.ts'
import { endpoint } from './endpoint.ts'
import { changedMeanwhile } from './errors.ts'
import { BOARDS } from './game.ts'
import { periodIdSchema } from './rankings.ts'
import { divisionSchema, seasonRuleSchema } from './seasons.ts'

const area = 'desk: rankings'
const access = 'rankings.write'
const moment = z.iso.datetime().nullable()
const noSeason = { status: 404, message: 'There is no such season.' } as const

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

export const getDeskSeasons = endpoint({
  method: 'GET',
  path: '/admin/rankings/seasons',
  summary: 'The seasons, newest first',
  area,
  access,
  input: { query: deskQuery(['-first_month'], {}) },
  output: deskList(seasonRow),
})

export const getDeskSeason = endpoint({
  method: 'GET',
  path: '/admin/rankings/seasons/{season}',
  summary: 'A season with its rules',
  area,
  access,
  input: { params: z.object({ season: z.coerce.number().int().positive() }) },
  output: seasonRow.extend({
    divisions: z.array(divisionSchema),
    boards: z.array(z.object({ board: z.enum(BOARDS), rule: seasonRuleSchema, ranked: z.int() })),
    begun_at: moment,
    ended_at: moment,
    finalised_at: moment,
    created_by: z.string().nullable(),
  }),
  errors: { noSeason },
})

export const saveSeason = endpoint({
  method: 'POST',
  path: '/admin/rankings/seasons/save',
  summary:
    'Plan a season, or change one: all of it before it begins, then its name, last month and divisions until it ends',
  area,
  access,
  idempotent: true,
  input: { body: z.object(seasonForm.shape) },
  fields: seasonForm,
  output: z.object({ season: z.int(), message: z.string() }),
  errors: {
    noSeason,
    changedMeanwhile,
    order: { status: 422, message: 'The last month is before the first one.', field: 'last_month' },
    past: {
      status: 422,
      message: 'This month is over. Choose the present month or a later one.',
      field: 'first_month',
    },
    pastEnd: { status: 422, message: 'This month is over. To end the season now, press End now.', field: 'last_month' },
    overlap: { status: 422, message: 'Another season has one of these months.', field: 'first_month' },
    begun: { status: 409, message: 'This season has begun: its first month and its rules stay as they are.' },
    over: { status: 409, message: 'This season is over and stays as it is.' },
  },
})

const said = z.object({ message: z.string() })

export const endSeasonNow = endpoint({
  method: 'POST',
  path: '/admin/rankings/seasons/end',
  summary: 'End the running season before its last month is over; its figures freeze within a minute',
  area,
  access,
  idempotent: true,
  input: { body: z.object(seasonStepForm.shape) },
  fields: seasonStepForm,
  output: said,
  errors: { noSeason, changedMeanwhile, notRunning: { status: 409, message: 'This season is not running.' } },
})

export const finaliseSeasonNow = endpoint({
  method: 'POST',
  path: '/admin/rankings/seasons/finalise',
  summary:
    'Make an ended season final: characters blocked or hidden now are taken out, and nothing changes it after that',
  area,
  access,
  idempotent: true,
  input: { body: z.object(seasonStepForm.shape) },
  fields: seasonStepForm,
  output: said,
  errors: { noSeason, changedMeanwhile, notEnded: { status: 409, message: 'This season has not ended, or is final.' } },
})

export const deleteSeason = endpoint({
  method: 'POST',
  path: '/admin/rankings/seasons/delete',
  summary: 'Delete a season that has not begun',
  area,
  access,
  idempotent: true,
  input: { body: z.object(seasonStepForm.shape) },
  fields: seasonStepForm,
  output: said,
  errors: {
    noSeason,
    changedMeanwhile,
    begun: { status: 409, message: 'This season has begun and cannot be deleted. You can end it.' },
  },
})
