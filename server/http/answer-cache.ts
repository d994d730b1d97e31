import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { parseAccept } from 'hono/utils/accept'
import { LRUCache } from 'lru-cache'
import { DAY_MS, MINUTE_MS } from '#contract/durations.ts'
import type { RunQueued } from '../concurrency.ts'
import { isDatabaseUnavailable } from '../db/errors.ts'
import { Refusal } from '../errors.ts'

export type AnswerCache = ReturnType<typeof createAnswerCache>

type Bytes = Buffer<ArrayBuffer>
/** A complete response. */
export type WholeAnswer = { status: number; headers: Headers; body: Bytes }

/** A document of the site that any cache may store for five minutes. */
export const wholeText = (type: string, text: string): WholeAnswer => ({
  status: 200,
  headers: new Headers({ 'Content-Type': type, 'Cache-Control': 'public, max-age=300, s-maxage=300' }),
  body: Buffer.from(text),
})

const ENCODINGS = ['br', 'gzip', 'identity'] as const
type Encoding = (typeof ENCODINGS)[number]

/** A public response with the headers that all its forms share. Compressed forms are made at the first request. */
type CachedAnswer = {
  status: number
  etag: string
  headers: [string, string][]
  body: Bytes
  compressed: Partial<Record<Encoding, Promise<Bytes>>>
  madeAt: number
  generation: number
}
/** A value for callers in the process, with its weight. */
type CachedValue = { value: unknown; madeAt: number; generation: number; bytes: number }
/** An address as a client wrote it, which leads to the key of its response. */
type Alias = { key: string }

/** The maximum age of a stale response that is sent when a new one takes more than a second or fails. */
const OLD_MAX_MS = 10 * MINUTE_MS
/** The same while the database is unavailable. */
const STALE_MAX_MS = DAY_MS
/** How long a request waits for a new response before it gets a stale one. */
const WAIT_MS = 1000
/** The interval for checking whether the database is back, while requests come. */
const PROBE_EVERY_MS = 1000
/** Longer addresses are not cached. */
const ADDRESS_MAX_LENGTH = 512
/** The largest size of both compressed forms together, as a share of the plain one; a fifth each is common. */
const COMPRESSED_SHARE = 0.6

/**
 * Creates a cache of public responses for `lifetimeMs`, of at most `maxBytes` in total. Concurrent requests for a
 * response share one computation, which runs in `runQueued`. `clear` makes everything stale at once, computations under
 * way included.
 *
 * A response's key is derived from the declared input of the call or page, so made-up parameters share one response.
 *
 * A stale response stays in memory: after a second, or when a new one fails, one of at most ten minutes is sent. While
 * the database is unavailable, one of at most a day is sent at once. Both have their `Age` (RFC 5861).
 */
export function createAnswerCache(options: {
  /** Returns milliseconds on a monotonic clock. */
  now: () => number
  lifetimeMs: number
  maxBytes: number
  runQueued: RunQueued
  /** Adds the last headers before a response is cached. */
  addSecurityHeaders: (answer: { headers: Headers }) => void
  /** Sends the database a minimal query. */
  probe: () => Promise<unknown>
}) {
  const { now } = options
  const cache = new LRUCache<string, CachedAnswer | CachedValue | Alias>({
    maxSize: options.maxBytes,
    sizeCalculation: weigh,
  })
  const making = new Map<string, Promise<unknown>>()
  let generation = 0
  let staleSent = 0
  const database = watchDatabase(options)

  const isFresh = (entry: CachedAnswer | CachedValue) =>
    entry.generation === generation && now() < entry.madeAt + options.lifetimeMs
  const isYoungerThan = ({ madeAt }: CachedAnswer, ms: number) => now() < madeAt + ms
  /** Whether a response is sent without trying to compute a new one. */
  const goesOut = (answer: CachedAnswer) =>
    isFresh(answer) || (isYoungerThan(answer, STALE_MAX_MS) && database.isUnavailable())

  function findCached(key: string): CachedAnswer | undefined {
    const entry = cache.get(key)
    return entry !== undefined && 'body' in entry ? entry : undefined
  }

  /** Runs `make` once for all concurrent requests of a key. */
  async function makeOnce<Made>(job: string, make: () => Promise<Made>): Promise<Made> {
    const running = making.get(job) as Promise<Made> | undefined
    if (running !== undefined) return running
    const promise = database.watch(make)
    making.set(job, promise)
    try {
      return await promise
    } finally {
      if (making.get(job) === promise) making.delete(job)
    }
  }

  /**
   * Computes and caches a response. A response that is not public, such as an error, goes only to the requests that
   * wait for it.
   */
  function makeAnswer(key: string, make: () => Promise<WholeAnswer>): Promise<CachedAnswer | WholeAnswer> {
    return makeOnce(`answer ${key}`, async () => {
      const born = generation
      const whole = await options.runQueued(make)
      if (!whole.headers.get('Cache-Control')?.includes('s-maxage')) return whole
      options.addSecurityHeaders(whole)
      const answer = toCached(whole, { madeAt: now(), generation: born })
      if (born === generation) cache.set(key, answer)
      return answer
    })
  }

  /** Returns a new response, or a stale one if it comes sooner or there is no other. */
  async function findAnswer(key: string, make: () => Promise<WholeAnswer>): Promise<CachedAnswer | WholeAnswer> {
    const old = findCached(key)
    if (old !== undefined && goesOut(old)) return old
    const made = makeAnswer(key, make)
    if (old === undefined) return made
    const mayBeSent = () => isYoungerThan(old, database.isUnavailable() ? STALE_MAX_MS : OLD_MAX_MS)
    const madeOrOld = made.then(
      (answer) => (!('madeAt' in answer) && answer.status === 503 && mayBeSent() ? old : answer),
      (error: unknown) => {
        const isForNow = isDatabaseUnavailable(error) || (error instanceof Refusal && error.status === 503)
        if (isForNow && mayBeSent()) return old
        throw error
      },
    )
    return isYoungerThan(old, OLD_MAX_MS) ? withinASecond(madeOrOld, old) : madeOrOld
  }

  /** Computes and caches a value with the age of the content that it started with. */
  async function cacheValue(key: string, make: () => Promise<unknown>): Promise<unknown> {
    const born = generation
    const value = deepFreeze(await make())
    const bytes = JSON.stringify(value).length + 256
    cache.set(`value ${key}`, { value, madeAt: now(), generation: born, bytes })
    return value
  }

  /** Returns the value of `value` under a key, if there is a fresh one. */
  function freshValue(key: string): unknown {
    const found = cache.get(`value ${key}`)
    return found !== undefined && 'value' in found && isFresh(found) ? found.value : undefined
  }

  /** Returns the age to send with a response; undefined for a fresh one. Counts the stale ones. */
  function getStaleSeconds(answer: CachedAnswer): number | undefined {
    if (isFresh(answer)) return undefined
    staleSent++
    return (now() - answer.madeAt) / 1000
  }

  function rememberAddress(address: string, key: string): void {
    if (address.length <= ADDRESS_MAX_LENGTH && address !== key) cache.set(address, { key })
  }

  return {
    /** The number of fresh responses and values, and the weight of all entries. */
    size: () => ({
      entries: [...cache.values()].filter((entry) => 'madeAt' in entry && entry.generation === generation).length,
      bytes: cache.calculatedSize,
    }),

    /** Counts the stale responses that were sent. */
    countStale: () => staleSent,

    clear: () => {
      generation++
      making.clear()
    },

    freshValue,

    /** Returns the cached value of a key, or the result of `make`: frozen, because callers share it. */
    async value(key: string, make: () => Promise<unknown>): Promise<unknown> {
      const fresh = freshValue(key)
      if (fresh !== undefined) return fresh
      return makeOnce(`value ${key}`, () => cacheValue(key, make))
    },

    /**
     * The same for a value whose key names everything that it depends on: cached while there is room, independent of
     * changes.
     */
    async derived(key: string, make: () => Promise<unknown>): Promise<unknown> {
      const found = cache.get(`value ${key}`)
      if (found !== undefined && 'value' in found) return found.value
      return makeOnce(`value ${key}`, () => cacheValue(key, make))
    },

    /** Answers a request with the cached response of `key`, or with the result of `make`. */
    async respond(request: Request, key: string, make: () => Promise<WholeAnswer>): Promise<Response> {
      const found = await findAnswer(key, make)
      if (!('madeAt' in found)) return new Response(found.body, found)
      const { pathname, search } = new URL(request.url)
      rememberAddress(pathname + search, key)
      const header = (name: string) => request.headers.get(name) ?? undefined
      const { status, headers, body } = await buildResponse(found, header, getStaleSeconds(found))
      return new Response(body, { status, headers })
    },

    /**
     * Answers a GET or HEAD straight from memory, before any router. `toKey` reads the key from a path with its search
     * parameters; undefined for an address that has none.
     *
     * @returns whether it did
     */
    serve(req: IncomingMessage, res: ServerResponse, toKey: (address: string) => string | undefined): boolean {
      const address = req.url
      if ((req.method !== 'GET' && req.method !== 'HEAD') || address === undefined) return false
      const known = cache.get(address)
      const key = known === undefined ? toKey(address) : 'key' in known ? known.key : address
      const answer = key === undefined ? undefined : findCached(key)
      if (key === undefined || answer === undefined || !goesOut(answer)) return false
      if (known === undefined) rememberAddress(address, key)
      const header = (name: HeaderName) => String(req.headers[name] ?? '')
      void buildResponse(answer, header, getStaleSeconds(answer)).then(({ status, headers, body }) => {
        res.writeHead(status, headers.flat())
        res.end(req.method === 'HEAD' ? undefined : body)
      })
      return true
    },
  }
}

/** Returns the memory of an entry in bytes, compressed forms included. */
function weigh(entry: CachedAnswer | CachedValue | Alias, key: string): number {
  const own = 256 + key.length
  if ('key' in entry) return own + entry.key.length
  return own + ('value' in entry ? entry.bytes : Math.ceil(entry.body.length * (1 + COMPRESSED_SHARE)) + 1792)
}

/** Times in milliseconds: a page has the time of its rendering. */
const MOMENTS = /\b1\d{12}\b/g

/** Weak: a page rendered again a little later is the same page, although it states another time of rendering. */
function createEtag(body: Buffer, contentType: string): string {
  const same = contentType.startsWith('text/html') ? body.toString('latin1').replace(MOMENTS, '') : body
  return `W/"${createHash('sha256').update(same).digest('base64url').slice(0, 22)}"`
}

/** Lets scripts of other sites read a response, unless the request has a token (CALL-15). */
const ALLOW_ORIGIN = 'access-control-allow-origin'

function toCached({ status, headers, body }: WholeAnswer, made: { madeAt: number; generation: number }): CachedAnswer {
  const etag = createEtag(body, headers.get('Content-Type') ?? '')
  const common = [...headers].filter(([name]) => name !== 'content-length')
  const vary = headers.has(ALLOW_ORIGIN) ? 'Accept-Encoding, Authorization' : 'Accept-Encoding'
  return {
    ...made,
    status,
    etag,
    headers: [...common, ['etag', etag], ['vary', vary]],
    body,
    compressed: {},
  }
}

/** The headers of a 304. Those about the body, such as the policy with its script hashes, belong to the copy that the browser has. */
const WITHOUT_BODY = new Set([ALLOW_ORIGIN, 'cache-control', 'etag', 'vary'])

/** The headers of a request that its response depends on. */
type HeaderName = 'if-none-match' | 'accept-encoding' | 'authorization'

/** Returns the response in the form that a request's headers accept. `staleSeconds` is its age, if it is stale. */
async function buildResponse(
  answer: CachedAnswer,
  header: (name: HeaderName) => string | undefined,
  staleSeconds: number | undefined,
): Promise<{ status: number; headers: [string, string][]; body: Bytes | null }> {
  const age: [string, string][] = staleSeconds === undefined ? [] : [['age', String(Math.floor(staleSeconds))]]
  const hasToken = (header('authorization') ?? '') !== ''
  const common = hasToken ? answer.headers.filter(([name]) => name !== ALLOW_ORIGIN) : answer.headers
  if (isKnown(header('if-none-match'), answer)) {
    const headers = common.filter(([name]) => WITHOUT_BODY.has(name))
    return { status: 304, headers: [...headers, ...age], body: null }
  }
  const encoding = chooseEncoding(header('accept-encoding') ?? '')
  answer.compressed[encoding] ??= compress(answer.body, encoding)
  const body = await answer.compressed[encoding]
  const coding: [string, string][] = encoding === 'identity' ? [] : [['content-encoding', encoding]]
  const headers: [string, string][] = [...common, ['content-length', String(body.length)], ...coding, ...age]
  return { status: answer.status, headers, body }
}

/** Returns the best encoding that a client accepts; `*` stands for every other encoding. */
function chooseEncoding(accepted: string): Encoding {
  const offers = parseAccept(accepted)
  const isAccepted = (encoding: Encoding) =>
    ((offers.find(({ type }) => type.toLowerCase() === encoding) ?? offers.find(({ type }) => type === '*'))?.q ?? 0) >
    0
  return ENCODINGS.find((encoding) => encoding !== 'identity' && isAccepted(encoding)) ?? 'identity'
}

const toBrotli = promisify(brotliCompress)
const toGzip = promisify(gzip)

async function compress(body: Bytes, encoding: Encoding): Promise<Bytes> {
  if (encoding === 'identity') return body
  if (encoding === 'gzip') return toGzip(body, { level: 6 })
  return toBrotli(body, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 6, [constants.BROTLI_PARAM_SIZE_HINT]: body.length },
  })
}

/** Whether the caller already has the response. A 404 is always sent in full (RFC 9110 §13.2.1). */
function isKnown(ifNoneMatch: string | undefined, { etag, status }: CachedAnswer): boolean {
  if (ifNoneMatch === undefined || ifNoneMatch === '' || status !== 200) return false
  const bare = etag.replace(/^W\//, '')
  return ifNoneMatch === '*' || ifNoneMatch.split(',').some((tag) => tag.trim().replace(/^W\//, '') === bare)
}

/** Returns the new response, or after a second the stale one. A late response is cached for the next request. */
async function withinASecond<Answer>(made: Promise<Answer>, old: Answer): Promise<Answer> {
  const { promise: tooLong, resolve } = Promise.withResolvers<Answer>()
  const timer = setTimeout(() => resolve(old), WAIT_MS)
  try {
    return await Promise.race([made, tooLong])
  } finally {
    clearTimeout(timer)
    made.catch(() => {})
  }
}

/**
 * Tracks whether the database is unavailable, from the first failure to the first successful probe. There is no timer;
 * requests start the probes.
 */
function watchDatabase({ now, probe }: { now: () => number; probe: () => Promise<unknown> }) {
  let isGone = false
  let isProbing = false
  let probedAt = Number.NEGATIVE_INFINITY

  async function probeOnce(): Promise<void> {
    isProbing = true
    await probe().then(
      () => {
        isGone = false
      },
      () => {},
    )
    isProbing = false
    probedAt = now()
  }

  return {
    /** Runs `work` and records failures that mean the database is unavailable. */
    async watch<Result>(work: () => Promise<Result>): Promise<Result> {
      try {
        return await work()
      } catch (error) {
        if (isDatabaseUnavailable(error)) isGone = true
        throw error
      }
    },
    isUnavailable(): boolean {
      if (isGone && !isProbing && now() >= probedAt + PROBE_EVERY_MS) void probeOnce()
      return isGone
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
