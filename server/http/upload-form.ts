import type { Context, MiddlewareHandler } from 'hono'
import { Refusal } from '../errors.ts'

/** All forms that are being read or worked on hold no more than this together, however many come at once. */
const HELD_MAX_BYTES = 48 * 1024 * 1024
const READING_MAX_MS = 120_000
const RETRY_AFTER_SECONDS = 10
const FIRST_BYTES = 16 * 1024

type Options = {
  maxBytes: number
  /** How many fields and files a form may have. */
  maxParts: number
  said: { tooLarge: string; unreadable: string; busy: string; tooSlow: string }
}

/**
 * Reads a form with files, counting while it comes: what is too large, too slow or one too many
 * is refused before it is held. What came is copied together at once, because a form that comes
 * byte by byte would weigh a thousand times its size. The form is left where the route's schema looks for it, and the
 * memory is given back when the call is answered.
 *
 * @throws Refusal 400, 408, 413, 503
 */
export function readUploadForm({ maxBytes, maxParts, said }: Options): MiddlewareHandler {
  let held = 0
  const tooLarge = () => new Refusal(413, 'too-large', said.tooLarge)
  const unreadable = () => new Refusal(400, 'unreadable-form', said.unreadable)
  const busy = () => new Refusal(503, 'uploads-busy', said.busy, { retryAfterSeconds: RETRY_AFTER_SECONDS })

  async function readBytes(c: Context, hold: (bytes: number) => void): Promise<Buffer<ArrayBuffer>> {
    const told = Number(c.req.header('Content-Length') ?? 0)
    if (told > maxBytes) throw tooLarge()
    const reader = c.req.raw.body?.getReader()
    if (reader === undefined) throw unreadable()
    let isLate = false
    const timer = setTimeout(() => {
      isLate = true
      void reader.cancel().catch(() => {})
    }, READING_MAX_MS)
    let bytes = Buffer.alloc(FIRST_BYTES)
    let size = 0
    try {
      for (;;) {
        const { done, value } = await reader.read().catch(cutOff)
        if (isLate) throw new Refusal(408, 'too-slow', said.tooSlow)
        if (done) return bytes.subarray(0, size)
        const end = size + value.length
        if (end > maxBytes) throw tooLarge()
        hold(value.length)
        if (end > bytes.length) bytes = Buffer.concat([bytes.subarray(0, size)], Math.max(end, 2 * bytes.length))
        bytes.set(value, size)
        size = end
      }
    } catch (error) {
      void reader.cancel().catch(() => {})
      throw error
    } finally {
      clearTimeout(timer)
    }
  }
  const cutOff = () => {
    throw unreadable()
  }

  return async (c, next) => {
    const type = c.req.header('Content-Type') ?? ''
    const boundary = /^multipart\/form-data; ?boundary=([\w'()+,\-./:=?]{1,70})$/i.exec(type)?.[1]
    if (boundary === undefined) throw unreadable()
    let mine = 0
    const hold = (bytes: number) => {
      if (held + bytes > HELD_MAX_BYTES) throw busy()
      held += bytes
      mine += bytes
    }
    try {
      const bytes = await readBytes(c, hold)
      if (countParts(bytes, boundary) > maxParts) throw unreadable()
      const form = new Response(bytes, { headers: { 'Content-Type': type } }).formData()
      c.req.bodyCache.formData = await form.catch(cutOff)
      await next()
    } finally {
      held -= mine
    }
  }
}

/** Counted before the parser sees it: a form of a million tiny parts would keep it busy. */
function countParts(bytes: Buffer, boundary: string): number {
  const mark = Buffer.from(`--${boundary}`)
  let count = 0
  for (let at = bytes.indexOf(mark); at !== -1; at = bytes.indexOf(mark, at + mark.length)) count++
  return count - 1
}
