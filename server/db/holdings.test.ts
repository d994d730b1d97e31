import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { sql } from 'kysely'
import { PERSONAL_DATA } from '#server/features/players/personal-data.ts'
import { createTestApp } from '#test/helpers.ts'
import { HOLDINGS } from './schema.ts'

const { db } = await createTestApp()

/** Tables without a type, because no handler reads them. */
const UNTYPED_TABLES = ['site_migrations']
const ACCOUNT_COLUMNS = ['user_num', 'buyer', 'recipient', 'player']

/** Lists the columns that can hold a player's text or account number, from the database's catalogue. */
async function findPersonalColumns() {
  const { rows } = await sql<{ table: string; column: string; refers: boolean; is_text: boolean }>`
    select c.relname as table, a.attname as column,
      format_type(a.atttypid, null) ~ 'text|char|json|bytea|bigint\\[\\]' as is_text,
      exists (select from pg_constraint k where k.contype = 'f' and k.confrelid = 'accounts'::regclass
        and k.conrelid = c.oid and a.attnum = any(k.conkey)) as refers
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace and a.attnum > 0 and not a.attisdropped
    order by 1, 2`.execute(db)
  return rows
    .filter(({ table }) => !UNTYPED_TABLES.includes(table))
    .filter(({ column, refers, is_text }) => refers || is_text || ACCOUNT_COLUMNS.includes(column))
}

const holdingsByTable = new Map(HOLDINGS)
const isOperatorColumn = ({ column, refers }: { column: string; refers: boolean }) => refers && column.endsWith('_by')

test('declares every column that can hold a player’s text or account number', async () => {
  const columns = await findPersonalColumns()
  const undeclaredColumns = columns.filter((row) => {
    const {
      player = [],
      erase,
      erasedSeparately = [],
      staffTexts = [],
      notPersonal = [],
    } = holdingsByTable.get(row.table) ?? {}
    if (erase === 'delete' || isOperatorColumn(row)) return false
    return ![player, Object.keys(erase ?? {}), erasedSeparately, staffTexts, notPersonal].flat().includes(row.column)
  })
  assert.deepEqual(
    undeclaredColumns.map(({ table, column }) => `${table}.${column}`),
    [],
    'declare them at the end of the file in server/db/schema that has the table',
  )
})

test('declares only columns that exist', async () => {
  const { rows } = await sql<{ name: string }>`
    select table_name || '.' || column_name as name from information_schema.columns where table_schema = 'public'`.execute(
    db,
  )
  const existingNames = new Set(rows.map(({ name }) => name))
  const declaredNames = HOLDINGS.flatMap(
    ([table, { player = [], erase, erasedSeparately = [], staffTexts = [], notPersonal = [] }]) =>
      [player, erase === 'delete' ? [] : Object.keys(erase ?? {}), erasedSeparately, staffTexts, notPersonal]
        .flat()
        .map((column) => `${table}.${column}`),
  )
  assert.deepEqual(
    declaredNames.filter((name) => !existingNames.has(name)),
    [],
  )
})

test('each table with account numbers declares how the export of a player’s data reads it, or why not', async () => {
  const columns = (await findPersonalColumns()).filter(
    ({ refers, column }) => refers || ACCOUNT_COLUMNS.includes(column),
  )
  const tables = [...new Set(columns.filter((row) => !isOperatorColumn(row)).map(({ table }) => table))]
  const staffColumns = ['actor', 'actor_num', 'assignee', 'last_author']
  const undecidedTables = tables.filter((table) => {
    const { copy, notCopied } = holdingsByTable.get(table) ?? {}
    const playerColumns = columns.filter(
      (row) => row.table === table && !isOperatorColumn(row) && !staffColumns.includes(row.column),
    )
    return playerColumns.length > 0 && copy === undefined && notCopied === undefined
  })
  assert.deepEqual(undecidedTables, [])
})

test('the export of a player’s data reads every table in its declared part', () => {
  for (const [table, { copy }] of HOLDINGS) {
    if (copy === undefined) continue
    const text = PERSONAL_DATA[typeof copy === 'string' ? copy : copy.part]?.(1).compile(db).sql ?? ''
    assert.match(text, new RegExp(`\\b${table}\\b`), table)
  }
})

test('the privacy policy describes the declared data of players, and no other', async () => {
  const policy = await readFile(new URL('../../content/policies/2-privacy-policy.md', import.meta.url), 'utf8')
  const [, list = ''] = policy.split('{#stored}')
  const [rows = ''] = list.split('\n## ')
  const describedData = [...rows.matchAll(/^\| \*\*(.+?)\*\*/gm)].map(([, description = '']) => description)
  const loginData = 'Password, second password and secret answer'
  const declaredNames = new Set([...HOLDINGS.flatMap(([, { policy: row }]) => row ?? []), loginData])
  assert.deepEqual([...declaredNames].toSorted(), describedData.toSorted())
  const undescribedHoldings = HOLDINGS.filter(([, { player, notCopied, policy: row }]) => player && !notCopied && !row)
  assert.deepEqual(undescribedHoldings, [])
})
