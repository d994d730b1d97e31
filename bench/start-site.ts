import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..')

export type Started = { origin: string; pid: number; process: ChildProcess; stop(): Promise<void> }

/**
 * Starts a Node program in a process of its own and waits for the line in which it says
 * where it is reached.
 * @throws when it ends before
 */
export async function startProgram(args: string[], env: Record<string, string> = {}): Promise<Started> {
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const origin = await new Promise<string>((resolve, reject) => {
    let said = ''
    child.stdout.on('data', (chunk) => {
      said += chunk
      const address = /http:\/\/127\.0\.0\.1:\d+/.exec(said)?.[0]
      if (address !== undefined) resolve(address)
    })
    child.once('exit', () => reject(new Error(`${args.join(' ')} ended before it was up:\n${said}`)))
  })
  return {
    origin,
    pid: child.pid ?? 0,
    process: child,
    stop: async () => {
      child.kill('SIGTERM')
      await ended
    },
  }
}

/** Starts the site as `npm start` does, on a free port, with the demo world in a data directory that `stop` removes. */
export async function startSite(nodeArgs: string[] = []): Promise<Started> {
  const dataDir = await mkdtemp(join(tmpdir(), 'tambayan-bench-'))
  const site = await startProgram([...nodeArgs, 'server.ts'], {
    HOST: '127.0.0.1',
    PORT: '0',
    DATA_DIR: dataDir,
    DATABASE_URL: '',
    DEMO: '1',
    PUBLIC_URL: '',
    RATE_LIMIT: 'off',
    LOG_LEVEL: 'warn',
  })
  return {
    ...site,
    stop: async () => {
      await site.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
