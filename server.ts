import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import process from 'node:process'

/*
 * Starts the site and stops it on SIGTERM. Everything else is imported after the restart with other options, which
 * therefore costs next to nothing.
 */

/**
 * V8 collects garbage earlier than it would by itself and gives memory back at once: two thirds of the memory under load,
 * for a tenth more processor time (docs/decisions/034). It begins with 80 MB, which the site needs anyway, so that it does
 * not collect over and over while that is loaded. The last option is for server/idle-memory.ts.
 */
const NODE_OPTIONS = [
  '--max-semi-space-size=4',
  '--heap-growing-percent=30',
  '--initial-heap-size=80',
  '--no-memory-pool',
  '--expose-gc',
]

/** The same for glibc, which reads these when a process begins. Other systems ignore them. */
const MALLOC = { MALLOC_ARENA_MAX: '1', MALLOC_MMAP_THRESHOLD_: '24576', MALLOC_TRIM_THRESHOLD_: '16384' }

/**
 * Where Node keeps what it compiled. Given with the start, that holds for this file too, and Node need not load its own
 * TypeScript parser, which takes 17 MB.
 */
const COMPILED = join(import.meta.dirname, '.cache/node')

/** Replaces this process, which keeps its ID, by one with the options above. Windows cannot do that and goes without. */
function applyOptions(): void {
  const missing = NODE_OPTIONS.filter((option) => !process.execArgv.includes(option))
  if (missing.length === 0 || process.platform === 'win32') return
  process.execve?.(process.execPath, [process.execPath, ...missing, ...process.execArgv, ...process.argv.slice(1)], {
    ...MALLOC,
    NODE_COMPILE_CACHE: COMPILED,
    ...process.env,
  })
}

applyOptions()
enableCompileCache(COMPILED)

/** What a signal does. During the start it is the end at once: the next start takes over whatever this one left. */
let stop = (): void => process.exit(0)

// SIGBREAK is Ctrl+Break on Windows, which has no SIGTERM: there it comes from `npm stop`.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGBREAK'] as const) process.once(signal, () => stop())
// Closing the window on Windows. Elsewhere nohup asks programs to ignore it.
if (process.platform === 'win32') process.once('SIGHUP', () => stop())

const { StartError } = await import('./server/config.ts')
const { closeServer, startSite } = await import('./server/start.ts')

const stopStarting = (line: string): never => {
  console.error(line)
  process.exit(1)
}

const site = await startSite(process.env, (line) => console.log(line)).catch((error: unknown) => {
  if (error instanceof StartError) return stopStarting(error.message)
  const why = error instanceof Error ? error.message : String(error)
  return stopStarting(`The site could not start: ${why.replace(/\s+/g, ' ')}`)
})

// Whoever reads the greeting may stop the site at once.
stop = () => void closeServer(site)
console.log(site.greeting)
