import { setTimeout as sleep } from 'node:timers/promises'
import { type Selectable, sql } from 'kysely'
import { type GameCopy, type GameDatabase, isSameDatabase, startBridge } from '#contract/bridge.ts'
import type { ValidInput } from '#contract/endpoint.ts'
import { BRIDGE_OFFLINE_AFTER_MS } from '#contract/limits.ts'
import type { Db } from '#server/db/open.ts'
import type { Schema } from '#server/db/schema.ts'
import type { Deps } from '#server/deps.ts'
import { Refusal, refuse } from '#server/errors.ts'
import { type BridgeCaller, getProcessId } from '#server/http/bridge.ts'
import { type RestoreState, updateDatabaseState } from './database-state.ts'
import { createFormRefusal } from './pairing.ts'

/** Milliseconds before the first retry of work that the game refused. Each wait is twice the previous, up to a maximum. */
export const RETRY_FIRST_MS = 5000
export const RETRY_MAX_MS = 10 * 60_000

/**
 * Gives the lease to an agent. Refuses a second process while the first has sent a request in the last minute (BRIDGE-23),
 * even if both have the same key, because a copied machine has the key too. There is one exception: the second process has
 * the original database, and the first has another one that no owner has confirmed. After the minute, another process with
 * the same key can take over, and a process with another key only if it has the same database.
 *
 * @throws Refusal 409 for such a second process, for a process with another key and another database, or for a password
 * form that differs from the one set for the bridge
 */
export async function takeLease(
  tx: Db,
  { bridge, instance }: BridgeCaller,
  input: ValidInput<typeof startBridge>,
  now: Date,
): Promise<void> {
  await sql`lock table bridge_lease in share row exclusive mode`.execute(tx)
  const lease = await tx
    .selectFrom('bridge_lease as l')
    .innerJoin('bridges as b', 'b.bridge', 'l.bridge')
    .where('b.revoked_at', 'is', null)
    .select(['l.bridge', 'l.instance', 'l.seen_at', 'b.epoch'])
    .executeTakeFirst()
  const copy = await tx.selectFrom('game_copy').selectAll().executeTakeFirst()
  if (lease !== undefined && lease.instance !== '' && getProcessId(lease.instance) !== getProcessId(instance)) {
    const isActive = now.getTime() - lease.seen_at.getTime() < BRIDGE_OFFLINE_AFTER_MS
    if (isActive && !hasOriginalDatabase(copy, input))
      throw refuse(startBridge, lease.bridge === bridge ? 'secondProcess' : 'otherActive')
  }
  const isSameGame = lease?.epoch === input.epoch && isSameDatabase(copy?.identity ?? {}, input.identity)
  if (lease !== undefined && lease.bridge !== bridge && !isSameGame) throw refuse(startBridge, 'otherGame')
  await tx
    .insertInto('bridge_lease')
    .values({ bridge, instance, taken_at: now, seen_at: now })
    .onConflict((conflict) =>
      conflict.column('only_row').doUpdateSet({ bridge, instance, taken_at: now, seen_at: now }),
    )
    .execute()
  const { version, system, preset, password_form } = input
  const { password_form: pairedForm } = await tx
    .selectFrom('bridges')
    .where('bridge', '=', bridge)
    .select('password_form')
    .executeTakeFirstOrThrow()
  if (pairedForm !== '' && pairedForm !== password_form) throw createFormRefusal(pairedForm, password_form)
  await tx
    .updateTable('bridges')
    .set({
      version,
      system,
      preset,
      password_form,
      problem: '',
      refusal: '',
      refusals: 0,
    })
    .where('bridge', '=', bridge)
    .execute()
  await updateBridgeDatabaseState(tx, bridge, { database: 'shop', copy: input }, now)
}

/** Returns whether an agent has the original database while the active agent has another one that no owner has confirmed. */
const hasOriginalDatabase = (
  copy: Selectable<Schema['game_copy']> | undefined,
  { identity, epoch }: GameCopy,
): boolean =>
  copy !== undefined &&
  copy.found_identity !== null &&
  !isSameDatabase(copy.identity, copy.found_identity) &&
  isSameDatabase(copy.identity, identity) &&
  copy.epoch === epoch

/** Ends the lease of a process that stops, so another process can start at once. */
export const releaseLease = (db: Db, { bridge, instance }: BridgeCaller) =>
  db
    .updateTable('bridge_lease')
    .set({ instance: '' })
    .where('bridge', '=', bridge)
    .where('instance', '=', instance)
    .execute()

const createTakenOverRefusal = () =>
  new Refusal(409, 'taken-over', 'Another agent has taken over. This one has to start again.', {
    extra: { reason: 'taken-over' },
  })

/**
 * Locks the lease for an agent's request that does not identify the agent's database.
 *
 * @returns whether a restore of the game's database waits to be confirmed
 * @throws Refusal 409 when another agent has taken over
 */
export async function requireLease(tx: Db, { bridge, instance }: BridgeCaller, now: Date): Promise<boolean> {
  const lease = await tx
    .updateTable('bridge_lease')
    .set({ seen_at: now })
    .where('bridge', '=', bridge)
    .where('instance', '=', instance)
    .returning('bridge')
    .executeTakeFirst()
  if (lease === undefined) throw createTakenOverRefusal()
  return isRestoreOpen(tx)
}

/** Returns whether a database of the game was restored or replaced, and no owner has confirmed that yet. */
async function isRestoreOpen(db: Db): Promise<boolean> {
  const { rows } = await sql`
    select from game_copy where restored_at is not null union all select from game_user_copy where restored_at is not null
    union all select from game_character_copy where restored_at is not null`.execute(db)
  return rows.length > 0
}

/**
 * Locks the lease for an agent's request and stores the state of one of its databases.
 *
 * @throws Refusal 409 when another agent has taken over
 */
export async function requireLeaseAndUpdateState(
  tx: Db,
  caller: BridgeCaller,
  { database, copy }: { database: GameDatabase; copy: GameCopy },
  now: Date,
): Promise<RestoreState> {
  await requireLease(tx, caller, now)
  return updateBridgeDatabaseState(tx, caller.bridge, { database, copy }, now)
}

/**
 * Records the state of a database. For the database of purchases, also stores its epoch with the bridge, because a bridge
 * may also report about units that were issued to another bridge of the same epoch.
 */
async function updateBridgeDatabaseState(
  tx: Db,
  bridge: number,
  { database, copy }: { database: GameDatabase; copy: GameCopy },
  now: Date,
): Promise<RestoreState> {
  if (database === 'shop')
    await tx
      .updateTable('bridges')
      .set({ epoch: copy.epoch })
      .where('bridge', '=', bridge)
      .where((eb) => eb.or([eb('epoch', 'is', null), eb('epoch', '<>', copy.epoch)]))
      .execute()
  return updateDatabaseState(tx, database, copy, now)
}

/**
 * Checks, without a lock, that an agent that reports game data has the lease.
 *
 * @returns whether a restore of the game's database waits for confirmation, so the data may be of another game
 * @throws Refusal 409 when another agent has taken over
 */
export async function checkLease(db: Db, { bridge, instance }: BridgeCaller): Promise<boolean> {
  const lease = await db
    .selectFrom('bridge_lease')
    .where('bridge', '=', bridge)
    .where('instance', '=', instance)
    .select('bridge')
    .executeTakeFirst()
  if (lease === undefined) throw createTakenOverRefusal()
  return isRestoreOpen(db)
}

/** Returns the SQL condition that a unit `d` was issued to an agent or to another agent of the same game database. */
export const isUnitOfBridge = (bridge: number) => sql<boolean>`exists (
  select from bridges h, bridges me
  where h.bridge = d.handed_by and me.bridge = ${bridge} and (h.bridge = me.bridge or h.epoch = me.epoch))`

/** Waits for `ms` milliseconds. @returns false, without further delay, when the site stops */
export const waitUnlessStopping = ({ stopping }: Deps, ms: number): Promise<boolean> =>
  sleep(ms, true, { signal: stopping }).catch(() => false)
