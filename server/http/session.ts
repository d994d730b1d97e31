import { LRUCache } from 'lru-cache'
import { FACTOR_TEXTS } from '#contract/factors.ts'
import { CONFIRMATION_VALID_MS, SESSION_IDLE_MAX_MS } from '#contract/limits.ts'
import { LOGIN_ANSWERS } from '#contract/messages.ts'
import { isDatabaseUnavailable } from '../db/errors.ts'
import { loadStatement } from '../db/statements.ts'
import type { Deps } from '../deps.ts'
import { Refusal } from '../errors.ts'
import { hashToken } from './tokens.ts'

export type Session = {
  sessionId: number
  userNum: number
  userId: string
  userType: number
  secretAnswerUntil: Date | null
  /** The step that an imported player must complete first (`duringTakeOver`). */
  takeOverStep: 'details' | 'email' | null
  /** When the player last proved their identity, by the login or with `confirmidentity`. */
  confirmedAt: Date | null
  /** The hash of the token that the caller used: the session's token, or one that it replaced. */
  tokenHash: string
}

/** The shortest interval between two writes of `last_seen_at`, so most reading calls do not write. */
const LAST_USE_WRITE_INTERVAL_MS = 60_000

const selectSession = loadStatement<
  { token_hash: string; now: Date; idle_since: Date },
  Session & { lastSeenAt: Date }
>('find-session')

/** The number of verified tokens that this process remembers. */
const VERIFIED_TOKENS_MAX = 50_000
const verifiedTokens = new LRUCache<string, true>({ max: VERIFIED_TOKENS_MAX })

/**
 * Finds the session of an Authorization header. It was not idle for 12 h, is at most 30 days old, and its account is neither
 * blocked nor waiting to be erased (SESSION-2). A token that this process has not verified before is searched with the
 * connections for browsing, so a flood of made-up tokens does not delay purchases.
 *
 * @throws Refusal 401 without such a session
 */
export async function findSession(
  { db, browseDb, now }: Pick<Deps, 'db' | 'browseDb' | 'now'>,
  authorization: string | undefined,
): Promise<Session & { lastSeenAt: Date }> {
  const time = now()
  const token = /^Bearer +(\S{20,200})$/i.exec(authorization ?? '')?.[1]
  if (token === undefined) throw createSessionRefusal()
  const token_hash = hashToken(token)
  const [session] = await selectSession(verifiedTokens.has(token_hash) ? db : browseDb, {
    token_hash,
    now: time,
    idle_since: new Date(time.getTime() - SESSION_IDLE_MAX_MS),
  })
  if (session === undefined) {
    verifiedTokens.delete(token_hash)
    throw createSessionRefusal()
  }
  verifiedTokens.set(token_hash, true)
  return session
}

/** Updates the last use of a session at intervals. The call succeeds even if this fails. */
export async function recordLastUse(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  { sessionId, lastSeenAt }: { sessionId: number; lastSeenAt: Date },
): Promise<void> {
  const time = now()
  if (time.getTime() - lastSeenAt.getTime() <= LAST_USE_WRITE_INTERVAL_MS) return
  const update = db.updateTable('sessions').set({ last_seen_at: time }).where('session_id', '=', sessionId).execute()
  await update.catch((error: unknown) => {
    if (!isDatabaseUnavailable(error)) throw error
  })
}

/** Creates the refusal of a call without a required session. */
export const createSessionRefusal = () => new Refusal(401, 'no-session', LOGIN_ANSWERS.tokenMissing)

/** Returns when a session's confirmation ends; null if it has ended. */
export function getConfirmationEnd({ confirmedAt }: Pick<Session, 'confirmedAt'>, now: Date): Date | null {
  const confirmationEnd = new Date((confirmedAt?.getTime() ?? 0) + CONFIRMATION_VALID_MS)
  return confirmedAt !== null && confirmationEnd >= now ? confirmationEnd : null
}

/** Requires a confirmation of the player's identity within the last 15 minutes. @throws Refusal 403 without one */
export function requireConfirmation(session: Pick<Session, 'confirmedAt'>, now: Date): void {
  if (getConfirmationEnd(session, now) !== null) return
  throw new Refusal(403, 'sudo', FACTOR_TEXTS.confirmFirst, { extra: { reason: 'sudo' } })
}

/**
 * Refuses input that names another account in UserNum, usernum or UserID. Runs before every rule about the content (CALL-8,
 * CALL-9). @throws Refusal 403
 */
export function requireOwnAccount(session: Session, fields: Iterable<readonly [string, unknown]>): void {
  for (const [name, value] of fields) {
    if (namesOtherAccount(name, value, session)) throw new Refusal(403, 'not-yours', LOGIN_ANSWERS.notYours)
  }
}

/** Returns whether a field names another account. It ignores lists and objects, which the schema refuses. */
function namesOtherAccount(name: string, value: unknown, { userNum, userId }: Session): boolean {
  if (name === 'UserID') return typeof value === 'string' && value.toLowerCase() !== userId.toLowerCase()
  if (!/^usernum$/i.test(name)) return false
  return (typeof value === 'string' || typeof value === 'number') && Number(value) !== userNum
}
