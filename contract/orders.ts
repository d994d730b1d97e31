import { z } from 'zod'
import * as f from 'zod/mini'
import { UNIT_ODDITIES, type UnitOddity } from './bridge.ts'
import { describeFields } from './describe-fields.ts'
import { choiceFilter, dayFilter, declareDeskCalls, textFilter } from './desk.ts'
import { messageSchema } from './errors.ts'
import { reasonField } from './fields.ts'
import { count, moment } from './scalars.ts'

const desk = declareDeskCalls('orders', { read: 'orders.read', write: 'orders.refund' })

/** The maximum number of units per call. */
export const UNITS_AT_ONCE = 500
const UNITS_RULE = `Choose 1 to ${UNITS_AT_ONCE} units.`

export const unitsField = f
  .array(f.int(UNITS_RULE), UNITS_RULE)
  .check(f.minLength(1, UNITS_RULE), f.maxLength(UNITS_AT_ONCE, UNITS_RULE))

export const refundForm = f.object({ units: unitsField, reason: reasonField })

/** A single unit, because an operator must check each item that a player has already picked up. */
export const pickedUpRefundForm = f.object({ unit: f.int('Choose a unit.').check(f.positive()), reason: reasonField })

export const redirectForm = f.object({
  units: unitsField,
  user_id: f
    .string()
    .check(
      f.trim(),
      f.minLength(1, 'Enter the user ID of the other account.'),
      f.maxLength(40, 'A user ID has at most 40 characters.'),
    ),
  reason: reasonField,
})

export const redirectFields = describeFields(redirectForm, {
  user_id: { label: 'User ID of the other account', kind: 'id' },
})

export const retryForm = f.object({ units: unitsField })

/**
 * The stages of a unit, finer than the states of BUY-5: not yet issued to a bridge, issued, failed, waiting for the
 * bridge to take it back, lost in a restore of the game's database, in the item bank, picked up, refunded.
 */
export const UNIT_STAGES = [
  'waiting',
  'handed',
  'failed',
  'refund_requested',
  'lost',
  'delivered',
  'claimed',
  'refunded',
] as const
export type UnitStage = (typeof UNIT_STAGES)[number]

/** The stages in the order in which operators handle them, most urgent first. */
export const URGENT_STAGES = [
  'failed',
  'lost',
  'refund_requested',
  'waiting',
  'handed',
  'delivered',
  'claimed',
  'refunded',
] as const satisfies readonly UnitStage[]

const stage = z.enum(UNIT_STAGES)
const currency = z.enum(['r_coin', 'milleage'])

/** The states of a gift between players. In the states after `claimed`, the buyer was refunded. */
const GIFT_STATES = ['open', 'claimed', 'refused', 'unclaimed', 'blocked'] as const
export type GiftState = (typeof GIFT_STATES)[number]

const orderRow = z
  .object({
    order: z.string().meta({ description: 'The account’s number and the purchase’s number within it, such as 12-3' }),
    user_num: z.int(),
    user_id: z.string(),
    product_num: z.int(),
    item_name: z.string(),
    quantity: count,
    currency,
    price: z.int().meta({ description: 'The price paid for each unit' }),
    total: z.int(),
    bought_at: moment,
    gift: z
      .enum(GIFT_STATES)
      .nullable()
      .meta({ description: 'The state of a gift to another player, whose order has no units; null for other orders' }),
    waiting: count,
    handed: count,
    failed: count,
    refund_requested: count,
    lost: count,
    delivered: count,
    claimed: count,
    refunded: count,
    again: z.array(z.int()).meta({ description: 'The failed and lost units, which can be delivered again' }),
  })
  .meta({ id: 'DeskOrder' })

/** The sort keys of orders other than the time. */
export const ORDER_SORT_KEYS = ['order', 'player', 'item', 'state', 'total'] as const

/** A list with another sort key than the time contains only this many of the newest orders. */
export const SORTED_ORDERS_MAX = 10_000

export const getOrders = desk.list('/admin/orders', {
  summary: 'Orders, newest first. Other sort keys sort only the newest 10,000 orders',
  sorts: ['-bought_at', ...ORDER_SORT_KEYS.flatMap((key) => [key, `-${key}`] as const), 'bought_at'],
  filters: {
    player: textFilter.meta({ description: 'A user ID or an account’s number' }),
    item: textFilter.meta({ description: 'An item’s number, or a part of its name' }),
    stage: choiceFilter([...UNIT_STAGES, 'odd']).meta({
      description:
        'Orders with at least one unit in this stage; odd: with a unit whose row in the game is inconsistent',
    }),
    from: dayFilter,
    until: dayFilter,
  },
  row: orderRow,
})

const orderNumber = z.string().regex(/^\d{1,15}-\d{1,15}$/, 'An order has a number such as 12-3.')

const unitSchema = z.object({
  delivery: z.int(),
  unit: z.int(),
  stage,
  queued_at: moment,
  handed_at: moment.nullable(),
  delivered_at: moment.nullable(),
  claimed_at: moment.nullable(),
  failed_at: moment.nullable(),
  failure: z.string(),
  retry_at: moment.nullable(),
  to: z.string().nullable().meta({
    description: 'The user ID of the account that gets it instead of the owner of the order; null for the owner',
  }),
  waits_for_account: z.boolean().meta({ description: 'Whether the player has no account in the game yet' }),
  pur_key: z
    .string()
    .nullable()
    .meta({ description: 'The number of its row in the game’s item bank; null before the delivery' }),
  in_game: z.enum(['', ...Object.keys(UNIT_ODDITIES)] as ['', ...UnitOddity[]]),
  refund_refused: z.string(),
  refund_requested_at: moment.nullable(),
  refunded_at: moment.nullable(),
  can_refund: z.boolean().meta({ description: 'Whether `refundOrders` would pay it back or request its refund now' }),
  can_refund_picked_up: z
    .boolean()
    .meta({ description: 'Whether its price can be paid back although the player picked it up' }),
})

const entrySchema = z.object({
  entry: z.int(),
  at: moment,
  currency,
  delta: z.int(),
  balance_after: z.int(),
  reason: z.string(),
  reference: z.string(),
  actor: z.string().nullable(),
})

export const getOrder = desk.read('/admin/orders/{order}', {
  summary: 'One order: its units, its entries in the ledger, and the orders of the same purchase',
  input: { params: z.object({ order: orderNumber }) },
  output: z.object({
    order: orderRow,
    units: z.array(unitSchema),
    entries: z.array(entrySchema),
    together: z.array(z.object({ order: z.string(), item_name: z.string(), quantity: count })),
    gift: z
      .object({
        way: z.enum(['sent', 'got']),
        user_num: z.int().nullable(),
        user_id: z.string().nullable().meta({ description: 'The other player; null for a gift from the team' }),
        ended_at: moment.nullable().meta({ description: 'When it was claimed, or went back to the buyer' }),
        order: z
          .string()
          .nullable()
          .meta({ description: 'The other player’s order, which has the units or the payment' }),
      })
      .nullable()
      .meta({ description: 'Null unless the order is a gift, sent or received' }),
  }),
  errors: { orderNotFound: { status: 404, message: 'There is no such order.' } },
})

const sum = z.object({ units: count, r_coin: z.int(), milleage: z.int() })
const listParam = (item: RegExp, rule: string) =>
  z
    .string()
    .default('')
    .transform((text) => text.split(',').filter((entry) => entry !== ''))
    .pipe(z.array(z.string().regex(item, rule)).max(UNITS_AT_ONCE, `At most ${UNITS_AT_ONCE} at once.`))

export const previewRefund = desk.read('/admin/refund-preview', {
  summary: 'What a refund of these units, or of all units of these orders, would do now',
  input: {
    query: z.object({
      units: listParam(/^\d{1,15}$/, 'A unit has a number.'),
      orders: listParam(/^\d{1,15}-\d{1,15}$/, 'An order has a number such as 12-3.'),
    }),
  },
  output: z.object({
    units: z
      .array(z.int())
      .meta({ description: 'The units that would be refunded, at once or after the bridge has removed them' }),
    players: count,
    pay: sum.meta({ description: 'Paid back at once' }),
    request: sum.meta({ description: 'Paid back after the bridge has removed the units from the game' }),
    older: z.int().meta({ description: 'The amount for purchases older than 7 days, which counts against your limit' }),
    waiting: z.array(z.int()).meta({ description: 'Units whose refund waits for the bridge' }),
    refunded: count,
    final: count.meta({
      description:
        'Units that cannot be refunded: gifts from the team, units picked up in the game, and draws from capsules that can still be delivered',
    }),
    too_many: z.boolean().meta({ description: 'Whether the request has more units than one refund allows' }),
  }),
})

export const refundOrders = desk.write('/admin/orders/refund', {
  title: 'Refund orders',
  summary: 'Refund units, all or none; a unit that may be in the game waits for the bridge',
  sudo: true,
  approvable: true,
  fields: refundForm,
  output: messageSchema.extend({ paid: z.array(z.int()), requested: z.array(z.int()) }),
})

export const refundPickedUp = desk.write('/admin/orders/refund-picked-up', {
  title: 'Refund picked-up unit',
  summary: 'Pay back a unit that its player picked up in the game; the player keeps it',
  sudo: true,
  approvable: true,
  fields: pickedUpRefundForm,
  errors: {
    alreadyRefunded: { status: 409, message: 'This unit has already been refunded. Nothing was changed.' },
    notPickedUp: {
      status: 409,
      message: 'This unit was not picked up in the game. Use Refund for it. Nothing was changed.',
    },
    restored: {
      status: 409,
      message:
        'A restore of the game’s database has put this unit back into the item bank. Confirm the restore on the page Game first. Nothing was changed.',
    },
    noPrice: {
      status: 409,
      message: 'Nothing was paid for this unit: it was a gift from the team or a reward. Nothing was changed.',
    },
    final: { status: 409, message: 'A draw from a capsule is final once it was picked up. Nothing was changed.' },
    service: {
      status: 409,
      message: 'Undo a completed service on the page Services; then its order can be refunded. Nothing was changed.',
    },
  },
})

export const forceRefund = desk.write('/admin/orders/force-refund', {
  title: 'Refund without the bridge',
  summary:
    'Pay back units without waiting for the bridge any longer; the items may stay in the game. Another owner, if there is one, has to approve it',
  sudo: true,
  approvable: true,
  fields: refundForm,
})

export const withdrawRefund = desk.write('/admin/orders/withdraw-refund', {
  title: 'Withdraw refund request',
  summary: 'Withdraw refund requests before the bridge begins to remove the units from the game',
  fields: refundForm,
})

export const redirectDelivery = desk.write('/admin/orders/redirect', {
  title: 'Redirect delivery',
  summary: 'Deliver waiting or failed units to another account; services cannot be redirected',
  sudo: true,
  approvable: true,
  fields: redirectForm,
  errors: { accountNotFound: { status: 422, message: 'There is no account with this user ID.', field: 'user_id' } },
})

export const retryDelivery = desk.write('/admin/orders/retry', {
  title: 'Retry delivery',
  summary: 'Deliver failed units again, or units that were lost in a restore of the game’s database',
  access: 'orders.retry',
  fields: retryForm,
  errors: {
    notAgain: {
      status: 409,
      message: 'Only units whose delivery failed, or that are lost, can be delivered again. Nothing was changed.',
    },
    notConfirmed: {
      status: 409,
      message: 'Confirm on the page Game first that the game was restored. Nothing was changed.',
    },
    busy: {
      status: 409,
      message:
        'The character of one of these services waits for another service. Try again when that one is done. Nothing was changed.',
    },
  },
})
