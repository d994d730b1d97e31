import { type Selectable, sql } from 'kysely'
import { type DatabaseIdentity, type GameCopy, type GameDatabase, isSameDatabase } from '#contract/bridge.ts'
import type { Db } from '#server/db/open.ts'
import type { Schema } from '#server/db/schema.ts'

/** The tables with the last known state of each database that the bridge writes to. They have the same columns. */
export const STATE_TABLES: Record<GameDatabase, 'game_copy'> = {
  shop: 'game_copy',
  user: 'game_user_copy' as 'game_copy',
  game: 'game_character_copy' as 'game_copy',
}

/** The restore of a game's database: none, one that waits for an owner, or a confirmed one that the agent has not applied yet. */
export type RestoreState = 'none' | 'waits' | 'confirmed'

const NO_RESTORE = {
  restored_at: null,
  found_epoch: null,
  found_counter: null,
  found_identity: null,
  looked_through: null,
  looked_at: null,
  next_epoch: null,
  as_of: null,
}

/**
 * Compares the reported state of a database with the stored one, and stores the reported one (BRIDGE-27). Another
 * identity, another epoch or a lower counter is a restore: work on the database then stops until an owner has confirmed
 * it (decision 033).
 */
export async function updateDatabaseState(
  tx: Db,
  database: GameDatabase,
  { epoch, counter, ago_ms, identity, highest }: GameCopy,
  now: Date,
): Promise<RestoreState> {
  const table = STATE_TABLES[database]
  await skipUsedIds(tx, database, highest)
  const storedState =
    (await tx.selectFrom(table).selectAll().forUpdate().executeTakeFirst()) ??
    (await tx
      .insertInto(table)
      .values({ epoch, counter, identity: JSON.stringify(identity) })
      .returningAll()
      .executeTakeFirstOrThrow())
  if (storedState.next_epoch !== null && epoch === storedState.next_epoch) {
    // Bridges that worked on this database may still report the work that was issued to them.
    if (database === 'shop')
      await tx.updateTable('bridges').set({ epoch }).where('epoch', '=', storedState.epoch).execute()
    await tx
      .updateTable(table)
      .set({ epoch, counter, ...NO_RESTORE, identity: JSON.stringify(identity) })
      .execute()
    return 'none'
  }
  if (epoch === storedState.epoch && counter >= storedState.counter && isSameDatabase(storedState.identity, identity)) {
    // The bridge sees the original database again, so the results of comparing another database no longer apply.
    if (storedState.restored_at !== null) await clearComparisonResults(tx, database, storedState.restored_at)
    if (
      storedState.restored_at !== null ||
      counter !== storedState.counter ||
      hasNewFact(storedState.identity, identity)
    )
      await tx
        .updateTable(table)
        .set({ counter, ...NO_RESTORE, identity: JSON.stringify({ ...storedState.identity, ...identity }) })
        .execute()
    return 'none'
  }
  if (isSameRestore(storedState, { epoch, counter, identity })) {
    if (storedState.found_counter !== counter) await tx.updateTable(table).set({ found_counter: counter }).execute()
    return storedState.next_epoch === null ? 'waits' : 'confirmed'
  }
  await tx
    .updateTable(table)
    .set({
      ...NO_RESTORE,
      restored_at: storedState.restored_at ?? now,
      found_epoch: epoch,
      found_counter: counter,
      found_identity: JSON.stringify(identity),
      as_of: ago_ms === null ? storedState.as_of : new Date(now.getTime() - ago_ms),
    })
    .execute()
  return 'waits'
}

/** Returns whether the agent found a fact that is not stored, or stored with another value. */
const hasNewFact = (storedIdentity: DatabaseIdentity, foundIdentity: DatabaseIdentity) =>
  Object.keys(foundIdentity).some((name) => foundIdentity[name] !== storedIdentity[name])

/** Returns whether the reported state belongs to the restore that is already recorded, and not to a further one. */
const isSameRestore = (
  storedState: Selectable<Schema['game_copy']>,
  { epoch, counter, identity }: Pick<GameCopy, 'epoch' | 'counter' | 'identity'>,
) =>
  storedState.restored_at !== null &&
  storedState.found_epoch === epoch &&
  (storedState.found_counter ?? 0) <= counter &&
  isSameDatabase(storedState.found_identity ?? {}, identity)

/** The site's id columns whose values are stored in a database of the game. */
const ID_COLUMNS: Partial<Record<GameDatabase, [table: string, column: string]>> = {
  shop: ['deliveries', 'delivery'],
  game: ['service_orders', 'service_order'],
}

/**
 * Moves the id sequence to at least the highest id in the game's database. After a restore of the site, an id could
 * otherwise be issued twice (BRIDGE-25).
 */
async function skipUsedIds(tx: Db, database: GameDatabase, highest: number): Promise<void> {
  const idColumn = ID_COLUMNS[database]
  if (idColumn === undefined || highest === 0) return
  const [table, column] = idColumn
  const { rows } = await sql<{ name: string }>`select pg_get_serial_sequence(${table}, ${column}) as name`.execute(tx)
  const name = rows[0]?.name ?? ''
  await sql`select setval(${name}, ${highest}) from ${sql.raw(name)} where last_value < ${highest}`.execute(tx)
}

/** Removes the comparison results of a wrongly detected restore, from `since` on. */
async function clearComparisonResults(tx: Db, database: GameDatabase, since: Date): Promise<void> {
  if (database === 'user')
    await tx
      .updateTable('game_balances')
      .set({ back_amount: null, back_at: null })
      .where('back_at', '>=', since)
      .execute()
  else
    await sql`
      update deliveries set in_game = '', marked_at = null
      where is_service = ${database === 'game'} and marked_at >= ${since}
        and in_game in ('lost', 'back', 'again', 'twice', 'taken')`.execute(tx)
  if (database === 'game')
    await tx.updateTable('service_orders').set({ lost_at: null }).where('lost_at', '>=', since).execute()
}

/**
 * Continues a restore. While it waits, returns the items that the agent compares next, or records that all were compared.
 * After its confirmation, returns the epoch for the database.
 *
 * @param selectNext returns the items to compare after a number; null for the first ones
 */
export async function continueRestore<Item>(
  tx: Db,
  database: GameDatabase,
  { restore, now }: { restore: RestoreState; now: Date },
  selectNext: (after: number | null) => Promise<Item[]>,
): Promise<{ restore: RestoreState; look: Item[]; next_epoch: string | null }> {
  if (restore === 'none') return { restore, look: [], next_epoch: null }
  const { looked_at, looked_through, next_epoch } = await tx
    .selectFrom(STATE_TABLES[database])
    .select(['looked_at', 'looked_through', 'next_epoch'])
    .executeTakeFirstOrThrow()
  if (restore === 'confirmed') return { restore, look: [], next_epoch }
  const items = looked_at === null ? await selectNext(looked_through) : []
  if (items.length === 0 && looked_at === null)
    await tx.updateTable(STATE_TABLES[database]).set({ looked_at: now }).execute()
  return { restore, look: items, next_epoch: null }
}

/** Stores the number of the last unit, service or game account that the agent has compared. */
export const noteComparisonProgress = (tx: Db, database: GameDatabase, through: number) =>
  tx
    .updateTable(STATE_TABLES[database])
    .set({ looked_through: sql`greatest(coalesce(looked_through, ${through}::bigint), ${through}::bigint)` })
    .execute()
