import type { Context } from 'hono'
import { sql } from 'kysely'
import { ACCOUNT } from '#contract/account-messages.ts'
import { WHITELIST_MAX } from '#contract/limits.ts'
import type { Deps } from '#server/deps.ts'
import type { Caller } from '#server/http/caller.ts'
import { authenticate, prepareSession, type Session } from '#server/http/session.ts'
import { enqueueMail } from '#server/mail/outbox.ts'
import { mails } from '#server/mail/templates.ts'
import { recordEvent } from '../accounts/events.ts'

const ADDRESS = Symbol('address')
const SESSION = prepareSession<{ whitelisted: boolean }>(
  'session_whitelisted',
  sql`, exists (
    select from whitelisted_addresses w where w.user_num = s.user_num and w.address = ${ADDRESS}) as whitelisted`,
)

/** Whether the account of the request's token has whitelisted the address. @throws Refusal 401 without a live session */
export async function isWhitelisted(c: Context, deps: Deps, address: string): Promise<boolean> {
  return (await authenticate(c, deps, SESSION, { [ADDRESS]: address })).whitelisted
}

/**
 * Whitelists an address for the account; it keeps its five newest. Asking again for the
 * same one succeeds and sends no mail.
 */
export async function whitelistAddress(deps: Deps, session: Session, caller: Caller): Promise<string> {
  const { db, now, config, publicUrl } = deps
  const at = now()
  await db.transaction().execute(async (tx) => {
    // The account's row is the lock: two requests at once never leave more than five.
    const account = await tx
      .selectFrom('accounts')
      .where('user_num', '=', session.userNum)
      .select('user_email')
      .forUpdate()
      .executeTakeFirstOrThrow()
    const added = await tx
      .insertInto('whitelisted_addresses')
      .values({ user_num: session.userNum, address: caller.address, created_at: at })
      .onConflict((conflict) => conflict.doNothing())
      .returning('address')
      .execute()
    if (added.length === 0) return
    await sql`
      delete from whitelisted_addresses where user_num = ${session.userNum} and address not in (
        select address from whitelisted_addresses where user_num = ${session.userNum}
        order by address = ${caller.address} desc, created_at desc, address limit ${WHITELIST_MAX})`.execute(tx)
    await recordEvent(tx, { userNum: session.userNum, kind: 'address-whitelisted', caller, now: at })
    const site = { appName: config.appName, publicUrl }
    await enqueueMail(tx, account.user_email, mails.addressWhitelisted(site, session.userId, caller.address), at)
  })
  return ACCOUNT.whitelisted
}
