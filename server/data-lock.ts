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

/** The socket on which the process that holds a data directory listens for commands. */
export async function controlSocketPath(dataDir: string): Promise<string> {
  await mkdir(dataDir, { recursive: true })
  const real = await realpath(dataDir)
  const beside = join(real, 'site.sock')
  if (beside.length <= PATH_MAX) return beside
  return join(tmpdir(), `tambayan-${createHash('sha256').update(real).digest('hex').slice(0, 24)}.sock`)
}

/**
 * Locks a data directory for this process by listening on a socket in it. The kernel closes the
 * socket with the process, so a killed process never blocks the next one. The socket is created
 * under a unique name and then linked to the known one, which only one process can do.
 *
 * @param onCommand receives each connection and answers its commands
 * @throws DataDirInUse while another process holds it
 */
export async function lockDataDir(dataDir: string, onCommand: (socket: Socket) => void): Promise<DataLock> {
  const path = await controlSocketPath(dataDir)
  const own = `${path}.${randomBytes(4).toString('hex')}`
  const callers = new Set<Socket>()
  const server = createServer((socket) => {
    callers.add(socket)
    socket.once('close', () => callers.delete(socket))
    onCommand(socket)
  }).unref()
  await listen(server, own)
  const { ino } = await lstat(own)
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()))
  try {
    while (!(await tryLink(own, path))) {
      if (await isAnswered(path)) throw new DataDirInUse(dataDir)
      await clearDead(path)
    }
    await setTimeout(SETTLE_MS)
    if ((await inodeOf(path)) !== ino) throw new DataDirInUse(dataDir)
  } catch (error) {
    await close()
    throw error
  } finally {
    await rm(own, { force: true })
  }
  const hangUp = () => {
    for (const socket of callers) socket.destroy()
  }
  return {
    hangUp,
    release: async () => {
      hangUp()
      if ((await inodeOf(path)) === ino) await rm(path, { force: true })
      await close()
    },
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
