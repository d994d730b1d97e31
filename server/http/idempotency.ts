import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Endpoint } from '#contract/endpoint.ts'
import { IDEMPOTENCY_KEY_MS } from '#contract/limits.ts'
import { SHOP } from '#contract/shop-messages.ts'
import { deleteOld } from '../db/delete-old.ts'
import { isRolledBack, isUniqueViolation } from '../db/errors.ts'
import type { Db } from '../db/open.ts'
import type { Deps } from '../deps.ts'
import { Refusal, ruleBroken } from '../errors.ts'
import type { Session } from './session.ts'

/**
 * A call that may be sent again under the same key. `owner` is the number of the caller's account as text, or
 * `guest:…`; keys of different owners are different keys. `key` is null when the caller sent none. `content` tells the
 * endpoint and its input, because a key must not be used for something else.
 */
export type OnceRequest = { owner: string; key: string | null; content: string }

/** The request of a caller who sent no key. */
export const NO_KEY: OnceRequest = { owner: '', key: null, content: '' }

const KEY_RULE = 'Idempotency-Key must have 1 to 200 characters.'

/**
 * What a caller asks for under an Idempotency-Key. Guests are told apart by the field that the endpoint declares.
 *
 * @throws Refusal 422 for a key that is empty or too long
 */
export async function createOnceRequest(
  endpoint: Endpoint,
  input: Record<string, unknown>,
  session: Session | null,
  key: string | undefined,
): Promise<OnceRequest> {
  if (!endpoint.idempotent || key === undefined) return NO_KEY
  if (key.length < 1 || key.length > 200) throw new Refusal(422, 'idempotency-key', KEY_RULE)
  const { guestBy = '' } = endpoint
  const guest = String(input[guestBy] ?? '').toLowerCase()
  // The field that distinguishes guests is part of the owner.
  const given = Object.entries(input).filter(([name, value]) => name !== guestBy && value !== undefined)
  const fields = await Promise.all(given.map(async ([name, value]) => [name, await toComparable(value)]))
  return {
    owner: session === null ? `guest:${digest(guest)}` : String(session.userNum),
    key,
    content: digest(JSON.stringify([endpoint.path, fields])),
  }
}

/** A value whose JSON differs where the value does; a file is told by its bytes. */
async function toComparable(value: unknown): Promise<unknown> {
  if (Array.isArray(value)) return Promise.all(value.map(toComparable))
  return value instanceof File ? digestFile(value) : value
}

/** Piece by piece: a file may be large, and only this needs all of it before its turn. */
async function digestFile(file: File): Promise<string> {
  const hash = createHash('sha256')
  for await (const piece of file.stream()) hash.update(piece)
  return hash.digest('base64url')
}

const digest = (bytes: string) => createHash('sha256').update(bytes).digest('base64url')

/** What a call answers: the body of its success, or the code of its refusal. */
export type Outcome<Answer> = { answer: Answer } | { refused: string }

type IdempotencyDeps = Pick<Deps, 'db' | 'now'>

/**
 * Runs `work` once for each key (DECISIONS §3 retries).
 *
 * `work` inserts its outcome into `idempotency_keys` in its own transaction, as the purchase statements and
 * `inOneTransaction` do. If another call with the same key was first, the insert breaks the primary key, which undoes
 * everything this call did, and the first outcome is returned. A first call that is still running holds its key, so the
 * insert waits for it. A transaction that the database rolled back because of others is run again, with or without a key.
 *
 * @returns the outcome of the first call; a refusal is remembered like a success
 * @throws Refusal 422 for a key that was used for something else; anything that `work` throws, with nothing remembered
 */
export async function runOnce<Answer>(
  deps: IdempotencyDeps,
  request: OnceRequest,
  work: () => Promise<Outcome<Answer>>,
): Promise<Outcome<Answer>> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (isRolledBack(error) && attempt < 2) continue
      if (request.key !== null && error instanceof Refusal && error.id === 'maintenance') {
        // What was done before the maintenance is still answered.
        const before = await findOutcome<Answer>(deps.db, request, deps.now())
        if (before !== undefined) return before
      }
      if (request.key === null || !isUniqueViolation(error, 'idempotency_keys_pkey') || attempt === 2) throw error
      const first = await findOutcome<Answer>(deps.db, request, deps.now())
      if (first !== undefined) return first
    }
  }
}

/**
 * Runs work written in TypeScript in one transaction, which also remembers its outcome. To be called within `runOnce`.
 *
 * Calls with the same key run one after another: each takes a lock of its key and then looks for the outcome of the one
 * before. So a retry gets the first outcome even when the work itself would now throw, for example because of a limit.
 *
 * @param finish turns what is remembered into the answer, in the same transaction, the first time and for each retry: for
 *   answers that contain a secret, which is not stored, or that tell how things are now
 * @throws Refusal 422 for a key that was used for something else; anything that `work` throws, with nothing remembered
 */
export function inOneTransaction<Remembered, Answer = Remembered>(
  { db, now }: IdempotencyDeps,
  request: OnceRequest,
  work: (tx: Db) => Promise<Outcome<Remembered>>,
  finish: (tx: Db, remembered: Remembered) => Promise<Answer> = async (_tx, remembered) =>
    remembered as unknown as Answer,
): Promise<Outcome<Answer>> {
  return db.transaction().execute(async (tx) => {
    const outcome = await rememberOutcome(tx, request, now(), work)
    return 'refused' in outcome ? outcome : { answer: await finish(tx, outcome.answer) }
  })
}

/**
 * Runs work whose answer holds a secret, in one transaction. Of the answer only `id` is remembered, so a retry under the
 * same key cannot be given it again (DECISIONS §5). To be called within `runOnce`.
 *
 * @throws Refusal 409 with the `id` for a retry; anything that `work` throws, with nothing remembered
 */
export async function inOneTransactionShownOnce<Answer extends { id: number }>(
  deps: IdempotencyDeps,
  request: OnceRequest,
  work: (tx: Db) => Promise<Answer>,
): Promise<{ answer: Answer }> {
  let fresh: Answer | undefined
  const outcome = await inOneTransaction<{ id: number }>(deps, request, async (tx) => {
    fresh = await work(tx)
    return { answer: { id: fresh.id } }
  })
  if (fresh !== undefined) return { answer: fresh }
  throw refuseShownOnce('answer' in outcome ? outcome.answer : {})
}

/** The refusal of a retry whose answer is shown only once; `remembered` is the field that names what was made. */
export const refuseShownOnce = (remembered: Record<string, unknown>) =>
  new Refusal(409, 'shown-once', 'This has already been done, and its answer is shown only once.', {
    extra: remembered,
  })

async function rememberOutcome<Remembered>(
  tx: Db,
  request: OnceRequest,
  now: Date,
  work: (tx: Db) => Promise<Outcome<Remembered>>,
): Promise<Outcome<Remembered>> {
  const { owner, key, content } = request
  if (key === null) return work(tx)
  await sql`select pg_advisory_xact_lock(hashtextextended(${owner} || ' ' || ${key}, 0))`.execute(tx)
  const first = await findOutcome<Remembered>(tx, request, now)
  if (first !== undefined) return first
  const outcome = await work(tx)
  const [refused, answer] = 'refused' in outcome ? [outcome.refused, null] : [null, JSON.stringify(outcome.answer)]
  await tx.insertInto('idempotency_keys').values({ owner, key, content, refused, answer, created_at: now }).execute()
  return outcome
}

/** Removes keys that are too old to be asked for again. */
export async function sweepIdempotencyKeys(db: Db, now: Date, signal?: AbortSignal): Promise<void> {
  const before = new Date(now.getTime() - IDEMPOTENCY_KEY_MS)
  await deleteOld(db, { table: 'idempotency_keys', column: 'created_at', before }, signal)
}

/** The first outcome under a key. One older than 24 hours is deleted, so that the call can run again. */
async function findOutcome<Answer>(
  db: Db,
  { owner, key, content }: OnceRequest,
  now: Date,
): Promise<Outcome<Answer> | undefined> {
  const known = await db
    .selectFrom('idempotency_keys')
    .where('owner', '=', owner)
    .where('key', '=', key)
    .select(['content', 'refused', 'answer', 'created_at'])
    .executeTakeFirst()
  if (known === undefined) return undefined
  if (now.getTime() - known.created_at.getTime() > IDEMPOTENCY_KEY_MS) {
    await db
      .deleteFrom('idempotency_keys')
      .where('owner', '=', owner)
      .where('key', '=', key)
      .where('created_at', '=', known.created_at)
      .execute()
    return undefined
  }
  if (known.content !== content) throw ruleBroken(SHOP.keyReused)
  return known.refused === null ? { answer: known.answer as Answer } : { refused: known.refused }
}
