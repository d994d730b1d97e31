import { z } from 'zod'
import * as f from 'zod/mini'
import { balancesSchema, frozenAccountError } from './cart.ts'
import { describeFields } from './describe-fields.ts'
import { declareDeskCalls } from './desk.ts'
import { declareCalls } from './endpoint.ts'
import { conflict, messageSchema } from './errors.ts'
import { lineField, linesField } from './fields.ts'
import { formatCount } from './numbers.ts'
import { wholeNumberParam } from './paging.ts'
import { offsetMoment } from './scalars.ts'
import { pauseErrors, SHOP_TEXTS } from './shop.ts'

const shop = declareCalls('shop', 'player')

const desk = declareDeskCalls('items', { read: 'items.read', write: 'items.write', notPersonal: ['currency'] })

export type Rarity = 'Legendary' | 'Epic' | 'Rare' | 'Common'

/** Returns the rarity of a prize from its chance in 1,000,000 at the start of a round (CAPSULE-3). */
export function getRarity(chance: number): Rarity {
  if (chance < 10_000) return 'Legendary'
  if (chance < 50_000) return 'Epic'
  return chance < 150_000 ? 'Rare' : 'Common'
}

/** The texts of the capsule shop. */
export const CAPSULE_TEXTS = {
  title: 'Capsule Shop',
  draw: 'Draw one',
  resultPrefix: 'You drew',
  final: 'A draw is final. It is refunded only when what you drew cannot be delivered.',
  drawnOnce: 'You can’t draw an item again until you have drawn all of them.',
  capsuleNotFound: 'There is no such capsule.',
  changed: 'The capsule has just been changed. Look at its chances again.',
  ownLimit: 'You have reached the limit that you set yourself for today.',
  limitSet: 'Your limit counts from now on.',
  limitLater: 'Your higher limit starts in 24 hours.',
  limitRule: 'A limit is a whole number from 0 to 1,000.',
  empty: 'No capsules right now',
  emptyLine: 'The machine is being filled. Come back soon.',
} as const

/** The sum of a capsule's chances. */
export const CHANCES_SUM = 1_000_000
/** The number of days in a player's spending summary. */
export const SPENDING_SUMMARY_DAYS = 30

const prize = z.object({
  product_num: z.int(),
  item_name: z.string(),
  icon: z.string().nullable(),
  image_url: z.string().nullable(),
  chance: z.int().meta({ description: 'The chance in 1,000,000 at the start of a round' }),
})

const capsuleSchema = z
  .object({
    capsule: z.int(),
    name: z.string(),
    description: z.string(),
    section: z.int().meta({ description: '2 for a price in R-Coin; any other number for a price in Milleage' }),
    price: z.int(),
    picture: z.string().nullable(),
    version: z.int(),
    prizes: z.array(prize),
  })
  .meta({ id: 'Capsule' })

const capsuleNotFound = { status: 404, message: CAPSULE_TEXTS.capsuleNotFound } as const

export const getCapsules = shop.get('/capsules', {
  summary: 'The capsules on sale, with their chances',
  access: 'public',
  cache: { freshMs: 1000 },
  output: z.object({ data: z.array(capsuleSchema) }),
})

export const getCapsule = shop.get('/capsules/{capsule}', {
  summary: 'One capsule with its chances',
  access: 'public',
  cache: { freshMs: 1000 },
  input: { params: z.object({ capsule: wholeNumberParam('The capsule') }) },
  output: z.object({ data: capsuleSchema }),
  errors: { capsuleNotFound },
})

export const getCapsuleChances = shop.get('/capsules/{capsule}/chances', {
  summary: 'The chances of the caller’s next draw, and what they have spent on draws',
  input: { params: z.object({ capsule: wholeNumberParam('The capsule') }) },
  output: z.object({
    version: z.int(),
    price: z.int(),
    out_of: z.int().meta({ description: 'The sum of the remaining chances' }),
    prizes: z.array(
      z.object({
        product_num: z.int(),
        chance: z.int().meta({ description: '0 for an item that the caller has drawn' }),
      }),
    ),
    draws: z.int().meta({ description: 'How often the caller has drawn from this capsule' }),
    spent: z.object({ r_coin: z.int(), milleage: z.int() }).meta({
      description: `The caller’s spending on draws from any capsule in the last ${SPENDING_SUMMARY_DAYS} days`,
    }),
    limit: z
      .object({
        draws: z.int().nullable(),
        later: z.object({ draws: z.int().nullable(), from: offsetMoment }).nullable(),
        today: z.int(),
      })
      .meta({
        description:
          'The daily limit that the caller set, a higher limit that starts later, and the number of draws today',
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
      version: z.int('Send the version.').meta({ description: 'The version whose chances and price the player saw' }),
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
    changed: { status: 409, message: CAPSULE_TEXTS.changed },
    frozen: frozenAccountError,
    ownLimit: { status: 409, message: CAPSULE_TEXTS.ownLimit },
    shortRCoin: { status: 422, message: SHOP_TEXTS.shortRCoin },
    shortMilleage: { status: 422, message: SHOP_TEXTS.shortMilleage },
    ...pauseErrors,
  },
})

export const capsuleLimitForm = f.object({
  draws: f.nullable(
    f
      .int(CAPSULE_TEXTS.limitRule)
      .check(f.minimum(0, CAPSULE_TEXTS.limitRule), f.maximum(1000, CAPSULE_TEXTS.limitRule)),
  ),
})

export const setCapsuleLimit = shop.post('/capsulelimit', {
  summary:
    'Limit the caller’s draws per day. A lower limit starts at once; a higher limit, or none (null), after a day',
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
        .regex(/^\d{0,15}$/, 'after must be the next of the previous page.')
        .default(''),
    }),
  },
  output: z.object({
    draws: z.array(
      z.object({
        draw: z.int(),
        capsule: z.int(),
        name: z.string().meta({ description: 'The name of the capsule' }),
        product_num: z.int(),
        item_name: z.string(),
        section: z.int(),
        price: z.int(),
        version: z.int(),
        number: z.int().meta({ description: 'The random number that chose the prize, from 0 to below `out_of`' }),
        out_of: z.int().meta({ description: 'The sum of the chances that remained before the draw' }),
        drawn_at: offsetMoment,
      }),
    ),
    next: z.string().nullable(),
  }),
})

const numberField = (rule: string, { min, max }: { min: number; max: number }) =>
  f.pipe(
    f.union([f.string(), f.number()], rule),
    f.pipe(
      f.transform((input: string | number) => (input === '' ? Number.NaN : Number(input))),
      f.number(rule).check(f.int(rule), f.minimum(min, rule), f.maximum(max, rule)),
    ),
  )

const chanceForm = f.object({
  product_num: numberField('Enter the number of an item.', { min: 1, max: 2_000_000_000 }),
  chance: numberField(`A chance is a whole number from 1 to ${formatCount(CHANCES_SUM)}.`, {
    min: 1,
    max: CHANCES_SUM,
  }),
})

export const chanceFields = describeFields(chanceForm, { product_num: 'Item number', chance: 'Chance' })

export const capsuleForm = f.object({
  name: lineField(60, 'Give the capsule a name.'),
  description: f._default(linesField(500), ''),
  currency: f.enum(['r_coin', 'milleage'], 'Choose what it is paid with.'),
  price: numberField('Enter a whole price.', { min: 1, max: 999_999_999 }),
  visible: f.boolean(),
  chances: f.array(chanceForm).check(
    f.minLength(1, 'Put at least one item into the capsule.'),
    f.maxLength(100, 'A capsule has at most 100 items.'),
    f.refine(
      (rows) => new Set(rows.map((row) => row.product_num)).size === rows.length,
      'An item is in the list twice.',
    ),
    f.refine(
      (rows) => rows.reduce((sum, row) => sum + row.chance, 0) === CHANCES_SUM,
      `The chances have to add up to ${formatCount(CHANCES_SUM)}.`,
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

const capsuleRow = z.object({
  capsule: z.int(),
  name: z.string(),
  description: z.string(),
  currency: z.enum(['r_coin', 'milleage']),
  price: z.int(),
  visible: z.boolean(),
  version: z.int(),
  draws: z.int(),
  average: z.int().meta({
    description:
      'The average value of the first draw of a round, or of all prizes if that is higher, with items at their usual price',
  }),
  chances: z.array(z.object({ product_num: z.int(), item_name: z.string(), chance: z.int() })),
})

export const getDeskCapsules = desk.read('/admin/capsules', {
  summary: 'All capsules with their chances, including capsules that are not on sale',
  output: z.object({ rows: z.array(capsuleRow) }),
})

export const saveCapsule = desk.write('/admin/capsules/save', {
  title: 'Save capsule',
  summary: 'Create a capsule or change one; its chances get a new version',
  sudo: true,
  approvable: true,
  input: {
    body: z.object({
      ...capsuleForm.shape,
      capsule: z.int().nullable().meta({ description: 'Null for a new capsule' }),
      version: z.int().nullable().meta({ description: 'The version on which the change is based' }),
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
