import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { serveStatic } from '@hono/node-server/serve-static'
import type { MiddlewareHandler } from 'hono'
import { every } from 'hono/combine'
import { etag } from 'hono/etag'

const HASHED_FILE_CACHE = 'public, max-age=31536000, immutable'
const DRAWING_CACHE = 'public, max-age=86400, stale-while-revalidate=604800'

/** The policy of drawings. A drawing that is opened directly is a document; this blocks its scripts. */
const DRAWING_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"

/** Matches films, which browsers request in ranges, and their captions. `/movies` itself is a page. */
const FILM_PATTERN = /^\/movies\/[\w-]+(\.[\w-]+)?\.(webm|mp4|vtt)$/

/** Returns whether an address is that of one of the site's drawings or films. */
export const isPublicFile = (url: string): boolean => /^\/(art|movies)\/[\w-]+\.\w+$/.test(url)

/** Creates a film's ETag from its size and build time; null if the file does not exist. */
async function createFilmTag(file: string): Promise<string | null> {
  const stats = await stat(file).catch(() => null)
  return stats === null ? null : `"${stats.size.toString(36)}-${Math.floor(stats.mtimeMs).toString(36)}"`
}

/**
 * Serves the built files, which were compressed at build time. Files with a hash in their name are cached for a year and have
 * no ETag; drawings and screenshots are cached for a day. There are few headers, because a first visit requests many files.
 *
 * @param folders `client` has the scripts and styles of players' pages, `desk` those of the desk, and `media` the pictures and
 * films
 */
export function createStaticFiles(folders: { client: string; desk: string; media: string }): MiddlewareHandler {
  const serveClient = serveStatic({ root: folders.client, precompressed: true })
  let serveDesk: MiddlewareHandler | undefined
  const serveMedia = serveStatic({ root: folders.media, precompressed: true })
  const serveDrawings = every(etag(), serveMedia)
  return async (c, next) => {
    const { path } = c.req
    if (path.startsWith('/desk-assets/') || path.startsWith('/assets/')) {
      // Created on the first request for the desk, because serveStatic warns about a folder that is not built yet.
      const openDesk = () => (serveDesk ??= serveStatic({ root: folders.desk, precompressed: true }))
      const serve = path.startsWith('/desk-') ? openDesk() : serveClient
      const response = (await serve(c, next)) ?? undefined
      if (response?.ok) response.headers.delete('Last-Modified')
      addHeaders(response, { 'Cache-Control': HASHED_FILE_CACHE })
      return response
    }
    if (FILM_PATTERN.test(path)) {
      const tag = await createFilmTag(join(folders.media, path))
      if (tag !== null && c.req.header('If-None-Match')?.includes(tag)) return c.body(null, 304, { ETag: tag })
      const response = (await serveMedia(c, next)) ?? undefined
      addHeaders(response, {
        ...(tag !== null && { ETag: tag }),
        'Accept-Ranges': 'bytes',
        'Cache-Control': DRAWING_CACHE,
      })
      return response
    }
    if (path === '/service-worker.js') {
      const response = (await serveClient(c, next)) ?? undefined
      response?.headers.set('Cache-Control', 'no-cache')
      return response
    }
    if (!/^\/(art|screenshots)\//.test(path)) return next()
    const response = await serveDrawings(c, next)
    addHeaders(response ?? c.res, {
      'Cache-Control': DRAWING_CACHE,
      'Content-Security-Policy': DRAWING_POLICY,
      'Referrer-Policy': 'same-origin',
    })
    return response
  }
}

/** Adds headers to the response with a file, if there is one. */
function addHeaders(answer: Response | undefined, headers: Record<string, string>): void {
  if (answer === undefined || (!answer.ok && answer.status !== 304)) return
  for (const [name, value] of Object.entries({ ...headers, 'X-Content-Type-Options': 'nosniff' }))
    answer.headers.set(name, value)
}
