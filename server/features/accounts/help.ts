import { sql } from 'kysely'
import { HELP_FREEZE_PERIOD_MS, UNDO_EMAIL_LINK_LIFETIME_MS } from '#contract/limits.ts'
import { isFrozen } from '#server/db/blocked.ts'
import type { Db } from '#server/db/open.ts'
import type { Deps } from '#server/deps.ts'
import { createLinkToken, hashToken } from '#server/http/tokens.ts'
import { enqueueMail } from '#server/mail/outbox.ts'
import { readMailSite } from '#server/mail/site.ts'
import { mails } from '#server/mail/templates.ts'
import { type Account, insertMailedLink } from './queries.ts'

/**
 * Freezes an account when staff restore access to it. For 24 hours it can't spend and gets no other reset link, so its owner
 * has time to stop the help if they did not request it. The caller holds the account's lock.
 */
export async function freezeAccount(tx: Db, account: Account, now: Date): Promise<void> {
  await tx
    .updateTable('accounts')
    .set({
      frozen_since: isFrozen(account, now) ? account.frozen_since : now,
      frozen_until: new Date(now.getTime() + HELP_FREEZE_PERIOD_MS),
    })
    .where('user_num', '=', account.user_num)
    .execute()
}

/**
 * Freezes an account and notifies its address of the staff's help, with a link that undoes it. An address that staff set
 * as part of the same help gets no link, because it may belong to a stranger.
 */
export async function announceHelp(
  { db: tx, now, config, publicUrl }: Deps,
  account: Account,
  helpText: string,
): Promise<void> {
  const at = now()
  const userNum = account.user_num
  await freezeAccount(tx, account, at)
  const site = await readMailSite({ db: tx, config, publicUrl })
  if (await isAddressSetByStaff(tx, account, account.user_email, at)) {
    await enqueueMail(tx, account.user_email, mails.helped(site, account.user_id, { what: helpText, token: null }), at)
    return
  }
  const token = createLinkToken()
  const tokenHash = hashToken(token)
  const endsAt = new Date(at.getTime() + UNDO_EMAIL_LINK_LIFETIME_MS)
  await insertMailedLink(tx, { tokenHash, kind: 'undo-email', userNum, email: account.user_email, now: at, endsAt })
  await enqueueMail(tx, account.user_email, mails.helped(site, account.user_id, { what: helpText, token }), at, {
    priority: 'first',
    link: { tokenHash, lifetimeMs: UNDO_EMAIL_LINK_LIFETIME_MS },
  })
}

/**
 * Returns whether staff set an address on a frozen account after the help began.
 *
 * @param beforeLink the number of the link mailed to this address; later links do not count. By default, all links count
 */
export async function isAddressSetByStaff(
  tx: Db,
  account: Account,
  address: string,
  now: Date,
  beforeLink: number = Number.MAX_SAFE_INTEGER,
): Promise<boolean> {
  if (!isFrozen(account, now)) return false
  const earlierLink = await tx
    .selectFrom('mailed_links')
    .where('user_num', '=', account.user_num)
    .where('kind', '=', 'undo-email')
    .where('used_at', 'is', null)
    .where('created_at', '>=', account.frozen_since)
    .where('mailed_link', '<', beforeLink)
    .where(sql`lower(email)`, '<>', address.toLowerCase())
    .select('mailed_link')
    .executeTakeFirst()
  return earlierLink !== undefined
}
