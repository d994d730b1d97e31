import { randomUUID } from 'node:crypto'
import type { GameCopy } from '#contract/bridge.ts'
import { type Dialect, type GameConnection, numberOf, textOf } from './driver.ts'
import { readIdentity } from './identity.ts'

/** The rows of `tambayan_bridge`: one for each database that the bridge writes to, which may be one and the same. */
const ROWS = { shop: 1, user: 2, game: 3 }

/**
 * Whose database this is and how often the bridge has written to it. Every copy from before a write has a lower counter, so
 * the site, which was told of it, recognises a database that was restored.
 */
export type Marker = {
  connection: GameConnection
  place: keyof typeof ROWS
  copy: GameCopy
}

/** The game's database has changed unexpectedly: it was restored, or another agent has written to it. */
export class CopyChanged extends Error {
  override name = 'CopyChanged'

  constructor(message = 'The game’s database was restored, or someone else has written to it.') {
    super(message)
  }
}

/** How many seconds ago a moment of the database was, by its own clock. */
const agoOf: Record<Dialect, (column: string) => string> = {
  mssql: (column) => `datediff(second, ${column}, getdate())`,
  mariadb: (column) => `timestampdiff(second, ${column}, now())`,
  postgres: (column) => `extract(epoch from localtimestamp - ${column})`,
}
export const secondsAgo = (dialect: Dialect, column: string): string => agoOf[dialect](column)

/** Seconds of the database as the milliseconds that the site is told. */
export const agoMs = (seconds: ReturnType<typeof numberOf>): number | null =>
  seconds === null ? null : Math.max(0, Math.round(seconds * 1000))

const NOW: Record<Dialect, string> = { mssql: 'getdate()', mariadb: 'now()', postgres: 'localtimestamp' }

async function readRow({ connection, place }: Omit<Marker, 'copy'>) {
  const [row] = await connection.query(
    `select epoch, counter, newest, ${secondsAgo(connection.dialect, 'counted_at')} as ago from tambayan_bridge where id = ${ROWS[place]}`,
  )
  return row
}

/** Reads the marker of a database; makes one where there is none. */
export async function openMarker(connection: GameConnection, place: Marker['place']): Promise<Marker> {
  const of = { connection, place }
  if ((await readRow(of)) === undefined)
    await connection.run(`insert into tambayan_bridge (id, epoch, counter) values (${ROWS[place]}, :epoch, :counter)`, {
      epoch: randomUUID(),
      counter: await readNewest(of),
    })
  const row = await readRow(of)
  if (row === undefined) throw new Error('The table tambayan_bridge keeps no row.')
  const copy = {
    identity: await readIdentity(connection),
    highest: await readHighest(of),
    epoch: textOf(row.epoch),
    counter: Number(row.counter),
    restored: [],
    ago_ms: agoMs(numberOf(row.ago)),
  }
  const marker: Marker = { ...of, copy }
  const behind = await findBehind(marker, numberOf(row.newest) ?? 0)
  if (behind !== null) marker.copy = { ...copy, restored: [behind] }
  return marker
}

/** The highest number that a database has of what the site numbers; 0 for accounts, whose marks say which site's they are. */
async function readHighest({ connection, place }: Omit<Marker, 'copy'>): Promise<number> {
  if (place === 'user') return 0
  const [table, column] = place === 'shop' ? ['tambayan_delivery', 'unit'] : ['tambayan_service', 'number']
  const [row] = await connection.query(`select max(${column}) as highest from ${table}`)
  return Math.max(0, numberOf(row?.highest) ?? 0)
}

/** The agent's own table whose last change is noted beside the marker. */
const NOTED: Record<Marker['place'], string | null> = {
  shop: 'tambayan_delivery',
  user: null,
  game: 'tambayan_service',
}

/** The agent's own table if it lacks what the marker beside it says was written last. */
async function findBehind(marker: Marker, newest: number): Promise<string | null> {
  const table = NOTED[marker.place]
  return table !== null && (await readNewest(marker)) < newest ? table : null
}

/** @throws CopyChanged unless the database is as this agent left it */
export async function requireSame(marker: Marker): Promise<void> {
  const row = await readRow(marker)
  const { epoch, counter } = marker.copy
  if (row === undefined || textOf(row.epoch) !== epoch || Number(row.counter) !== counter)
    throw new CopyChanged('The game’s database was restored.')
  const behind = marker.copy.restored.length === 0 ? await findBehind(marker, numberOf(row.newest) ?? 0) : null
  if (behind !== null) throw new CopyChanged(`The bridge’s own table ${behind} was restored.`)
}

/**
 * Writes in one transaction that raises the marker.
 *
 * @param work is given the counter, which it writes as `changed` into the row that it changes
 * @param rows whether `work` only adds a row to the agent's own table: then one statement raises the marker and finds out
 *   whether that table is as this agent left it
 * @throws CopyChanged when the database, or the agent's own table beside the marker, is not as this agent left it; then nothing
 *   was written
 */
export async function writeCounted<Result>(
  marker: Marker,
  work: (changed: number) => Promise<Result>,
  rows: 'changed' | 'added' = 'changed',
): Promise<Result> {
  const { connection, place, copy } = marker
  const counter = copy.counter + 1
  const noted = NOTED[place]
  const result = await connection.transaction(async () => {
    if (noted !== null && rows === 'changed') await requireSame(marker)
    const result = await work(counter)
    const raised = await connection.run(
      `update tambayan_bridge set counter = :raised, counted_at = ${NOW[connection.dialect]}${setNewest(place)}
      where id = ${ROWS[place]} and epoch = :epoch and counter = :counter${
        noted !== null && rows === 'added' ? ` and newest <= (${maxChanged(noted)} where changed < :raised)` : ''
      }`,
      { raised: counter, epoch: copy.epoch, counter: copy.counter },
    )
    if (raised !== 1) throw new CopyChanged()
    return result
  })
  marker.copy = { ...copy, counter }
  return result
}

const maxChanged = (table: string) => `select coalesce(max(changed), 0) from ${table}`
const setNewest = (place: Marker['place']) => (NOTED[place] === null ? '' : `, newest = (${maxChanged(NOTED[place])})`)

/**
 * Gives the database the epoch that the site made when an operator confirmed the restore. Where the marker alone was restored,
 * its counter goes beyond what the tables beside it have.
 */
export async function renewEpoch(marker: Marker, epoch: string): Promise<void> {
  const { connection, place, copy } = marker
  const counter = Math.max(copy.counter, await readNewest(marker)) + 1
  const rows = await connection.run(
    `update tambayan_bridge set epoch = :next, counter = :raised, counted_at = ${NOW[connection.dialect]}${setNewest(place)}
    where id = ${ROWS[place]} and epoch = :epoch and counter = :counter`,
    { next: epoch, raised: counter, epoch: copy.epoch, counter: copy.counter },
  )
  if (rows !== 1) throw new CopyChanged('The game’s database was changed while its restore was confirmed.')
  marker.copy = { ...copy, epoch, counter, restored: [], ago_ms: null }
}

/** The tables whose rows note the counter of their last change. */
const COUNTED: Record<Marker['place'], string[]> = {
  shop: ['tambayan_delivery'],
  user: ['tambayan_account', 'tambayan_balance'],
  game: ['tambayan_service'],
}

/** The highest `changed` in the tables beside a marker. */
async function readNewest({ connection, place }: Omit<Marker, 'copy'>): Promise<number> {
  let newest = 0
  for (const table of COUNTED[place]) {
    const [row] = await connection.query(`select max(changed) as changed from ${table}`)
    newest = Math.max(newest, numberOf(row?.changed) ?? 0)
  }
  return newest
}
