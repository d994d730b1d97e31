import type { Context, MiddlewareHandler } from 'hono'
import { LRUCache } from 'lru-cache'
import type { Deps } from '#server/deps.ts'
import { getClientAddress, getNetwork } from '#server/http/client-address.ts'
import { findFileHash, isPictureShown, selectFile } from './store.ts'

/** The size in bytes of the memory cache for frequently requested files, such as banners and pictures of news. */
const CACHE_MAX_BYTES = 6 * 1024 * 1024
const IMMUTABLE_CACHING = 'public, max-age=31536000, immutable'

/**
 * Serves uploaded pictures and captions at `/files/{hash}.webp`, `.jpg`, `.png` or `.vtt`, and the stylesheets of
 * themes. The content of an address never changes, so browsers cache files of operators for a year. Players' uploads are
 * revalidated at each request, because they must answer 404 as soon as their post is deleted. Requests that reach the
 * database count toward the limit of pages.
 */
export function createFileServer({ browseDb, limits, config }: Deps): MiddlewareHandler {
  const cache = new LRUCache<string, { type: string; content: Buffer }>({
    maxSize: CACHE_MAX_BYTES,
    sizeCalculation: ({ content }) => content.length + 200,
  })
  return async (c, next) => {
    const hash = findFileHash(c.req.path)
    if (hash === null || (c.req.method !== 'GET' && c.req.method !== 'HEAD')) return next()
    let file = cache.get(hash)
    if (file === undefined) {
      limits.consumeInMemory('pages', getNetwork(getClientAddress(c, config.trustedProxies)))
      const storedFile = await selectFile(browseDb, hash)
      if (storedFile === undefined || (storedFile.of_players && !(await isPictureShown(browseDb, c.req.path))))
        return c.text('There is no such file.', 404, {
          'Cache-Control': 'no-store',
          'X-Content-Type-Options': 'nosniff',
        })
      if (storedFile.of_players) return sendPlayersPicture(c, hash, storedFile)
      file = storedFile
      cache.set(hash, file)
    }
    return sendFile(c, file, { 'Cache-Control': IMMUTABLE_CACHING })
  }
}

type FileContent = { type: string; content: Buffer }

function sendPlayersPicture(c: Context, hash: string, file: FileContent) {
  const headers = { ETag: `"${hash}"`, 'Cache-Control': 'no-cache' }
  return c.req.header('If-None-Match') === headers.ETag ? c.body(null, 304, headers) : sendFile(c, file, headers)
}

const sendFile = (c: Context, { type, content }: FileContent, headers: Record<string, string>) =>
  c.body(new Uint8Array(content), 200, {
    'Content-Type': type,
    'Content-Length': String(content.length),
    'X-Content-Type-Options': 'nosniff',
    ...headers,
  })
