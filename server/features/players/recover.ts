import { changePlayerEmail, confirmPlayerEmail } from '#contract/desk-players.ts'
import { RESET_LINK_GOOD_MS } from '#contract/limits.ts'
import { isUniqueViolation } from '#server/db/errors.ts'
import type { Deps } from '#server/deps.ts'
import { refuse } from '#server/errors.ts'
import { announceEmailChange, endReservation, isEmailTaken } from '#server/features/accounts/email-change.ts'
import { recordEvent } from '#server/features/accounts/events.ts'
import { type Account, endSessions, insertMailedLink } from '#server/features/accounts/queries.ts'
import { sendVerification } from '#server/features/accounts/verification.ts'
import { createLinkToken, hashToken } from '#server/http/tokens.ts'
import { enqueueMail } from '#server/mail/outbox.ts'
import { mails } from '#server/mail/templates.ts'

/** The caller shown in the player's history: the device “Support”, without an address. */
export const SUPPORT = { address: '', device: 'Support' }

/**
 * Mails a link to set a new password to the account's present address. Limits for players' own requests do not count.
 * Here as below, `db` is the transaction, and the caller holds the account's lock.
 */
export async function sendReset({ db: tx, now, config, publicUrl }: Deps, account: Account): Promise<void> {
  const token = createLinkToken()
  const tokenHash = hashToken(token)
  const at = now()
  const userNum = account.user_num
  await insertMailedLink(tx, {
    tokenHash,
    kind: 'reset-password',
    userNum,
    email: account.user_email,
    now: at,
    endsAt: new Date(at.getTime() + RESET_LINK_GOOD_MS),
  })
  const site = { appName: config.appName, publicUrl }
  await enqueueMail(tx, account.user_email, mails.resetLink(site, account.user_id, token), at, {
    priority: 'first',
    link: { tokenHash, goodMs: RESET_LINK_GOOD_MS },
  })
  await recordEvent(tx, { userNum, kind: 'reset-requested', caller: SUPPORT, now: at })
}

/**
 * Gives an account another address, as its player could: the former one is told and can undo it for seven days, the new
 * one has to be verified, and every session ends.
 *
 * @throws Refusal 409 when the address is not what the operator saw, 422 when it is the same or taken
 */
export async function changeEmail(deps: Deps, account: Account, { from, email }: { from: string; email: string }) {
  const { db: tx, now } = deps
  const userNum = account.user_num
  const at = now()
  if (account.user_email !== from) throw refuse(changePlayerEmail, 'changedMeanwhile')
  if (from.toLowerCase() === email.toLowerCase()) throw refuse(changePlayerEmail, 'same')
  if (await isEmailTaken(tx, email, at, userNum)) throw refuse(changePlayerEmail, 'emailTaken')
  await endReservation(tx, email, at)
  const changing = tx
    .updateTable('accounts')
    .set({ user_email: email, email_verified_at: null })
    .where('user_num', '=', userNum)
    .execute()
  await changing.catch((error: unknown) => {
    throw isUniqueViolation(error, 'accounts_user_email_key') ? refuse(changePlayerEmail, 'emailTaken') : error
  })
  await announceEmailChange(tx, account, email, deps)
  await sendVerification(tx, { userNum, userId: account.user_id, email }, deps)
  await endSessions(tx, userNum)
  await recordEvent(tx, { userNum, kind: 'details-changed', caller: SUPPORT, note: 'new e-mail', now: at })
}

/** Marks the address as verified. @throws Refusal 409 when it is not what the operator saw */
export async function confirmEmail({ db: tx, now }: Deps, account: Account, email: string): Promise<void> {
  if (account.user_email !== email) throw refuse(confirmPlayerEmail, 'changedMeanwhile')
  if (account.email_verified_at !== null) return
  const at = now()
  await tx.updateTable('accounts').set({ email_verified_at: at }).where('user_num', '=', account.user_num).execute()
  await recordEvent(tx, { userNum: account.user_num, kind: 'email-verified', caller: SUPPORT, now: at })
}
