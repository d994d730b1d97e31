import type { Context, MiddlewareHandler } from 'hono'
import { SESSION_IDLE_MS } from '#contract/limits.ts'
import { LOGIN_ANSWERS } from '#contract/messages.ts'
import type { Db } from '../db/open.ts'
import type { Deps } from '../deps.ts'
import { Refusal } from '../errors.ts'
import { hashToken } from './tokens.ts'

export type Session = {
  sessionId: number
  userNum: number
  userId: string
  userType: number
  secretAnswerUntil: Date | null
}

/** What routes behind `requireSession` find in their context. */
export type WithSession = { Variables: { session: Session } }

/** `last_seen_at` is written at most this often, so that reading stays reading. */
const SEEN_EVERY_MS = 60_000

/**
 * Lets only a live token pass: not idle for 12 h, not older than 30 days, its account not
 * blocked. @throws Refusal 401
 */
export function requireSession({ db, now }: Pick<Deps, 'db' | 'now'>): MiddlewareHandler<WithSession> {
  return async (c, next) => {
    const token = /^Bearer (\S{20,200})$/.exec(c.req.header('Authorization') ?? '')?.[1]
    const session = token === undefined ? undefined : await findSession(db, token, now())
    if (session === undefined) throw new Refusal(401, 'no-session', LOGIN_ANSWERS.noToken)
    c.set('session', session)
    c.header('Cache-Control', 'no-store')
    await next()
  }
}

/** The live session of a token; marks it as seen now and then. */
async function findSession(db: Db, token: string, now: Date): Promise<Session | undefined> {
  const row = await db
    .selectFrom('sessions as s')
    .innerJoin('accounts as a', 'a.user_num', 's.user_num')
    .where('s.token_hash', '=', hashToken(token))
    .where('s.ends_at', '>', now)
    .where('s.last_seen_at', '>', new Date(now.getTime() - SESSION_IDLE_MS))
    .where('a.blocked_at', 'is', null)
    .select(['s.session_id', 's.user_num', 's.last_seen_at', 's.secret_answer_until', 'a.user_id', 'a.user_type'])
    .executeTakeFirst()
  if (row === undefined) return undefined
  if (now.getTime() - row.last_seen_at.getTime() > SEEN_EVERY_MS) {
    await db.updateTable('sessions').set({ last_seen_at: now }).where('session_id', '=', row.session_id).execute()
  }
  return {
    sessionId: row.session_id,
    userNum: row.user_num,
    userId: row.user_id,
    userType: row.user_type,
    secretAnswerUntil: row.secret_answer_until,
  }
}

/**
 * Refuses a body or query that names somebody else: a UserNum, usernum or UserID that is not
 * the token's. Comes before every rule about the content. @throws Refusal 403
 */
export const requireOwnAccount: MiddlewareHandler<WithSession> = async (c, next) => {
  const { userNum, userId } = c.get('session')
  const named = { ...(await readBody(c)), ...c.req.query() }
  for (const [name, value] of Object.entries(named)) {
    const wrong =
      (/^usernum$/i.test(name) && Number(value) !== userNum) ||
      (name === 'UserID' && String(value).toLowerCase() !== userId.toLowerCase())
    if (wrong) throw new Refusal(403, 'not-yours', LOGIN_ANSWERS.notYours)
  }
  await next()
}

async function readBody(c: Context): Promise<Record<string, unknown>> {
  if (c.req.method === 'GET') return {}
  const body: unknown = await c.req.json().catch(() => null)
  return typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {}
}
