import { once } from 'node:events'
import { createReadStream, createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { pipeline as pipelineWithCallback, type Readable, type Writable } from 'node:stream'
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
export async function streamBackup(db: Db, now: Date, output: Writable): Promise<number> {
  const gzip = createGzip()
  const pipelineDone = pipeline(gzip, output)
  const rowsWritten = writeBackup(db, now, async (line) => {
    if (!gzip.write(line)) await Promise.race([once(gzip, 'drain'), pipelineDone])
  })
  rowsWritten.then(
    () => gzip.end(),
    (error: Error) => gzip.destroy(error),
  )
  const [rowsResult, pipelineResult] = await Promise.allSettled([rowsWritten, pipelineDone])
  if (pipelineResult.status === 'rejected') throw pipelineResult.reason
  if (rowsResult.status === 'rejected') throw rowsResult.reason
  return rowsResult.value
}

/** Writes a file under a temporary name, and renames it when it is complete. */
export async function saveAtomically(
  path: string,
  writeContent: (output: Writable) => Promise<unknown>,
): Promise<void> {
  const unfinishedPath = `${path}.unfinished`
  const file = createWriteStream(unfinishedPath, { mode: 0o600 })
  const fileClosed = finished(file)
  fileClosed.catch(() => {})
  try {
    await writeContent(file)
    await fileClosed
    await rename(unfinishedPath, path)
  } catch (error) {
    file.destroy()
    await fileClosed.catch(() => {})
    await rm(unfinishedPath, { force: true })
    throw error
  }
}

/** Opens the decompressed content of a backup file. Reading it fails for a missing, truncated or foreign file. */
export function openBackup(path: string): Readable {
  // The reader of the returned stream gets an error, so the callback ignores it.
  return pipelineWithCallback(createReadStream(path), createGunzip(), () => {})
}
