import type { Context, MiddlewareHandler } from 'hono'
import { LRUCache } from 'lru-cache'
import type { Deps } from '#server/deps.ts'
import { getClientAddress, getNetwork } from '#server/http/client-address.ts'
import { hashIn, isPictureShown, selectFile } from './store.ts'

/** The size in bytes of the memory cache for frequently requested files, such as banners and pictures of news. */
const REMEMBERED_MAX_BYTES = 6 * 1024 * 1024
const FOR_EVER = 'public, max-age=31536000, immutable'

/**
 * Serves uploaded pictures and captions at `/files/{hash}.webp`, `.jpg`, `.png` or `.vtt`, and the stylesheets of
 * themes. The content of an address never changes, so browsers cache files of operators for a year. Players' uploads are
 * revalidated at each request, because they must answer 404 as soon as their post is deleted. Requests that reach the
 * database count toward the limit of pages.
 */
export function createFileServer({ browseDb, limits, config }: Deps): MiddlewareHandler {
  const remembered = new LRUCache<string, { type: string; content: Buffer }>({
    maxSize: REMEMBERED_MAX_BYTES,
    sizeCalculation: ({ content }) => content.length + 200,
  })
  return async (c, next) => {
    const hash = hashIn(c.req.path)
    if (hash === null || (c.req.method !== 'GET' && c.req.method !== 'HEAD')) return next()
    let file = remembered.get(hash)
    if (file === undefined) {
      limits.spendQuickly('pages', getNetwork(getClientAddress(c, config.trustedProxies)))
      const found = await selectFile(browseDb, hash)
      if (found === undefined || (found.of_players && !(await isPictureShown(browseDb, c.req.path))))
        return c.text('There is no such file.', 404, {
          'Cache-Control': 'no-store',
          'X-Content-Type-Options': 'nosniff',
        })
      if (found.of_players) return sendPlayersPicture(c, hash, found)
      file = found
      remembered.set(hash, file)
    }
    return send(c, file, { 'Cache-Control': FOR_EVER })
  }
}

type Sent = { type: string; content: Buffer }

function sendPlayersPicture(c: Context, hash: string, file: Sent) {
  const headers = { ETag: `"${hash}"`, 'Cache-Control': 'no-cache' }
  return c.req.header('If-None-Match') === headers.ETag ? c.body(null, 304, headers) : send(c, file, headers)
}

const send = (c: Context, { type, content }: Sent, headers: Record<string, string>) =>
  c.body(new Uint8Array(content), 200, {
    'Content-Type': type,
    'Content-Length': String(content.length),
    'X-Content-Type-Options': 'nosniff',
    ...headers,
  })
