import { type RawBuilder, sql } from 'kysely'
import { orderEntries, type SiteKind } from '#contract/site.ts'
import type { Db } from '#server/db/open.ts'
import { refuse } from '#server/errors.ts'

/** A kind of entries: its table and key, which rows of the table are its, and whether new ones come first. */
type EntryTable = { table: string; key: string; only: RawBuilder<unknown>; newFirst: boolean }

const entryTable = (
  table: string,
  { key = 'id', only = sql`true`, newFirst = true }: Partial<EntryTable> = {},
): EntryTable => ({
  table,
  key,
  only,
  newFirst,
})

const ENTRY_TABLES: Record<SiteKind, EntryTable> = {
  banners: entryTable('banners'),
  downloads: entryTable('downloads', { key: 'seq', newFirst: false }),
  gallery: entryTable('media', { only: sql`kind = 'gallery'` }),
  wallpaper: entryTable('media', { only: sql`kind = 'wallpaper'` }),
  movie: entryTable('media', { only: sql`kind = 'movie'` }),
  'club-areas': entryTable('club_areas', { newFirst: false }),
}

type Row = Record<string, unknown> & { id: number; version: number }

/** Which entry, and the version that a change was made from. */
export type EntryAt = { id: number; version: number }

/** An entry, locked until the transaction ends. @throws Refusal 404, 409 for another version */
async function lockEntry(tx: Db, kind: SiteKind, { id, version }: EntryAt): Promise<Row> {
  const { table, key, only } = ENTRY_TABLES[kind]
  const { rows } =
    await sql<Row>`select * from ${sql.table(table)} where ${sql.ref(key)} = ${id} and ${only} for update`.execute(tx)
  const [row] = rows
  if (row === undefined) throw refuse(orderEntries, 'entryNotFound')
  if (row.version !== version) throw refuse(orderEntries, 'conflict')
  return row
}

/**
 * Makes an entry, at the beginning or the end of its kind, or changes one.
 *
 * @param at the entry to change; its `id` is null for a new one
 * @returns its number, and its columns before and after
 * @throws Refusal 404, 409 for another version
 */
export async function writeEntry(
  tx: Db,
  kind: SiteKind,
  at: { id: number | null; version: number },
  values: Record<string, unknown>,
): Promise<{ id: number; before: Record<string, unknown>; after: Record<string, unknown> }> {
  const { table, key, only, newFirst } = ENTRY_TABLES[kind]
  const columns = Object.keys(values)
  const before: Record<string, unknown> = at.id === null ? {} : await lockEntry(tx, kind, { ...at, id: at.id })
  const place = newFirst ? sql`coalesce(min(position), 1) - 1` : sql`coalesce(max(position), 0) + 1`
  const written =
    at.id === null
      ? sql<Row>`
          insert into ${sql.table(table)} (position, ${sql.join(columns.map((column) => sql.ref(column)))})
          values ((select ${place} from ${sql.table(table)} where ${only}), ${sql.join(Object.values(values))})
          returning *`
      : sql<Row>`
          update ${sql.table(table)} set version = version + 1,
            ${sql.join(columns.map((column) => sql`${sql.ref(column)} = ${values[column]}`))}
          where ${sql.ref(key)} = ${at.id} returning *`
  const [row] = (await written.execute(tx)).rows
  if (row === undefined) throw refuse(orderEntries, 'entryNotFound')
  const shown = (whole: Record<string, unknown>) =>
    Object.fromEntries(columns.filter((column) => column in whole).map((column) => [column, whole[column]]))
  return { id: Number(row[key]), before: shown(before), after: shown(row) }
}

/** Deletes an entry. @returns its columns @throws Refusal 404, 409 for another version */
export async function deleteEntry(tx: Db, kind: SiteKind, at: EntryAt): Promise<Record<string, unknown>> {
  const { table, key } = ENTRY_TABLES[kind]
  const row = await lockEntry(tx, kind, at)
  await sql`delete from ${sql.table(table)} where ${sql.ref(key)} = ${at.id}`.execute(tx)
  return row
}

/**
 * Puts the entries of a kind into another order. `ids` names each of them once.
 *
 * @returns the order before
 * @throws Refusal 409 when they are not the ones that there are
 */
export async function reorderEntries(tx: Db, kind: SiteKind, ids: readonly number[]): Promise<number[]> {
  const { table, key, only } = ENTRY_TABLES[kind]
  const { rows } = await sql<{ id: number }>`
    select ${sql.ref(key)} as id from ${sql.table(table)} where ${only} order by position, ${sql.ref(key)} for update`.execute(
    tx,
  )
  const present = rows.map(({ id }) => Number(id))
  if (present.toSorted().join() !== ids.toSorted().join()) throw refuse(orderEntries, 'conflict')
  await sql`
    update ${sql.table(table)} set position = place from unnest(${[...ids]}::bigint[]) with ordinality as wanted (id, place)
    where ${sql.ref(`${table}.${key}`)} = wanted.id and ${sql.ref(`${table}.position`)} <> place`.execute(tx)
  return present
}
