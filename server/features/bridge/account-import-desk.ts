import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { ACCOUNT_PROBLEMS } from '#contract/bridge-accounts.ts'
import * as calls from '#contract/desk-account-import.ts'
import { HOUR_MS } from '#contract/durations.ts'
import type { CallAnswer } from '#contract/endpoint.ts'
import { GAME_BALANCE_MAX } from '#contract/limits.ts'
import { formatCount } from '#contract/numbers.ts'
import { OWNER } from '#contract/permissions.ts'
import type { Db } from '#server/db/open.ts'
import { refuse } from '#server/errors.ts'
import { type MountedCall, mount } from '#server/http/mount.ts'
import { linkRenamedAccount, releaseGameAccount } from './accounts.ts'
import { readImport } from './import.ts'

type AccountImport = CallAnswer<typeof calls.getAccountImport>

/** The largest number of rows that the screen shows in each list. */
const STAFF_MAX = 100
const PROBLEMS_MAX = 200
const BALANCES_MAX = 20

/** The desk's calls about the import of players from the game. */
export const accountImportDeskCalls: MountedCall[] = [
  mount(calls.getAccountImport, async (_, { deps: { browseDb: db, now } }) => {
    const openImport = await readImport(db, now())
    const owner =
      openImport === null
        ? undefined
        : await db
            .selectFrom('accounts')
            .where('user_num', '=', openImport.opened_by)
            .select('user_id')
            .executeTakeFirst()
    const bridge = await db.selectFrom('bridges').where('revoked_at', 'is', null).select('bridge').executeTakeFirst()
    return {
      open_until: openImport?.closes_at ?? null,
      opened_by: owner?.user_id ?? '',
      has_bridge: bridge !== undefined,
      ...(await countImports(db)),
      ...(await selectGameAccounts(db)),
      balances: await selectBalances(db),
    }
  }),

  mount(calls.openImport, async ({ hours, reason }, { deps: { db, now }, staff, record }) => {
    if (!staff.roles.includes(OWNER)) throw refuse(calls.openImport, 'notOwner')
    const closes_at = new Date(now().getTime() + hours * HOUR_MS)
    const importPeriod = { opened_at: now(), opened_by: staff.userNum, closes_at }
    await db
      .insertInto('game_import')
      .values(importPeriod)
      .onConflict((conflict) => conflict.column('only_row').doUpdateSet(importPeriod))
      .execute()
    record({ target: ['game', 'import'], after: { 'open until': closes_at.toISOString() }, reason })
    return { message: `The import is open for ${hours === 1 ? 'an hour' : `${hours} hours`}.` }
  }),

  mount(calls.closeImport, async ({ reason }, { deps: { db, now }, record }) => {
    const closedImport = await db
      .updateTable('game_import')
      .set({ closes_at: now() })
      .where('closes_at', '>', now())
      .returning('opened_at')
      .executeTakeFirst()
    if (closedImport === undefined) throw refuse(calls.closeImport, 'closed')
    record({ target: ['game', 'import'], after: { open: false }, reason })
    return { message: 'The import is closed.' }
  }),

  mount(calls.approveBalances, async ({ count, sum, reason }, context) => {
    const { db, now } = context.deps
    // The rows are locked, because the approval covers exactly the rows that were shown.
    const { rows } = await sql<{ game_user_num: number; amount: number }>`
      select game_user_num, amount from game_balances where state = 'seen' order by game_user_num for update`.execute(
      db,
    )
    if (rows.length === 0) throw refuse(calls.approveBalances, 'none')
    const total = rows.reduce((subtotal, { amount }) => subtotal + Number(amount), 0)
    if (rows.length !== count || total !== sum) throw refuse(calls.approveBalances, 'changed')
    const { rows: owners } = await sql<{ user_num: number }>`
      select l.user_num from game_balances b join game_links l on l.game_user_num = b.game_user_num
      join staff_members m on m.user_num = l.user_num where b.state = 'seen'`.execute(db)
    const summary = `${formatCount(count)} balances of the game, ${formatCount(sum)} R-Coin in all`
    await context.requireApproval({
      approverKind: 'operator',
      accounts: owners.map(({ user_num }) => user_num),
      summary: `Take over ${summary}, the highest with ${formatCount(Math.max(...rows.map(({ amount }) => Number(amount))))} R-Coin`,
      effect: { balances: count, 'R-Coin': sum, 'fingerprint of the list': hashBalances(rows) },
    })
    await db
      .updateTable('game_balances')
      .set({ state: 'approved', changed_at: now() })
      .where('state', '=', 'seen')
      .execute()
    context.record({ target: ['game', 'balances'], after: { count, sum }, reason })
    return { message: `The bridge takes over ${summary}.` }
  }),

  mount(calls.retryAccount, async ({ user_num }, { deps: { db }, record }) => {
    const row = await db
      .updateTable('game_accounts')
      .set({ retry_at: null })
      .where('user_num', '=', user_num)
      .where('retry_at', 'is not', null)
      .returning('user_num')
      .executeTakeFirst()
    if (row === undefined) throw refuse(calls.retryAccount, 'notWaiting')
    record({ target: ['player', user_num], player: user_num, after: { 'account in the game': 'tried again' } })
    return { message: 'The bridge tries the account again now.' }
  }),

  mount(calls.settleRenamed, async ({ user_num, found_user_id, is_same, reason }, { deps: { db, now }, record }) => {
    const row = await db
      .selectFrom('game_accounts')
      .where('user_num', '=', user_num)
      .where('state', '=', 'linked')
      .where('problem', '=', 'renamed')
      .where('found_user_id', '=', found_user_id)
      .where('found_user_id', '<>', '')
      .select('game_user_id')
      .forUpdate()
      .executeTakeFirst()
    if (row === undefined) throw refuse(calls.settleRenamed, 'changed')
    await (is_same ? linkRenamedAccount(db, user_num, now()) : releaseGameAccount(db, user_num, now()))
    record({
      target: ['player', user_num],
      player: user_num,
      before: { 'ID in the game': row.game_user_id, linked: true },
      after: { 'ID in the game': found_user_id, linked: is_same },
      reason,
    })
    return {
      message: is_same
        ? `${found_user_id} is this player’s account in the game.`
        : 'The link has ended. The player gets a new account in the game at the next login.',
    }
  }),
]

/** Returns a hash that differs for different lists of balances with the same length and sum. */
const hashBalances = (rows: readonly { game_user_num: number; amount: number }[]) =>
  createHash('sha256')
    .update(rows.map(({ game_user_num, amount }) => `${game_user_num} ${amount}`).join('\n'))
    .digest('hex')

/** Counts the imported accounts, and selects the game's staff among them. */
async function countImports(db: Db): Promise<Pick<AccountImport, 'imported' | 'arrived' | 'last_at' | 'staff'>> {
  const { rows } = await sql<{ imported: number; arrived: number; last_at: Date | null }>`
    select count(*)::int as imported, count(user_num)::int as arrived, max(imported_at) as last_at from game_imports`.execute(
    db,
  )
  const staff = await db
    .selectFrom('game_imports')
    .where('game_user_type', '<>', 1)
    .select(['game_user_num', 'user_id', 'game_user_type as user_type'])
    .orderBy('game_user_num')
    .limit(STAFF_MAX)
    .execute()
  const { imported = 0, arrived = 0, last_at = null } = rows[0] ?? {}
  return { imported, arrived, last_at, staff }
}

/** Counts the accounts in the game by state, and selects those with a problem, the latest first. */
async function selectGameAccounts(db: Db): Promise<Pick<AccountImport, 'accounts' | 'odd'>> {
  const { rows: countRows } = await sql<AccountImport['accounts']>`
    select count(*) filter (where state = 'creating')::int as creating, count(*) filter (where state = 'linked')::int as linked,
      count(*) filter (where state = 'taken')::int as taken, count(*) filter (where state = 'gone')::int as gone,
      count(*) filter (where problem <> '')::int as problems
    from game_accounts`.execute(db)
  const problemAccounts = await db
    .selectFrom('game_accounts as g')
    .innerJoin('accounts as a', 'a.user_num', 'g.user_num')
    .where((eb) => eb.or([eb('g.state', 'in', ['taken', 'gone']), eb('g.problem', '<>', '')]))
    .select([
      'g.user_num',
      'a.user_id',
      'g.state',
      'g.problem',
      'g.detail',
      'g.game_user_id',
      'g.found_user_id',
      'g.changed_at',
      'g.retry_at',
    ])
    .select((eb) =>
      eb
        .exists(
          eb
            .selectFrom('game_imports as i')
            .where(sql<boolean>`lower(i.user_id) = lower(a.user_id)`)
            .select('i.game_user_num'),
        )
        .as('moved_in'),
    )
    .orderBy('g.changed_at', 'desc')
    .orderBy('g.user_num', 'desc')
    .limit(PROBLEMS_MAX)
    .execute()
  return {
    accounts: countRows[0] ?? { creating: 0, linked: 0, taken: 0, gone: 0, problems: 0 },
    odd: problemAccounts.map(({ problem, changed_at, retry_at, ...row }) => {
      const code = problem !== '' ? problem : row.state === 'gone' ? 'gone' : 'taken'
      return {
        ...row,
        retries: retry_at !== null,
        moved_in: Boolean(row.moved_in),
        why: ACCOUNT_PROBLEMS[code],
        at: changed_at,
      }
    }),
  }
}

/** Returns the balances by state, with the highest that wait for approval and those that need an operator. */
async function selectBalances(db: Db): Promise<AccountImport['balances']> {
  const { rows } = await sql<{ state: string; count: number; sum: number; booked: number; booked_sum: number }>`
    select b.state, count(*)::int as count, coalesce(sum(b.amount), 0)::bigint as sum, count(b.user_num)::int as booked,
      coalesce(sum(l.delta), 0)::bigint as booked_sum
    from game_balances b left join ledger l on l.entry = b.ledger_entry
    where b.state in ('seen', 'approved', 'taken') group by b.state`.execute(db)
  const findCount = (state: string) =>
    rows.find((row) => row.state === state) ?? { count: 0, sum: 0, booked: 0, booked_sum: 0 }
  const selectRows = (states: string[]) =>
    sql<{ game_user_num: number; user_id: string; amount: number; state: string; problem: string; spent: number }>`
      select b.game_user_num, coalesce(i.user_id, '') as user_id, b.state, b.problem, b.spent,
        case when b.spent > 0 then b.spent else b.amount end as amount
      from game_balances b left join game_imports i on i.game_user_num = b.game_user_num
      where b.state = any(${states}::text[]) or (${states.includes('refused')} and (b.spent > 0 or b.problem <> '')) order by b.amount desc, b.game_user_num limit ${BALANCES_MAX}`.execute(
      db,
    )
  const toRow = ({
    state,
    problem,
    amount,
    spent,
    ...row
  }: Awaited<ReturnType<typeof selectRows>>['rows'][number]) => ({
    ...row,
    amount: Number(amount),
    why:
      state === 'impossible'
        ? amount < 0
          ? 'It is below 0'
          : `More than ${formatCount(GAME_BALANCE_MAX)} is not taken over`
        : state === 'staff'
          ? 'Staff of the game'
          : spent > 0
            ? 'A restore of the game brought it back after it was booked here. This much was missing when the bridge removed it again'
            : problem,
  })
  const { booked, booked_sum, ...takenBalances } = findCount('taken')
  return {
    seen: { count: findCount('seen').count, sum: Number(findCount('seen').sum) },
    highest: (await selectRows(['seen'])).rows.map(toRow),
    odd: (await selectRows(['impossible', 'staff', 'refused'])).rows.map(toRow),
    approved: findCount('approved').count,
    taken: { count: takenBalances.count, sum: Number(takenBalances.sum) },
    booked: { count: booked, sum: Number(booked_sum) },
  }
}
