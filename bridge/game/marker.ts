import { randomUUID } from 'node:crypto'
import type { GameCopy } from '#contract/bridge.ts'
import { type Dialect, type GameConnection, toNumber, toText } from './driver.ts'
import { readIdentity } from './identity.ts'

/** The ids of the markers in `tambayan_bridge`, one for each use of a database. A game can use one database for all. */
const MARKER_ROWS = { shop: 1, user: 2, game: 3 }

/**
 * Identifies a database and counts the bridge's writes to it. A copy from before a write has a lower counter, by which the site
 * recognizes a restored database (decision 033).
 */
export type Marker = {
  connection: GameConnection
  database: keyof typeof MARKER_ROWS
  copy: GameCopy
}

/** The game's database has changed unexpectedly: it was restored, or another agent has written to it. */
export class CopyChanged extends Error {
  override name = 'CopyChanged'

  constructor(message = 'The game’s database was restored, or someone else has written to it.') {
    super(message)
  }
}

/** SQL for the seconds since the time in a column, by the database's clock. */
const SECONDS_SINCE: Record<Dialect, (column: string) => string> = {
  mssql: (column) => `datediff(second, ${column}, getdate())`,
  mariadb: (column) => `timestampdiff(second, ${column}, now())`,
  postgres: (column) => `extract(epoch from localtimestamp - ${column})`,
}
export const selectSecondsSince = (dialect: Dialect, column: string): string => SECONDS_SINCE[dialect](column)

const NOW_SQL: Record<Dialect, string> = { mssql: 'getdate()', mariadb: 'now()', postgres: 'localtimestamp' }

async function readRow({ connection, database }: Omit<Marker, 'copy'>) {
  const [row] = await connection.query(
    `select epoch, counter, ${selectSecondsSince(connection.dialect, 'counted_at')} as ago from tambayan_bridge where id = ${MARKER_ROWS[database]}`,
  )
  return row
}

/** Reads the marker of a database, or creates it. */
export async function openMarker(connection: GameConnection, database: Marker['database']): Promise<Marker> {
  const target = { connection, database }
  if ((await readRow(target)) === undefined)
    await connection.run(
      `insert into tambayan_bridge (id, epoch, counter) values (${MARKER_ROWS[database]}, :epoch, 0)`,
      { epoch: randomUUID() },
    )
  const row = await readRow(target)
  if (row === undefined) throw new Error('The table tambayan_bridge has no row.')
  const ageSeconds = toNumber(row.ago)
  const copy: GameCopy = {
    identity: await readIdentity(connection),
    highest: await readHighest(target),
    epoch: toText(row.epoch),
    counter: Number(row.counter),
    ago_ms: ageSeconds === null ? null : Math.max(0, Math.round(ageSeconds * 1000)),
  }
  return { ...target, copy }
}

/** Returns the highest unit or service number in a database; 0 for accounts, which the site recognizes by their marks. */
async function readHighest({ connection, database }: Omit<Marker, 'copy'>): Promise<number> {
  if (database === 'user') return 0
  const [table, column] = database === 'shop' ? ['tambayan_delivery', 'unit'] : ['tambayan_service', 'number']
  const [row] = await connection.query(`select max(${column}) as highest from ${table}`)
  return Math.max(0, toNumber(row?.highest) ?? 0)
}

/** Checks that the database is as this agent left it. @throws CopyChanged */
export async function requireUnchanged(marker: Marker): Promise<void> {
  const row = await readRow(marker)
  const { epoch, counter } = marker.copy
  if (row === undefined || toText(row.epoch) !== epoch || Number(row.counter) !== counter)
    throw new CopyChanged('The game’s database was restored.')
}

/**
 * Runs writes in one transaction that also raises the counter.
 *
 * @throws CopyChanged when the database is not as this agent left it; the writes are rolled back
 */
export async function writeCounted<Result>(marker: Marker, work: () => Promise<Result>): Promise<Result> {
  const { connection, copy } = marker
  const result = await connection.transaction(async () => {
    const result = await work()
    await raiseCounter(marker, copy.epoch)
    return result
  })
  marker.copy = { ...copy, counter: copy.counter + 1 }
  return result
}

/** Stores the epoch that the site created when an owner confirmed the restore. */
export async function renewEpoch(marker: Marker, epoch: string): Promise<void> {
  await raiseCounter(marker, epoch)
  marker.copy = { ...marker.copy, epoch, counter: marker.copy.counter + 1, ago_ms: null }
}

/** Raises the counter. @throws CopyChanged unless the database is as this agent left it */
async function raiseCounter({ connection, database, copy }: Marker, next: string): Promise<void> {
  const rows = await connection.run(
    `update tambayan_bridge set epoch = :next, counter = :raised, counted_at = ${NOW_SQL[connection.dialect]}
    where id = ${MARKER_ROWS[database]} and epoch = :epoch and counter = :counter`,
    { next, raised: copy.counter + 1, epoch: copy.epoch, counter: copy.counter },
  )
  if (rows !== 1) throw new CopyChanged()
}
