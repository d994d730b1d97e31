import { createHash } from 'node:crypto'
import { access, constants, mkdir, realpath, rm } from 'node:fs/promises'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout } from 'node:timers/promises'

/** The longest path of a socket that every system supports. */
const PATH_MAX = 90
/** How long a process with the lock may take until it listens. */
const LISTEN_TIMEOUT_MS = 5000
/** SQLite's error code for a file that another process has locked. */
const SQLITE_BUSY = 5
const LOCK_FILE = 'site.lock'

/** Another process has the data directory open. */
export class DataDirInUse extends Error {
  override name = 'DataDirInUse'
}

export type DataLock = {
  /** Closes open connections to the socket, such as a backup whose reader has stalled. */
  hangUp(): void
  release(): Promise<void>
}

/**
 * Returns the address on which the process with the lock of a data directory listens for commands: a socket in the directory
 * or, if that path is too long, among the temporary files. On Windows it is a named pipe, which is not a file.
 */
export async function getControlPath(dataDir: string, platform: NodeJS.Platform = process.platform): Promise<string> {
  await mkdir(dataDir, { recursive: true })
  const realPath = await realpath(dataDir)
  const getName = (path: string) => `tambayan-${createHash('sha256').update(path).digest('hex').slice(0, 24)}`
  if (platform === 'win32') return `\\\\.\\pipe\\${getName(realPath.toLowerCase())}`
  const socketPath = join(realPath, 'site.sock')
  return socketPath.length <= PATH_MAX ? socketPath : join(tmpdir(), `${getName(realPath)}.sock`)
}

/**
 * Locks a data directory for this process and listens for commands at its control path. SQLite implements the lock
 * with the file locks of each system. They end with the process, so a killed process never blocks the next one.
 *
 * @param onCommand receives each connection and answers its commands
 * @throws DataDirInUse while another process has the lock
 */
export async function lockDataDir(dataDir: string, onCommand: (socket: Socket) => void): Promise<DataLock> {
  const path = await getControlPath(dataDir)
  await access(dataDir, constants.W_OK)
  const lock = await takeLock(join(dataDir, LOCK_FILE), path)
  if (lock === undefined) throw new DataDirInUse(dataDir)
  const callers = new Set<Socket>()
  const server = createServer((socket) => {
    callers.add(socket)
    socket.once('close', () => callers.delete(socket))
    onCommand(socket)
  }).unref()
  try {
    if (process.platform !== 'win32') await rm(path, { force: true })
    await listen(server, path)
  } catch (error) {
    lock.close()
    throw error
  }
  const hangUp = () => {
    for (const socket of callers) socket.destroy()
  }
  return {
    hangUp,
    release: async () => {
      hangUp()
      await new Promise<void>((resolve) => server.close(() => resolve()))
      lock.close()
    },
  }
}

/** @returns undefined while another process has the lock */
async function takeLock(file: string, path: string): Promise<DatabaseSync | undefined> {
  const deadline = performance.now() + LISTEN_TIMEOUT_MS
  for (;;) {
    const lock = tryLock(file)
    if (lock !== undefined) return lock
    if ((await hasListener(path)) || performance.now() > deadline) return undefined
    await setTimeout(20 + 20 * Math.random())
  }
}

/** Tries to lock a file. Other code in this process must not open it: with POSIX locks, closing the file ends the lock. */
function tryLock(file: string): DatabaseSync | undefined {
  const lock = new DatabaseSync(file)
  try {
    lock.exec('pragma journal_mode = memory; begin exclusive')
    return lock
  } catch (error) {
    lock.close()
    if ((error as { errcode?: number }).errcode === SQLITE_BUSY) return undefined
    throw error
  }
}

function listen(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(path, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

/** Returns whether a process listens on a path, even if it is too busy to answer. */
function hasListener(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path)
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code !== 'ENOENT' && code !== 'ECONNREFUSED'))
  })
}
