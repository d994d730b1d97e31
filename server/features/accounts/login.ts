import { FACTOR_TEXTS } from '#contract/factors.ts'
import { ADMIN_USER_TYPE } from '#contract/limits.ts'
import { LOGIN_ANSWERS } from '#contract/messages.ts'
import type { LimitName } from '#contract/request-limits.ts'
import type { User } from '#contract/session.ts'
import { isMaintenanceOn, type Maintenance } from '#contract/settings.ts'
import { isBlockedNow } from '#server/db/blocked.ts'
import type { Db } from '#server/db/open.ts'
import type { Deps } from '#server/deps.ts'
import { sealPasswordAtLogin, sealPasswordDraft } from '#server/features/bridge/game-passwords.ts'
import { type FactorKind, startChallenge } from '#server/features/factors/challenges.ts'
import { getRelyingParty } from '#server/features/factors/passkeys.ts'
import type { Caller } from '#server/http/client-address.ts'
import { createToken, hashToken } from '#server/http/tokens.ts'
import { readSettings } from '#server/settings.ts'
import { createImportedAccount, findImportedVariant, selectImportedAccount } from './account-import.ts'
import { rememberDevices } from './devices.ts'
import { keepAccount } from './erasure-requests.ts'
import { recordFailedLogin } from './events.ts'
import { findMatchingVariant, hashPassword } from './passwords.ts'
import { type Account, insertSession, selectForLogin, toDeviceFailureKey, toFailureKey } from './queries.ts'
import { resendVerification } from './verification.ts'

/** The response of a login. `challenge` starts the second step, and is null when the caller's challenge is invalid. */
export type LoginAnswer = {
  user: User | null
  token: string | null
  message: string
  status: number
  challenge?: string | null
  factors?: FactorKind[]
  options?: Record<string, unknown>
  /** The time when the account will be erased, with status 3. */
  erasure_due_at?: Date
  /** Set while the player has to complete an imported account before any other call. */
  claim?: true
}

export const createFailure = (status: number, message: string): LoginAnswer => ({
  user: null,
  token: null,
  message,
  status,
})

/**
 * Logs in (LOGIN-3). A failure is a response with a status, not an error: 2 for a wrong ID or password (with the same text
 * and response time), 3 blocked, 4 locked after ten failures in 15 minutes, 5 email not verified, 6 maintenance.
 *
 * Failures from a known device or address are counted for it alone. All other failures are counted by ID, whether or not
 * it exists. A stranger therefore cannot lock the owner out of a known device, and the owner's login there does not end
 * the stranger's lock. The counts are reset only after both steps of a login.
 *
 * An account with a second factor gets a challenge with status 2 (FACTOR-1). An account with a request for erasure gets
 * status 3, unless the player chose to keep it: then the completed login withdraws the request.
 *
 * @throws Refusal 503 when too many passwords wait to be checked
 */
export async function logIn(deps: Deps, credentials: Credentials, caller: Caller): Promise<LoginAnswer> {
  const { db, now, publicUrl } = deps
  const result = await checkCredentials(deps, credentials, caller)
  if (result === 'locked') return createFailure(4, LOGIN_ANSWERS.locked)
  if (result === 'wrong') return createFailure(2, LOGIN_ANSWERS.wrong)
  const { takeBack } = result
  const keepsAccount = credentials.keepAccount === true && result.account.erasure_due_at !== null
  const account =
    keepsAccount && !result.account.has_factor ? await keepAccount(deps, result.account, caller) : result.account
  // A player who withdraws an erasure proves their identity before any other response about the account.
  const refusal = keepsAccount && account.has_factor ? null : await findRefusal(deps, account)
  if (refusal === null && !account.has_factor) {
    return db.transaction().execute(async (tx) => {
      const answer = await openSession({ ...deps, db: tx }, account, { factor: null, caller })
      if (answer.token !== null) await sealPasswordAtLogin(tx, account.user_num, credentials.password, now())
      return answer
    })
  }
  // A correct password does not count, but earlier failures do until both steps of the login are done.
  await takeBack()
  if (refusal !== null) {
    // A block reveals that the password is right, so the account's history records the attempt.
    if (refusal.status === 3) await recordFailedLogin(db, { userId: account.user_id, caller, now: now() })
    return refuseEntry(deps, account, refusal)
  }
  const offer = await startChallenge(db, account, { party: getRelyingParty(publicUrl), now: now() })
  const { user_num: userNum } = account
  const challengeHash = hashToken(offer.challenge)
  await sealPasswordDraft(db, { userNum, challengeHash, password: credentials.password, now: now() })
  return { ...createFailure(2, FACTOR_TEXTS.asked), ...offer }
}

export type Credentials = { userId: string; password: string; keepAccount?: boolean | undefined }

type CredentialCheck = 'locked' | 'wrong' | { account: LoginAccount; takeBack: () => Promise<void> }

/**
 * Checks a user ID and a password. The attempt counts as a failure until the caller takes it back. The first login with the
 * old password of the game creates the account of an imported player.
 *
 * @param options `canCreateAccount` is false for calls that must not create an account
 * @throws Refusal 503 when too many passwords wait to be checked
 */
export async function checkCredentials(
  deps: Deps,
  credentials: Credentials,
  caller: Caller,
  { canCreateAccount = true } = {},
): Promise<CredentialCheck> {
  const { db, now, limits } = deps
  const userId = credentials.userId.trim()
  const accountById = await selectForLogin(db, { userId }, caller, now())
  const importedAccount = accountById === undefined ? await selectImportedAccount(db, userId) : undefined
  const existingAccount =
    importedAccount?.user_num == null
      ? accountById
      : await selectForLogin(db, { userNum: importedAccount.user_num }, caller, now())
  const failureLimit = getFailureLimit(userId, existingAccount)
  // Counted before the password is checked, because otherwise concurrent tries could exceed the limit.
  if (!(await limits.count(...failureLimit))) return 'locked'
  const isFirstLogin = importedAccount !== undefined && existingAccount === undefined
  const checking = isFirstLogin
    ? findImportedVariant(importedAccount, credentials.password)
    : findMatchingVariant(existingAccount?.password_hash, credentials.password)
  const matchingForm = await checking.catch(async (error) => {
    // The password was not checked, so under overload a player's repeated tries must not lock the account.
    await limits.release(...failureLimit)
    throw error
  })
  const isCorrect = matchingForm !== undefined
  const account =
    isCorrect && isFirstLogin && canCreateAccount
      ? await createImportedAccount(deps, importedAccount, credentials.password, caller)
      : existingAccount
  if (!isCorrect || account === undefined) {
    await recordFailedLogin(db, { userId, caller, now: now() })
    return 'wrong'
  }
  const isNormal = isFirstLogin || matchingForm === matchingForm.normalize('NFC')
  return {
    account: isNormal ? account : await storeNormalForm(db, account, matchingForm),
    takeBack: () => limits.release(...failureLimit),
  }
}

/**
 * Stores the NFC form of a password that matched in another form (PASS-8).
 *
 * @returns the account with its new hash, or as it was if its password changed in the meantime
 */
async function storeNormalForm(db: Db, account: LoginAccount, password: string): Promise<LoginAccount> {
  const password_hash = await hashPassword(password)
  const updatedHash = await db
    .updateTable('accounts')
    .set({ password_hash })
    .where('user_num', '=', account.user_num)
    .where('password_hash', '=', account.password_hash)
    .returning('password_hash')
    .executeTakeFirst()
  return { ...account, ...updatedHash }
}

export type LoginAccount = NonNullable<Awaited<ReturnType<typeof selectForLogin>>>

/**
 * Returns the limit and the key under which a failed login is counted: the known device or address, or else the ID. Ten
 * failures at one address lock the login there, and strangers cannot lock the owner out at home (LOGIN-9).
 */
function getFailureLimit(userId: string, account: LoginAccount | undefined): [LimitName, string] {
  return account === undefined || account.known_place === null
    ? ['loginFailures', toFailureKey(userId)]
    : ['knownPlaceFailures', toDeviceFailureKey(account.user_num, account.known_place)]
}

/**
 * Returns the reason why an account may not log in despite correct credentials: statuses 3, 5 and 6. Both steps of a login
 * call it (FACTOR-3). Staff may log in during maintenance (PAUSE-2).
 */
export async function findRefusal(deps: Deps, account: LoginAccount): Promise<LoginAnswer | null> {
  if (account.erasure_due_at !== null) {
    const { erasure_due_at } = account
    return { ...createFailure(3, LOGIN_ANSWERS.erasing(erasure_due_at)), erasure_due_at }
  }
  if (isBlockedNow(account, deps.now())) return createFailure(3, await describeBlock(deps.db, account))
  if (!isValidUserType(account.user_type)) return createFailure(3, LOGIN_ANSWERS.blocked)
  if (account.user_type >= ADMIN_USER_TYPE) return null
  const settings = await readSettings(deps)
  // A mistyped new address must not lock the owner out, so it may stay unverified as long as the change can be undone.
  // The player of an imported account has to log in before they can enter an address.
  const mustVerify = settings.require_verified_email && !account.change_can_be_undone && account.claim_step === null
  if (mustVerify && account.email_verified_at === null) return createFailure(5, LOGIN_ANSWERS.unverified)
  return isShutOut(settings.maintenance, account.user_id, deps.now())
    ? createFailure(6, settings.maintenance.message)
    : null
}

/** Describes the reason and the end of an account's block for its player. */
async function describeBlock(db: Db, { user_num, blocked_until }: LoginAccount): Promise<string> {
  const block = await db
    .selectFrom('account_blocks')
    .where('user_num', '=', user_num)
    .where('lifted_at', 'is', null)
    .select('reason')
    .executeTakeFirst()
  return block === undefined ? LOGIN_ANSWERS.blocked : LOGIN_ANSWERS.blockedBecause(block.reason, blocked_until)
}

/** Returns whether maintenance locks a player out who is not on the operators' list (PAUSE-1, PAUSE-2). */
function isShutOut(maintenance: Maintenance, userId: string, now: Date): boolean {
  const isAllowed = maintenance.allowed.some((id) => id.toLowerCase() === userId.toLowerCase())
  return isMaintenanceOn(maintenance, now) && !isAllowed
}

// The statuses 2 to 10 mean a failed login (SITE-8), so no account may have such a type. The database has the same check.
const isValidUserType = (type: number) => type <= 1 || type >= ADMIN_USER_TYPE

/** Mails the verification link if the refusal is about an unverified address. @returns the refusal */
export async function refuseEntry(deps: Deps, account: Account, refusal: LoginAnswer): Promise<LoginAnswer> {
  if (refusal.status === 5) await resendVerification(deps, account.user_num)
  return refusal
}

/** Opens the session of a completed login, resets failures, and stores the device as known. `db` is its transaction. */
export async function openSession(
  { db, now, limits }: Deps,
  account: LoginAccount,
  { factor, caller }: { factor: FactorKind | null; caller: Caller },
): Promise<LoginAnswer> {
  const token = createToken()
  const user = await insertSession(db, { account, tokenHash: hashToken(token), factor, caller, now: now() })
  if (user === undefined) return createFailure(2, LOGIN_ANSWERS.wrong)
  await limits.reset(...getFailureLimit(account.user_id, account), db)
  await rememberDevices(db, account.user_num, caller, now())
  const message = LOGIN_ANSWERS.welcome(account.user_id)
  return { user, token, message, status: account.user_type, ...(account.claim_step !== null && { claim: true }) }
}
