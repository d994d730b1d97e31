import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Db } from './open.ts'
import { refuseUnfit, type SchemaState } from './refuse-unfit.ts'

const FOLDER = join(import.meta.dirname, 'migrations')
/** The advisory lock of Kysely's migrator, so that a process of the site's first version waits too. */
const LOCK = '3853314791062309107'
/** How long a migration waits for a table that somebody has locked. */
const LOCK_WAIT_MS = 10_000

/** Compares the schema of a database with the migrations of this code. Creates nothing. */
export async function readSchemaState(db: Db): Promise<SchemaState> {
  const applied = await readApplied(db)
  const own = Object.keys(await readMigrations())
  const unknown = applied.filter((name) => !own.includes(name))
  return {
    newest: applied.at(-1) ?? '',
    pending: own.filter((name) => !applied.includes(name)),
    unknown,
    isCompatible: unknown.length === 0 || (own.at(-1) ?? '') >= (await readOldestCode(db)),
  }
}

/**
 * Brings the database to the newest migration (or to `target`), in one transaction and one process at a time. Migrations
 * of a newer version stay.
 *
 * @returns the names of the migrations applied by this call
 * @throws UnfitDatabase when the database cannot take this site; the error of the first statement that failed otherwise;
 * nothing is changed then
 */
export async function migrate(db: Db, target = '~'): Promise<string[]> {
  const migrations = await readMigrations()
  return db.transaction().execute(async (tx) => {
    await sql`set local statement_timeout = 0`.execute(tx)
    await sql`set local lock_timeout = 0`.execute(tx)
    await sql`select pg_advisory_xact_lock(${sql.raw(LOCK)})`.execute(tx)
    const state = await readSchemaState(tx)
    await refuseUnfit(tx, state)
    // While a statement waits for the lock of a table, everybody else's statements on it wait behind it.
    await sql`set local lock_timeout = ${sql.lit(LOCK_WAIT_MS)}`.execute(tx)
    const applied = state.pending.filter((name) => name <= target)
    // The name and shape that Kysely's migrator gave it, which the site used at first.
    if (state.newest === '')
      await sql`create table if not exists kysely_migration (
        name varchar(255) primary key, timestamp varchar(255) not null)`.execute(tx)
    for (const name of applied) {
      await migrations[name]?.(tx)
      await sql`insert into kysely_migration (name, timestamp) values (${name}, ${new Date().toISOString()})`.execute(
        tx,
      )
    }
    return applied
  })
}

/** The names of the migrations in the migrations folder, in order. */
export async function listMigrations(): Promise<string[]> {
  return Object.keys(await readMigrations())
}

async function readApplied(db: Db): Promise<string[]> {
  if (!(await hasTable(db, 'kysely_migration'))) return []
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db)
  return rows.map(({ name }) => name)
}

/** The newest migration of the oldest code that can use the schema; without the table, no other code can. */
async function readOldestCode(db: Db): Promise<string> {
  if (!(await hasTable(db, 'schema_compatibility'))) return '~'
  const { rows } = await sql<{ oldest_code: string }>`select oldest_code from schema_compatibility`.execute(db)
  return rows[0]?.oldest_code ?? '~'
}

async function hasTable(db: Db, name: string): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`select to_regclass(${name}) is not null as found`.execute(db)
  return rows[0]?.found === true
}

async function readMigrations(): Promise<Record<string, (tx: Db) => Promise<void>>> {
  const files = (await readdir(FOLDER)).filter((file) => file.endsWith('.sql')).sort()
  const entries = await Promise.all(
    files.map(async (file) => {
      const script = await readFile(join(FOLDER, file), 'utf8')
      const statements = splitStatements(script)
      const needed = neededCode(script)
      const apply = async (tx: Db) => {
        for (const statement of statements) await sql.raw(statement).execute(tx)
        if (needed !== null) await sql`update schema_compatibility set oldest_code = ${needed}`.execute(tx)
      }
      return [file.replace(/\.sql$/, ''), apply] as const
    }),
  )
  return Object.fromEntries(entries)
}

/**
 * What a migration that takes something away says in a line of its own: `-- contract: needs 020-some-name`, the newest
 * migration of the oldest code that does without it.
 */
export function neededCode(script: string): string | null {
  return /^-- contract: needs (\d{3}-[a-z0-9-]+)$/m.exec(script)?.[1] ?? null
}

/** Splits a script at semicolons that end a line, outside of $$ bodies: the embedded database takes one statement at a time. */
export function splitStatements(script: string): string[] {
  const statements: string[] = []
  let current = ''
  let inBody = false
  for (const line of script.split('\n')) {
    if ((line.match(/\$\$/g)?.length ?? 0) % 2 === 1) inBody = !inBody
    current += `${line}\n`
    if (!inBody && line.trimEnd().endsWith(';')) {
      statements.push(current.trim())
      current = ''
    }
  }
  return current.trim() === '' ? statements : [...statements, current.trim()]
}
