import type { Dirent } from 'node:fs'
import { chmod, lstat, mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'

/** What the site puts into its data folder, and `npm run demo:game`. */
const OURS = /^(db(\..+)?|world\.txt|mail|backups|backup-copy-.+|uploads|site\.(sock.*|lock)|demo-game)$/

/** Entries that file systems create at the root of a mounted disk. */
const OF_THE_DISK = new Set(['lost+found'])

/**
 * Makes the data folder readable by the account that runs the site alone: folders 0700, files 0600, also those that this
 * process creates from now on. A folder that holds things of other programs (`DATA_DIR=/var/lib`) keeps its own mode;
 * what is ours in it becomes private all the same. Windows has no such modes: there the folder's own permissions count.
 *
 * @returns whether the folder is ours alone
 * @throws when the file system or the folder's owner does not allow it
 */
export async function keepPrivate(folder: string): Promise<boolean> {
  if (process.platform === 'win32') return true
  process.umask(0o077)
  await mkdir(folder, { recursive: true })
  const entries = await readdir(folder, { withFileTypes: true })
  const ours = entries.filter(({ name }) => OURS.test(name))
  const isOursAlone = entries.every(({ name }) => OURS.test(name) || OF_THE_DISK.has(name))
  if (isOursAlone) await setMode(folder, 0o700)
  for (const entry of ours) {
    await setModeOf(entry)
    if (!entry.isDirectory()) continue
    const inner = await readdir(join(folder, entry.name), { recursive: true, withFileTypes: true })
    await Promise.all(inner.map(setModeOf))
  }
  return isOursAlone
}

async function setModeOf(entry: Dirent): Promise<void> {
  if (entry.isSymbolicLink()) return
  await setMode(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o700 : 0o600)
}

async function setMode(path: string, wanted: number): Promise<void> {
  try {
    if (((await lstat(path)).mode & 0o777) !== wanted) await chmod(path, wanted)
  } catch (error) {
    // The database deletes files of its own while we look.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
}
