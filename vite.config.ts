import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, relative } from 'node:path'
import { defineConfig, type Plugin } from 'vite'
import { createClassNames } from './scripts/class-names.ts'
import { wireContract } from './scripts/wire-contract.ts'

/** The environments that each mode of `vite build --app` builds: the pages, the desk, the service worker, the server. */
const ENVIRONMENTS_BY_MODE: Record<string, string[]> = {
  production: ['client', 'ssr'],
  desk: ['desk'],
  worker: ['worker'],
  server: ['server'],
}

/** Returns a version that differs between any two builds of the pages. */
const getSiteVersion = () =>
  createHash('sha256').update(readFileSync('build/client/.vite/manifest.json')).digest('base64url').slice(0, 8)

/** Writes the list of each bundle's modules. A bundle is built again when one of them changes (scripts/build-steps.ts). */
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
const resolveSourceFolders = (): Plugin => ({
  name: 'source-folders',
  applyToEnvironment: ({ name }) => name === 'server',
  transform(code, id) {
    if (id.includes('node_modules') || !code.includes('import.meta.dirname')) return
    const folder = relative('.', dirname(id)).replaceAll('\\', '/')
    return code.replaceAll('import.meta.dirname', `(import.meta.dirname + '/../../${folder}')`)
  },
})

/**
 * Modules of most pages that are smaller than the headers of a response. They share one file. None may import a module that
 * imports this file again.
 */
const SMALL_MODULES = new Set([
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
  SMALL_MODULES.has(
    relative(import.meta.dirname, id)
      .replaceAll('\\', '/')
      .replace(/(\.module)?\.\w+(\?plain)?$/, ''),
  )

export default defineConfig(({ mode }) => ({
  plugins: [wireContract(), listModules(), resolveSourceFolders()],
  publicDir: 'web/public',
  css: { modules: { generateScopedName: createClassNames() } },
  // The server's bundle contains React. The environment below decides which of React's two builds it is.
  ssr: { noExternal: true },
  build: {
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // The site serves web/public itself (server/frontend.ts).
    copyPublicDir: false,
  },
  builder: {
    buildApp: async (builder) => {
      // Building them one after the other takes the same time and 100 MB less memory.
      for (const name of ENVIRONMENTS_BY_MODE[mode] ?? []) {
        const environment = builder.environments[name]
        if (environment !== undefined) await builder.build(environment)
      }
    },
  },
  environments: {
    client: {
      build: {
        outDir: 'build/client',
        // The folder also contains the service worker, which has a separate build.
        emptyOutDir: false,
        manifest: true,
        rolldownOptions: {
          input: 'web/entry.client.tsx',
          // The code of every page's start is in the entry's file.
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
    // The desk has a separate build, so players' pages contain nothing of it (docs/decisions/021).
    desk: {
      consumer: 'client',
      build: {
        outDir: 'build/desk',
        assetsDir: 'desk-assets',
        manifest: true,
        rolldownOptions: { input: 'web/admin/entry.tsx' },
      },
    },
    // Built after the client, because it contains the client's version (docs/decisions/038).
    worker: {
      consumer: 'client',
      define: { SITE_VERSION: mode === 'worker' ? JSON.stringify(getSiteVersion()) : '""' },
      build: {
        outDir: 'build/client',
        emptyOutDir: false,
        rolldownOptions: { input: 'web/service-worker.ts', output: { entryFileNames: '[name].js' } },
      },
    },
    ssr: {
      // Vite would read NODE_ENV at run time, when it is not set. As a constant it lets the build remove React's development
      // build, which renders at half the speed.
      define: { 'process.env.NODE_ENV': '"production"' },
      build: {
        ssr: true,
        outDir: 'build/server',
        rolldownOptions: { input: 'web/entry.server.tsx', output: { entryFileNames: 'index.js' } },
      },
    },
    // The server and its packages in one file, which loads in half the time of 1,200 files (docs/decisions/035). It is not
    // minified, because its stack traces are logged.
    server: {
      consumer: 'server',
      resolve: {
        noExternal: true,
        // These packages load their own files, or are loaded at their first use.
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
