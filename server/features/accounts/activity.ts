import { ACCOUNT } from '#contract/account-messages.ts'
import { SESSION_IDLE_MS } from '#contract/limits.ts'
import type { Deps } from '#server/deps.ts'
import type { Caller } from '#server/http/caller.ts'
import type { Session } from '#server/http/session.ts'
import { recordEvent } from './events.ts'
import { endSessions } from './queries.ts'

const EVENTS_SHOWN = 50

/** Ends this session. */
export async function logOut({ db }: Deps, session: Session): Promise<string> {
  await db.deleteFrom('sessions').where('session_id', '=', session.sessionId).execute()
  return ACCOUNT.loggedOut
}

/** Where the account is logged in, last seen first. */
export async function listSessions({ db, now }: Deps, session: Session) {
  const rows = await db
    .selectFrom('sessions')
    .where('user_num', '=', session.userNum)
    .where('ends_at', '>', now())
    .where('last_seen_at', '>', new Date(now().getTime() - SESSION_IDLE_MS))
    .select(['session_id', 'device', 'address', 'last_seen_at'])
    .orderBy('last_seen_at', 'desc')
    .orderBy('session_id', 'desc')
    .execute()
  return rows.map((row) => ({
    id: row.session_id,
    device: row.device,
    address: row.address,
    last_seen_at: row.last_seen_at.toISOString(),
    current: row.session_id === session.sessionId,
  }))
}

/** Logs out every device but this one. */
export async function logOutOthers({ db, now }: Deps, session: Session, caller: Caller): Promise<string> {
  await db.transaction().execute(async (tx) => {
    await endSessions(tx, session.userNum, session.sessionId)
    await recordEvent(tx, { userNum: session.userNum, kind: 'others-logged-out', caller, now: now() })
  })
  return ACCOUNT.othersEnded
}

/** What happened to the account, newest first. */
export async function listEvents({ db }: Deps, session: Session) {
  const rows = await db
    .selectFrom('account_events')
    .where('user_num', '=', session.userNum)
    .select(['event', 'kind', 'address', 'device', 'note', 'created_at'])
    .orderBy('event', 'desc')
    .limit(EVENTS_SHOWN)
    .execute()
  return rows.map(({ event, created_at, ...row }) => ({ ...row, id: event, created_at: created_at.toISOString() }))
}
