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
export function requireSession(deps: Pick<Deps, 'db' | 'now'>): MiddlewareHandler<WithSession> {
  return async (c, next) => {
    const row = await authenticate(c, deps, (session) => session.executeTakeFirst())
    c.set('session', {
      sessionId: row.session_id,
      userNum: row.user_num,
      userId: row.user_id,
      userType: row.user_type,
      secretAnswerUntil: row.secret_answer_until,
    })
    await next()
  }
}

/** The statement that finds a token's live session; a caller may select more beside it. */
function selectLiveSession(db: Db, token: string, now: Date) {
  return db
    .selectFrom('sessions as s')
    .innerJoin('accounts as a', 'a.user_num', 's.user_num')
    .where('s.token_hash', '=', hashToken(token))
    .where('s.ends_at', '>', now)
    .where('s.last_seen_at', '>', new Date(now.getTime() - SESSION_IDLE_MS))
    .where('a.blocked_at', 'is', null)
    .select(['s.session_id', 's.user_num', 's.last_seen_at', 's.secret_answer_until', 'a.user_id', 'a.user_type'])
}

export type LiveSession = ReturnType<typeof selectLiveSession>

/**
 * The session of the request's token as `find` reads it, which may take along what else the
 * call needs in the same statement; marks it as seen now and then.
 *
 * @throws Refusal 401 without a live one
 */
export async function authenticate<Row extends { session_id: number; last_seen_at: Date }>(
  c: Context,
  { db, now }: Pick<Deps, 'db' | 'now'>,
  find: (session: LiveSession) => Promise<Row | undefined>,
): Promise<Row> {
  const at = now()
  const token = /^Bearer +(\S{20,200})$/i.exec(c.req.header('Authorization') ?? '')?.[1]
  const row = token === undefined ? undefined : await find(selectLiveSession(db, token, at))
  if (row === undefined) throw new Refusal(401, 'no-session', LOGIN_ANSWERS.noToken)
  c.header('Cache-Control', 'no-store')
  if (at.getTime() - row.last_seen_at.getTime() > SEEN_EVERY_MS) {
    await db.updateTable('sessions').set({ last_seen_at: at }).where('session_id', '=', row.session_id).execute()
  }
  return row
}

/**
 * Refuses a body or query that names somebody else: a UserNum, usernum or UserID that is not
 * the token's. Comes before every rule about the content. @throws Refusal 403
 */
export const requireOwnAccount: MiddlewareHandler<WithSession> = async (c, next) => {
  const named = [
    ...Object.entries(await readBody(c)),
    ...Object.entries(c.req.queries()).flatMap(([name, values]) => values.map((value) => [name, value] as const)),
  ]
  if (named.some(([name, value]) => isSomebodyElse(name, value, c.get('session')))) {
    throw new Refusal(403, 'not-yours', LOGIN_ANSWERS.notYours)
  }
  await next()
}

/** Only what can name an account does; lists and objects in its place are the schema's to refuse. */
function isSomebodyElse(name: string, value: unknown, { userNum, userId }: Session): boolean {
  if (name === 'UserID') return typeof value === 'string' && value.toLowerCase() !== userId.toLowerCase()
  if (!/^usernum$/i.test(name)) return false
  return (typeof value === 'string' || typeof value === 'number') && Number(value) !== userNum
}

async function readBody(c: Context): Promise<Record<string, unknown>> {
  if (c.req.method === 'GET') return {}
  const body: unknown = await c.req.json().catch(() => null)
  return typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {}
}
