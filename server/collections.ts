import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { Db } from './db/open.ts'
import type { Schema } from './db/schema.ts'
import { type Refusing, refuse } from './errors.ts'

/** The row to change (`id`; null for a new row) and the version that the operator has edited. */
type RowAt<Id = number | null> = { id: Id; version: number | null | undefined }

type Options<Missing> = {
  /** The name of the refusal for a row that does not exist. */
  missing: Missing
  key?: string
  /** The condition that selects the collection's rows in the table. */
  only?: RawBuilder<unknown>
  /** The position of a new row, if the rows have an order. */
  place?: 'first' | 'last'
}

/** Rows that operators add, change, delete and put into an order. Their table has a `version`, and with an order a `position`. */
export function createCollection<const Table extends keyof Schema & string, const Missing extends string>(
  tableName: Table,
  { missing, key = 'id', only = sql`true`, place }: Options<Missing>,
) {
  type Row = Selectable<Schema[Table]> & { version: number }
  const table = sql.table(tableName)
  const newPosition = place === 'first' ? sql`coalesce(min(position), 1) - 1` : sql`coalesce(max(position), 0) + 1`

  /** Selects a row and locks it until the transaction ends. @throws Refusal if it does not exist or has another version */
  async function lock(tx: Db, call: Refusing<Missing | 'conflict'>, { id, version }: RowAt<number>): Promise<Row> {
    const found =
      await sql<Row>`select * from ${table} where ${sql.ref(key)} = ${id} and ${only} for no key update`.execute(tx)
    const [row] = found.rows
    if (row === undefined) throw refuse(call, missing)
    if (row.version !== version) throw refuse(call, 'conflict')
    return row
  }

  return {
    /**
     * Adds or changes a row.
     *
     * @returns the row, its number, and the given columns before and after
     * @throws Refusal if the row does not exist or has another version
     */
    async save(tx: Db, call: Refusing<Missing | 'conflict'>, { id, version }: RowAt, values: Record<string, unknown>) {
      const before = id === null ? {} : await lock(tx, call, { id, version })
      const columns = Object.entries(values).map(([name, value]) => ({ name: sql.ref(name), value: sql`${value}` }))
      if (id === null && place !== undefined)
        columns.push({ name: sql.ref('position'), value: sql`(select ${newPosition} from ${table} where ${only})` })
      const statement =
        id === null
          ? sql<Row>`insert into ${table} (${sql.join(columns.map(({ name }) => name))})
              values (${sql.join(columns.map(({ value }) => value))}) returning *`
          : sql<Row>`update ${table} set version = version + 1,
              ${sql.join(columns.map(({ name, value }) => sql`${name} = ${value}`))}
              where ${sql.ref(key)} = ${id} returning *`
      const [row] = (await statement.execute(tx)).rows
      if (row === undefined) throw refuse(call, missing)
      const pick = (whole: object) => Object.fromEntries(Object.entries(whole).filter(([name]) => name in values))
      return { row, id: Number(row[key as keyof Row]), before: pick(before), after: pick(row) }
    },

    /** Deletes a row. @returns the deleted row @throws Refusal if it does not exist or has another version */
    async remove(tx: Db, call: Refusing<Missing | 'conflict'>, at: RowAt<number>): Promise<Row> {
      const row = await lock(tx, call, at)
      await sql`delete from ${table} where ${sql.ref(key)} = ${at.id}`.execute(tx)
      return row
    },

    /**
     * Changes the order of the rows. `ids` contains each of them once.
     *
     * @returns the previous order
     * @throws Refusal when `ids` does not match the existing rows
     */
    async reorder(tx: Db, call: Refusing<'conflict'>, ids: readonly number[]): Promise<number[]> {
      const { rows } = await sql<{ id: number }>`
        select ${sql.ref(key)} as id from ${table} where ${only} order by position, ${sql.ref(key)} for update`.execute(
        tx,
      )
      const present = rows.map(({ id }) => Number(id))
      if (present.toSorted().join() !== ids.toSorted().join()) throw refuse(call, 'conflict')
      await sql`
        update ${table} set position = new_position from unnest(${[...ids]}::bigint[]) with ordinality as new_order (id, new_position)
        where ${sql.ref(`${tableName}.${key}`)} = new_order.id and ${sql.ref(`${tableName}.position`)} <> new_position`.execute(
        tx,
      )
      return present
    },
  }
}
