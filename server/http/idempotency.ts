import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Endpoint } from '#contract/endpoint.ts'
import { IDEMPOTENCY_KEY_RETENTION_MS } from '#contract/limits.ts'
import { SHOP_TEXTS } from '#contract/shop.ts'
import type { Db } from '../db/open.ts'
import { createRuleBroken, Refusal, refuseByCode } from '../errors.ts'
import type { Session } from './session.ts'

/**
 * A call that can be repeated with the same key. `owner` is the number of the caller's account as text, or `guest:…`; each
 * owner has separate keys. `key` is null if the caller sent none. `content` identifies the endpoint and its input, because a
 * key must not be reused for another request.
 */
export type OnceRequest = { owner: string; key: string | null; content: string }

/** The request of a caller without a key. */
export const NO_KEY: OnceRequest = { owner: '', key: null, content: '' }

const KEY_RULE = 'Idempotency-Key must have 1 to 200 characters.'

/**
 * Describes a request with an Idempotency-Key. Guests are distinguished by the field that the endpoint declares.
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
  const presentFields = Object.entries(input).filter(([name, value]) => name !== guestBy && value !== undefined)
  const fields = await Promise.all(presentFields.map(async ([name, value]) => [name, await toComparable(value)]))
  return {
    owner: session === null ? `guest:${hashText(guest)}` : String(session.userNum),
    key,
    content: hashText(JSON.stringify([endpoint.path, fields])),
  }
}

/** Converts a value for comparison as JSON. A file is represented by a hash of its bytes. */
async function toComparable(value: unknown): Promise<unknown> {
  if (Array.isArray(value)) return Promise.all(value.map(toComparable))
  return value instanceof File ? hashFile(value) : value
}

/** Hashes a file in pieces, because it can be large and the call may still wait in its queue. */
async function hashFile(file: File): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of file.stream()) hash.update(chunk)
  return hash.digest('base64url')
}

const hashText = (bytes: string) => createHash('sha256').update(bytes).digest('base64url')

/**
 * Runs the work of a call in its transaction, once for each key, and stores the outcome. Calls with the same key run one
 * after another: each locks the key and checks for the outcome of the previous one.
 *
 * @returns the outcome of the first call with the key: the stored part of its response, or its refusal
 * @throws Refusal 422 for a key that was used for another request; errors of `work` that are not stored
 */
export async function runOnce(
  tx: Db,
  endpoint: Endpoint,
  { owner, key, content }: OnceRequest,
  { work, now }: { work: () => Promise<unknown>; now: Date },
): Promise<unknown> {
  if (key === null) return work()
  await sql`select pg_advisory_xact_lock(hashtextextended(${owner} || ' ' || ${key}, 0))`.execute(tx)
  const storedOutcome = await findOutcome(tx, endpoint, { owner, key, content }, now)
  if (storedOutcome !== undefined) return storedOutcome
  await sql`savepoint before_work`.execute(tx)
  const outcome = await work().catch(async (error: unknown) => {
    if (!isStorableRefusal(endpoint, error)) throw error
    await sql`rollback to savepoint before_work`.execute(tx)
    return error
  })
  const [refusalId, answer] = outcome instanceof Refusal ? [outcome.id, null] : [null, toStored(endpoint, outcome)]
  await tx
    .insertInto('idempotency_keys')
    .values({ owner, key, content, refused: refusalId, answer, created_at: now })
    .execute()
  return outcome
}

/** Returns whether an error is a declared refusal of the endpoint that is not temporary. */
function isStorableRefusal(endpoint: Endpoint, error: unknown): error is Refusal {
  if (!(error instanceof Refusal) || error.status >= 429 || error.declaration === undefined) return false
  return Object.values(endpoint.errors ?? {}).includes(error.declaration)
}

/**
 * Returns the part of a response to store as JSON: all of it, or, if it is shown only once, the field with the id of
 * the created object.
 */
const toStored = ({ shownOnce }: Endpoint, answer: unknown) =>
  JSON.stringify(shownOnce === undefined ? answer : { [shownOnce]: (answer as Record<string, unknown>)[shownOnce] })

/**
 * Returns the stored refusal or response of a retry; undefined for a first call. An outcome older than 24 hours is
 * deleted, and the call can run again.
 *
 * @throws Refusal 422 for a key that was used for another request
 */
export async function findOutcome(
  db: Db,
  endpoint: Endpoint,
  { owner, key, content }: OnceRequest,
  now: Date,
): Promise<unknown> {
  const storedRow = await db
    .selectFrom('idempotency_keys')
    .where('owner', '=', owner)
    .where('key', '=', key)
    .select(['content', 'refused', 'answer', 'created_at'])
    .executeTakeFirst()
  if (storedRow === undefined) return undefined
  if (now.getTime() - storedRow.created_at.getTime() > IDEMPOTENCY_KEY_RETENTION_MS) {
    await db
      .deleteFrom('idempotency_keys')
      .where('owner', '=', owner)
      .where('key', '=', key)
      .where('created_at', '=', storedRow.created_at)
      .execute()
    return undefined
  }
  if (storedRow.content !== content) throw createRuleBroken(SHOP_TEXTS.keyReused)
  if (storedRow.refused !== null) return refuseByCode(endpoint, storedRow.refused)
  return endpoint.shownOnce === undefined
    ? storedRow.answer
    : createShownOnceRefusal(storedRow.answer as Record<string, unknown>)
}

const createShownOnceRefusal = (idField: Record<string, unknown>) =>
  new Refusal(409, 'shown-once', 'This has already been done, and its answer is shown only once.', {
    extra: idField,
  })
