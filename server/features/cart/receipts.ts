import { sql } from 'kysely'
import { R_COIN_SECTION } from '#contract/limits.ts'
import type { Deps } from '#server/deps.ts'
import { enqueueMail } from '#server/mail/outbox.ts'
import { mails } from '#server/mail/templates.ts'
import { selectPurchases } from './queries.ts'

const AT_ONCE = 20

/** Turns receipts that are due into mails, each once. @returns how many */
export async function mailReceipts({ db, now, config, publicUrl }: Deps): Promise<number> {
  return db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ user_num: number; first_ordinal: number; last_ordinal: number }>`
      delete from receipts_due where (user_num, first_ordinal) in (
        select user_num, first_ordinal from receipts_due order by created_at limit ${AT_ONCE} for update skip locked)
      returning user_num, first_ordinal, last_ordinal`.execute(tx)
    for (const { user_num, first_ordinal, last_ordinal } of rows) {
      const account = await tx
        .selectFrom('accounts')
        .where('user_num', '=', user_num)
        .select(['user_id', 'user_email'])
        .executeTakeFirstOrThrow()
      const purchases = await selectPurchases(tx, user_num, { from: first_ordinal, to: last_ordinal })
      const lines = purchases.reverse().map(({ item_name, quantity, price, section }) => {
        const currency = section === R_COIN_SECTION ? 'R-Coin' : 'Milleage'
        return `${quantity} x ${item_name}: ${(price * quantity).toLocaleString('en-US')}.00 ${currency}`
      })
      await enqueueMail(
        tx,
        account.user_email,
        mails.receipt({ appName: config.appName, publicUrl }, account.user_id, lines),
        now(),
      )
    }
    return rows.length
  })
}
