import { sql } from 'kysely'
import { ACCOUNT_TEXTS, getUserIp, whitelistUserIp } from '#contract/accounts.ts'
import { WHITELIST_MAX } from '#contract/limits.ts'
import type { Deps } from '#server/deps.ts'
import type { Caller } from '#server/http/client-address.ts'
import { type MountedCall, mount } from '#server/http/mount.ts'
import type { Session } from '#server/http/session.ts'
import { enqueueMail } from '#server/mail/outbox.ts'
import { readMailSite } from '#server/mail/site.ts'
import { mails } from '#server/mail/templates.ts'
import { recordEvent } from '../accounts/events.ts'

/** The calls of whitelisted addresses (WHITELIST-1, WHITELIST-3). */
export const whitelistCalls: MountedCall[] = [
  mount(getUserIp, async (_, { deps, session, caller: { address } }) => {
    const addressRow = await deps.db
      .selectFrom('whitelisted_addresses')
      .where('user_num', '=', session.userNum)
      .where('address', '=', address)
      .select('address')
      .executeTakeFirst()
    return { useripdata: { CC_IP: address, CC_status: addressRow === undefined ? 0 : 1 } }
  }),
  mount(whitelistUserIp, async (_, { deps, session, caller }) => {
    await whitelistAddress(deps, session, caller)
    return { message: ACCOUNT_TEXTS.whitelisted }
  }),
]

/**
 * Adds the caller's address to the account's whitelist, which retains the five newest addresses. Repeating it for the same
 * address succeeds and sends no email.
 */
async function whitelistAddress({ db, now, config, publicUrl }: Deps, session: Session, caller: Caller): Promise<void> {
  const savedAt = now()
  await db.transaction().execute(async (tx) => {
    // Locks the account, because concurrent requests must not store more than five addresses.
    const account = await tx
      .selectFrom('accounts')
      .where('user_num', '=', session.userNum)
      .select('user_email')
      .forUpdate()
      .executeTakeFirstOrThrow()
    const addedRows = await tx
      .insertInto('whitelisted_addresses')
      .values({ user_num: session.userNum, address: caller.address, created_at: savedAt })
      .onConflict((conflict) => conflict.doNothing())
      .returning('address')
      .execute()
    if (addedRows.length === 0) return
    await sql`
      delete from whitelisted_addresses where user_num = ${session.userNum} and address not in (
        select address from whitelisted_addresses where user_num = ${session.userNum}
        order by address = ${caller.address} desc, created_at desc, address limit ${WHITELIST_MAX})`.execute(tx)
    await recordEvent(tx, { userNum: session.userNum, kind: 'address-whitelisted', caller, now: savedAt })
    const site = await readMailSite({ db: tx, config, publicUrl })
    await enqueueMail(tx, account.user_email, mails.addressWhitelisted(site, session.userId, caller.address), savedAt)
  })
}
