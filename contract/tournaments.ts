import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { registrationForm } from './tournament-fields.ts'
import { FORMATS, type Format, OUTCOMES, PHASES, type Phase, TOURNAMENTS } from './tournament-words.ts'

const unit = z.int()
const moment = z.iso.datetime({ offset: true })
const keys = <Key extends string>(words: Record<Key, string>) => Object.keys(words) as [Key, ...Key[]]
const area = 'tournaments'
const noTournament = { status: 404, message: TOURNAMENTS.noTournament } as const

const summaryFields = {
  tournament: unit,
  name: z.string(),
  kind: z.enum(['players', 'clubs']),
  format: z.enum(keys<Format>(FORMATS)),
  phase: z.enum(keys<Phase>(PHASES)),
  entries: unit,
  max_entries: unit,
  level_from: unit,
  level_to: unit.nullable(),
  registration_from: moment,
  registration_until: moment,
  checkin_from: moment,
  checkin_until: moment,
  starts_at: moment,
  winner: z.string().nullable().meta({ description: 'Who won, once it is final' }),
}
const summary = z.object(summaryFields).meta({ id: 'TournamentSummary' })

export const getTournaments = endpoint({
  method: 'GET',
  path: '/tournaments',
  summary: 'Tournaments, the latest first, 20 at a time',
  area,
  access: 'public',
  cache: { freshMs: 15_000 },
  input: {
    query: z.object({
      after: z
        .string()
        .regex(/^(\d{1,15}\.\d{1,15})?$/, 'after must be the next of the page before.')
        .default('')
        .meta({ description: 'The `next` of the page before' }),
    }),
  },
  output: z.object({ data: z.array(summary), next: z.string().nullable() }),
})

const entry = z.object({
  entry: unit,
  seed: unit.nullable(),
  name: z.string().meta({ description: 'The club, or the character of a player' }),
  club: z.string().nullable(),
  cha_num: unit,
  cha_name: z.string(),
  cha_level: unit,
  cha_class: z.string(),
  cha_school: unit,
  has_page: z.boolean().meta({ description: 'Whether the character has a page of its own' }),
  checked_in: z.boolean(),
  place: unit.nullable(),
})

const match = z.object({
  match: unit,
  stage: unit,
  grp: unit,
  round: unit,
  number: unit,
  entry1: unit.nullable(),
  entry2: unit.nullable(),
  state: z.enum(['open', 'ready', 'done', 'bye', 'unneeded']),
  outcome: z.enum(OUTCOMES).nullable(),
  score1: unit.nullable(),
  score2: unit.nullable(),
  winner: unit.nullable(),
  starts_at: moment.nullable(),
})

const table = z.object({
  grp: unit,
  rows: z.array(
    z.object({
      entry: unit,
      played: unit,
      wins: unit,
      draws: unit,
      losses: unit,
      scored: unit,
      against: unit,
      points: unit,
    }),
  ),
})

const offer = z.object({
  place: unit,
  currency: z.enum(['r_coin', 'milleage']).nullable(),
  amount: unit.nullable(),
  product_num: unit.nullable(),
  item_name: z.string().nullable(),
  quantity: unit.nullable(),
})

export const tournamentSchema = z
  .object({
    ...summaryFields,
    about: z.string(),
    third_place: z.boolean(),
    groups: unit.nullable(),
    advance: unit.nullable(),
    cancelled_why: z.string(),
    offers: z.array(offer),
    list: z.array(entry).meta({ description: 'The entries: by place, else by seed, else by registration' }),
    matches: z.array(match),
    tables: z.array(table),
  })
  .meta({ id: 'Tournament' })

export type Tournament = z.infer<typeof tournamentSchema>

export const getTournament = endpoint({
  method: 'GET',
  path: '/tournaments/{id}',
  summary: 'A tournament with its entries, its bracket and its prizes',
  area,
  access: 'public',
  cache: { freshMs: 10_000 },
  input: { params: z.object({ id: z.string().regex(/^\d{1,15}$/, TOURNAMENTS.noTournament) }) },
  output: tournamentSchema,
  errors: { noTournament },
})

const own = z.object({
  entry: unit,
  cha_num: unit,
  club: z.string().nullable(),
  checked_in: z.boolean(),
})

export const getOwnEntry = endpoint({
  method: 'GET',
  path: '/tournaments/{id}/mine',
  summary: 'The caller’s entry in a tournament, and the characters that may register',
  area,
  access: 'player',
  input: { params: z.object({ id: z.string().regex(/^\d{1,15}$/, TOURNAMENTS.noTournament) }) },
  output: z.object({
    entry: own.nullable(),
    characters: z.array(
      z.object({ cha_num: unit, cha_name: z.string(), cha_level: unit, why_not: z.string().nullable() }),
    ),
  }),
  errors: { noTournament },
})

const answer = z.object({ message: z.string() })
const body = z.object({ tournament: unit })

export const registerEntry = endpoint({
  method: 'POST',
  path: '/tournaments/register',
  summary: 'Register a character for a tournament of players, or a club with its leader’s character',
  area,
  access: 'player',
  limit: 'tournamentEntries',
  input: { body: z.object(registrationForm.shape) },
  fields: registrationForm,
  output: answer,
  errors: {
    noTournament,
    notOpen: { status: 409, message: 'Registration is not open.' },
    full: { status: 409, message: 'The last place has just been taken.' },
    registered: { status: 409, message: 'You are already registered.' },
    noCharacter: { status: 422, message: 'Choose one of your characters.', field: 'character' },
    level: { status: 422, message: 'This character’s level is outside the allowed range.', field: 'character' },
    hidden: { status: 422, message: 'This character cannot take part. Please contact support.', field: 'character' },
    noClub: { status: 422, message: 'Enter the name of your club.', field: 'club' },
    clubTaken: { status: 409, message: 'This club is already registered.', field: 'club' },
  },
})

export const withdrawEntry = endpoint({
  method: 'POST',
  path: '/tournaments/withdraw',
  summary: 'Withdraw the caller’s registration, until the bracket is drawn',
  area,
  access: 'player',
  limit: 'tournamentEntries',
  input: { body },
  output: answer,
  errors: {
    noTournament,
    notRegistered: { status: 409, message: 'You are not registered.' },
    drawn: { status: 409, message: 'The bracket is drawn. Please tell an operator if you cannot play.' },
  },
})

export const checkInEntry = endpoint({
  method: 'POST',
  path: '/tournaments/checkin',
  summary: 'Check in the caller’s entry; entries that are not checked in are left out of the bracket',
  area,
  access: 'player',
  limit: 'tournamentEntries',
  input: { body },
  output: answer,
  errors: {
    noTournament,
    notRegistered: { status: 409, message: 'You are not registered.' },
    notOpen: { status: 409, message: 'Check-in is not open.' },
  },
})
