/**
 * `npm run dev`: the demo world with pages that follow their sources. Vite sends browsers the modules that change. The
 * server's modules run in this process and are loaded again when one of them changes, on the same database and port
 * (docs/decisions/041).
 */
import { spawn } from 'node:child_process'
import { statSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { join, relative, sep } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Config, readConfig } from '#server/config.ts'
import { listenAt } from '#server/http/http-server.ts'
import type { Foundation } from '#server/start.ts'
import { openSourceFrontend, runnerOf, startVite, VITE_PATHS } from './dev-frontend.ts'
import { ROOT } from './root.ts'

/** What the server consists of: its modules, and the files that they read. */
const SERVER_FILES = /^(server|contract|content|demo)\/(?!.*\.test\.ts$)/
/** What the pages consist of. */
const PAGE_FILES = /^(web|contract|content)\/(?!.*\.test\.tsx?$)/
/** Several files are often saved together. */
const SAVES_WITHIN_MS = 30
/** How long stopping may take. */
const STOPS_WITHIN_MS = 1500

type Start = typeof import('#server/start.ts')
type Site = Awaited<ReturnType<Start['openSite']>>

const given = Object.entries(process.env).filter(([, value]) => value !== '')
const env = { DATA_DIR: join('data', 'dev'), RATE_LIMIT: 'off', LOG_LEVEL: 'warn', ...Object.fromEntries(given) }

const server = createServer((req, res) => {
  const isForVite = VITE_PATHS.test(req.url ?? '') || req.headers.accept === 'text/x-vite-ping'
  if (isForVite) vite.middlewares(req, res, () => res.writeHead(404).end())
  else void answer(req, res)
})

const config = readSettings()
await listenAt(server, config).catch(refuse)
const address = server.address()
const port = typeof address === 'object' && address !== null ? address.port : config.port

const vite = await startVite(server, async (file) => {
  await loading.catch(() => undefined)
  return modules.import(file)
})
const modules = runnerOf(vite, 'server')
const pageModules = runnerOf(vite, 'ssr')
const browsers = vite.environments.client.hot

/** The server's modules as they are now; rejected while one of them has a mistake. */
let loading: Promise<Start> = modules.import('/server/start.ts')
let isLoadQueued = false
/** Whether the pages have changed since they were loaded for rendering. */
let hasStalePages = false
let foundation: Foundation | undefined
let site: Site | undefined
/** Why the last update failed. */
let failure: unknown
/** Requests wait for it. Never rejected. */
let updating = update('start', async () => {
  const fonts = ensureFonts()
  const start = await loading
  foundation = await start.prepareFoundation(config, console.log, () => fonts)
  await open(start)
})

vite.watcher.on('all', (_event, path) => {
  const file = relative(ROOT, path).split(sep).join('/')
  if (PAGE_FILES.test(file)) hasStalePages = true
  if (SERVER_FILES.test(file) && !isLoadQueued) reload(file)
})

for (const signal of ['SIGTERM', 'SIGINT', 'SIGBREAK', 'SIGHUP'] as const) process.once(signal, () => void stop())

await updating
if (foundation === undefined) process.exit(1)
console.log(`${site?.greeting}
The desk: ${origin()}/admin
Emails:   ${join(config.dataDir, 'mail')}
The API:  ${origin()}/api/docs

Change a file, and the browser shows it. Ctrl+C stops.`)

function origin(): string {
  return `http://${config.host}:${port}`
}

function readSettings(): Config {
  try {
    return readConfig(env)
  } catch (error) {
    return refuse(error as Error)
  }
}

/** Prints why the site cannot start, and ends. */
function refuse(error: Error): never {
  console.error(error.message)
  process.exit(1)
}

/** Loads the server's modules again, and opens the site with them. Until then it goes on as it is. */
function reload(file: string): void {
  isLoadQueued = true
  const startedAt = performance.now()
  loading = Promise.allSettled([loading])
    .then(() => sleep(SAVES_WITHIN_MS))
    .then(() => {
      isLoadQueued = false
      modules.clearCache()
      return modules.import('/server/start.ts')
    })
  // Who waits for the update learns of a mistake.
  loading.catch(() => undefined)
  const next = loading
  updating = updating.then(() =>
    update(file, async () => {
      const start = await next
      if (foundation === undefined) foundation = await start.prepareFoundation(config, console.log, ensureFonts)
      else foundation.siteKey = await start.prepareDatabase(foundation.database, config, console.log)
      await site?.close(async () => {})
      site = undefined
      await open(start)
      browsers.send('server:updated')
      console.log(`${file}: the server has been updated in ${Math.round(performance.now() - startedAt)} ms.`)
    }),
  )
}

async function open({ openSite }: Start): Promise<void> {
  if (foundation === undefined) return
  if (hasStalePages) pageModules.clearCache()
  hasStalePages = false
  site = await openSite(foundation, {
    env,
    port,
    stopping: new AbortController(),
    frontend: openSourceFrontend(vite),
  })
}

/** Runs an update, and reports in the terminal and in browsers if it fails. */
async function update(what: string, run: () => Promise<void>): Promise<void> {
  try {
    await run()
    if (failure !== undefined) clearOverlays()
    failure = undefined
  } catch (error) {
    failure = error
    const { message, stack = '' } = error instanceof Error ? error : new Error(String(error))
    console.error(`${what}: ${stack.includes(message) ? stack : `${message}\n${stack}`}\nThe site goes on as it was.`)
    // A browser that shows an error and gets its first update would open the page again.
    clearOverlays()
    browsers.send({ type: 'error', err: { message: `${what}: ${message}`, stack } })
  }
}

/** Removes the errors that browsers show. An update without changes does that. */
function clearOverlays(): void {
  browsers.send({ type: 'update', updates: [] })
}

async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
  if (hasStalePages && site !== undefined && req.headers.accept?.includes('text/html')) {
    hasStalePages = false
    updating = updating.then(() =>
      update('pages', async () => {
        pageModules.clearCache()
        await site?.reloadPages()
      }),
    )
  }
  await updating
  if (site !== undefined) return site.answer(req, res)
  const message = String(failure).replace(/[&<]/g, (sign) => `&#${sign.charCodeAt(0)};`)
  res.writeHead(503, { 'Content-Type': 'text/html; charset=utf-8', 'Retry-After': '1' })
  res.end(`<!DOCTYPE html><title>The server could not start</title><meta http-equiv="refresh" content="2">
<pre>${message}</pre><p>This page reloads by itself.</p>`)
}

/** Cuts the fonts, unless they are there and newer than what they are cut from. */
async function ensureFonts(): Promise<void> {
  const changedAt = (file: string) => statSync(join(ROOT, file), { throwIfNoEntry: false })?.mtimeMs ?? 0
  const sources = ['scripts/bake-fonts.ts', 'package-lock.json'].map(changedAt)
  if (changedAt('web/ui/fonts/drawn-latin-ext.ttf') > Math.max(...sources)) return
  await new Promise<void>((resolve, reject) => {
    const child = spawn(process.execPath, [join(ROOT, 'scripts/bake-fonts.ts')], { stdio: 'inherit' })
    child.once('exit', (code) => (code === 0 ? resolve() : reject(new Error('The fonts could not be cut.'))))
  })
}

async function stop(): Promise<void> {
  setTimeout(() => process.exit(0), STOPS_WITHIN_MS).unref()
  server.close()
  server.closeAllConnections()
  await updating
  await site?.close(async () => {})
  await foundation?.close()
  process.exit(0)
}
