/** The forms about tournaments. Browsers fetch this file on demand, so it is written with zod/mini. */
import * as z from 'zod/mini'
import { limitField, wholeField } from './desk-money-fields.ts'
import { reasonField } from './desk-staff-fields.ts'
import { decidedPlaces } from './tournament-words.ts'

const number = (missing: string) => z.int(missing)
const at = z.iso.datetime({ error: 'Enter a date and a time.', offset: true })

const NAME_RULE = 'Use 1 to 80 characters.'
const GIFT_RULE = 'Give every prize a whole number of 1 or more, and a prize of items the number of the item.'

const prize = z.object({
  place: z.int('Choose a place.').check(z.gte(1, 'Choose a place.'), z.lte(8, 'Choose a place.')),
  gift: z.enum(['r_coin', 'milleage', 'item'], 'Choose what the prize is.'),
  /** R-Coin, Milleage or pieces of the item. */
  amount: z.nullable(z.number(GIFT_RULE)),
  item: z.nullable(z.number(GIFT_RULE)),
})

const isWhole = (value: number | null, max: number) =>
  value !== null && Number.isSafeInteger(value) && value >= 1 && value <= max
const isGift = ({ gift, amount, item }: z.infer<typeof prize>) =>
  gift === 'item' ? isWhole(amount, 99) && isWhole(item, 1e12) : isWhole(amount, 1_000_000_000)

const fields = {
  tournament: z.nullable(number('Load this again.')),
  version: number('Load this again.'),
  name: z.string(NAME_RULE).check(z.trim(), z.regex(/^[^\p{Cc}\p{Cs}\u2028\u2029]{1,80}$/u, NAME_RULE)),
  about: z
    .string('Enter a text.')
    .check(z.trim(), z.maxLength(4000, 'Use at most 4,000 characters.'), z.regex(/^[\P{Cc}\n]*$/u, 'Use plain text.')),
  kind: z.enum(['players', 'clubs'], 'Choose who takes part.'),
  format: z.enum(['single', 'double', 'groups'], 'Choose how it is played.'),
  third_place: z.boolean('Choose whether there is a match for third place.'),
  level_from: wholeField(1, 100_000),
  level_to: limitField(100_000),
  max_entries: wholeField(2, 128),
  registration_from: at,
  registration_until: at,
  checkin_from: at,
  checkin_until: at,
  starts_at: at,
  prizes: z.array(prize, 'Say what the prizes are.').check(z.maxLength(8, 'Use at most 8 prizes.')),
}

type Form = { [Name in keyof typeof fields]: z.output<(typeof fields)[Name]> }

const rule = (field: keyof Form, error: string, isKept: (form: Form) => boolean) =>
  z.refine<Form>(isKept, { error, path: [field] })
const time = Date.parse

/** The rules about several fields, for the form and for the call. */
export const tournamentChecks = [
  rule('level_to', 'The highest level is below the lowest.', (f) => f.level_to === null || f.level_to >= f.level_from),
  rule(
    'registration_until',
    'Registration ends before it opens.',
    (f) => time(f.registration_from) < time(f.registration_until),
  ),
  rule('checkin_until', 'Check-in ends before it opens.', (f) => time(f.checkin_from) < time(f.checkin_until)),
  rule(
    'checkin_until',
    'Check-in must not end before registration does.',
    (f) => time(f.registration_until) <= time(f.checkin_until),
  ),
  rule(
    'starts_at',
    'The first match must not begin before check-in ends.',
    (f) => time(f.checkin_until) <= time(f.starts_at),
  ),
  rule('prizes', GIFT_RULE, ({ prizes }) => prizes.every(isGift)),
  rule(
    'prizes',
    'Each place can have only one prize.',
    ({ prizes }) => new Set(prizes.map(({ place }) => place)).size === prizes.length,
  ),
  rule('prizes', 'This format does not decide that place. Add a match for third place, or remove the prize.', (form) =>
    form.prizes.every(({ place }) => place <= decidedPlaces(form)),
  ),
]

export const tournamentForm = z.object(fields).check(...tournamentChecks)

const tournament = number('Choose a tournament.')
const version = number('Load the tournament again.')
const entry = number('Choose an entry.')

export const versionForm = z.object({ tournament, version })
export const cancelForm = z.object({ tournament, version, reason: reasonField })

export const drawForm = z.object({
  tournament,
  version,
  /** The entries that play, best seed first. */
  seeds: z
    .array(entry, 'Say who plays.')
    .check(z.minLength(2, 'At least two have to play.'), z.maxLength(128, 'At most 128 can play.')),
  groups: z.nullable(z.int('Choose how many groups.')),
  advance: z.nullable(z.int('Choose how many advance from each group.')),
})

export const entryForm = z.object({ entry })
export const removeForm = z.object({ entry, reason: reasonField })
export const leaderForm = z.object({
  entry,
  user_id: z.string('Enter a user ID.').check(z.trim(), z.regex(/^\w{1,20}$/, 'Enter a user ID.')),
  reason: reasonField,
})

export const scheduleForm = z.object({
  tournament,
  matches: z
    .array(z.int('Choose a match.'), 'Choose a match.')
    .check(z.minLength(1, 'Choose a match.'), z.maxLength(512)),
  starts_at: z.nullable(at),
})

const resultFields = {
  match: z.int('Choose a match.'),
  version: number('Load the match again.'),
  /** '' takes the result back. */
  outcome: z.enum(['', 'played', 'walkover1', 'walkover2', 'cancelled'], 'Choose how it ended.'),
  score1: z.nullable(z.number('Enter a score.')),
  score2: z.nullable(z.number('Enter a score.')),
  /** The matches whose results are lost by it, as the operator was warned. */
  redraws: z.array(z.int('Load the match again.'), 'Load the match again.').check(z.maxLength(512)),
}

type Scores = { outcome: string; score1: number | null; score2: number | null }
const isScore = (score: number | null) => score !== null && Number.isInteger(score) && score >= 0 && score <= 999

export const resultChecks = (['score1', 'score2'] as const).map((name) =>
  z.refine<Scores>((form) => form.outcome !== 'played' || isScore(form[name]), {
    error: 'Enter a score from 0 to 999.',
    path: [name],
  }),
)

export const resultForm = z.object(resultFields).check(...resultChecks)

export const placeForm = z.object({
  tournament,
  version,
  entry,
  /** Null takes the place away. */
  place: z.nullable(z.int('Choose a place.').check(z.gte(1, 'Choose a place.'), z.lte(128, 'Choose a place.'))),
  reason: reasonField,
})

export const payForm = z.object({ tournament, place: z.int('Choose a place.') })
export const withdrawForm = z.object({ prize: z.int('Choose a prize.'), reason: reasonField })
