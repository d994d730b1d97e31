import { type Selectable, sql } from 'kysely'
import { type DatabaseIdentity, type GameCopy, type GameDatabase, isSameDatabase } from '#contract/bridge.ts'
import type { Db } from '#server/db/open.ts'
import type { Schema } from '#server/db/schema.ts'

/** The tables with the last known state of each database that the bridge writes to. They have the same columns. */
export const COPY_TABLES: Record<GameDatabase, 'game_copy'> = {
  shop: 'game_copy',
  user: 'game_user_copy' as 'game_copy',
  game: 'game_character_copy' as 'game_copy',
}

/** The state of a database of the game: unchanged, restored and unconfirmed, or confirmed. */
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
 * Compares the state of a database with the stored one. Another identity, another epoch or a lower counter is a restore:
 * work on the database then stops until an owner has confirmed it (decision 033).
 */
export async function noteCopy(
  tx: Db,
  database: GameDatabase,
  { epoch, counter, ago_ms, identity, highest }: GameCopy,
  now: Date,
): Promise<RestoreState> {
  const table = COPY_TABLES[database]
  await skipUsedNumbers(tx, database, highest)
  const copy =
    (await tx.selectFrom(table).selectAll().forUpdate().executeTakeFirst()) ??
    (await tx
      .insertInto(table)
      .values({ epoch, counter, identity: JSON.stringify(identity) })
      .returningAll()
      .executeTakeFirstOrThrow())
  if (copy.next_epoch !== null && epoch === copy.next_epoch) {
    // Bridges that worked on this database may still report the work that was issued to them.
    if (database === 'shop') await tx.updateTable('bridges').set({ epoch }).where('epoch', '=', copy.epoch).execute()
    await tx
      .updateTable(table)
      .set({ epoch, counter, ...NO_RESTORE, identity: JSON.stringify(identity) })
      .execute()
    return 'none'
  }
  if (epoch === copy.epoch && counter >= copy.counter && isSameDatabase(copy.identity, identity)) {
    // The known database is back, so differences that were found in another one do not apply.
    if (copy.restored_at !== null) await clearMarks(tx, database, copy.restored_at)
    if (copy.restored_at !== null || counter !== copy.counter || hasNewFact(copy.identity, identity))
      await tx
        .updateTable(table)
        .set({ counter, ...NO_RESTORE, identity: JSON.stringify({ ...copy.identity, ...identity }) })
        .execute()
    return 'none'
  }
  if (isSameRestore(copy, { epoch, counter, identity })) {
    if (copy.found_counter !== counter) await tx.updateTable(table).set({ found_counter: counter }).execute()
    return copy.next_epoch === null ? 'waits' : 'confirmed'
  }
  await tx
    .updateTable(table)
    .set({
      ...NO_RESTORE,
      restored_at: copy.restored_at ?? now,
      found_epoch: epoch,
      found_counter: counter,
      found_identity: JSON.stringify(identity),
      as_of: ago_ms === null ? copy.as_of : new Date(now.getTime() - ago_ms),
    })
    .execute()
  return 'waits'
}

const hasNewFact = (storedIdentity: DatabaseIdentity, foundIdentity: DatabaseIdentity) =>
  Object.keys(foundIdentity).some((name) => foundIdentity[name] !== storedIdentity[name])

/** Returns whether the reported state belongs to the restore that is already recorded, and not to a further one. */
const isSameRestore = (
  copy: Selectable<Schema['game_copy']>,
  { epoch, counter, identity }: Pick<GameCopy, 'epoch' | 'counter' | 'identity'>,
) =>
  copy.restored_at !== null &&
  copy.found_epoch === epoch &&
  (copy.found_counter ?? 0) <= counter &&
  isSameDatabase(copy.found_identity ?? {}, identity)

/** The tables and columns whose numbers are written to a database of the game. */
const NUMBER_COLUMNS: Partial<Record<GameDatabase, [table: string, column: string]>> = {
  shop: ['deliveries', 'delivery'],
  game: ['service_orders', 'service_order'],
}

/** Skips numbers that the game has from before a restore of the site, because a number identifies one unit (BRIDGE-25). */
async function skipUsedNumbers(tx: Db, database: GameDatabase, highest: number): Promise<void> {
  const numbers = NUMBER_COLUMNS[database]
  if (numbers === undefined || highest === 0) return
  const [table, column] = numbers
  const { rows } = await sql<{ name: string }>`select pg_get_serial_sequence(${table}, ${column}) as name`.execute(tx)
  const name = rows[0]?.name ?? ''
  await sql`select setval(${name}, ${highest}) from ${sql.raw(name)} where last_value < ${highest}`.execute(tx)
}

/** Removes the marks that were made since a time because a database was wrongly considered restored. */
async function clearMarks(tx: Db, database: GameDatabase, since: Date): Promise<void> {
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
 * @param selectNext returns the items after a number
 */
export async function continueRestore<Item>(
  tx: Db,
  database: GameDatabase,
  { restore, now }: { restore: RestoreState; now: Date },
  selectNext: (after: number | null) => Promise<Item[]>,
): Promise<{ restore: RestoreState; look: Item[]; next_epoch: string | null }> {
  if (restore === 'none') return { restore, look: [], next_epoch: null }
  const { looked_at, looked_through, next_epoch } = await tx
    .selectFrom(COPY_TABLES[database])
    .select(['looked_at', 'looked_through', 'next_epoch'])
    .executeTakeFirstOrThrow()
  if (restore === 'confirmed') return { restore, look: [], next_epoch }
  const items = looked_at === null ? await selectNext(looked_through) : []
  if (items.length === 0 && looked_at === null)
    await tx.updateTable(COPY_TABLES[database]).set({ looked_at: now }).execute()
  return { restore, look: items, next_epoch: null }
}

/** Stores the number up to which the agent has compared. */
export const noteComparisonProgress = (tx: Db, database: GameDatabase, through: number) =>
  tx
    .updateTable(COPY_TABLES[database])
    .set({ looked_through: sql`greatest(coalesce(looked_through, ${through}::bigint), ${through}::bigint)` })
    .execute()
