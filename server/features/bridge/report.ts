import { sql } from 'kysely'
import { DELIVERY_FAILURES, type FailureCode, REFUND_REFUSAL_TEXTS, type reportWork } from '#contract/bridge.ts'
import type { ValidInput } from '#contract/endpoint.ts'
import type { Db } from '#server/db/open.ts'
import type { Deps } from '#server/deps.ts'
import { completeRefunds, isPickedUp, readUnits } from '#server/features/orders/refund.ts'
import type { BridgeCaller } from '#server/http/bridge.ts'
import { enqueuePushes } from '#server/push/outbox.ts'
import { noteRenamedAccount } from './accounts.ts'
import { noteComparisonProgress, type RestoreState } from './database-state.ts'
import { isUnitOfBridge, RETRY_FIRST_MS, RETRY_MAX_MS, requireLeaseAndUpdateState } from './lease.ts'

type Report = ValidInput<typeof reportWork>

/** Returns the milliseconds before a retry: 5 s after the first attempt, then twice as long each time, up to ten minutes. */
export const getRetryPause = (attempt: number): number => Math.min(RETRY_MAX_MS, RETRY_FIRST_MS * 2 ** (attempt - 1))

/**
 * Books an agent's report. A repeated report changes nothing. Ignores units that were never issued to a bridge of the same
 * game database.
 *
 * @returns the state of a restore of the game's database; unless it is 'none', only compared units were booked
 * @throws Refusal 409 when another agent has taken over
 */
export async function bookReport({ db, now, log }: Deps, caller: BridgeCaller, report: Report): Promise<RestoreState> {
  const at = now()
  const restore = await db.transaction().execute(async (tx) => {
    const restore = await requireLeaseAndUpdateState(tx, caller, { database: 'shop', copy: report }, at)
    if (restore === 'waits' && report.looked !== null) await bookComparison(tx, report.looked, at)
    if (restore !== 'none') return restore
    const canReport = await lockReportedUnits(tx, caller, report)
    await bookDelivered(tx, report.delivered.filter(canReport), at)
    await bookFailed(tx, report.failed.filter(canReport), at)
    await pauseRemovedUnits(
      tx,
      report.cancelled.filter((unit) => canReport({ unit })),
      at,
    )
    await bookFlags(tx, report.flags.filter(canReport), at)
    await recordUncancelled(tx, report.kept.filter(canReport), at)
    return restore
  })
  if (restore !== 'none') return restore
  if (report.cancelled.length > 0) await bookCancelled(db, caller, report.cancelled, at)
  log.debug({ bridge: caller.bridge, delivered: report.delivered.length }, 'bridge reported')
  return restore
}

/** Locks the units of a report, by number. @returns a function that checks whether the agent may report about a unit */
async function lockReportedUnits(
  tx: Db,
  { bridge }: BridgeCaller,
  report: Report,
): Promise<(row: { unit: number }) => boolean> {
  const { delivered, failed: failedUnits, flags, kept: uncancelled, cancelled } = report
  const reportedUnits = [
    ...[...delivered, ...failedUnits, ...flags, ...uncancelled].map(({ unit }) => unit),
    ...cancelled,
  ]
  const { rows } = await sql<{ unit: number }>`
    select d.delivery as unit from deliveries d
    where d.delivery = any(${[...new Set(reportedUnits)]}::bigint[]) and ${isUnitOfBridge(bridge)}
    order by d.delivery for update of d`.execute(tx)
  const ownUnits = new Set(rows.map(({ unit }) => unit))
  return ({ unit }) => ownUnits.has(unit)
}

/** Marks units as delivered and stores their numbers in the game. Picked-up units get their numbers too. */
async function bookDelivered(tx: Db, rows: Report['delivered'], at: Date): Promise<void> {
  if (rows.length === 0) return
  await markDelivered(
    tx,
    rows.map(({ unit }) => unit),
    at,
  )
  await sql`
    update deliveries d set pur_key = r.pur_key
    from unnest(${rows.map(({ unit }) => unit)}::bigint[], ${rows.map(({ pur_key }) => pur_key)}::text[]) as r (unit, pur_key)
    where d.delivery = r.unit and d.state in ('delivered', 'claimed') and d.pur_key is null`.execute(tx)
}

/** Marks issued units as delivered. */
async function markDelivered(tx: Db, units: readonly number[], at: Date): Promise<void> {
  const { rows } = await sql<{ player: number }>`
    update deliveries set state = 'delivered', delivered_at = ${at}, failed_at = null, failure = '', failure_code = '',
      retry_at = null
    where delivery = any(${units}::bigint[]) and state = 'queued' and handed_at is not null
    returning coalesce(deliver_to, user_num) as player`.execute(tx)
  const players = [...new Set(rows.map(({ player }) => player))]
  if (players.length > 0)
    await enqueuePushes(tx, {
      kind: 'deliveries',
      sender: 'Item Shop',
      condition: sql`s.user_num = any(${players}::bigint[])`,
      now: at,
    })
}

/** Books failed deliveries. Ignores failures of earlier attempts. */
async function bookFailed(tx: Db, rows: Report['failed'], at: Date): Promise<void> {
  for (const { unit, attempt, code, detail, game_user_id } of rows) {
    const failedUnit = await tx
      .updateTable('deliveries')
      .set({
        failed_at: at,
        failure_code: code,
        failure: describeFailure(code, detail),
        retry_at: new Date(at.getTime() + getRetryPause(attempt)),
      })
      .where('delivery', '=', unit)
      .where('state', '=', 'queued')
      .where('attempt', '=', attempt)
      .where('handed_at', 'is not', null)
      .returning((eb) => eb.fn.coalesce('deliver_to', 'user_num').as('player'))
      .executeTakeFirst()
    if (failedUnit !== undefined && code === 'number-used') await assignNewNumber(tx, unit)
    if (failedUnit !== undefined && code === 'renamed' && game_user_id !== undefined)
      await noteRenamedAccount(tx, Number(failedUnit.player), { foundUserId: game_user_id, detail, now: at })
  }
}

/**
 * Gives a unit a new number that no purchase has had (BRIDGE-25), and queues it as a unit that was never issued. The game
 * has its number for a purchase that the site does not know, because the site was restored.
 */
const assignNewNumber = (tx: Db, unit: number) =>
  sql`update deliveries set delivery = nextval(pg_get_serial_sequence('deliveries', 'delivery')), handed_at = null,
    handed_by = null, attempt = 0, failed_at = null, failure = '', failure_code = '', retry_at = null
    where delivery = ${unit}`.execute(tx)

/** Pauses units that were permanently removed from the game. The site was restored from a backup older than their refund. */
async function pauseRemovedUnits(tx: Db, units: readonly number[], at: Date): Promise<void> {
  if (units.length === 0) return
  const rows = await tx
    .selectFrom('deliveries')
    .where('delivery', 'in', units)
    .where('state', '=', 'queued')
    .where('refund_requested_at', 'is', null)
    .select(['delivery as unit', 'attempt'])
    .execute()
  await bookFailed(
    tx,
    rows.map((row) => ({ ...row, code: 'cancelled', detail: '' })),
    at,
  )
}

/** Returns the text of a failure for the desk. */
const describeFailure = (code: FailureCode, detail: string) =>
  detail === '' ? DELIVERY_FAILURES[code] : `${DELIVERY_FAILURES[code]} ${detail}`

/**
 * Books the reported states of units in the game, and ends the refund requests of picked-up units. A unit may be picked up
 * before the agent has reported its delivery.
 */
async function bookFlags(tx: Db, rows: Report['flags'], at: Date): Promise<void> {
  if (rows.length === 0) return
  await markDelivered(
    tx,
    rows.map(({ unit }) => unit),
    at,
  )
  const listUnits = (requestedFlag: string) => rows.filter(({ flag }) => flag === requestedFlag).map(({ unit }) => unit)
  const updateDeliveries = (units: number[]) =>
    tx
      .updateTable('deliveries')
      .where('delivery', '=', sql<number>`any(${units}::bigint[])`)
      .where('state', '=', 'delivered')
  const pickedUpUnits = listUnits('claimed')
  for (const [flag, in_game] of [
    ['waiting', ''],
    ['cancelled', 'cancelled'],
    ['gone', 'gone'],
  ] as const) {
    const units = listUnits(flag)
    if (units.length > 0) await updateDeliveries(units).set({ in_game }).execute()
  }
  if (pickedUpUnits.length > 0)
    await updateDeliveries(pickedUpUnits)
      .set({
        state: 'claimed',
        claimed_at: at,
        in_game: '',
        refund_refused: sql`case when refund_requested_at is null then refund_refused else ${REFUND_REFUSAL_TEXTS.claimed} end`,
        refund_requested_at: null,
        cancel_handed_at: null,
      })
      .execute()
}

/** Ends the refund requests of units that could not be removed, and stores the reason for the desk. */
async function recordUncancelled(tx: Db, rows: Report['kept'], at: Date): Promise<void> {
  for (const { unit, why } of rows) {
    await sql`
      update deliveries set refund_requested_at = null, cancel_handed_at = null, refund_refused = ${REFUND_REFUSAL_TEXTS[why]},
        state = case when ${why}::text = 'claimed' then 'claimed' when state = 'queued' then 'delivered' else state end,
        delivered_at = coalesce(delivered_at, ${at}), failed_at = null, failure = '', failure_code = '', retry_at = null,
        claimed_at = case when ${why}::text = 'claimed' then coalesce(claimed_at, ${at}) else claimed_at end,
        in_game = case when ${why}::text = 'claimed' then '' else ${why}::text end
      where delivery = ${unit} and state <> 'refunded' and refund_requested_at is not null and cancel_handed_at is not null`.execute(
      tx,
    )
  }
  await markPickedUpUnits(tx, rows, at)
}

type UncancelledUnit = Report['kept'][number]

/** The SQL condition that a restore has brought a refunded or picked-up unit back into the game. */
const isReturned = sql`(in_game = 'back' and refunded_at is not null or in_game = 'again' and state = 'claimed')`

/** Clears the states 'back' and 'again' of units that the bridge has removed again. */
const clearReturnedStates = (tx: Db, units: readonly number[]) =>
  sql`update deliveries set in_game = '', cancel_handed_at = null where delivery = any(${units}::bigint[]) and ${isReturned}`.execute(
    tx,
  )

/** Marks units that players picked up after a restore had brought them back. An operator has to decide about them. */
async function markPickedUpUnits(tx: Db, units: readonly UncancelledUnit[], at: Date): Promise<void> {
  for (const { unit, why } of units)
    await sql`
      update deliveries set refund_refused = '', cancel_handed_at = null, marked_at = ${at}, in_game = case
        when state = 'refunded' then ${why === 'claimed' ? 'taken' : 'gone'}
        when refunded_at is not null then ${why === 'claimed' ? 'taken' : ''}
        else ${why === 'claimed' ? 'twice' : ''} end
      where delivery = ${unit} and ${isReturned}`.execute(tx)
}

/** Refunds units that a bridge removed from the game on request. */
async function bookCancelled(db: Db, { bridge }: BridgeCaller, units: readonly number[], at: Date): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ unit: number }>`
      select d.delivery as unit from deliveries d
      where d.delivery = any(${[...new Set(units)]}::bigint[]) and d.cancel_handed_at is not null
        and (d.refund_requested_at is not null or d.in_game in ('back', 'again')) and ${isUnitOfBridge(bridge)}`.execute(
      tx,
    )
    if (rows.length === 0) return
    const lockedUnits = await readUnits(
      tx,
      rows.map(({ unit }) => unit),
      'locked',
    )
    const refundableUnits = lockedUnits.filter(
      (unit) => unit.state !== 'refunded' && unit.refund_requested_at !== null && !isPickedUp(unit),
    )
    if (refundableUnits.length > 0) await completeRefunds(tx, refundableUnits, { now: at, actor: null })
    await clearReturnedStates(
      tx,
      lockedUnits.map(({ delivery }) => delivery),
    )
  })
}

/**
 * Marks the units that a restore has lost, and the refunded or picked-up units that it has brought back. A unit that was
 * refunded after it was picked up counts as refunded: it is never lost, and is removed again.
 */
async function bookComparison(tx: Db, comparison: NonNullable<Report['looked']>, at: Date): Promise<void> {
  const { through, missing, back, again, twice } = comparison
  await sql`
    update deliveries set in_game = 'lost', marked_at = ${at}
    where delivery = any(${missing}::bigint[]) and state in ('delivered', 'claimed') and handed_by is not null
      and refunded_at is null and in_game <> 'lost'`.execute(tx)
  // A unit that was refunded and then reported as picked up stays marked.
  await sql`
    update deliveries set in_game = 'back', marked_at = ${at}
    where (delivery = any(${back}::bigint[]) and state = 'refunded'
        or delivery = any(${again}::bigint[]) and state = 'claimed' and refunded_at is not null)
      and handed_by is not null and in_game not in ('back', 'taken')`.execute(tx)
  for (const [in_game, units] of [
    ['again', again],
    ['twice', twice],
  ] as const)
    await sql`
      update deliveries set in_game = case when refunded_at is null then ${in_game}::text else 'taken' end, marked_at = ${at}
      where delivery = any(${units}::bigint[]) and state = 'claimed' and handed_by is not null
        and (refunded_at is null or ${in_game}::text = 'twice') and in_game not in (${in_game}, 'twice', 'taken')`.execute(
      tx,
    )
  await noteComparisonProgress(tx, 'shop', through)
}
