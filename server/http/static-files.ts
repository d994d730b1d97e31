import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { serveStatic } from '@hono/node-server/serve-static'
import type { MiddlewareHandler } from 'hono'
import { every } from 'hono/combine'
import { etag } from 'hono/etag'

const ROOT = join(import.meta.dirname, '../../build/client')
const DESK_ROOT = join(import.meta.dirname, '../../build/desk')
const HASHED = 'public, max-age=31536000, immutable'
const DRAWN = 'public, max-age=86400, stale-while-revalidate=604800'

/** A drawing that is opened directly is a document; this policy keeps scripts in it from running. */
const DRAWING_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"

/** `/movies` is a page; below it are films, which browsers request in ranges, and their captions. */
const FILM = /^\/movies\/[\w-]+(\.[\w-]+)?\.(webm|mp4|vtt)$/

/** The size of one of the site's own drawings or films in bytes; null for any other address. */
export async function publicFileBytes(url: string): Promise<number | null> {
  if (!/^\/(art|movies)\/[\w-]+\.\w+$/.test(url)) return null
  const found = await stat(join(ROOT, url)).catch(() => null)
  return found?.size ?? null
}

/** A film's tag without reading it: its size and when it was built; null when there is none. */
async function filmTag(path: string): Promise<string | null> {
  const found = await stat(join(ROOT, path)).catch(() => null)
  return found === null ? null : `"${found.size.toString(36)}-${Math.floor(found.mtimeMs).toString(36)}"`
}

/**
 * Serves the built files, compressed at build time. Files with a hash in their name are cached for
 * ever and carry no validators; drawings and screenshots are cached for a day. Headers are kept few, because a
 * first visit requests thirty files.
 */
export function staticFiles(): MiddlewareHandler {
  const files = serveStatic({ root: ROOT, precompressed: true })
  const deskFiles = serveStatic({ root: DESK_ROOT, precompressed: true })
  const drawings = every(etag(), files)
  return async (c, next) => {
    const isOfDesk = c.req.path.startsWith('/desk-assets/')
    if (isOfDesk || c.req.path.startsWith('/assets/')) {
      const found = await (isOfDesk ? deskFiles : files)(c, next)
      if (!found?.ok) return found
      found.headers.delete('Last-Modified')
      found.headers.set('Cache-Control', HASHED)
      found.headers.set('X-Content-Type-Options', 'nosniff')
      return found
    }
    if (FILM.test(c.req.path)) {
      const tag = await filmTag(c.req.path)
      if (tag !== null && c.req.header('If-None-Match')?.includes(tag)) return c.body(null, 304, { ETag: tag })
      const found = await files(c, next)
      if (!found?.ok) return found
      if (tag !== null) found.headers.set('ETag', tag)
      found.headers.set('Accept-Ranges', 'bytes')
      found.headers.set('Cache-Control', DRAWN)
      found.headers.set('X-Content-Type-Options', 'nosniff')
      return found
    }
    if (!/^\/(art|screenshots)\//.test(c.req.path)) return next()
    const found = await drawings(c, next)
    const answer = found ?? c.res
    if (answer.status !== 200 && answer.status !== 304) return found
    answer.headers.set('Cache-Control', DRAWN)
    answer.headers.set('Content-Security-Policy', DRAWING_POLICY)
    answer.headers.set('X-Content-Type-Options', 'nosniff')
    answer.headers.set('Referrer-Policy', 'same-origin')
    return found
  }
}
