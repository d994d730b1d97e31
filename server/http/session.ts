import type { Context, MiddlewareHandler } from 'hono'
import { type RawBuilder, sql } from 'kysely'
import { LOGIN_ANSWERS } from '#contract/account-messages.ts'
import { SESSION_IDLE_MS } from '#contract/limits.ts'
import type { Db } from '../db/open.ts'
import { prepare } from '../db/prepared.ts'
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
    c.set('session', await authenticate(c, deps, SESSION))
    await next()
  }
}

/** What routes behind `allowSession` find in their context; null is a guest. */
export type WithVisitor = { Variables: { session: Session | null } }

/** Lets guests pass, and live tokens; a dead one is refused, not taken for a guest. @throws Refusal 401 */
export function allowSession(deps: Pick<Deps, 'db' | 'now'>): MiddlewareHandler<WithVisitor> {
  return async (c, next) => {
    const isGuest = c.req.header('Authorization') === undefined
    c.set('session', isGuest ? null : await authenticate(c, deps, SESSION))
    await next()
  }
}

type LiveSession = Session & { lastSeenAt: Date }

const TOKEN_HASH = Symbol('token hash')
const NOW = Symbol('now')
const IDLE_SINCE = Symbol('idle since')

/**
 * The statement that finds a live session. `more` are columns that a call needs of the session
 * `s` or its account `a` in the same round trip. Prepared, because it runs with every call of a
 * player: building and planning it would cost more than running it.
 */
export function prepareSession<More = unknown>(name: string, more: RawBuilder<unknown> = sql``) {
  return prepare(
    name,
    sql<LiveSession & More>`
      select s.session_id as "sessionId", s.user_num as "userNum", s.last_seen_at as "lastSeenAt",
        s.secret_answer_until as "secretAnswerUntil", a.user_id as "userId", a.user_type as "userType" ${more}
      from sessions s join accounts a on a.user_num = s.user_num
      where s.token_hash = ${TOKEN_HASH} and s.ends_at > ${NOW} and s.last_seen_at > ${IDLE_SINCE}
        and a.blocked_at is null`,
  )
}

const SESSION = prepareSession('session')

/**
 * The live session of the request's token; marks it as seen now and then.
 *
 * @param statement made by `prepareSession`, with the values of its further slots
 * @throws Refusal 401 without a live one
 */
export async function authenticate<Row extends LiveSession = LiveSession>(
  c: Context,
  { db, now }: Pick<Deps, 'db' | 'now'>,
  statement: (db: Db, values: Record<symbol, unknown>) => Promise<Row[]>,
  values: Record<symbol, unknown> = {},
): Promise<Row> {
  const at = now()
  const token = /^Bearer +(\S{20,200})$/i.exec(c.req.header('Authorization') ?? '')?.[1]
  if (token === undefined) throw noSession()
  const [session] = await statement(db, {
    ...values,
    [TOKEN_HASH]: hashToken(token),
    [NOW]: at,
    [IDLE_SINCE]: new Date(at.getTime() - SESSION_IDLE_MS),
  })
  if (session === undefined) throw noSession()
  c.header('Cache-Control', 'no-store')
  if (at.getTime() - session.lastSeenAt.getTime() > SEEN_EVERY_MS) {
    await db.updateTable('sessions').set({ last_seen_at: at }).where('session_id', '=', session.sessionId).execute()
  }
  return session
}

const noSession = () => new Refusal(401, 'no-session', LOGIN_ANSWERS.noToken)

/**
 * Refuses a body or query that names somebody else: a UserNum, usernum or UserID that is not
 * the token's. Comes before every rule about the content. @throws Refusal 403
 */
export const requireOwnAccount: MiddlewareHandler<WithSession> = async (c, next) => {
  await refuseSomebodyElse(c, c.get('session'))
  await next()
}

/** The same of a visitor; whom a guest names does not matter. @throws Refusal 403 */
export const requireOwnAccountIfAny: MiddlewareHandler<WithVisitor> = async (c, next) => {
  const session = c.get('session')
  if (session !== null) await refuseSomebodyElse(c, session)
  await next()
}

async function refuseSomebodyElse(c: Context, session: Session): Promise<void> {
  const named = [
    ...(await readFields(c)),
    ...Object.entries(c.req.queries()).flatMap(([name, values]) => values.map((value) => [name, value] as const)),
  ]
  if (named.some(([name, value]) => isSomebodyElse(name, value, session))) {
    throw new Refusal(403, 'not-yours', LOGIN_ANSWERS.notYours)
  }
}

/** Only what can name an account does; lists and objects in its place are the schema's to refuse. */
function isSomebodyElse(name: string, value: unknown, { userNum, userId }: Session): boolean {
  if (name === 'UserID') return typeof value === 'string' && value.toLowerCase() !== userId.toLowerCase()
  if (!/^usernum$/i.test(name)) return false
  return (typeof value === 'string' || typeof value === 'number') && Number(value) !== userNum
}

async function readFields(c: Context): Promise<(readonly [string, unknown])[]> {
  if (c.req.method === 'GET') return []
  if (c.req.bodyCache.formData !== undefined) return [...(await c.req.formData())]
  if ((await c.req.text()) === '') return []
  const body: unknown = await c.req.json().catch(() => null)
  return typeof body === 'object' && body !== null ? Object.entries(body) : []
}
