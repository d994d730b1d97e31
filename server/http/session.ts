import { LRUCache } from 'lru-cache'
import { FACTOR } from '#contract/factors.ts'
import { CONFIRMED_MS, SESSION_IDLE_MS } from '#contract/limits.ts'
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
  /** When the person of this session last proved who they are: with the login, or with `confirmidentity`. */
  confirmedAt: Date | null
  /** The hash of the token that the caller used: the session's, or one that it replaced. */
  tokenHash: string
}

/** `last_seen_at` is written at most this often: most calls that read do not write. */
const SEEN_EVERY_MS = 60_000

const selectSession = loadStatement<
  { token_hash: string; now: Date; idle_since: Date },
  Session & { lastSeenAt: Date }
>('find-session')

/** The number of verified tokens that this process remembers. */
const GOOD_TOKENS_MAX = 50_000
const goodTokens = new LRUCache<string, true>({ max: GOOD_TOKENS_MAX })

/**
 * The live session of an Authorization header: not idle for 12 h, not older than 30 days, its account neither blocked
 * nor waiting to be erased (SESSION-2). A token that this process has not seen good is looked up apart from purchases, so
 * a flood of made-up ones does not take their connections.
 *
 * @throws Refusal 401 without a live one
 */
export async function findSession(
  { db, browseDb, now }: Pick<Deps, 'db' | 'browseDb' | 'now'>,
  authorization: string | undefined,
): Promise<Session & { lastSeenAt: Date }> {
  const at = now()
  const token = /^Bearer +(\S{20,200})$/i.exec(authorization ?? '')?.[1]
  if (token === undefined) throw createSessionRefusal()
  const token_hash = hashToken(token)
  const [session] = await selectSession(goodTokens.has(token_hash) ? db : browseDb, {
    token_hash,
    now: at,
    idle_since: new Date(at.getTime() - SESSION_IDLE_MS),
  })
  if (session === undefined) {
    goodTokens.delete(token_hash)
    throw createSessionRefusal()
  }
  goodTokens.set(token_hash, true)
  return session
}

/** Updates a session's last use at intervals. A failed write does not fail the call. */
export async function markSeen(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  { sessionId, lastSeenAt }: { sessionId: number; lastSeenAt: Date },
): Promise<void> {
  const at = now()
  if (at.getTime() - lastSeenAt.getTime() <= SEEN_EVERY_MS) return
  const marking = db.updateTable('sessions').set({ last_seen_at: at }).where('session_id', '=', sessionId).execute()
  await marking.catch((error: unknown) => {
    if (!isDatabaseUnavailable(error)) throw error
  })
}

/** The refusal of a call that needs a live session. */
export const createSessionRefusal = () => new Refusal(401, 'no-session', LOGIN_ANSWERS.tokenMissing)

/** Returns the end of a session's confirmation; null when it has ended. */
export function confirmedUntil({ confirmedAt }: Pick<Session, 'confirmedAt'>, now: Date): Date | null {
  const until = new Date((confirmedAt?.getTime() ?? 0) + CONFIRMED_MS)
  return confirmedAt !== null && until >= now ? until : null
}

/** @throws Refusal 403 when the person of a session has not confirmed who they are within the last 15 minutes */
export function requireConfirmation(session: Pick<Session, 'confirmedAt'>, now: Date): void {
  if (confirmedUntil(session, now) !== null) return
  throw new Refusal(403, 'sudo', FACTOR.confirmFirst, { extra: { reason: 'sudo' } })
}

/**
 * Refuses input that names another account: a UserNum, usernum or UserID that is not the token's. Comes before every
 * rule about the content (CALL-8, CALL-9). @throws Refusal 403
 */
export function requireOwnAccount(session: Session, fields: Iterable<readonly [string, unknown]>): void {
  for (const [name, value] of fields) {
    if (isSomebodyElse(name, value, session)) throw new Refusal(403, 'not-yours', LOGIN_ANSWERS.notYours)
  }
}

/** Compares only values that can name an account; the schema refuses lists and objects. */
function isSomebodyElse(name: string, value: unknown, { userNum, userId }: Session): boolean {
  if (name === 'UserID') return typeof value === 'string' && value.toLowerCase() !== userId.toLowerCase()
  if (!/^usernum$/i.test(name)) return false
  return (typeof value === 'string' || typeof value === 'number') && Number(value) !== userNum
}
