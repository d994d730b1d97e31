import { createHash } from 'node:crypto'
import { join, relative } from 'node:path'
import { defineConfig, normalizePath, type Plugin, type Rolldown } from 'vite'
import { wireContract } from './scripts/wire-contract.ts'

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

/**
 * Functions that only serve what this site does not use: the router's actions, fetchers, blockers, middleware and view
 * transitions, and React's view transitions. The minifier cannot know that they are never called. biome.json refuses the
 * imports that would need them.
 */
const NEVER_CALLED = [
  'handle(Action|FetcherAction|FetcherLoader)|fetch|\\w*Fetcher(State|Error|ForDeletion|s)?|markFetchRedirectsDone',
  'abortStaleFetchLoads|interruptActiveLoads|getUpdatedActionData|getActionDataForCommit|getSubmissionFromNavigation',
  'isMutationMethod|isSubmissionNavigation|shouldBlockNavigation|\\w+Blocker|(restore|persist)AppliedTransitions',
  'runClientMiddlewarePipeline|parseHydrationData|DefaultErrorComponent|RSCErrorHandler|decodeRedirectErrorDigest',
  'decodeRouteErrorResponseDigest|consumeInstrumentationClientResultMetaReceiver|\\w*ViewTransition\\w*',
].join('|')
const BODY_NEVER_RUN = new RegExp(
  String.raw`^([ \t]*)((?:async )?function (?:${NEVER_CALLED})\([^()]*\)) \{\n[\s\S]*?^\1\}`,
  'gm',
)

/** Errors that React makes as it loads only to tell them from others; nobody ever reads where they were made. */
const MARKING_ERROR = /(?<=\w+Exception = )Error\(formatProdErrorMessage\(\d+\)\)/g

/**
 * Leaves out of the router and of React what this site has no use for: 7 kB of a first visit. Besides the functions
 * above, components of the router that nothing uses, such as its own link, stay because their definitions are calls and
 * get names; and so do its instrumentation and the sentences in its errors, which are for developers. React's marking
 * errors become plain objects: while an inspector is attached, as Lighthouse's is, V8 reads the whole file a second time
 * to know where they were made. Where a pattern no longer fits a newer version, the site only grows, and
 * bench/first-visit.ts says so.
 */
function leanPackages(): Plugin {
  return {
    name: 'lean-packages',
    applyToEnvironment: ({ name }) => name === 'client',
    transform: {
      filter: { id: /node_modules[\\/](react-router|react-dom)[\\/]/ },
      handler: (code, id) => {
        const lean = code.replace(BODY_NEVER_RUN, '$1$2 {}').replace(MARKING_ERROR, '{}')
        if (!id.includes('react-router')) return lean
        return lean
          .replace(/^\w+\.displayName = .*;$/gm, '')
          .replace(/= (React\$1\.forwardRef\()/g, '= /* @__PURE__ */ $1')
          .replaceAll('init.instrumentations', 'undefined')
          .replaceAll('(!viewTransitionOpts || !isViewTransitionAvailable)', '(true)')
          .replace(/(?<=\b(?:invariant|Error)\(.*)"[A-Z][^"`\\{}\n]{30,}"/g, '""')
      },
    },
  }
}

type ModuleGraph = Pick<Rolldown.PluginContext, 'getModuleInfo'>

/**
 * What several pages share travels in one file with what these modules import: few files instead of forty small ones,
 * which compress badly and wait for each other on a slow line. A module goes with the first
 * line whose `from` reaches it, if at least `users` pages or lazily loaded parts need it.
 */
const SHARED = [
  { name: 'boards', from: 'web/features/home/home-page.tsx', withPackages: false, users: 2 },
  { name: 'lists', from: 'web/features/forum/topic-page.tsx', withPackages: false, users: 5 },
  { name: 'forms', from: 'web/forms/use-call-form.ts', withPackages: true, users: 2 },
  { name: 'sheets', from: 'web/features/register/register-page.tsx', withPackages: false, users: 4 },
  { name: 'rules', from: 'contract/account-fields.ts', withPackages: true, users: 2 },
  { name: 'windows', from: 'web/ui/dialog-window.tsx', withPackages: true, users: 2 },
  { name: 'items', from: 'web/features/shop/item-parts.tsx', withPackages: false, users: 2 },
  { name: 'shop', from: 'web/features/shop/item-shop-page.tsx', withPackages: false, users: 2 },
].map((shared) => ({
  ...shared,
  from: normalizePath(join(import.meta.dirname, shared.from)),
  reached: new Set<string>(),
}))

/** Whether a module belongs to what `from` imports. @throws when that module has gone */
function isReached(id: string, { from, withPackages, reached }: (typeof SHARED)[number], graph: ModuleGraph): boolean {
  if (reached.size === 0) {
    if (graph.getModuleInfo(from) === null) throw new Error(`vite.config.ts: ${from} is not part of the site.`)
    reached.add(from)
    for (const module of reached) for (const next of graph.getModuleInfo(module)?.importedIds ?? []) reached.add(next)
  }
  return reached.has(id) && (withPackages || !id.includes('node_modules'))
}

const CHUNK_GROUPS = [
  // What every page starts with, in the entry's own file.
  { name: 'site', tags: ['$initial' as const], priority: SHARED.length + 1 },
  ...SHARED.map((shared, nth) => ({
    name: (id: string, graph: ModuleGraph) => (isReached(id, shared, graph) ? shared.name : null),
    minShareCount: shared.users,
    priority: SHARED.length - nth,
  })),
]

/** Reading a property has no effect, and what the router only says to developers goes: 2 kB of a first visit. */
const MINIFY: Rolldown.OutputOptions['minify'] = {
  mangle: true,
  compress: {
    target: 'es2022',
    treeshake: { propertyReadSideEffects: false, manualPureFunctions: ['warning', 'warnOnce', 'warningOnce'] },
  },
}

/** `vite build --app` builds what players see; with `--mode desk` the operators' desk. */
export default defineConfig(({ mode }) => ({
  plugins: [wireContract(), leanPackages()],
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
  },
  builder: {
    buildApp: async (builder) => {
      const names = mode === 'desk' ? ['desk'] : ['client', 'ssr']
      // One after the other takes as long, and 100 MB less.
      for (const name of names) {
        const environment = builder.environments[name]
        if (environment !== undefined) await builder.build(environment)
      }
    },
  },
  environments: {
    client: {
      build: {
        outDir: 'build/client',
        manifest: true,
        // The server's bundle is not minified: its traces are logged.
        rolldownOptions: {
          input: 'web/entry.client.tsx',
          output: { codeSplitting: { groups: CHUNK_GROUPS }, minify: MINIFY },
        },
      },
    },
    // The operators' desk: a build of its own, so that nothing of it reaches a player's page (docs/decisions/039).
    desk: {
      consumer: 'client',
      build: {
        outDir: 'build/desk',
        assetsDir: 'desk-assets',
        manifest: true,
        rolldownOptions: { input: 'web/admin/entry.tsx' },
      },
    },
    ssr: {
      // Vite leaves NODE_ENV in a server's bundle to be read at run time, and nothing sets it there. Named here, it is a
      // constant, and React's development build, which renders at half the speed, is dropped as dead code.
      define: { 'process.env.NODE_ENV': '"production"' },
      build: {
        ssr: true,
        outDir: 'build/server',
        copyPublicDir: false,
        rolldownOptions: { input: 'web/entry.server.tsx', output: { entryFileNames: 'index.js' } },
      },
    },
  },
}))
