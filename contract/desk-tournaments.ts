import { z } from 'zod'
import * as f from 'zod/mini'
import { describeFields } from './describe-fields.ts'
import { choiceFilter, declareDeskCalls } from './desk.ts'
import { conflict, messageSchema } from './errors.ts'
import { limitField, lineField, linesField, reasonField, wholeField } from './fields.ts'
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
import { count, id, offsetMoment } from './scalars.ts'
import { countDecidedRanks, TOURNAMENT_TEXTS, tournamentSchema } from './tournaments.ts'

const desk = declareDeskCalls('tournaments', {
  read: 'tournaments.write',
  notPersonal: ['state', 'kind', 'outcome', 'prize'],
})

const timeField = f.iso.datetime({ error: 'Enter a date and a time.', offset: true })

const NAME_RULE = 'Use 1 to 80 characters.'
const tournamentShape = {
  tournament: f.nullable(f.int('Reload the page.')),
  version: f.int('Reload the page.'),
  name: lineField(80, NAME_RULE, { tooLong: NAME_RULE, characters: NAME_RULE }),
  about: linesField(4000),
  kind: f.enum(['players', 'clubs'], 'Choose who takes part.'),
  format: f.enum(['single', 'double', 'groups'], 'Choose how it is played.'),
  third_place: f.boolean('Choose whether there is a match for third place.'),
  level_from: wholeField(1, 100_000),
  level_to: limitField(100_000),
  max_entries: wholeField(2, 128),
  registration_from: timeField,
  registration_until: timeField,
  checkin_from: timeField,
  checkin_until: timeField,
  starts_at: timeField,
  prizes: prizesField,
}

type TournamentValues = { [Name in keyof typeof tournamentShape]: f.output<(typeof tournamentShape)[Name]> }

const createRule = (field: keyof TournamentValues, error: string, isMet: (form: TournamentValues) => boolean) =>
  f.refine<TournamentValues>(isMet, { error, path: [field] })
const parseTime = Date.parse

/** The rules that concern several fields, for the form and the call. */
export const tournamentForm = f.object(tournamentShape).check(
  createRule(
    'level_to',
    'The highest level is below the lowest.',
    (form) => form.level_to === null || form.level_to >= form.level_from,
  ),
  createRule(
    'registration_until',
    'Registration ends before it opens.',
    (form) => parseTime(form.registration_from) < parseTime(form.registration_until),
  ),
  createRule(
    'checkin_until',
    'Check-in ends before it opens.',
    (form) => parseTime(form.checkin_from) < parseTime(form.checkin_until),
  ),
  createRule(
    'checkin_until',
    'Check-in must not end before registration does.',
    (form) => parseTime(form.registration_until) <= parseTime(form.checkin_until),
  ),
  createRule(
    'starts_at',
    'The first match must not begin before check-in ends.',
    (form) => parseTime(form.checkin_until) <= parseTime(form.starts_at),
  ),
  createRule('prizes', GIFT_RULE, ({ prizes }) => prizes.every(isCompletePrize)),
  createRule('prizes', ONE_PRIZE_RULE, ({ prizes }) => hasUniqueRanks(prizes)),
  createRule(
    'prizes',
    'This format does not decide that place. Add a match for third place, or remove the prize.',
    (form) => form.prizes.every(({ place }) => place <= countDecidedRanks(form)),
  ),
)

export const tournamentFields = describeFields(tournamentForm, {
  name: { label: 'Name', max: 80 },
  about: { label: 'Description', kind: 'long', rows: 5 },
  kind: {
    label: 'Who takes part',
    options: { players: 'Players, with one character each', clubs: 'Clubs, registered by their leaders' },
  },
  format: {
    label: 'Format',
    options: {
      single: 'Single elimination: one defeat and you are out',
      double: 'Double elimination: out after two defeats',
      groups: 'Groups, then finals',
    },
  },
  level_from: 'Lowest level',
  level_to: { label: 'Highest level', hint: 'optional' },
  max_entries: { label: 'Maximum entries', hint: '2 to 128' },
  third_place: 'Play for third place',
  registration_from: 'Registration opens',
  registration_until: 'Registration closes',
  checkin_from: 'Check-in opens',
  checkin_until: 'Check-in closes',
  starts_at: 'First match',
  prizes: 'Prizes',
})

const tournament = f.int('Choose a tournament.')
const version = f.int('Load the tournament again.')
const entry = f.int('Choose an entry.')

export const versionForm = f.object({ tournament, version })
export const cancelForm = f.object({ tournament, version, reason: reasonField })

export const drawForm = f.object({
  tournament,
  version,
  /** The entries that play, best seed first. */
  seeds: f
    .array(entry, 'Choose who plays.')
    .check(f.minLength(2, 'At least two have to play.'), f.maxLength(128, 'At most 128 can play.')),
  groups: f.nullable(f.int('Choose how many groups.')),
  advance: f.nullable(f.int('Choose how many advance from each group.')),
})

export const entryForm = f.object({ entry })
export const removeForm = f.object({ entry, reason: reasonField })
export const leaderForm = f.object({
  entry,
  user_id: f.string('Enter a user ID.').check(f.trim(), f.regex(/^\w{1,20}$/, 'Enter a user ID.')),
  reason: reasonField,
})

export const leaderFields = describeFields(leaderForm, {
  user_id: { label: 'User ID of the leader', kind: 'id', max: 20 },
  reason: { label: 'Reason', kind: 'long', rows: 2 },
})

export const scheduleForm = f.object({
  tournament,
  matches: f
    .array(f.int('Choose a match.'), 'Choose a match.')
    .check(f.minLength(1, 'Choose a match.'), f.maxLength(512)),
  starts_at: f.nullable(timeField),
})

export const scheduleFields = describeFields(scheduleForm, { starts_at: 'Begins' })

const resultShape = {
  match: f.int('Choose a match.'),
  version: f.int('Load the match again.'),
  /** The way the match ended; '' removes the result. */
  outcome: f.enum(['', 'played', 'walkover1', 'walkover2', 'cancelled'], 'Choose how it ended.'),
  score1: f.nullable(f.number('Enter a score.')),
  score2: f.nullable(f.number('Enter a score.')),
  /** The matches whose results the operator agreed to remove. If others would be removed, the call is refused. */
  redraws: f.array(f.int('Load the match again.'), 'Load the match again.').check(f.maxLength(512)),
}

type MatchResult = { outcome: string; score1: number | null; score2: number | null }
const isScore = (score: number | null) => score !== null && Number.isInteger(score) && score >= 0 && score <= 999

export const resultChecks = (['score1', 'score2'] as const).map((name) =>
  f.refine<MatchResult>((form) => form.outcome !== 'played' || isScore(form[name]), {
    error: 'Enter a score from 0 to 999.',
    path: [name],
  }),
)

export const resultForm = f.object(resultShape).check(...resultChecks)

export const resultFields = describeFields(resultForm, {
  outcome: { label: 'How did it end?', kind: 'choice' },
  score1: 'Score',
  score2: 'Score',
})

export const placeForm = f.object({
  tournament,
  version,
  entry,
  /** Null removes the rank. */
  place: f.nullable(f.int('Choose a place.').check(f.gte(1, 'Choose a place.'), f.lte(128, 'Choose a place.'))),
  reason: reasonField,
})

export const placeFields = describeFields(placeForm, {
  entry: { label: 'Who', kind: 'choice' },
  place: { label: 'Correct place', hint: 'empty: no place, for example after cheating' },
  reason: { label: 'Reason', kind: 'long', rows: 2 },
})

export const payForm = f.object({ tournament, place: f.int('Choose a place.') })

const tournamentNotFound = { status: 404, message: TOURNAMENT_TEXTS.tournamentNotFound } as const
const entryNotFound = { status: 404, message: 'This entry no longer exists.' } as const
const drawn = { status: 409, message: 'The bracket is drawn, so this can no longer be changed.' } as const
const notDrawn = { status: 409, message: 'Draw the bracket first.' } as const
const tournamentOverError = { status: 409, message: 'This tournament is over.' } as const

const listRow = tournamentSchema.omit({
  about: true,
  third_place: true,
  groups: true,
  advance: true,
  cancelled_why: true,
  offers: true,
  list: true,
  matches: true,
  tables: true,
})

export const getDeskTournaments = desk.list('/admin/tournaments', {
  summary: 'Tournaments, including drafts, sorted by start, latest first',
  sorts: ['-starts_at'],
  filters: {
    state: choiceFilter(['draft', 'announced', 'drawn', 'finalised', 'cancelled']),
  },
  row: listRow,
})

const prize = z.object({
  prize: id,
  place: z.int(),
  entry: id,
  name: z.string(),
  user_num: id,
  user_id: z.string(),
  state: z.enum(PRIZE_STATES),
  replaced: z.boolean(),
  made_at: offsetMoment,
})

export const getDeskTournament = desk.read('/admin/tournaments/one', {
  summary: 'A tournament with all that the desk needs to run it',
  input: { query: z.object({ tournament: z.string().regex(/^\d{1,15}$/, TOURNAMENT_TEXTS.tournamentNotFound) }) },
  output: tournamentSchema.extend({
    version: count,
    state: z.enum(['draft', 'announced', 'drawn', 'finalised', 'cancelled']),
    list: z.array(
      tournamentSchema.shape.list.element.extend({
        user_num: id,
        user_id: z.string(),
        is_staff: z.boolean(),
        registered_at: offsetMoment,
        mmr: z.int().nullable(),
      }),
    ),
    matches: z.array(
      tournamentSchema.shape.matches.element.extend({ version: count, result_by: z.string().nullable() }),
    ),
    prizes: z.array(prize),
    holders: z.array(
      z.object({
        place: z.int(),
        words: z.string().meta({ description: 'The prize of the place' }),
        entry: id
          .nullable()
          .meta({ description: 'The only entry on this place; provisional until the tournament is final' }),
        why_not: z.string().nullable().meta({ description: 'Why this place gets no prize' }),
        is_paid: z.boolean(),
      }),
    ),
    last_result_at: offsetMoment.nullable(),
    last_result_by: z.string().nullable(),
    finalised_at: offsetMoment.nullable(),
    finalised_by: z.string().nullable(),
    not_yet: z.string().nullable().meta({ description: 'Why the caller cannot finalise it now' }),
  }),
  errors: { tournamentNotFound },
})

export const saveTournament = desk.write('/admin/tournaments/save', {
  title: 'Save tournament',
  summary: 'Create or change a tournament; after the draw, only its name and text can change',
  fields: tournamentForm,
  output: messageSchema.extend({ tournament: id, version: count }),
  errors: {
    tournamentNotFound,
    conflict,
    over: tournamentOverError,
    itemNotFound: { status: 422, message: 'There is no item with this number.', field: 'prizes' },
    tooMany: { status: 422, message: 'More entries than this have already registered.', field: 'max_entries' },
    kind: { status: 422, message: 'Someone has already registered, so this can’t be changed.', field: 'kind' },
  },
})

export const announceTournament = desk.write('/admin/tournaments/announce', {
  title: 'Announce tournament',
  summary: 'Show a draft to players',
  fields: versionForm,
  errors: {
    tournamentNotFound,
    conflict,
    notDraft: { status: 409, message: 'This tournament has already been announced.' },
  },
})

export const cancelTournament = desk.write('/admin/tournaments/cancel', {
  title: 'Cancel tournament',
  summary: 'Cancel a tournament; a draft is deleted',
  fields: cancelForm,
  errors: { tournamentNotFound, conflict, over: tournamentOverError },
})

export const checkInEntry = desk.write('/admin/tournaments/checkin', {
  title: 'Check in entry',
  summary: 'Check in an entry, even after check-in has closed',
  fields: entryForm,
  errors: { entryNotFound, drawn },
})

export const removeEntry = desk.write('/admin/tournaments/remove', {
  title: 'Remove entry',
  summary: 'Remove an entry before the bracket is drawn',
  fields: removeForm,
  errors: { entryNotFound, drawn },
})

export const changeClubLeader = desk.write('/admin/tournaments/leader', {
  title: 'Change club leader',
  summary: 'Give a registered club another leader, before it checks in',
  fields: leaderForm,
  errors: {
    entryNotFound,
    drawn,
    notClub: { status: 409, message: 'Only a club has a leader.' },
    checkedIn: { status: 409, message: 'The club has already checked in, so its leader stays.' },
    playerNotFound: {
      status: 422,
      message: 'There is no player with this user ID who has a character.',
      field: 'user_id',
    },
    level: {
      status: 422,
      message: 'None of this player’s characters has a level that can take part.',
      field: 'user_id',
    },
    registered: { status: 422, message: 'This player is registered with another entry.', field: 'user_id' },
  },
})

export const drawTournament = desk.write('/admin/tournaments/draw', {
  title: 'Draw bracket',
  summary: 'Draw the bracket of the entries that checked in; can be repeated until the first result',
  fields: drawForm,
  errors: {
    tournamentNotFound,
    conflict,
    over: tournamentOverError,
    draft: { status: 409, message: 'Announce the tournament first.' },
    early: { status: 409, message: 'Check-in is still open. Draw the bracket when it has closed.' },
    started: { status: 409, message: 'There are already results, so the bracket stays.' },
    notIn: { status: 422, message: 'Only entries that checked in can play, each once.', field: 'seeds' },
    tooFew: { status: 422, message: 'Double elimination needs at least three entries.', field: 'seeds' },
    groups: { status: 422, message: 'Choose 1, 2, 4 or 8 groups with at least two entries each.', field: 'groups' },
    advance: { status: 422, message: 'Choose 1, 2 or 4, and fewer than the entries of each group.', field: 'advance' },
  },
})

export const scheduleMatches = desk.write('/admin/tournaments/schedule', {
  title: 'Schedule matches',
  summary: 'Set or remove the start time of matches',
  fields: scheduleForm,
  errors: {
    tournamentNotFound,
    notDrawn,
    over: tournamentOverError,
    matchNotFound: { status: 422, message: 'One of the matches no longer exists.' },
  },
})

export const enterResult = desk.write('/admin/tournaments/result', {
  title: 'Enter match result',
  summary:
    'Enter, correct or remove a result; matches that depend on it are redrawn after a warning (409 with `redraws`)',
  fields: resultForm,
  output: messageSchema.extend({ redrawn: count }),
  errors: {
    matchNotFound: { status: 404, message: 'There is no such match.' },
    conflict,
    over: tournamentOverError,
    final: { status: 409, message: 'The tournament is final. Correct the places instead.' },
    notReady: { status: 409, message: 'It is not known yet who plays this match.' },
    draw: { status: 422, message: 'This match needs a winner. Enter two different scores.', field: 'score2' },
    redraws: {
      status: 409,
      message: 'Other results depend on this one and would be removed. Check them and confirm.',
    },
    resultNotFound: { status: 409, message: 'This match has no result.' },
  },
})

export const finaliseTournament = desk.write('/admin/tournaments/finalise', {
  title: 'Finalise tournament',
  summary:
    'Make the places final and send the prizes, at least a day after the last result and not by the operator who entered it',
  access: 'prizes.pay',
  sudo: true,
  approvable: true,
  fields: versionForm,
  errors: {
    tournamentNotFound,
    conflict,
    notDrawn,
    over: tournamentOverError,
    open: { status: 409, message: 'Some matches have no result yet.' },
    early: { status: 409, message: 'The last result is less than 24 hours old. Players may still object to it.' },
    own: { status: 403, message: 'You entered the last result, so another operator has to make it final.' },
  },
})

export const correctPlace = desk.write('/admin/tournaments/place', {
  title: 'Correct final place',
  summary: 'Move an entry to another place of a final tournament; the entries between the two places move by one',
  fields: placeForm,
  errors: {
    tournamentNotFound,
    conflict,
    entryNotFound,
    notFinal: { status: 409, message: 'The tournament is not final yet. Correct the result instead.' },
    same: { status: 422, message: 'Nothing was changed.' },
  },
})

export const payPrize = desk.write('/admin/tournaments/pay', {
  title: 'Send prize',
  summary: 'Send the prize for a place to the player who holds it now',
  access: 'prizes.pay',
  sudo: true,
  approvable: true,
  fields: payForm,
  errors: {
    tournamentNotFound,
    notFinal: { status: 409, message: 'Prizes can only be sent once the tournament is final.' },
    nobody: { status: 409, message: 'No player can get a prize for this place.' },
    paid: { status: 409, message: 'This prize has already been sent to the player who holds the place.' },
  },
})

export const withdrawPrize = desk.write('/admin/tournaments/withdraw', {
  title: 'Withdraw prize',
  summary: 'Withdraw an unclaimed prize from a player who no longer holds the place',
  sudo: true,
  fields: withdrawPrizeForm,
  errors: {
    ...withdrawPrizeErrors,
    right: { status: 409, message: 'This prize belongs to the player who holds the place.' },
  },
})
