import { z } from 'zod'
import { FAILURE_CODES, REFUND_REFUSALS } from './bridge-messages.ts'
import { PASSWORD_FORMS } from './bridge-sealing.ts'
import { endpoint } from './endpoint.ts'

const area = 'bridge'
const moment = z.iso.datetime()
/** Ed25519 and X25519 have public keys of 32 bytes: 43 characters of base64url. */
const publicKey = z.string().regex(/^[\w-]{43}$/, 'A public key has 32 bytes, in base64url.')
/** A text that the database can keep. */
export const shortText = (max: number) =>
  z
    .string()
    .max(max)
    .refine((text) => text.isWellFormed() && !text.includes('\0'), 'It has characters that cannot be stored.')
const unit = z.int().positive()

/** How many units are handed out at once. */
export const BRIDGE_UNITS_AT_ONCE = 250
/** How long a request for work waits for some. */
export const BRIDGE_WAIT_MAX_MS = 5000
/** Requests of a bridge may have a larger body than those of players. */
export const BRIDGE_BODY_MAX_BYTES = 4 * 1024 * 1024

/** Where the agent's own tables stand: who they belong to, and how often they were written. */
const copy = z.object({ epoch: z.string().regex(/^[\w-]{16,64}$/), counter: z.int().nonnegative() })

export const pairBridge = endpoint({
  method: 'POST',
  path: '/bridge/pair',
  summary: 'Pair an agent with a code of the desk; it hands over its public keys',
  area,
  access: 'public',
  limit: 'pairing',
  input: {
    body: z.object({
      code: shortText(60),
      name: shortText(80),
      sign_key: publicKey,
      seal_key: publicKey,
    }),
  },
  output: z.object({ bridge: z.int(), site: z.string(), title: z.string() }),
  errors: {
    wrongCode: {
      status: 422,
      message:
        'This code does not work: it is wrong, already used, or older than ten minutes. Create a new one on the desk’s Game page.',
    },
    badKey: { status: 422, message: 'The seal key is not an X25519 public key.' },
    paired: { status: 409, message: 'These keys are already paired.' },
  },
})

/** What `check` or the agent found, in words for the operator. */
export const findingSchema = z.object({
  level: z.enum(['good', 'note', 'problem']),
  what: shortText(300),
  /** What to do about it. */
  advice: shortText(8000).default(''),
})
export type Finding = z.infer<typeof findingSchema>

export const startBridge = endpoint({
  method: 'POST',
  path: '/bridge/start',
  summary: 'The agent holds the lock of the game’s database and starts to work; it takes over from any other agent',
  area,
  access: 'bridge',
  input: {
    body: copy.extend({
      version: shortText(40),
      system: shortText(120),
      preset: shortText(40),
      password_form: z.enum(PASSWORD_FORMS),
    }),
  },
  output: z.object({ now: moment, title: z.string() }),
  errors: {
    otherActive: {
      status: 409,
      message: 'Another bridge is working with another game database. Stop it, or revoke it on the desk’s Game page.',
    },
  },
})

/** What a bridge does with a unit: write its row, or take it out of the game. */
export const workSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('deliver'),
    unit,
    attempt: z.int().positive(),
    /** What the unit is, whatever its number: guards against a number that is used twice. */
    mark: shortText(80),
    game_user_num: z.int().nonnegative(),
    game_user_id: shortText(64).optional().meta({ description: 'The ID that it had when it was linked' }),
    product_num: z.int().positive(),
    price: z.int().nonnegative(),
  }),
  z.object({
    kind: z.literal('cancel'),
    unit,
    mark: shortText(80),
    paid: z.literal(true).optional().meta({ description: 'It was paid back, so it goes even if its flag is 2 or 3' }),
  }),
])
export type Work = z.infer<typeof workSchema>

/** What the agent is to do about the game's database having been restored. */
export const RESTORE_STATES = ['none', 'waits', 'confirmed'] as const

export const takeWork = endpoint({
  method: 'POST',
  path: '/bridge/work',
  summary: 'Wait for work: units to deliver and to take back. Units that were handed out and not reported come again',
  area,
  access: 'bridge',
  input: {
    body: copy.extend({
      wait_ms: z.int().min(0).max(BRIDGE_WAIT_MAX_MS),
      doing: z
        .array(unit)
        .max(2 * BRIDGE_UNITS_AT_ONCE)
        .default([])
        .meta({ description: 'Units that were handed out before and are being written now: they do not come again' }),
    }),
  },
  output: z.object({
    now: moment,
    work: z.array(workSchema),
    restore: z.enum(RESTORE_STATES),
    /** While a restore waits: units to look for. */
    look: z.array(z.object({ unit, refunded: z.boolean() })),
    /** After it was confirmed: the epoch to write into the game's database. */
    next_epoch: z.string().nullable(),
    /** Somebody at the desk asks for the check; said once. */
    check: z.boolean().default(false),
  }),
})

export const reportWork = endpoint({
  method: 'POST',
  path: '/bridge/report',
  summary: 'What became of units: written, failed, taken back or not, claimed in the game, gone',
  area,
  access: 'bridge',
  input: {
    body: copy.extend({
      delivered: z.array(z.object({ unit, pur_key: shortText(40) })).max(500),
      failed: z
        .array(
          z.object({
            unit,
            attempt: z.int().positive(),
            code: z.enum(FAILURE_CODES),
            detail: shortText(300),
            game_user_id: shortText(64).optional().meta({ description: 'With `renamed`: the ID that it has now' }),
          }),
        )
        .max(500),
      cancelled: z.array(unit).max(500),
      kept: z
        .array(z.object({ unit, why: z.enum(REFUND_REFUSALS) }))
        .max(500)
        .meta({ description: 'Units that could not be taken back' }),
      flags: z
        .array(z.object({ unit, flag: z.enum(['waiting', 'claimed', 'cancelled', 'gone']) }))
        .max(500)
        .meta({ description: 'What the rows in the game say now' }),
      looked: z
        .object({ through: unit, missing: z.array(unit).max(500), back: z.array(unit).max(500) })
        .nullable()
        .meta({
          description:
            'After a restore: how far it has looked, which units are no longer there, and which refunded ones are back',
        }),
    }),
  },
  output: z.object({ now: moment, restore: z.enum(RESTORE_STATES) }),
})

/** How many units are listed at once. */
export const BRIDGE_UNITS_LISTED = 1000

export const listDelivered = endpoint({
  method: 'POST',
  path: '/bridge/delivered',
  summary:
    'Units that wait in the game as far as the site knows, in the order of their numbers. The agent asks at its start',
  area,
  access: 'bridge',
  input: { body: z.object({ after: z.int().nonnegative() }) },
  output: z.object({ now: moment, units: z.array(unit) }),
})

export const reportFindings = endpoint({
  method: 'POST',
  path: '/bridge/findings',
  summary: 'What the agent found when it checked the game’s databases, and what keeps it from working',
  area,
  access: 'bridge',
  input: {
    body: z.object({
      problem: shortText(300).nullable().meta({ description: 'null leaves what was said before' }),
      findings: z.array(findingSchema).max(200).nullable().meta({ description: 'null leaves what was found before' }),
    }),
  },
  output: z.object({ now: moment }),
})

export const getBridgeProducts = endpoint({
  method: 'GET',
  path: '/bridge/products',
  summary: 'The items of the shop with their numbers in the game, which the game has to know',
  area,
  access: 'bridge',
  output: z.object({
    now: moment,
    rows: z.array(z.object({ product_num: z.int(), game_product_num: z.int(), item_name: z.string() })),
  }),
})
