import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { constants, setPriority } from 'node:os'
import { basename, join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Config } from '#server/config.ts'
import { BackupError } from './backup-folder.ts'

const SCRIPTS_FOLDER = join(import.meta.dirname, '../../scripts')

type BackupConfig = Pick<Config, 'dataDir' | 'backupDir' | 'databaseUrl'>

/**
 * Runs `npm run backup` as a separate process, because writing a backup would slow visitors down. The process requests a copy
 * of the embedded database from this one.
 *
 * @returns the name of the backup, and the printed output: the file and its rows
 * @throws BackupError with its error message
 */
export async function runBackup(config: BackupConfig, signal: AbortSignal): Promise<{ name: string; output: string }> {
  const output = await runScript('backup.ts', [], config, signal)
  return { name: basename(/^(.+): \d+ rows$/m.exec(output)?.[1] ?? ''), output }
}

/**
 * Restores a backup into a temporary embedded database, in a separate process (DESK-20).
 *
 * @returns the number of its rows
 * @throws BackupError with the reason why the backup cannot be restored
 */
export async function runCheck(path: string, config: BackupConfig, signal: AbortSignal): Promise<number> {
  return Number(await runScript('check-backup.ts', [path], config, signal))
}

/** Runs a script with the settings of this process and the lowest priority. */
async function runScript(script: string, args: string[], config: BackupConfig, signal: AbortSignal): Promise<string> {
  const { DATABASE_URL: _, ...env } = process.env
  const child = spawn(process.execPath, [join(SCRIPTS_FOLDER, script), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    signal,
    env: {
      ...env,
      DATA_DIR: config.dataDir,
      BACKUP_DIR: config.backupDir,
      ...(config.databaseUrl !== undefined && { DATABASE_URL: config.databaseUrl }),
    },
    // SIGKILL is the only signal that ends a suspended process. This process then deletes its copy of the database.
    killSignal: 'SIGKILL',
    windowsHide: true,
  })
  if (child.pid !== undefined) lowerPriority(child.pid)
  const [[code], output, errorOutput] = await Promise.all([
    once(child, 'close'),
    text(child.stdout),
    text(child.stderr),
  ])
  if (code !== 0) throw new BackupError(errorOutput.trim() || 'It was interrupted.')
  return output.trim()
}

function lowerPriority(pid: number): void {
  try {
    setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // The process has already ended.
  }
}
