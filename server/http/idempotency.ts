import { sql } from 'kysely'
import { IDEMPOTENCY_KEY_MS } from '#contract/limits.ts'
import { SHOP } from '#contract/shop-messages.ts'
import { isUniqueViolation } from '../db/errors.ts'
import type { Db } from '../db/open.ts'
import type { Deps } from '../deps.ts'
import { ruleBroken } from '../errors.ts'

/**
 * A call that may be sent again under the same key. `owner` is the number of the caller's account as text, or
 * `guest:…`; keys of different owners are different keys. `key` is null when the caller sent none. `content` tells the
 * endpoint and its input, because a key must not be used for something else.
 */
export type OnceRequest = { owner: string; key: string | null; content: string }

/** What a call answers: the body of its success, or the code of its refusal. */
export type Outcome<Answer> = { answer: Answer } | { refused: string }

type IdempotencyDeps = Pick<Deps, 'db' | 'now'>

/**
 * Runs `work` once for each key (DECISIONS §3 retries).
 *
 * `work` inserts its outcome into `idempotency_keys` in its own transaction, as the purchase statements and
 * `inOneTransaction` do. If another call with the same key was first, the insert breaks the primary key, which undoes
 * everything this call did, and the first outcome is returned. A first call that is still running holds its key, so the
 * insert waits for it.
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
export async function sweepIdempotencyKeys(db: Db, now: Date): Promise<void> {
  await db
    .deleteFrom('idempotency_keys')
    .where('created_at', '<', new Date(now.getTime() - IDEMPOTENCY_KEY_MS))
    .execute()
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
