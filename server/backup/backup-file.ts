import { once } from 'node:events'
import { createReadStream, createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { pipeline as pipeUntilBroken, type Readable, type Writable } from 'node:stream'
import { finished, pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import type { Db } from '#server/db/open.ts'
import { writeBackup } from './write-backup.ts'

/**
 * Writes a compressed backup to a stream and ends the stream. If the stream fails, for example because its reader
 * disconnected, reading stops and its transaction ends.
 *
 * @returns the number of its rows
 */
export async function streamBackup(db: Db, now: Date, into: Writable): Promise<number> {
  const packed = createGzip()
  const flowing = pipeline(packed, into)
  const writing = writeBackup(db, now, async (line) => {
    if (!packed.write(line)) await Promise.race([once(packed, 'drain'), flowing])
  })
  writing.then(
    () => packed.end(),
    (error: Error) => packed.destroy(error),
  )
  const [written, flowed] = await Promise.allSettled([writing, flowing])
  if (flowed.status === 'rejected') throw flowed.reason
  if (written.status === 'rejected') throw written.reason
  return written.value
}

/** Saves a stream as a file that gets its name only once it is complete. */
export async function saveWhole(path: string, fill: (into: Writable) => Promise<unknown>): Promise<void> {
  const unfinished = `${path}.unfinished`
  const file = createWriteStream(unfinished, { mode: 0o600 })
  const closed = finished(file)
  closed.catch(() => {})
  try {
    await fill(file)
    await closed
    await rename(unfinished, path)
  } catch (error) {
    file.destroy()
    await closed.catch(() => {})
    await rm(unfinished, { force: true })
    throw error
  }
}

/** The decompressed content of a backup file. Reading it fails for a missing, truncated or foreign file. */
export function openBackup(path: string): Readable {
  return pipeUntilBroken(createReadStream(path), createGunzip(), () => {})
}
