import { z } from 'zod'
import { BRIDGE_WAIT_MAX_MS, gameCopySchema, RESTORE_STATES, shortText } from './bridge.ts'
import { declareEndpoint } from './endpoint.ts'
import { moment } from './scalars.ts'
import { CHOICE_MAX, gameValuesSchema, SERVICE_REASONS, type ServiceReason } from './services.ts'

const area = 'bridge'
const order = z.int().positive()
/** Identifies the order beyond its number, in case a number is reused. */
const mark = shortText(80)

/** The maximum number of orders per request for work. */
export const BRIDGE_SERVICES_AT_ONCE = 50
const REPORTED_ORDERS_MAX = 500

/** A service to perform on a character of the game, or to cancel. */
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
      description: 'The value before the change, as the player saw it; empty if the site does not know it',
    }),
    undo: z
      .object({ order, before: gameValuesSchema, after: gameValuesSchema })
      .nullable()
      .meta({ description: 'The order to undo, and the character’s values before and after it' }),
  }),
  z.object({ kind: z.literal('cancel'), order, mark }),
])
export type ServiceWork = z.infer<typeof serviceWorkSchema>

export const checkServicesUsed = declareEndpoint({
  method: 'GET',
  path: '/bridge/services/wanted',
  summary:
    'Whether the site sells services or has unfinished ones. If so, the agent needs a table of its own next to the tables of the game’s characters',
  area,
  access: 'bridge',
  output: z.object({ now: moment, wanted: z.boolean() }),
})

export const takeServiceWork = declareEndpoint({
  method: 'POST',
  path: '/bridge/services/work',
  summary: 'Wait for services to perform or cancel. Orders without a report are issued again',
  area,
  access: 'bridge',
  input: { body: z.object({ wait_ms: z.int().min(0).max(BRIDGE_WAIT_MAX_MS), copy: gameCopySchema }) },
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
          before: gameValuesSchema,
          after: gameValuesSchema,
          refunded: z.boolean().meta({ description: 'Whether the order was refunded' }),
        }),
      )
      .meta({
        description:
          'After a restore: completed orders, and refunded orders that may be in effect again, with the values before and after each',
      }),
    next_epoch: z.string().nullable(),
  }),
})

const reasons = Object.keys(SERVICE_REASONS) as [ServiceReason, ...ServiceReason[]]
const detail = shortText(300)

export const reportServices = declareEndpoint({
  method: 'POST',
  path: '/bridge/services/report',
  summary: 'Report the results of services. A repeated report changes nothing',
  area,
  access: 'bridge',
  input: {
    body: z.object({
      copy: gameCopySchema,
      done: z.array(z.object({ order, before: gameValuesSchema, after: gameValuesSchema })).max(REPORTED_ORDERS_MAX),
      online: z.array(order).max(REPORTED_ORDERS_MAX).meta({ description: 'Orders whose characters are online' }),
      refused: z
        .array(z.object({ order, reason: z.enum(reasons), detail }))
        .max(REPORTED_ORDERS_MAX)
        .meta({ description: 'Orders that the agent has refused permanently' }),
      failed: z
        .array(z.object({ order, detail }))
        .max(REPORTED_ORDERS_MAX)
        .meta({ description: 'Orders that the game’s database refused and that can be retried' }),
      cancelled: z.array(order).max(REPORTED_ORDERS_MAX),
      again: z
        .array(order)
        .max(REPORTED_ORDERS_MAX)
        .meta({ description: 'Orders that a restore of the game had undone and that the agent has performed again' }),
      settled: z
        .array(order)
        .max(REPORTED_ORDERS_MAX)
        .meta({ description: 'Orders that the agent does not check again' }),
      looked: z
        .object({
          through: order.meta({ description: 'The last order that was checked' }),
          missing: z
            .array(order)
            .max(REPORTED_ORDERS_MAX)
            .meta({ description: 'Completed orders that the game no longer has' }),
          back: z
            .array(order)
            .max(REPORTED_ORDERS_MAX)
            .meta({ description: 'Refunded orders whose change is in the character again' }),
        })
        .nullable()
        .meta({ description: 'After a restore: the results of the check' }),
    }),
  },
  output: z.object({ now: moment }),
})
