import {
  ACCOUNT_TEXTS,
  GAME_PASSWORD_TEXTS,
  PASSWORD_TEXTS,
  updatePassword,
  updateUserDetails,
  validateSecretAnswer,
} from '#contract/accounts.ts'
import { ADMIN_USER_TYPE, SECRET_ANSWER_VALID_MS } from '#contract/limits.ts'
import { setGamePassword as setGamePasswordCall } from '#contract/take-over.ts'
import type { Db } from '#server/db/open.ts'
import type { Deps } from '#server/deps.ts'
import { createInputRefusal, refuse, refuseViolations } from '#server/errors.ts'
import {
  assertGameCanRead,
  mayGameKnowPassword,
  sealGamePasswords,
  sealStaffPassword,
} from '#server/features/bridge/game-passwords.ts'
import type { Caller } from '#server/http/client-address.ts'
import type { Session } from '#server/http/session.ts'
import { enqueueMail } from '#server/mail/outbox.ts'
import { readMailSite } from '#server/mail/site.ts'
import { mails } from '#server/mail/templates.ts'
import { announceEmailChange, endReservation, isEmailTaken } from './email-change.ts'
import { recordEvent } from './events.ts'
import { findStaffPasswordFault, hashPassword, verifyPassword, verifySecretAnswer } from './passwords.ts'
import { type Account, endMailedLinks, endSessions, selectAccount } from './queries.ts'
import { sendVerification } from './verification.ts'

/** Returns whether this is the account's password. @throws Refusal 429 */
export async function checkPassword(deps: Deps, session: Session, password: string): Promise<boolean> {
  return (await matchPassword(deps, session, password)) !== undefined
}

/** Returns the account as it was when the password was checked; undefined for a wrong password. @throws Refusal 429 */
export async function matchPassword(deps: Deps, session: Session, password: string): Promise<Account | undefined> {
  // Counted before the password is checked, because otherwise concurrent checks could exceed the limit.
  await deps.limits.consume('passwordChecks', session.userNum)
  const account = await selectAccount(deps.db, session.userNum)
  if (!(await verifyPassword(account.password_hash, password))) return undefined
  await deps.limits.reset('passwordChecks', session.userNum)
  return account
}

/** Locks the account after its password was checked. @throws Refusal 422 when the password has changed since the check */
export async function lockAccount(tx: Db, checkedAccount: Account): Promise<Account> {
  const account = await selectAccount(tx, checkedAccount.user_num, 'for change')
  if (account.password_hash !== checkedAccount.password_hash) throw refuse(updatePassword, 'wrongPassword')
  return account
}

/**
 * Checks the secret answer and lets this session change the password for the next five minutes.
 *
 * @throws Refusal 422 for a wrong answer, 429
 */
export async function confirmSecretAnswer(deps: Deps, session: Session, answer: string): Promise<string> {
  const { db, now, limits } = deps
  await limits.consume('secretAnswers', session.userNum)
  const account = await selectAccount(db, session.userNum)
  if (!(await verifySecretAnswer(account.secret_answer_hash, answer)))
    throw refuse(validateSecretAnswer, 'wrongSecretAnswer')
  await limits.reset('secretAnswers', session.userNum)
  await db
    .updateTable('sessions')
    .set({ secret_answer_until: new Date(now().getTime() + SECRET_ANSWER_VALID_MS) })
    .where('session_id', '=', session.sessionId)
    .execute()
  return PASSWORD_TEXTS.secretAnswerRight
}

/**
 * Changes the password and ends every session of the account (PASS-5).
 * Refuses a staff member's current password as the new one if the game may know it.
 *
 * @throws Refusal 409 without a fresh secret answer, 422 for a wrong current or unsuitable new password, 429
 */
export async function changePassword(
  deps: Deps,
  session: Session,
  passwords: { current: string; next: string },
  caller: Caller,
): Promise<string> {
  const { db, now } = deps
  if (session.secretAnswerUntil === null || session.secretAnswerUntil <= now()) {
    throw refuse(updatePassword, 'secretAnswerFirst')
  }
  const checkedAccount = await matchPassword(deps, session, passwords.current)
  if (checkedAccount === undefined) throw refuse(updatePassword, 'wrongPassword')
  if (passwords.next.toLowerCase() === session.userId.toLowerCase()) throw refuse(updatePassword, 'passwordIsUserId')
  if (
    passwords.next === passwords.current &&
    isStaff(checkedAccount) &&
    (await mayGameKnowPassword(db, session.userNum))
  )
    throw refuse(updatePassword, 'mustDiffer')
  const fault = findStaffPasswordFault(deps, checkedAccount, passwords.next)
  if (fault !== null) throw createInputRefusal({ NewUserPass: [fault] })
  const passwordHash = await hashPassword(passwords.next)
  await db.transaction().execute(async (tx) => {
    const account = await lockAccount(tx, checkedAccount)
    await replacePassword({ ...deps, db: tx }, account, { password: passwords.next, passwordHash, caller })
  })
  return PASSWORD_TEXTS.changed
}

type PasswordReplacement = {
  password: string
  passwordHash: string
  caller: Caller
  /** The session to leave open. If undefined, all sessions end. */
  exceptSession?: number
}

/**
 * Replaces the password of a locked account, ends its sessions and mailed links, and notifies its owner. Call this in the
 * transaction of the change.
 *
 * @throws Refusal 422 for characters that the game cannot read
 */
export async function replacePassword(
  { db: tx, now, config, publicUrl }: Pick<Deps, 'db' | 'now' | 'config' | 'publicUrl'>,
  { user_num: userNum, user_id, user_email }: Account,
  { password, passwordHash, caller, exceptSession }: PasswordReplacement,
): Promise<void> {
  const at = now()
  await tx.updateTable('accounts').set({ password_hash: passwordHash }).where('user_num', '=', userNum).execute()
  await assertGameCanRead(tx, { NewUserPass: password })
  await sealGamePasswords(tx, userNum, { password }, at)
  await endSessions(tx, userNum, exceptSession)
  await endMailedLinks(tx, userNum, ['reset-password'])
  await recordEvent(tx, { userNum, kind: 'password-changed', caller, now: at })
  const site = await readMailSite({ db: tx, config, publicUrl })
  await enqueueMail(tx, user_email, mails.passwordChanged(site, user_id), at)
}

const isStaff = ({ user_type }: Account) => user_type >= ADMIN_USER_TYPE

/**
 * Sets the password of a staff member's account in the game, which must differ from the one on the site.
 *
 * @throws Refusal 403 for players, 409 without a bridge or without an account in the game that it may change, 422, 429
 */
export async function setGamePassword(
  deps: Deps,
  session: Session,
  passwords: { current: string; next: string },
  caller: Caller,
): Promise<string> {
  const { db, now } = deps
  if (session.userType < ADMIN_USER_TYPE) throw refuse(setGamePasswordCall, 'onlyStaff')
  const checkedAccount = await matchPassword(deps, session, passwords.current)
  if (checkedAccount === undefined) throw refuse(setGamePasswordCall, 'wrongPassword')
  const next = passwords.next.toLowerCase()
  if (next === session.userId.toLowerCase()) throw refuse(setGamePasswordCall, 'passwordIsUserId')
  if (next === passwords.current.toLowerCase()) throw refuse(setGamePasswordCall, 'mustDiffer')
  const at = now()
  await db.transaction().execute(async (tx) => {
    if (!isStaff(await lockAccount(tx, checkedAccount))) throw refuse(setGamePasswordCall, 'onlyStaff')
    if (!(await sealStaffPassword(tx, session.userNum, passwords.next, at)))
      throw refuse(setGamePasswordCall, 'gameAccountNotFound')
    await recordEvent(tx, { userNum: session.userNum, kind: 'game-password-set', caller, now: at })
  })
  return GAME_PASSWORD_TEXTS.done
}

export type AccountDetails = {
  password: string
  secondPassword: string
  email: string
  firstName: string
  lastName: string
  phoneNumber: string
}

/**
 * Changes the details of an account and ends its sessions (ACCOUNT-6, ACCOUNT-7, ACCOUNT-8).
 * A new address must be free and is unverified until its mailed link is opened. The former address gets a link that
 * undoes the change.
 *
 * @throws Refusal 422, 429
 */
export async function changeDetails(
  deps: Deps,
  session: Session,
  details: AccountDetails,
  caller: Caller,
): Promise<string> {
  const { db, now, limits } = deps
  const checkedAccount = await matchPassword(deps, session, details.password)
  if (checkedAccount === undefined) throw refuse(updateUserDetails, 'wrongPassword')
  if (await isEmailTaken(db, details.email, now(), session.userNum)) throw refuse(updateUserDetails, 'emailTaken')
  const secondPasswordColumns =
    details.secondPassword === '' ? {} : { second_password_hash: await hashPassword(details.secondPassword) }
  const at = now()
  const transaction = db.transaction().execute(async (tx) => {
    const account = await lockAccount(tx, checkedAccount)
    const isAddressChanged = account.user_email.toLowerCase() !== details.email.toLowerCase()
    if (isAddressChanged) {
      await limits.consume('emailChanges', session.userNum, tx)
      await endReservation(tx, details.email, at)
    }
    await tx
      .updateTable('accounts')
      .set({
        user_email: details.email,
        first_name: details.firstName,
        last_name: details.lastName,
        phone_number: details.phoneNumber,
        ...secondPasswordColumns,
        ...(isAddressChanged ? { email_verified_at: null } : {}),
      })
      .where('user_num', '=', session.userNum)
      .execute()
    await assertGameCanRead(tx, { UserPass2: details.secondPassword })
    if (details.secondPassword !== '')
      await sealGamePasswords(tx, session.userNum, { second: details.secondPassword }, at)
    if (isAddressChanged) {
      await announceEmailChange(tx, account, details.email, deps)
      await sendVerification(tx, { userNum: session.userNum, userId: account.user_id, email: details.email }, deps)
    }
    await endSessions(tx, session.userNum)
    await recordEvent(tx, {
      userNum: session.userNum,
      kind: 'details-changed',
      caller,
      note: isAddressChanged ? 'new e-mail' : '',
      now: at,
    })
  })
  await transaction.catch(refuseViolations(updateUserDetails, { accounts_user_email_key: 'emailTaken' }))
  return ACCOUNT_TEXTS.detailsChanged
}
