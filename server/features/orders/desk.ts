import { sql } from 'kysely'
import { REFUND_UNCOUNTED_MS } from '#contract/limits.ts'
import { formatCount } from '#contract/numbers.ts'
import * as calls from '#contract/orders.ts'
import { UNITS_AT_ONCE } from '#contract/orders.ts'
import type { Db } from '#server/db/open.ts'
import { refuse } from '#server/errors.ts'
import type { AuditRecord } from '#server/http/audit.ts'
import { type Mounted, mount } from '#server/http/mount.ts'
import { selectOrder, selectOrders, selectUnitsByOrder } from './queries.ts'
import {
  findPickedUpProblem,
  forceRefunds,
  readUnits,
  redirectUnits,
  refundPickedUpUnit,
  refundStep,
  refundUnits,
  retryDeliveries,
  type Unit,
  withdrawRefunds,
} from './refund.ts'

/** The calls of the desk about orders. */
export const orderDeskCalls: Mounted[] = [
  mount(calls.getOrders, (filters, { deps }) => selectOrders(deps.browseDb, filters)),

  mount(calls.getOrder, async ({ order }, { deps }) => {
    const found = await selectOrder(deps.browseDb, order)
    if (found === undefined) throw refuse(calls.getOrder, 'orderNotFound')
    const units = await readUnits(
      deps.browseDb,
      found.units.map(({ delivery }) => delivery),
      'as they are',
    )
    const due = getDeliveries(units.filter((unit) => ['pay', 'request'].includes(refundStep(unit))))
    const pickedUp = getDeliveries(units.filter((unit) => findPickedUpProblem(unit) === undefined))
    return {
      ...found,
      units: found.units.map((unit) => ({
        ...unit,
        can_refund: due.includes(unit.delivery),
        can_refund_picked_up: pickedUp.includes(unit.delivery),
      })),
    }
  }),

  mount(calls.previewRefund, async ({ units, orders }, { deps: { db, now } }) => {
    const unitIds = [...new Set([...units.map(Number), ...(await selectUnitsByOrder(db, orders))])]
    const found = await readUnits(db, unitIds, 'as they are')
    const are = (...steps: ReturnType<typeof refundStep>[]) => found.filter((unit) => steps.includes(refundStep(unit)))
    const due = are('pay', 'request')
    return {
      units: getDeliveries(due),
      players: new Set(due.map(({ payer }) => payer)).size,
      pay: sumUnits(are('pay')),
      request: sumUnits(are('request')),
      older: sumOfOlder(due, now()),
      waiting: getDeliveries(are('isRequested')),
      refunded: are('isRefunded').length,
      final: are('isFinal').length,
      too_many: due.length > UNITS_AT_ONCE,
    }
  }),

  mount(calls.refundOrders, async ({ units, reason }, context) => {
    const { db: tx, now } = context.deps
    const locked = await readUnits(tx, units, 'locked')
    await context.spend({
      amount: sumOfOlder(locked, now()),
      kind: 'refund',
      accounts: collectAccounts(locked),
      summary: `Refund ${nameUnits(locked)}: ${nameSum(locked)}`,
      effect: { 'paid back': describeUnits(locked) },
    })
    const { paid, requested } = await refundUnits(tx, locked, { now: now(), actor: context.staff.userNum })
    context.record({
      ...describeUnitsTarget(locked),
      after: {
        ...(paid.length > 0 && { 'paid back': nameSum(paid), units: getDeliveries(paid) }),
        ...(requested.length > 0 && { 'refund requested': getDeliveries(requested) }),
      },
      reason,
    })
    const parts = [
      paid.length > 0 && `Paid back ${nameSum(paid)} for ${countUnits(paid)}.`,
      requested.length > 0 &&
        `Requested the bridge to take back ${countUnits(requested)}; ${nameSum(requested)} will be paid back once it has.`,
    ]
    return { message: parts.filter(Boolean).join(' '), paid: getDeliveries(paid), requested: getDeliveries(requested) }
  }),

  mount(calls.refundPickedUp, async ({ unit, reason }, context) => {
    const { db: tx, now } = context.deps
    const locked = await readUnits(tx, [unit], 'locked')
    // The full worth counts against the limit, even for a new purchase, because the player has the money and the item.
    await context.spend({
      amount: sumPrices(locked),
      kind: 'refund',
      accounts: collectAccounts(locked),
      summary: `Refund ${nameUnits(locked)}, which the player picked up and keeps: ${nameSum(locked)}`,
      effect: { 'paid back, the player keeps it': describeUnits(locked) },
    })
    for (const one of locked) await refundPickedUpUnit(tx, one, { now: now(), actor: context.staff.userNum })
    context.record({
      ...describeUnitsTarget(locked),
      after: { 'paid back, the player keeps it': nameSum(locked), units: getDeliveries(locked) },
      reason,
    })
    return { message: `Paid back ${nameSum(locked)}. The player keeps the item.` }
  }),

  mount(calls.forceRefund, async ({ units, reason }, context) => {
    const { db: tx, now } = context.deps
    const locked = await readUnits(tx, units, 'locked')
    await context.requireApproval({
      by: 'owner',
      accounts: collectAccounts(locked),
      summary: `Pay back ${nameSum(locked)} for ${nameUnits(locked)} without the bridge; the items may stay in the game`,
      effect: { 'paid back without the bridge': describeUnits(locked) },
    })
    await forceRefunds(tx, locked, { now: now(), actor: context.staff.userNum })
    context.record({
      ...describeUnitsTarget(locked),
      after: {
        'paid back without the bridge': nameSum(locked),
        units: getDeliveries(locked),
      },
      reason,
    })
    return { message: `Paid back ${nameSum(locked)} for ${countUnits(locked)}.` }
  }),

  mount(calls.withdrawRefund, async ({ units, reason }, context) => {
    const locked = await readUnits(context.deps.db, units, 'locked')
    await withdrawRefunds(context.deps.db, locked)
    context.record({ ...describeUnitsTarget(locked), before: { 'refund requested': getDeliveries(locked) }, reason })
    return { message: `The refund request for ${countUnits(locked)} has been withdrawn.` }
  }),

  mount(calls.redirectDelivery, async ({ units, user_id, reason }, context) => {
    const { db: tx } = context.deps
    const target = await tx
      .selectFrom('accounts')
      .where(sql`lower(user_id)`, '=', user_id.toLowerCase())
      .where('erased_at', 'is', null)
      .select(['user_num', 'user_id'])
      .executeTakeFirst()
    if (target === undefined) throw refuse(calls.redirectDelivery, 'accountNotFound')
    const locked = await readUnits(tx, units, 'locked')
    await context.spend({
      amount: await findUnitsWorth(tx, locked, context.deps.now()),
      kind: 'redirect',
      accounts: [...new Set([target.user_num, ...collectAccounts(locked)])],
      summary: `Deliver ${nameUnits(locked)} to ${target.user_id}: ${nameSum(locked)}`,
      effect: { to: { account: target.user_num, user_id: target.user_id }, units: describeUnits(locked) },
    })
    await redirectUnits(tx, locked, target.user_num)
    context.record({
      ...describeUnitsTarget(locked),
      after: { units: getDeliveries(locked), 'delivered to': target.user_id },
      reason,
    })
    return { message: `${countUnits(locked)} will go to ${target.user_id}.` }
  }),

  mount(calls.retryDelivery, async ({ units }, context) => {
    const locked = await readUnits(context.deps.db, units, 'locked')
    await retryDeliveries(context.deps.db, locked)
    context.record({
      ...describeUnitsTarget(locked),
      before: { failed: getDeliveries(locked) },
      after: { queued: getDeliveries(locked) },
    })
    return { message: `${countUnits(locked)} will be delivered again.` }
  }),
]

const getDeliveries = (units: readonly Unit[]) => units.map(({ delivery }) => delivery)
/** Lists the accounts that own units or paid for them. */
const collectAccounts = (units: readonly Unit[]) => [
  ...new Set(units.flatMap(({ user_num, payer }) => [user_num, payer])),
]
const countUnits = ({ length }: readonly Unit[]) => (length === 1 ? '1 unit' : `${length} units`)

function sumUnits(units: readonly Unit[]) {
  const sum = { units: units.length, r_coin: 0, milleage: 0 }
  for (const { currency, price } of units) sum[currency] += price
  return sum
}

/** Sums the prices of units in both currencies. */
function sumPrices(units: readonly Unit[]): number {
  const { r_coin, milleage } = sumUnits(units)
  return r_coin + milleage
}

/** Sums the prices of units that were bought over a week ago. Their refunds count against the operator's limit. */
const sumOfOlder = (units: readonly Unit[], now: Date): number =>
  sumPrices(units.filter(({ bought_at }) => now.getTime() - bought_at.getTime() > REFUND_UNCOUNTED_MS))

/** Returns the worth of units to their recipient: the price paid, or the item's usual price if that is higher. */
async function findUnitsWorth(tx: Db, units: readonly Unit[], now: Date): Promise<number> {
  const { rows } = await sql<{ delivery: number; usual: number | null }>`
    select d.delivery, u.usual from deliveries d left join shop_items i on i.product_num = d.product_num
    cross join lateral usual_price(coalesce(i.game_product_num, d.product_num), ${now}::timestamptz) u
    where d.delivery = any(${getDeliveries(units)}::bigint[])`.execute(tx)
  const usual = new Map(rows.map((row) => [row.delivery, row.usual ?? 0]))
  return units.reduce((sum, { delivery, price }) => sum + Math.max(price, usual.get(delivery) ?? 0), 0)
}

function nameSum(units: readonly Unit[]): string {
  const { r_coin, milleage } = sumUnits(units)
  const parts = [r_coin > 0 && `${formatCount(r_coin)} R-Coin`, milleage > 0 && `${formatCount(milleage)} Milleage`]
  return parts.filter(Boolean).join(' and ') || 'nothing'
}

/** Describes units, such as '3 units of juan (Salakot, order 12-3)' or '5 units of juan and another player'. */
function nameUnits(units: readonly Unit[]): string {
  const [first] = units
  const others = new Set(units.map(({ user_num }) => user_num)).size - 1
  const more = others === 1 ? ' and another player' : ` and ${others} other players`
  const [order, ...further] = collectOrders(units)
  const which = first !== undefined && further.length === 0 ? ` (${first.item_name}, order ${order})` : ''
  return `${countUnits(units)} of ${first?.user_id ?? ''}${others > 0 ? more : which}`
}

/** Describes units and their prices to the approver, without their stage, which may change before the approval. */
const describeUnits = (units: readonly Unit[]) =>
  units.map(({ delivery, user_num, user_id, ordinal, item_name, payer, price, currency }) => ({
    unit: delivery,
    order: `${user_num}-${ordinal}`,
    item: item_name,
    [currency === 'r_coin' ? 'R-Coin' : 'Milleage']: price,
    'paid by': payer,
    account: user_num,
    user_id,
  }))

const collectOrders = (units: readonly Unit[]) => [
  ...new Set(units.map(({ user_num, ordinal }) => `${user_num}-${ordinal}`)),
]

/** Returns the audit target of units: an order, or several; the account if they are one account's. */
function describeUnitsTarget(units: readonly Unit[]): Pick<AuditRecord, 'target' | 'player'> {
  const orders = collectOrders(units)
  const [player, ...others] = new Set(units.map(({ user_num }) => user_num))
  return {
    target: orders.length === 1 ? ['order', orders[0] ?? ''] : ['orders', orders.join(' ').slice(0, 200)],
    ...(player !== undefined && others.length === 0 && { player }),
  }
}
