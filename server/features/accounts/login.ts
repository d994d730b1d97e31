import { LOGIN_ANSWERS } from '#contract/account-messages.ts'
import { ADMIN_USER_TYPE } from '#contract/limits.ts'
import type { User } from '#contract/session.ts'
import type { Deps } from '#server/deps.ts'
import type { Caller } from '#server/http/client-address.ts'
import { createToken, hashToken } from '#server/http/tokens.ts'
import { recordFailedLogin } from './events.ts'
import { verifyPassword } from './passwords.ts'
import { type Account, failuresOf, insertSession, selectForLogin } from './queries.ts'
import { resendVerification } from './verification.ts'

export type LoginAnswer = { user: User | null; token: string | null; message: string; status: number }

const failed = (status: number, message: string): LoginAnswer => ({ user: null, token: null, message, status })

/**
 * Logs in (SPEC §4, DECISIONS §3 processlogin). Every failure is an answer, not an error:
 * status 2 wrong ID or password (one text, one time for both), 3 blocked, 4 locked after ten
 * failures in 15 minutes for one ID (known or not), 5 e-mail not verified, 6 maintenance.
 *
 * @throws Refusal 503 when too many log in at once
 */
export async function logIn(
  deps: Deps,
  credentials: { userId: string; password: string },
  caller: Caller,
): Promise<LoginAnswer> {
  const { db, now, limits } = deps
  const userId = credentials.userId.trim()
  const failures = failuresOf(userId)
  // Counted before the password is checked, so that tries at the same moment all count.
  if (!(await limits.count('loginFailures', failures))) return failed(4, LOGIN_ANSWERS.locked)
  const account = await selectForLogin(db, userId)
  const right = await verifyPassword(account?.password_hash, credentials.password).catch(async (error) => {
    // The password was not checked, so a flood must not lock out players who keep trying.
    await limits.takeBack('loginFailures', failures)
    throw error
  })
  if (!right || account === undefined) {
    await recordFailedLogin(db, { userId, caller, now: now() })
    return failed(2, LOGIN_ANSWERS.wrong)
  }
  await limits.forget('loginFailures', failures)
  return (await refusalOf(deps, account)) ?? openSession(deps, account, caller)
}

type Entrant = Account & { maintenance: boolean; require_verified_email: boolean }

async function refusalOf(deps: Deps, account: Entrant): Promise<LoginAnswer | null> {
  if (account.blocked_at !== null) return failed(3, LOGIN_ANSWERS.blocked)
  if (account.user_type >= ADMIN_USER_TYPE) return null
  if (account.require_verified_email && account.email_verified_at === null) {
    await resendVerification(deps, account.user_num)
    return failed(5, LOGIN_ANSWERS.unverified)
  }
  return account.maintenance ? failed(6, LOGIN_ANSWERS.maintenance) : null
}

async function openSession({ db, now }: Deps, account: Account, caller: Caller): Promise<LoginAnswer> {
  const token = createToken()
  const user = await insertSession(db, { account, tokenHash: hashToken(token), caller, now: now() })
  if (user === undefined) return failed(2, LOGIN_ANSWERS.wrong)
  return { user, token, message: LOGIN_ANSWERS.welcome(account.user_id), status: account.user_type }
}
