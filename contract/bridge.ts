import { z } from 'zod'
import { PASSWORD_FORMS } from './bridge-sealing.ts'
import { declareEndpoint } from './endpoint.ts'
import { lineField } from './fields.ts'
import { moment } from './scalars.ts'

/** The reasons why a unit was not delivered, by the agent's code, with the desk's sentence. */
export const DELIVERY_FAILURES = {
  'no-player': 'The game has no account for this player. The unit will be delivered once there is one.',
  'no-product':
    'The game’s shop does not contain this product, so the game would never show it. Add it to ShopItemMap.',
  renamed:
    'The account of this player now has a different ID in the game, so it may be someone else’s. Decide this on the Account import page, or send the unit to another account.',
  'uid-shared':
    'Another account of the game has this player’s name too, so both would see the item. Rename one of the two in the game.',
  'uid-too-long': 'The player’s name is longer than the game’s column UserUID.',
  'uid-changed': 'The game’s database changes the player’s name when it stores it, so the item would be lost.',
  'number-used': 'The game’s database already uses this unit’s number for another purchase. Nothing was changed.',
  cancelled:
    'The game’s database has marked this unit as cancelled permanently, so it can never be delivered again. Refund it.',
  database: 'The game’s database refused the row.',
} as const
export type FailureCode = keyof typeof DELIVERY_FAILURES
export const FAILURE_CODES = Object.keys(DELIVERY_FAILURES) as [FailureCode, ...FailureCode[]]

/** The reasons why a unit was not removed from the game. */
export const REFUND_REFUSAL_TEXTS = {
  claimed: 'The player has taken the item in the game, so it was not refunded.',
  cancelled: 'The row in the game is marked as cancelled (PurFlag 2 or 3). Decide whether to refund the unit.',
  gone: 'The row in the game was deleted, so we can’t see whether the item was picked up. Decide whether to refund it.',
} as const
export type RefundRefusal = keyof typeof REFUND_REFUSAL_TEXTS
export const REFUND_REFUSAL_CODES = Object.keys(REFUND_REFUSAL_TEXTS) as [RefundRefusal, ...RefundRefusal[]]

/** The unexpected states of a unit's row in the game, with the desk's sentences. */
export const UNIT_ODDITIES = {
  cancelled: 'Cancelled in the game',
  gone: 'Unknown: its row in the game was deleted',
  lost: 'Lost when the game’s database was restored',
  back: 'Refunded, but the item may still be in the game. The bridge takes it out when it works again',
  taken: 'Refunded, but the player has the item in the game. Decide what to do about it',
  again: 'Picked up before the game’s database was restored, and in the item bank again. The bridge takes it out',
  twice:
    'The player may have picked the item up twice: before the game’s database was restored, and after. Decide what to do about it',
} as const
export type UnitOddity = keyof typeof UNIT_ODDITIES

/** The databases of the game that can be restored, with their names at the desk. */
export const GAME_DATABASE_NAMES = {
  shop: 'The database of purchases',
  user: 'The database of accounts',
  game: 'The database of characters',
} as const

const area = 'bridge'
/** Public keys of Ed25519 and X25519 have 32 bytes: 43 characters of base64url. */
const publicKey = z.string().regex(/^[\w-]{43}$/, 'A public key has 32 bytes, in base64url.')
/** Text that the database can store. */
export const shortText = (max: number) =>
  z
    .string()
    .max(max)
    .refine((text) => text.isWellFormed() && !text.includes('\0'), 'It has characters that cannot be stored.')
const unit = z.int().positive()

/** The first user type of the game's staff (GAME-4), whose accounts the bridge never changes. */
export const GAME_STAFF_TYPE = 10

/** The maximum number of units to write, and of units to remove, per request for work. */
export const BRIDGE_UNITS_AT_ONCE = 250
/** The maximum duration of a request that waits for work. */
export const BRIDGE_WAIT_MAX_MS = 5000
/** The limit of a bridge's request bodies, which are larger than those of players. */
export const BRIDGE_BODY_MAX_BYTES = 4 * 1024 * 1024

/**
 * Identifies a database and its location by facts that a copy does not share, such as the server's own ID, its host,
 * port and folder, the database's ID, and the agent's machine. Facts that the agent cannot read are left out.
 */
const identitySchema = z.record(shortText(40), shortText(200))
export type DatabaseIdentity = z.infer<typeof identitySchema>

/** Whether two identities may belong to one database: no shared fact differs. */
export const isSameDatabase = (a: DatabaseIdentity, b: DatabaseIdentity): boolean =>
  Object.entries(a).every(([name, value]) => b[name] === undefined || b[name] === value)

/** The state of a database that the agent writes to: its identity, its copy, and its number of writes. */
export const gameCopySchema = z.object({
  identity: identitySchema.default({}),
  highest: z.int().nonnegative().max(1_000_000_000_000).default(0).meta({
    description: 'The highest number of a unit or service in the database. The site then assigns only higher numbers',
  }),
  epoch: z.string().regex(/^[\w-]{16,64}$/),
  counter: z.int().nonnegative(),
  ago_ms: z
    .int()
    .nonnegative()
    .nullable()
    .default(null)
    .meta({ description: 'The time since the database was last written, by the agent’s clock' }),
})
export type GameCopy = z.infer<typeof gameCopySchema>

/** The databases that the bridge writes to: of purchases, of accounts, and, where services are sold, of characters. */
export const GAME_DATABASES = ['shop', 'user', 'game'] as const
export type GameDatabase = (typeof GAME_DATABASES)[number]

export const pairBridge = declareEndpoint({
  method: 'POST',
  path: '/bridge/pair',
  summary: 'Pair an agent with a code from the desk, and store its public keys',
  area,
  access: 'public',
  limit: 'pairing',
  input: {
    body: z.object({
      code: shortText(60),
      name: z.literal('').or(lineField(80, 'Give the bridge a name.')),
      sign_key: publicKey,
      seal_key: publicKey,
      password_form: z.enum(PASSWORD_FORMS).optional().meta({
        description: 'The form in the bridge’s configuration. It must be the one that was chosen with the code',
      }),
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

/** A finding of `check` or of the agent, described for the operator. */
export const findingSchema = z.object({
  level: z.enum(['good', 'note', 'problem']),
  what: shortText(300),
  /** The advice for the operator. */
  advice: shortText(8000).default(''),
})
export type Finding = z.infer<typeof findingSchema>

export const startBridge = declareEndpoint({
  method: 'POST',
  path: '/bridge/start',
  summary:
    'Start work as the agent that holds the lock of the game’s database. It gets the lease, unless another bridge has it',
  area,
  access: 'bridge',
  input: {
    body: gameCopySchema.extend({
      version: shortText(40),
      system: shortText(120),
      preset: shortText(40),
      password_form: z.enum(PASSWORD_FORMS),
    }),
  },
  output: z.object({
    now: moment,
    title: z.string(),
    handed_through: unit.nullable().default(null).meta({
      description: 'The highest unit that was issued. Units of the game above it are unknown to this site',
    }),
  }),
  errors: {
    otherActive: {
      status: 409,
      message: 'Another bridge is working. Stop it, or revoke it on the desk’s Game page.',
    },
    secondProcess: {
      status: 409,
      message:
        'Another process used this bridge’s key less than a minute ago. If you have stopped it, this one starts within a minute. If it runs on another machine, stop one of the two: a copy of a machine must not have the key.',
    },
    otherGame: {
      status: 409,
      message:
        'Another bridge of this site belongs to another game database. One site has one game: revoke the other bridge on the desk’s Game page if this one replaces it.',
    },
  },
})

export const stopBridge = declareEndpoint({
  method: 'POST',
  path: '/bridge/stop',
  summary: 'End the work of this agent. Another process with the same key may then start at once',
  area,
  access: 'bridge',
  output: z.object({ now: moment }),
})

export const reportUnknown = declareEndpoint({
  method: 'POST',
  path: '/bridge/unknown',
  summary: 'Report units in the game above the highest one that the site has issued, after the site was restored',
  area,
  access: 'bridge',
  input: {
    body: z.object({
      units: z
        .array(
          z.object({
            unit,
            mark: shortText(80),
            game_user_num: z.int(),
            product_num: z.int(),
            price: z.int().nonnegative(),
            claimed: z.boolean(),
          }),
        )
        .max(500),
    }),
  },
  output: z.object({ now: moment }),
})

/** A bridge's work on a unit: write its row, or remove it from the game. */
export const unitWorkSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('deliver'),
    unit,
    attempt: z.int().positive(),
    /** Identifies the unit beyond its number, in case a number is reused. */
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
    paid: z.literal(true).optional().meta({
      description: 'Delete its row even if its flag is 2 or 3, because it was paid back, or picked up before a restore',
    }),
    delivered: z.literal(true).optional().meta({
      description: 'The unit was delivered. If the agent has no record of it, an operator has to decide',
    }),
  }),
])
export type UnitWork = z.infer<typeof unitWorkSchema>

/** The state of a restore of the game's database: none, waiting for an operator, or confirmed. */
export const RESTORE_STATES = ['none', 'waits', 'confirmed'] as const

/** A unit to compare after a restore, with the site's data. */
const unitCheckSchema = z.object({ unit, refunded: z.boolean(), claimed: z.boolean().default(false) })
export type UnitCheck = z.infer<typeof unitCheckSchema>

export const takeWork = declareEndpoint({
  method: 'POST',
  path: '/bridge/work',
  summary: 'Wait for work: units to deliver and to take back. Units that were issued and not reported are issued again',
  area,
  access: 'bridge',
  input: {
    body: gameCopySchema.extend({
      wait_ms: z.int().min(0).max(BRIDGE_WAIT_MAX_MS),
      doing: z
        .array(unit)
        .max(2 * BRIDGE_UNITS_AT_ONCE)
        .default([])
        .meta({ description: 'Units that the agent is writing now, which are not issued again' }),
    }),
  },
  output: z.object({
    now: moment,
    work: z.array(unitWorkSchema),
    restore: z.enum(RESTORE_STATES),
    /** While a restore waits: units to compare. */
    look: z.array(unitCheckSchema),
    /** After the confirmation: the epoch to write into the game's database. */
    next_epoch: z.string().nullable(),
    /** Whether an operator has requested a check; true in one response only. */
    check: z.boolean(),
  }),
})

export const reportWork = declareEndpoint({
  method: 'POST',
  path: '/bridge/report',
  summary: 'Report results: units that were written, failed, taken back or not, picked up, or deleted in the game',
  area,
  access: 'bridge',
  input: {
    body: gameCopySchema.extend({
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
        .array(z.object({ unit, why: z.enum(REFUND_REFUSAL_CODES) }))
        .max(500)
        .meta({ description: 'Units that could not be taken back' }),
      flags: z
        .array(z.object({ unit, flag: z.enum(['waiting', 'claimed', 'cancelled', 'gone']) }))
        .max(500)
        .meta({ description: 'The current flags of rows in the game' }),
      looked: z
        .object({
          through: unit,
          missing: z.array(unit).max(500),
          back: z.array(unit).max(500),
          again: z.array(unit).max(500).default([]),
          twice: z.array(unit).max(500).default([]),
        })
        .nullable()
        .meta({
          description:
            'After a restore: the last compared unit, units that are missing, refunded units that are back, picked-up units that wait again, and units that may have been picked up twice',
        }),
    }),
  },
  output: z.object({ now: moment, restore: z.enum(RESTORE_STATES) }),
})

/** The number of units that are listed at once. */
export const BRIDGE_LISTED_UNITS_MAX = 1000

export const listDelivered = declareEndpoint({
  method: 'POST',
  path: '/bridge/delivered',
  summary:
    'List the delivered units that have not been picked up as far as the site knows, by number. An agent requests them when it starts',
  area,
  access: 'bridge',
  input: { body: z.object({ after: z.int().nonnegative() }) },
  output: z.object({ now: moment, units: z.array(unit) }),
})

export const reportFindings = declareEndpoint({
  method: 'POST',
  path: '/bridge/findings',
  summary: 'Report the findings of the agent’s check of the game’s databases, and the problem that stops the agent',
  area,
  access: 'bridge',
  input: {
    body: z.object({
      problem: shortText(300).nullable().meta({ description: 'null leaves the stored problem' }),
      findings: z.array(findingSchema).max(200).nullable().meta({ description: 'null leaves the stored findings' }),
    }),
  },
  output: z.object({ now: moment }),
})

export const getBridgeProducts = declareEndpoint({
  method: 'GET',
  path: '/bridge/products',
  summary: 'List the items of the shop with their product numbers, which the game must have',
  area,
  access: 'bridge',
  output: z.object({
    now: moment,
    rows: z.array(z.object({ product_num: z.int(), game_product_num: z.int(), item_name: z.string() })),
  }),
})
