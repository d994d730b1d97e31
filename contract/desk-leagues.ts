import { z } from 'zod'
import * as f from 'zod/mini'
import { describeFields } from './describe-fields.ts'
import { choiceFilter, declareDeskCalls, textFilter } from './desk.ts'
import { conflict, messageSchema } from './errors.ts'
import { lineField, linesField, reasonField, wholeField } from './fields.ts'
import {
  LEAGUE_DURATION_MAX_MS,
  LEAGUE_EVENTS_MAX,
  LEAGUE_MEASURES,
  LEAGUE_POINTS_MAX,
  LEAGUE_RANKS_MAX,
  LEAGUE_TEXTS,
  leagueSchema,
  PRIZE_RECIPIENTS,
  standingSchema,
} from './leagues.ts'
import { parseWholeNumber } from './numbers.ts'
import {
  GIFT_RULE,
  hasUniqueRanks,
  isCompletePrize,
  ONE_PRIZE_RULE,
  PRIZE_STATES,
  prizesField,
  withdrawPrizeErrors,
  withdrawPrizeForm,
} from './prizes.ts'
import { count, id, nullableMoment, offsetMoment } from './scalars.ts'

const desk = declareDeskCalls('leagues', { read: 'tournaments.write', notPersonal: ['state', 'prize'] })

const timeField = f.iso.datetime({ error: 'Enter a date and a time.', offset: true })
const NAME_RULE = 'Use 1 to 80 characters.'
const POINTS_RULE = `Enter whole numbers from 0 to ${LEAGUE_POINTS_MAX} with commas between them, such as 10, 7, 5.`
const CLUB_NAME_MAX = 60

/** Parses points such as '10, 7, 5'. Returns undefined if a part is not a number. */
export function parsePoints(text: string): number[] | undefined {
  const points = text.split(',').map(parseWholeNumber)
  return points.every((value) => value !== null && value <= LEAGUE_POINTS_MAX) ? (points as number[]) : undefined
}

export const formatPoints = (points: readonly number[]) => points.join(', ')

const leagueShape = {
  league: f.nullable(f.int('Reload the page.')),
  version: f.int('Reload the page.'),
  name: lineField(80, NAME_RULE, { tooLong: NAME_RULE, characters: NAME_RULE }),
  about: linesField(4000),
  counts: f.enum(LEAGUE_MEASURES, 'Choose what counts.'),
  points: lineField(200, POINTS_RULE),
  starts_at: timeField,
  ends_at: timeField,
  events: f
    .array(f.int('Choose events.'), 'Choose events.')
    .check(
      f.minLength(1, 'Choose at least one event.'),
      f.maxLength(LEAGUE_EVENTS_MAX, `Choose at most ${LEAGUE_EVENTS_MAX} events.`),
    ),
  prizes: prizesField,
  prizes_to: f.enum(PRIZE_RECIPIENTS, 'Choose who gets the prizes.'),
}

type LeagueValues = { [Name in keyof typeof leagueShape]: f.output<(typeof leagueShape)[Name]> }
const createRule = (field: keyof LeagueValues, error: string, isMet: (form: LeagueValues) => boolean) =>
  f.refine<LeagueValues>(isMet, { error, path: [field] })
const getDurationMs = ({ starts_at, ends_at }: LeagueValues) => Date.parse(ends_at) - Date.parse(starts_at)

export const leagueForm = f.object(leagueShape).check(
  createRule('points', POINTS_RULE, ({ points }) => parsePoints(points) !== undefined),
  createRule(
    'points',
    'Enter one number: the points for each area.',
    ({ points, counts }) => counts === 'places' || (parsePoints(points)?.length ?? 1) === 1,
  ),
  createRule(
    'points',
    `Enter the points of at most ${LEAGUE_RANKS_MAX} places.`,
    ({ points }) => (parsePoints(points)?.length ?? 0) <= LEAGUE_RANKS_MAX,
  ),
  createRule('prizes', GIFT_RULE, ({ prizes }) => prizes.every(isCompletePrize)),
  createRule('prizes', ONE_PRIZE_RULE, ({ prizes }) => hasUniqueRanks(prizes)),
  createRule('ends_at', 'The league ends before it begins.', (form) => getDurationMs(form) > 0),
  createRule('ends_at', 'A league lasts at most a year.', (form) => getDurationMs(form) <= LEAGUE_DURATION_MAX_MS),
)

export const leagueFields = describeFields(leagueForm, {
  name: { label: 'Name', max: 80 },
  about: { label: 'Description', kind: 'long', rows: 4 },
  counts: {
    label: 'What counts',
    options: { areas: 'The areas that a club holds at the end of a war', places: 'The place of a club in a war' },
  },
  points: {
    label: 'Points',
    hint: 'one number for each area, such as 3; or a list that starts with the first place, such as 10, 7, 5',
  },
  starts_at: 'From',
  ends_at: 'To',
  prizes: 'Prizes',
  prizes_to: {
    label: 'Who gets a prize',
    options: { leader: 'The leader of the club', members: 'Each member of the club' },
  },
})

const league = f.int('Choose a league.')
const version = f.int('Load the league again.')

export const versionForm = f.object({ league, version })
export const cancelForm = f.object({ league, version, reason: reasonField })

const CLUB_NAME_RULE = `Enter the name of each club, of at most ${CLUB_NAME_MAX} characters.`
const scoreForm = f.object({
  club: lineField(CLUB_NAME_MAX, CLUB_NAME_RULE, { tooLong: CLUB_NAME_RULE, characters: CLUB_NAME_RULE }),
  value: wholeField(1, LEAGUE_RANKS_MAX),
})

export const warResultForm = f
  .object({
    league,
    event: f.int('Choose a war.'),
    starts_at: timeField,
    /** The version of the result; null for a new one. */
    version: f.nullable(f.int('Load the league again.')),
    scores: f.array(scoreForm, 'Enter the clubs.').check(f.maxLength(64, 'Enter at most 64 clubs.')),
  })
  .check(
    f.refine(({ scores }) => new Set(scores.map(({ club }) => club.toLowerCase())).size === scores.length, {
      error: 'Each club can have only one result.',
      path: ['scores'],
    }),
  )

export const scoreFields = describeFields(scoreForm, {
  club: { label: 'Club', max: CLUB_NAME_MAX },
  value: 'Areas',
})

export const confirmForm = f.object({ war: f.int('Choose a war.'), version: f.int('Load the league again.') })

export const adjustForm = f.object({
  league,
  version,
  kind: f.enum(['bonus', 'penalty'], 'Choose a bonus or a penalty.'),
  club: lineField(CLUB_NAME_MAX, CLUB_NAME_RULE, { tooLong: CLUB_NAME_RULE, characters: CLUB_NAME_RULE }),
  points: wholeField(1, LEAGUE_POINTS_MAX),
  reason: reasonField,
})

export const adjustFields = describeFields(adjustForm, {
  kind: { label: 'Bonus or penalty', options: { bonus: 'A bonus', penalty: 'A penalty' } },
  club: { label: 'Club', max: CLUB_NAME_MAX },
  points: 'Points',
  reason: { label: 'Reason', kind: 'lines', rows: 2, hint: 'Players read it.' },
})

const leagueNotFound = { status: 404, message: LEAGUE_TEXTS.leagueNotFound } as const
const leagueOverError = { status: 409, message: 'This league is over.' } as const
const LEAGUE_STATES = ['draft', 'announced', 'finalised', 'cancelled'] as const

const listRow = leagueSchema.pick({
  league: true,
  name: true,
  phase: true,
  counts: true,
  starts_at: true,
  ends_at: true,
})

export const getDeskLeagues = desk.list('/admin/leagues', {
  summary: 'Leagues of club wars, including drafts, the latest start first',
  sorts: ['-starts_at'],
  filters: { state: choiceFilter(LEAGUE_STATES) },
  row: listRow.extend({ leader: z.string().nullable().meta({ description: 'The club in first place' }) }),
})

const choices = z
  .array(z.object({ event: id, title: z.string() }))
  .meta({ description: 'The club wars that a league can count, the newest first' })

export const getLeagueEvents = desk.read('/admin/leagues/events', {
  summary: 'The club wars that a new league can count',
  output: z.object({ choices }),
})

const war = z.object({
  event: id,
  title: z.string(),
  starts_at: offsetMoment,
  ends_at: offsetMoment,
  war: id.nullable().meta({ description: 'The id of the result; null without a result' }),
  version: count.nullable(),
  entered_at: nullableMoment,
  entered_by: z
    .string()
    .nullable()
    .meta({ description: 'Null for a result that the site read from the areas of the game' }),
  confirmed_at: nullableMoment,
  confirmed_by: z.string().nullable(),
  final_at: nullableMoment.meta({ description: 'When the result became or becomes final; null until it is confirmed' }),
  is_final: z.boolean(),
  not_yet: z.string().nullable().meta({ description: 'Why the caller cannot confirm it; null if they can' }),
  scores: z.array(z.object({ club: z.string(), value: z.int(), points: z.int() })),
})

export const getDeskLeague = desk.read('/admin/leagues/one', {
  summary: 'A league with its table, wars, results, prizes and adjustments',
  input: { query: z.object({ league: z.string().regex(/^\d{1,15}$/, LEAGUE_TEXTS.leagueNotFound) }) },
  output: listRow.extend({
    version: count,
    state: z.enum(LEAGUE_STATES),
    about: z.string(),
    points: z.array(z.int()),
    cancelled_why: z.string(),
    events: z.array(id),
    offers: leagueSchema.shape.offers,
    prizes_to: leagueSchema.shape.prizes_to,
    prizes: z.array(
      z.object({
        place: z.int(),
        words: z.string().meta({ description: 'The prize of the place' }),
        club: z.string().nullable().meta({
          description: 'The club that got the prize. Before that, the club that holds this place now; null for none',
        }),
        why_not: z.string().nullable().meta({ description: 'Why this place gets no prize' }),
        players: count.meta({ description: 'The number of players who get or got the prize' }),
        claimed: count,
        withdrawn: count,
      }),
    ),
    choices,
    table: z.array(standingSchema),
    wars: z.array(war).meta({ description: 'The ended wars, the latest first' }),
    next_at: nullableMoment,
    adjustments: z.array(
      z.object({
        adjustment: id,
        club: z.string(),
        points: z.int(),
        reason: z.string(),
        made_at: offsetMoment,
        made_by: z.string(),
      }),
    ),
    last_change_at: nullableMoment,
    last_change_by: z.string().nullable(),
    finalised_at: nullableMoment,
    finalised_by: z.string().nullable(),
    not_yet: z.string().nullable().meta({ description: 'Why the caller cannot finalise it now; null if they can' }),
  }),
  errors: { leagueNotFound },
})

export const getLeaguePrizes = desk.list('/admin/leagues/prizes', {
  summary: 'The prizes that players got for a final league, by place',
  sorts: ['prize'],
  filters: { league: textFilter },
  row: z.object({
    prize: id,
    place: z.int(),
    club: z.string(),
    user_num: id,
    user_id: z.string(),
    state: z.enum(PRIZE_STATES),
    made_at: offsetMoment,
  }),
})

export const saveLeague = desk.write('/admin/leagues/save', {
  title: 'Save league',
  summary: 'Create or change a league. After the first result, only its name, its description and its end can change',
  fields: leagueForm,
  output: messageSchema.extend({ league: id, version: count }),
  errors: {
    leagueNotFound,
    conflict,
    over: leagueOverError,
    begun: {
      status: 409,
      message: 'There are results already, so you can only change the name, the description and the end.',
    },
    pastWar: {
      status: 422,
      message: 'A war that begins after this end already has a result. Choose a later end.',
      field: 'ends_at',
    },
    itemNotFound: { status: 422, message: 'There is no item with this number.', field: 'prizes' },
    eventNotFound: { status: 422, message: 'Choose events that are club wars.', field: 'events' },
  },
})

export const announceLeague = desk.write('/admin/leagues/announce', {
  title: 'Announce league',
  summary: 'Show a draft to players',
  fields: versionForm,
  errors: {
    leagueNotFound,
    conflict,
    notDraft: { status: 409, message: 'This league has already been announced.' },
  },
})

export const cancelLeague = desk.write('/admin/leagues/cancel', {
  title: 'Cancel league',
  summary: 'Cancel a league; a draft is deleted',
  fields: cancelForm,
  errors: { leagueNotFound, conflict, over: leagueOverError },
})

export const enterWarResult = desk.write('/admin/leagues/result', {
  title: 'Enter war result',
  summary: 'Enter the result of a war, or correct it until it is final. Without any club, the war gives no points',
  fields: warResultForm,
  errors: {
    leagueNotFound,
    conflict,
    over: leagueOverError,
    draft: { status: 409, message: 'Announce the league first.' },
    final: { status: 409, message: 'This result is final. Give a bonus or a penalty instead.' },
    notThen: {
      status: 422,
      message: 'There is no ended war of this league that began at this time.',
      field: 'starts_at',
    },
    noPoints: { status: 422, message: 'Enter a place with points for each club.', field: 'scores' },
  },
})

export const confirmWarResult = desk.write('/admin/leagues/confirm', {
  title: 'Confirm war result',
  summary:
    'Confirm a result, which becomes final 24 hours after its last change. The operator who entered it cannot do this while another operator can',
  fields: confirmForm,
  errors: {
    warNotFound: { status: 404, message: 'There is no such result.' },
    conflict,
    over: leagueOverError,
    confirmed: { status: 409, message: 'This result is confirmed already.' },
    own: { status: 403, message: 'You entered this result, so another operator has to confirm it.' },
  },
})

export const adjustLeague = desk.write('/admin/leagues/adjust', {
  title: 'Give bonus or penalty',
  summary: 'Give a club a bonus or a penalty in a league, with a reason that players read',
  fields: adjustForm,
  errors: {
    leagueNotFound,
    conflict,
    over: leagueOverError,
    draft: { status: 409, message: 'Announce the league first.' },
    clubNotFound: {
      status: 422,
      message: 'There is no such club, neither in the league nor in the game.',
      field: 'club',
    },
  },
})

export const finaliseLeague = desk.write('/admin/leagues/finalise', {
  title: 'Finalise league',
  summary:
    'Make the table of a league final and send the prizes. The last change must be at least a day old. The operator who made it cannot do this while another operator can',
  access: 'prizes.pay',
  sudo: true,
  approvable: true,
  fields: versionForm,
  errors: {
    leagueNotFound,
    conflict,
    over: leagueOverError,
    running: { status: 409, message: 'The league is not over yet.' },
    open: { status: 409, message: 'A war has no final result yet.' },
    early: { status: 409, message: 'The last change is less than 24 hours old. Players may still object to it.' },
    own: { status: 403, message: 'You made the last change, so another operator has to finalise the league.' },
  },
})

export const withdrawLeaguePrize = desk.write('/admin/leagues/withdraw', {
  title: 'Withdraw league prize',
  summary: 'Withdraw the prize of a league from one player who has not claimed it',
  access: 'letters.gift',
  fields: withdrawPrizeForm,
  errors: withdrawPrizeErrors,
})
