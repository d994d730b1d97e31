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
/** A complete answer. */
export type WholeAnswer = { status: number; headers: Headers; body: Bytes }

/** Creates a text answer that any cache may store for five minutes. */
export const createTextAnswer = (type: string, text: string): WholeAnswer => ({
  status: 200,
  headers: new Headers({ 'Content-Type': type, 'Cache-Control': 'public, max-age=300, s-maxage=300' }),
  body: Buffer.from(text),
})

const ENCODINGS = ['br', 'gzip', 'identity'] as const
type Encoding = (typeof ENCODINGS)[number]

/** A public answer with the headers of all its encodings. It is compressed at the first request for an encoding. */
type CachedAnswer = {
  status: number
  etag: string
  headers: [string, string][]
  body: Bytes
  compressed: Partial<Record<Encoding, Promise<Bytes>>>
  madeAt: number
  generation: number
}
/** A value for callers in the process, with its size. */
type CachedValue = { value: unknown; madeAt: number; generation: number; bytes: number }
/** The key of the cached answer for an address. The address is stored exactly as the client sent it. */
type Alias = { key: string }

/** The maximum age of a stale answer if a new one takes more than a second or fails. */
const SLOW_STALE_MAX_MS = 10 * MINUTE_MS
/** The maximum age of a stale answer while the database is unavailable. */
const UNAVAILABLE_STALE_MAX_MS = DAY_MS
/** How long a request waits for a new answer before it gets a stale one. */
const NEW_ANSWER_WAIT_MS = 1000
/** The minimum time between two checks of whether the database is available again. */
const PROBE_EVERY_MS = 1000
/** Longer addresses are not cached. */
const ADDRESS_MAX_LENGTH = 512
/** The assumed size of both compressed forms together, relative to the uncompressed body. Usually each is
 * about a fifth, so 0.6 leaves a margin. */
const COMPRESSED_SHARE = 0.6

/**
 * Creates a cache of public answers for `lifetimeMs`, of at most `maxBytes` in total. Concurrent requests for an
 * answer share one computation, which runs in `runQueued`. `clear` makes everything stale at once, including running
 * computations.
 *
 * An answer's key is derived from the declared input of the call or page, so requests that differ only in undeclared
 * parameters share one answer.
 *
 * Stale answers stay in memory. If a new answer takes more than a second or fails, a stale one up to ten minutes old is
 * sent. While the database is unavailable, a stale one up to a day old is sent at once. Stale answers have an `Age`
 * header (RFC 5861).
 */
export function createAnswerCache(options: {
  /** Returns the time of a monotonic clock in milliseconds. */
  now: () => number
  lifetimeMs: number
  maxBytes: number
  runQueued: RunQueued
  /** Adds the final headers before an answer is cached. */
  addSecurityHeaders: (answer: { headers: Headers }) => void
  /** Sends the database a minimal query. */
  probe: () => Promise<unknown>
}) {
  const { now } = options
  const cache = new LRUCache<string, CachedAnswer | CachedValue | Alias>({
    maxSize: options.maxBytes,
    sizeCalculation: estimateBytes,
  })
  const runningComputations = new Map<string, Promise<unknown>>()
  let generation = 0
  let staleCount = 0
  const database = watchDatabase(options)

  const isFresh = (entry: CachedAnswer | CachedValue) =>
    entry.generation === generation && now() < entry.madeAt + options.lifetimeMs
  const isYoungerThan = ({ madeAt }: CachedAnswer, ms: number) => now() < madeAt + ms
  /** Returns whether an answer is sent without trying to compute a new one. */
  const canSendAsIs = (answer: CachedAnswer) =>
    isFresh(answer) || (isYoungerThan(answer, UNAVAILABLE_STALE_MAX_MS) && database.isUnavailable())

  function findCached(key: string): CachedAnswer | undefined {
    const entry = cache.get(key)
    return entry !== undefined && 'body' in entry ? entry : undefined
  }

  /** Runs `compute` once for all concurrent requests of a key. */
  async function computeOnce<Value>(computationKey: string, compute: () => Promise<Value>): Promise<Value> {
    const runningComputation = runningComputations.get(computationKey) as Promise<Value> | undefined
    if (runningComputation !== undefined) return runningComputation
    const promise = database.watch(compute)
    runningComputations.set(computationKey, promise)
    try {
      return await promise
    } finally {
      if (runningComputations.get(computationKey) === promise) runningComputations.delete(computationKey)
    }
  }

  /**
   * Computes and caches an answer. An answer that is not public, such as an error, goes only to the requests that
   * wait for it.
   */
  function computeAnswer(key: string, compute: () => Promise<WholeAnswer>): Promise<CachedAnswer | WholeAnswer> {
    return computeOnce(`answer ${key}`, async () => {
      const startGeneration = generation
      const wholeAnswer = await options.runQueued(compute)
      if (!wholeAnswer.headers.get('Cache-Control')?.includes('s-maxage')) return wholeAnswer
      options.addSecurityHeaders(wholeAnswer)
      const answer = toCached(wholeAnswer, { madeAt: now(), generation: startGeneration })
      if (startGeneration === generation) cache.set(key, answer)
      return answer
    })
  }

  /** Returns a new answer, or a stale one if the new one is too slow or fails. */
  async function findAnswer(key: string, compute: () => Promise<WholeAnswer>): Promise<CachedAnswer | WholeAnswer> {
    const staleAnswer = findCached(key)
    if (staleAnswer !== undefined && canSendAsIs(staleAnswer)) return staleAnswer
    const newAnswer = computeAnswer(key, compute)
    if (staleAnswer === undefined) return newAnswer
    const canSendStale = () =>
      isYoungerThan(staleAnswer, database.isUnavailable() ? UNAVAILABLE_STALE_MAX_MS : SLOW_STALE_MAX_MS)
    const answerOrStale = newAnswer.then(
      (answer) => (!('madeAt' in answer) && answer.status === 503 && canSendStale() ? staleAnswer : answer),
      (error: unknown) => {
        const isTemporary = isDatabaseUnavailable(error) || (error instanceof Refusal && error.status === 503)
        if (isTemporary && canSendStale()) return staleAnswer
        throw error
      },
    )
    return isYoungerThan(staleAnswer, SLOW_STALE_MAX_MS) ? waitBriefly(answerOrStale, staleAnswer) : answerOrStale
  }

  /**
   * Computes a value and caches it under the generation that was current at the start, so a `clear` in between makes it
   * stale.
   */
  async function cacheValue(key: string, compute: () => Promise<unknown>): Promise<unknown> {
    const startGeneration = generation
    const value = deepFreeze(await compute())
    const bytes = JSON.stringify(value).length + 256
    cache.set(`value ${key}`, { value, madeAt: now(), generation: startGeneration, bytes })
    return value
  }

  /** Finds a fresh value under a key. */
  function findFreshValue(key: string): unknown {
    const entry = cache.get(`value ${key}`)
    return entry !== undefined && 'value' in entry && isFresh(entry) ? entry.value : undefined
  }

  /** Returns the age to send with an answer; undefined for a fresh one. Counts the stale ones. */
  function getStaleSeconds(answer: CachedAnswer): number | undefined {
    if (isFresh(answer)) return undefined
    staleCount++
    return (now() - answer.madeAt) / 1000
  }

  function rememberAddress(address: string, key: string): void {
    if (address.length <= ADDRESS_MAX_LENGTH && address !== key) cache.set(address, { key })
  }

  return {
    /** Returns the number of fresh answers and values, and the size of all entries in bytes. */
    getSize: () => ({
      entries: [...cache.values()].filter((entry) => 'madeAt' in entry && entry.generation === generation).length,
      bytes: cache.calculatedSize,
    }),

    /** Counts the stale answers that were sent. */
    countStale: () => staleCount,

    clear: () => {
      generation++
      runningComputations.clear()
    },

    getFreshValue: findFreshValue,

    /** Returns the cached value of a key, or the result of `compute`. The value is frozen, because callers share it. */
    async getValue(key: string, compute: () => Promise<unknown>): Promise<unknown> {
      const freshValue = findFreshValue(key)
      if (freshValue !== undefined) return freshValue
      return computeOnce(`value ${key}`, () => cacheValue(key, compute))
    },

    /**
     * Works like `getValue`, but for a value that depends only on its key: it is cached while there is space, independent of
     * changes.
     */
    async getDerivedValue(key: string, compute: () => Promise<unknown>): Promise<unknown> {
      const entry = cache.get(`value ${key}`)
      if (entry !== undefined && 'value' in entry) return entry.value
      return computeOnce(`value ${key}`, () => cacheValue(key, compute))
    },

    /** Answers a request with the cached answer of `key`, or with the result of `compute`. */
    async respond(request: Request, key: string, compute: () => Promise<WholeAnswer>): Promise<Response> {
      const answer = await findAnswer(key, compute)
      if (!('madeAt' in answer)) return new Response(answer.body, answer)
      const { pathname, search } = new URL(request.url)
      rememberAddress(pathname + search, key)
      const readHeader = (name: string) => request.headers.get(name) ?? undefined
      const { status, headers, body } = await buildResponse(answer, readHeader, getStaleSeconds(answer))
      return new Response(body, { status, headers })
    },

    /**
     * Answers a GET or HEAD from memory, before any router. `toKey` returns the key for a path with its search parameters;
     * undefined for an address without a cached answer.
     *
     * @returns whether an answer was sent
     */
    serve(req: IncomingMessage, res: ServerResponse, toKey: (address: string) => string | undefined): boolean {
      const address = req.url
      if ((req.method !== 'GET' && req.method !== 'HEAD') || address === undefined) return false
      const cachedEntry = cache.get(address)
      const key = cachedEntry === undefined ? toKey(address) : 'key' in cachedEntry ? cachedEntry.key : address
      const answer = key === undefined ? undefined : findCached(key)
      if (key === undefined || answer === undefined || !canSendAsIs(answer)) return false
      if (cachedEntry === undefined) rememberAddress(address, key)
      const readHeader = (name: HeaderName) => String(req.headers[name] ?? '')
      void buildResponse(answer, readHeader, getStaleSeconds(answer)).then(({ status, headers, body }) => {
        res.writeHead(status, headers.flat())
        res.end(req.method === 'HEAD' ? undefined : body)
      })
      return true
    },
  }
}

/** Estimates the memory of an entry in bytes, including its compressed forms. */
function estimateBytes(entry: CachedAnswer | CachedValue | Alias, key: string): number {
  const baseBytes = 256 + key.length
  if ('key' in entry) return baseBytes + entry.key.length
  return baseBytes + ('value' in entry ? entry.bytes : Math.ceil(entry.body.length * (1 + COMPRESSED_SHARE)) + 1792)
}

/** Matches times in milliseconds. Each page contains the time of its rendering. */
const TIME_PATTERN = /\b1\d{12}\b/g

/** Creates a weak ETag. It leaves times out, so a page that was rendered again has the same ETag. */
function createEtag(body: Buffer, contentType: string): string {
  const comparedBody = contentType.startsWith('text/html') ? body.toString('latin1').replace(TIME_PATTERN, '') : body
  return `W/"${createHash('sha256').update(comparedBody).digest('base64url').slice(0, 22)}"`
}

/** The header that lets scripts of other sites read an answer, unless the request has a token (CALL-15). */
const ALLOW_ORIGIN_HEADER = 'access-control-allow-origin'

function toCached(
  { status, headers, body }: WholeAnswer,
  origin: { madeAt: number; generation: number },
): CachedAnswer {
  const etag = createEtag(body, headers.get('Content-Type') ?? '')
  const baseHeaders = [...headers].filter(([name]) => name !== 'content-length')
  const vary = headers.has(ALLOW_ORIGIN_HEADER) ? 'Accept-Encoding, Authorization' : 'Accept-Encoding'
  return {
    ...origin,
    status,
    etag,
    headers: [...baseHeaders, ['etag', etag], ['vary', vary]],
    body,
    compressed: {},
  }
}

/**
 * The headers of a 304. The browser keeps the headers about the body, such as the content security policy with its
 * script hashes, from its cached copy.
 */
const NOT_MODIFIED_HEADERS = new Set([ALLOW_ORIGIN_HEADER, 'cache-control', 'etag', 'vary'])

/** The headers of a request that its answer depends on. */
type HeaderName = 'if-none-match' | 'accept-encoding' | 'authorization'

/**
 * Builds the answer in the encoding that a request's headers accept, or a 304 if the caller has it already (DOC-4).
 * `staleSeconds` is its age, if it is stale.
 */
async function buildResponse(
  answer: CachedAnswer,
  readHeader: (name: HeaderName) => string | undefined,
  staleSeconds: number | undefined,
): Promise<{ status: number; headers: [string, string][]; body: Bytes | null }> {
  const ageHeader: [string, string][] = staleSeconds === undefined ? [] : [['age', String(Math.floor(staleSeconds))]]
  const hasToken = (readHeader('authorization') ?? '') !== ''
  const baseHeaders = hasToken ? answer.headers.filter(([name]) => name !== ALLOW_ORIGIN_HEADER) : answer.headers
  if (hasCurrentCopy(readHeader('if-none-match'), answer)) {
    const headers = baseHeaders.filter(([name]) => NOT_MODIFIED_HEADERS.has(name))
    return { status: 304, headers: [...headers, ...ageHeader], body: null }
  }
  const encoding = chooseEncoding(readHeader('accept-encoding') ?? '')
  answer.compressed[encoding] ??= compress(answer.body, encoding)
  const body = await answer.compressed[encoding]
  const encodingHeader: [string, string][] = encoding === 'identity' ? [] : [['content-encoding', encoding]]
  const headers: [string, string][] = [
    ...baseHeaders,
    ['content-length', String(body.length)],
    ...encodingHeader,
    ...ageHeader,
  ]
  return { status: answer.status, headers, body }
}

/** Returns the best encoding that a client accepts; `*` means every other encoding. */
function chooseEncoding(acceptHeader: string): Encoding {
  const acceptedEncodings = parseAccept(acceptHeader)
  const isAccepted = (encoding: Encoding) =>
    ((
      acceptedEncodings.find(({ type }) => type.toLowerCase() === encoding) ??
      acceptedEncodings.find(({ type }) => type === '*')
    )?.q ?? 0) > 0
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

/** Returns whether the caller already has the answer. A 404 is always sent in full (RFC 9110 §13.2.1). */
function hasCurrentCopy(ifNoneMatch: string | undefined, { etag, status }: CachedAnswer): boolean {
  if (ifNoneMatch === undefined || ifNoneMatch === '' || status !== 200) return false
  const strongTag = etag.replace(/^W\//, '')
  return ifNoneMatch === '*' || ifNoneMatch.split(',').some((tag) => tag.trim().replace(/^W\//, '') === strongTag)
}

/** Returns the new answer, or after a second the stale one. The new one is then cached for the next request. */
async function waitBriefly<Answer>(newAnswer: Promise<Answer>, staleAnswer: Answer): Promise<Answer> {
  const { promise: timeout, resolve } = Promise.withResolvers<Answer>()
  const timer = setTimeout(() => resolve(staleAnswer), NEW_ANSWER_WAIT_MS)
  try {
    return await Promise.race([newAnswer, timeout])
  } finally {
    clearTimeout(timer)
    newAnswer.catch(() => {})
  }
}

/**
 * Tracks whether the database is unavailable, from the first failure to the first successful probe. Requests start the
 * probes; there is no timer.
 */
function watchDatabase({ now, probe }: { now: () => number; probe: () => Promise<unknown> }) {
  let isDatabaseDown = false
  let isProbing = false
  let probedAt = Number.NEGATIVE_INFINITY

  async function probeOnce(): Promise<void> {
    isProbing = true
    await probe().then(
      () => {
        isDatabaseDown = false
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
        if (isDatabaseUnavailable(error)) isDatabaseDown = true
        throw error
      }
    },
    isUnavailable(): boolean {
      if (isDatabaseDown && !isProbing && now() >= probedAt + PROBE_EVERY_MS) void probeOnce()
      return isDatabaseDown
    },
  }
}

function deepFreeze(value: unknown): unknown {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    for (const innerValue of Object.values(value)) deepFreeze(innerValue)
  }
  return value
}
