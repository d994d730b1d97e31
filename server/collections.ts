import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { Db } from './db/open.ts'
import type { Schema } from './db/schema.ts'
import { type RefusingCall, refuse } from './errors.ts'

/** The row to change (`id`; null for a new row) and the version that the operator has edited. */
type RowVersion<Id = number | null> = { id: Id; version: number | null | undefined }

type CollectionOptions<NotFoundName> = {
  /** The name of the refusal for a row that does not exist. */
  notFoundName: NotFoundName
  key?: string
  /** The condition that selects the collection's rows in the table. */
  condition?: RawBuilder<unknown>
  /** The position of a new row, if the rows have an order. */
  newRowPosition?: 'first' | 'last'
}

/** Rows that operators add, change, delete and put into an order. Their table has a `version`, and with an order a `position`. */
export function createCollection<const Table extends keyof Schema & string, const NotFoundName extends string>(
  tableName: Table,
  { notFoundName, key = 'id', condition = sql`true`, newRowPosition }: CollectionOptions<NotFoundName>,
) {
  type Row = Selectable<Schema[Table]> & { version: number }
  const table = sql.table(tableName)
  const newPosition =
    newRowPosition === 'first' ? sql`coalesce(min(position), 1) - 1` : sql`coalesce(max(position), 0) + 1`

  /** Selects a row and locks it until the transaction ends. @throws Refusal if it does not exist or has another version */
  async function lockRow(
    tx: Db,
    call: RefusingCall<NotFoundName | 'conflict'>,
    { id, version }: RowVersion<number>,
  ): Promise<Row> {
    const result =
      await sql<Row>`select * from ${table} where ${sql.ref(key)} = ${id} and ${condition} for no key update`.execute(
        tx,
      )
    const [row] = result.rows
    if (row === undefined) throw refuse(call, notFoundName)
    if (row.version !== version) throw refuse(call, 'conflict')
    return row
  }

  return {
    /**
     * Adds or changes a row.
     *
     * @returns the row, its id, and the columns of `values` before and after
     * @throws Refusal if the row does not exist or has another version
     */
    async save(
      tx: Db,
      call: RefusingCall<NotFoundName | 'conflict'>,
      { id, version }: RowVersion,
      values: Record<string, unknown>,
    ) {
      const before = id === null ? {} : await lockRow(tx, call, { id, version })
      const columns = Object.entries(values).map(([name, value]) => ({ name: sql.ref(name), value: sql`${value}` }))
      if (id === null && newRowPosition !== undefined)
        columns.push({
          name: sql.ref('position'),
          value: sql`(select ${newPosition} from ${table} where ${condition})`,
        })
      const statement =
        id === null
          ? sql<Row>`insert into ${table} (${sql.join(columns.map(({ name }) => name))})
              values (${sql.join(columns.map(({ value }) => value))}) returning *`
          : sql<Row>`update ${table} set version = version + 1,
              ${sql.join(columns.map(({ name, value }) => sql`${name} = ${value}`))}
              where ${sql.ref(key)} = ${id} returning *`
      const [row] = (await statement.execute(tx)).rows
      if (row === undefined) throw refuse(call, notFoundName)
      const pickColumns = (fullRow: object) =>
        Object.fromEntries(Object.entries(fullRow).filter(([name]) => name in values))
      return {
        row,
        id: Number(row[key as keyof Row]),
        before: pickColumns(before),
        after: pickColumns(row),
      }
    },

    /** Deletes a row. @returns the deleted row @throws Refusal if it does not exist or has another version */
    async remove(tx: Db, call: RefusingCall<NotFoundName | 'conflict'>, rowVersion: RowVersion<number>): Promise<Row> {
      const row = await lockRow(tx, call, rowVersion)
      await sql`delete from ${table} where ${sql.ref(key)} = ${rowVersion.id}`.execute(tx)
      return row
    },

    /**
     * Changes the order of the rows. `ids` contains each of them once.
     *
     * @returns the previous order
     * @throws Refusal when `ids` does not match the existing rows
     */
    async reorder(tx: Db, call: RefusingCall<'conflict'>, ids: readonly number[]): Promise<number[]> {
      const { rows } = await sql<{ id: number }>`
        select ${sql.ref(key)} as id from ${table} where ${condition} order by position, ${sql.ref(key)} for update`.execute(
        tx,
      )
      const currentIds = rows.map(({ id }) => Number(id))
      if (currentIds.toSorted().join() !== ids.toSorted().join()) throw refuse(call, 'conflict')
      await sql`
        update ${table} set position = new_position from unnest(${[...ids]}::bigint[]) with ordinality as new_order (id, new_position)
        where ${sql.ref(`${tableName}.${key}`)} = new_order.id and ${sql.ref(`${tableName}.position`)} <> new_position`.execute(
        tx,
      )
      return currentIds
    },
  }
}
