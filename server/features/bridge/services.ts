import { sql } from 'kysely'
import {
  BRIDGE_SERVICES_AT_ONCE,
  type reportServices,
  type ServiceWork,
  type takeServiceWork,
} from '#contract/bridge-services.ts'
import { HOUR_MS } from '#contract/durations.ts'
import type { CallAnswer, ValidInput } from '#contract/endpoint.ts'
import { SERVICE_ATTEMPTS_MAX, SERVICE_ONLINE_RETRY_MS, SERVICE_UNREPORTED_RETRY_MS } from '#contract/limits.ts'
import { formatItemName, type GameValues, SERVICE_TEXTS, type ServiceReason } from '#contract/services.ts'
import type { Db } from '#server/db/open.ts'
import type { Deps } from '#server/deps.ts'
import { sendLetter } from '#server/features/mailbox/letters.ts'
import { completeRefunds, readUnits, refundUnits } from '#server/features/orders/refund.ts'
import type { BridgeCaller } from '#server/http/bridge.ts'
import { readSettingsNow } from '#server/settings.ts'
import { continueRestore, noteComparisonProgress } from './database-state.ts'
import { isUnitOfBridge, requireLeaseAndUpdateState, waitUnlessStopping } from './lease.ts'
import { getRetryPause } from './report.ts'

/** Milliseconds between two checks for work while a request waits. */
const POLL_INTERVAL_MS = 500
/** How many services the bridge compares with one request. */
const COMPARISON_BATCH_SIZE = 500
/** How many overdue services one run of the job ends. */
const OVERDUE_BATCH_SIZE = 500

/** Returns whether the agent needs its table of services: the shop sells services, or some are unfinished. */
export async function needsServiceTable(db: Db): Promise<boolean> {
  const { rows } = await sql<{ wanted: boolean }>`
    select exists (select from shop_items where kind = 'service' and not hidden)
      or exists (select from service_orders where state = 'waiting' or (state = 'done' and settled_at is null)) as wanted`.execute(
    db,
  )
  return rows[0]?.wanted === true
}

type ServiceWorkAnswer = Omit<CallAnswer<typeof takeServiceWork>, 'now'>
const NO_WORK: ServiceWorkAnswer = { work: [], restore: 'none', look: [], next_epoch: null }

/**
 * Returns the next services for a bridge. Waits up to `wait_ms` milliseconds if there are none. Returns no work while a
 * restore of the game's characters waits to be confirmed.
 *
 * @throws Refusal 409 when another agent has taken over
 */
export async function findServiceWork(
  deps: Deps,
  caller: BridgeCaller,
  { wait_ms, copy }: ValidInput<typeof takeServiceWork>,
): Promise<CallAnswer<typeof takeServiceWork>> {
  const deadline = performance.now() + wait_ms
  for (;;) {
    const now = deps.now()
    const answer = await deps.db.transaction().execute(async (tx): Promise<ServiceWorkAnswer> => {
      const restore = await requireLeaseAndUpdateState(tx, caller, { database: 'game', copy }, now)
      if (restore === 'none') return { ...NO_WORK, work: await issueWork(tx, caller, now) }
      return {
        work: [],
        ...(await continueRestore(tx, 'game', { restore, now }, (after) => selectServicesToCompare(tx, after))),
      }
    })
    const hasWork = answer.work.length > 0 || answer.look.length > 0 || answer.restore === 'confirmed'
    if (
      hasWork ||
      performance.now() + POLL_INTERVAL_MS > deadline ||
      !(await waitUnlessStopping(deps, POLL_INTERVAL_MS))
    )
      return { now: deps.now(), ...answer }
  }
}

/**
 * Identifies a row of `service_orders` beyond its number, because a site restored from a backup assigns the same numbers
 * again.
 */
const serviceMark = sql<string>`concat_ws('-', service_orders.user_num, service_orders.cha_num,
  floor(extract(epoch from service_orders.ordered_at) * 1000)::bigint)`

/** Selects the services to compare after a restore: completed ones, and refunded ones that may be in effect again. */
async function selectServicesToCompare(tx: Db, after: number | null): Promise<ServiceWorkAnswer['look']> {
  const { rows } = await sql<ServiceWorkAnswer['look'][number]>`
    select service_order as "order", ${serviceMark} as mark, service, coalesce(game_user_num, 0) as game_user_num, cha_num,
      coalesce(before, '{}') as before, coalesce(after, '{}') as after, state = 'refunded' as refunded
    from service_orders left join game_links using (user_num)
    where service_order > ${after ?? 0} and handed_by is not null
      and (state = 'done' or (state = 'refunded' and after is not null))
    order by service_order limit ${COMPARISON_BATCH_SIZE}`.execute(tx)
  return rows
}

type DueOrder = {
  order: number
  mark: string
  service: string
  game_user_num: number
  cha_num: number
  choice: string
  was: string
  undo_of: number | null
  undo_before: GameValues | null
  undo_after: GameValues | null
  is_cancel: boolean
}

/** Records orders as issued. The record is committed before the response to the agent. */
async function issueWork(tx: Db, { bridge }: BridgeCaller, now: Date): Promise<ServiceWork[]> {
  const { rows } = await sql<DueOrder>`
    with due as materialized (
      select service_order from service_orders
      left join deliveries unit on unit.delivery = service_orders.delivery
      where (service_orders.retry_at is null or service_orders.retry_at <= ${now})
        and (service_orders.state = 'waiting' or (service_orders.state = 'done' and unit.refund_requested_at is not null))
        and exists (select from game_links where game_links.user_num = service_orders.user_num)
      order by service_orders.retry_at nulls first, service_order
      limit ${BRIDGE_SERVICES_AT_ONCE} for update of service_orders skip locked)
    update service_orders set handed_at = coalesce(service_orders.handed_at, ${now}), handed_by = ${bridge},
      attempt = service_orders.attempt + 1, retry_at = ${new Date(now.getTime() + SERVICE_UNREPORTED_RETRY_MS)}
    from due
    join service_orders due_order on due_order.service_order = due.service_order
    join game_links on game_links.user_num = due_order.user_num
    left join deliveries unit on unit.delivery = due_order.delivery
    left join service_orders undone on undone.service_order = due_order.undo_of
    where service_orders.service_order = due.service_order
    returning service_orders.service_order as "order", ${serviceMark} as mark, service_orders.service,
      game_links.game_user_num, service_orders.cha_num, service_orders.choice, service_orders.was, service_orders.undo_of,
      undone.before as undo_before, undone.after as undo_after,
      unit.refund_requested_at is not null or (service_orders.delivery is null and service_orders.reason <> '') as is_cancel`.execute(
    tx,
  )
  const orderNums = rows.map(({ order }) => order)
  await sql`
    update deliveries d set handed_at = coalesce(d.handed_at, ${now}), handed_by = ${bridge},
      cancel_handed_at = case when d.refund_requested_at is null then null else coalesce(d.cancel_handed_at, ${now}) end
    from service_orders o
    where o.service_order = any(${orderNums}::bigint[]) and d.delivery = o.delivery and d.state <> 'refunded'`.execute(
    tx,
  )
  return rows
    .sort((a, b) => a.order - b.order)
    .map(({ is_cancel, undo_of, undo_before, undo_after, order, mark, ...row }) =>
      is_cancel
        ? { kind: 'cancel', order, mark }
        : {
            kind: 'do',
            order,
            mark,
            ...row,
            undo: undo_of === null ? null : { order: undo_of, before: undo_before ?? {}, after: undo_after ?? {} },
          },
    )
}

type Report = ValidInput<typeof reportServices>

/**
 * Books an agent's report about services. A repeated report changes nothing. Ignores orders that were never issued to a
 * bridge of the same game.
 *
 * @throws Refusal 409 when another agent has taken over
 */
export async function bookServices({ db, now }: Deps, caller: BridgeCaller, report: Report): Promise<void> {
  const at = now()
  await db.transaction().execute(async (tx) => {
    const restore = await requireLeaseAndUpdateState(tx, caller, { database: 'game', copy: report.copy }, at)
    if (restore === 'waits' && report.looked !== null) await bookComparison(tx, report.looked, at)
    if (restore !== 'none') return
    // Locks accounts before service orders, as refunds do; the reverse could deadlock.
    await sql`
      select from accounts where user_num in (
        select user_num from service_orders where service_order = any(${[...collectOrderIds(report)]}::bigint[]))
      order by user_num for no key update`.execute(tx)
    const { rows } = await sql<{ order: number }>`
      select d.service_order as "order" from service_orders d
      where d.service_order = any(${[...collectOrderIds(report)]}::bigint[]) and ${isUnitOfBridge(caller.bridge)}
      order by d.service_order for update of d`.execute(tx)
    const ownOrders = new Set(rows.map(({ order }) => order))
    const canReport = (order: number) => ownOrders.has(order)
    for (const doneOrder of report.done) if (canReport(doneOrder.order)) await bookDoneOrder(tx, doneOrder, at)
    for (const order of report.online.filter(canReport)) await bookOnlineCharacter(tx, order, at)
    for (const failedOrder of report.failed)
      if (canReport(failedOrder.order)) await bookFailedOrder(tx, failedOrder, at)
    for (const { order, reason, detail } of report.refused)
      if (canReport(order)) await refundOrder(tx, order, { reason, detail, at })
    for (const order of report.cancelled.filter(canReport)) await bookCancelledOrder(tx, order, at)
    const [againOrders, settledOrders] = [report.again.filter(canReport), report.settled.filter(canReport)]
    await sql`
      update service_orders set again_at = coalesce(again_at, ${at})
      where service_order = any(${againOrders}::bigint[]) and state = 'done'`.execute(tx)
    await sql`
      update service_orders set settled_at = ${at}
      where service_order = any(${settledOrders}::bigint[]) and state = 'done' and settled_at is null`.execute(tx)
  })
}

const collectOrderIds = ({ done, online, refused, failed, cancelled, again, settled }: Report) =>
  new Set([
    ...[...done, ...refused, ...failed].map(({ order }) => order),
    ...[...online, ...cancelled, ...again, ...settled],
  ])

/** Books a completed service, which makes its unit final even if a refund was requested before. */
async function bookDoneOrder(tx: Db, { order, before, after }: Report['done'][number], at: Date): Promise<void> {
  const doneOrder = await tx
    .updateTable('service_orders')
    .set({
      state: 'done',
      done_at: at,
      before: JSON.stringify(before),
      after: JSON.stringify(after),
      reason: '',
      detail: '',
    })
    .where('service_order', '=', order)
    .where('state', '=', 'waiting')
    .returning(['delivery', 'undo_of'])
    .executeTakeFirst()
  if (doneOrder === undefined) return
  if (doneOrder.delivery !== null)
    await tx
      .updateTable('deliveries')
      .set({ state: 'claimed', delivered_at: at, claimed_at: at, refund_requested_at: null, cancel_handed_at: null })
      .where('delivery', '=', doneOrder.delivery)
      .where('state', '=', 'queued')
      .execute()
  // An undone service is not checked again, because its former values are correct.
  if (doneOrder.undo_of === null) return
  await tx
    .updateTable('service_orders')
    .set({ settled_at: sql`coalesce(settled_at, ${at})` })
    .where('service_order', '=', doneOrder.undo_of)
    .execute()
  // A restore had brought the change of this refunded service back.
  await sql`
    update deliveries d set in_game = '', marked_at = null from service_orders o
    where o.service_order = ${doneOrder.undo_of} and d.delivery = o.delivery and d.in_game = 'taken'`.execute(tx)
}

/** Sends the player one letter with the request to log out. The bridge gets the order again later. */
async function bookOnlineCharacter(tx: Db, order: number, at: Date): Promise<void> {
  const orderRow = await tx
    .selectFrom('service_orders')
    .where('service_order', '=', order)
    .where('state', '=', 'waiting')
    .select(['online_at', 'user_num', 'cha_name', 'delivery', 'service'])
    .select((eb) =>
      eb
        .selectFrom('shop_items as i')
        .whereRef('i.product_num', '=', 'service_orders.product_num')
        .select('i.item_name')
        .as('item_name'),
    )
    .executeTakeFirst()
  if (orderRow === undefined) return
  await tx
    .updateTable('service_orders')
    .set({ online_at: orderRow.online_at ?? at, retry_at: new Date(at.getTime() + SERVICE_ONLINE_RETRY_MS) })
    .where('service_order', '=', order)
    .execute()
  if (orderRow.online_at === null && orderRow.delivery !== null)
    await sendLetter(tx, {
      kind: 'service',
      to: orderRow.user_num,
      subject: SERVICE_TEXTS.logOutSubject,
      body: `${formatItemName(orderRow.item_name ?? '', orderRow.service)}: log ${orderRow.cha_name} out of the game. We change a character only while it is logged out.`,
      link: '/shoppurchases',
      now: at,
    })
}

/** Books a failed attempt. The order is retried later, and cancelled after SERVICE_ATTEMPTS_MAX attempts. */
async function bookFailedOrder(tx: Db, { order, detail }: Report['failed'][number], at: Date): Promise<void> {
  const orderRow = await tx
    .selectFrom('service_orders')
    .where('service_order', '=', order)
    .where('state', '=', 'waiting')
    .select(['attempt', 'delivery'])
    .executeTakeFirst()
  if (orderRow === undefined) return
  await tx
    .updateTable('service_orders')
    .set({ detail, retry_at: new Date(at.getTime() + getRetryPause(orderRow.attempt)) })
    .where('service_order', '=', order)
    .execute()
  if (orderRow.attempt >= SERVICE_ATTEMPTS_MAX) await requestCancellation(tx, order, 'database', at)
}

/** Requests the cancellation of an order from the bridge. The bridge's report refunds it. */
async function requestCancellation(tx: Db, order: number, reason: ServiceReason, at: Date): Promise<void> {
  const { delivery } = await tx
    .updateTable('service_orders')
    .set({ reason })
    .where('service_order', '=', order)
    .returning('delivery')
    .executeTakeFirstOrThrow()
  if (delivery === null) return
  await tx
    .updateTable('deliveries')
    .set({ refund_requested_at: at })
    .where('delivery', '=', delivery)
    .where('state', '=', 'queued')
    .where('refund_requested_at', 'is', null)
    .execute()
}

/**
 * Refunds an order that the bridge will never complete, or whose change the game has reverted. An undo costs nothing, so it
 * only ends.
 */
async function refundOrder(
  tx: Db,
  order: number,
  { reason, detail, at }: { reason: ServiceReason; detail: string; at: Date },
): Promise<void> {
  const endedOrder = await tx
    .updateTable('service_orders')
    .set({ reason, detail })
    .where('service_order', '=', order)
    .where((eb) => eb.or([eb('state', '=', 'waiting'), eb.and([eb('state', '=', 'done'), eb.val(reason === 'back')])]))
    .returning('delivery')
    .executeTakeFirst()
  if (endedOrder === undefined) return
  if (endedOrder.delivery === null) {
    await tx
      .updateTable('service_orders')
      .set({ state: 'refused', settled_at: at })
      .where('service_order', '=', order)
      .execute()
    return
  }
  await tx
    .updateTable('deliveries')
    .set({ refund_requested_at: sql`coalesce(refund_requested_at, ${at})` })
    .where('delivery', '=', endedOrder.delivery)
    .where('state', '<>', 'refunded')
    .execute()
  const units = await readUnits(tx, [endedOrder.delivery], 'locked')
  const refundableUnits = units.filter(({ state }) => state !== 'refunded')
  if (refundableUnits.length > 0) await completeRefunds(tx, refundableUnits, { now: at, actor: null })
}

/** Books an order that the agent has marked as cancelled. */
async function bookCancelledOrder(tx: Db, order: number, at: Date): Promise<void> {
  const orderRow = await tx
    .selectFrom('service_orders as o')
    .leftJoin('deliveries as d', 'd.delivery', 'o.delivery')
    .where('o.service_order', '=', order)
    .where('o.state', 'in', ['waiting', 'done'])
    .select(['o.reason', 'o.detail', 'o.state', 'o.lost_at', 'd.cancel_handed_at', 'o.delivery'])
    .executeTakeFirst()
  if (orderRow === undefined) return
  const isCancelRequested = orderRow.delivery === null ? orderRow.reason !== '' : orderRow.cancel_handed_at !== null
  if (!isCancelRequested || (orderRow.state === 'done' && orderRow.lost_at === null)) return
  const reason = orderRow.state === 'done' ? 'lost' : orderRow.reason === '' ? 'desk' : orderRow.reason
  if (orderRow.state === 'done')
    await tx.updateTable('service_orders').set({ state: 'waiting' }).where('service_order', '=', order).execute()
  await refundOrder(tx, order, { reason, detail: orderRow.detail, at })
}

/** Marks services that a restore of the characters has lost, and refunded ones that it has brought back (SERVICE-8). */
async function bookComparison(
  tx: Db,
  { through, missing, back }: NonNullable<Report['looked']>,
  at: Date,
): Promise<void> {
  const { rows } = await sql<{ delivery: number | null }>`
    update service_orders set lost_at = ${at}
    where service_order = any(${missing}::bigint[]) and state = 'done' and lost_at is null and handed_by is not null
    returning delivery`.execute(tx)
  await sql`
    update deliveries set in_game = 'lost', marked_at = ${at}
    where delivery = any(${rows.map(({ delivery }) => delivery)}::bigint[]) and state = 'claimed'`.execute(tx)
  await sql`
    update deliveries d set in_game = 'taken', marked_at = ${at} from service_orders o
    where o.service_order = any(${back}::bigint[]) and d.delivery = o.delivery and d.state = 'refunded'
      and d.in_game <> 'taken'`.execute(tx)
  await noteComparisonProgress(tx, 'game', through)
}

/**
 * Queues services again that a restore has lost since a time: undo orders always, other orders if `offerAgain` is set. A
 * service stays marked for an operator if its character already waits for another service.
 *
 * @returns the units of the lost services
 */
export async function requeueLostServices(
  tx: Db,
  { offerAgain, since }: { offerAgain: boolean; since: Date },
): Promise<number[]> {
  const lostUnits = await tx
    .selectFrom('deliveries')
    .where('is_service', '=', true)
    .where('in_game', '=', 'lost')
    .where('marked_at', '>=', since)
    .select('delivery')
    .execute()
  const mustRequeue = (order: string) =>
    sql`${sql.raw(order)}.state = 'done' and ${sql.raw(order)}.lost_at >= ${since}
      and (${offerAgain} or ${sql.raw(order)}.undo_of is not null)`
  const { rows } = await sql<{ delivery: number | null }>`
    update service_orders o set state = 'waiting', lost_at = null, done_at = null, again_at = null, settled_at = null,
      retry_at = null
    where ${mustRequeue('o')} and o.service_order = (
      select min(x.service_order) from service_orders x where x.cha_num = o.cha_num and ${mustRequeue('x')})
      and not exists (select from service_orders x where x.cha_num = o.cha_num and x.state = 'waiting')
    returning delivery`.execute(tx)
  await sql`
    update deliveries set state = 'queued', in_game = '', delivered_at = null, claimed_at = null
    where delivery = any(${rows.map(({ delivery }) => delivery)}::bigint[]) and in_game = 'lost' and state = 'claimed'`.execute(
    tx,
  )
  return lostUnits.map(({ delivery }) => delivery)
}

/**
 * Refunds services that have waited longer than the setting allows (SERVICE-5): at once if no bridge has received them,
 * otherwise after the bridge's answer.
 */
export async function endOverdueServices({ db, config }: Pick<Deps, 'db' | 'config'>, now: Date): Promise<number> {
  const { service_wait_hours } = await readSettingsNow({ db, config })
  const overdueOrders = await db
    .selectFrom('service_orders as o')
    .leftJoin('deliveries as d', 'd.delivery', 'o.delivery')
    .where('o.state', '=', 'waiting')
    .where('o.ordered_at', '<=', new Date(now.getTime() - service_wait_hours * HOUR_MS))
    .where('d.refund_requested_at', 'is', null)
    .where('o.reason', '=', '')
    .select('o.service_order')
    .orderBy('o.service_order')
    .limit(OVERDUE_BATCH_SIZE)
    .execute()
  for (const { service_order } of overdueOrders)
    await db.transaction().execute(async (tx) => {
      const { user_num } = await tx
        .selectFrom('service_orders')
        .where('service_order', '=', service_order)
        .select('user_num')
        .executeTakeFirstOrThrow()
      await sql`select from accounts where user_num = ${user_num} for no key update`.execute(tx)
      const order = await tx
        .selectFrom('service_orders')
        .where('service_order', '=', service_order)
        .where('state', '=', 'waiting')
        .select(['delivery', 'handed_at'])
        .forUpdate()
        .executeTakeFirst()
      if (order === undefined) return
      await tx
        .updateTable('service_orders')
        .set({
          reason: 'timeout',
          retry_at: null,
          ...(order.delivery === null && order.handed_at === null && { state: 'refused' }),
        })
        .where('service_order', '=', service_order)
        .execute()
      if (order.delivery === null) return
      const units = await readUnits(tx, [order.delivery], 'locked')
      await refundUnits(tx, units, { now, actor: null })
    })
  return overdueOrders.length
}
