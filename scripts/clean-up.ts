import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const cleanUps = new Set<() => void>()

function cleanUp(): void {
  for (const undo of [...cleanUps].reverse()) {
    cleanUps.delete(undo)
    try {
      undo()
    } catch (error) {
      console.error(error)
    }
  }
}

/**
 * Runs `undo` when this process ends, even after an error, Ctrl+C or SIGTERM. It must be synchronous.
 *
 * @returns a function that cancels this, for work that was undone earlier
 */
export function cleanUpAtExit(undo: () => void): () => void {
  if (cleanUps.size === 0) {
    process.once('exit', cleanUp)
    for (const [signal, code] of SIGNALS) process.once(signal, () => process.exit(code))
  }
  cleanUps.add(undo)
  return () => cleanUps.delete(undo)
}

/** The exit codes that shells use for programs ended by a signal. */
const SIGNALS = [
  ['SIGHUP', 129],
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const

/** Makes an empty temporary folder that is removed when this process ends. */
export function makeTemporaryFolder(parent = tmpdir()): string {
  const folder = mkdtempSync(join(parent, 'tambayan-'))
  cleanUpAtExit(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }))
  return folder
}
