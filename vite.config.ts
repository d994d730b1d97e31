import { basename } from 'node:path'
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
      test: /node_modules.(react|react-dom|react-router|scheduler|@tanstack)[\\/](?!.*[mM]utation[O.])|web.(shell|ui|art|api).(?!toast-host|toast\.module|dialog|drawer|pager|password-field|prose|use-guards|idempotency-key|own-path)|contract.(messages|limits|game|manila)|rolldown.runtime/,
    },
    {
      name: 'boards',
      test: /web.features.(home|news|rankings|error).(?!topic|more-news|use-way-back|news-loads)/,
      minShareCount: 2,
    },
  ],
}

const namedBy = new Map<string, string>()

/**
 * A class's name on the page: its file's and its own, such as `pager-current`. Two kB shorter on a
 * first visit than the usual ones with a hash in each.
 */
function nameClass(name: string, path: string): string {
  const file = basename(path.replace(/\?.*$/, ''), '.module.css')
  const named = `${file}-${name}`
  const other = namedBy.get(named) ?? path
  if (other !== path)
    throw new Error(`${path} and ${other} both name a class ${named}; give one of the files another name.`)
  namedBy.set(named, path)
  return named
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
