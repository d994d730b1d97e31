import { z } from 'zod'
import { CAPSULES, SPENT_DAYS } from './capsule-messages.ts'
import { movedSchema } from './cart.ts'
import { endpoint } from './endpoint.ts'
import { maintenance } from './errors.ts'
import { wholeNumberNamed } from './paging.ts'
import { SHOP } from './shop-messages.ts'

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

const noCapsule = { status: 404, message: CAPSULES.noCapsule } as const

export const getCapsules = endpoint({
  method: 'GET',
  path: '/capsules',
  summary: 'The capsules that are sold, with their chances',
  area: 'shop',
  access: 'public',
  cache: { freshMs: 1000 },
  output: z.object({ data: z.array(capsuleSchema) }),
})

export const getCapsule = endpoint({
  method: 'GET',
  path: '/capsules/{capsule}',
  summary: 'One capsule with its chances',
  area: 'shop',
  access: 'public',
  cache: { freshMs: 1000 },
  input: { params: z.object({ capsule: wholeNumberNamed('The capsule') }) },
  output: z.object({ data: capsuleSchema }),
  errors: { noCapsule },
})

export const getCapsuleChances = endpoint({
  method: 'GET',
  path: '/capsules/{capsule}/chances',
  summary: 'The chances of the caller’s next draw, and what they have spent on draws',
  area: 'shop',
  access: 'player',
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
  }),
  errors: { noCapsule },
})

export const drawCapsule = endpoint({
  method: 'POST',
  path: '/drawcapsule',
  summary: 'Pay for one draw from a capsule and get what is drawn',
  area: 'shop',
  access: 'player',
  idempotent: true,
  input: {
    body: z.object({
      capsule: z.int('Choose a capsule.'),
      version: z
        .int('Send the version.')
        .meta({ description: 'The version whose chances and price the player was shown' }),
    }),
  },
  output: movedSchema.extend({
    drawn: z.object({
      product_num: z.int(),
      item_name: z.string(),
      icon: z.string().nullable(),
      image_url: z.string().nullable(),
    }),
  }),
  errors: {
    noCapsule,
    changed: { status: 409, message: CAPSULES.changed },
    shortRCoin: { status: 422, message: SHOP.shortRCoin },
    shortMilleage: { status: 422, message: SHOP.shortMilleage },
    maintenance,
  },
})

export const getCapsuleDraws = endpoint({
  method: 'GET',
  path: '/capsuledraws',
  summary: 'Every draw of the caller, newest first, 20 at a time',
  area: 'shop',
  access: 'player',
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
        drawn_at: z.iso.datetime({ offset: true }),
      }),
    ),
    next: z.string().nullable(),
  }),
})
