import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { findSite } from '../server/running-sites.ts'
import { findNode, ROOT } from './root.ts'

/**
 * `npm run upgrade [-- VERSION] [--service NAME]` upgrades this checkout to a version, by default the newest one of its
 * branch (START-9). It backs up, installs and builds while the site runs, then restarts the site, which upgrades the
 * database at its start. If anything fails before the new version opens, it installs and starts the previous version. If the
 * start failed after the migrations, the database stays upgraded. The previous version works with it, unless a migration
 * removed what that version needs (docs/decisions/003).
 *
 * A systemd service is restarted. Otherwise the site continues in this terminal with the same settings.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { service: { type: 'string' } },
})

/** An error that the operator can fix, as its message describes. */
class StoppedError extends Error {}

const OPEN_TIMEOUT_MS = 120_000
/** The path without the project's Node, because npm must not run on the Node that it replaces. */
const SYSTEM_PATH = (process.env.PATH ?? '')
  .split(delimiter)
  .filter((folder) => !folder.startsWith(ROOT))
  .join(delimiter)

/** Runs a program in the project. @returns its output. @throws StoppedError with its output if it fails */
async function run(command: string, args: string[], env: NodeJS.ProcessEnv = process.env): Promise<string> {
  const child = spawn(command, args, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
  const [code] = (await Promise.race([once(child, 'close'), once(child, 'error')])) as [unknown]
  if (code === 0) return output.trim()
  const reason = code instanceof Error ? code.message : output.trim().split('\n').slice(-15).join('\n')
  throw new StoppedError(`${command} ${args.join(' ')} failed:\n${reason}`)
}

const git = (...args: string[]) => run('git', args)

/** Installs the packages if they differ from those of another commit, and builds. */
async function install(commit: string): Promise<void> {
  if ((await git('diff', '--name-only', commit, 'HEAD', '--', 'package-lock.json', '.npmrc')) !== '')
    await run('npm', ['ci', '--no-audit', '--no-fund'], { ...process.env, PATH: SYSTEM_PATH })
  await run(findNode(), ['scripts/build.ts'])
}

const readVersion = async (): Promise<string> =>
  (JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as { version: string }).version

/** The site to upgrade: functions to back it up, and to restart it as the new version. */
type Site = {
  backUp(): Promise<string>
  /** @throws StoppedError if the site does not open */
  restart(): Promise<void>
  /** Waits until the site ends, if it runs in this terminal. @returns its exit code; otherwise 0 at once */
  waitForExit(): Promise<number>
}

/** Returns a site that is a systemd service. The script deploy/tambayan, under the service's name, runs its commands. */
function createServiceSite(name: string): Site {
  const isOpen = async (openedAfter: string) =>
    (await run('journalctl', ['--unit', name, '--since', openedAfter, '--output', 'cat', '--quiet'])).includes(
      ' is open: ',
    )
  return {
    backUp: () => run(name, ['backup']),
    restart: async () => {
      const openedAfter = `@${Math.floor(Date.now() / 1000)}`
      await run('systemctl', ['restart', name])
      for (const deadline = Date.now() + OPEN_TIMEOUT_MS; Date.now() < deadline; ) {
        if (await isOpen(openedAfter)) return
        if ((await run('systemctl', ['show', name, '--property=NRestarts', '--value'])) !== '0') break
        await setTimeout(1000)
      }
      const log = await run('journalctl', ['--unit', name, '--since', openedAfter, '--output', 'cat', '--lines', '5'])
      throw new StoppedError(`The service ${name} did not open:\n${log}`)
    },
    waitForExit: async () => 0,
  }
}

/** Returns a site that runs in a terminal: it is stopped there and continues here. If none runs, nothing is started. */
async function findTerminalSite(): Promise<Site> {
  const runningSite = await findSite(process.env)
  const env = { ...process.env, ...runningSite?.settings }
  let child: ChildProcess | undefined
  return {
    backUp: () => run(process.execPath, ['scripts/backup.ts'], env),
    restart: async () => {
      if (runningSite === undefined) return
      await stopProcess(runningSite.pid)
      child = await openHere(env)
    },
    waitForExit: async () => {
      if (child === undefined) return 0
      const [code] = (await once(child, 'exit')) as [number | null]
      return code ?? 0
    },
  }
}

const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** Stops a site, which takes at most ten seconds. */
async function stopProcess(pid: number): Promise<void> {
  if (isAlive(pid)) process.kill(pid, 'SIGTERM')
  while (isAlive(pid)) await setTimeout(100)
}

/** Starts the site in this terminal. @throws StoppedError if it ends before it is open */
async function openHere(env: NodeJS.ProcessEnv): Promise<ChildProcess> {
  const child = spawn(findNode(), ['server.ts'], { cwd: ROOT, env, stdio: ['inherit', 'pipe', 'inherit'] })
  // Ctrl+C reaches both processes. This one waits until the site has stopped.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill('SIGTERM'))
  let output = ''
  child.stdout.on('data', (chunk) => {
    process.stdout.write(chunk)
    output += chunk
  })
  const processExit = once(child, 'exit').then(() => {
    throw new StoppedError('The site did not start.')
  })
  const whenOpened = (async () => {
    while (!/ is open: /.test(output)) await setTimeout(100)
  })()
  await Promise.race([processExit, whenOpened])
  return child
}

async function upgrade(): Promise<number> {
  const site = values.service === undefined ? await findTerminalSite() : createServiceSite(values.service)
  const changedFiles = await git('diff', '--name-only', 'HEAD')
  if (changedFiles !== '')
    throw new StoppedError(`Files of this checkout were changed:\n${changedFiles}\nPut them back first.`)
  await git('fetch', '--tags')
  const [previousCommit, previousVersion] = [await git('rev-parse', 'HEAD'), await readVersion()]
  const targetCommit = await git('rev-parse', `${positionals[0] ?? '@{upstream}'}^{commit}`)
  if (targetCommit === previousCommit) {
    console.log(`This checkout is already at version ${previousVersion}.`)
    return 0
  }
  console.log('Backing up …')
  const backup = (await site.backUp()).split('\n').find((line) => line.includes('.gz')) ?? ''
  console.log(backup)
  try {
    console.log('Installing …')
    await git('merge', '--ff-only', '--quiet', targetCommit)
    await install(previousCommit)
    console.log(`Opening version ${await readVersion()} …`)
    await site.restart()
  } catch (error) {
    console.error(`${(error as Error).message}\nGoing back to version ${previousVersion} …`)
    await git('reset', '--keep', '--quiet', previousCommit)
    await install(targetCommit)
    await site.restart()
    console.error(
      `The upgrade failed, and version ${previousVersion} is back. If the new version had already upgraded the database, it stays upgraded; version ${previousVersion} works with it.`,
    )
    await site.waitForExit()
    return 1
  }
  console.log(
    `Version ${await readVersion()} is installed. To go back later, stop the site, run "git reset --keep ${previousCommit.slice(0, 12)}", npm ci and npm run build, and start the site; its data stays. If version ${previousVersion} refuses the database, restore the backup as docs/OPERATING.md describes: ${backup.replace(/: \d+ rows$/, '')}`,
  )
  return site.waitForExit()
}

process.exit(
  await upgrade().catch((error: Error) => {
    console.error(error instanceof StoppedError ? error.message : error)
    return 1
  }),
)
