import type { IncomingMessage, ServerResponse } from 'node:http'
import { LRUCache } from 'lru-cache'
import { isDatabaseAway } from '../db/errors.ts'
import { Refusal } from '../errors.ts'
import { type PackedAnswer, packAnswer, sendPacked, toResponse, type WholeAnswer } from './packed-answer.ts'

export type AnswerCache = ReturnType<typeof createAnswerCache>

type KeptValue = { value: unknown; madeAt: number; bytes: number }
type KeptAnswer = { packed: PackedAnswer; madeAt: number; generation: number }

/** Raw addresses that lead to a kept answer. Longer ones are not worth remembering. */
const ADDRESSES_MAX = 5000
const ADDRESS_MAX_LENGTH = 512

/** How old an answer may be that is sent while the database is away. */
const STALE_MAX_MS = 24 * 3_600_000
/** How long a request waits for a new answer before it gets the old one. */
const PATIENCE_MS = 1000
/** How often the database is asked whether it is back, while requests come. */
const PROBE_EVERY_MS = 1000

const isKept = (answer: KeptAnswer | WholeAnswer): answer is KeptAnswer => 'packed' in answer

/**
 * Keeps public answers for `lifetimeMs`, at most `maxBytes` of them: values for callers in the process, and rendered
 * answers with their compressed forms for the network. An answer is made once at a time however many ask for it.
 * `clear` ends the life of everything at once, also of what is being made at that moment.
 *
 * An answer's key is derived from what the call or the page declares as its input, so made-up parameters share one
 * answer. Addresses that were asked for are remembered with their key.
 *
 * A rendered answer stays in memory after its life. It is sent as stale (with its `Age`, RFC 5861) while the database is
 * away, and, unless the content changed since, when making a new one is refused or takes more than a second.
 */
export function createAnswerCache(options: {
  /** Milliseconds on a clock that never goes back. */
  now: () => number
  lifetimeMs: number
  maxBytes: number
  /** Puts the last headers on an answer before it is kept. */
  seal: (answer: { headers: Headers }) => void
  /** Asks the database for the least it can answer. */
  probe: () => Promise<unknown>
}) {
  const answers = new LRUCache<string, KeptAnswer>({
    maxSize: Math.ceil((options.maxBytes * 2) / 3),
    sizeCalculation: ({ packed }) => packed.bytes,
  })
  const values = new LRUCache<string, KeptValue>({
    maxSize: Math.floor(options.maxBytes / 3),
    sizeCalculation: ({ bytes }) => bytes,
  })
  const addresses = new LRUCache<string, string>({ max: ADDRESSES_MAX })
  const making = new Map<string, Promise<unknown>>()
  let generation = 0
  let staleSent = 0
  const database = watchDatabase(options)

  const isYoung = ({ madeAt }: { madeAt: number }) => options.now() < madeAt + options.lifetimeMs
  const isFresh = (kept: KeptAnswer) => kept.generation === generation && isYoung(kept)
  const isUsable = (kept: KeptAnswer) => options.now() < kept.madeAt + STALE_MAX_MS
  /** Whether an old answer is sent without trying for a new one. */
  const isToBeSentStale = (kept: KeptAnswer) => isUsable(kept) && database.isAway()
  const freshValue = (key: string) => {
    const kept = values.get(key)
    return kept !== undefined && isYoung(kept) ? kept : undefined
  }
  /** The age to send with an answer; undefined for a fresh one. Counts the stale ones. */
  function staleSecondsOf(kept: KeptAnswer): number | undefined {
    if (isFresh(kept)) return undefined
    staleSent++
    return (options.now() - kept.madeAt) / 1000
  }

  /** Runs `make` once for all who ask for the same thing at the same time. */
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

  async function keepValue(key: string, make: () => Promise<unknown>): Promise<KeptValue & { json: string }> {
    return makeOnce(`value ${key}`, async () => {
      const born = generation
      const value = deepFreeze(await make())
      const json = JSON.stringify(value)
      const kept = { value, madeAt: options.now(), bytes: json.length + 256 }
      if (born === generation) values.set(key, kept)
      return { ...kept, json }
    })
  }

  /** Makes an answer and keeps it. One that is not public, such as an error, goes to those who wait for it. */
  function makeAnswer(key: string, make: () => Promise<{ whole: WholeAnswer; madeAt: number }>) {
    return makeOnce(`answer ${key}`, async () => {
      const born = generation
      const { whole, madeAt } = await make()
      if (!whole.headers.get('Cache-Control')?.includes('s-maxage')) return whole
      options.seal(whole)
      const kept = { packed: packAnswer(whole), madeAt, generation: born }
      if (born === generation) answers.set(key, kept)
      return kept
    })
  }

  async function findAnswer(
    key: string,
    make: () => Promise<{ whole: WholeAnswer; madeAt: number }>,
  ): Promise<KeptAnswer | WholeAnswer> {
    const old = answers.get(key)
    if (old !== undefined && (isFresh(old) || isToBeSentStale(old))) return old
    const making = makeAnswer(key, make)
    if (old === undefined || !isUsable(old)) return making
    const isPresentContent = () => old.generation === generation
    const made = making.then(
      (answer) => {
        const hasFailed = !isKept(answer) && answer.status === 503
        return hasFailed && (database.isAway() || isPresentContent()) ? old : answer
      },
      (error: unknown) => {
        const isBusy = error instanceof Refusal && error.status === 503
        if (database.isAway() || (isBusy && isPresentContent())) return old
        throw error
      },
    )
    return isPresentContent() ? withPatience(made, old) : made
  }

  async function respondFrom(
    request: Request,
    key: string,
    make: () => Promise<{ whole: WholeAnswer; madeAt: number }>,
  ): Promise<Response> {
    const found = await findAnswer(key, make)
    if (!isKept(found)) return new Response(found.body, found)
    const { pathname, search } = new URL(request.url)
    rememberAddress(pathname + search, key)
    return toResponse(found.packed, request.headers, staleSecondsOf(found))
  }

  function rememberAddress(address: string, key: string): void {
    if (address.length <= ADDRESS_MAX_LENGTH) addresses.set(address, key)
  }

  return {
    /** How many answers of the present content are kept, each in one form or both, and the weight of all. */
    size: () => {
      const present = [...answers.entries()].filter(([, kept]) => kept.generation === generation).map(([key]) => key)
      return {
        entries: new Set([...present, ...values.keys()]).size,
        bytes: answers.calculatedSize + values.calculatedSize,
      }
    },

    /** How many stale answers have been sent. */
    countStale: () => staleSent,

    clear: () => {
      generation++
      values.clear()
      making.clear()
    },

    /** The kept value under a key, or the one that `make` gives: frozen, because callers share it. */
    async value(key: string, make: () => Promise<unknown>): Promise<unknown> {
      return (freshValue(key) ?? (await keepValue(key, make))).value
    },

    /** Answers a request with the value under `key` as JSON, with the given headers. */
    respondWithValue(
      request: Request,
      key: string,
      make: () => Promise<unknown>,
      headers: Record<string, string>,
    ): Promise<Response> {
      return respondFrom(request, key, async () => {
        const kept = freshValue(key)
        const { madeAt, json } =
          kept === undefined ? await keepValue(key, make) : { ...kept, json: JSON.stringify(kept.value) }
        return {
          whole: {
            status: 200,
            headers: new Headers({ 'Content-Type': 'application/json', ...headers }),
            body: Buffer.from(json),
          },
          madeAt,
        }
      })
    },

    /** Answers a request with the kept or freshly rendered answer under `key`. */
    respond(request: Request, key: string, render: () => Promise<WholeAnswer>): Promise<Response> {
      return respondFrom(request, key, async () => ({ whole: await render(), madeAt: options.now() }))
    },

    /**
     * Answers a GET or HEAD straight from memory, before any router. `keyOf` reads the key from a path with its search
     * parameters; undefined for an address that has none.
     *
     * @returns whether it did
     */
    serve(req: IncomingMessage, res: ServerResponse, keyOf: (address: string) => string | undefined): boolean {
      if ((req.method !== 'GET' && req.method !== 'HEAD') || req.url === undefined) return false
      const known = addresses.get(req.url)
      const key = known ?? keyOf(req.url)
      const kept = key === undefined ? undefined : answers.get(key)
      if (key === undefined || kept === undefined || !(isFresh(kept) || isToBeSentStale(kept))) return false
      if (known === undefined) rememberAddress(req.url, key)
      sendPacked(kept.packed, req, res, staleSecondsOf(kept))
      return true
    },
  }
}

/** The new answer, or after a second the old one. An answer that arrives later is cached for the next request. */
async function withPatience<Answer>(made: Promise<Answer>, old: Answer): Promise<Answer> {
  const { promise: patience, resolve } = Promise.withResolvers<Answer>()
  const timer = setTimeout(() => resolve(old), PATIENCE_MS)
  try {
    return await Promise.race([made, patience])
  } finally {
    clearTimeout(timer)
    made.catch(() => {})
  }
}

/**
 * Knows whether the database is away: from what failed to the first probe that is answered. There is no timer; requests
 * start the probes.
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
    /** Runs `work` and notes a failure that means that the database is away. */
    async watch<Result>(work: () => Promise<Result>): Promise<Result> {
      try {
        return await work()
      } catch (error) {
        if (isDatabaseAway(error)) isGone = true
        throw error
      }
    },
    isAway(): boolean {
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
