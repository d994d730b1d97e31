import { sql } from 'kysely'
import { GAME_STAFF_TYPE } from '#contract/bridge.ts'
import { type AccountWork, BRIDGE_ACCOUNTS_AT_ONCE } from '#contract/bridge-accounts.ts'
import { GAME_BALANCE_MAX } from '#contract/limits.ts'
import type { Db } from '#server/db/open.ts'
import { bookMoney } from '#server/features/wallet/book.ts'
import type { BridgeCaller } from '#server/http/bridge.ts'
import { noteComparisonProgress } from './database-state.ts'

/** How many balances the bridge compares with one request. */
const COMPARISON_BATCH_SIZE = 500

type ReportedBalance = { game_user_num: number; user_type: number; balance: number }

/**
 * Stores the balances of imported accounts, which two operators have to approve. Approved and taken balances stay
 * unchanged.
 */
export async function noteBalances(tx: Db, bridge: number, rows: readonly ReportedBalance[], now: Date): Promise<void> {
  const emptyAccounts = rows.filter(({ balance }) => balance === 0).map(({ game_user_num }) => game_user_num)
  const isEmptyAndUndecided = sql`game_user_num = any(${emptyAccounts}::bigint[]) and state in ('seen', 'impossible', 'staff', 'refused')`
  await sql`delete from game_balances where ${isEmptyAndUndecided} and user_num is null`.execute(tx)
  // The other empty balances have a user_num: they were booked before the game was restored. The state `taken` prevents
  // a second booking.
  await sql`update game_balances set state = 'taken', problem = '', changed_at = ${now} where ${isEmptyAndUndecided}`.execute(
    tx,
  )
  for (const { game_user_num, user_type, balance } of rows) {
    if (balance === 0) continue
    const isPossible = Number.isSafeInteger(balance) && balance > 0 && balance <= GAME_BALANCE_MAX
    const state = !isPossible ? 'impossible' : user_type >= GAME_STAFF_TYPE ? 'staff' : 'seen'
    const amount = Math.trunc(Math.max(-Number.MAX_SAFE_INTEGER, Math.min(balance, Number.MAX_SAFE_INTEGER)))
    await sql`
      insert into game_balances (bridge, game_user_num, amount, state, changed_at)
      values (${bridge}, ${game_user_num}, ${amount}, ${state}, ${now})
      on conflict (game_user_num) do update set amount = excluded.amount, state = excluded.state, problem = '',
        changed_at = excluded.changed_at, bridge = excluded.bridge
      where game_balances.state in ('seen', 'impossible', 'staff', 'refused')`.execute(tx)
  }
}

/** The SQL condition that a balance `b` has to leave the game: it is approved, or a restore has brought it back. */
const isDue = sql<boolean>`(b.state = 'approved' or b.state = 'taken' and b.back_amount is not null)`

/** Returns whether balances wait to be taken out of the game. */
export async function hasDueBalances(db: Db): Promise<boolean> {
  const row = await db
    .selectFrom('game_balances as b')
    // The import is missing after an erasure; without it the bridge cannot identify the account.
    .innerJoin('game_imports as i', 'i.game_user_num', 'b.game_user_num')
    .where(isDue)
    .select('b.game_user_num')
    .executeTakeFirst()
  return row !== undefined
}

/** Selects a page of imported balances, by account number, for the bridge to find in a restored game. */
export async function selectImportedBalances(
  tx: Db,
  after: number | null,
): Promise<{ game_user_num: number; amount: number }[]> {
  const { rows } = await sql<{ game_user_num: number; amount: number }>`
    select b.game_user_num, b.amount from game_balances b join game_imports i on i.game_user_num = b.game_user_num
    where b.state = 'taken' and b.amount > 0 and (${after}::bigint is null or b.game_user_num > ${after}::bigint)
    order by b.game_user_num limit ${COMPARISON_BATCH_SIZE}`.execute(tx)
  return rows.map(({ game_user_num, amount }) => ({ game_user_num: Number(game_user_num), amount: Number(amount) }))
}

/** Records which imported balances a restored game has again; the booked amounts stay on the site. */
export async function noteComparedBalances(
  tx: Db,
  { through, back }: { through: number; back: readonly { game_user_num: number; found: number }[] },
  now: Date,
): Promise<void> {
  for (const { game_user_num, found } of back)
    await tx
      .updateTable('game_balances')
      .set({ back_amount: found, back_at: now })
      .where('game_user_num', '=', game_user_num)
      .where('state', '=', 'taken')
      .execute()
  await noteComparisonProgress(tx, 'user', through)
}

/** Counts the balances that a restore has brought back into the game and that have to be removed again. */
export async function countReturnedBalances(db: Db): Promise<{ count: number; sum: number }> {
  const { rows } = await sql<{ count: number; sum: number }>`
    select count(*)::int as count, coalesce(sum(least(back_amount, amount)), 0)::bigint as sum
    from game_balances where state = 'taken' and back_amount is not null`.execute(db)
  return { count: rows[0]?.count ?? 0, sum: Number(rows[0]?.sum ?? 0) }
}

/** Issues the balances that are due. A balance is issued again until the bridge has reported it. */
export async function issueBalances(tx: Db, { bridge }: BridgeCaller, now: Date): Promise<AccountWork[]> {
  const { rows } = await sql<{ game_user_num: number; user_id: string; most: number; is_back: boolean }>`
    with due as materialized (
      select b.game_user_num, i.user_id
      from game_balances b join game_imports i on i.game_user_num = b.game_user_num
      where ${isDue}
      order by b.game_user_num limit ${BRIDGE_ACCOUNTS_AT_ONCE} for update of b skip locked)
    update game_balances b set handed_by = ${bridge}, changed_at = ${now}
    from due where b.game_user_num = due.game_user_num
    returning b.game_user_num, due.user_id, b.amount as most, b.state = 'taken' as is_back`.execute(tx)
  return rows.map(({ is_back, ...row }) => ({
    kind: 'balance',
    ...row,
    most: Number(row.most),
    ...(is_back && { again: true as const }),
  }))
}

/**
 * Books a balance that a bridge has removed from the game, or records why the bridge could not. Books each account of the
 * game once, with at most the approved amount, and only from the bridge that the work was issued to.
 */
export async function bookTakenBalance(
  tx: Db,
  { bridge }: BridgeCaller,
  { game_user_num, amount, detail }: { game_user_num: number; amount: number | null; detail: string },
  now: Date,
): Promise<void> {
  const row = await tx
    .selectFrom('game_balances as b')
    .where('game_user_num', '=', game_user_num)
    .where(isDue)
    .where('handed_by', '=', bridge)
    .select(['amount', 'user_num', 'state', 'spent'])
    .forUpdate()
    .executeTakeFirst()
  if (row === undefined) return
  if (row.state === 'taken') {
    // The balance was booked before, so an amount that is missing in the game may have been spent twice.
    const spent = amount === null ? 0 : Math.max(0, Number(row.amount) - amount)
    await tx
      .updateTable('game_balances')
      .set({
        back_amount: null,
        back_at: null,
        changed_at: now,
        problem: amount === null ? detail : '',
        spent: Number(row.spent) + spent,
      })
      .where('game_user_num', '=', game_user_num)
      .execute()
    return
  }
  const isAccepted = amount !== null && amount <= Number(row.amount)
  await tx
    .updateTable('game_balances')
    .set({
      changed_at: now,
      ...(isAccepted
        ? // A booked amount stays as in its ledger entry, even if a restored game has another one.
          { state: 'taken' as const, ...(row.user_num === null && { amount }) }
        : {
            state: 'refused' as const,
            problem: amount === null ? detail : `The bridge reported ${amount}, more than was approved.`,
          }),
    })
    .where('game_user_num', '=', game_user_num)
    .execute()
  if (isAccepted) await bookBalance(tx, game_user_num, now)
}

/** Books a balance that was removed from the game, once, if its player has an account on the site. */
export async function bookBalance(tx: Db, gameUserNum: number, now: Date): Promise<void> {
  const row = await tx
    .selectFrom('game_balances as b')
    .innerJoin('game_links as l', 'l.game_user_num', 'b.game_user_num')
    .where('b.game_user_num', '=', gameUserNum)
    .where('b.state', '=', 'taken')
    .where('b.user_num', 'is', null)
    .select(['b.amount', 'l.user_num'])
    .forUpdate('b')
    .executeTakeFirst()
  if (row === undefined) return
  const { user_num } = row
  const delta = Number(row.amount)
  const reference = `game account ${gameUserNum}`
  const ledgerEntry =
    delta > 0 ? await bookMoney(tx, user_num, { currency: 'r_coin', delta, reason: 'moved-in', reference, now }) : null
  await tx
    .updateTable('game_balances')
    .set({ user_num, ledger_entry: ledgerEntry?.entry ?? null })
    .where('game_user_num', '=', gameUserNum)
    .execute()
}
