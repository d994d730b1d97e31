import { RESET_LINK_LIFETIME_MS } from '#contract/limits.ts'
import { changePlayerEmail, confirmPlayerEmail, removePlayerFactors, sendPlayerReset } from '#contract/players.ts'
import { isFrozen } from '#server/db/blocked.ts'
import type { Deps } from '#server/deps.ts'
import { refuse, refuseViolations } from '#server/errors.ts'
import { announceEmailChange, endReservation, isEmailTaken } from '#server/features/accounts/email-change.ts'
import { recordEvent } from '#server/features/accounts/events.ts'
import { announceHelp, freezeAccount } from '#server/features/accounts/help.ts'
import { type Account, endSessions, insertMailedLink } from '#server/features/accounts/queries.ts'
import { removeLostFactors } from '#server/features/accounts/second-factors.ts'
import { sendVerification } from '#server/features/accounts/verification.ts'
import { createLinkToken, hashToken } from '#server/http/tokens.ts'
import { enqueueMail } from '#server/mail/outbox.ts'
import { readMailSite } from '#server/mail/site.ts'
import { mails } from '#server/mail/templates.ts'

/** The caller shown in the player's history: the device “Support”, without an address. */
export const SUPPORT = { address: '', device: 'Support' }

/**
 * Mails a link for a new password to the account's address. The limits of players' requests do not apply. In this file
 * `deps.db` is the transaction, the caller holds the account's lock, and each change freezes the account for 24 hours.
 *
 * @throws Refusal 409 for an account that staff helped with in the last 24 hours
 */
export async function sendReset(deps: Deps, account: Account): Promise<void> {
  const { db: tx, now, config, publicUrl } = deps
  const token = createLinkToken()
  const tokenHash = hashToken(token)
  const at = now()
  const userNum = account.user_num
  if (isFrozen(account, at)) throw refuse(sendPlayerReset, 'helpedAlready')
  await insertMailedLink(tx, {
    tokenHash,
    kind: 'reset-password',
    userNum,
    email: account.user_email,
    now: at,
    endsAt: new Date(at.getTime() + RESET_LINK_LIFETIME_MS),
  })
  const site = await readMailSite({ db: tx, config, publicUrl })
  await enqueueMail(tx, account.user_email, mails.resetLink(site, account.user_id, token), at, {
    priority: 'first',
    link: { tokenHash, lifetimeMs: RESET_LINK_LIFETIME_MS },
  })
  await announceHelp(deps, account, 'Support mailed you a link to set a new password.')
  await recordEvent(tx, { userNum, kind: 'reset-requested', caller: SUPPORT, now: at })
}

/**
 * Changes an account's email address, with the steps of a player's own change: the old address gets a link to undo it for
 * seven days, the new address has to be verified, and every session ends.
 *
 * @throws Refusal 409 when the address is not the one the operator saw, 422 when it is the same or taken
 */
export async function changeEmail(deps: Deps, account: Account, { from, email }: { from: string; email: string }) {
  const { db: tx, now } = deps
  const userNum = account.user_num
  const at = now()
  if (account.user_email !== from) throw refuse(changePlayerEmail, 'conflict')
  if (from.toLowerCase() === email.toLowerCase()) throw refuse(changePlayerEmail, 'same')
  if (await isEmailTaken(tx, email, at, userNum)) throw refuse(changePlayerEmail, 'emailTaken')
  await endReservation(tx, email, at)
  await tx
    .updateTable('accounts')
    .set({ user_email: email, email_verified_at: null })
    .where('user_num', '=', userNum)
    .execute()
    .catch(refuseViolations(changePlayerEmail, { accounts_user_email_key: 'emailTaken' }))
  await freezeAccount(tx, account, at)
  await announceEmailChange(tx, account, email, deps, { bySupport: true })
  await sendVerification(tx, { userNum, userId: account.user_id, email }, deps)
  await endSessions(tx, userNum)
  await recordEvent(tx, { userNum, kind: 'details-changed', caller: SUPPORT, note: 'new e-mail', now: at })
}

/** Marks the address as verified. @throws Refusal 409 if it has changed since the operator read it */
export async function confirmEmail(deps: Deps, account: Account, email: string): Promise<void> {
  const { db: tx, now } = deps
  if (account.user_email !== email) throw refuse(confirmPlayerEmail, 'conflict')
  if (account.email_verified_at !== null) return
  const at = now()
  await tx.updateTable('accounts').set({ email_verified_at: at }).where('user_num', '=', account.user_num).execute()
  await announceHelp(deps, account, 'Support marked this email address as verified.')
  await recordEvent(tx, { userNum: account.user_num, kind: 'email-verified', caller: SUPPORT, now: at })
}

/** Removes every second factor of an account whose owner has lost them. @throws Refusal 409 for an account without factors */
export async function removeFactors(deps: Deps, account: Account): Promise<number> {
  const removedCount = await removeLostFactors(deps.db, account, { caller: SUPPORT, now: deps.now() })
  if (removedCount === 0) throw refuse(removePlayerFactors, 'factorMissing')
  await announceHelp(
    deps,
    account,
    'Support removed every second factor from your account. You can now log in with just your password.',
  )
  return removedCount
}
