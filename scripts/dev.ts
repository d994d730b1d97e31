/**
 * `npm run dev` serves the demo world from source files. Vite sends changed modules to browsers. The server's modules
 * run in this process. When one changes, they are loaded again, on the same database and port (docs/decisions/042).
 */
import { spawn } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { join, relative, sep } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { stripVTControlCharacters } from 'node:util'
import { type Config, readConfig } from '#server/config.ts'
import { listenAt } from '#server/http/http-server.ts'
import type { Foundation } from '#server/start.ts'
import { ROOT } from './root.ts'

/** The server's files: its modules, and the files that they read. */
const SERVER_FILES = /^(server|contract|content|demo)\/(?!.*\.test\.ts$)/
/** The files of the pages. */
const PAGE_FILES = /^(web|contract|content)\/(?!.*\.test\.tsx?$)/
/** Edits within this time count as one change. */
const DEBOUNCE_MS = 30
/** After this time without requests, Vite loads the server's modules. */
const QUIET_MS = 300
/** The time after which stopping ends the process. */
const STOP_TIMEOUT_MS = 1500

type StartModule = typeof import('#server/start.ts')
type Site = Awaited<ReturnType<StartModule['openSite']>>

const definedVariables = Object.entries(process.env).filter(([, value]) => value !== '')
const env = {
  DATA_DIR: join('data', 'dev'),
  RATE_LIMIT: 'off',
  LOG_LEVEL: 'warn',
  ...Object.fromEntries(definedVariables),
}

/** Resolves when the site can handle requests. The port opens earlier, so two sites never start on one port. */
const ready = Promise.withResolvers<void>()
/** The time at which the last request came or ended. */
let lastRequestAt = 0
const server = createServer(async (req, res) => {
  lastRequestAt = performance.now()
  res.once('close', () => (lastRequestAt = performance.now()))
  await ready.promise
  const isForVite = VITE_PATHS.test(req.url ?? '') || req.headers.accept === 'text/x-vite-ping'
  if (isForVite) vite.middlewares(req, res, () => res.writeHead(404).end())
  else await answerRequest(req, res)
})

const config = readSettings()
await listenAt(server, config).catch(exitWithError)
const address = server.address()
const port = typeof address === 'object' && address !== null ? address.port : config.port

// Creating a world takes longer than everything else, so it begins before Vite is loaded.
const world = ensureWorld()
const fonts = ensureFonts()
for (const pendingSetup of [world, fonts]) pendingSetup.catch(() => undefined)
/**
 * The current modules of the server; rejected while one of them has an error. Node loads the first ones, in a quarter of
 * the time that Vite takes.
 */
let startModule: Promise<StartModule> = import('#server/start.ts')
startModule.catch(() => undefined)
let wasReloaded = false
let isLoadQueued = false
const { getRunner, openSourceFrontend, startVite, VITE_PATHS } = await import('./dev-frontend.ts')
const vite = await startVite(server, async (file) => {
  await startModule.catch(() => undefined)
  return wasReloaded ? modules.import(file) : import(pathToFileURL(file).href)
})
const modules = getRunner(vite, 'server')
const pageModules = getRunner(vite, 'ssr')
const browsers = vite.environments.client.hot

/** Whether the pages have changed since they were last loaded for rendering. */
let hasStalePages = false
let foundation: Foundation | undefined
let site: Site | undefined
/** The error of the last update, if it failed. */
let failure: unknown
/** The current update, for which requests wait. It never rejects. */
let currentUpdate = update('npm run dev', async () => {
  void fonts.then(warmUp, () => undefined)
  const start = await startModule
  await Promise.all([fonts, world])
  await openWithModules(start)
  void prepareReload(start)
})

ready.resolve()

vite.watcher.on('all', (_event, path) => {
  const file = relative(ROOT, path).split(sep).join('/')
  if (PAGE_FILES.test(file)) hasStalePages = true
  if (SERVER_FILES.test(file) && !isLoadQueued) reload(file)
})

for (const signal of ['SIGTERM', 'SIGINT', 'SIGBREAK', 'SIGHUP'] as const) process.once(signal, () => void stop())

function readSettings(): Config {
  try {
    return readConfig(env)
  } catch (error) {
    return exitWithError(error as Error)
  }
}

/** Prints the reason why the site cannot start, and exits. */
function exitWithError(error: Error): never {
  console.error(error.message)
  process.exit(1)
}

/** Loads the server's modules again and opens the site with them. Until then the old modules handle requests. */
function reload(file: string): void {
  isLoadQueued = true
  wasReloaded = true
  const startedAt = performance.now()
  startModule = Promise.allSettled([startModule])
    .then(() => sleep(DEBOUNCE_MS))
    .then(() => {
      isLoadQueued = false
      modules.clearCache()
      return modules.import('/server/start.ts')
    })
  // Code that awaits the update receives the error.
  startModule.catch(() => undefined)
  const next = startModule
  currentUpdate = currentUpdate.then(() =>
    update(file, async () => {
      await openWithModules(await next)
      browsers.send('server:updated')
      console.log(`${file}: the server was updated in ${Math.round(performance.now() - startedAt)} ms.`)
    }),
  )
}

/** Loads the server's modules with Vite when there are no requests, so a change then loads only what changed. */
async function prepareReload(start: StartModule): Promise<void> {
  const openedAt = performance.now()
  while (performance.now() - Math.max(openedAt, lastRequestAt) < QUIET_MS) await sleep(QUIET_MS)
  if (wasReloaded) return
  const getStart = () => start
  startModule = modules.import('/server/start.ts').then(getStart, getStart)
}

/** Opens the site with the server's modules: at first after its database, later in place of the previous site. */
async function openWithModules({ prepareFoundation, prepareDatabase, openSite }: StartModule): Promise<void> {
  const isFirst = foundation === undefined
  foundation ??= await prepareFoundation(config, console.log).catch(exitWithError)
  if (!isFirst) foundation.siteKey = await prepareDatabase(foundation.database, config, console.log)
  await site?.close(async () => {})
  site = undefined
  if (hasStalePages) pageModules.clearCache()
  hasStalePages = false
  const frontend = openSourceFrontend(vite)
  site = await openSite(foundation, { env, port, stopping: new AbortController(), frontend })
  if (isFirst) printGreeting(site.greeting)
}

function printGreeting(message: string): void {
  const origin = `http://${config.host}:${port}`
  console.log(`${message}
The desk: ${origin}/admin
Emails:   ${join(config.dataDir, 'mail')}
The API:  ${origin}/api/docs

Change a file, and the browser shows it. Ctrl+C stops.`)
}

/** Runs an update. Reports a failure in the terminal and in browsers. */
async function update(changeLabel: string, run: () => Promise<void>): Promise<void> {
  try {
    await run()
    if (failure !== undefined) clearOverlays()
    failure = undefined
  } catch (error) {
    failure = error
    const { message, stack } = describeError(error)
    console.error(
      `${changeLabel}: ${message}\n${stack}\n${site === undefined ? 'Waiting for a change.' : 'The site continues with its previous version.'}`,
    )
    // Without this, a browser that shows an error would reload the page at its first update.
    clearOverlays()
    browsers.send({ type: 'error', err: { message: `${changeLabel}: ${message}`, stack } })
  }
}

/** Returns an error's message without colors, and those lines of its stack that are in the project. */
function describeError(error: unknown): { message: string; stack: string } {
  const { message, stack = '' } = error instanceof Error ? error : new Error(String(error))
  const lines = stack.split('\n').filter((line) => /^ +at /.test(line) && !/node_modules|node:/.test(line))
  return { message: stripVTControlCharacters(message), stack: lines.join('\n') }
}

/** Removes the errors from browsers by an update without changes. */
function clearOverlays(): void {
  browsers.send({ type: 'update', updates: [] })
}

async function answerRequest(req: IncomingMessage, res: ServerResponse): Promise<void> {
  if (hasStalePages && site !== undefined && req.headers.accept?.includes('text/html')) {
    hasStalePages = false
    currentUpdate = currentUpdate.then(() =>
      update('pages', async () => {
        pageModules.clearCache()
        await site?.reloadPages()
      }),
    )
  }
  await currentUpdate
  if (site !== undefined) return site.answer(req, res)
  const message = describeError(failure).message.replace(/[&<]/g, (character) => `&#${character.charCodeAt(0)};`)
  res.writeHead(503, { 'Content-Type': 'text/html; charset=utf-8', 'Retry-After': '1' })
  res.end(`<!DOCTYPE html><title>The server could not start</title><meta http-equiv="refresh" content="2">
<pre>${message}</pre><p>This page reloads automatically.</p>`)
}

/** Generates the fonts unless they are up to date. */
async function ensureFonts(): Promise<void> {
  const changedAt = (file: string) => statSync(join(ROOT, file), { throwIfNoEntry: false })?.mtimeMs ?? 0
  const sources = ['scripts/bake-fonts.ts', 'package-lock.json'].map(changedAt)
  if (changedAt('web/ui/fonts/drawn-latin-ext.ttf') > Math.max(...sources)) return
  await runScript('bake-fonts.ts')
}

/**
 * Creates the demo world if it is missing, in a separate process, because PGlite would block this one for most of the
 * start.
 */
async function ensureWorld(): Promise<void> {
  if (config.databaseUrl !== undefined || existsSync(join(config.dataDir, 'db'))) return
  await runScript('dev-world.ts')
}

function runScript(name: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(ROOT, 'scripts', name)], { stdio: 'inherit', env })
    const end = () => child.kill()
    process.once('exit', end)
    child.once('exit', (code) => {
      process.off('exit', end)
      if (code === 0) resolve()
      else reject(new Error(`scripts/${name} failed.`))
    })
  })
}

/** Loads the modules of the first page before it is requested. */
async function warmUp(): Promise<void> {
  const { client } = vite.environments
  for (const page of ['/web/entry.client.tsx', '/web/features/home/home-page.tsx']) void client.warmupRequest(page)
  await pageModules.import('/web/entry.server.tsx').catch(() => undefined)
}

async function stop(): Promise<void> {
  setTimeout(() => process.exit(0), STOP_TIMEOUT_MS).unref()
  server.close()
  server.closeAllConnections()
  await currentUpdate
  await site?.close(async () => {})
  await foundation?.close()
  process.exit(0)
}
