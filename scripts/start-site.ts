import { type ChildProcess, spawn } from 'node:child_process'
import { cleanUpAtExit, makeTemporaryFolder } from './clean-up.ts'
import { findNode, ROOT } from './root.ts'

export type StartedProgram = {
  origin: string
  process: ChildProcess
  /** The output so far. */
  printed(): string
  stop(): Promise<void>
}

type Environment = Record<string, string>

/**
 * Runs a Node program and waits until it prints its address. The program ends with this process at the latest.
 *
 * @throws when the program ends before it prints an address
 */
export async function startProgram(
  args: string[],
  env: Environment = {},
  { cwd = ROOT, node = process.execPath }: { cwd?: string; node?: string } = {},
): Promise<StartedProgram> {
  const { NODE_ENV: _, ...inheritedEnv } = process.env
  const child = spawn(node, args, { cwd, env: { ...inheritedEnv, ...env }, stdio: ['ignore', 'pipe', 'inherit'] })
  const cancelCleanUp = cleanUpAtExit(() => child.kill('SIGKILL'))
  const processExit = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  let output = ''
  const origin = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (chunk) => {
      output += chunk
      const address = /http:\/\/(?:127\.0\.0\.1|localhost):\d+/.exec(output)?.[0]
      if (address !== undefined) resolve(address)
    })
    child.once('error', reject)
    child.once('exit', () => reject(new Error(`${args.join(' ')} ended before it printed its address:\n${output}`)))
  })
  const stop = async () => {
    child.kill('SIGTERM')
    await processExit
    cancelCleanUp()
  }
  return { origin, process: child, printed: () => output, stop }
}

/**
 * The defaults of `npm start`, except for a free port, no rate limits and fewer log lines. NODE_ENV is not set, as for
 * operators.
 */
const SITE_ENV: Environment = {
  HOST: '127.0.0.1',
  PORT: '0',
  DATABASE_URL: '',
  DEMO: '1',
  PUBLIC_URL: '',
  RATE_LIMIT: 'off',
  LOG_LEVEL: 'warn',
}

type SiteOptions = {
  /** The folder of the checkout, whose pinned Node runs the site. */
  checkout?: string
  nodeArgs?: string[]
  env?: Environment
}

/**
 * Starts the site of a checkout like `npm start`, with the demo world. Its data directory is deleted when this process
 * ends.
 */
export async function startSite({
  checkout = ROOT,
  nodeArgs = [],
  env = {},
}: SiteOptions = {}): Promise<StartedProgram> {
  const dataDirEnv: Environment = env.DATABASE_URL ? {} : { DATA_DIR: makeTemporaryFolder() }
  return startProgram(
    [...nodeArgs, 'server.ts'],
    { ...SITE_ENV, ...dataDirEnv, ...env },
    { cwd: checkout, node: findNode(checkout) },
  )
}
