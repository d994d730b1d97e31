import { setTimeout as sleep } from 'node:timers/promises'
import { RECOVERY } from '#contract/account-messages.ts'
import { resetPassword as resetPasswordCall } from '#contract/accounts.ts'
import { RESET_LINK_GOOD_MS } from '#contract/limits.ts'
import type { Deps } from '#server/deps.ts'
import { refuse } from '#server/errors.ts'
import type { Caller } from '#server/http/client-address.ts'
import { createLinkToken, hashToken } from '#server/http/tokens.ts'
import { enqueueMail } from '#server/mail/outbox.ts'
import { mails } from '#server/mail/templates.ts'
import { recordEvent } from './events.ts'
import { hashPassword } from './passwords.ts'
import {
  endSessions,
  failuresOf,
  lockAccountOfLink,
  replaceMailedLink,
  selectAccount,
  selectAccountByEmail,
  selectAccountById,
  selectMailedLink,
} from './queries.ts'

/** Every recovery request takes at least this long, whether or not there is an account to write to. */
const SAME_TIME_MS = 300

/** The same answer in about the same time, whatever `work` finds (DECISIONS §3 findUserID). */
async function sayTheSame(work: () => Promise<void>): Promise<string> {
  await Promise.all([work(), sleep(SAME_TIME_MS)])
  return RECOVERY.said
}

/** Mails the user ID to an address that has an account; past the limit of mails nothing is sent and nobody is told. */
export async function mailUserId(deps: Deps, email: string): Promise<string> {
  const { db, now, config, publicUrl, limits } = deps
  return sayTheSame(async () => {
    const account = await selectAccountByEmail(db, email)
    if (account === undefined || !(await limits.count('recoveryMails', account.user_num))) return
    await enqueueMail(
      db,
      account.user_email,
      mails.userId({ appName: config.appName, publicUrl }, account.user_id),
      now(),
      { priority: 'first' },
    )
  })
}

/** Mails a link to set a new password when ID and address belong together, at most as often as `mailUserId`. */
export async function mailResetLink(
  deps: Deps,
  asked: { userId: string; email: string },
  caller: Caller,
): Promise<string> {
  const { db, now, config, publicUrl, limits } = deps
  return sayTheSame(async () => {
    const account = await selectAccountById(db, asked.userId.trim())
    if (account === undefined || account.user_email.toLowerCase() !== asked.email.toLowerCase()) return
    if (!(await limits.count('recoveryMails', account.user_num))) return
    const token = createLinkToken()
    const at = now()
    await db.transaction().execute(async (tx) => {
      await selectAccount(tx, account.user_num, 'for change')
      const tokenHash = hashToken(token)
      await replaceMailedLink(tx, {
        tokenHash,
        kind: 'reset-password',
        userNum: account.user_num,
        email: account.user_email,
        now: at,
        endsAt: new Date(at.getTime() + RESET_LINK_GOOD_MS),
      })
      const site = { appName: config.appName, publicUrl }
      await enqueueMail(tx, account.user_email, mails.resetLink(site, account.user_id, token), at, {
        priority: 'first',
        link: { tokenHash, goodMs: RESET_LINK_GOOD_MS },
      })
      await recordEvent(tx, { userNum: account.user_num, kind: 'reset-requested', caller, now: at })
    })
  })
}

/**
 * Sets a new password with a mailed link, once; ends every session and lifts a lock. A
 * refused password does not use the link up. @throws Refusal 422
 */
export async function resetPassword(
  deps: Deps,
  asked: { token: string; password: string },
  caller: Caller,
): Promise<string> {
  const { db, now, config, publicUrl } = deps
  const link = { kind: 'reset-password', tokenHash: hashToken(asked.token) } as const
  const known = await selectMailedLink(db, { ...link, now: now() })
  if (known === undefined) throw refuse(resetPasswordCall, 'linkDead')
  const { user_id } = await selectAccount(db, known.user_num)
  if (asked.password.toLowerCase() === user_id.toLowerCase()) throw refuse(resetPasswordCall, 'passwordIsUserId')
  const password_hash = await hashPassword(asked.password)
  const at = now()
  await db.transaction().execute(async (tx) => {
    const account = await lockAccountOfLink(tx, { ...link, now: at })
    if (account === undefined) throw refuse(resetPasswordCall, 'linkDead')
    const userNum = account.user_num
    // The link came to this address, so the address is the player's.
    const email_verified_at = account.email_verified_at ?? at
    await tx.updateTable('accounts').set({ password_hash, email_verified_at }).where('user_num', '=', userNum).execute()
    await tx.updateTable('mailed_links').set({ used_at: at }).where('token_hash', '=', link.tokenHash).execute()
    await endSessions(tx, userNum)
    await deps.limits.forget('loginFailures', failuresOf(account.user_id), tx)
    await recordEvent(tx, { userNum, kind: 'password-reset', caller, now: at })
    const site = { appName: config.appName, publicUrl }
    await enqueueMail(tx, account.user_email, mails.passwordChanged(site, account.user_id), at)
  })
  return RECOVERY.reset
}
