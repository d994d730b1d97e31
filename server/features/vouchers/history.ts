import { HISTORY_PAGE_SIZE } from '#contract/limits.ts'
import { pageThrough } from '#contract/paging.ts'
import type { Deps } from '#server/deps.ts'

/** A page of what an account redeemed, newest first; found by number, however long the history. */
export async function listTopups({ db }: Deps, userNum: number, wanted: number) {
  const { topup_count: total } = await db
    .selectFrom('accounts')
    .where('user_num', '=', userNum)
    .select('topup_count')
    .executeTakeFirstOrThrow()
  const { page, paging } = pageThrough(wanted, total, HISTORY_PAGE_SIZE)
  const to = total - (page - 1) * HISTORY_PAGE_SIZE
  const rows = await db
    .selectFrom('topups')
    .where('user_num', '=', userNum)
    .where('ordinal', '<=', to)
    .where('ordinal', '>', to - HISTORY_PAGE_SIZE)
    .select(['code', 'r_coin', 'milleage', 'created_at'])
    .orderBy('ordinal', 'desc')
    .execute()
  return {
    topuphistory: rows.map((row) => ({
      CardCode: row.code,
      DateTopUp: row.created_at.toISOString(),
      Cardvalue: row.r_coin,
      CardMilleage: row.milleage,
    })),
    ...paging,
  }
}
