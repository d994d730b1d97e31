import { createHash } from 'node:crypto'
import type { reportAccounts } from '#contract/bridge-accounts.ts'
import type { CallInput } from '#contract/endpoint.ts'
import type { GameConfig } from './config.ts'
import { type GameConnection, numberOf, type Row, textOf } from './game/driver.ts'
import { agoMs, type Marker, renewEpoch, secondsAgo } from './game/marker.ts'
import type { Resolved } from './game/names.ts'
import { isSet } from './game/values.ts'
import type { FoundRestored } from './restored.ts'

/** The accounts of the game, on a connection of their own. */
export type Accounts = {
  connection: GameConnection
  table: Resolved<'UserInfo'>
  config: GameConfig
  close(): Promise<void>
}

/** With the agent's own tables beside the game's. */
export type ReadyAccounts = Accounts & { marker: Marker }

/** How many accounts and balances that changed last are compared with the game's each time. */
const COMPARED = 100
/** A smaller balance that is there again may have been earned anew. */
const STRONG_AMOUNT = 100

/**
 * A print of what an account of the game has: of its passwords, too short to find them by it, and whether it is blocked.
 *
 * @param row has `pass`, `second` and `blocked`
 */
export function printOf(row: Row): string {
  const passwords = JSON.stringify([textOf(row.pass), textOf(row.second)])
  return `${createHash('sha256').update(passwords).digest('hex').slice(0, 5)}.${isSet(row.blocked) ? 1 : 0}`
}

/** What a change of the bridge looks like in the game's table now. */
export type Change = { changed: number; ago: number | null; is: 'there' | 'undone' | 'perhaps undone' | 'unknown' }

/** The changes that the bridge made last, the newest first. */
async function readChanges({ connection, table }: Accounts, compared: number): Promise<Change[]> {
  const { dialect } = connection
  const c = table.columns
  const [top, limit] = dialect === 'mssql' ? [`top (${compared}) `, ''] : ['', ` limit ${compared}`]
  const accounts = await connection.query(
    `select ${top}a.changed as changed, a.wrote as wrote, a.was as was, ${secondsAgo(dialect, 'a.changed_at')} as ago,
      u.${c.UserNum} as usernum, ${c.UserPass === null ? `''` : `u.${c.UserPass}`} as pass,
      ${c.UserPass2 === null ? `''` : `u.${c.UserPass2}`} as second, ${c.UserBlock === null ? '0' : `u.${c.UserBlock}`} as blocked
    from tambayan_account a left join ${table.table} u on u.${c.UserNum} = a.usernum
    where a.changed > 0 order by a.changed desc, a.account desc${limit}`,
  )
  const balances =
    c.UserPoint === null
      ? []
      : await connection.query(
          `select ${top}b.changed as changed, b.amount as amount, b.epoch as epoch, b.again as again,
            ${secondsAgo(dialect, 'b.taken_at')} as ago, u.${c.UserPoint} as held
          from tambayan_balance b left join ${table.table} u on u.${c.UserNum} = b.usernum
          where b.changed > 0 order by b.changed desc, b.usernum desc${limit}`,
        )
  return [...accounts.map(compareAccount), ...balances.map(compareBalance)].sort((a, b) => b.changed - a.changed)
}

const toChange = (row: Row, is: Change['is']): Change => ({ changed: Number(row.changed), ago: numberOf(row.ago), is })

function compareAccount(row: Row): Change {
  const [wrote, was] = [textOf(row.wrote), textOf(row.was)]
  // Somebody may have deleted it in the game.
  if (row.usernum === null || row.usernum === undefined) return toChange(row, 'perhaps undone')
  const now = printOf(row)
  if (wrote === was || (now !== wrote && now !== was)) return toChange(row, 'unknown')
  if (now === wrote) return toChange(row, 'there')
  // Blocks are also set and lifted in the game itself.
  const isPassword = wrote.split('.')[0] !== was.split('.')[0]
  return toChange(row, isPassword ? 'undone' : 'perhaps undone')
}

function compareBalance(row: Row): Change {
  const held = numberOf(row.held)
  const amount = textOf(row.epoch) === '' ? Number(row.amount) : Number(row.again)
  if (held === null || amount === 0) return toChange(row, 'unknown')
  if (held === 0) return toChange(row, 'there')
  if (held !== amount) return toChange(row, 'unknown')
  return toChange(row, amount >= STRONG_AMOUNT ? 'undone' : 'perhaps undone')
}

/**
 * Whether the game's table of accounts was restored without the agent's own tables beside it: the changes that were made last
 * are undone. One that is undone says it by itself where nothing else explains it; others are needed twice.
 */
export async function findRestoredAccounts(accounts: ReadyAccounts): Promise<FoundRestored | null> {
  return sayRestored(accounts.table.found.name, await readChanges(accounts, COMPARED))
}

/** Whether the changes that were made last, the newest first, say that their table was restored. */
export function sayRestored(table: string, changes: readonly Change[]): FoundRestored | null {
  const undone = takeUndone(changes)
  if (undone.length < 2 && undone[0]?.is !== 'undone') return null
  const ages = undone.flatMap(({ ago }) => (ago === null ? [] : [ago]))
  return { tables: [table], ago_ms: ages.length === 0 ? null : agoMs(Math.max(...ages)) }
}

/**
 * The newest changes as far as they are undone: a restore undoes the newest ones and no others. Few may look otherwise, as of
 * a player who has spent a balance since.
 */
export function takeUndone<One extends Change>(changes: readonly One[]): One[] {
  const undone: One[] = []
  let [others, taken] = [0, 0]
  for (const change of changes) {
    if (change.is === 'unknown') continue
    if (change.is === 'there') others++
    else undone.push(change)
    if (change.is !== 'there' && others * 10 <= undone.length) taken = undone.length
  }
  return undone.slice(0, taken)
}

/**
 * After a restore, of balances that were taken over: which the game has again, and how much of them. In a database that was
 * restored whole, the agent's own note is missing as well; where the game's table alone was, it belongs to the changes that
 * are undone.
 */
export async function lookForBalances(
  accounts: ReadyAccounts,
  look: readonly { game_user_num: number; amount: number }[],
): Promise<NonNullable<CallInput<typeof reportAccounts>['looked']>> {
  const { connection, table, marker } = accounts
  const c = table.columns
  const numbers = look.map(({ game_user_num }) => game_user_num).filter(Number.isSafeInteger)
  const through = Math.max(...numbers)
  if (c.UserPoint === null) return { through, back: [] }
  const list = numbers.join(', ')
  const notes = new Map(
    (await connection.query(`select usernum, changed from tambayan_balance where usernum in (${list})`)).map((row) => [
      Number(row.usernum),
      Number(row.changed),
    ]),
  )
  const held = new Map(
    (
      await connection.query(
        `select ${c.UserNum} as usernum, ${c.UserPoint} as held from ${table.table} where ${c.UserNum} in (${list})`,
      )
    ).map((row) => [Number(row.usernum), Math.max(0, numberOf(row.held) ?? 0)]),
  )
  const isTableAlone = marker.copy.restored.length > 0
  const since = isTableAlone ? await undoneSince(accounts) : Number.POSITIVE_INFINITY
  const back = look.flatMap(({ game_user_num, amount }) => {
    const changed = notes.get(game_user_num)
    const found = held.get(game_user_num)
    if (found === undefined) return []
    const isBack =
      changed === undefined
        ? !isTableAlone
        : // What an earlier restore has undone has no place among the changes.
          changed >= since && (changed > 0 || found === amount)
    return isBack ? [{ game_user_num, found }] : []
  })
  return { through, back }
}

/** From which change on the game's table has undone them all; 0 where every recorded one is undone. */
async function undoneSince(accounts: ReadyAccounts): Promise<number> {
  const changes = await readChanges(accounts, 1_000_000)
  const last = takeUndone(changes).at(-1)?.changed ?? Number.POSITIVE_INFINITY
  return changes.every(({ changed }) => changed >= last) ? 0 : last
}

/** Notes that an operator has confirmed the restore: what it has undone in the game's table is no longer compared. */
export async function settleRestore(accounts: ReadyAccounts, epoch: string): Promise<void> {
  const { connection, marker } = accounts
  if (marker.copy.restored.length > 0) {
    const since = await undoneSince(accounts)
    for (const table of ['tambayan_account', 'tambayan_balance'])
      if (Number.isFinite(since))
        await connection.run(`update ${table} set changed = 0 where changed >= :since`, { since })
  }
  await renewEpoch(marker, epoch)
}
