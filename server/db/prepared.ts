import { CompiledQuery, PGliteAdapter, type RawBuilder } from 'kysely'
import type { Db } from '#server/db/open.ts'

/** A placeholder in a prepared statement; each run gives it a value. */
type Slot = symbol

/**
 * Makes a statement that PostgreSQL plans once per connection: for a purchase, planning is nine
 * tenths of the cost. Kysely passes a query's text to pg unchanged, and pg prepares a query that
 * has a name beside its text. The embedded database takes the plain text.
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

/** Gives each slot one number, however often the statement uses it. @throws for a value that is not a slot */
function shareSlots({ sql, parameters }: CompiledQuery): { text: string; slots: Slot[] } {
  const slots: Slot[] = []
  const text = sql.replace(/\$(\d+)/g, (_, number) => {
    const slot = parameters[Number(number) - 1]
    if (typeof slot !== 'symbol') throw new Error(`${String(slot)} is not a slot of a prepared statement.`)
    if (!slots.includes(slot)) slots.push(slot)
    return `$${slots.indexOf(slot) + 1}`
  })
  return { text, slots }
}
