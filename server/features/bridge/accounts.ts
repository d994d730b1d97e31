import { sql } from 'kysely'
import {
  type AccountProblem,
  type AccountWork,
  BRIDGE_ACCOUNTS_AT_ONCE,
  type GameBlock,
  type reportAccounts,
  type takeAccountWork,
} from '#contract/bridge-accounts.ts'
import type { PasswordForm, SealPurpose } from '#contract/bridge-sealing.ts'
import type { CallAnswer, ValidInput } from '#contract/endpoint.ts'
import { isBlockedNow } from '#server/db/blocked.ts'
import type { Db } from '#server/db/open.ts'
import type { Deps } from '#server/deps.ts'
import type { BridgeCaller } from '#server/http/bridge.ts'
import {
  bookTakenBalance,
  hasDueBalances,
  issueBalances,
  noteComparedBalances,
  selectImportedBalances,
} from './balances.ts'
import { continueRestore } from './database-state.ts'
import { RETRY_FIRST_MS, RETRY_MAX_MS, requireLeaseAndUpdateState, waitUnlessStopping } from './lease.ts'
import { bookReset, bookRestart, issueResets, storeCanFreeLogins } from './logins.ts'

/** Milliseconds between two checks for work while a request waits. */
const POLL_INTERVAL_MS = 500

/** Returns the SQL condition that an account `g` has work for a bridge: a sealed password, or a block to change. */
const isDue = (bridge: number, now: Date) => sql<boolean>`
  (g.retry_at is null or g.retry_at <= ${now}) and (
    (g.state in ('creating', 'linked') and exists (select from game_forms f
      where f.user_num = g.user_num and f.bridge = ${bridge} and (g.state = 'linked' or f.purpose = 'password')))
    or (g.state = 'linked' and g.problem <> 'renamed' and g.block_due_at <= ${now}))`

/** Selects the accounts that may have work, by indexes on sealed passwords and on blocks. */
const selectCandidates = (bridge: number, now: Date) => sql`
  select f.user_num from game_forms f where f.bridge = ${bridge}
  union select b.user_num from game_accounts b where b.block_due_at <= ${now}`

/**
 * Returns work on the game's accounts. Waits up to `wait_ms` milliseconds if there is none. Returns no work while a restore
 * of the game's database waits to be confirmed.
 *
 * @throws Refusal 409 when another agent has taken over
 */
export async function findAccountWork(
  deps: Deps,
  caller: BridgeCaller,
  { wait_ms, copy, frees_logins }: ValidInput<typeof takeAccountWork>,
): Promise<CallAnswer<typeof takeAccountWork>> {
  const deadline = performance.now() + wait_ms
  await storeCanFreeLogins(deps.db, caller.bridge, frees_logins)
  for (;;) {
    const startedAt = performance.now()
    const now = deps.now()
    const answer = await deps.db.transaction().execute(async (tx) => {
      const restore = await requireLeaseAndUpdateState(tx, caller, { database: 'user', copy }, now)
      if (restore !== 'none')
        return {
          work: [],
          resets: [],
          ...(await continueRestore(tx, 'user', { restore, now }, (after) => selectImportedBalances(tx, after))),
        }
      const resets = frees_logins ? await issueResets(tx, now) : []
      if (!(await hasAccountWork(tx, caller.bridge, now))) return { ...NO_WORK, resets }
      const work = [...(await issueWork(tx, caller, now)), ...(await issueBalances(tx, caller, now))]
      return { ...NO_WORK, resets, work }
    })
    const pause = Math.max(POLL_INTERVAL_MS, 5 * (performance.now() - startedAt))
    const isOutOfTime = performance.now() + pause > deadline
    const hasWork =
      answer.work.length + answer.resets.length > 0 || answer.look.length > 0 || answer.restore === 'confirmed'
    if (hasWork || isOutOfTime || !(await waitUnlessStopping(deps, pause))) return { now: deps.now(), ...answer }
  }
}

type AccountWorkAnswer = Omit<CallAnswer<typeof takeAccountWork>, 'now'>
const NO_WORK: AccountWorkAnswer = { work: [], resets: [], restore: 'none', look: [], next_epoch: null }

/** Returns whether an account or a balance has work. This check is cheaper than issuing the work. */
async function hasAccountWork(db: Db, bridge: number, now: Date): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (select from game_accounts g where g.user_num in (${selectCandidates(bridge, now)}) and ${isDue(bridge, now)}) as found`.execute(
    db,
  )
  return rows[0]?.found === true || (await hasDueBalances(db))
}

type DueAccount = {
  user_num: number
  attempt: number
  mark: string
  state: 'creating' | 'linked'
  user_id: string
  game_user_id: string
  game_user_num: number | null
  block_due_at: Date | null
  blocked_at: Date | null
  blocked_until: Date | null
  forms: { purpose: SealPurpose; version: number; form: PasswordForm; sealed: string }[]
}

/** Issues the work on accounts that is due. An account is issued again until the bridge has reported it. */
async function issueWork(tx: Db, { bridge }: BridgeCaller, now: Date): Promise<AccountWork[]> {
  const { rows } = await sql<DueAccount>`
    with due as materialized (
      select g.user_num from game_accounts g
      where g.user_num in (${selectCandidates(bridge, now)}) and ${isDue(bridge, now)}
      order by g.user_num limit ${BRIDGE_ACCOUNTS_AT_ONCE} for update skip locked)
    update game_accounts g set handed_by = ${bridge}, attempt = g.attempt + 1
    from due
    join accounts a on a.user_num = due.user_num
    left join game_links l on l.user_num = due.user_num
    where g.user_num = due.user_num
    returning g.user_num, g.attempt, ${accountMark} as mark, g.state, a.user_id, g.game_user_id, l.game_user_num, g.block_due_at,
      a.blocked_at, a.blocked_until,
      coalesce((select jsonb_agg(jsonb_build_object('purpose', f.purpose, 'version', f.version, 'form', f.form, 'sealed', f.sealed))
        from game_forms f where f.user_num = g.user_num and f.bridge = ${bridge}), '[]') as forms`.execute(tx)
  return rows
    .sort((a, b) => a.user_num - b.user_num)
    .flatMap((row): AccountWork[] => {
      const getSealedPassword = (requestedPurpose: SealPurpose) => {
        const form = row.forms.find(({ purpose }) => purpose === requestedPurpose)
        return form === undefined ? null : { version: form.version, form: form.form, sealed: form.sealed }
      }
      const password = getSealedPassword('password')
      const { user_num: account, attempt, mark } = row
      const commonFields = { account, attempt, mark, second_password: getSealedPassword('second-password') }
      const block = toBlock(row, now)
      if (row.state === 'creating')
        return password === null
          ? []
          : [{ kind: 'create', ...commonFields, user_id: row.user_id, password, block: block.blocked ? block : null }]
      if (row.game_user_num === null) return []
      const isBlockDue = row.block_due_at !== null && row.block_due_at <= now
      const { game_user_id: user_id, game_user_num } = row
      return [{ kind: 'change', ...commonFields, user_id, game_user_num, password, block: isBlockDue ? block : null }]
    })
}

/** Identifies an account `a` beyond its number, because another site or a restored one assigns the same numbers again. */
const accountMark = sql<string>`concat_ws('-', a.user_num, floor(extract(epoch from a.created_at) * 1000)::bigint)`

type BlockColumns = { blocked_at: Date | null; blocked_until: Date | null }

const toBlock = (account: BlockColumns, now: Date): GameBlock =>
  isBlockedNow(account, now)
    ? { blocked: true, until: account.blocked_until?.toISOString() ?? null }
    : { blocked: false, until: null }

type Report = ValidInput<typeof reportAccounts>

/**
 * Books an agent's report about accounts. A repeated report changes nothing. Ignores accounts that were not issued to the
 * agent with that attempt, and game accounts that belong to another player.
 *
 * @throws Refusal 409 when another agent has taken over
 */
export async function bookAccounts(deps: Deps, caller: BridgeCaller, report: Report): Promise<void> {
  const now = deps.now()
  const compareAccounts = (a: { account: number }, b: { account: number }) => a.account - b.account
  await deps.db.transaction().execute(async (tx) => {
    const restore = await requireLeaseAndUpdateState(tx, caller, { database: 'user', copy: report.copy }, now)
    if (restore === 'waits' && report.looked !== null) await noteComparedBalances(tx, report.looked, now)
    if (restore !== 'none') return
    for (const doneAccount of report.done.toSorted(compareAccounts)) await bookDoneAccount(tx, caller, doneAccount, now)
    for (const refusedAccount of report.refused.toSorted(compareAccounts))
      await bookRefusedAccount(tx, caller, refusedAccount, now)
    for (const balance of report.balances) await bookTakenBalance(tx, caller, balance, now)
    for (const freedLogin of report.freed) await bookReset(tx, freedLogin, now)
    for (const freedLogins of report.freed_all) await bookRestart(tx, freedLogins, now)
  })
}

/** Locks and returns the account of a report; undefined unless it was issued to this bridge with this attempt. */
async function lockIssuedAccount(
  tx: Db,
  { bridge }: BridgeCaller,
  { account, attempt }: { account: number; attempt: number },
) {
  return tx
    .selectFrom('game_accounts')
    .where('user_num', '=', account)
    .where('handed_by', '=', bridge)
    .where('attempt', '=', attempt)
    .where('state', 'in', ['creating', 'linked'])
    .selectAll()
    .forUpdate()
    .executeTakeFirst()
}

/** The problems that the next login solves by sealing the password again. */
const PASSWORD_PROBLEMS: readonly string[] = ['changed', 'unreadable', 'outdated']

/** Books a created or changed account: its link, the passwords that the game has now, and when its block changes next. */
async function bookDoneAccount(
  tx: Db,
  caller: BridgeCaller,
  doneAccount: Report['done'][number],
  now: Date,
): Promise<void> {
  const row = await lockIssuedAccount(tx, caller, doneAccount)
  if (row === undefined) return
  const userNum = row.user_num
  if (row.state === 'creating') {
    if (!(await linkCreatedAccount(tx, userNum, doneAccount.game_user_num, now)))
      return refuseAccount(tx, userNum, {
        problem: 'bound',
        detail: `Its number is ${doneAccount.game_user_num}.`,
        now,
      })
  } else {
    const link = await tx
      .selectFrom('game_links')
      .where('user_num', '=', userNum)
      .select('game_user_num')
      .executeTakeFirst()
    if (link?.game_user_num !== doneAccount.game_user_num) return
  }
  for (const [purpose, version] of [
    ['password', doneAccount.password_version],
    ['second-password', doneAccount.second_version],
  ] as const) {
    if (version === null) continue
    const writtenForm = await tx
      .deleteFrom('game_forms')
      .where('user_num', '=', userNum)
      .where('purpose', '=', purpose)
      .where('version', '=', version)
      .where('bridge', '=', caller.bridge)
      .returning('form')
      .executeTakeFirst()
    // If a newer password is waiting, this confirmation is outdated.
    if (writtenForm === undefined || purpose !== 'password' || version !== row.password_version) continue
    await tx
      .updateTable('game_accounts')
      .set({ confirmed_by: caller.bridge, confirmed_form: writtenForm.form })
      .where('user_num', '=', userNum)
      .execute()
  }
  // The delivery of a block does not solve the problem of a refused password.
  const isProblemSolved =
    doneAccount.password_version !== null ||
    doneAccount.second_version !== null ||
    !PASSWORD_PROBLEMS.includes(row.problem)
  const reportedBlock = doneAccount.block ?? (row.state === 'creating' ? { blocked: false, until: null } : null)
  await tx
    .updateTable('game_accounts')
    .set({
      state: 'linked',
      retry_at: null,
      ...(isProblemSolved && { problem: '', detail: '', found_user_id: '' }),
      changed_at: now,
      ...(row.state === 'creating' && {
        game_user_id: sql`(select user_id from accounts where user_num = ${userNum})`,
      }),
      ...(reportedBlock !== null && { block_due_at: await findNextBlockTime(tx, userNum, reportedBlock, now) }),
    })
    .where('user_num', '=', userNum)
    .execute()
}

/** Returns when to send the block to the game again: at its end, at once if it has changed since, or null for never. */
async function findNextBlockTime(tx: Db, userNum: number, reportedBlock: GameBlock, now: Date): Promise<Date | null> {
  const account = await tx
    .selectFrom('accounts')
    .where('user_num', '=', userNum)
    .select(['blocked_at', 'blocked_until'])
    .executeTakeFirstOrThrow()
  const currentBlock = toBlock(account, now)
  if (currentBlock.blocked !== reportedBlock.blocked || currentBlock.until !== reportedBlock.until) return new Date(0)
  return currentBlock.blocked ? account.blocked_until : null
}

/** Links an account to the game account that the bridge created. @returns false if the game account is linked already */
async function linkCreatedAccount(tx: Db, userNum: number, gameUserNum: number, now: Date): Promise<boolean> {
  // An imported game account is linked only by its old password.
  const { rows } = await sql`
    insert into game_links (user_num, game_user_num, proof, linked_at)
    select ${userNum}, ${gameUserNum}, 'created', ${now}
    where not exists (select from game_imports where game_user_num = ${gameUserNum})
    on conflict do nothing returning user_num`.execute(tx)
  return rows.length === 1
}

/** Books a refused account. After an error of the database, each retry waits twice as long. */
async function bookRefusedAccount(
  tx: Db,
  caller: BridgeCaller,
  refusedAccount: Report['refused'][number],
  now: Date,
): Promise<void> {
  const row = await lockIssuedAccount(tx, caller, refusedAccount)
  if (row === undefined) return
  const lastPause =
    row.problem === 'database' && row.retry_at !== null ? row.retry_at.getTime() - row.changed_at.getTime() : 0
  await refuseAccount(tx, row.user_num, {
    ...refusedAccount,
    foundUserId: refusedAccount.problem === 'renamed' ? (refusedAccount.game_user_id ?? '') : '',
    now,
    pause: Math.min(RETRY_MAX_MS, Math.max(RETRY_FIRST_MS, 2 * lastPause)),
  })
}

type AccountRefusal = { problem: AccountProblem; detail: string; foundUserId?: string; now: Date; pause?: number }

/** The problems after which the player has no account in the game to block. */
const UNBLOCKABLE_PROBLEMS: readonly AccountProblem[] = ['taken', 'gone', 'staff', 'bound']

/** Stores the problem of an account, and changes the link, the sealed passwords and the block accordingly. */
async function refuseAccount(
  tx: Db,
  userNum: number,
  { problem, detail, foundUserId = '', now, pause = RETRY_FIRST_MS }: AccountRefusal,
) {
  const isFinal = problem !== 'database'
  // If a login has sealed a password for a deleted account, the bridge creates a new account with it.
  const isRecreated = problem === 'gone' && (await hasSealedPassword(tx, userNum))
  // Retrying would change nothing; the next login seals the password again.
  if (isFinal && !isRecreated) await tx.deleteFrom('game_forms').where('user_num', '=', userNum).execute()
  if (problem === 'gone') await tx.deleteFrom('game_links').where('user_num', '=', userNum).execute()
  await tx
    .updateTable('game_accounts')
    .set({
      problem: problem === 'taken' || problem === 'gone' ? '' : problem,
      detail,
      found_user_id: foundUserId,
      changed_at: now,
      // A block that was issued with a refused password is issued again without it.
      ...(UNBLOCKABLE_PROBLEMS.includes(problem) && { block_due_at: null }),
      ...(problem === 'taken' && { state: 'taken' }),
      ...(problem === 'gone' && { state: isRecreated ? 'creating' : 'gone', confirmed_by: null, confirmed_form: '' }),
      // The password of staff never reaches the game, so no login has to seal it again.
      ...(problem === 'staff' && {
        confirmed_by: sql`handed_by`,
        confirmed_form: sql`(select password_form from bridges where bridge = handed_by)`,
      }),
      retry_at: isFinal ? null : new Date(now.getTime() + pause),
    })
    .where('user_num', '=', userNum)
    .execute()
}

async function hasSealedPassword(tx: Db, userNum: number): Promise<boolean> {
  const form = await tx
    .selectFrom('game_forms')
    .where('user_num', '=', userNum)
    .where('purpose', '=', 'password')
    .select('user_num')
    .executeTakeFirst()
  return form !== undefined
}

/** Records that a delivery found another ID in the game than the linked one. An operator has to decide whose account it is. */
export async function noteRenamedAccount(
  tx: Db,
  userNum: number,
  { foundUserId, detail, now }: { foundUserId: string; detail: string; now: Date },
): Promise<void> {
  await tx
    .updateTable('game_accounts')
    .set({ problem: 'renamed', detail, found_user_id: foundUserId, changed_at: now })
    .where('user_num', '=', userNum)
    .where('state', '=', 'linked')
    // An operator may have decided since the unit was issued.
    .where(sql<boolean>`lower(${foundUserId}) not in (lower(game_user_id), lower(found_user_id))`)
    .execute()
}

/**
 * Queues passwords and blocks for a restored game, which has older ones. The next login of each player seals the password
 * again. Open blocks from the game become blocks of the site, because the restored game may lack them. Unblocked
 * accounts are not sent, so blocks that the game's staff set since the restore stay.
 */
export async function resendAccounts(tx: Db): Promise<void> {
  await sql`update account_blocks set in_game = false where in_game and lifted_at is null`.execute(tx)
  await sql`
    update game_accounts g set confirmed_by = null, confirmed_form = '',
      block_due_at = case when a.blocked_at is null then g.block_due_at else 'epoch' end
    from accounts a
    where a.user_num = g.user_num and g.state = 'linked' and (g.confirmed_by is not null or a.blocked_at is not null)`.execute(
    tx,
  )
}

/** Links a renamed account of the game under its new ID, because an operator confirmed that it is the player's. */
export async function linkRenamedAccount(tx: Db, userNum: number, now: Date): Promise<void> {
  await tx
    .updateTable('game_accounts')
    .set({
      game_user_id: sql`found_user_id`,
      found_user_id: '',
      problem: '',
      detail: '',
      changed_at: now,
      // Requires the next login to seal the password, because it was not sent while the ID differed.
      confirmed_by: null,
      confirmed_form: '',
    })
    .where('user_num', '=', userNum)
    .execute()
}

/** Removes the link to an account of the game that is no longer the player's. The next login creates another account. */
export async function releaseGameAccount(tx: Db, userNum: number, now: Date): Promise<void> {
  await refuseAccount(tx, userNum, { problem: 'gone', detail: '', now })
}
