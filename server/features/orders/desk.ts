import { sql } from 'kysely'
import { COUNTED_REFUND_AGE_MS } from '#contract/limits.ts'
import { formatCount } from '#contract/numbers.ts'
import * as calls from '#contract/orders.ts'
import { UNITS_AT_ONCE } from '#contract/orders.ts'
import type { Db } from '#server/db/open.ts'
import { refuse } from '#server/errors.ts'
import type { AuditRecord } from '#server/http/audit.ts'
import { type MountedCall, mount } from '#server/http/mount.ts'
import { selectOrder, selectOrders, selectUnitsByOrder } from './queries.ts'
import {
  findPickedUpProblem,
  findRefundStep,
  forceRefunds,
  readUnits,
  redirectUnits,
  refundPickedUpUnit,
  refundUnits,
  retryDeliveries,
  type Unit,
  withdrawRefunds,
} from './refund.ts'

/** The calls of the desk about orders. */
export const orderDeskCalls: MountedCall[] = [
  mount(calls.getOrders, (filters, { deps }) => selectOrders(deps.browseDb, filters)),

  mount(calls.getOrder, async ({ order: number }, { deps }) => {
    const order = await selectOrder(deps.browseDb, number)
    if (order === undefined) throw refuse(calls.getOrder, 'orderNotFound')
    const units = await readUnits(
      deps.browseDb,
      order.units.map(({ delivery }) => delivery),
      'as they are',
    )
    const refundableUnits = getDeliveries(units.filter((unit) => ['pay', 'request'].includes(findRefundStep(unit))))
    const pickedUpUnits = getDeliveries(units.filter((unit) => findPickedUpProblem(unit) === undefined))
    return {
      ...order,
      units: order.units.map((unit) => ({
        ...unit,
        can_refund: refundableUnits.includes(unit.delivery),
        can_refund_picked_up: pickedUpUnits.includes(unit.delivery),
      })),
    }
  }),

  mount(calls.previewRefund, async ({ units, orders }, { deps: { db, now } }) => {
    const unitIds = [...new Set([...units.map(Number), ...(await selectUnitsByOrder(db, orders))])]
    const foundUnits = await readUnits(db, unitIds, 'as they are')
    const selectBySteps = (...steps: ReturnType<typeof findRefundStep>[]) =>
      foundUnits.filter((unit) => steps.includes(findRefundStep(unit)))
    const refundableUnits = selectBySteps('pay', 'request')
    return {
      units: getDeliveries(refundableUnits),
      players: new Set(refundableUnits.map(({ payer }) => payer)).size,
      pay: sumUnits(selectBySteps('pay')),
      request: sumUnits(selectBySteps('request')),
      older: sumOldPrices(refundableUnits, now()),
      waiting: getDeliveries(selectBySteps('isRequested')),
      refunded: selectBySteps('isRefunded').length,
      final: selectBySteps('isFinal').length,
      too_many: refundableUnits.length > UNITS_AT_ONCE,
    }
  }),

  mount(calls.refundOrders, async ({ units, reason }, context) => {
    const { db: tx, now } = context.deps
    const lockedUnits = await readUnits(tx, units, 'locked')
    await context.consumePayout({
      amount: sumOldPrices(lockedUnits, now()),
      kind: 'refund',
      accounts: collectAccounts(lockedUnits),
      summary: `Refund ${describeUnits(lockedUnits)}: ${formatSum(lockedUnits)}`,
      effect: { 'paid back': toApprovalUnits(lockedUnits) },
    })
    const { paid, requested } = await refundUnits(tx, lockedUnits, { now: now(), actor: context.staff.userNum })
    context.record({
      ...describeUnitsTarget(lockedUnits),
      after: {
        ...(paid.length > 0 && { 'paid back': formatSum(paid), units: getDeliveries(paid) }),
        ...(requested.length > 0 && { 'refund requested': getDeliveries(requested) }),
      },
      reason,
    })
    const sentences = [
      paid.length > 0 && `Paid back ${formatSum(paid)} for ${countUnits(paid)}.`,
      requested.length > 0 &&
        `Requested the bridge to take back ${countUnits(requested)}; ${formatSum(requested)} will be paid back once it has.`,
    ]
    return {
      message: sentences.filter(Boolean).join(' '),
      paid: getDeliveries(paid),
      requested: getDeliveries(requested),
    }
  }),

  mount(calls.refundPickedUp, async ({ unit, reason }, context) => {
    const { db: tx, now } = context.deps
    const lockedUnits = await readUnits(tx, [unit], 'locked')
    // The full worth counts against the limit, even for a new purchase, because the player has the money and the item.
    await context.consumePayout({
      amount: sumPrices(lockedUnits),
      kind: 'refund',
      accounts: collectAccounts(lockedUnits),
      summary: `Refund ${describeUnits(lockedUnits)}, which the player picked up and keeps: ${formatSum(lockedUnits)}`,
      effect: { 'paid back, the player keeps it': toApprovalUnits(lockedUnits) },
    })
    for (const unit of lockedUnits) await refundPickedUpUnit(tx, unit, { now: now(), actor: context.staff.userNum })
    context.record({
      ...describeUnitsTarget(lockedUnits),
      after: { 'paid back, the player keeps it': formatSum(lockedUnits), units: getDeliveries(lockedUnits) },
      reason,
    })
    return { message: `Paid back ${formatSum(lockedUnits)}. The player keeps the item.` }
  }),

  mount(calls.forceRefund, async ({ units, reason }, context) => {
    const { db: tx, now } = context.deps
    const lockedUnits = await readUnits(tx, units, 'locked')
    await context.requireApproval({
      approverKind: 'owner',
      accounts: collectAccounts(lockedUnits),
      summary: `Pay back ${formatSum(lockedUnits)} for ${describeUnits(lockedUnits)} without the bridge; the items may stay in the game`,
      effect: { 'paid back without the bridge': toApprovalUnits(lockedUnits) },
    })
    await forceRefunds(tx, lockedUnits, { now: now(), actor: context.staff.userNum })
    context.record({
      ...describeUnitsTarget(lockedUnits),
      after: {
        'paid back without the bridge': formatSum(lockedUnits),
        units: getDeliveries(lockedUnits),
      },
      reason,
    })
    return { message: `Paid back ${formatSum(lockedUnits)} for ${countUnits(lockedUnits)}.` }
  }),

  mount(calls.withdrawRefund, async ({ units, reason }, context) => {
    const lockedUnits = await readUnits(context.deps.db, units, 'locked')
    await withdrawRefunds(context.deps.db, lockedUnits)
    context.record({
      ...describeUnitsTarget(lockedUnits),
      before: { 'refund requested': getDeliveries(lockedUnits) },
      reason,
    })
    return { message: `The refund request for ${countUnits(lockedUnits)} has been withdrawn.` }
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
    const lockedUnits = await readUnits(tx, units, 'locked')
    await context.consumePayout({
      amount: await findUnitsWorth(tx, lockedUnits, context.deps.now()),
      kind: 'redirect',
      accounts: [...new Set([target.user_num, ...collectAccounts(lockedUnits)])],
      summary: `Deliver ${describeUnits(lockedUnits)} to ${target.user_id}: ${formatSum(lockedUnits)}`,
      effect: { to: { account: target.user_num, user_id: target.user_id }, units: toApprovalUnits(lockedUnits) },
    })
    await redirectUnits(tx, lockedUnits, target.user_num)
    context.record({
      ...describeUnitsTarget(lockedUnits),
      after: { units: getDeliveries(lockedUnits), 'delivered to': target.user_id },
      reason,
    })
    return { message: `${countUnits(lockedUnits)} will go to ${target.user_id}.` }
  }),

  mount(calls.retryDelivery, async ({ units }, context) => {
    const lockedUnits = await readUnits(context.deps.db, units, 'locked')
    await retryDeliveries(context.deps.db, lockedUnits)
    context.record({
      ...describeUnitsTarget(lockedUnits),
      before: { failed: getDeliveries(lockedUnits) },
      after: { queued: getDeliveries(lockedUnits) },
    })
    return { message: `${countUnits(lockedUnits)} will be delivered again.` }
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
const sumOldPrices = (units: readonly Unit[], now: Date): number =>
  sumPrices(units.filter(({ bought_at }) => now.getTime() - bought_at.getTime() > COUNTED_REFUND_AGE_MS))

/** Returns the worth of units to their recipient: the price paid, or the item's usual price if that is higher. */
async function findUnitsWorth(tx: Db, units: readonly Unit[], now: Date): Promise<number> {
  const { rows } = await sql<{ delivery: number; usual: number | null }>`
    select d.delivery, u.usual from deliveries d left join shop_items i on i.product_num = d.product_num
    cross join lateral usual_price(coalesce(i.game_product_num, d.product_num), ${now}::timestamptz) u
    where d.delivery = any(${getDeliveries(units)}::bigint[])`.execute(tx)
  const usualPrices = new Map(rows.map((row) => [row.delivery, row.usual ?? 0]))
  return units.reduce((sum, { delivery, price }) => sum + Math.max(price, usualPrices.get(delivery) ?? 0), 0)
}

function formatSum(units: readonly Unit[]): string {
  const { r_coin, milleage } = sumUnits(units)
  const parts = [r_coin > 0 && `${formatCount(r_coin)} R-Coin`, milleage > 0 && `${formatCount(milleage)} Milleage`]
  return parts.filter(Boolean).join(' and ') || 'nothing'
}

/** Describes units, such as '3 units of juan (Salakot, order 12-3)' or '5 units of juan and another player'. */
function describeUnits(units: readonly Unit[]): string {
  const [firstUnit] = units
  const otherCount = new Set(units.map(({ user_num }) => user_num)).size - 1
  const otherPlayers = otherCount === 1 ? ' and another player' : ` and ${otherCount} other players`
  const [order, ...otherOrders] = collectOrders(units)
  const details = firstUnit !== undefined && otherOrders.length === 0 ? ` (${firstUnit.item_name}, order ${order})` : ''
  return `${countUnits(units)} of ${firstUnit?.user_id ?? ''}${otherCount > 0 ? otherPlayers : details}`
}

/** Describes units and their prices to the approver, without their stage, which may change before the approval. */
const toApprovalUnits = (units: readonly Unit[]) =>
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
