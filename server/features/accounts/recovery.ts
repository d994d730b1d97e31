import { RECOVERY_TEXTS, resetPassword as resetPasswordCall } from '#contract/accounts.ts'
import { ADMIN_USER_TYPE, RESET_LINK_LIFETIME_MS } from '#contract/limits.ts'
import type { Deps } from '#server/deps.ts'
import { createInputRefusal, refuse } from '#server/errors.ts'
import { assertGameCanRead, mayGameKnowPassword, sealGamePasswords } from '#server/features/bridge/game-passwords.ts'
import { type Caller, getNetwork } from '#server/http/client-address.ts'
import { createLinkToken, hashToken } from '#server/http/tokens.ts'
import { enqueueMail } from '#server/mail/outbox.ts'
import { readMailSite } from '#server/mail/site.ts'
import { mails } from '#server/mail/templates.ts'
import { findKnownDevice, rememberDevices } from './devices.ts'
import { recordEvent } from './events.ts'
import { findStaffPasswordFault, hashPassword, verifyPassword } from './passwords.ts'
import {
  endMailedLinks,
  endSessions,
  insertMailedLink,
  liftLocks,
  lockAccountOfLink,
  selectAccount,
  selectAccountByEmail,
  selectAccountById,
  selectMailedLink,
} from './queries.ts'

/** The shortest duration of a recovery request, whether or not an account exists. */
const MIN_RESPONSE_MS = 300

/** Runs `work` and returns the same answer after about the same time in every case (FIND-3). */
async function answerUniformly({ sleep }: Deps, work: () => Promise<void>): Promise<string> {
  await Promise.all([work(), sleep(MIN_RESPONSE_MS)])
  return RECOVERY_TEXTS.requested
}

/**
 * Returns whether another recovery email may be sent to an account. Strangers can neither use up the owner's limit nor
 * flood the owner: emails are counted by requester (the known device or address, else the network), and unknown requesters
 * also share a limit. Over the limit one email is sent every 15 minutes. Links are valid for 30 minutes, so an owner always
 * has one that works.
 */
async function mayMail({ db, now, limits }: Deps, userNum: number, caller: Caller): Promise<boolean> {
  const deviceKey = await findKnownDevice(db, userNum, caller, now())
  const requester = `${userNum} ${deviceKey ?? getNetwork(caller.address)}`
  const isWithinLimits =
    (await limits.count('recoveryMails', requester)) &&
    (deviceKey !== null || (await limits.count('recoveryMailsInAll', userNum)))
  return isWithinLimits || limits.count('recoveryMailsBeyond', userNum)
}

/**
 * Mails the user ID to an address that has an account. Returns the same response when it sends nothing, such as over the
 * limit.
 */
export async function mailUserId(deps: Deps, email: string, caller: Caller): Promise<string> {
  const { db, now, config, publicUrl } = deps
  return answerUniformly(deps, async () => {
    const account = await selectAccountByEmail(db, email)
    if (account === undefined || !(await mayMail(deps, account.user_num, caller))) return
    await enqueueMail(
      db,
      account.user_email,
      mails.userId(await readMailSite({ db, config, publicUrl }), account.user_id),
      now(),
      { priority: 'first' },
    )
  })
}

/**
 * Mails a link to set a new password if the address is that of the account, within the same limits as `mailUserId`.
 * Earlier links stay valid. A frozen account gets an email with the end of the freeze instead.
 */
export async function mailResetLink(
  deps: Deps,
  request: { userId: string; email: string },
  caller: Caller,
): Promise<string> {
  const { db, now, config, publicUrl } = deps
  return answerUniformly(deps, async () => {
    const account = await selectAccountById(db, request.userId.trim())
    if (account === undefined || account.user_email.toLowerCase() !== request.email.toLowerCase()) return
    if (!(await mayMail(deps, account.user_num, caller))) return
    const at = now()
    const site = await readMailSite({ db, config, publicUrl })
    if (account.frozen_until !== null && account.frozen_until > at) {
      const mail = mails.resetLater(site, account.user_id, account.frozen_until)
      await enqueueMail(db, account.user_email, mail, at, { priority: 'first' })
      return
    }
    const token = createLinkToken()
    await db.transaction().execute(async (tx) => {
      const tokenHash = hashToken(token)
      await insertMailedLink(tx, {
        tokenHash,
        kind: 'reset-password',
        userNum: account.user_num,
        email: account.user_email,
        now: at,
        endsAt: new Date(at.getTime() + RESET_LINK_LIFETIME_MS),
      })
      await enqueueMail(tx, account.user_email, mails.resetLink(site, account.user_id, token), at, {
        priority: 'first',
        link: { tokenHash, lifetimeMs: RESET_LINK_LIFETIME_MS },
      })
      await recordEvent(tx, { userNum: account.user_num, kind: 'reset-requested', caller, now: at })
    })
  })
}

/**
 * Sets a new password with a mailed link, which works once. Ends every session and all other links of this kind, resets
 * failed logins, and stores the device as known, so strangers cannot lock the login that follows. Second factors stay
 * (FACTOR-6). The link stays valid when the password is refused.
 *
 * @throws Refusal 422
 */
export async function resetPassword(
  deps: Deps,
  request: { token: string; password: string },
  caller: Caller,
): Promise<string> {
  const { db, now, config, publicUrl } = deps
  const link = { kind: 'reset-password', tokenHash: hashToken(request.token) } as const
  const foundLink = await selectMailedLink(db, { ...link, now: now() })
  if (foundLink === undefined) throw refuse(resetPasswordCall, 'linkDead')
  const account = await selectAccount(db, foundLink.user_num)
  const { user_id, user_type, password_hash: formerHash } = account
  if (request.password.toLowerCase() === user_id.toLowerCase()) throw refuse(resetPasswordCall, 'passwordIsUserId')
  const mustDiffer = user_type >= ADMIN_USER_TYPE && (await mayGameKnowPassword(db, foundLink.user_num))
  if (mustDiffer && (await verifyPassword(formerHash, request.password))) throw refuse(resetPasswordCall, 'mustDiffer')
  const fault = findStaffPasswordFault(deps, account, request.password)
  if (fault !== null) throw createInputRefusal({ NewUserPass: [fault] })
  const password_hash = await hashPassword(request.password)
  const at = now()
  await db.transaction().execute(async (tx) => {
    const lockedAccount = await lockAccountOfLink(tx, { ...link, now: at })
    if (lockedAccount === undefined) throw refuse(resetPasswordCall, 'linkDead')
    const userNum = lockedAccount.user_num
    // The link was mailed to this address, so opening it also verifies the address.
    const email_verified_at = lockedAccount.email_verified_at ?? at
    await tx.updateTable('accounts').set({ password_hash, email_verified_at }).where('user_num', '=', userNum).execute()
    await assertGameCanRead(tx, { NewUserPass: request.password })
    await sealGamePasswords(tx, userNum, { password: request.password }, at)
    await endMailedLinks(tx, userNum, ['reset-password'])
    await endSessions(tx, userNum)
    await liftLocks(tx, lockedAccount)
    await rememberDevices(tx, userNum, caller, at)
    await recordEvent(tx, { userNum, kind: 'password-reset', caller, now: at })
    const site = await readMailSite({ db: tx, config, publicUrl })
    await enqueueMail(tx, lockedAccount.user_email, mails.passwordChanged(site, lockedAccount.user_id), at)
  })
  return RECOVERY_TEXTS.reset
}
