import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { constants, setPriority } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { BackupError } from './backup-folder.ts'

const COMMAND = join(import.meta.dirname, '../../scripts/backup.ts')

/**
 * Runs `npm run backup` as a process of its own, with the settings of this one and after everything else that wants the
 * processor. It asks this process for a copy of the embedded database, so writing the backup costs visitors nothing.
 *
 * @returns what it printed: the file and its rows
 * @throws BackupError with what it complained about
 */
export async function runBackup(signal: AbortSignal): Promise<string> {
  const child = spawn(process.execPath, [COMMAND], {
    stdio: ['ignore', 'pipe', 'pipe'],
    signal,
    // The one signal that a process cannot ignore that is suspended. What it leaves is deleted: the copy by this process.
    killSignal: 'SIGKILL',
    windowsHide: true,
  })
  if (child.pid !== undefined) lowerPriority(child.pid)
  const [[code], printed, complaint] = await Promise.all([once(child, 'close'), text(child.stdout), text(child.stderr)])
  if (code !== 0) throw new BackupError(complaint.trim() || 'The backup was interrupted.')
  return printed.trim()
}

function lowerPriority(pid: number): void {
  try {
    setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // The process has ended already.
  }
}
