import { z } from 'zod'
import * as f from 'zod/mini'
import { balancesSchema, frozen } from './cart.ts'
import { describeFields } from './describe-fields.ts'
import { deskCalls } from './desk.ts'
import { calls } from './endpoint.ts'
import { conflict, messageSchema } from './errors.ts'
import { lineField, linesField } from './fields.ts'
import { formatCount } from './numbers.ts'
import { wholeNumberNamed } from './paging.ts'
import { offsetMoment } from './scalars.ts'
import { pauses, SHOP } from './shop.ts'

const shop = calls('shop', 'player')

const desk = deskCalls('items', { read: 'items.read', write: 'items.write', codes: ['currency'] })

export type Rarity = 'Legendary' | 'Epic' | 'Rare' | 'Common'

/** Returns the rarity of a prize from its chance in 1,000,000 at the start of a round (CAPSULE-3). */
export function getRarity(chance: number): Rarity {
  if (chance < 10_000) return 'Legendary'
  if (chance < 50_000) return 'Epic'
  return chance < 150_000 ? 'Rare' : 'Common'
}

/** The texts of the capsule shop. */
export const CAPSULES = {
  title: 'Capsule Shop',
  draw: 'Draw one',
  drawn: 'You drew',
  final: 'A draw is final. It is refunded only when what you drew cannot be delivered.',
  drawnOnce: 'What you have drawn is not drawn again until you have everything.',
  capsuleNotFound: 'There is no such capsule.',
  changed: 'The capsule has just been changed. Look at its chances again.',
  ownLimit: 'You have reached the limit that you set yourself for today.',
  limitSet: 'Your limit counts from now on.',
  limitLater: 'Your higher limit counts in 24 hours.',
  limitRule: 'A limit is a whole number from 0 to 1,000.',
  empty: 'No capsules right now',
  emptyLine: 'The machine is being filled. Come back soon.',
} as const

/** The sum of a capsule's chances. */
export const CHANCES_SUM = 1_000_000
/** The number of days in a player's spending summary. */
export const SPENT_DAYS = 30

const prize = z.object({
  product_num: z.int(),
  item_name: z.string(),
  icon: z.string().nullable(),
  image_url: z.string().nullable(),
  chance: z.int().meta({ description: 'Of 1,000,000, while nothing is drawn' }),
})

const capsuleSchema = z
  .object({
    capsule: z.int(),
    name: z.string(),
    description: z.string(),
    section: z.int().meta({ description: '2 is paid in R-Coin, everything else in Milleage' }),
    price: z.int(),
    picture: z.string().nullable(),
    version: z.int(),
    prizes: z.array(prize),
  })
  .meta({ id: 'Capsule' })

const capsuleNotFound = { status: 404, message: CAPSULES.capsuleNotFound } as const

export const getCapsules = shop.get('/capsules', {
  summary: 'The capsules that are sold, with their chances',
  access: 'public',
  cache: { freshMs: 1000 },
  output: z.object({ data: z.array(capsuleSchema) }),
})

export const getCapsule = shop.get('/capsules/{capsule}', {
  summary: 'One capsule with its chances',
  access: 'public',
  cache: { freshMs: 1000 },
  input: { params: z.object({ capsule: wholeNumberNamed('The capsule') }) },
  output: z.object({ data: capsuleSchema }),
  errors: { capsuleNotFound },
})

export const getCapsuleChances = shop.get('/capsules/{capsule}/chances', {
  summary: 'The chances of the caller’s next draw, and what they have spent on draws',
  input: { params: z.object({ capsule: wholeNumberNamed('The capsule') }) },
  output: z.object({
    version: z.int(),
    price: z.int(),
    out_of: z.int().meta({ description: 'The sum of the chances that are left' }),
    prizes: z.array(z.object({ product_num: z.int(), chance: z.int().meta({ description: '0 for what is drawn' }) })),
    draws: z.int().meta({ description: 'How often the caller has drawn from this capsule' }),
    spent: z
      .object({ r_coin: z.int(), milleage: z.int() })
      .meta({ description: `On draws from any capsule in the last ${SPENT_DAYS} days` }),
    limit: z
      .object({
        draws: z.int().nullable(),
        later: z.object({ draws: z.int().nullable(), from: offsetMoment }).nullable(),
        today: z.int(),
      })
      .meta({
        description: 'How often the caller wants to draw in a day at most, a raise to come, and draws of today',
      }),
  }),
  errors: { capsuleNotFound },
})

export const drawCapsule = shop.post('/drawcapsule', {
  summary: 'Pay for one draw from a capsule and get what is drawn',
  idempotent: true,
  input: {
    body: z.object({
      capsule: z.int('Choose a capsule.'),
      version: z
        .int('Send the version.')
        .meta({ description: 'The version whose chances and price the player was shown' }),
    }),
  },
  output: balancesSchema.extend({
    drawn: z.object({
      product_num: z.int(),
      item_name: z.string(),
      icon: z.string().nullable(),
      image_url: z.string().nullable(),
    }),
  }),
  errors: {
    capsuleNotFound,
    changed: { status: 409, message: CAPSULES.changed },
    frozen,
    ownLimit: { status: 409, message: CAPSULES.ownLimit },
    shortRCoin: { status: 422, message: SHOP.shortRCoin },
    shortMilleage: { status: 422, message: SHOP.shortMilleage },
    ...pauses,
  },
})

export const capsuleLimitForm = f.object({
  draws: f.nullable(
    f.int(CAPSULES.limitRule).check(f.minimum(0, CAPSULES.limitRule), f.maximum(1000, CAPSULES.limitRule)),
  ),
})

export const setCapsuleLimit = shop.post('/capsulelimit', {
  summary: 'Limit one’s own draws of a day; a lower limit counts at once, a higher one, or none (null), after a day',
  idempotent: true,
  fields: capsuleLimitForm,
  output: messageSchema,
})

export const getCapsuleDraws = shop.get('/capsuledraws', {
  summary: 'Every draw of the caller, newest first, 20 at a time',
  input: {
    query: z.object({
      after: z
        .string()
        .regex(/^\d{0,15}$/, 'after must be the next of the page before.')
        .default(''),
    }),
  },
  output: z.object({
    draws: z.array(
      z.object({
        draw: z.int(),
        capsule: z.int(),
        name: z.string().meta({ description: 'The capsule’s' }),
        product_num: z.int(),
        item_name: z.string(),
        section: z.int(),
        price: z.int(),
        version: z.int(),
        number: z.int(),
        out_of: z.int(),
        drawn_at: offsetMoment,
      }),
    ),
    next: z.string().nullable(),
  }),
})

const number = (rule: string, { min, max }: { min: number; max: number }) =>
  f.pipe(
    f.union([f.string(), f.number()], rule),
    f.pipe(
      f.transform((given: string | number) => (given === '' ? Number.NaN : Number(given))),
      f.number(rule).check(f.int(rule), f.minimum(min, rule), f.maximum(max, rule)),
    ),
  )

const chanceRow = f.object({
  product_num: number('Enter the number of an item.', { min: 1, max: 2_000_000_000 }),
  chance: number(`A chance is a whole number from 1 to ${formatCount(CHANCES_SUM)}.`, {
    min: 1,
    max: CHANCES_SUM,
  }),
})

export const chanceFields = describeFields(chanceRow, { product_num: 'Item number', chance: 'Chance' })

export const capsuleForm = f.object({
  name: lineField(60, 'Give the capsule a name.'),
  description: f._default(linesField(500), ''),
  currency: f.enum(['r_coin', 'milleage'], 'Choose what it is paid with.'),
  price: number('Enter a whole price.', { min: 1, max: 999_999_999 }),
  visible: f.boolean(),
  chances: f.array(chanceRow).check(
    f.minLength(1, 'Put at least one item into the capsule.'),
    f.maxLength(100, 'A capsule has at most 100 items.'),
    f.refine(
      (rows) => new Set(rows.map((row) => row.product_num)).size === rows.length,
      'An item is in the list twice.',
    ),
    f.refine(
      (rows) => rows.reduce((sum, row) => sum + row.chance, 0) === CHANCES_SUM,
      `The chances have to be ${formatCount(CHANCES_SUM)} together.`,
    ),
  ),
})

export const capsuleFields = describeFields(capsuleForm, {
  name: 'Name',
  description: { label: 'Description', kind: 'long', rows: 2 },
  price: 'Price per draw',
  currency: { label: 'Paid with', options: { r_coin: 'R-Coin', milleage: 'Milleage' } },
  visible: 'On sale in the capsule shop',
})

const row = z.object({
  capsule: z.int(),
  name: z.string(),
  description: z.string(),
  currency: z.enum(['r_coin', 'milleage']),
  price: z.int(),
  visible: z.boolean(),
  version: z.int(),
  draws: z.int(),
  average: z.int().meta({ description: 'What its prizes are worth on average, items at their usual price' }),
  chances: z.array(z.object({ product_num: z.int(), item_name: z.string(), chance: z.int() })),
})

export const getDeskCapsules = desk.read('/admin/capsules', {
  summary: 'Every capsule with its chances, also those that are not sold',
  output: z.object({ rows: z.array(row) }),
})

export const saveCapsule = desk.write('/admin/capsules/save', {
  title: 'Save capsule',
  summary: 'Create a capsule or change one; its chances get a new version',
  sudo: true,
  approvable: true,
  input: {
    body: z.object({
      ...capsuleForm.shape,
      capsule: z.int().nullable().meta({ description: 'Null makes a new one' }),
      version: z.int().nullable().meta({ description: 'The version that was changed' }),
    }),
  },
  fields: capsuleForm,
  output: z.object({ message: z.string(), capsule: z.int(), version: z.int() }),
  errors: {
    capsuleNotFound: { status: 404, message: 'There is no such capsule.' },
    conflict,
    itemNotFound: { status: 422, message: 'One of the items does not exist.', field: 'chances' },
  },
})
