import { sql } from 'kysely'
import type { UnitOddity } from '#contract/bridge.ts'
import { R_COIN_SECTION } from '#contract/limits.ts'
import { refundPickedUp, retryDelivery } from '#contract/orders.ts'
import { formatItemName } from '#contract/services.ts'
import type { Db } from '#server/db/open.ts'
import { Refusal, refuse, refuseViolations } from '#server/errors.ts'
import { formatAmounts, sendLetter } from '#server/features/mailbox/letters.ts'
import { buildPaymentsFrom } from '#server/features/wallet/book.ts'
import { selectCurrencyNames } from '#server/settings.ts'

/**
 * The facts about a unit that its refund depends on. `price` is the paid amount, and `payer` the account that paid; for a
 * gift, the player who bought it. A unit that staff gave has no price.
 */
export type Unit = {
  delivery: number
  user_num: number
  user_id: string
  ordinal: number
  unit: number
  item_name: string
  gift: number | null
  /** The service of the unit, if it is one. */
  service: string | null
  /** Whether it is a service without a price. It can be cancelled, and no balance changes. */
  is_free: boolean
  /** Whether it was drawn from a capsule. */
  is_draw: boolean
  is_service: boolean
  /** Whether it is a service that staff have undone, and that can be refunded. */
  is_undone: boolean
  payer: number
  price: number
  currency: 'r_coin' | 'milleage'
  bought_at: Date
  state: 'queued' | 'delivered' | 'claimed' | 'refunded'
  /** When the price was refunded. A unit that was picked up before stays 'claimed'. */
  refunded_at: Date | null
  handed_at: Date | null
  failed_at: Date | null
  refund_requested_at: Date | null
  cancel_handed_at: Date | null
  in_game: UnitOddity | ''
}

/** Returns whether the player has picked a unit up in the game, and no restore of the game's database has lost it. */
export const isPickedUp = ({ state, in_game }: Unit) => state === 'claimed' && in_game !== 'lost'

/** Returns whether the price of a unit was refunded, before or after it was picked up. */
const isPaidBack = ({ state, refunded_at }: Unit) => state === 'refunded' || refunded_at !== null

/**
 * Returns the next step of a unit's refund: pay it back, request its removal from the game first, or none. Only a unit that was
 * never issued to a bridge is certainly not in the game. A unit that staff gave, a picked-up unit, and a prize of a capsule
 * that can be delivered are final.
 */
export function findRefundStep(unit: Unit): 'pay' | 'request' | 'isRequested' | 'isRefunded' | 'isFinal' {
  if (isPaidBack(unit)) return 'isRefunded'
  if (unit.refund_requested_at !== null) return 'isRequested'
  if (unit.is_undone) return 'pay'
  if ((unit.price === 0 && !unit.is_free) || isPickedUp(unit)) return 'isFinal'
  if (unit.is_draw && unit.failed_at === null && unit.in_game !== 'lost') return 'isFinal'
  return unit.state === 'queued' && unit.handed_at === null ? 'pay' : 'request'
}

/** Joins the purchase `own` of a unit `d`, and the purchase `paid` that paid for it; for a gift, that of its buyer. */
const JOIN_PAYMENT = sql`
  join purchases own on own.user_num = d.user_num and own.ordinal = d.ordinal
  left join letter_gifts g on g.letter = own.gift
  join purchases paid on paid.user_num = coalesce(g.buyer, own.user_num)
    and paid.ordinal = coalesce(g.bought_ordinal, own.ordinal)`

/**
 * Reads units by their delivery numbers, in the order of the numbers.
 *
 * @param lock 'locked' locks the accounts and then the units until the end of the transaction, each in the order of their
 *   numbers, which prevents deadlocks between two operators
 * @throws Refusal 404 if a unit does not exist
 */
export async function readUnits(
  tx: Db,
  deliveries: readonly number[],
  lock: 'locked' | 'as they are',
): Promise<Unit[]> {
  const unitIds = [...new Set(deliveries)]
  if (lock === 'locked') {
    await sql`
      select from accounts where user_num in (
        select d.user_num from deliveries d where d.delivery = any(${unitIds}::bigint[])
        union all
        select g.buyer from deliveries d
        join purchases p on p.user_num = d.user_num and p.ordinal = d.ordinal
        join letter_gifts g on g.letter = p.gift
        where d.delivery = any(${unitIds}::bigint[]))
      order by user_num for no key update`.execute(tx)
    await sql`select from deliveries where delivery = any(${unitIds}::bigint[]) order by delivery for update`.execute(
      tx,
    )
  }
  const { rows } = await sql<Unit>`
    select d.delivery, d.user_num, a.user_id, d.ordinal, d.unit, own.item_name, own.gift, own.free_service is not null as is_free,
      (select o.service from service_orders o where o.delivery = d.delivery) as service, paid.user_num as payer,
      exists (select from capsule_draws c where c.user_num = d.user_num and c.ordinal = d.ordinal) as is_draw, d.is_service,
      exists (select from service_orders o join service_orders u on u.undo_of = o.service_order and u.state = 'done'
        where d.is_service and o.delivery = d.delivery) as is_undone, paid.price,
      paid.created_at as bought_at, case when paid.section = ${R_COIN_SECTION} then 'r_coin' else 'milleage' end as currency,
      d.state, d.refunded_at, d.handed_at, d.failed_at, d.refund_requested_at, d.cancel_handed_at, d.in_game
    from deliveries d
    ${JOIN_PAYMENT}
    join accounts a on a.user_num = d.user_num
    where d.delivery = any(${unitIds}::bigint[])
    order by d.delivery`.execute(tx)
  if (rows.length !== unitIds.length) throw new Refusal(404, 'no-unit', 'One of these units does not exist.')
  return rows
}

/** The time of a refund, and the operator; null for the bridge. */
type RefundActor = { now: Date; actor: number | null }

/**
 * Refunds units, all or none. Pays back at once units that cannot be in the game; other refunds wait for the bridge. Call
 * this in a transaction that has locked the units.
 *
 * @throws Refusal 409, without a change, if a unit is claimed, refunded or about to be refunded
 */
export async function refundUnits(
  tx: Db,
  units: readonly Unit[],
  context: RefundActor,
): Promise<{ paid: Unit[]; requested: Unit[] }> {
  const refundedUnits = units.filter((unit) => ['isRefunded', 'isRequested'].includes(findRefundStep(unit)))
  if (refundedUnits.length > 0) {
    const subject = refundedUnits.length === 1 ? 'This unit has' : `${refundedUnits.length} of these units have`
    throw new Refusal(
      409,
      'refunded',
      `${subject} already been refunded, or a refund is on its way. Nothing was changed.`,
    )
  }
  if (units.some((unit) => findRefundStep(unit) === 'isFinal'))
    throw new Refusal(
      409,
      'final',
      'One of these units is final: it was a gift from the team, its player has claimed it in the game, or it is a draw from a capsule that can still be delivered. Nothing was changed.',
    )
  const paidUnits = units.filter((unit) => findRefundStep(unit) === 'pay')
  const requestedUnits = units.filter((unit) => findRefundStep(unit) === 'request')
  await cancelAndPayBack(tx, paidUnits, context)
  if (requestedUnits.length > 0)
    await tx
      .updateTable('deliveries')
      .set({ refund_requested_at: context.now, refund_refused: '' })
      .where('delivery', 'in', getDeliveries(requestedUnits))
      .execute()
  return { paid: paidUnits, requested: requestedUnits }
}

/**
 * Pays back units whose refund waited for the bridge, after the bridge has removed them. Call this in a transaction that has
 * locked the units.
 *
 * @throws Refusal 409 if a unit does not wait for its refund
 */
export async function completeRefunds(tx: Db, units: readonly Unit[], context: RefundActor): Promise<void> {
  requireRequested(units)
  await cancelAndPayBack(tx, units, context)
}

/** Returns whether an operator has to decide about a unit, because its row in the game is cancelled or missing. */
const needsOperator = ({ state, price, in_game }: Unit) =>
  state !== 'refunded' && price > 0 && (in_game === 'cancelled' || in_game === 'gone')

/**
 * Refunds units without waiting for the bridge, also units that the bridge cannot remove. The bridge still removes them from
 * the game later, if it can.
 *
 * @throws Refusal 409 if a unit is in another state, or was picked up in the game
 */
export async function forceRefunds(tx: Db, units: readonly Unit[], context: RefundActor): Promise<void> {
  if (units.some(isPickedUp))
    throw new Refusal(
      409,
      'taken',
      'The player has taken one of these units in the game, so it cannot be paid back. Nothing was changed.',
    )
  requireRequested(units.filter((unit) => !needsOperator(unit)))
  await cancelAndPayBack(tx, units, context)
  await tx
    .updateTable('deliveries')
    .set({ in_game: 'back', marked_at: null })
    .where('delivery', 'in', getDeliveries(units))
    .where('handed_at', 'is not', null)
    .execute()
}

/** Returns the error that prevents `refundPickedUp` (MONEY-8); undefined if the unit can be paid back. */
export function findPickedUpProblem(unit: Unit): keyof typeof refundPickedUp.errors | undefined {
  if (isPaidBack(unit)) return 'alreadyRefunded'
  if (unit.is_service) return 'service'
  if (unit.in_game === 'again') return 'restored'
  if (!isPickedUp(unit)) return 'notPickedUp'
  if (unit.price === 0) return 'noPrice'
  return unit.is_draw ? 'final' : undefined
}

/**
 * Refunds a unit that its player picked up in the game (MONEY-8). The player retains the item, and its state stays
 * 'claimed'. Call this in a transaction that has locked the unit.
 *
 * @throws Refusal 409 when the unit was refunded, was not picked up, or cannot be paid back
 */
export async function refundPickedUpUnit(tx: Db, unit: Unit, context: RefundActor): Promise<void> {
  const problem = findPickedUpProblem(unit)
  if (problem !== undefined) throw refuse(refundPickedUp, problem)
  await payBack(tx, [unit], context)
  await tx.updateTable('deliveries').set({ refunded_at: context.now }).where('delivery', '=', unit.delivery).execute()
}

/**
 * Withdraws requests for a refund, without a change of the units.
 *
 * @throws Refusal 409 if a unit has no open request, or the bridge may have removed it from the game already
 */
export async function withdrawRefunds(tx: Db, units: readonly Unit[]): Promise<void> {
  requireRequested(units)
  if (units.some(({ cancel_handed_at }) => cancel_handed_at !== null))
    throw new Refusal(
      409,
      'being-cancelled',
      'The bridge is already taking one of these units out of the game. Wait for its answer. Nothing was changed.',
    )
  await tx
    .updateTable('deliveries')
    .set({ refund_requested_at: null, cancel_handed_at: null })
    .where('delivery', 'in', getDeliveries(units))
    .execute()
}

/**
 * Delivers units again that the bridge reported as failed, or that a restore of the game's database has lost. The bridge
 * recognizes them by their numbers and does not deliver one twice.
 *
 * @throws Refusal 409 if a unit has not failed, the restore is not confirmed, or a character waits for another service
 */
export async function retryDeliveries(tx: Db, units: readonly Unit[]): Promise<void> {
  const unsuitableUnits = units.filter(({ state, failed_at, refund_requested_at, in_game }) => {
    const isLost = in_game === 'lost' && state !== 'refunded'
    return refund_requested_at !== null || (!isLost && (state !== 'queued' || failed_at === null))
  })
  const unconfirmedRestores = await tx
    .selectNoFrom((eb) => [
      eb.exists(eb.selectFrom('game_copy').where('restored_at', 'is not', null).select('epoch')).as('items'),
      eb
        .exists(eb.selectFrom('game_character_copy').where('restored_at', 'is not', null).select('epoch'))
        .as('services'),
    ])
    .executeTakeFirstOrThrow()
  if (unsuitableUnits.length > 0) throw refuse(retryDelivery, 'notAgain')
  if (
    units.some(
      ({ in_game, is_service }) =>
        in_game === 'lost' && unconfirmedRestores[is_service ? 'services' : 'items'] === true,
    )
  )
    throw refuse(retryDelivery, 'notConfirmed')
  await tx
    .updateTable('deliveries')
    .set({ ...QUEUED_AGAIN, attempt: sql`attempt + 1` })
    .where('delivery', 'in', getDeliveries(units))
    .execute()
    // Only one service may wait for each character, and only one for each new name (SERVICE-3, SERVICE-4).
    .catch(refuseViolations(retryDelivery, { service_orders_waiting_key: 'busy', service_orders_name_key: 'busy' }))
}

/** The values of a unit that is queued again. `handed_at` stays, because a unit that was issued may be in the game. */
const QUEUED_AGAIN = {
  state: 'queued',
  in_game: '',
  failed_at: null,
  failure: '',
  failure_code: '',
  retry_at: null,
  delivered_at: null,
  claimed_at: null,
  pur_key: null,
} as const

/**
 * Redirects units that were not issued to a bridge, or whose delivery failed, to another account.
 *
 * @throws Refusal 409 if a unit may be in the game, or has an open refund
 */
export async function redirectUnits(tx: Db, units: readonly Unit[], to: number): Promise<void> {
  const canRedirect = ({ state, handed_at, failed_at, refund_requested_at, is_service }: Unit) =>
    !is_service && state === 'queued' && refund_requested_at === null && (handed_at === null || failed_at !== null)
  if (!units.every(canRedirect))
    throw new Refusal(
      409,
      'not-free',
      'Only units that wait, or whose delivery failed, can go to another account. Nothing was changed.',
    )
  await tx
    .updateTable('deliveries')
    .set({ ...QUEUED_AGAIN, attempt: sql`attempt + 1`, deliver_to: to })
    .where('delivery', 'in', getDeliveries(units))
    .execute()
}

const getDeliveries = (units: readonly Unit[]) => units.map(({ delivery }) => delivery)

function requireRequested(units: readonly Unit[]): void {
  if (units.some((unit) => findRefundStep(unit) !== 'isRequested'))
    throw new Refusal(409, 'not-requested', 'One of these units does not wait for a refund. Nothing was changed.')
}

/** Cancels and refunds units that are not in the game. */
async function cancelAndPayBack(tx: Db, units: readonly Unit[], context: RefundActor): Promise<void> {
  if (units.length === 0) return
  await payBack(tx, units, context)
  await tx
    .updateTable('deliveries')
    .set({ state: 'refunded', refunded_at: context.now, failed_at: null, refund_requested_at: null })
    .where('delivery', 'in', getDeliveries(units))
    .execute()
}

/**
 * Refunds units whose accounts are locked. Each gets a ledger entry that reverses its part of the payment and names the order
 * and the unit. Triggers check the amount, account, currency and sum again. The caller updates the units.
 */
async function payBack(tx: Db, paidAndFreeUnits: readonly Unit[], { now, actor }: RefundActor): Promise<void> {
  const units = paidAndFreeUnits.filter(({ is_free }) => !is_free)
  if (units.length > 0) await bookRefunds(tx, units, { now, actor })
  await notifyOfRefund(tx, paidAndFreeUnits, now)
}

/** Books refunds in the ledger and on the accounts. */
async function bookRefunds(tx: Db, units: readonly Unit[], { now, actor }: RefundActor): Promise<void> {
  const { rows } = await sql<{ entry: number; delivery: number; amount: number }>`
    with units as materialized (
      select d.delivery, d.unit, paid.user_num, paid.ordinal, paid.price,
        case when paid.section = ${R_COIN_SECTION} then 'r_coin' else 'milleage' end as currency,
        (select l.entry ${buildPaymentsFrom(sql`paid.user_num`, sql`paid.ordinal`)}
           and l.currency = case when paid.section = ${R_COIN_SECTION} then 'r_coin' else 'milleage' end) as paid_by
      from deliveries d
      ${JOIN_PAYMENT}
      where d.delivery = any(${getDeliveries(units)}::bigint[])),
    sums as (
      select user_num, coalesce(sum(price) filter (where currency = 'r_coin'), 0)::bigint as r_coin,
        coalesce(sum(price) filter (where currency = 'milleage'), 0)::bigint as milleage
      from units where not exists (select from units where paid_by is null) group by user_num),
    credit as (
      update accounts a set r_coin = a.r_coin + s.r_coin, milleage = a.milleage + s.milleage
      from sums s where a.user_num = s.user_num
      returning a.user_num, a.r_coin, a.milleage)
    insert into ledger (user_num, currency, delta, balance_after, reason, reference, created_at, actor, reverses)
    select u.user_num, u.currency, u.price,
      case u.currency when 'r_coin' then c.r_coin else c.milleage end
        - sum(u.price) over (partition by u.user_num, u.currency)
        + sum(u.price) over (partition by u.user_num, u.currency order by u.delivery),
      'refund', 'delivery ' || u.delivery || ', order ' || u.user_num || '-' || u.ordinal || ', unit ' || u.unit, ${now}::timestamptz, ${actor}::bigint, u.paid_by
    from units u join credit c on c.user_num = u.user_num
    order by u.delivery
    returning entry, substring(reference from '^delivery (\\d+)')::bigint as delivery, delta as amount`.execute(tx)
  if (rows.length !== units.length)
    throw new Refusal(
      409,
      'no-entry',
      'The ledger has no entry for one of these purchases, so it cannot be refunded here. Nothing was changed.',
    )
  await sql`
    insert into refunds (delivery, amount, ledger_entry)
    select * from unnest(${rows.map((row) => row.delivery)}::bigint[], ${rows.map((row) => row.amount)}::bigint[],
      ${rows.map((row) => row.entry)}::bigint[])`.execute(tx)
}

/** Sends each payer one letter about the paid refunds, and one about each free service. */
async function notifyOfRefund(tx: Db, units: readonly Unit[], now: Date): Promise<void> {
  for (const unit of units.filter(({ is_free }) => is_free))
    await sendLetter(tx, {
      kind: 'refund',
      to: unit.payer,
      subject: `${formatItemName(unit.item_name, unit.service)}: not done`,
      body: 'The service was free, so nothing is paid back. You can order it again.',
      link: '/shoppurchases',
      now,
    })
  const paidUnits = units.filter(({ is_free }) => !is_free)
  const currencies = await selectCurrencyNames(tx)
  for (const [player, ownUnits] of Map.groupBy(paidUnits, (unit) => unit.payer)) {
    const sumCurrency = (currency: Unit['currency']) =>
      ownUnits.reduce((sum, unit) => sum + (unit.currency === currency ? unit.price : 0), 0)
    const names = [...new Set(ownUnits.map((unit) => formatItemName(unit.item_name, unit.service)))]
    await sendLetter(tx, {
      kind: 'refund',
      to: player,
      subject: `You got ${formatAmounts({ r_coin: sumCurrency('r_coin'), milleage: sumCurrency('milleage') }, currencies)} back`,
      body: `We refunded ${ownUnits.length === 1 ? 'a unit' : `${ownUnits.length} units`} you paid for: ${names.join(', ').slice(0, 3000)}.${ownUnits.some(isPickedUp) ? ' Nothing was taken out of the game.' : ''}`,
      link: '/shoppurchases',
      now,
    })
  }
}
