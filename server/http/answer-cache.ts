import type { IncomingMessage, ServerResponse } from 'node:http'
import { LRUCache } from 'lru-cache'
import { type PackedAnswer, packAnswer, sendPacked, toResponse, type WholeAnswer } from './packed-answer.ts'

export type AnswerCache = ReturnType<typeof createAnswerCache>

type KeptValue = { value: unknown; freshUntil: number; bytes: number }

/** Raw addresses that lead to a kept answer. Longer ones are not worth remembering. */
const ALIASES_MAX = 5000
const ALIAS_MAX_LENGTH = 512

const isPacked = (answer: PackedAnswer | WholeAnswer): answer is PackedAnswer => 'variants' in answer

/**
 * Keeps public answers for `lifetimeMs`, at most `maxBytes` of them: values for callers in the process, and rendered
 * answers with their brotli and gzip forms for the network. An answer is made once at a time however many ask for it;
 * `clear` drops everything at once, also what is being made at that moment.
 *
 * An answer's key is derived from what the call or the page declares as its input, so made-up parameters share one
 * answer. The addresses that were asked for are remembered as aliases of the key.
 */
export function createAnswerCache(options: {
  /** Milliseconds on a clock that never goes back. */
  now: () => number
  lifetimeMs: number
  maxBytes: number
  /** Puts the last headers on an answer before it is kept. */
  seal: (answer: { headers: Headers }) => void
}) {
  const packed = new LRUCache<string, PackedAnswer>({
    maxSize: Math.ceil((options.maxBytes * 2) / 3),
    sizeCalculation: ({ bytes }) => bytes,
  })
  const values = new LRUCache<string, KeptValue>({
    maxSize: Math.floor(options.maxBytes / 3),
    sizeCalculation: ({ bytes }) => bytes,
  })
  const aliases = new LRUCache<string, string>({ max: ALIASES_MAX })
  const making = new Map<string, Promise<unknown>>()
  let generation = 0

  const fresh = <Kept extends { freshUntil: number }>(kept: Kept | undefined) =>
    kept !== undefined && kept.freshUntil > options.now() ? kept : undefined

  /** Runs `make` once for all who ask for the same thing at the same time. */
  async function makeOnce<Made>(job: string, make: (isCurrent: () => boolean) => Promise<Made>): Promise<Made> {
    const running = making.get(job) as Promise<Made> | undefined
    if (running !== undefined) return running
    const born = generation
    const promise = make(() => born === generation)
    making.set(job, promise)
    try {
      return await promise
    } finally {
      if (making.get(job) === promise) making.delete(job)
    }
  }

  async function keepValue(key: string, make: () => Promise<unknown>): Promise<KeptValue & { json: string }> {
    return makeOnce(`value ${key}`, async (isCurrent) => {
      const value = deepFreeze(await make())
      const json = JSON.stringify(value)
      const kept = { value, freshUntil: options.now() + options.lifetimeMs, bytes: json.length + 256 }
      if (isCurrent()) values.set(key, kept)
      return { ...kept, json }
    })
  }

  /** The kept answer, or the one that `make` gives; answers that are not public pass through unkept. */
  async function answer(
    key: string,
    make: () => Promise<{ whole: WholeAnswer; freshUntil: number }>,
  ): Promise<PackedAnswer | WholeAnswer> {
    const kept = fresh(packed.get(key))
    if (kept !== undefined) return kept
    let isMaker = false
    const made = await makeOnce(`answer ${key}`, async (isCurrent) => {
      isMaker = true
      const { whole, freshUntil } = await make()
      if (!whole.headers.get('Cache-Control')?.includes('s-maxage')) return whole
      options.seal(whole)
      const entry = await packAnswer(whole, freshUntil)
      if (isCurrent()) packed.set(key, entry)
      return entry
    })
    // An answer that is not public is made anew for each who asked.
    return isMaker || isPacked(made) ? made : (await make()).whole
  }

  async function respondFrom(
    request: Request,
    key: string,
    make: () => Promise<{ whole: WholeAnswer; freshUntil: number }>,
  ): Promise<Response> {
    const found = await answer(key, make)
    if (!isPacked(found)) return new Response(found.body, found)
    const { pathname, search } = new URL(request.url)
    const asked = pathname + search
    if (asked.length <= ALIAS_MAX_LENGTH) aliases.set(asked, key)
    return toResponse(found, request.headers)
  }

  return {
    /** How many answers are kept, each in one form or both, and their weight. */
    size: () => ({
      entries: new Set([...packed.keys(), ...values.keys()]).size,
      bytes: packed.calculatedSize + values.calculatedSize,
    }),

    clear: () => {
      generation++
      packed.clear()
      values.clear()
      making.clear()
    },

    /** The kept value under a key, or the one that `make` gives: frozen, because callers share it. */
    async value(key: string, make: () => Promise<unknown>): Promise<unknown> {
      return (fresh(values.get(key)) ?? (await keepValue(key, make))).value
    },

    /** Answers a request with the value under `key` as JSON, with the given headers. */
    respondWithValue(
      request: Request,
      key: string,
      make: () => Promise<unknown>,
      headers: Record<string, string>,
    ): Promise<Response> {
      return respondFrom(request, key, async () => {
        const kept = fresh(values.get(key))
        const { freshUntil, json } =
          kept === undefined
            ? await keepValue(key, make)
            : { freshUntil: kept.freshUntil, json: JSON.stringify(kept.value) }
        return {
          whole: {
            status: 200,
            headers: new Headers({ 'Content-Type': 'application/json', ...headers }),
            body: Buffer.from(json),
          },
          freshUntil,
        }
      })
    },

    /** Answers a request with the kept or freshly rendered answer under `key`. */
    respond(request: Request, key: string, render: () => Promise<WholeAnswer>): Promise<Response> {
      return respondFrom(request, key, async () => ({
        whole: await render(),
        freshUntil: options.now() + options.lifetimeMs,
      }))
    },

    /** Answers a GET or HEAD straight from memory, before any router. @returns whether it did */
    serve(req: IncomingMessage, res: ServerResponse): boolean {
      if ((req.method !== 'GET' && req.method !== 'HEAD') || req.url === undefined) return false
      const key = aliases.get(req.url)
      const entry = key === undefined ? undefined : fresh(packed.get(key))
      if (entry === undefined) return false
      sendPacked(entry, req, res)
      return true
    },
  }
}

function deepFreeze(value: unknown): unknown {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    for (const inner of Object.values(value)) deepFreeze(inner)
  }
  return value
}
