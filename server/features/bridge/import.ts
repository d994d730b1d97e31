import { sql } from 'kysely'
import { type ImportResult, type ImportRow, importAccounts } from '#contract/bridge-accounts.ts'
import type { CallAnswer, ValidInput } from '#contract/endpoint.ts'
import type { Db } from '#server/db/open.ts'
import type { Deps } from '#server/deps.ts'
import { refuse } from '#server/errors.ts'
import { hashPassword } from '#server/features/accounts/passwords.ts'
import type { BridgeCaller } from '#server/http/bridge.ts'
import { noteBalances } from './balances.ts'

/** Returns the end of the open import and who opened it; null while the import is closed. */
export async function readImport(db: Db, now: Date): Promise<{ opened_by: number; closes_at: Date } | null> {
  const openImport = await db
    .selectFrom('game_import')
    .where('closes_at', '>', now)
    .select(['opened_by', 'closes_at'])
    .executeTakeFirst()
  return openImport ?? null
}

/**
 * Imports accounts of the game, or returns a preview of the import. Staff of the game become players too. Accounts of the
 * site stay unchanged. Stores only the argon2id hash of each password. A repeated import only updates balances that are not
 * approved yet.
 *
 * @param input `apply` is false for a preview
 * @throws Refusal 409 for an import while no owner has opened it
 */
export async function importRows(
  deps: Deps,
  { bridge }: BridgeCaller,
  { apply, rows }: ValidInput<typeof importAccounts>,
): Promise<CallAnswer<typeof importAccounts>> {
  const { db, now } = deps
  const openImport = await readImport(db, now())
  if (apply && openImport === null) throw refuse(importAccounts, 'closed')
  const results = await compareRows(db, rows)
  if (apply) {
    const isImportable = ({ game_user_num }: ImportRow) => ['new', 'site'].includes(results.get(game_user_num) ?? '')
    const hashedRows = await Promise.all(
      rows.filter(isImportable).map(async (row) => ({ row, hash: await hashPassword(row.password) })),
    )
    await db.transaction().execute(async (tx) => {
      if ((await readImport(tx, now())) === null) throw refuse(importAccounts, 'closed')
      for (const { row, hash } of hashedRows) {
        const { rows: insertedRows } = await sql`
          insert into game_imports (game_user_num, bridge, user_id, form, form_hash, game_user_type, blocked, blocked_until, imported_at)
          select ${row.game_user_num}, ${bridge}, ${row.user_id}, ${row.form}, ${hash}, ${row.user_type}, ${row.blocked},
            ${row.blocked_until}, ${now()}
          where not exists (select from game_links where game_user_num = ${row.game_user_num})
          on conflict do nothing returning game_user_num`.execute(tx)
        if (insertedRows.length > 0) await requestOldPassword(tx, row.user_id, now())
      }
      const importedRows = rows.filter(({ game_user_num }) =>
        ['new', 'site', 'known'].includes(results.get(game_user_num) ?? ''),
      )
      await noteBalances(tx, bridge, importedRows, now())
    })
  }
  return {
    now: now(),
    open_until: openImport?.closes_at ?? null,
    rows: rows.map(({ game_user_num }) => ({ game_user_num, became: results.get(game_user_num) ?? 'doubled' })),
  }
}

/** Returns the result of the import for each account. */
async function compareRows(db: Db, rows: readonly ImportRow[]): Promise<Map<number, ImportResult>> {
  const rowsJson = JSON.stringify(rows.map(({ game_user_num, user_id }) => ({ game_user_num, user_id })))
  const { rows: resultRows } = await sql<{ game_user_num: number; became: ImportResult }>`
    select g.game_user_num, case
      when exists (select from game_imports i where i.game_user_num = g.game_user_num) then 'known'
      when exists (select from game_links l where l.game_user_num = g.game_user_num) then 'linked'
      when exists (select from game_imports i where lower(i.user_id) = lower(g.user_id))
        or row_number() over (partition by lower(g.user_id) order by g.game_user_num) > 1 then 'doubled'
      when exists (select from accounts a where lower(a.user_id) = lower(g.user_id)) then 'site'
      else 'new' end as became
    from jsonb_to_recordset(${rowsJson}::jsonb) as g (game_user_num bigint, user_id text)`.execute(db)
  return new Map(resultRows.map(({ game_user_num, became }) => [Number(game_user_num), became]))
}

/**
 * Marks the site's account with an imported ID as `taken` until its player enters the game's old password, unless the
 * account is linked.
 */
async function requestOldPassword(tx: Db, userId: string, now: Date): Promise<void> {
  await sql`
    insert into game_accounts (user_num, state, changed_at)
    select a.user_num, 'taken', ${now} from accounts a
    where lower(a.user_id) = lower(${userId}) and a.erased_at is null
      and not exists (select from game_links l where l.user_num = a.user_num)
    on conflict (user_num) do update set state = 'taken', changed_at = excluded.changed_at
    where game_accounts.state in ('creating', 'gone')`.execute(tx)
}

/** Returns whether an ID is reserved for an imported player who has not logged in yet. */
export async function isReservedForImport(db: Db, userId: string): Promise<boolean> {
  const { rows } = await sql`
    select from game_imports i where lower(i.user_id) = lower(${userId}) and i.user_num is null
      and not exists (select from accounts a where lower(a.user_id) = lower(${userId}))`.execute(db)
  return rows.length > 0
}
