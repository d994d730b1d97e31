import { sql } from 'kysely'
import {
  BRIDGE_LISTED_UNITS_MAX,
  BRIDGE_UNITS_AT_ONCE,
  type takeWork,
  type UnitCheck,
  type UnitWork,
} from '#contract/bridge.ts'
import type { CallAnswer, ValidInput } from '#contract/endpoint.ts'
import type { Db } from '#server/db/open.ts'
import type { Deps } from '#server/deps.ts'
import type { BridgeCaller } from '#server/http/bridge.ts'
import { continueRestore } from './database-state.ts'
import { isUnitOfBridge, requireLeaseAndUpdateState, waitUnlessStopping } from './lease.ts'

/** Milliseconds between two checks for work while a request waits: much less than the two seconds a delivery may take. */
const POLL_INTERVAL_MS = 250
/** How many units the bridge compares with one request. */
const COMPARISON_BATCH_SIZE = 500

type WorkAnswer = CallAnswer<typeof takeWork>

/**
 * Returns the bridge's next work. Waits up to `wait_ms` milliseconds, or until the site stops, if there is none. Issues
 * unreported work again, except for units in the agent's list `doing`.
 *
 * @throws Refusal 409 when another agent has taken over
 */
export async function findWork(
  deps: Deps,
  caller: BridgeCaller,
  { wait_ms, doing, ...copy }: ValidInput<typeof takeWork>,
): Promise<WorkAnswer> {
  const deadline = performance.now() + wait_ms
  const createAnswer = (values: Partial<WorkAnswer>): WorkAnswer => ({
    now: deps.now(),
    work: [],
    restore: 'none',
    look: [],
    next_epoch: null,
    check: false,
    ...values,
  })
  for (;;) {
    const startedAt = performance.now()
    const now = deps.now()
    const answer = await deps.db.transaction().execute(async (tx): Promise<WorkAnswer> => {
      const restore = await requireLeaseAndUpdateState(tx, caller, { database: 'shop', copy }, now)
      const check = await takeCheckRequest(tx, caller)
      if (restore === 'none')
        return createAnswer({ check, work: await issueWork(tx, caller, { now, unitsInProgress: doing }) })
      return createAnswer({
        check,
        ...(await continueRestore(tx, 'shop', { restore, now }, (after) => selectUnitsToCompare(tx, after))),
      })
    })
    if (answer.work.length > 0 || answer.look.length > 0 || answer.check || answer.restore === 'confirmed')
      return answer
    // The search for work is slow when many units wait for players without a game account, so the pause grows with its duration.
    const pause = Math.max(POLL_INTERVAL_MS, 5 * (performance.now() - startedAt))
    for (;;) {
      if (performance.now() + pause > deadline) return answer
      if (!(await waitUnlessStopping(deps, pause))) return answer
      if (answer.restore !== 'none' || (await hasWork(deps.db, caller, deps.now()))) break
    }
  }
}

/**
 * Returns the SQL condition that a unit `d` can be issued: its player has a game account, and neither a refund nor a retry
 * is pending. `services.ts` issues services.
 */
const isDue = (now: Date) => sql<boolean>`d.state = 'queued' and not d.is_service and d.refund_requested_at is null
  and (d.failed_at is null or coalesce(d.retry_at, d.failed_at) <= ${now})
  and exists (select from game_links g where g.user_num = coalesce(d.deliver_to, d.user_num))`

/** The SQL condition that a unit `d` has to leave the game: for a refund, or because a restore has brought it back. */
const isRemovalDue = sql<boolean>`not d.is_service
  and ((d.refund_requested_at is not null and d.state <> 'refunded') or d.in_game in ('back', 'again'))`

/** Returns whether an operator has requested a check of the game, and clears the request. */
async function takeCheckRequest(tx: Db, { bridge }: BridgeCaller): Promise<boolean> {
  const bridgeRow = await tx
    .updateTable('bridges')
    .set({ check_asked_at: null })
    .where('bridge', '=', bridge)
    .where('check_asked_at', 'is not', null)
    .returning('bridge')
    .executeTakeFirst()
  return bridgeRow !== undefined
}

/** Returns whether there may be work for a bridge, without locks. */
async function hasWork(db: Db, { bridge }: BridgeCaller, now: Date): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (select from deliveries d where ${isDue(now)})
      or exists (select from deliveries d where d.refund_requested_at is not null and d.state <> 'refunded' and not d.is_service)
      or exists (select from deliveries d where d.in_game in ('back', 'again') and not d.is_service)
      or exists (select from bridges where bridge = ${bridge} and check_asked_at is not null) as found`.execute(db)
  return rows[0]?.found === true
}

type DueUnit = {
  unit: number
  attempt: number
  mark: string
  game_user_num: number
  game_user_id: string | null
  product_num: number
  price: number
}

/** Records units as issued. The record is committed before the response to the agent. */
async function issueWork(
  tx: Db,
  { bridge }: Pick<BridgeCaller, 'bridge'>,
  { now, unitsInProgress }: { now: Date; unitsInProgress: readonly number[] },
): Promise<UnitWork[]> {
  const removals = await issueRemovals(tx, { bridge }, { now, unitsInProgress })
  const { rows: deliveries } = await sql<DueUnit>`
    with due as materialized (
      select d.delivery from deliveries d where ${isDue(now)} and ${isNotInProgress(unitsInProgress)}
      order by d.delivery limit ${BRIDGE_UNITS_AT_ONCE} for update skip locked)
    update deliveries d set handed_at = coalesce(d.handed_at, ${now}), handed_by = ${bridge}, failed_at = null,
      retry_at = null, attempt = d.attempt + case when d.attempt = 0 or d.failed_at is not null then 1 else 0 end
    from due
    join deliveries o on o.delivery = due.delivery
    join purchases p on p.user_num = o.user_num and p.ordinal = o.ordinal
    join shop_items i on i.product_num = o.product_num
    join game_links g on g.user_num = coalesce(o.deliver_to, o.user_num)
    left join game_accounts ga on ga.user_num = g.user_num
    where d.delivery = due.delivery
    returning d.delivery as unit, d.attempt, ${unitMark} as mark, g.game_user_num, nullif(ga.game_user_id, '') as game_user_id, p.price,
      coalesce(i.game_product_num, d.product_num) as product_num`.execute(tx)
  return [
    ...removals,
    ...deliveries.sort(compareUnits).map(({ game_user_id, ...row }) => ({
      kind: 'deliver' as const,
      ...row,
      ...(game_user_id !== null && { game_user_id }),
    })),
  ]
}

const compareUnits = (a: { unit: number }, b: { unit: number }) => a.unit - b.unit

/** Returns the SQL condition that the agent is not working on a unit `d`. */
const isNotInProgress = (units: readonly number[]) =>
  units.length === 0 ? sql`true` : sql`d.delivery <> all(${units}::bigint[])`

/** Issues the removal of units from the game, and records this. */
async function issueRemovals(
  tx: Db,
  { bridge }: Pick<BridgeCaller, 'bridge'>,
  { now, unitsInProgress }: { now: Date; unitsInProgress: readonly number[] },
): Promise<UnitWork[]> {
  const { rows } = await sql<{ unit: number; mark: string; is_paid: boolean; is_delivered: boolean }>`
    with due as materialized (
      select d.delivery from deliveries d where ${isRemovalDue} and ${isNotInProgress(unitsInProgress)}
      order by d.delivery limit ${BRIDGE_UNITS_AT_ONCE} for update skip locked)
    update deliveries d set cancel_handed_at = coalesce(d.cancel_handed_at, ${now}), handed_by = ${bridge}
    from due where d.delivery = due.delivery
    returning d.delivery as unit, ${unitMark} as mark, d.refunded_at is not null or d.in_game = 'again' as is_paid,
      d.state in ('delivered', 'claimed') and d.in_game not in ('lost', 'again', 'back') as is_delivered`.execute(tx)
  return rows.sort(compareUnits).map(({ is_paid, is_delivered, ...row }) => ({
    kind: 'cancel' as const,
    ...row,
    ...(is_paid && { paid: true as const }),
    ...(is_delivered && { delivered: true as const }),
  }))
}

/** Identifies a unit `d` beyond its number, because a site restored from a backup assigns the same numbers again. */
export const unitMark = sql<string>`concat_ws('-', d.user_num, d.ordinal, d.unit, floor(extract(epoch from d.queued_at) * 1000)::bigint)`

/** Selects a page of the units that are in the game and not picked up, by number. */
export async function selectDeliveredUnits(db: Db, { bridge }: BridgeCaller, after: number): Promise<number[]> {
  const { rows } = await sql<{ unit: number }>`
    select d.delivery as unit from deliveries d
    where d.delivery > ${after} and d.state = 'delivered' and d.in_game = '' and ${isUnitOfBridge(bridge)}
    order by d.delivery limit ${BRIDGE_LISTED_UNITS_MAX}`.execute(db)
  return rows.map(({ unit }) => unit)
}

/** Selects the units to compare after a restore: all that may be in the game, including refunded ones. */
async function selectUnitsToCompare(tx: Db, after: number | null): Promise<UnitCheck[]> {
  const { rows } = await sql<UnitCheck>`
    select d.delivery as unit, d.state = 'refunded' as refunded, d.state = 'claimed' as claimed from deliveries d
    where d.delivery > ${after ?? 0} and d.handed_by is not null and not d.is_service
    order by d.delivery limit ${COMPARISON_BATCH_SIZE}`.execute(tx)
  return rows
}
