import { CompiledQuery, PGliteAdapter, type RawBuilder } from 'kysely'
import type { Db } from '#server/db/open.ts'

/** A place in a prepared statement that each run fills. */
type Slot = symbol

/**
 * A statement that PostgreSQL plans once a connection instead of each time: of a purchase,
 * planning is nine tenths of the cost. Kysely hands a query's text on to pg as it is, and pg
 * prepares what has a name beside its text. The embedded database takes the bare text.
 */
export function prepare<Row>(name: string, statement: RawBuilder<Row>) {
  let known: { text: string; slots: Slot[] } | undefined
  return async (db: Db, values: Record<Slot, unknown>): Promise<Row[]> => {
    known ??= shareSlots(statement.compile(db))
    const { text, slots } = known
    const isEmbedded = db.getExecutor().adapter instanceof PGliteAdapter
    const query = (isEmbedded ? text : { name, text }) as string
    const parameters = slots.map((slot) => values[slot])
    const { rows } = await db.executeQuery(CompiledQuery.raw(query, parameters) as CompiledQuery<Row>)
    return rows
  }
}

/** Numbers each slot once, however often the statement names it. @throws for a value that is no slot */
function shareSlots({ sql, parameters }: CompiledQuery): { text: string; slots: Slot[] } {
  const slots: Slot[] = []
  const text = sql.replace(/\$(\d+)/g, (_, number) => {
    const slot = parameters[Number(number) - 1]
    if (typeof slot !== 'symbol') throw new Error(`${String(slot)} is no slot of a prepared statement.`)
    if (!slots.includes(slot)) slots.push(slot)
    return `$${slots.indexOf(slot) + 1}`
  })
  return { text, slots }
}
