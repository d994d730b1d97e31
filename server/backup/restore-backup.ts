import type { Readable } from 'node:stream'
import { sql } from 'kysely'
import { migrate, readMigrations, readSchemaState } from '#server/db/migrate.ts'
import type { Db } from '#server/db/open.ts'
import { recordRestore } from './backup-records.ts'
import { FILLED_BY_MIGRATIONS, listTables, type TableShape } from './tables.ts'
import { BACKUP_FORMAT, type BackupLine } from './write-backup.ts'

/** A restore is impossible, because the backup is incomplete or damaged, or the database is not empty. */
export class RestoreError extends Error {
  override name = 'RestoreError'
}

/**
 * Restores a backup of an embedded or PostgreSQL database into an empty database of either kind. Migrates to the backup's
 * version, loads every row in one transaction, then migrates to the newest version.
 *
 * @param name the backup's file name, which the desk shows
 * @returns how many rows were loaded
 * @throws RestoreError, without any rows loaded
 */
export async function restoreBackup(db: Db, input: Readable, name = ''): Promise<number> {
  try {
    return await loadBackup(db, readLines(input), name)
  } finally {
    input.destroy()
  }
}

async function loadBackup(db: Db, lines: AsyncGenerator<string, undefined>, name: string): Promise<number> {
  const header = parseLine((await lines.next()).value)
  if (header === undefined || !('format' in header) || header.format !== BACKUP_FORMAT) {
    throw new RestoreError('This is not a backup of this site.')
  }
  const migration = (await readMigrations()).find(({ name }) => name === header.migration)
  if (header.schema === undefined || (migration !== undefined && migration.hash !== header.schema))
    throw new RestoreError(
      'The backup was made by a version of the site that was never released. It cannot be restored.',
    )
  if (migration === undefined)
    throw new RestoreError(`The backup was made by a newer version of the site (${header.migration}).`)
  await refuseUnlessEmpty(db, await listTables(db))
  const { newest } = await readSchemaState(db)
  if (newest > header.migration) {
    throw new RestoreError(
      `The database is newer (${newest}) than the backup (${header.migration}): restore into a new database.`,
    )
  }
  await migrate(db, { target: header.migration })
  const count = await db.transaction().execute(async (tx) => {
    await sql`set local statement_timeout = 0`.execute(tx)
    await sql`set local idle_in_transaction_session_timeout = 0`.execute(tx)
    const tables = await listTables(tx)
    await refuseUnlessEmpty(tx, tables)
    const restoreRules = await suspendRules(tx)
    for (const { name } of tables.filter(isFilledByMigrations)) await sql`delete from ${sql.table(name)}`.execute(tx)
    let loadedCount = 0
    for (;;) {
      const line = parseLine((await lines.next()).value)
      if (line === undefined) throw new RestoreError('The backup is cut off: its last line is missing.')
      if ('end' in line) {
        if (line.rows !== loadedCount)
          throw new RestoreError(`The backup is damaged: ${loadedCount} of ${line.rows} rows.`)
        break
      }
      if (!('table' in line)) throw new RestoreError('The backup is damaged.')
      const shape = tables.find((table) => table.name === line.table)
      if (shape === undefined) throw new RestoreError(`The backup has an unknown table ${line.table}.`)
      await insertRows(tx, shape, line.rows)
      loadedCount += line.rows.length
    }
    for (const table of tables) await continueNumbering(tx, table)
    await restoreRules()
    return loadedCount
  })
  await migrate(db)
  await recordRestore(db, { name, madeAt: new Date(header.created_at), rows: count })
  return count
}

/**
 * Suspends the rules that do not apply to rows of a backup: triggers, because the backup contains their results, and
 * `not valid` constraints, because rows from before such a constraint need not satisfy it.
 *
 * @returns a function that restores both
 */
async function suspendRules(tx: Db): Promise<() => Promise<void>> {
  const { rows: tables } = await sql<{ name: string }>`
    select distinct tgrelid::regclass::text as name from pg_trigger t join pg_class c on c.oid = t.tgrelid
    where not t.tgisinternal and c.relnamespace = to_regnamespace(current_schema())`.execute(tx)
  const { rows: constraints } = await sql<{ table_name: string; name: string; definition: string }>`
    select conrelid::regclass::text as table_name, conname as name, pg_get_constraintdef(oid) as definition
    from pg_constraint
    where contype = 'c' and not convalidated and connamespace = to_regnamespace(current_schema())`.execute(tx)
  for (const { name } of tables) await sql`alter table ${sql.table(name)} disable trigger user`.execute(tx)
  for (const { table_name, name } of constraints)
    await sql`alter table ${sql.table(table_name)} drop constraint ${sql.ref(name)}`.execute(tx)
  return async () => {
    for (const { name } of tables) await sql`alter table ${sql.table(name)} enable trigger user`.execute(tx)
    for (const { table_name, name, definition } of constraints)
      await sql`alter table ${sql.table(table_name)} add constraint ${sql.ref(name)} ${sql.raw(definition)}`.execute(tx)
  }
}

/** The instructions when the database is not empty. */
const EMPTY_DATABASE_HINT =
  'A restore overwrites nothing. Stop the site and rename the folder db in DATA_DIR, or name a new database in DATABASE_URL; then restore again.'

const isFilledByMigrations = ({ name }: TableShape) => FILLED_BY_MIGRATIONS.has(name)

async function refuseUnlessEmpty(db: Db, tables: TableShape[]): Promise<void> {
  const queries = tables
    .filter((table) => !isFilledByMigrations(table))
    .map(({ name }) => sql`select ${sql.lit(name)} as name where exists (select from ${sql.table(name)})`)
  if (queries.length === 0) return
  const { rows } = await sql<{ name: string }>`${sql.join(queries, sql` union all `)} limit 1`.execute(db)
  const [filledTable] = rows
  if (filledTable !== undefined)
    throw new RestoreError(`The database is not empty: ${filledTable.name} has rows. ${EMPTY_DATABASE_HINT}`)
}

/** Splits a text that arrives in chunks into lines. @throws RestoreError with the reason why the rest cannot be read */
async function* readLines(input: Readable): AsyncGenerator<string, undefined> {
  /** The chunks of the current line. They are joined only at its end, because a line with pictures has thousands. */
  let lineParts: string[] = []
  input.setEncoding('utf8')
  try {
    for await (const chunk of input) {
      const [end, ...nextLines] = String(chunk).split('\n')
      lineParts.push(end ?? '')
      for (const nextLine of nextLines) {
        yield lineParts.join('')
        lineParts = [nextLine]
      }
    }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'Z_BUF_ERROR') throw new RestoreError('The backup is cut off.')
    if (code === 'Z_DATA_ERROR') throw new RestoreError('This is not a backup of this site.')
    throw new RestoreError(`The backup cannot be read: ${message}.`)
  }
  const lastLine = lineParts.join('')
  if (lastLine !== '') yield lastLine
  return undefined
}

function parseLine(text: string | undefined): BackupLine | undefined {
  if (text === undefined || text === '') return undefined
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as BackupLine) : undefined
  } catch {
    return undefined
  }
}

async function insertRows(tx: Db, { name, columns }: TableShape, rows: unknown[]): Promise<void> {
  const columnList = sql.join(columns.map((column) => sql.ref(column)))
  await sql`insert into ${sql.table(name)} (${columnList}) overriding system value
    select ${columnList} from jsonb_populate_recordset(null::${sql.table(name)}, ${JSON.stringify(rows)}::jsonb)`.execute(
    tx,
  )
}

async function continueNumbering(tx: Db, { name, identity }: TableShape): Promise<void> {
  if (identity === null) return
  await sql`select setval(pg_get_serial_sequence(${name}, ${identity}),
    coalesce((select max(${sql.ref(identity)}) from ${sql.table(name)}), 0) + 1, false)`.execute(tx)
}
