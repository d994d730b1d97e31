import { sql } from 'kysely'
import { DESK_PAGE_SIZE } from '#contract/desk.ts'
import type { ValidInput } from '#contract/endpoint.ts'
import { toDayRange } from '#contract/manila.ts'
import type { getLedger } from '#contract/wallet.ts'
import type { Db } from '#server/db/open.ts'
import { combineConditions, createNumberOrder, cutPage, parseTypedNumber, type RowOf } from '#server/http/desk-lists.ts'

/** Selects a page of the ledger. The cursor is an entry's number, because entries are numbered in their order. */
export async function selectLedger(db: Db, filters: ValidInput<typeof getLedger>) {
  const { after, sort, player, currency, reason, from, until } = filters
  const startsAt = toDayRange(from)?.startsAt
  const endsAt = toDayRange(until)?.endsAt
  if ((from !== '' && startsAt === undefined) || (until !== '' && endsAt === undefined)) return { rows: [], next: null }
  const { condition: afterCursor, order } = createNumberOrder('l.entry', after, sort === 'entry')
  const { rows } = await sql<RowOf<typeof getLedger>>`
    select l.entry, l.created_at as at, l.user_num, a.user_id, l.currency, l.delta, l.balance_after, l.reason,
      l.reference, b.user_id as actor, l.reverses
    from ledger l join accounts a using (user_num) left join accounts b on b.user_num = l.actor
    where ${combineConditions([
      afterCursor,
      player !== '' &&
        sql`l.user_num = (select user_num from accounts where lower(user_id) = lower(${player}) or user_num = ${parseTypedNumber(player)}
          order by lower(user_id) = lower(${player}) desc limit 1)`,
      currency !== '' && sql`l.currency = ${currency}`,
      reason !== '' && sql`l.reason = ${reason}`,
      startsAt !== undefined && sql`l.created_at >= ${startsAt}`,
      endsAt !== undefined && sql`l.created_at <= ${endsAt}`,
    ])}
    order by ${order} limit ${sql.lit(DESK_PAGE_SIZE + 1)}`.execute(db)
  return cutPage(rows, ({ entry }) => entry)
}
