import { sql } from 'kysely'
import { IncompatibleDatabase } from './errors.ts'
import type { Db } from './open.ts'

/** The schema of a database and the migrations of this code, each in order. */
export type SchemaState = {
  /** The newest migration that the database has, or ''. */
  newest: string
  /** The hash of that migration, which identifies the schema. */
  hash: string
  /** Migrations of this code that the database lacks. */
  pending: string[]
  /** Whether this code can run on the schema after its pending migrations (docs/decisions/003). */
  isCompatible: boolean
}

/** The facts that decide whether the site can use a database. */
type DatabaseFacts = { encoding: string; is_read_only: boolean }

/** The facts that decide whether the site can create and change tables. */
type Rights = {
  role: string
  schema: string | null
  may_create: boolean
  /** The owner of the site's tables, if the site's role may not change them. */
  other_owner: string | null
  /** Tables in the site's schema, without those of extensions. */
  tables: string[]
}

/**
 * Refuses a database that the site cannot use, before anything in it is changed.
 *
 * @throws IncompatibleDatabase
 */
export async function refuseIncompatible(db: Db, state: SchemaState): Promise<void> {
  const { rows: facts } = await sql<DatabaseFacts>`
    select current_setting('server_encoding') as encoding,
      pg_is_in_recovery() or current_setting('transaction_read_only')::boolean as is_read_only`.execute(db)
  const encoding = facts[0]?.encoding
  if (encoding !== 'UTF8')
    throw new IncompatibleDatabase(
      `The database's encoding is ${encoding}, but the site needs UTF8. Create another one: createdb --encoding=UTF8 --template=template0 NAME.`,
    )
  if (facts[0]?.is_read_only)
    throw new IncompatibleDatabase(
      'The database accepts no changes: it is a standby or set to read-only. Point DATABASE_URL at the primary server.',
    )
  // Most starts change no table, and need not read the catalog.
  const rights = state.pending.length === 0 ? undefined : await readRights(db)
  const tables = rights?.tables ?? []
  if (tables.length > 0 && !tables.includes('site_migrations'))
    throw new IncompatibleDatabase(
      `The database contains tables of another program (${tables.length > 3 ? `${tables.slice(0, 3).join(', ')}, …` : tables.join(', ')}). Give the site a database of its own.`,
    )
  if (!state.isCompatible)
    throw new IncompatibleDatabase(
      `The database was upgraded by a newer version of the site (${state.newest}), and this version cannot work with it. Start the newer version, or restore a backup from before the upgrade into an empty database.`,
    )
  if (rights === undefined) return
  const { role, schema } = rights
  if (!rights.may_create)
    throw new IncompatibleDatabase(
      schema === null
        ? `The role ${role} has no schema for its tables. Run this in the database as an administrator: GRANT USAGE, CREATE ON SCHEMA public TO ${role};`
        : `The role ${role} may not create tables. Run this in the database as an administrator: GRANT CREATE ON SCHEMA ${schema} TO ${role};`,
    )
  if (rights.other_owner !== null)
    throw new IncompatibleDatabase(
      `The tables belong to the role ${rights.other_owner}, so ${role} cannot upgrade them. Run this in the database as an administrator: GRANT ${rights.other_owner} TO ${role};`,
    )
}

async function readRights(db: Db): Promise<Rights | undefined> {
  const { rows } = await sql<Rights>`
    with own_tables as (
      select c.relname::text as name, c.relowner from pg_class c
      where c.relnamespace = to_regnamespace(current_schema()) and c.relkind in ('r', 'p')
        and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
    )
    select current_user::text as role, current_schema()::text as schema,
      coalesce(has_schema_privilege(current_schema(), 'create'), false) as may_create,
      (select min(relowner::regrole::text) from own_tables where not pg_has_role(relowner, 'usage')) as other_owner,
      array(select name from own_tables order by name) as tables`.execute(db)
  return rows[0]
}
