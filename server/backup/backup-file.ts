import { once } from 'node:events'
import { createReadStream, createWriteStream } from 'node:fs'
import { rename } from 'node:fs/promises'
import type { Readable, Writable } from 'node:stream'
import { finished, pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import type { Db } from '#server/db/open.ts'
import { writeBackup } from './write-backup.ts'

/** Writes a backup, compressed, into a stream and ends it. @returns how many rows it holds */
export async function streamBackup(db: Db, now: Date, into: Writable): Promise<number> {
  const packed = createGzip()
  const flowing = pipeline(packed, into)
  const rows = await writeBackup(db, now, async (line) => {
    if (!packed.write(line)) await once(packed, 'drain')
  })
  packed.end()
  await flowing
  return rows
}

/** Saves what comes from a stream under a name that only a whole file ever has. */
export async function saveWhole(path: string, fill: (into: Writable) => Promise<unknown>): Promise<void> {
  const unfinished = `${path}.unfinished`
  const file = createWriteStream(unfinished, { mode: 0o600 })
  const closed = finished(file)
  await fill(file)
  await closed
  await rename(unfinished, path)
}

/** The lines of a backup file. */
export function openBackup(path: string): Readable {
  const file = createReadStream(path)
  const lines = createGunzip()
  file.on('error', (error) => lines.destroy(error))
  return file.pipe(lines)
}
