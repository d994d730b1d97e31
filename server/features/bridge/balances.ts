import { sql } from 'kysely'
import { GAME_STAFF_TYPE } from '#contract/bridge.ts'
import { type AccountWork, BRIDGE_ACCOUNTS_AT_ONCE } from '#contract/bridge-accounts.ts'
import { GAME_BALANCE_MAX } from '#contract/limits.ts'
import type { Db } from '#server/db/open.ts'
import { bookMoney } from '#server/features/wallet/book.ts'
import type { BridgeCaller } from '#server/http/bridge.ts'

type Seen = { game_user_num: number; user_type: number; balance: number }

/** What the import has seen of balances, for two operators to look at. What they have decided on stays as it is. */
export async function noteBalances(tx: Db, bridge: number, rows: readonly Seen[], now: Date): Promise<void> {
  const empty = rows.filter(({ balance }) => balance === 0).map(({ game_user_num }) => game_user_num)
  const isUndecided = sql`game_user_num = any(${empty}::bigint[]) and state in ('seen', 'impossible', 'staff', 'refused')`
  await sql`delete from game_balances where ${isUndecided} and user_num is null`.execute(tx)
  // One that was booked, and that a restored game had again, stays known, so that it is never booked twice.
  await sql`update game_balances set state = 'taken', problem = '', changed_at = ${now} where ${isUndecided}`.execute(
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

/** Whether balances wait to be taken out of the game. */
export async function hasBalances(db: Db): Promise<boolean> {
  const row = await db
    .selectFrom('game_balances as b')
    .innerJoin('game_imports as i', 'i.game_user_num', 'b.game_user_num')
    .where('b.state', '=', 'approved')
    .select('b.game_user_num')
    .executeTakeFirst()
  return row !== undefined
}

/** Hands out balances that two operators have approved; the same ones until they are reported. */
export async function handOutBalances(tx: Db, { bridge }: BridgeCaller, now: Date): Promise<AccountWork[]> {
  const { rows } = await sql<{ game_user_num: number; user_id: string; most: number }>`
    with due as materialized (
      select approved.game_user_num, i.user_id
      from game_balances approved join game_imports i on i.game_user_num = approved.game_user_num
      where approved.state = 'approved'
      order by approved.game_user_num limit ${BRIDGE_ACCOUNTS_AT_ONCE} for update of approved skip locked)
    update game_balances b set handed_by = ${bridge}, changed_at = ${now}
    from due where b.game_user_num = due.game_user_num
    returning b.game_user_num, due.user_id, b.amount as most`.execute(tx)
  return rows.map((row) => ({ kind: 'balance', ...row, most: Number(row.most) }))
}

/**
 * Books what a bridge has taken out of the game, or why it stayed there. Once for each account of the game, never more than
 * was approved, and only to the bridge that was asked.
 */
export async function bookTaken(
  tx: Db,
  { bridge }: BridgeCaller,
  { game_user_num, amount, detail }: { game_user_num: number; amount: number | null; detail: string },
  now: Date,
): Promise<void> {
  const row = await tx
    .selectFrom('game_balances')
    .where('game_user_num', '=', game_user_num)
    .where('state', '=', 'approved')
    .where('handed_by', '=', bridge)
    .select(['amount', 'user_num'])
    .forUpdate()
    .executeTakeFirst()
  if (row === undefined) return
  const isTaken = amount !== null && amount <= Number(row.amount)
  await tx
    .updateTable('game_balances')
    .set({
      changed_at: now,
      ...(isTaken
        ? // Booked is what the ledger entry says, whatever a restored game had of it.
          { state: 'taken' as const, ...(row.user_num === null && { amount }) }
        : {
            state: 'refused' as const,
            problem: amount === null ? detail : `The bridge says ${amount}, more than was approved.`,
          }),
    })
    .where('game_user_num', '=', game_user_num)
    .execute()
  if (isTaken) await bookBalance(tx, game_user_num, now)
}

/** Books a balance that was taken out of the game, once, when its player has an account here. */
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
  const booked =
    delta > 0 ? await bookMoney(tx, user_num, { currency: 'r_coin', delta, reason: 'moved-in', reference, now }) : null
  await tx
    .updateTable('game_balances')
    .set({ user_num, ledger_entry: booked?.entry ?? null })
    .where('game_user_num', '=', gameUserNum)
    .execute()
}
