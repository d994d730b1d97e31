import { setTimeout as sleep } from 'node:timers/promises'
import { type Selectable, sql } from 'kysely'
import { type GameCopy, type GamePlace, isSameDatabase, startBridge } from '#contract/bridge.ts'
import type { ValidInput } from '#contract/endpoint.ts'
import { BRIDGE_AWAY_MS } from '#contract/limits.ts'
import type { Db } from '#server/db/open.ts'
import type { Schema } from '#server/db/schema.ts'
import type { Deps } from '#server/deps.ts'
import { Refusal, refuse } from '#server/errors.ts'
import { type BridgeCaller, processOf } from '#server/http/bridge.ts'
import { otherForm } from './pairing.ts'

/** How long something waits that the game's database refused: 5 s, then twice as long each time, up to ten minutes. */
export const RETRY_FIRST_MS = 5000
export const RETRY_MAX_MS = 10 * 60_000

/** What a database of the game looks like from here: as it was, restored and unconfirmed, or confirmed. */
export type Restore = 'none' | 'waits' | 'confirmed'

/** The tables with the last known state of each database that the bridge writes to. They are alike and typed as one. */
export const COPIES: Record<GamePlace, 'game_copy'> = {
  shop: 'game_copy',
  user: 'game_user_copy' as 'game_copy',
  game: 'game_character_copy' as 'game_copy',
}

/**
 * Makes an agent the one that works. A second process is refused while the one at work was heard within a minute, wherever
 * it runs, because a copy of the game's machine has the same key (BRIDGE-23). Afterwards an agent of the same key takes over,
 * and one of another key only with the same database.
 *
 * @throws Refusal 409 for such a process, or for another form of passwords than was set for the bridge
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
    .where('b.revoked_at', 'is', null)
    .select(['l.bridge', 'l.instance', 'l.seen_at', 'b.epoch'])
    .executeTakeFirst()
  const known = await tx.selectFrom('game_copy').selectAll().executeTakeFirst()
  if (held !== undefined && held.instance !== '' && processOf(held.instance) !== processOf(instance)) {
    const isHeard = now.getTime() - held.seen_at.getTime() < BRIDGE_AWAY_MS
    if (isHeard && !isBackFromElsewhere(known, input))
      throw refuse(startBridge, held.bridge === bridge ? 'secondProcess' : 'otherActive')
  }
  const isSameGame = held?.epoch === input.epoch && isSameDatabase(known?.identity ?? {}, input.identity)
  if (held !== undefined && held.bridge !== bridge && !isSameGame) throw refuse(startBridge, 'otherGame')
  await tx
    .insertInto('bridge_lease')
    .values({ bridge, instance, taken_at: now, seen_at: now })
    .onConflict((on) => on.column('only_row').doUpdateSet({ bridge, instance, taken_at: now, seen_at: now }))
    .execute()
  const { version, system, preset, password_form } = input
  const { password_form: set } = await tx
    .selectFrom('bridges')
    .where('bridge', '=', bridge)
    .select('password_form')
    .executeTakeFirstOrThrow()
  if (set !== '' && set !== password_form) throw otherForm(set, password_form)
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
  await noteCopy(tx, 'shop', bridge, input, now)
}

/** Whether an agent has the known database, while the one at work has another one that no owner has confirmed. */
const isBackFromElsewhere = (
  known: Selectable<Schema['game_copy']> | undefined,
  { identity, epoch }: GameCopy,
): boolean =>
  known !== undefined &&
  known.found_identity !== null &&
  !isSameDatabase(known.identity, known.found_identity) &&
  isSameDatabase(known.identity, identity) &&
  known.epoch === epoch

/** Lets another process with the agent's key start at once, because this one stops. */
export const releaseLease = (db: Db, { bridge, instance }: BridgeCaller) =>
  db
    .updateTable('bridge_lease')
    .set({ instance: '' })
    .where('bridge', '=', bridge)
    .where('instance', '=', instance)
    .execute()

const takenOver = () =>
  new Refusal(409, 'taken-over', 'Another agent has taken over. This one has to start again.', {
    extra: { reason: 'taken-over' },
  })

/**
 * Locks the lease for an agent's request that says nothing about the state of its database.
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

/** Whether a database of the game was restored, or is another one, and no operator has settled it yet. */
async function isRestoreOpen(db: Db): Promise<boolean> {
  const { rows } = await sql`
    select from game_copy where restored_at is not null union all select from game_user_copy where restored_at is not null
    union all select from game_character_copy where restored_at is not null`.execute(db)
  return rows.length > 0
}

/**
 * Locks the lease for an agent's request and notes the state of one of its databases.
 *
 * @throws Refusal 409 when another agent has taken over
 */
export async function holdLease(
  tx: Db,
  caller: BridgeCaller,
  { place, copy }: { place: GamePlace; copy: GameCopy },
  now: Date,
): Promise<Restore> {
  await requireLease(tx, caller, now)
  return noteCopy(tx, place, caller.bridge, copy, now)
}

const SETTLED = {
  restored_at: null,
  found_epoch: null,
  found_counter: null,
  found_identity: null,
  looked_through: null,
  looked_at: null,
  next_epoch: null,
  tables: [],
  as_of: null,
  removed: 0,
}

/**
 * Compares what an agent tells of a database with what is known. Where the epoch is another one or the counter has fallen,
 * the database was restored; of single tables the agent tells itself. What depends on it stops until an operator has
 * confirmed the restore.
 */
async function noteCopy(
  tx: Db,
  place: GamePlace,
  bridge: number,
  { epoch, counter, restored, ago_ms, identity, highest }: GameCopy,
  now: Date,
): Promise<Restore> {
  const table = COPIES[place]
  if (place === 'shop')
    await tx
      .updateTable('bridges')
      .set({ epoch })
      .where('bridge', '=', bridge)
      .where((eb) => eb.or([eb('epoch', 'is', null), eb('epoch', '<>', epoch)]))
      .execute()
  await skipUsedNumbers(tx, place, highest)
  const known =
    (await tx.selectFrom(table).selectAll().forUpdate().executeTakeFirst()) ??
    (await tx
      .insertInto(table)
      .values({ epoch, counter, identity: JSON.stringify(identity) })
      .returningAll()
      .executeTakeFirstOrThrow())
  const isConfirmedCopy = known.next_epoch !== null && epoch === known.next_epoch
  const isKnownCopy =
    epoch === known.epoch &&
    counter >= known.counter &&
    restored.length + known.tables.length === 0 &&
    isSameDatabase(known.identity, identity)
  const isNewIdentity = Object.keys(identity).some((name) => identity[name] !== known.identity[name])
  if (isConfirmedCopy || isKnownCopy) {
    if (counter === known.counter && known.restored_at === null && epoch === known.epoch && !isNewIdentity)
      return 'none'
    // The bridges that worked on this copy before keep what they handed out.
    if (isConfirmedCopy && place === 'shop')
      await tx.updateTable('bridges').set({ epoch }).where('epoch', '=', known.epoch).execute()
    // The database of before is back: what another one lacked, or had again, says nothing about it.
    if (!isConfirmedCopy && known.restored_at !== null) await forgetMarks(tx, place, known.restored_at)
    await tx
      .updateTable(table)
      .set({
        epoch,
        counter,
        ...SETTLED,
        identity: JSON.stringify(isConfirmedCopy ? identity : { ...known.identity, ...identity }),
      })
      .execute()
    return 'none'
  }
  const tables = [...new Set([...known.tables, ...restored])].slice(0, 16)
  const isSame =
    known.found_epoch === epoch &&
    (known.found_counter ?? 0) <= counter &&
    tables.length === known.tables.length &&
    isSameDatabase(known.found_identity ?? {}, identity)
  if (known.restored_at !== null && isSame) {
    if (known.found_counter !== counter) await tx.updateTable(table).set({ found_counter: counter }).execute()
    return known.next_epoch === null ? 'waits' : 'confirmed'
  }
  await tx
    .updateTable(table)
    .set({
      ...SETTLED,
      restored_at: known.restored_at ?? now,
      found_epoch: epoch,
      found_counter: counter,
      found_identity: JSON.stringify(identity),
      tables,
      as_of: ago_ms === null ? known.as_of : new Date(now.getTime() - ago_ms),
      removed: known.removed,
    })
    .execute()
  return 'waits'
}

/** The numbers that reach a database of the game, each with the table and column that gives them. */
const NUMBERS: Partial<Record<GamePlace, [table: string, column: string]>> = {
  shop: ['deliveries', 'delivery'],
  game: ['service_orders', 'service_order'],
}

/** A number that reached the game is never used again, also where the site was restored from before it (BRIDGE-25). */
async function skipUsedNumbers(tx: Db, place: GamePlace, highest: number): Promise<void> {
  const numbers = NUMBERS[place]
  if (numbers === undefined || highest === 0) return
  const [table, column] = numbers
  const { rows } = await sql<{ name: string }>`select pg_get_serial_sequence(${table}, ${column}) as name`.execute(tx)
  const name = rows[0]?.name ?? ''
  await sql`select setval(${name}, ${highest}) from ${sql.raw(name)} where last_value < ${highest}`.execute(tx)
}

/** Services that a restore had lost are there again, and what was refunded is not. */
async function forgetLostServices(tx: Db, since: Date): Promise<void> {
  const { rows } = await sql<{ delivery: number | null }>`
    update service_orders set lost_at = null where lost_at >= ${since} returning delivery`.execute(tx)
  await sql`
    update deliveries set in_game = '', marked_at = null
    where is_service and marked_at >= ${since}
      and (in_game = 'taken' or (in_game = 'lost' and delivery = any(${rows.map(({ delivery }) => delivery)}::bigint[])))`.execute(
    tx,
  )
}

/** Removes what was marked since a moment because a database was taken for a restored one. */
async function forgetMarks(tx: Db, place: GamePlace, since: Date): Promise<void> {
  if (place === 'shop')
    await tx
      .updateTable('deliveries')
      .set({ in_game: '' })
      .where('in_game', 'in', ['lost', 'back', 'again', 'twice'])
      .where('is_service', '=', false)
      .where('marked_at', '>=', since)
      .execute()
  else if (place === 'game') await forgetLostServices(tx, since)
  else
    await tx
      .updateTable('game_balances')
      .set({ back_amount: null, back_at: null })
      .where('back_at', '>=', since)
      .execute()
}

/**
 * For an agent that only reports what it has read, which takes no lock. It must be the one at work.
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
