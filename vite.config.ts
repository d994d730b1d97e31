import { reactRouter } from '@react-router/dev/vite'
import { defineConfig } from 'vite'

export default defineConfig({
  plugins: [reactRouter()],
  publicDir: 'web/public',
  // The server bundle carries React itself, so that it is the production build whatever NODE_ENV says.
  ssr: { noExternal: true },
  build: { target: 'es2022', assetsInlineLimit: 0 },
})
