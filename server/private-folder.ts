import { chmodSync, type Dirent, lstatSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** The files that the site and `npm run demo:game` put into the data directory. */
const SITE_FILES =
  /^(db(\..+)?|world\.txt|mail|backups|backup-copy-.+|uploads|pictures|site\.(sock.*|lock|key.*)|demo-game)$/

/** Entries that file systems create at the root of a mounted disk. */
const DISK_ENTRIES = new Set(['lost+found'])

/**
 * Makes the data directory readable only by the account that runs the site: folders 0700, files 0600, also those that this
 * process creates later. A folder with files of other programs (`DATA_DIR=/var/lib`) stays readable, but the site's files
 * in it become private. Windows has no such modes; there the folder's permissions decide. The calls are synchronous,
 * because every start waits for them, and asynchronous ones take twice the time for a thousand files.
 *
 * @returns whether the folder contains only files of the site
 * @throws when the file system or the folder's owner does not allow it
 */
export function makePrivate(folder: string): boolean {
  if (process.platform === 'win32') return true
  process.umask(0o077)
  mkdirSync(folder, { recursive: true })
  const entries = readdirSync(folder, { withFileTypes: true })
  const siteEntries = entries.filter(({ name }) => SITE_FILES.test(name))
  const hasOnlySiteFiles = entries.every(({ name }) => SITE_FILES.test(name) || DISK_ENTRIES.has(name))
  if (hasOnlySiteFiles) setMode(folder, 0o700)
  for (const entry of siteEntries) {
    setEntryMode(entry)
    if (!entry.isDirectory()) continue
    const innerEntries = readdirSync(join(folder, entry.name), { recursive: true, withFileTypes: true })
    innerEntries.forEach(setEntryMode)
  }
  return hasOnlySiteFiles
}

function setEntryMode(entry: Dirent): void {
  if (entry.isSymbolicLink()) return
  setMode(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o700 : 0o600)
}

function setMode(path: string, mode: number): void {
  try {
    if ((lstatSync(path).mode & 0o777) !== mode) chmodSync(path, mode)
  } catch (error) {
    // The database can delete a file in the meantime.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
}
