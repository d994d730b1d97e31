import { sql } from 'kysely'
import { R_COIN_SECTION } from '#contract/limits.ts'
import { formatMoney } from '#contract/numbers.ts'
import { formatItemName } from '#contract/services.ts'
import type { Db } from '#server/db/open.ts'
import type { Deps } from '#server/deps.ts'
import { enqueueMail } from '#server/mail/outbox.ts'
import { readMailSite } from '#server/mail/site.ts'
import { mails } from '#server/mail/templates.ts'
import { selectCurrencyNames } from '#server/settings.ts'
import { selectPurchases } from './queries.ts'

const RECEIPT_BATCH_SIZE = 20

/** Returns whether a receipt is due. */
export async function hasDueReceipt(db: Db): Promise<boolean> {
  const { rows } = await sql<{ due: boolean }>`select exists (select from receipts_due) as due`.execute(db)
  return rows[0]?.due === true
}

/** Mails the receipts that are due, each once, a few in each transaction. @returns the number of mails */
export async function mailReceipts(deps: MailDeps, signal?: AbortSignal): Promise<number> {
  for (let total = 0; ; ) {
    const count = signal?.aborted ? 0 : await mailBatch(deps)
    total += count
    if (count < RECEIPT_BATCH_SIZE) return total
  }
}

type MailDeps = Pick<Deps, 'db' | 'now' | 'config' | 'publicUrl'>

function mailBatch({ db, now, config, publicUrl }: MailDeps): Promise<number> {
  return db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ user_num: number; first_ordinal: number; last_ordinal: number }>`
      delete from receipts_due where (user_num, first_ordinal) in (
        select user_num, first_ordinal from receipts_due order by created_at limit ${RECEIPT_BATCH_SIZE} for update skip locked)
      returning user_num, first_ordinal, last_ordinal`.execute(tx)
    const site = await readMailSite({ db: tx, config, publicUrl })
    const currencies = await selectCurrencyNames(tx)
    for (const { user_num, first_ordinal, last_ordinal } of rows) {
      const account = await tx
        .selectFrom('accounts')
        .where('user_num', '=', user_num)
        .select(['user_id', 'user_email'])
        .executeTakeFirstOrThrow()
      const purchases = await selectPurchases(tx, user_num, { from: first_ordinal, to: last_ordinal })
      const giftFor = purchases[0]?.gift_to ?? null
      const lines = purchases.reverse().map(({ item_name, service, quantity, price, section }) => {
        const currency = section === R_COIN_SECTION ? currencies.rCoin : currencies.milleage
        return `${quantity} x ${formatItemName(item_name, service)}: ${formatMoney(price * quantity)} ${currency}`
      })
      const content = mails.receipt(site, account.user_id, { lines, giftFor })
      await enqueueMail(tx, account.user_email, content, now(), { priority: 'last' })
    }
    return rows.length
  })
}
