import { readFileSync } from 'node:fs'
import type { Server } from 'node:http'
import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import {
  createRunnableDevEnvironment,
  createServer,
  isRunnableDevEnvironment,
  type Plugin,
  type ViteDevServer,
} from 'vite'
import type { ModuleRunner } from 'vite/module-runner'
import type { Frontend } from '#server/frontend.ts'
import { createStaticFiles } from '#server/http/static-files.ts'
import { ensurePicture } from './bake-art.ts'
import { nameClass } from './class-names.ts'
import { ROOT } from './root.ts'
import { type ImportModule, wireContract } from './wire-contract.ts'

/** The folders from which browsers load modules. */
const BROWSER_FOLDERS = ['web', 'contract', 'content', 'demo', 'node_modules', '.cache/vite']
/** The addresses that Vite handles instead of the site. */
export const VITE_PATHS = new RegExp(`^/(@|__open-in-editor|(${BROWSER_FOLDERS.join('|').replace('.', '\\.')})/)`)
/** Folders without modules that change while the site runs. */
const UNWATCHED = ['data', 'build', 'screens', 'test-results', '.cache', '.git', 'web/public']

/**
 * Starts Vite. Its environment `client` has the modules of players' pages and the desk, `ssr` renders players' pages,
 * and `server` has the handlers. The last two run in this process.
 *
 * @param server carries the connections that notify browsers of changes
 * @param importModule imports the current version of a contract file
 */
export function startVite(server: Server, importModule: ImportModule): Promise<ViteDevServer> {
  const createRunnableEnvironment = (name: string, config: Parameters<typeof createRunnableDevEnvironment>[1]) =>
    createRunnableDevEnvironment(name, config, { runnerOptions: { hmr: false } })
  return createServer({
    configFile: false,
    root: ROOT,
    appType: 'custom',
    cacheDir: join(ROOT, '.cache/vite'),
    publicDir: false,
    clearScreen: false,
    logLevel: 'warn',
    plugins: [wireContract(importModule), react(), replaceStyles()],
    css: { modules: { generateScopedName: nameClass } },
    server: {
      middlewareMode: true,
      hmr: { server },
      watch: { ignored: UNWATCHED.map((folder) => `${join(ROOT, folder)}/**`) },
    },
    optimizeDeps: {
      entries: ['web/entry.client.tsx', 'web/admin/entry.tsx', 'web/features/*/*-page.tsx'],
    },
    environments: {
      ssr: { dev: { createEnvironment: createRunnableEnvironment } },
      server: { dev: { createEnvironment: createRunnableEnvironment } },
    },
  })
}

/**
 * Makes browsers replace only the changed CSS module if its classes are the same. Vite would also reload all modules
 * that import it, often the whole page.
 */
function replaceStyles(): Plugin {
  const classesByFile = new Map<string, string>()
  const listClasses = (css: string) => [...new Set(css.match(/\.-?[_a-z][\w-]*/gi))].sort().join()
  const isCssModule = (id: string | null) => id?.endsWith('.module.css') === true
  return {
    name: 'replace-styles',
    apply: 'serve',
    enforce: 'post',
    applyToEnvironment: ({ name }) => name === 'client',
    transform(code, id) {
      if (!isCssModule(id)) return
      classesByFile.set(id, listClasses(readFileSync(id, 'utf8')))
      return { code: `${code}\nimport.meta.hot.accept()`, map: null }
    },
    async hotUpdate({ file, modules, read }) {
      if (!file.endsWith('.css')) return
      // Other modules of the file have `?direct`; only the server uses them to render.
      const sheets = modules.filter(({ id }) => id === file)
      const hasSameClasses = classesByFile.get(file) === listClasses(await read())
      for (const module of sheets) if (isCssModule(file)) module.isSelfAccepting = hasSameClasses
      return sheets
    },
  }
}

/** Returns the module runner of an environment. */
export function getRunner(vite: ViteDevServer, name: 'ssr' | 'server'): ModuleRunner {
  const environment = vite.environments[name]
  if (environment === undefined || !isRunnableDevEnvironment(environment))
    throw new Error(`${name} cannot run modules.`)
  return environment.runner
}

const createScriptTags = (entry: string) =>
  ['/@vite/client', '/@id/@vitejs/plugin-react/preamble', entry]
    .map((source) => `<script type="module" src="${source}"></script>`)
    .join('')

/**
 * A service worker that removes itself. It replaces the one that `npm start` left in the browser, which would show old
 * code.
 */
const NO_SERVICE_WORKER = `addEventListener('install', () => skipWaiting())
addEventListener('activate', (event) => event.waitUntil(registration.unregister()))
`

/** Creates the frontend that serves pages from source files. */
export function openSourceFrontend(vite: ViteDevServer): Frontend {
  const publicFolder = join(ROOT, 'web/public')
  const findPicture = async (url: string) => url.startsWith('/art/') && (await ensurePicture(url.slice('/art/'.length)))
  const serveFiles = createStaticFiles({ client: publicFolder, desk: publicFolder, media: publicFolder })
  return {
    async loadRenderer() {
      const renderer = await getRunner(vite, 'ssr').import('/web/entry.server.tsx')
      return {
        ...renderer,
        renderPage: (address, pageData) =>
          renderer.renderPage(address, pageData, async ({ file }: { file: string }) => {
            const module = `/web/${file}`
            return {
              module: await addVersion(vite, module),
              scripts: createScriptTags('/web/entry.client.tsx'),
              styles: await readStyles(vite, ['/web/entry.server.tsx', module]),
            }
          }),
      }
    },
    getDeskTags: async () => createScriptTags('/web/admin/entry.tsx'),
    async files(c, next) {
      if (c.req.path === '/service-worker.js')
        return c.body(NO_SERVICE_WORKER, 200, { 'Content-Type': 'text/javascript', 'Cache-Control': 'no-cache' })
      await findPicture(c.req.path)
      const response = await serveFiles(c, next)
      if (response instanceof Response) response.headers.set('Cache-Control', 'no-cache')
      return response
    },
    async findFile(url) {
      return (await findPicture(url)) || url.startsWith('/movies/') ? join(publicFolder, url) : null
    },
    // Vite's client waits in a worker while the server restarts.
    extraPolicy: ["worker-src 'self' blob:"],
  }
}

/**
 * Returns the address under which other modules import a module since its last change. Another address would load it
 * twice.
 */
async function addVersion({ environments }: ViteDevServer, url: string): Promise<string> {
  const changedAt = (await environments.client.moduleGraph.getModuleByUrl(url))?.lastHMRTimestamp ?? 0
  return changedAt === 0 ? url : `${url}?t=${changedAt}`
}

/**
 * Returns the stylesheets that modules import, in the order in which browsers would evaluate them. A page then has its
 * styles before its scripts load. Vite's client updates them later.
 */
async function readStyles({ environments: { ssr, client } }: ViteDevServer, urls: string[]): Promise<string> {
  const visitedModules = new Set<string>()
  const sheets: string[] = []
  const visit = async (url: string): Promise<void> => {
    if (visitedModules.has(url)) return
    visitedModules.add(url)
    const module = await ssr.moduleGraph.getModuleByUrl(url)
    for (const importedModule of module?.transformResult?.deps ?? []) await visit(importedModule)
    if (!module?.id?.endsWith('.css')) return
    const sheet = await client.transformRequest(`${url}?direct`)
    sheets.push(`<style data-vite-dev-id="${module.id}">${sheet?.code.replaceAll('</', '<\\/')}</style>`)
  }
  for (const url of urls) await visit(url)
  return sheets.join('')
}
