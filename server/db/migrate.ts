import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { IncompatibleDatabase } from './errors.ts'
import type { Db } from './open.ts'
import { refuseIncompatible, type SchemaState } from './refuse-incompatible.ts'

const MIGRATIONS_FOLDER = join(import.meta.dirname, 'migrations')
/** The time that a migration waits for a locked table. */
const LOCK_WAIT_MS = 10_000

export type Migration = {
  name: string
  /** The hash of its statements and those of all earlier migrations, without comments. It identifies the resulting schema. */
  hash: string
  statements: string[]
  /** For a migration that removes something: only code with the migration of this name can use the schema afterwards. */
  oldestCode: string | null
}

/**
 * Compares the schema of a database with the migrations of this code. Creates nothing.
 *
 * @throws IncompatibleDatabase when the database was made by a version that was never released
 */
export async function readSchemaState(db: Db, folder = MIGRATIONS_FOLDER): Promise<SchemaState> {
  const ownMigrations = await readMigrations(folder)
  const appliedMigrations = await readApplied(db)
  const hashes = new Map(ownMigrations.map(({ name, hash }) => [name, hash]))
  for (const { name, hash } of appliedMigrations)
    if (hashes.has(name) && hashes.get(name) !== hash) throw new IncompatibleDatabase(NEVER_RELEASED_MESSAGE)
  const newestMigration = appliedMigrations.at(-1)
  const oldestCodes = appliedMigrations.map(({ oldest_code }) => oldest_code ?? '').sort()
  return {
    newest: newestMigration?.name ?? '',
    hash: newestMigration?.hash ?? '',
    pending: ownMigrations
      .map(({ name }) => name)
      .filter((name) => !appliedMigrations.some((migration) => migration.name === name)),
    isCompatible:
      appliedMigrations.every(({ name }) => hashes.has(name)) ||
      (ownMigrations.at(-1)?.name ?? '') >= (oldestCodes.at(-1) ?? ''),
  }
}

/**
 * Brings the database to the newest migration (or to `target`), in one transaction and one process at a time. Migrations
 * of a newer version stay.
 *
 * @returns the names of the migrations applied by this call
 * @throws IncompatibleDatabase when this site cannot use the database; otherwise the error of the first failed
 *   statement. Then nothing is changed
 */
export async function migrate(db: Db, { target = '~', folder = MIGRATIONS_FOLDER } = {}): Promise<string[]> {
  const migrations = await readMigrations(folder)
  return db.transaction().execute(async (tx) => {
    await sql`set local statement_timeout = 0`.execute(tx)
    await sql`set local lock_timeout = 0`.execute(tx)
    await sql`select pg_advisory_xact_lock(hashtext('site_migrations'))`.execute(tx)
    const state = await readSchemaState(tx, folder)
    await refuseIncompatible(tx, state)
    // While a statement waits for a table's lock, all later statements of others on that table wait too.
    await sql`set local lock_timeout = ${sql.lit(LOCK_WAIT_MS)}`.execute(tx)
    const newMigrations = migrations.filter(({ name }) => state.pending.includes(name) && name <= target)
    if (state.newest === '')
      await sql`create table site_migrations (
        name text primary key, hash text not null, oldest_code text, applied_at timestamptz not null)`.execute(tx)
    for (const { name, hash, statements, oldestCode } of newMigrations) {
      for (const statement of statements) await sql.raw(statement).execute(tx)
      await sql`insert into site_migrations values (${name}, ${hash}, ${oldestCode}, now())`.execute(tx)
    }
    return newMigrations.map(({ name }) => name)
  })
}

const NEVER_RELEASED_MESSAGE =
  'The database was made by a version of the site that was never released, and cannot be upgraded. Give the site an empty one: another DATA_DIR, or another database in DATABASE_URL.'

type AppliedMigration = { name: string; hash: string; oldest_code: string | null }

async function readApplied(db: Db): Promise<AppliedMigration[]> {
  const { rows: facts } = await sql<{ ours: boolean; never_released: boolean }>`
    select to_regclass('site_migrations') is not null as ours,
      to_regclass('kysely_migration') is not null and to_regclass('ledger') is not null as never_released`.execute(db)
  if (facts[0]?.never_released) throw new IncompatibleDatabase(NEVER_RELEASED_MESSAGE)
  if (!facts[0]?.ours) return []
  const { rows } =
    await sql<AppliedMigration>`select name, hash, oldest_code from site_migrations order by name`.execute(db)
  return rows
}

/** Reads the migrations in a folder, in order. */
export async function readMigrations(folder = MIGRATIONS_FOLDER): Promise<Migration[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.sql')).sort()
  const scripts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')))
  let hash = ''
  return scripts.map((script, index) => {
    const plainText = script.replace(/--.*$/gm, '').replace(/\s+/g, ' ')
    hash = createHash('sha256').update(`${hash} ${plainText}`).digest('hex')
    return {
      name: (files[index] ?? '').replace(/\.sql$/, ''),
      hash,
      statements: splitStatements(script),
      oldestCode: readOldestCode(script),
    }
  })
}

/**
 * Reads the line of a migration that removes something: `-- contract: needs 020-some-name`. Only code that has the
 * migration of this name can run without the removed parts.
 */
function readOldestCode(script: string): string | null {
  return /^-- contract: needs (\d{3}-[a-z0-9-]+)$/m.exec(script)?.[1] ?? null
}

/** Splits a script at semicolons that end a line, outside of $$ bodies: the embedded database takes one statement at a time. */
export function splitStatements(script: string): string[] {
  const statements: string[] = []
  let current = ''
  let isInBody = false
  for (const line of script.split('\n')) {
    if ((line.match(/\$\$/g)?.length ?? 0) % 2 === 1) isInBody = !isInBody
    current += `${line}\n`
    if (!isInBody && line.trimEnd().endsWith(';')) {
      statements.push(current.trim())
      current = ''
    }
  }
  return current.trim() === '' ? statements : [...statements, current.trim()]
}
