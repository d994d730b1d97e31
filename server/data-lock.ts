import { createHash } from 'node:crypto'
import { mkdir, realpath, rm } from 'node:fs/promises'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The longest socket path every system takes. */
const PATH_MAX = 100

/** Another process has the data directory open. */
export class DataDirInUse extends Error {
  override name = 'DataDirInUse'
}

export type DataLock = { release(): Promise<void> }

/** Where the process that holds a data directory listens for commands such as a backup. */
export async function controlSocketPath(dataDir: string): Promise<string> {
  await mkdir(dataDir, { recursive: true })
  const real = await realpath(dataDir)
  const beside = join(real, 'site.sock')
  if (beside.length <= PATH_MAX) return beside
  return join(tmpdir(), `tambayan-${createHash('sha256').update(real).digest('hex').slice(0, 24)}.sock`)
}

/**
 * Takes a data directory for this process alone, by listening on a socket in it: the kernel
 * forgets it with the process, so a killed one never blocks the next.
 *
 * @param onCommand gets each connection, to answer commands of this directory's owner
 * @throws DataDirInUse while another process holds it
 */
export async function lockDataDir(dataDir: string, onCommand: (socket: Socket) => void): Promise<DataLock> {
  const path = await controlSocketPath(dataDir)
  const server = createServer(onCommand)
  try {
    await listen(server, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
    if (await isAnswered(path)) throw new DataDirInUse(dataDir)
    await rm(path, { force: true })
    await listen(server, path)
  }
  server.unref()
  return { release: () => new Promise((resolve) => server.close(() => resolve())) }
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
