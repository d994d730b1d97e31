import { z } from 'zod'
import { choiceFilter, deskList, deskQuery } from './desk-list.ts'
import * as forms from './desk-tournaments-fields.ts'
import { endpoint } from './endpoint.ts'
import { changedMeanwhile } from './errors.ts'
import { TOURNAMENTS } from './tournament-words.ts'
import { tournamentSchema } from './tournaments.ts'

const area = 'desk: tournaments'
const unit = z.int()
const moment = z.iso.datetime({ offset: true })
const said = z.object({ message: z.string() })
const noTournament = { status: 404, message: TOURNAMENTS.noTournament } as const
const noEntry = { status: 404, message: 'This entry no longer exists.' } as const
const drawn = { status: 409, message: 'The bracket is drawn, so this can no longer be changed.' } as const
const over = { status: 409, message: 'This tournament is over.' } as const

const writing = {
  method: 'POST',
  area,
  access: 'tournaments.write',
  idempotent: true,
} as const

const {
  about: _about,
  third_place: _third,
  groups: _groups,
  advance: _advance,
  cancelled_why: _why,
  offers: _offers,
  list: _list,
  matches: _matches,
  tables: _tables,
  ...listed
} = tournamentSchema.shape

export const getDeskTournaments = endpoint({
  method: 'GET',
  path: '/admin/tournaments',
  summary: 'Tournaments, drafts included; those that start last come first',
  area,
  access: 'tournaments.write',
  input: {
    query: deskQuery(['-starts_at'], {
      state: choiceFilter(['draft', 'announced', 'drawn', 'finalised', 'cancelled']),
    }),
  },
  output: deskList(z.object(listed)),
})

const prize = z.object({
  prize: unit,
  place: unit,
  entry: unit,
  name: z.string(),
  user_num: unit,
  user_id: z.string(),
  state: z.enum(['open', 'claimed', 'withdrawn']),
  replaced: z.boolean(),
  made_at: moment,
})

export const getDeskTournament = endpoint({
  method: 'GET',
  path: '/admin/tournaments/one',
  summary: 'A tournament with all that the desk needs to run it',
  area,
  access: 'tournaments.write',
  input: { query: z.object({ tournament: z.string().regex(/^\d{1,15}$/, TOURNAMENTS.noTournament) }) },
  output: tournamentSchema.extend({
    version: unit,
    state: z.enum(['draft', 'announced', 'drawn', 'finalised', 'cancelled']),
    list: z.array(
      tournamentSchema.shape.list.element.extend({
        user_num: unit,
        user_id: z.string(),
        is_staff: z.boolean(),
        registered_at: moment,
        mmr: unit.nullable(),
      }),
    ),
    matches: z.array(
      tournamentSchema.shape.matches.element.extend({ version: unit, result_by: z.string().nullable() }),
    ),
    prizes: z.array(prize),
    holders: z.array(
      z.object({
        place: unit,
        words: z.string().meta({ description: 'What the place is worth' }),
        entry: unit.nullable().meta({ description: 'Who holds it alone, before it is final as far as it is known' }),
        why_not: z.string().nullable().meta({ description: 'Why this place gets no prize' }),
        is_paid: z.boolean(),
      }),
    ),
    last_result_at: moment.nullable(),
    last_result_by: z.string().nullable(),
    finalised_at: moment.nullable(),
    finalised_by: z.string().nullable(),
    not_yet: z.string().nullable().meta({ description: 'Why the caller cannot finalise it now' }),
  }),
  errors: { noTournament },
})

export const saveTournament = endpoint({
  ...writing,
  path: '/admin/tournaments/save',
  summary: 'Create or change a tournament; once the bracket is drawn, only its name and text',
  input: { body: z.object(forms.tournamentForm.shape).check(...forms.tournamentChecks) },
  fields: forms.tournamentForm,
  output: said.extend({ tournament: unit, version: unit }),
  errors: {
    noTournament,
    changedMeanwhile,
    over,
    noItem: { status: 422, message: 'There is no item with this number.', field: 'prizes' },
    tooMany: { status: 422, message: 'More than that have already registered.', field: 'max_entries' },
    kind: { status: 422, message: 'Someone has already registered, so this can’t be changed.', field: 'kind' },
  },
})

export const announceTournament = endpoint({
  ...writing,
  path: '/admin/tournaments/announce',
  summary: 'Show a draft to players',
  input: { body: z.object(forms.versionForm.shape) },
  fields: forms.versionForm,
  output: said,
  errors: {
    noTournament,
    changedMeanwhile,
    notDraft: { status: 409, message: 'This tournament has already been announced.' },
  },
})

export const cancelTournament = endpoint({
  ...writing,
  path: '/admin/tournaments/cancel',
  summary: 'Call a tournament off; a draft is deleted',
  input: { body: z.object(forms.cancelForm.shape) },
  fields: forms.cancelForm,
  output: said,
  errors: { noTournament, changedMeanwhile, over },
})

export const checkInFor = endpoint({
  ...writing,
  path: '/admin/tournaments/checkin',
  summary: 'Check in an entry, even after check-in has closed',
  input: { body: z.object(forms.entryForm.shape) },
  fields: forms.entryForm,
  output: said,
  errors: { noEntry, drawn },
})

export const removeEntry = endpoint({
  ...writing,
  path: '/admin/tournaments/remove',
  summary: 'Take an entry out before the bracket is drawn',
  input: { body: z.object(forms.removeForm.shape) },
  fields: forms.removeForm,
  output: said,
  errors: { noEntry, drawn },
})

export const handOverClub = endpoint({
  ...writing,
  path: '/admin/tournaments/leader',
  summary: 'Give a registered club another leader, before it checks in',
  input: { body: z.object(forms.leaderForm.shape) },
  fields: forms.leaderForm,
  output: said,
  errors: {
    noEntry,
    drawn,
    noClub: { status: 409, message: 'Only a club has a leader.' },
    checkedIn: { status: 409, message: 'The club has already checked in, so its leader stays.' },
    noPlayer: { status: 422, message: 'There is no player with this user ID who has a character.', field: 'user_id' },
    level: {
      status: 422,
      message: 'None of this player’s characters has a level that can take part.',
      field: 'user_id',
    },
    registered: { status: 422, message: 'This player is registered with another entry.', field: 'user_id' },
  },
})

export const drawTournament = endpoint({
  ...writing,
  path: '/admin/tournaments/draw',
  summary: 'Draw the bracket of those who checked in; can be repeated until the first result',
  input: { body: z.object(forms.drawForm.shape) },
  fields: forms.drawForm,
  output: said,
  errors: {
    noTournament,
    changedMeanwhile,
    over,
    draft: { status: 409, message: 'Announce the tournament first.' },
    early: { status: 409, message: 'Check-in is still open. Draw the bracket when it has closed.' },
    started: { status: 409, message: 'There are already results, so the bracket stays.' },
    notIn: { status: 422, message: 'Only entries that checked in can play, each once.', field: 'seeds' },
    tooFew: { status: 422, message: 'Double elimination needs at least three entries.', field: 'seeds' },
    groups: { status: 422, message: 'Choose 1, 2, 4 or 8 groups with at least two entries each.', field: 'groups' },
    advance: { status: 422, message: 'Choose 1, 2 or 4, and fewer than each group has.', field: 'advance' },
  },
})

export const scheduleMatches = endpoint({
  ...writing,
  path: '/admin/tournaments/schedule',
  summary: 'Set when matches begin',
  input: { body: z.object(forms.scheduleForm.shape) },
  fields: forms.scheduleForm,
  output: said,
  errors: { noTournament, over, noMatch: { status: 422, message: 'One of the matches no longer exists.' } },
})

export const enterResult = endpoint({
  ...writing,
  path: '/admin/tournaments/result',
  summary:
    'Enter, correct or remove a result; matches that depend on it are redrawn after a warning (409 with `redraws`)',
  input: { body: z.object(forms.resultForm.shape).check(...forms.resultChecks) },
  fields: forms.resultForm,
  output: said.extend({ redrawn: unit }),
  errors: {
    noMatch: { status: 404, message: 'There is no such match.' },
    changedMeanwhile,
    over,
    final: { status: 409, message: 'The tournament is final. Correct the places instead.' },
    notReady: { status: 409, message: 'It is not known yet who plays this match.' },
    draw: { status: 422, message: 'Somebody has to win this match.', field: 'score2' },
    redraws: {
      status: 409,
      message: 'Other results depend on this one and would be removed. Check them and confirm.',
    },
    noResult: { status: 409, message: 'This match has no result.' },
  },
})

export const finaliseTournament = endpoint({
  ...writing,
  path: '/admin/tournaments/finalise',
  summary:
    'Make the places final and send the prizes, at least a day after the last result and not by the operator who entered it',
  sudo: true,
  input: { body: z.object(forms.versionForm.shape) },
  fields: forms.versionForm,
  output: said,
  errors: {
    noTournament,
    changedMeanwhile,
    over,
    open: { status: 409, message: 'Some matches have no result yet.' },
    early: { status: 409, message: 'The last result is less than 24 hours old. Players may still object to it.' },
    own: { status: 403, message: 'You entered the last result, so another operator has to make it final.' },
  },
})

export const correctPlace = endpoint({
  ...writing,
  path: '/admin/tournaments/place',
  summary: 'Correct a place of a final tournament; those between move by one',
  input: { body: z.object(forms.placeForm.shape) },
  fields: forms.placeForm,
  output: said,
  errors: {
    noTournament,
    changedMeanwhile,
    noEntry,
    notFinal: { status: 409, message: 'The tournament is not final yet. Correct the result instead.' },
    same: { status: 422, message: 'Nothing was changed.' },
  },
})

export const payPrize = endpoint({
  ...writing,
  path: '/admin/tournaments/pay',
  summary: 'Send the prize for a place to the player who holds it now',
  sudo: true,
  input: { body: z.object(forms.payForm.shape) },
  fields: forms.payForm,
  output: said,
  errors: {
    noTournament,
    notFinal: { status: 409, message: 'Prizes can only be sent once the tournament is final.' },
    nobody: { status: 409, message: 'Nobody can get a prize for this place.' },
    paid: { status: 409, message: 'This prize is already on its way to whoever holds the place.' },
  },
})

export const withdrawPrize = endpoint({
  ...writing,
  path: '/admin/tournaments/withdraw',
  summary: 'Withdraw an unclaimed prize from a player who no longer holds the place',
  sudo: true,
  input: { body: z.object(forms.withdrawForm.shape) },
  fields: forms.withdrawForm,
  output: said,
  errors: {
    noPrize: { status: 404, message: 'There is no such prize.' },
    right: { status: 409, message: 'This prize belongs to the player who holds the place.' },
    gone: { status: 409, message: 'It has already been claimed or withdrawn. What was claimed is never taken back.' },
  },
})
