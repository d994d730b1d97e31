import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { chownSync, existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createConnection } from 'mysql2/promise'
import { cleanUpAtExit, makeTemporaryFolder } from './clean-up.ts'
import { installDebianPackages } from './debian-packages.ts'
import { findFreePort, findUnprivilegedUser } from './throwaway-postgres.ts'

export type ThrowawayMariadb = {
  /** The address without the name of a database. */
  url: string
  /** Kills the server. Committed data is available again after `start`. */
  kill(): Promise<void>
  start(): Promise<void>
  stop(): Promise<void>
}

const SERVER = '/usr/sbin/mariadbd'
const INSTALLER = '/usr/bin/mariadb-install-db'

/** Installs Debian's package if it is missing. */
export function ensureMariadb(): void {
  if (existsSync(SERVER)) return
  console.log('Installing MariaDB for the tests …')
  installDebianPackages('mariadb-server')
  if (!existsSync(SERVER)) throw new Error('MariaDB was installed but could not be found.')
}

/**
 * Starts MariaDB from Debian's package in a temporary folder, on loopback. `stop`, or the end of this process, deletes
 * it.
 */
export async function startThrowawayMariadb(settings: string[] = []): Promise<ThrowawayMariadb> {
  ensureMariadb()
  const folder = makeTemporaryFolder()
  const user = findUnprivilegedUser()
  if (user !== undefined) chownSync(folder, user.uid, user.gid)
  const spawnOptions = { ...user, stdio: 'ignore' as const }
  const data = join(folder, 'data')
  execFileSync(
    INSTALLER,
    [`--datadir=${data}`, '--auth-root-authentication-method=normal', '--skip-test-db', '--no-defaults'],
    spawnOptions,
  )
  const port = await findFreePort()
  const url = `mariadb://root@127.0.0.1:${port}`
  let server: ChildProcess | undefined
  const stopServer = async (signal: NodeJS.Signals) => {
    const runningServer = server
    if (runningServer === undefined || runningServer.exitCode !== null || runningServer.signalCode !== null) return
    const exit = new Promise((resolve) => runningServer.once('exit', resolve))
    runningServer.kill(signal)
    await exit
  }
  const start = async () => {
    server = spawn(
      SERVER,
      [
        '--no-defaults',
        `--datadir=${data}`,
        `--port=${port}`,
        '--bind-address=127.0.0.1',
        `--socket=${join(folder, 'socket')}`,
        `--pid-file=${join(folder, 'pid')}`,
        '--innodb-buffer-pool-size=64M',
        // A kill must not lose committed data, because the bridge would treat that as a restore.
        '--innodb-flush-log-at-trx-commit=2',
        '--lower-case-table-names=0',
        ...settings,
      ],
      spawnOptions,
    )
    await waitForAnswer(url)
  }
  const cancelCleanUp = cleanUpAtExit(() => server?.kill('SIGKILL'))
  await start()
  return {
    url,
    start,
    kill: () => stopServer('SIGKILL'),
    stop: async () => {
      await stopServer('SIGKILL')
      cancelCleanUp()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function waitForAnswer(url: string): Promise<void> {
  const uri = url.replace('mariadb:', 'mysql:')
  for (let attempt = 0; ; attempt++) {
    try {
      await (await createConnection({ uri })).end()
      return
    } catch (error) {
      if (attempt === 150) throw error
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
}
