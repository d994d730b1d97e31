import { chmodSync, type Dirent, lstatSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** The files that the site and `npm run demo:game` put into the data folder. */
const OURS = /^(db(\..+)?|world\.txt|mail|backups|backup-copy-.+|uploads|pictures|site\.(sock.*|lock|key.*)|demo-game)$/

/** Entries that file systems create at the root of a mounted disk. */
const OF_THE_DISK = new Set(['lost+found'])

/**
 * Makes the data folder readable only by the account that runs the site: folders 0700, files 0600, also those that this
 * process creates from now on. A folder with files of other programs (`DATA_DIR=/var/lib`) keeps its mode, but the
 * site's own files in it become private. Windows has no such modes: there the folder's own permissions count. Every
 * start waits for this: for a thousand files, doing it one after the other takes half the time.
 *
 * @returns whether the folder has the site's files alone
 * @throws when the file system or the folder's owner does not allow it
 */
export function makePrivate(folder: string): boolean {
  if (process.platform === 'win32') return true
  process.umask(0o077)
  mkdirSync(folder, { recursive: true })
  const entries = readdirSync(folder, { withFileTypes: true })
  const ours = entries.filter(({ name }) => OURS.test(name))
  const isOursAlone = entries.every(({ name }) => OURS.test(name) || OF_THE_DISK.has(name))
  if (isOursAlone) setMode(folder, 0o700)
  for (const entry of ours) {
    setEntryMode(entry)
    if (!entry.isDirectory()) continue
    const inner = readdirSync(join(folder, entry.name), { recursive: true, withFileTypes: true })
    inner.forEach(setEntryMode)
  }
  return isOursAlone
}

function setEntryMode(entry: Dirent): void {
  if (entry.isSymbolicLink()) return
  setMode(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o700 : 0o600)
}

function setMode(path: string, wanted: number): void {
  try {
    if ((lstatSync(path).mode & 0o777) !== wanted) chmodSync(path, wanted)
  } catch (error) {
    // The database deletes files of its own while we look.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
}
