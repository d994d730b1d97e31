import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, relative } from 'node:path'
import { defineConfig, type Plugin } from 'vite'
import { createClassNames } from './scripts/class-names.ts'
import { wireContract } from './scripts/wire-contract.ts'

/** The parts that each mode of `vite build --app` builds: the pages, the operators' desk, the service worker, the server. */
const BUILT_BY: Record<string, string[]> = {
  production: ['client', 'ssr'],
  desk: ['desk'],
  worker: ['worker'],
  server: ['server'],
}

/** Differs between any two builds of the pages. */
const siteVersion = () =>
  createHash('sha256').update(readFileSync('build/client/.vite/manifest.json')).digest('base64url').slice(0, 8)

/** Lists the modules of each bundle, whose next build is due when one of them changes (scripts/build-steps.ts). */
const listModules = (): Plugin => ({
  name: 'list-modules',
  generateBundle() {
    const files = [...this.getModuleIds()].map((id) => id.replace(/\?.*/, ''))
    const ownModules = files
      .map((file) => relative('.', file).replaceAll('\\', '/'))
      .filter((file) => /^(web|contract|content|demo|server|scripts)\//.test(file))
    mkdirSync('.cache/stamps', { recursive: true })
    writeFileSync(`.cache/stamps/${this.environment.name}.modules`, [...new Set(ownModules)].sort().join('\n'))
  },
})

/** Lets the modules of the server's bundle find the files next to their sources. */
const sourceFolders = (): Plugin => ({
  name: 'source-folders',
  applyToEnvironment: ({ name }) => name === 'server',
  transform(code, id) {
    if (id.includes('node_modules') || !code.includes('import.meta.dirname')) return
    const folder = relative('.', dirname(id)).replaceAll('\\', '/')
    return code.replaceAll('import.meta.dirname', `(import.meta.dirname + '/../../${folder}')`)
  },
})

/**
 * Parts of most pages that are smaller than the headers of a response, in one file together. None may import a part of a page
 * that imports this file again.
 */
const SMALL = new Set([
  ...['states', 'tabs', 'text', 'link'].map((name) => `web/ui/${name}`),
  'contract/activity',
  ...['characters', 'rankings', 'seasons'].map((name) => `contract/${name}`),
  'web/art/emblem',
  'web/shell/more-links',
  'web/features/activity/activity-view',
  'web/features/news/news-view',
  'web/features/news/relative-time',
  'web/features/news/relative-time-text',
  'web/features/rankings/marks',
])
const isSmall = (id: string) =>
  SMALL.has(
    relative(import.meta.dirname, id)
      .replaceAll('\\', '/')
      .replace(/(\.module)?\.\w+(\?plain)?$/, ''),
  )

export default defineConfig(({ mode }) => ({
  plugins: [wireContract(), listModules(), sourceFolders()],
  publicDir: 'web/public',
  css: { modules: { generateScopedName: createClassNames() } },
  // The server's bundle carries React itself, and the environment below settles which of React's two builds that is.
  ssr: { noExternal: true },
  build: {
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // scripts/build.ts copies it.
    copyPublicDir: false,
  },
  builder: {
    buildApp: async (builder) => {
      // One after the other takes as long, and 100 MB less.
      for (const name of BUILT_BY[mode] ?? []) {
        const environment = builder.environments[name]
        if (environment !== undefined) await builder.build(environment)
      }
    },
  },
  environments: {
    client: {
      build: {
        outDir: 'build/client',
        // Pictures and films are there too.
        emptyOutDir: false,
        manifest: true,
        // The server's bundle is not minified: its traces are logged.
        rolldownOptions: {
          input: 'web/entry.client.tsx',
          // The code that every page starts with, in the entry's own file.
          output: {
            codeSplitting: {
              groups: [
                { name: 'site', tags: ['$initial'] },
                { name: 'shared', test: isSmall, includeDependenciesRecursively: false },
              ],
            },
          },
        },
      },
    },
    // The operators' desk: a build of its own: nothing of it reaches a player's page (docs/decisions/021).
    desk: {
      consumer: 'client',
      build: {
        outDir: 'build/desk',
        assetsDir: 'desk-assets',
        manifest: true,
        rolldownOptions: { input: 'web/admin/entry.tsx' },
      },
    },
    // After the client, whose version it has (docs/decisions/038).
    worker: {
      consumer: 'client',
      define: { SITE_VERSION: mode === 'worker' ? JSON.stringify(siteVersion()) : '""' },
      build: {
        outDir: 'build/client',
        emptyOutDir: false,
        rolldownOptions: { input: 'web/service-worker.ts', output: { entryFileNames: '[name].js' } },
      },
    },
    ssr: {
      // Vite leaves NODE_ENV in a server's bundle to be read at run time, and nothing sets it there. Named here, it is a
      // constant, and React's development build, which renders at half the speed, is dropped as dead code.
      define: { 'process.env.NODE_ENV': '"production"' },
      build: {
        ssr: true,
        outDir: 'build/server',
        rolldownOptions: { input: 'web/entry.server.tsx', output: { entryFileNames: 'index.js' } },
      },
    },
    // The server and its packages, in one file that loads in half the time of 1,200 (docs/decisions/035).
    server: {
      consumer: 'server',
      resolve: {
        noExternal: true,
        // These load files of their own, or are loaded at their first use.
        external: [
          ...['@electric-sql/pglite', '@node-rs/argon2', '@simplewebauthn/server', 'brackets-manager', 'harfbuzzjs'],
          ...['nodemailer', 'pino', 'piscina', 'sharp', 'web-push'],
        ],
      },
      build: {
        ssr: true,
        outDir: 'build/site',
        sourcemap: true,
        rolldownOptions: {
          input: 'server/start.ts',
          output: {
            entryFileNames: '[name].js',
            chunkFileNames: '[name]-[hash].js',
            codeSplitting: { groups: [{ name: 'site', tags: ['$initial'] }] },
          },
        },
      },
    },
  },
}))
