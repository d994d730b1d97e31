import { sql } from 'kysely'
import type { Db } from '#server/db/open.ts'

/** A table with its stored columns. `heavy` tables contain files and are read a few rows at a time. */
export type TableShape = { name: string; columns: string[]; identity: string | null; heavy: boolean }

/** Tables that migrations and triggers fill. A database whose other tables have no rows counts as empty. */
export const FILLED_BY_MIGRATIONS = new Set([
  'shown_per_school',
  'erasure_key',
  'staff_roles',
  'forum_boards',
  'reward_sources',
])

/**
 * Tables that are not backed up. They identify this database, describe the running site, or hold passwords in the game's
 * format until the bridge fetches them.
 */
const EXCLUDED_TABLES = [
  'site_migrations',
  'jobs',
  'recent_errors',
  'alerts',
  'backups',
  'backup_requests',
  'backup_downloads',
  // Without its targets, a restored site cannot delete the backup files of the original site.
  'backup_targets',
  'push_outbox',
  'game_forms',
  'game_form_drafts',
]

/** Lists every table to back up, each after the tables it refers to. */
export async function listTables(db: Db): Promise<TableShape[]> {
  const { rows: columns } = await sql<{
    table_name: string
    column_name: string
    is_identity: boolean
    is_heavy: boolean
  }>`
    select c.relname::text as table_name, a.attname::text as column_name, a.attidentity <> '' as is_identity,
      a.atttypid = 'bytea'::regtype as is_heavy
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname <> all(${EXCLUDED_TABLES}::text[])
      and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    order by c.relname, a.attnum`.execute(db)
  const { rows: references } = await sql<{ child: string; parent: string }>`
    select conrelid::regclass::text as child, confrelid::regclass::text as parent
    from pg_constraint where contype = 'f' and conrelid <> confrelid`.execute(db)

  const shapes = new Map<string, TableShape>()
  for (const { table_name: name, column_name, is_identity, is_heavy } of columns) {
    const shape = shapes.get(name) ?? { name, columns: [], identity: null, heavy: false }
    shape.columns.push(column_name)
    if (is_identity) shape.identity = column_name
    if (is_heavy) shape.heavy = true
    shapes.set(name, shape)
  }
  const orderedShapes: TableShape[] = []
  const visit = (shape: TableShape) => {
    if (orderedShapes.includes(shape)) return
    for (const { child, parent } of references) {
      const parentShape = child === shape.name ? shapes.get(parent) : undefined
      if (parentShape !== undefined) visit(parentShape)
    }
    orderedShapes.push(shape)
  }
  for (const shape of shapes.values()) visit(shape)
  return orderedShapes
}
