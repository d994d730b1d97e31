import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import type { Db } from './open.ts'

const FOLDER = join(import.meta.dirname, 'migrations')

/**
 * Brings the database to the newest migration (or to `target`), under Kysely's lock, which makes
 * processes that start together wait for each other.
 *
 * @returns the names of the migrations applied by this call
 * @throws the error of the first migration that failed; it is rolled back
 */
export async function migrate(db: Db, target?: string): Promise<string[]> {
  const migrator = new Migrator({ db, provider: { getMigrations: readMigrations } })
  const { error, results = [] } = target ? await migrator.migrateTo(target) : await migrator.migrateToLatest()
  if (error) throw error
  return results.filter((result) => result.status === 'Success').map((result) => result.migrationName)
}

/** The name of the newest migration applied to a database, or '' for an empty one. */
export async function newestApplied(db: Db): Promise<string> {
  const known = await new Migrator({ db, provider: { getMigrations: readMigrations } }).getMigrations()
  return known.findLast(({ executedAt }) => executedAt !== undefined)?.name ?? ''
}

/** The name of the newest migration in the migrations folder. */
export async function newestMigration(): Promise<string> {
  return (
    Object.keys(await readMigrations())
      .sort()
      .at(-1) ?? ''
  )
}

async function readMigrations(): Promise<Record<string, Migration>> {
  const files = (await readdir(FOLDER)).filter((file) => file.endsWith('.sql')).sort()
  const entries = await Promise.all(
    files.map(async (file) => {
      const statements = splitStatements(await readFile(join(FOLDER, file), 'utf8'))
      const up = async (db: Db) => {
        for (const statement of statements) await sql.raw(statement).execute(db)
      }
      return [file.replace(/\.sql$/, ''), { up }] as const
    }),
  )
  return Object.fromEntries(entries)
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
