import { sql } from 'kysely'
import { RECOVERY_TEXTS, undoEmailChange as undoEmailChangeCall } from '#contract/accounts.ts'
import { ADMIN_USER_TYPE, RESET_LINK_LIFETIME_MS, UNDO_EMAIL_LINK_LIFETIME_MS } from '#contract/limits.ts'
import type { Db } from '#server/db/open.ts'
import type { Deps } from '#server/deps.ts'
import { refuse } from '#server/errors.ts'
import { removeFactorsSince } from '#server/features/factors/queries.ts'
import type { Caller } from '#server/http/client-address.ts'
import { createLinkToken, hashToken } from '#server/http/tokens.ts'
import { enqueueMail } from '#server/mail/outbox.ts'
import { readMailSite } from '#server/mail/site.ts'
import { mails } from '#server/mail/templates.ts'
import { recordEvent } from './events.ts'
import { isAddressSetByStaff } from './help.ts'
import { NO_PASSWORD } from './passwords.ts'
import { type Account, endMailedLinks, endSessions, insertMailedLink, selectAccount } from './queries.ts'

const emailColumn = sql<string>`lower(email)`

/**
 * Returns whether another account has an address, or may get it back because a change can still be undone. The database
 * enforces the rule; this check lets a refusal name every wrong field. @param exceptUserNum the requesting account, if any
 */
export async function isEmailTaken(db: Db, email: string, now: Date, exceptUserNum = 0): Promise<boolean> {
  const lowercaseEmail = email.toLowerCase()
  const otherAccount = await db
    .selectFrom('accounts')
    .where(sql`lower(user_email)`, '=', lowercaseEmail)
    .where('user_num', '<>', exceptUserNum)
    .select('user_num')
    .unionAll(
      db
        .selectFrom('mailed_links')
        .where(emailColumn, '=', lowercaseEmail)
        .where('kind', '=', 'undo-email')
        .where('used_at', 'is', null)
        .where('ends_at', '>', now)
        .where('user_num', '<>', exceptUserNum)
        .select('user_num'),
    )
    .executeTakeFirst()
  return otherAccount !== undefined
}

/** Deletes the expired undo links to an address. The database reserves the address for as long as a link exists. */
export async function endReservation(tx: Db, email: string, now: Date): Promise<void> {
  await tx
    .deleteFrom('mailed_links')
    .where(emailColumn, '=', email.toLowerCase())
    .where('kind', '=', 'undo-email')
    .where('ends_at', '<=', now)
    .execute()
}

/**
 * Mails the former address a link that undoes the change for seven days, and voids the account's links to verify an address
 * or to reset the password. Call it in the transaction of the change, with the account as it was before.
 *
 * Every change has its own link, which a later change does not end. When an account returns to an address that it had
 * within the last seven days, the links of the changes since then end, and the address that it leaves gets no link:
 * otherwise a thief could undo the owner's return.
 */
export async function announceEmailChange(
  tx: Db,
  formerAccount: Account,
  email: string,
  { now, config, publicUrl }: Deps,
  { bySupport = false } = {},
): Promise<void> {
  const at = now()
  const userNum = formerAccount.user_num
  await endMailedLinks(tx, userNum, ['reset-password', 'verify-email'])
  const earlierLink = await tx
    .selectFrom('mailed_links')
    .where('user_num', '=', userNum)
    .where('kind', '=', 'undo-email')
    .where('used_at', 'is', null)
    .where(emailColumn, '=', email.toLowerCase())
    .select('mailed_link')
    .orderBy('mailed_link')
    .executeTakeFirst()
  const site = await readMailSite({ db: tx, config, publicUrl })
  if (earlierLink !== undefined) {
    await endUndoLinks(tx, userNum, earlierLink.mailed_link)
    await enqueueMail(
      tx,
      formerAccount.user_email,
      mails.emailChanged(site, formerAccount.user_id, { token: null, bySupport }),
      at,
    )
    return
  }
  const token = createLinkToken()
  const tokenHash = hashToken(token)
  await insertMailedLink(tx, {
    tokenHash,
    kind: 'undo-email',
    userNum,
    email: formerAccount.user_email,
    now: at,
    endsAt: new Date(at.getTime() + UNDO_EMAIL_LINK_LIFETIME_MS),
  })
  await enqueueMail(
    tx,
    formerAccount.user_email,
    mails.emailChanged(site, formerAccount.user_id, { token, bySupport }),
    at,
    {
      priority: 'first',
      link: { tokenHash, lifetimeMs: UNDO_EMAIL_LINK_LIFETIME_MS },
    },
  )
}

/** Returns whether an account has a valid link to set a new password that was created at a time. */
async function hasResetLink(tx: Db, userNum: number, createdAt: Date, now: Date): Promise<boolean> {
  const link = await tx
    .selectFrom('mailed_links')
    .where('user_num', '=', userNum)
    .where('kind', '=', 'reset-password')
    .where('created_at', '=', createdAt)
    .where('used_at', 'is', null)
    .where('ends_at', '>', now)
    .select('mailed_link')
    .executeTakeFirst()
  return link !== undefined
}

/** Ends an account's undo links whose number is at least `firstLink`. */
async function endUndoLinks(tx: Db, userNum: number, firstLink: number): Promise<void> {
  await tx
    .deleteFrom('mailed_links')
    .where('user_num', '=', userNum)
    .where('kind', '=', 'undo-email')
    .where('mailed_link', '>=', firstLink)
    .execute()
}

/**
 * Undoes a change of the email address with the link mailed to the former address. Restores and verifies that address,
 * ends every session, and voids the links that undo later changes, verify an address or reset the password. Disables the
 * password, which a thief may know, and mails the restored address a link to set a new one. Removes second factors and recovery
 * codes that were added since the change, except those of staff, which only other staff remove. A used link changes nothing;
 * the response to it depends on whether the account is frozen now and whether the mailed link to a new password is still
 * valid, so it can differ from the first one.
 *
 * The link of a change by staff works the same, and also ends the freeze of the account. If staff gave the account the
 * restored address during the same freeze, the account stays frozen and gets no link to a new password.
 *
 * @returns the response for the caller
 * @throws Refusal 422 when the link is invalid or has expired
 */
export async function undoEmailChange(deps: Deps, token: string, caller: Caller): Promise<string> {
  const { db, now, config, publicUrl } = deps
  const at = now()
  const tokenHash = hashToken(token)
  const selectLink = (queryDb: Db) =>
    queryDb
      .selectFrom('mailed_links')
      .where('token_hash', '=', tokenHash)
      .where('kind', '=', 'undo-email')
      .where('ends_at', '>', at)
      .selectAll()
      .executeTakeFirst()
  return db.transaction().execute(async (tx) => {
    const foundLink = await selectLink(tx)
    if (foundLink === undefined) throw refuse(undoEmailChangeCall, 'linkDead')
    const userNum = foundLink.user_num
    const account = await selectAccount(tx, userNum, 'for change')
    // Read again, because the link may have been used or have ended before the lock was obtained.
    const link = await selectLink(tx)
    if (link === undefined) throw refuse(undoEmailChangeCall, 'linkDead')
    if (link.used_at !== null) {
      const isFrozen = account.frozen_until !== null && account.frozen_until > at
      if (isFrozen) return RECOVERY_TEXTS.undoneFrozen
      return (await hasResetLink(tx, userNum, link.used_at, at)) ? RECOVERY_TEXTS.undone : RECOVERY_TEXTS.undoneEarlier
    }
    const staysFrozen = await isAddressSetByStaff(tx, account, link.email, at, link.mailed_link)
    const isSameAddress = link.email.toLowerCase() === account.user_email.toLowerCase()
    await endMailedLinks(tx, userNum, ['reset-password', 'verify-email'])
    await endUndoLinks(tx, userNum, link.mailed_link + 1)
    await tx.updateTable('mailed_links').set({ used_at: at }).where('token_hash', '=', tokenHash).execute()
    await tx
      .updateTable('accounts')
      .set({
        user_email: link.email,
        email_verified_at: at,
        password_hash: NO_PASSWORD,
        ...(!staysFrozen && { frozen_since: null, frozen_until: null }),
      })
      .where('user_num', '=', userNum)
      .execute()
    await endSessions(tx, userNum)
    const isStaff = account.user_type >= ADMIN_USER_TYPE
    const factorsRemoved = isStaff ? 0 : await removeFactorsSince(tx, userNum, link.created_at)
    if (factorsRemoved > 0) await recordEvent(tx, { userNum, kind: 'factor-removed', caller, now: at })
    await recordEvent(tx, { userNum, kind: isSameAddress ? 'help-stopped' : 'email-restored', caller, now: at })
    const site = await readMailSite({ db: tx, config, publicUrl })
    if (staysFrozen) {
      const until = account.frozen_until ?? at
      await enqueueMail(tx, link.email, mails.resetLater(site, account.user_id, until), at, { priority: 'first' })
      return RECOVERY_TEXTS.undoneFrozen
    }
    const resetToken = createLinkToken()
    const resetHash = hashToken(resetToken)
    await insertMailedLink(tx, {
      tokenHash: resetHash,
      kind: 'reset-password',
      userNum,
      email: link.email,
      now: at,
      endsAt: new Date(at.getTime() + RESET_LINK_LIFETIME_MS),
    })
    const mail = mails.emailRestored(site, account.user_id, { token: resetToken, factorsRemoved })
    await enqueueMail(tx, link.email, mail, at, {
      priority: 'first',
      link: { tokenHash: resetHash, lifetimeMs: RESET_LINK_LIFETIME_MS },
    })
    return RECOVERY_TEXTS.undone
  })
}
