import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import process from 'node:process'

/** Starts the site, and stops it on SIGTERM. */

// Node caches its compiled code between starts, which saves half a second.
enableCompileCache(join(import.meta.dirname, '.cache/node'))

/** Runs on a signal. During the start it ends the process at once, and the next start continues the work. */
let stop = (): void => process.exit(0)

// Windows has no SIGTERM; there `npm stop` sends SIGBREAK, as Ctrl+Break does.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGBREAK'] as const) process.once(signal, () => stop())
// Windows sends SIGHUP when the window closes. On other systems, nohup makes programs ignore it.
if (process.platform === 'win32') process.once('SIGHUP', () => stop())

// The built server is one file, which loads in half the time. After an edit, the site starts from its sources.
const { isBuilt } = await import('./scripts/build.ts')
const wasBuilt = await isBuilt()
const BUILT_SERVER: string = './build/site/start.js'
const { closeServer, startSite, StartError }: typeof import('./server/start.ts') = await (wasBuilt
  ? import(BUILT_SERVER)
  : import('./server/start.ts'))

const exitWithError = (line: string): never => {
  console.error(line)
  process.exit(1)
}

const site = await startSite(process.env, (line) => console.log(line), wasBuilt).catch((error: unknown) => {
  if (error instanceof StartError) return exitWithError(error.message)
  const reason = error instanceof Error ? error.message : String(error)
  return exitWithError(`The site could not start: ${reason.replace(/\s+/g, ' ')}`)
})

// Callers may stop the site as soon as they see the greeting.
stop = () => void closeServer(site)
console.log(site.greeting)
