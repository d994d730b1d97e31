import { createHash, randomBytes } from 'node:crypto'
import { link, lstat, mkdir, realpath, rename, rm } from 'node:fs/promises'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'

/** The longest socket path that every system accepts, less the suffix we add. */
const PATH_MAX = 90
/** How long a process that moved a live socket by mistake has to put it back. */
const SETTLE_MS = 50

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
 * The address on which the process that holds a data directory listens for commands: a socket in it or, where its path
 * would be too long, among the temporary files. Windows has named pipes instead, which are no files.
 */
export async function controlPath(dataDir: string, platform: NodeJS.Platform = process.platform): Promise<string> {
  await mkdir(dataDir, { recursive: true })
  const real = await realpath(dataDir)
  const named = (path: string) => `tambayan-${createHash('sha256').update(path).digest('hex').slice(0, 24)}`
  if (platform === 'win32') return `\\\\.\\pipe\\${named(real.toLowerCase())}`
  const beside = join(real, 'site.sock')
  return beside.length <= PATH_MAX ? beside : join(tmpdir(), `${named(real)}.sock`)
}

/**
 * Locks a data directory for this process by listening at its control path. The system closes the socket or pipe with
 * the process, so a killed process never blocks the next one.
 *
 * @param onCommand receives each connection and answers its commands
 * @throws DataDirInUse while another process holds it
 */
export async function lockDataDir(dataDir: string, onCommand: (socket: Socket) => void): Promise<DataLock> {
  const path = await controlPath(dataDir)
  const callers = new Set<Socket>()
  const server = createServer((socket) => {
    callers.add(socket)
    socket.once('close', () => callers.delete(socket))
    onCommand(socket)
  }).unref()
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()))
  const take = process.platform === 'win32' ? takePipe : takeSocket
  const forget = await take(server, path).catch(async (error: unknown) => {
    await close()
    throw error
  })
  if (forget === undefined) {
    await close()
    throw new DataDirInUse(dataDir)
  }
  const hangUp = () => {
    for (const socket of callers) socket.destroy()
  }
  return {
    hangUp,
    release: async () => {
      hangUp()
      await forget()
      await close()
    },
  }
}

/** Removes what is left of a lock when its server closes. */
type Forget = () => Promise<void>

/** Listens on a named pipe, which Windows gives to one process at a time. @returns undefined while another has it */
async function takePipe(server: Server, path: string): Promise<Forget | undefined> {
  try {
    await listen(server, path)
    return async () => {}
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return undefined
    throw error
  }
}

/**
 * Listens on a socket that is created under a unique name and then linked to the known one, which only one process can
 * do. @returns undefined while another process answers there
 */
async function takeSocket(server: Server, path: string): Promise<Forget | undefined> {
  const own = `${path}.${randomBytes(4).toString('hex')}`
  await listen(server, own)
  try {
    const { ino } = await lstat(own)
    while (!(await tryLink(own, path))) {
      if (await isAnswered(path)) return undefined
      await clearDead(path)
    }
    await setTimeout(SETTLE_MS)
    if ((await inodeOf(path)) !== ino) return undefined
    return async () => {
      if ((await inodeOf(path)) === ino) await rm(path, { force: true })
    }
  } finally {
    await rm(own, { force: true })
  }
}

async function tryLink(own: string, path: string): Promise<boolean> {
  try {
    await link(own, path)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

/** Removes a dead process's socket; one that answers after all, because another process was faster, is put back. */
async function clearDead(path: string): Promise<void> {
  const aside = `${path}.${randomBytes(4).toString('hex')}`
  try {
    await rename(path, aside)
  } catch {
    return
  }
  if (await isAnswered(aside)) await rename(aside, path)
  else await rm(aside, { force: true })
}

const inodeOf = (path: string) =>
  lstat(path).then(
    ({ ino }) => ino,
    () => undefined,
  )

function listen(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(path, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

function isAnswered(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path)
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}
