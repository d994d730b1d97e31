import { sql } from 'kysely'
import type { ResetWork, reportAccounts } from '#contract/bridge-accounts.ts'
import { MINUTE_MS } from '#contract/durations.ts'
import type { CallAnswer, ValidInput } from '#contract/endpoint.ts'
import {
  freeStuckLogin,
  type getStuckLogin,
  OFFLINE_BEFORE_RESET_MS,
  STUCK_LOGIN_PAUSE_MS,
  STUCK_LOGIN_TEXTS,
  STUCK_LOGIN_WAIT_MS,
} from '#contract/stuck-login.ts'
import type { Db } from '#server/db/open.ts'
import type { Deps } from '#server/deps.ts'
import { refuse } from '#server/errors.ts'
import { recordEvent } from '#server/features/accounts/events.ts'
import { writeAudit } from '#server/http/audit.ts'
import type { Caller } from '#server/http/client-address.ts'

/** Stores whether a bridge has the right to write UserLoginState. */
export async function storeCanFreeLogins(db: Db, bridge: number, frees_logins: boolean): Promise<void> {
  await db
    .updateTable('bridges')
    .set({ frees_logins })
    .where('bridge', '=', bridge)
    .where('frees_logins', '<>', frees_logins)
    .execute()
}

/** Returns whether the active bridge has the right to write UserLoginState. */
export async function canFreeLogins(db: Db): Promise<boolean> {
  const bridge = await db
    .selectFrom('bridges')
    .innerJoin('bridge_lease', 'bridge_lease.bridge', 'bridges.bridge')
    .where('frees_logins', '=', true)
    .where('revoked_at', 'is', null)
    .select('bridges.bridge')
    .executeTakeFirst()
  return bridge !== undefined
}

/** Returns the last restart of the game server that an operator reported; null if none was. */
export async function selectLastRestart(db: Db) {
  const restart = await db
    .selectFrom('game_restarts')
    .select(['restarted_at', 'freed'])
    .orderBy('restart', 'desc')
    .limit(1)
    .executeTakeFirst()
  return restart ?? null
}

/** Returns the result of a player's last request; 'unavailable' if the bridge has not answered within a minute. */
export async function readStuckLogin(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  userNum: number,
): Promise<CallAnswer<typeof getStuckLogin>> {
  const nowMs = now().getTime()
  const link = await db.selectFrom('game_links').where('user_num', '=', userNum).select('user_num').executeTakeFirst()
  const lastRequest = await db
    .selectFrom('login_resets')
    .where('user_num', '=', userNum)
    .where('requested_at', '>', new Date(nowMs - STUCK_LOGIN_PAUSE_MS))
    .selectAll()
    .executeTakeFirst()
  const isOffered = link !== undefined && (await canFreeLogins(db))
  if (lastRequest === undefined) return { offered: isOffered, next_at: null, state: null }
  const requestedAt = lastRequest.requested_at.getTime()
  const openState = nowMs - requestedAt < STUCK_LOGIN_WAIT_MS ? ('waiting' as const) : ('unavailable' as const)
  return {
    offered: isOffered,
    next_at: new Date(requestedAt + STUCK_LOGIN_PAUSE_MS),
    state: lastRequest.outcome === '' ? openState : lastRequest.outcome,
  }
}

/**
 * Requests the reset of a player's login.
 *
 * @throws Refusal 409 if no bridge can reset logins, or within 15 minutes of the last request
 */
export async function requestReset(
  { db: tx, now }: Pick<Deps, 'db' | 'now'>,
  userNum: number,
  caller: Caller,
): Promise<string> {
  const at = now()
  if (!(await readStuckLogin({ db: tx, now }, userNum)).offered) throw refuse(freeStuckLogin, 'notOffered')
  const requestRow = await tx
    .insertInto('login_resets')
    .values({ user_num: userNum, requested_at: at })
    .onConflict((conflict) =>
      conflict
        .column('user_num')
        .doUpdateSet({ requested_at: at, outcome: '', answered_at: null })
        .where('login_resets.requested_at', '<=', new Date(at.getTime() - STUCK_LOGIN_PAUSE_MS)),
    )
    .returning('user_num')
    .executeTakeFirst()
  if (requestRow === undefined) throw refuse(freeStuckLogin, 'tooSoon')
  await recordEvent(tx, { userNum, kind: 'login-reset-requested', caller, now: at })
  return STUCK_LOGIN_TEXTS.requested
}

/**
 * Issues the requests of the last minute, and the restarts that operators reported. An account counts as offline if no
 * report of the last ten minutes contains it, and at most one of these minutes had no report.
 */
export async function issueResets(tx: Db, now: Date): Promise<ResetWork[]> {
  const offlineSince = new Date(now.getTime() - OFFLINE_BEFORE_RESET_MS)
  const { rows } = await sql<{ account: number; game_user_num: number; user_id: string; offline: boolean }>`
    select r.user_num as account, l.game_user_num, coalesce(nullif(g.game_user_id, ''), a.user_id) as user_id,
      (select count(*) from online_counts o where o.counted_at > ${offlineSince}) >= ${OFFLINE_BEFORE_RESET_MS / MINUTE_MS - 1}
      and not exists (select from play_days p where p.user_num = r.user_num and p.seen_at > ${offlineSince}) as offline
    from login_resets r
    join game_links l on l.user_num = r.user_num
    join accounts a on a.user_num = r.user_num
    left join game_accounts g on g.user_num = r.user_num
    where r.outcome = '' and r.requested_at > ${new Date(now.getTime() - STUCK_LOGIN_WAIT_MS)}
      and coalesce(g.problem, '') <> 'renamed'
    order by r.requested_at limit 50`.execute(tx)
  const restarts = await tx
    .selectFrom('game_restarts')
    .where('answered_at', 'is', null)
    .select(['restart', 'restarted_at'])
    .orderBy('restart')
    .limit(10)
    .execute()
  return [
    ...restarts.map(({ restart, restarted_at }) => ({
      kind: 'free-all' as const,
      restart,
      restarted_at: restarted_at.toISOString(),
    })),
    ...rows.map((row) => ({ kind: 'free' as const, ...row })),
  ]
}

type Report = ValidInput<typeof reportAccounts>

/** Stores the result of a request, once. Records a reset login in the account's history and in the audit log. */
export async function bookReset(tx: Db, { account, outcome }: Report['freed'][number], now: Date): Promise<void> {
  const answeredRow = await tx
    .updateTable('login_resets')
    .set({ outcome, answered_at: now })
    .where('user_num', '=', account)
    .where('outcome', '=', '')
    .returning('user_num')
    .executeTakeFirst()
  if (answeredRow === undefined || outcome !== 'reset') return
  await recordEvent(tx, { userNum: account, kind: 'login-reset', caller: { address: '', device: '' }, now })
  await writeAudit(tx, {
    at: now,
    actor: { kind: 'job', name: 'bridge' },
    action: 'stuck login freed',
    target: ['player', account],
    player: account,
    before: { UserLoginState: 1 },
    after: { UserLoginState: 0 },
  })
}

/** Stores the number of logins that were freed after a restart, once. */
export async function bookRestart(
  tx: Db,
  { restart, accounts }: Report['freed_all'][number],
  now: Date,
): Promise<void> {
  const answeredRow = await tx
    .updateTable('game_restarts')
    .set({ freed: accounts, answered_at: now })
    .where('restart', '=', restart)
    .where('answered_at', 'is', null)
    .returning('restart')
    .executeTakeFirst()
  if (answeredRow === undefined) return
  await writeAudit(tx, {
    at: now,
    actor: { kind: 'job', name: 'bridge' },
    action: 'stuck logins freed',
    target: ['game', `restart ${restart}`],
    after: { accounts },
  })
}
