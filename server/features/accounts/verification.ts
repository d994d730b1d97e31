import { Hono } from 'hono'
import { HOUR_MS } from '#contract/durations.ts'
import { VERIFY_LINK_LIFETIME_MS } from '#contract/limits.ts'
import type { Db } from '#server/db/open.ts'
import type { Deps } from '#server/deps.ts'
import type { Caller } from '#server/http/client-address.ts'
import { identifyCaller } from '#server/http/client-address.ts'
import { createLinkToken, hashToken } from '#server/http/tokens.ts'
import { enqueueMail } from '#server/mail/outbox.ts'
import { readMailSite } from '#server/mail/site.ts'
import { mails } from '#server/mail/templates.ts'
import { recordEvent } from './events.ts'
import { insertMailedLink, lockAccountOfLink, selectAccount } from './queries.ts'

/** The shortest time between two links mailed for logins with an unverified address. */
const RESEND_INTERVAL_MS = HOUR_MS

/** Mails the link that verifies an address. Call it in the transaction that sets the address. */
export async function sendVerification(
  tx: Db,
  account: { userNum: number; userId: string; email: string },
  { now, config, publicUrl }: Deps,
): Promise<void> {
  const token = createLinkToken()
  const tokenHash = hashToken(token)
  const at = now()
  await insertMailedLink(tx, {
    tokenHash,
    kind: 'verify-email',
    userNum: account.userNum,
    email: account.email,
    now: at,
    endsAt: new Date(at.getTime() + VERIFY_LINK_LIFETIME_MS),
  })
  const site = await readMailSite({ db: tx, config, publicUrl })
  await enqueueMail(tx, account.email, mails.verifyEmail(site, account.userId, token), at, {
    priority: 'first',
    link: { tokenHash, lifetimeMs: VERIFY_LINK_LIFETIME_MS },
  })
}

/** Mails the link again, unless the address is verified or a link was sent within the last hour. */
export async function resendVerification(deps: Deps, userNum: number): Promise<void> {
  await deps.db.transaction().execute(async (tx) => {
    const account = await selectAccount(tx, userNum, 'for change')
    const recentLink = await tx
      .selectFrom('mailed_links')
      .where('user_num', '=', userNum)
      .where('kind', '=', 'verify-email')
      .where('created_at', '>', new Date(deps.now().getTime() - RESEND_INTERVAL_MS))
      .select('kind')
      .executeTakeFirst()
    if (recentLink !== undefined || account.email_verified_at !== null) return
    await sendVerification(tx, { userNum, userId: account.user_id, email: account.user_email }, deps)
  })
}

/** Verifies an address by its mailed link, which may be used again. @returns whether the link was valid */
async function verifyEmail({ db, browseDb, now }: Deps, token: string, caller: Caller): Promise<boolean> {
  const at = now()
  const tokenHash = hashToken(token)
  // Invalid tokens must not occupy the connections that purchases use.
  const link = await browseDb
    .selectFrom('mailed_links')
    .where('token_hash', '=', tokenHash)
    .select('kind')
    .executeTakeFirst()
  if (link === undefined) return false
  return db.transaction().execute(async (tx) => {
    const account = await lockAccountOfLink(tx, { kind: 'verify-email', tokenHash, now: at })
    if (account === undefined) return false
    if (account.email_verified_at !== null) return true
    await tx.updateTable('accounts').set({ email_verified_at: at }).where('user_num', '=', account.user_num).execute()
    await recordEvent(tx, { userNum: account.user_num, kind: 'email-verified', caller, now: at })
    return true
  })
}

/**
 * Confirms the email address of a mailed link. The link opens a page whose button posts to the same path, because mail
 * scanners open links too.
 */
export function createVerifyEmailRoute(deps: Deps) {
  return new Hono().post('/verifyemail', async (c) => {
    const isConfirmed = await verifyEmail(
      deps,
      c.req.query('token') ?? '',
      identifyCaller(c, deps.config.trustedProxies),
    )
    c.header('Cache-Control', 'no-store')
    return c.redirect(`/login?verified=${isConfirmed ? 1 : 0}`, 303)
  })
}
