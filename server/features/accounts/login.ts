import type { User } from '#contract/accounts.ts'
import { ADMIN_USER_TYPE, LOGIN_FAILURES_MAX, SESSION_MAX_MS } from '#contract/limits.ts'
import { LOGIN_ANSWERS } from '#contract/messages.ts'
import type { Deps } from '#server/deps.ts'
import { tooMany } from '#server/errors.ts'
import { countAttempt, forgetAttempts, takeBackAttempt } from '#server/http/attempts.ts'
import { createToken, hashToken } from '#server/http/tokens.ts'
import { verifyPassword } from './passwords.ts'
import {
  type Account,
  type Caller,
  loginFailuresKey,
  recordEvent,
  recordFailedLogin,
  selectAccount,
  selectAccountById,
  selectSettings,
  selectUser,
} from './queries.ts'
import { resendVerification } from './verification.ts'

export type LoginAnswer = { user: User | null; token: string | null; message: string; status: number }

/** Logins one address may try in 15 minutes; a café shares one address. */
const LOGINS_PER_ADDRESS = 300

const refuse = (status: number, message: string): LoginAnswer => ({ user: null, token: null, message, status })

/**
 * Logs in (SPEC §4, DECISIONS §3 processlogin). Every failure is an answer, not an error:
 * status 2 wrong ID or password (one text, one time for both), 3 blocked, 4 locked after ten
 * failures in 15 minutes for one ID (known or not), 5 e-mail not verified, 6 maintenance.
 *
 * @throws Refusal 429 for an address that tries too often, 503 when too many log in at once
 */
export async function logIn(
  deps: Deps,
  credentials: { userId: string; password: string },
  caller: Caller,
): Promise<LoginAnswer> {
  const { db, now, config } = deps
  const userId = credentials.userId.trim()
  const failures = loginFailuresKey(userId)
  if (config.rateLimit) {
    const byAddress = await countAttempt(db, { key: `login-from:${caller.address}`, now: now() })
    if (byAddress.count > LOGINS_PER_ADDRESS) throw tooMany(byAddress.retryAfterSeconds)
    // Counted before the password is looked at, so that tries at the same moment all count.
    if ((await countAttempt(db, { key: failures, now: now() })).count > LOGIN_FAILURES_MAX) {
      return refuse(4, LOGIN_ANSWERS.locked)
    }
  }
  const account = await selectAccountById(db, userId)
  const right = await verifyPassword(account?.password_hash, credentials.password).catch(async (error) => {
    // Nobody looked at the password: a flood must not lock out whoever tries again and again.
    await takeBackAttempt(db, failures)
    throw error
  })
  if (!right || account === undefined) {
    await recordFailedLogin(db, { userId, caller, now: now() })
    return refuse(2, LOGIN_ANSWERS.wrong)
  }
  if (config.rateLimit) await forgetAttempts(db, failures)
  return (await refusalOf(deps, account)) ?? openSession(deps, account, caller)
}

async function refusalOf(deps: Deps, account: Account): Promise<LoginAnswer | null> {
  if (account.blocked_at !== null) return refuse(3, LOGIN_ANSWERS.blocked)
  if (account.user_type >= ADMIN_USER_TYPE) return null
  const settings = await selectSettings(deps.db)
  if (settings.require_verified_email && account.email_verified_at === null) {
    await resendVerification(deps, account.user_num)
    return refuse(5, LOGIN_ANSWERS.unverified)
  }
  return settings.maintenance ? refuse(6, LOGIN_ANSWERS.maintenance) : null
}

async function openSession({ db, now }: Deps, account: Account, caller: Caller): Promise<LoginAnswer> {
  const token = createToken()
  const at = now()
  const opened = await db.transaction().execute(async (tx) => {
    // A password changed since it was looked at has ended every session; this one must not slip in after.
    const { password_hash, blocked_at } = await selectAccount(tx, account.user_num, 'for share')
    if (password_hash !== account.password_hash || blocked_at !== null) return false
    await tx
      .insertInto('sessions')
      .values({
        token_hash: hashToken(token),
        user_num: account.user_num,
        address: caller.address,
        device: caller.device,
        created_at: at,
        last_seen_at: at,
        ends_at: new Date(at.getTime() + SESSION_MAX_MS),
        secret_answer_until: null,
      })
      .execute()
    await recordEvent(tx, { userNum: account.user_num, kind: 'login', caller, now: at })
    return true
  })
  if (!opened) return refuse(2, LOGIN_ANSWERS.wrong)
  return {
    user: await selectUser(db, account.user_num),
    token,
    message: LOGIN_ANSWERS.welcome(account.user_id),
    status: account.user_type,
  }
}
