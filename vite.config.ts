import { createHash } from 'node:crypto'
import { join, relative } from 'node:path'
import { reactRouter } from '@react-router/dev/vite'
import { defineConfig, normalizePath, type Plugin } from 'vite'
import { wireContract } from './scripts/wire-contract.ts'

/** What every page starts with; what these modules import, and what that imports, is needed on every first visit. */
const EVERY_PAGE = ['web/entry.client.tsx', 'web/root.tsx', 'web/layout.tsx']
/** The page that most visits begin on. */
const FIRST_PAGE = ['web/features/home/home-page.tsx']

/**
 * Two files for a first visit, instead of forty small ones that compress badly, cost their headers and wait for each
 * other on a slow line. Which modules go into them follows from what imports what; anything that is imported on demand
 * stays apart.
 */
function firstVisitChunks() {
  let moduleInfo: ((id: string) => { importedIds: readonly string[] } | null) | undefined
  const reached = new Map<readonly string[], Set<string>>()

  function isReachedFrom(entries: readonly string[], id: string): boolean {
    let found = reached.get(entries)
    if (found === undefined) {
      found = new Set(entries.map((entry) => normalizePath(join(import.meta.dirname, entry))))
      for (const module of found) for (const next of moduleInfo?.(module)?.importedIds ?? []) found.add(next)
      reached.set(entries, found)
    }
    return found.has(id)
  }

  const plugin: Plugin = {
    name: 'first-visit-chunks',
    buildStart() {
      moduleInfo = (id) => this.getModuleInfo(id)
      reached.clear()
    },
  }
  const groups = [
    { name: 'site', priority: 2, test: (id: string) => isReachedFrom(EVERY_PAGE, id) },
    { name: 'boards', priority: 1, minShareCount: 2, test: (id: string) => isReachedFrom(FIRST_PAGE, id) },
  ]
  return { plugin, groups }
}

const { plugin: chunkPlugin, groups } = firstVisitChunks()

/**
 * A class's name on the page: a short hash of its stylesheet's path and its own name, such as `xk3Bq-current`. It is
 * the same in the browser's and the server's build and on every machine, starts with a letter, and differs between
 * stylesheets of the same name. One hash per stylesheet compresses better than one per class: 1 kB of a first visit.
 */
function nameClass(name: string, path: string): string {
  const file = relative(import.meta.dirname, path.replace(/\?.*$/, '')).replaceAll('\\', '/')
  const hash = createHash('sha256').update(file).digest('base64url').replace(/[-_]/g, '').slice(0, 4)
  return `x${hash}-${name}`
}

export default defineConfig({
  plugins: [wireContract(), reactRouter(), chunkPlugin],
  publicDir: 'web/public',
  css: { modules: { generateScopedName: nameClass } },
  // The server's bundle carries React itself, and the environment below settles which of React's two builds that is.
  ssr: { noExternal: true },
  build: {
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // The pictures are drawn at the same time; scripts/build.ts copies them.
    copyPublicDir: false,
    // Vite reads these here only, whichever environment they are for.
    terserOptions: {
      ecma: 2020,
      module: true,
      compress: {
        ecma: 2020,
        passes: 2,
        pure_getters: true,
        keep_fargs: false,
        // The router's words to developers: its calls that only warn, and 1.3 kB of a first visit with them.
        pure_funcs: ['warning', 'warnOnce', 'warningOnce'],
      },
      format: { comments: false },
    },
  },
  environments: {
    // Vite leaves NODE_ENV in a server's bundle to be read at run time, and nothing sets it there. Named here, it is a
    // constant, and React's development build, which renders at half the speed, is dropped as dead code.
    ssr: { define: { 'process.env.NODE_ENV': '"production"' } },
    client: {
      build: {
        // 3 kB less on the wire than the built-in minifier. The server's bundle stays readable: its traces are logged.
        minify: 'terser',
        rolldownOptions: { output: { codeSplitting: { groups } } },
      },
    },
  },
})
