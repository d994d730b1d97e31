import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Entry, pack, sendEntry, toResponse } from './kept-answer.ts'

export type PageCache = ReturnType<typeof createPageCache>

/** Query parameters that an answer may depend on; every other one is ignored, so that made-up ones cannot fill the memory. */
const KNOWN_PARAMETERS = new Set([
  'topic',
  'category',
  'page',
  'board',
  'tab',
  'school',
  'class',
  'period',
  'part',
  'box',
  'q',
  'kind',
  'sort',
  'picture',
])

/** The address an answer is kept under: path and known parameters in a fixed order. */
export function publicAddress(pathAndQuery: string): string {
  const at = pathAndQuery.indexOf('?')
  if (at === -1) return pathAndQuery
  const query = [...new URLSearchParams(pathAndQuery.slice(at + 1))]
    .filter(([name]) => KNOWN_PARAMETERS.has(name))
    .sort(([a], [b]) => (a < b ? -1 : 1))
  return pathAndQuery.slice(0, at) + (query.length === 0 ? '' : `?${new URLSearchParams(query)}`)
}

/** Not by `instanceof Response`: the listener puts a class of its own in the place of Node's, and both are about. */
const isEntry = (answer: Entry | Response): answer is Entry => 'variants' in answer

/**
 * Keeps rendered public answers per address for `lifetimeMs`, each with its brotli and
 * gzip forms, at most `maxBytes` in all; the oldest leave first, and as soon as they are stale. An address is
 * rendered once at a time however many ask; `clear` drops everything at once, also what is
 * being rendered at that moment.
 */
export function createPageCache(options: {
  now: () => number
  lifetimeMs: number
  maxBytes: number
  /** Puts the last headers on an answer before it is kept. */
  seal: (response: Response) => void
}) {
  const entries = new Map<string, Entry>()
  const rendering = new Map<string, Promise<Entry | Response>>()
  let bytes = 0
  let generation = 0

  function lookup(address: string): Entry | undefined {
    const entry = entries.get(address)
    return entry !== undefined && entry.freshUntil > options.now() ? entry : undefined
  }

  function drop(address: string): void {
    const entry = entries.get(address)
    if (entry === undefined) return
    entries.delete(address)
    bytes -= entry.bytes
  }

  function keep(address: string, entry: Entry): void {
    drop(address)
    entries.set(address, entry)
    bytes += entry.bytes
    const now = options.now()
    for (const [oldest, { freshUntil }] of entries) {
      if (bytes <= options.maxBytes && freshUntil > now) break
      drop(oldest)
    }
  }

  /** The kept answer, or the one that `render` gives; answers that are not public pass through unkept. */
  async function answer(address: string, render: () => Promise<Response>): Promise<Entry | Response> {
    const kept = lookup(address)
    if (kept !== undefined) return kept
    const running = rendering.get(address)
    if (running !== undefined) {
      const shared = await running
      return isEntry(shared) ? shared : render()
    }
    const born = generation
    const job = (async () => {
      const response = await render()
      if (!response.headers.get('Cache-Control')?.includes('s-maxage')) return response
      options.seal(response)
      const entry = await pack(response, options.now() + options.lifetimeMs)
      if (born === generation) keep(address, entry)
      return entry
    })()
    rendering.set(address, job)
    try {
      return await job
    } finally {
      if (rendering.get(address) === job) rendering.delete(address)
    }
  }

  return {
    answer,
    lookup,
    size: () => ({ entries: entries.size, bytes }),
    clear: () => {
      generation++
      entries.clear()
      rendering.clear()
      bytes = 0
    },

    /** Answers a kept GET or HEAD straight from memory, before any router. @returns whether it did */
    serve(req: IncomingMessage, res: ServerResponse): boolean {
      if ((req.method !== 'GET' && req.method !== 'HEAD') || req.url === undefined) return false
      const entry = lookup(publicAddress(req.url))
      if (entry === undefined) return false
      sendEntry(entry, req, res)
      return true
    },

    /** The kept or freshly rendered answer to a request that came through the router or from within the process. */
    async respond(request: Request, render: () => Promise<Response>): Promise<Response> {
      const url = new URL(request.url)
      const found = await answer(publicAddress(url.pathname + url.search), render)
      return isEntry(found) ? toResponse(found, request.headers) : found
    },
  }
}
