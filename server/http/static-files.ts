import { join } from 'node:path'
import { serveStatic } from '@hono/node-server/serve-static'
import type { MiddlewareHandler } from 'hono'
import { every } from 'hono/combine'
import { etag } from 'hono/etag'

const ROOT = join(import.meta.dirname, '../../build/client')
const HASHED = 'public, max-age=31536000, immutable'
const DRAWN = 'public, max-age=86400, stale-while-revalidate=604800'

/** The built files: those with a hash in their name for ever, drawings for a day; compressed at build. */
export function staticFiles(): MiddlewareHandler {
  const files = serveStatic({
    root: ROOT,
    precompressed: true,
    onFound: (path, c) => c.header('Cache-Control', path.includes('/assets/') ? HASHED : DRAWN),
  })
  const validated = every(etag(), files)
  return (c, next) => (/^\/(assets|art)\//.test(c.req.path) ? validated(c, next) : next())
}
