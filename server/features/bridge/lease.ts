import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { startBridge } from '#contract/bridge.ts'
import type { ValidInput } from '#contract/endpoint.ts'
import { BRIDGE_AWAY_MS } from '#contract/limits.ts'
import type { Db } from '#server/db/open.ts'
import type { Deps } from '#server/deps.ts'
import { Refusal, refuse } from '#server/errors.ts'
import type { BridgeCaller } from '#server/http/bridge.ts'

/** How long something waits that the game's database refused: 5 s, then twice as long each time, up to ten minutes. */
export const RETRY_FIRST_MS = 5000
export const RETRY_MAX_MS = 10 * 60_000

/** The agent's own tables in the game's database: who they belong to, and how often they were written. */
export type Copy = { epoch: string; counter: number }

/** What the game's database looks like from here: as it was, restored and unconfirmed, or confirmed. */
export type Restore = 'none' | 'waits' | 'confirmed'

/**
 * Makes an agent the one that works. It has the session lock in its game database, so it takes over at once from every
 * other agent of that database; from one of another database only when that has been silent for a minute.
 *
 * @throws Refusal 409 while another bridge works with another database
 */
export async function takeLease(
  tx: Db,
  { bridge, instance }: BridgeCaller,
  input: ValidInput<typeof startBridge>,
  now: Date,
): Promise<void> {
  await sql`lock table bridge_lease in share row exclusive mode`.execute(tx)
  const held = await tx
    .selectFrom('bridge_lease as l')
    .innerJoin('bridges as b', 'b.bridge', 'l.bridge')
    .select(['l.bridge', 'l.seen_at', 'b.epoch', 'b.revoked_at'])
    .executeTakeFirst()
  const isOther = held !== undefined && held.bridge !== bridge && held.revoked_at === null
  if (isOther && held.epoch !== input.epoch && now.getTime() - held.seen_at.getTime() < BRIDGE_AWAY_MS)
    throw refuse(startBridge, 'otherActive')
  await tx
    .insertInto('bridge_lease')
    .values({ bridge, instance, taken_at: now, seen_at: now })
    .onConflict((on) => on.column('only_row').doUpdateSet({ bridge, instance, taken_at: now, seen_at: now }))
    .execute()
  const { version, system, preset, password_form } = input
  await tx
    .updateTable('bridges')
    .set({
      version,
      system,
      preset,
      password_form,
      problem: '',
    })
    .where('bridge', '=', bridge)
    .execute()
  await noteCopy(tx, bridge, input, now)
}

const takenOver = () =>
  new Refusal(409, 'taken-over', 'Another agent has taken over. This one has to start again.', {
    extra: { reason: 'taken-over' },
  })

/**
 * Locks the lease for an agent's request that says nothing about where its database stands.
 *
 * @returns whether a restore of the game's database waits to be confirmed
 * @throws Refusal 409 when another agent has taken over
 */
export async function requireLease(tx: Db, { bridge, instance }: BridgeCaller, now: Date): Promise<boolean> {
  const held = await tx
    .updateTable('bridge_lease')
    .set({ seen_at: now })
    .where('bridge', '=', bridge)
    .where('instance', '=', instance)
    .returning('bridge')
    .executeTakeFirst()
  if (held === undefined) throw takenOver()
  return isRestoreOpen(tx)
}

/** Whether the game's database was restored, or is another one, and no operator has settled it yet. */
async function isRestoreOpen(db: Db): Promise<boolean> {
  const copy = await db.selectFrom('game_copy').select('restored_at').executeTakeFirst()
  return copy !== undefined && copy.restored_at !== null
}

/**
 * Locks the lease for an agent's request and notes where its database stands.
 *
 * @throws Refusal 409 when another agent has taken over
 */
export async function holdLease(tx: Db, caller: BridgeCaller, copy: Copy, now: Date): Promise<Restore> {
  await requireLease(tx, caller, now)
  return noteCopy(tx, caller.bridge, copy, now)
}

/**
 * Compares what an agent tells of its database with what is known. Where the epoch is another one or the counter has
 * fallen, the database was restored: nothing is delivered or refunded until an operator has confirmed it.
 */
async function noteCopy(tx: Db, bridge: number, { epoch, counter }: Copy, now: Date): Promise<Restore> {
  await tx
    .updateTable('bridges')
    .set({ epoch })
    .where('bridge', '=', bridge)
    .where((eb) => eb.or([eb('epoch', 'is', null), eb('epoch', '<>', epoch)]))
    .execute()
  const known = await tx.selectFrom('game_copy').selectAll().forUpdate().executeTakeFirst()
  if (known === undefined) {
    await tx
      .insertInto('game_copy')
      .values({ epoch, counter })
      .onConflict((on) => on.doNothing())
      .execute()
    return 'none'
  }
  const isConfirmedCopy = known.next_epoch !== null && epoch === known.next_epoch
  if (isConfirmedCopy || (epoch === known.epoch && counter >= known.counter)) {
    if (counter === known.counter && known.restored_at === null && epoch === known.epoch) return 'none'
    // The bridges that worked on this copy before keep what they handed out.
    if (isConfirmedCopy) await tx.updateTable('bridges').set({ epoch }).where('epoch', '=', known.epoch).execute()
    // The database of before is back: what another one lacked, or had again, says nothing about it.
    else if (known.restored_at !== null)
      await tx
        .updateTable('deliveries')
        .set({ in_game: '' })
        .where('in_game', 'in', ['lost', 'back'])
        .where('marked_at', '>=', known.restored_at)
        .execute()
    await tx
      .updateTable('game_copy')
      .set({
        epoch,
        counter,
        restored_at: null,
        found_epoch: null,
        found_counter: null,
        looked_through: null,
        looked_at: null,
        next_epoch: null,
      })
      .execute()
    return 'none'
  }
  const isSame = known.found_epoch === epoch && (known.found_counter ?? 0) <= counter
  if (known.restored_at !== null && isSame) {
    if (known.found_counter !== counter) await tx.updateTable('game_copy').set({ found_counter: counter }).execute()
    return known.next_epoch === null ? 'waits' : 'confirmed'
  }
  await tx
    .updateTable('game_copy')
    .set({
      restored_at: known.restored_at ?? now,
      found_epoch: epoch,
      found_counter: counter,
      looked_through: null,
      looked_at: null,
      next_epoch: null,
    })
    .execute()
  return 'waits'
}

/**
 * Of an agent that only tells what it has read, so that nothing waits for it: it must be the one that works.
 *
 * @returns whether a restore of the game's database waits to be confirmed: then what it has read may be of another game
 * @throws Refusal 409 when another agent has taken over
 */
export async function checkLease(db: Db, { bridge, instance }: BridgeCaller): Promise<boolean> {
  const held = await db
    .selectFrom('bridge_lease')
    .where('bridge', '=', bridge)
    .where('instance', '=', instance)
    .select('bridge')
    .executeTakeFirst()
  if (held === undefined) throw takenOver()
  return isRestoreOpen(db)
}

/** Whether an agent may speak about a unit `d`: it was handed to it, or to another one of the same game database. */
export const isOwnUnit = (bridge: number) => sql<boolean>`exists (
  select from bridges h, bridges me
  where h.bridge = d.handed_by and me.bridge = ${bridge} and (h.bridge = me.bridge or h.epoch = me.epoch))`

/** Waits for `ms`. @returns false, and at once, when the site stops */
export const waitUnlessStopping = ({ stopping }: Deps, ms: number): Promise<boolean> =>
  sleep(ms, true, { signal: stopping }).catch(() => false)
