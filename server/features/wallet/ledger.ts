import { sql } from 'kysely'
import type { Db } from '#server/db/open.ts'

export type LedgerFault = { userNum: number; currency: 'r_coin' | 'milleage'; balance: number; booked: number }

/**
 * Finds the first account whose balance differs from the sum of its ledger entries (MONEY-2). Returns null if there is none.
 */
export async function findLedgerFault(db: Db): Promise<LedgerFault | null> {
  const { rows } = await sql<{ user_num: number; currency: 'r_coin' | 'milleage'; balance: number; booked: number }>`
    select a.user_num, b.currency, b.balance, coalesce(l.booked, 0)::bigint as booked
    from accounts a
    cross join lateral (values ('r_coin', a.r_coin), ('milleage', a.milleage)) as b (currency, balance)
    left join (select user_num, currency, sum(delta) as booked from ledger group by user_num, currency) l
      on l.user_num = a.user_num and l.currency = b.currency
    where b.balance <> coalesce(l.booked, 0)
    order by a.user_num, b.currency limit 1`.execute(db)
  const faultRow = rows[0]
  if (faultRow === undefined) return null
  return {
    userNum: faultRow.user_num,
    currency: faultRow.currency,
    balance: faultRow.balance,
    booked: Number(faultRow.booked),
  }
}
