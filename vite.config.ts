import { createHash } from 'node:crypto'
import { relative } from 'node:path'
import { reactRouter } from '@react-router/dev/vite'
import { defineConfig } from 'vite'

/**
 * Two files that most pages need, instead of forty small ones that compress badly, cost their
 * headers and wait for each other on a slow line; what is fetched on demand stays apart.
 */
const codeSplitting = {
  groups: [
    {
      name: 'site',
      test: /node_modules.(react|react-dom|react-router|scheduler|@tanstack)[\\/](?!.*[mM]utation[O.])|web.(shell|ui|art|api).(?!toast-host|toast\.module|dialog|drawer|pager|password-field|use-guards|idempotency-key|own-path)|contract.(messages|limits|game|manila)|rolldown.runtime/,
    },
    {
      name: 'boards',
      test: /web.features.(home|news|rankings|error).(?!topic|more-news|use-way-back|news-loads)/,
      minShareCount: 2,
    },
  ],
}

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
  plugins: [reactRouter()],
  publicDir: 'web/public',
  css: { modules: { generateScopedName: nameClass } },
  // The server bundle carries React itself, so that it is the production build whatever NODE_ENV says.
  ssr: { noExternal: true },
  build: {
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // Vite reads these here only, whichever environment they are for.
    terserOptions: {
      ecma: 2020,
      module: true,
      compress: {
        ecma: 2020,
        passes: 3,
        pure_getters: true,
        keep_fargs: false,
        // The router's words to developers: its calls that only warn, and 1.3 kB of a first visit with them.
        pure_funcs: ['warning', 'warnOnce', 'warningOnce'],
      },
      format: { comments: false },
    },
  },
  environments: {
    client: {
      build: {
        // 3 kB less on the wire than the built-in minifier. The server's bundle stays readable: its traces are logged.
        minify: 'terser',
        rolldownOptions: { output: { codeSplitting } },
      },
    },
  },
})
