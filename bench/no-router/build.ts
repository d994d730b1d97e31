import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'vite'
import type { NoRouter } from './rankings.tsx'

/** Bundles the rankings page like the site, but with no-router.tsx in the router's place, and loads it. */
export async function buildNoRouter(): Promise<NoRouter> {
  const outDir = await mkdtemp(join(import.meta.dirname, '../../build/no-router-'))
  await build({
    configFile: false,
    mode: 'production',
    logLevel: 'error',
    publicDir: false,
    resolve: { alias: { 'react-router': join(import.meta.dirname, 'no-router.tsx') } },
    // React's production build, whatever NODE_ENV says.
    define: { 'process.env.NODE_ENV': '"production"' },
    ssr: { noExternal: true },
    build: { ssr: join(import.meta.dirname, 'rankings.tsx'), outDir, target: 'es2022', assetsInlineLimit: 0 },
  })
  const bundle: NoRouter = await import(pathToFileURL(join(outDir, 'rankings.js')).href)
  await rm(outDir, { recursive: true })
  return bundle
}
