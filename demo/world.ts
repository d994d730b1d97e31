/** Functions that the parts of the demo world share. */
import { type Insertable, sql } from 'kysely'
import type { Db } from '#server/db/open.ts'
import type { Schema } from '#server/db/schema.ts'

/** The numbers of the world's accounts, and the time at which it is filled. */
export type World = {
  now: Date
  juan: number
  maria: number
  gm: number
  players: readonly number[]
}

/** Returns a time some milliseconds before `now`. */
export const subtractMs = (now: Date, ms: number) => new Date(now.getTime() - ms)

/** Returns a number from 0 (included) to 1 (excluded). */
export type Random = () => number

/** Creates a sequence of numbers in [0, 1) from a seed (mulberry32), so the demo world is the same on every machine. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixedState = Math.imul(state ^ (state >>> 15), 1 | state)
    mixedState = (mixedState + Math.imul(mixedState ^ (mixedState >>> 7), 61 | mixedState)) ^ mixedState
    return ((mixedState ^ (mixedState >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** Returns a random value of a list. @throws when the list is empty */
export function pickRandom<Value>(random: Random, values: readonly Value[]): Value {
  const index = Math.floor(random() * values.length)
  if (!(index in values)) throw new RangeError('There is nothing to pick from.')
  return values[index] as Value
}

/**
 * Inserts many rows with the same columns, in their order. One parameter with all rows takes a third of the time of a
 * parameter for each value.
 */
export async function insertRows<Table extends keyof Schema>(
  tx: Db,
  table: Table,
  rows: readonly Insertable<Schema[Table]>[],
): Promise<void> {
  const columns = sql.join(Object.keys(rows[0] ?? {}).map((column) => sql.ref(column)))
  await sql`
    insert into ${sql.table(table)} (${columns})
    select ${columns} from json_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(rows)}::json)`.execute(
    tx,
  )
}
