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
      test: /node_modules.(react|react-dom|react-router|scheduler|@tanstack)[\\/]|web.(shell|ui|art|api).(?!toast-host|toast\.module|dialog|drawer|pager|password-field|use-guards)|contract.(messages|limits|game|manila)/,
    },
    {
      name: 'boards',
      test: /web.features.(home|news|rankings|error).(?!topic|more-news|use-way-back|news-loads)/,
      minShareCount: 2,
    },
  ],
}

export default defineConfig({
  plugins: [reactRouter()],
  publicDir: 'web/public',
  // The server bundle carries React itself, so that it is the production build whatever NODE_ENV says.
  ssr: { noExternal: true },
  build: {
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  environments: {
    client: {
      build: {
        // 3 kB less on the wire than the built-in minifier. The server's bundle stays readable: its traces are logged.
        minify: 'terser',
        terserOptions: { ecma: 2020, compress: { passes: 3, pure_getters: true }, format: { comments: false } },
        rolldownOptions: { output: { codeSplitting } },
      },
    },
  },
})
