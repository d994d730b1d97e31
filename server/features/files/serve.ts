import type { MiddlewareHandler } from 'hono'
import { LRUCache } from 'lru-cache'
import type { Deps } from '#server/deps.ts'
import { clientAddress, networkOf } from '#server/http/client-address.ts'
import { hashIn, selectFile } from './store.ts'

/** Frequently requested files stay in memory: the banners and the newest pictures. */
const REMEMBERED_MAX_BYTES = 6 * 1024 * 1024
const FOR_EVER = 'public, max-age=31536000, immutable'

/**
 * Serves the pictures and captions that were uploaded, at `/files/{hash}.webp`, `.jpg` or `.vtt`. What is at such an address never
 * changes, so browsers keep it for ever and need no validators. Those that come from the database count as pages.
 */
export function storedFiles({ browseDb, limits, config }: Deps): MiddlewareHandler {
  const remembered = new LRUCache<string, { type: string; content: Buffer }>({
    maxSize: REMEMBERED_MAX_BYTES,
    sizeCalculation: ({ content }) => content.length + 200,
  })
  return async (c, next) => {
    const hash = hashIn(c.req.path)
    if (hash === null || (c.req.method !== 'GET' && c.req.method !== 'HEAD')) return next()
    let file = remembered.get(hash)
    if (file === undefined) {
      limits.spendQuickly('pages', networkOf(clientAddress(c, config.trustedProxies)))
      file = await selectFile(browseDb, hash)
      if (file === undefined)
        return c.text('There is no such file.', 404, {
          'Cache-Control': 'no-store',
          'X-Content-Type-Options': 'nosniff',
        })
      remembered.set(hash, file)
    }
    return c.body(new Uint8Array(file.content), 200, {
      'Content-Type': file.type,
      'Content-Length': String(file.content.length),
      'Cache-Control': FOR_EVER,
      'X-Content-Type-Options': 'nosniff',
    })
  }
}
