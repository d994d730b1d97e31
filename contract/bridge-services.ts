import { z } from 'zod'
import { BRIDGE_WAIT_MAX_MS, gameCopy, RESTORE_STATES, shortText } from './bridge.ts'
import { endpoint } from './endpoint.ts'
import { moment } from './scalars.ts'
import { CHOICE_MAX, gameValues, SERVICE_REASONS, type ServiceReason } from './services.ts'

const area = 'bridge'
const order = z.int().positive()
/** Identifies the order beyond its number, in case a number is reused. */
const mark = shortText(80)

/** The maximum number of orders per request for work, and per check after a restore. */
export const BRIDGE_SERVICES_AT_ONCE = 50
const LISTED = 500

/** The work on a character of the game. */
export const serviceWorkSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('do'),
    order,
    mark,
    service: shortText(30),
    game_user_num: z.int(),
    cha_num: z.int().nonnegative(),
    choice: shortText(CHOICE_MAX),
    was: shortText(60).meta({
      description: 'What the player was shown that it changes; empty where the site does not know',
    }),
    undo: z
      .object({ order, before: gameValues, after: gameValues })
      .nullable()
      .meta({ description: 'The order that this one undoes, and what that one has changed' }),
  }),
  z.object({ kind: z.literal('cancel'), order, mark }),
])
export type ServiceWork = z.infer<typeof serviceWorkSchema>

export const wantServices = endpoint({
  method: 'GET',
  path: '/bridge/services/wanted',
  summary: 'Whether the site sells services: then the agent needs its table next to the game’s characters',
  area,
  access: 'bridge',
  output: z.object({ now: moment, wanted: z.boolean() }),
})

export const takeServiceWork = endpoint({
  method: 'POST',
  path: '/bridge/services/work',
  summary: 'Wait for services to do and to cancel. Orders that were issued and not reported are issued again',
  area,
  access: 'bridge',
  input: { body: z.object({ wait_ms: z.int().min(0).max(BRIDGE_WAIT_MAX_MS), copy: gameCopy }) },
  output: z.object({
    now: moment,
    work: z.array(serviceWorkSchema),
    restore: z.enum(RESTORE_STATES),
    look: z
      .array(
        z.object({
          order,
          mark,
          service: shortText(30),
          game_user_num: z.int(),
          cha_num: z.int().nonnegative(),
          before: gameValues,
          after: gameValues,
          refunded: z.boolean().meta({ description: 'It was done, and its money went back' }),
        }),
      )
      .meta({ description: 'After a restore: orders that were done, with what they have changed' }),
    next_epoch: z.string().nullable(),
  }),
})

const reasons = Object.keys(SERVICE_REASONS) as [ServiceReason, ...ServiceReason[]]
const detail = shortText(300)

export const reportServices = endpoint({
  method: 'POST',
  path: '/bridge/services/report',
  summary: 'What became of services. Every part can be sent again',
  area,
  access: 'bridge',
  input: {
    body: z.object({
      copy: gameCopy,
      done: z.array(z.object({ order, before: gameValues, after: gameValues })).max(LISTED),
      online: z.array(order).max(LISTED).meta({ description: 'Those whose characters are online' }),
      refused: z
        .array(z.object({ order, reason: z.enum(reasons), detail }))
        .max(LISTED)
        .meta({ description: 'Those that are never done: the agent has noted it' }),
      failed: z
        .array(z.object({ order, detail }))
        .max(LISTED)
        .meta({ description: 'What the game’s database refused for now' }),
      cancelled: z.array(order).max(LISTED),
      again: z.array(order).max(LISTED).meta({ description: 'Those that the game had undone, done once more' }),
      settled: z.array(order).max(LISTED).meta({ description: 'Those that are not looked at again' }),
      looked: z
        .object({
          through: order,
          missing: z.array(order).max(LISTED),
          back: z.array(order).max(LISTED).meta({ description: 'Refunded ones whose change the character has again' }),
        })
        .nullable(),
    }),
  },
  output: z.object({ now: moment }),
})
