import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { chownSync, existsSync, readFileSync } from 'node:fs'
import { glob, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { freemem, tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { cleanUpAtExit, makeTemporaryFolder } from './clean-up.ts'
import { installDebianPackages } from './debian-packages.ts'

export type ThrowawayPostgres = {
  url: string
  bin: string
  /** Sends a signal to the server and all its processes, as when a machine hangs or loses power. */
  signal(name: NodeJS.Signals): void
  /** Kills the server and waits until it has ended. Committed data is available again after `start`. */
  kill(): Promise<void>
  /** Starts a killed server again; does nothing if it runs. */
  start(): Promise<void>
  /** Makes a standby the primary. */
  promote(): Promise<void>
  stop(): Promise<void>
}

/** Installs Debian's package if it is missing. @returns the folder of its programs */
export async function ensurePostgres(): Promise<string> {
  const binariesFolder = await findBinaries()
  if (binariesFolder !== undefined) return binariesFolder
  console.log('Installing PostgreSQL for the tests …')
  installDebianPackages('postgresql')
  const bin = await findBinaries()
  if (bin === undefined) throw new Error('PostgreSQL was installed but could not be found.')
  return bin
}

/**
 * Starts the cluster that the tests share. If the machine has enough free memory, its files are in memory, so a test can
 * copy a world in a tenth of a second. Its URL names its socket, because a statement then takes a third less time than
 * over TCP.
 */
export async function startTestPostgres(): Promise<ThrowawayPostgres> {
  const fitsInMemory = existsSync('/dev/shm') && freemem() > 4e9
  const folder = makeTemporaryFolder(fitsInMemory ? '/dev/shm' : tmpdir())
  const postgres = await startThrowawayPostgres(
    ['shared_buffers=32MB', 'full_page_writes=off', 'synchronous_commit=off'],
    { folder },
  )
  return { ...postgres, url: `${postgres.url}?host=${encodeURIComponent(folder)}` }
}

/** Starts the tests' cluster. Returns undefined if PostgreSQL is missing and cannot be installed. */
export async function startTestPostgresIfPossible(): Promise<ThrowawayPostgres | undefined> {
  try {
    return await startTestPostgres()
  } catch (error) {
    console.log(`The tests run on the embedded database, because PostgreSQL could not be started:\n${error}`)
    return undefined
  }
}

async function findBinaries(): Promise<string | undefined> {
  const folders: string[] = []
  for await (const path of glob('/usr/lib/postgresql/*/bin')) folders.push(path)
  return folders.sort().at(-1)
}

/**
 * Returns an unprivileged system user for PostgreSQL, which refuses to run as root; undefined unless this process is
 * root.
 */
export function findUnprivilegedUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  const readId = (flag: string) => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }))
  return { uid: readId('-u'), gid: readId('-g') }
}

/** Returns a free port on loopback. */
export function findFreePort(): Promise<number> {
  return new Promise((resolve) => {
    const portServer = createServer().listen(0, '127.0.0.1', () => {
      const address = portServer.address()
      portServer.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
}

/**
 * Starts a PostgreSQL cluster from Debian's package in a temporary folder, on loopback, without fsync. `stop`, or the
 * end of this process, deletes it.
 *
 * @param options.primary the cluster whose streaming standby the new one becomes
 * @param options.folder an empty folder to use, for example on a small disk
 */
export async function startThrowawayPostgres(
  settings: string[] = [],
  { primary, folder = makeTemporaryFolder() }: { primary?: ThrowawayPostgres; folder?: string } = {},
): Promise<ThrowawayPostgres> {
  const bin = await ensurePostgres()
  const user = findUnprivilegedUser()
  if (user !== undefined) chownSync(folder, user.uid, user.gid)
  const spawnOptions = { ...user, env: { ...process.env, LC_ALL: 'C.UTF-8' }, stdio: 'ignore' as const }
  const data = join(folder, 'data')
  if (primary === undefined)
    execFileSync(
      join(bin, 'initdb'),
      ['-D', data, '-U', 'tambayan', '-A', 'trust', '-E', 'UTF8', '--no-sync'],
      spawnOptions,
    )
  else
    execFileSync(
      join(bin, 'pg_basebackup'),
      ['-D', data, '-d', primary.url, '-R', '-c', 'fast', '--no-sync'],
      spawnOptions,
    )
  const port = await findFreePort()
  const options = ['fsync=off', 'max_connections=200', 'shared_buffers=256MB', ...settings]
  const url = `postgres://tambayan@127.0.0.1:${port}/postgres`
  let server: ChildProcess | undefined
  const isRunning = () => server !== undefined && server.exitCode === null && server.signalCode === null
  const start = async () => {
    if (!isRunning())
      server = spawn(
        join(bin, 'postgres'),
        [
          '-D',
          data,
          '-p',
          String(port),
          '-h',
          '127.0.0.1',
          '-k',
          folder,
          ...options.flatMap((setting) => ['-c', setting]),
        ],
        spawnOptions,
      )
    await waitForAnswer(url)
  }
  const stopServer = async (signal: NodeJS.Signals) => {
    const serverExit = new Promise((resolve) => server?.once('exit', resolve))
    if (isRunning() && server?.kill(signal)) await serverExit
  }
  // SIGQUIT stops PostgreSQL with all its processes immediately.
  const cancelCleanUp = cleanUpAtExit(() => server?.kill('SIGQUIT'))
  await start()
  const listProcesses = () => {
    const pid = server?.pid
    if (pid === undefined || !isRunning()) return []
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim()
    return [pid, ...children.split(' ').filter(Boolean).map(Number)]
  }
  return {
    url,
    bin,
    start,
    signal: (name) => {
      for (const pid of listProcesses()) {
        try {
          process.kill(pid, name)
        } catch (error) {
          // The process of a connection can end at any time.
          if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
        }
      }
    },
    promote: async () => {
      const client = new pg.Client({ connectionString: url })
      await client.connect()
      await client.query('select pg_promote()')
      await client.end()
    },
    kill: () => stopServer('SIGQUIT'),
    stop: async () => {
      await stopServer('SIGINT')
      cancelCleanUp()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function waitForAnswer(connectionString: string): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    const client = new pg.Client({ connectionString })
    try {
      await client.connect()
      await client.end()
      return
    } catch (error) {
      // After a kill the server replays its log, which takes a while with `fsync=on` on a busy disk.
      if (attempt === 600) throw error
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
}
