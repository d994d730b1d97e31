import type { KeyObject } from 'node:crypto'
import {
  type AccountProblem,
  type AccountWork,
  reportAccounts,
  reportBlocks,
  takeAccountWork,
} from '#contract/bridge-accounts.ts'
import type { SealPurpose } from '#contract/bridge-sealing.ts'
import type { CallInput } from '#contract/endpoint.ts'
import { formatBlock, readGameBlocks, selectBlockEnd } from './blocks.ts'
import { compareBalances } from './compare.ts'
import type { GameConfig } from './config.ts'
import type { OnStep } from './deliver.ts'
import { connectGame } from './game/connect.ts'
import { type Dialect, GameUnavailable, isSameId, type Row, toNumber, toText } from './game/driver.ts'
import { openMarker, renewEpoch, requireUnchanged, writeCounted } from './game/marker.ts'
import {
  describeNonInteger,
  findIncompatibility,
  isIntegerColumn,
  type ResolvedTable,
  readCatalogue,
  resolveTable,
} from './game/names.ts'
import type { Accounts, ReadyAccounts } from './game/open-game.ts'
import { prepareDatabaseTables } from './game/own-tables.ts'
import { isSet } from './game/values.ts'
import { canFreeLogins, freeLogins } from './logins.ts'
import { getMomentSql, insertAccount, planAccount, toBlockEnd } from './new-account.ts'
import { DOUBTS, findDoubt, hasWrittenPasswords } from './prove.ts'
import { createRounds, type LoopDeps } from './rounds.ts'
import { decryptSealed, UnreadableSealedText } from './sealed.ts'
import { selectStaffFlag } from './staff.ts'

/** Returns the reasons why the bridge cannot write accounts to the table, each with advice. */
export function findAccountIncompatibilities(config: GameConfig, table: ResolvedTable<'UserInfo'>) {
  const { dialect, statements } = config
  const { definition, columns } = table
  const incompatibilities = statements.insertAccount === undefined ? planAccount(config, table).incompatibilities : []
  const incompatibility = findIncompatibility(dialect, definition)
  if (incompatibility !== null)
    incompatibilities.push({ ...incompatibility, what: `${incompatibility.what} Accounts cannot reach the game.` })
  if (table.infos.UserNum !== null && !isIntegerColumn(table.infos.UserNum))
    incompatibilities.push(describeNonInteger(definition.name, table.infos.UserNum))
  if (columns.UserPass === null)
    incompatibilities.push({
      what: `${definition.name} has no column UserPass, so accounts cannot reach the game.`,
      advice: 'If your server uses another name, add "names": {"UserInfo.UserPass": "its name"} to the configuration.',
    })
  if (columns.UserType === null && config.staff?.numbers === undefined)
    incompatibilities.push({
      what: `${definition.name} has no column UserType, so the bridge cannot identify the accounts of staff. Accounts cannot reach the game.`,
      advice:
        'If your server uses another name, add "names": {"UserInfo.UserType": "its name"} to the configuration. Otherwise list the accounts of staff: "staff": {"numbers": [1, 2]}.',
    })
  return incompatibilities
}

/** Opens the game's accounts. @throws GameUnavailable, MissingNames, or Error with a sentence for the operator */
export async function openAccounts(config: GameConfig): Promise<Accounts> {
  const { dialect, urls, names } = config
  const connection = await connectGame(dialect, urls.user)
  try {
    const catalogue = await readCatalogue(connection)
    const table = resolveTable('UserInfo', { dialect, catalogue, names })
    const [incompatibility] = findAccountIncompatibilities(config, table)
    if (incompatibility !== undefined) throw new Error(`${incompatibility.what} ${incompatibility.advice}`)
    return { connection, table, config, close: () => connection.close() }
  } catch (error) {
    await connection.close().catch(() => {})
    throw error
  }
}

/**
 * Creates the agent's tables if they are missing, and reads the database's marker, which identifies it and counts the
 * bridge's writes.
 */
export async function prepareAccountTables(accounts: Accounts): Promise<ReadyAccounts> {
  await prepareDatabaseTables(accounts.connection, 'user')
  return { ...accounts, marker: await openMarker(accounts.connection, 'user') }
}

/** Refuses one task and rolls back its writes. */
class WorkRefusal extends Error {
  readonly problem: AccountProblem
  /** The account's current ID in the game. */
  readonly gameUserId: string | undefined

  constructor(problem: AccountProblem, detail = '', gameUserId?: string) {
    super(detail)
    this.problem = problem
    this.gameUserId = gameUserId
  }
}

type CreateWork = Extract<AccountWork, { kind: 'create' }>
type ChangeWork = Extract<AccountWork, { kind: 'change' }>
type BalanceWork = Extract<AccountWork, { kind: 'balance' }>
type Report = Omit<CallInput<typeof reportAccounts>, 'copy'>
type WorkResults = Pick<Report, 'done' | 'refused' | 'balances'>
/** The decrypted passwords to write; null for one that the game already has. */
type NewPasswords = { password: string | null; second: string | null }

/** Returns the SQL that locks the rows of a select until the transaction ends. */
const getLockClause = (dialect: Dialect) =>
  dialect === 'mssql' ? { hint: ' with (updlock, holdlock)', end: '' } : { hint: '', end: ' for update' }

/** Returns SQL for an ID, trimmed and in lower case for comparisons. */
const normalizeId = (dialect: Dialect, column: string | null): string =>
  dialect === 'mariadb'
    ? `lower(trim(convert(${column} using utf8mb4))) collate utf8mb4_bin`
    : dialect === 'mssql'
      ? `lower(ltrim(rtrim(${column})))`
      : `lower(trim(${column}))`

/** Reads and locks the game's row of an account. */
async function readAccount({ connection, table, config }: Accounts, usernum: number): Promise<Row | undefined> {
  const c = table.columns
  const lock = getLockClause(connection.dialect)
  const [row] = await connection.query(
    `select ${c.UserNum} as usernum, ${c.UserID} as userid, ${selectStaffFlag(config, table)} as staff,
      ${c.UserPoint ?? '0'} as userpoint
    from ${table.table}${lock.hint} where ${c.UserNum} = :usernum${lock.end}`,
    { usernum },
  )
  return row
}

/**
 * The agent's row for an account's number on the site. `hasRow` is also true if the row was written for another account
 * with this number; the other fields are then empty.
 */
type AccountNote = { hasRow: boolean; usernum: number | null; passwordVersion: number; secondPasswordVersion: number }

/**
 * Reads and locks the agent's note of an account: its number in the game and the versions of its passwords. Ignores a note
 * whose mark names another account with the same number on the site. For a new account, also ignores a note without a mark.
 */
async function readNote(
  { connection }: Accounts,
  { kind, account, mark }: CreateWork | ChangeWork,
): Promise<AccountNote> {
  const lock = getLockClause(connection.dialect)
  const [row] = await connection.query(
    `select usernum, password_version, second_version, mark from tambayan_account${lock.hint} where account = :account${lock.end}`,
    { account },
  )
  const storedMark = toText(row?.mark)
  const isSameAccount = storedMark === mark || (storedMark === '' && kind === 'change')
  if (row === undefined || !isSameAccount)
    return { hasRow: row !== undefined, usernum: null, passwordVersion: 0, secondPasswordVersion: 0 }
  const { usernum, password_version, second_version } = row
  return {
    hasRow: true,
    usernum: toNumber(usernum),
    passwordVersion: Number(password_version),
    secondPasswordVersion: Number(second_version),
  }
}

/** Decrypts the passwords of a task that are newer than the game's. @throws WorkRefusal */
function decryptNewer(
  { config }: Accounts,
  key: KeyObject,
  { account, password, second_password }: CreateWork | ChangeWork,
  { passwordVersion, secondPasswordVersion }: AccountNote,
): NewPasswords {
  const decrypt = (purpose: SealPurpose, sealedPassword: typeof second_password, writtenVersion: number) => {
    if (sealedPassword === null) return null
    const { version, form, sealed } = sealedPassword
    if (version < writtenVersion) throw new WorkRefusal('outdated')
    if (version === writtenVersion) return null
    if (form !== config.passwordForm) throw new WorkRefusal('unreadable', `It has the form ${form}.`)
    try {
      return decryptSealed(sealed, key, { account, purpose, version })
    } catch (error) {
      if (error instanceof UnreadableSealedText) throw new WorkRefusal('unreadable')
      throw error
    }
  }
  return {
    password: decrypt('password', password, passwordVersion),
    second: decrypt('second-password', second_password, secondPasswordVersion),
  }
}

/**
 * Counts the accounts whose ID or name equals this ID. Two are equal if either the bridge's comparison or the database's
 * collation, which may ignore accents, finds them equal.
 */
async function countAccountsWithId({ connection, table }: Accounts, userid: string): Promise<number> {
  const conditions = [table.columns.UserID, table.columns.UserName].map(
    (column) => `${normalizeId(connection.dialect, column)} = lower(:userid) or ${column} = :userid`,
  )
  const [row] = await connection.query(
    `select count(*) as found from ${table.table} where ${conditions.join(' or ')}`,
    { userid: userid.trim() },
  )
  return Number(row?.found)
}

/**
 * Reads an account back and checks the written values.
 *
 * @returns the account's block as text in the format of `formatBlock`, or '' if the account is missing
 * @throws WorkRefusal
 */
async function requireWritten(
  { connection, table, config }: Accounts,
  usernum: number,
  writtenValues: { userid?: string } & NewPasswords,
): Promise<string> {
  const c = table.columns
  const [row] = await connection.query(
    `select ${c.UserID} as userid, ${c.UserPass ?? `''`} as pass, ${c.UserPass2 ?? `''`} as second, ${c.UserBlock ?? '0'} as blocked,
      ${selectStaffFlag(config, table)} as staff, ${selectBlockEnd(connection.dialect, table)} as until
    from ${table.table} where ${c.UserNum} = :usernum`,
    { usernum },
  )
  if (writtenValues.userid !== undefined && (row === undefined || isSet(row.staff)))
    throw new WorkRefusal('staff', 'The account would belong to staff of the game.')
  if (writtenValues.userid !== undefined && toText(row?.userid) !== writtenValues.userid)
    throw new WorkRefusal('changed', 'The ID reads back differently.')
  const isWritten = (cell: Row[string], text: string | null) => text === null || toText(cell) === text
  if (
    !isWritten(row?.pass, writtenValues.password) ||
    (c.UserPass2 !== null && !isWritten(row?.second, writtenValues.second))
  )
    throw new WorkRefusal('changed', 'The password reads back differently.')
  return row === undefined ? '' : formatBlock(row)
}

/**
 * Inserts the account and the agent's note in one transaction. The primary key of `tambayan_account` prevents duplicates.
 *
 * @returns the account's number in the game
 */
async function createAccount(accounts: Accounts, work: CreateWork, { key, onStep }: WriteDeps): Promise<number> {
  const { connection } = accounts
  const { account, user_id } = work
  const noteBefore = await readNote(accounts, work)
  if (noteBefore.usernum !== null) {
    const row = await readAccount(accounts, noteBefore.usernum)
    if (row !== undefined && isSameId(toText(row.userid), user_id)) {
      await changeAccount(accounts, { ...work, kind: 'change', game_user_num: noteBefore.usernum }, { key, onStep })
      return noteBefore.usernum
    }
  }
  if (work.password.version <= noteBefore.passwordVersion) throw new WorkRefusal('outdated')
  const passwords = decryptNewer(accounts, key, work, noteBefore)
  if (!noteBefore.hasRow) await connection.run('insert into tambayan_account (account) values (:account)', { account })
  await onStep('account noted')
  if ((await countAccountsWithId(accounts, user_id)) > 0) throw new WorkRefusal('taken')
  const usernum = await insertAccount(accounts, { userId: user_id, ...passwords, block: work.block })
  if (!Number.isSafeInteger(usernum))
    throw new WorkRefusal('database', 'The statement insertAccount returns no number.')
  await onStep('account inserted')
  const block = await requireWritten(accounts, usernum, { userid: user_id, ...passwords })
  // Another connection may have created the account in the game at the same time.
  if ((await countAccountsWithId(accounts, user_id)) !== 1) throw new WorkRefusal('taken')
  await writeNote(accounts, work, noteBefore, usernum)
  await noteBlock(accounts, account, block)
  return usernum
}

/** Notes the block that the bridge has written. If the game later has another one, the game's staff have set it. */
async function noteBlock({ connection }: Accounts, account: number, block: string): Promise<void> {
  await connection.run('update tambayan_account set block = :block where account = :account', { account, block })
}

/** Notes the account's number in the game, and the versions of the passwords that the game has now. */
async function writeNote(
  { connection }: Accounts,
  work: CreateWork | ChangeWork,
  noteBefore: AccountNote,
  usernum: number,
): Promise<void> {
  await connection.run(
    `update tambayan_account set usernum = :usernum, mark = :mark, password_version = :password, second_version = :second
    where account = :account`,
    {
      account: work.account,
      usernum,
      mark: work.mark,
      password: Math.max(noteBefore.passwordVersion, work.password?.version ?? 0),
      second: Math.max(noteBefore.secondPasswordVersion, work.second_password?.version ?? 0),
    },
  )
}

/** Writes passwords and a block to an account of the game. @throws WorkRefusal */
async function changeAccount(accounts: Accounts, work: ChangeWork, { key, onStep }: WriteDeps): Promise<number> {
  const { connection, table } = accounts
  const { account, game_user_num: usernum } = work
  const c = table.columns
  const row = await readAccount(accounts, usernum)
  if (row === undefined) throw new WorkRefusal('gone')
  const userId = toText(row.userid).trim()
  if (!isSameId(userId, work.user_id)) throw new WorkRefusal('renamed', `It is “${userId}” now.`, userId.slice(0, 64))
  if (isSet(row.staff)) throw new WorkRefusal('staff')
  const noteBefore = await readNote(accounts, work)
  if (
    noteBefore.usernum !== null &&
    noteBefore.usernum !== usernum &&
    (await readAccount(accounts, noteBefore.usernum)) !== undefined
  )
    throw new WorkRefusal(
      'bound',
      `This site’s account already has the game account with UserNum ${noteBefore.usernum}.`,
    )
  const [otherNote] = await connection.query(
    'select account from tambayan_account where usernum = :usernum and account <> :account',
    { usernum, account },
  )
  if (otherNote !== undefined) throw new WorkRefusal('bound', `It belongs to account ${toText(otherNote.account)}.`)
  const passwords = decryptNewer(accounts, key, work, noteBefore)
  if (!noteBefore.hasRow) await connection.run('insert into tambayan_account (account) values (:account)', { account })
  const sets: string[] = []
  if (passwords.password !== null) sets.push(`${c.UserPass} = :pass`)
  if (passwords.second !== null && c.UserPass2 !== null) sets.push(`${c.UserPass2} = :second`)
  if (work.block !== null && c.UserBlock !== null) {
    sets.push(`${c.UserBlock} = ${work.block.blocked ? 1 : 0}`)
    if (work.block.blocked && c.UserBlockDate !== null)
      sets.push(`${c.UserBlockDate} = ${getMomentSql(connection.dialect, table.infos.UserBlockDate?.type)}`)
  }
  if (sets.length > 0)
    await connection.run(`update ${table.table} set ${sets.join(', ')} where ${c.UserNum} = :usernum`, {
      usernum,
      pass: passwords.password,
      second: passwords.second,
      until: toBlockEnd(work.block),
    })
  await onStep('account changed')
  const block = await requireWritten(accounts, usernum, passwords)
  await writeNote(accounts, work, noteBefore, usernum)
  if (work.block !== null) await noteBlock(accounts, account, block)
  return usernum
}

/**
 * Takes a balance out of the game: notes the amount in the agent's table and sets the game's balance to 0. If a restore brought
 * the balance back, takes it out again, once for each restore. It then takes at most the earlier amount; the rest stays in
 * the game.
 *
 * @throws WorkRefusal
 */
async function takeBalance(accounts: ReadyAccounts, work: BalanceWork, { onStep }: WriteDeps): Promise<number> {
  const { connection, table, marker } = accounts
  const { game_user_num: usernum } = work
  const { epoch } = marker.copy
  const lock = getLockClause(connection.dialect)
  const [noteBefore] = await connection.query(
    `select amount, epoch, again from tambayan_balance${lock.hint} where usernum = :usernum${lock.end}`,
    { usernum },
  )
  if (noteBefore !== undefined && work.again !== true) return Number(noteBefore.amount)
  if (noteBefore !== undefined && toText(noteBefore.epoch) === epoch) return Number(noteBefore.again)
  const c = table.columns
  if (c.UserPoint === null) throw new WorkRefusal('gone', 'The game has no column UserPoint.')
  const row = await readAccount(accounts, usernum)
  if (row === undefined || !isSameId(toText(row.userid), work.user_id))
    throw new WorkRefusal('gone', 'The game no longer has this account.')
  if (isSet(row.staff)) throw new WorkRefusal('staff', 'It belongs to staff of the game.')
  const balanceBefore = toNumber(row.userpoint) ?? -1
  if (!Number.isSafeInteger(balanceBefore) || (work.again !== true && (balanceBefore < 0 || balanceBefore > work.most)))
    throw new WorkRefusal(
      'changed',
      `The balance in the game is now ${balanceBefore}. Run the import again to load it.`,
    )
  const amount = Math.min(Math.max(balanceBefore, 0), work.most)
  const retakeValues = { usernum, epoch: work.again === true ? epoch : '', again: work.again === true ? amount : 0 }
  if (noteBefore === undefined)
    await connection.run(
      'insert into tambayan_balance (usernum, amount, epoch, again) values (:usernum, :amount, :epoch, :again)',
      { ...retakeValues, amount: work.again === true ? work.most : amount },
    )
  else
    await connection.run(
      'update tambayan_balance set epoch = :epoch, again = :again where usernum = :usernum',
      retakeValues,
    )
  await onStep('balance noted')
  const rows = await connection.run(
    `update ${table.table} set ${c.UserPoint} = :left where ${c.UserNum} = :usernum and ${c.UserPoint} = :held`,
    { usernum, held: balanceBefore, left: balanceBefore - amount },
  )
  if (rows !== 1 && amount > 0)
    throw new WorkRefusal(
      'changed',
      'The balance in the game changed at the same time. Run the import again to load it.',
    )
  await onStep('balance taken')
  return amount
}

type WriteDeps = {
  /** Decrypts the passwords that the site has sealed. */
  key: KeyObject
  onStep: OnStep
}

/**
 * Does the tasks that the site requests, each in a separate transaction.
 *
 * @returns the results to report
 * @throws GameUnavailable when the result of a task is unknown; the next round reads it
 * @throws CopyChanged when the database was restored before a task was committed; that task was not written
 */
export async function doAccountWork(
  accounts: ReadyAccounts,
  work: readonly AccountWork[],
  key: KeyObject,
  onStep: OnStep = () => {},
): Promise<WorkResults> {
  const report: WorkResults = { done: [], refused: [], balances: [] }
  const write = <Result>(run: (deps: WriteDeps) => Promise<Result>) =>
    writeCounted(accounts.marker, () => run({ key, onStep }))
  for (const task of work) {
    try {
      if (task.kind === 'balance') {
        const amount = await write((deps) => takeBalance(accounts, task, deps))
        report.balances.push({ game_user_num: task.game_user_num, amount, detail: '' })
      } else {
        const game_user_num = await write((deps) =>
          task.kind === 'create' ? createAccount(accounts, task, deps) : changeAccount(accounts, task, deps),
        )
        const { account, attempt, block } = task
        const versions = {
          password_version: task.password?.version ?? null,
          second_version: task.second_password?.version ?? null,
        }
        report.done.push({ account, attempt, game_user_num, ...versions, block })
      }
      await onStep('account committed')
    } catch (error) {
      if (error instanceof GameUnavailable) throw error
      const isRefused = error instanceof WorkRefusal
      if (!isRefused && !(error instanceof Error && 'code' in error)) throw error
      const detail = (error as Error).message.replace(/\s+/g, ' ').slice(0, 300)
      const { kind } = task
      if (kind !== 'balance')
        report.refused.push({
          account: task.account,
          attempt: task.attempt,
          problem: isRefused ? error.problem : 'database',
          detail,
          ...(isRefused && error.gameUserId !== undefined && { game_user_id: error.gameUserId }),
        })
      // A balance that the database refused is not reported, so the site issues its task again.
      else if (isRefused) report.balances.push({ game_user_num: task.game_user_num, amount: null, detail })
    }
  }
  return report
}

type AccountLoopDeps = LoopDeps & {
  /** Decrypts the passwords that the site seals. */
  sealKey: KeyObject
  /** The interval of reports about the game's blocks. */
  blocksMs: number
}

/**
 * Synchronizes the game's accounts with the site. If the game does not allow it, reports that and retries at intervals, while
 * deliveries continue. After a restore of the database of accounts, waits for an owner.
 */
export async function runAccounts(config: GameConfig, deps: AccountLoopDeps): Promise<void> {
  const createRound = (accounts: ReadyAccounts) => {
    const reportGameBlocks = createBlockReporter(accounts, deps)
    let isAbleToFreeLogins: boolean | undefined
    return async () => {
      isAbleToFreeLogins ??= await canFreeLogins(accounts)
      await doRound(accounts, isAbleToFreeLogins, deps)
      await reportGameBlocks()
    }
  }
  const doRounds = createRounds('Accounts', () => prepareAccounts(config), createRound, deps)
  while (!deps.signal.aborted) await doRounds()
}

/**
 * Requests tasks, does and reports them. First checks that the database is as this agent left it.
 *
 * @param frees_logins whether the site may request to free logins
 */
async function doRound(accounts: ReadyAccounts, frees_logins: boolean, deps: AccountLoopDeps): Promise<void> {
  const { callSite, sealKey, print, signal, onStep, waitMs, retryUntilAnswered, pause } = deps
  const { marker } = accounts
  await requireUnchanged(marker)
  const answer = await retryUntilAnswered(() =>
    callSite(takeAccountWork, { wait_ms: waitMs, copy: marker.copy, frees_logins }, signal),
  )
  const { work, resets, restore, look, next_epoch } = answer
  const report = (results: Partial<Report>) =>
    retryUntilAnswered(() =>
      callSite(reportAccounts, { done: [], refused: [], balances: [], copy: marker.copy, ...results }, signal),
    )
  if (resets.length > 0) await report(await freeLogins(accounts, resets))
  if (restore === 'confirmed' && next_epoch !== null) {
    await renewEpoch(marker, next_epoch)
    print('An owner has confirmed the restore of the accounts. They are sent again.')
  } else if (look.length > 0) await report({ looked: await compareBalances(accounts, look) })
  else if (restore === 'waits') await pause(waitMs)
  else if (work.length > 0) {
    const results = await doAccountWork(accounts, work, sealKey, onStep)
    await report(results)
    // Without this pause, the site would immediately reissue tasks that the database refused temporarily.
    if (results.done.length + results.refused.length + results.balances.length < work.length) await pause(5000)
  }
}

/** The interval after which unchanged blocks are reported again, because new players may have linked their accounts. */
const BLOCKS_REPEAT_MS = 10 * 60_000

/** Creates a function that reports the blocks that the game's staff have set, if `blocksMs` has passed since the last report. */
function createBlockReporter(
  accounts: ReadyAccounts,
  { callSite, signal, blocksMs, retryUntilAnswered }: AccountLoopDeps,
) {
  let [nextReportAt, nextRepeatAt, lastReport] = [0, 0, '']
  return async () => {
    const now = performance.now()
    if (now < nextReportAt) return
    nextReportAt = now + blocksMs
    const gameBlocks = await readGameBlocks(accounts, new Date())
    const text = JSON.stringify(gameBlocks)
    if (gameBlocks === null || (text === lastReport && now < nextRepeatAt)) return
    await retryUntilAnswered(() => callSite(reportBlocks, { copy: accounts.marker.copy, ...gameBlocks }, signal))
    lastReport = text
    nextRepeatAt = now + BLOCKS_REPEAT_MS
  }
}

/**
 * Refuses to write plain passwords to a game whose stored passwords look like hashes (BRIDGE-19). A bridge that has
 * already written some continues, and `check` warns.
 */
async function requirePlainForm(accounts: ReadyAccounts): Promise<void> {
  if ((await findDoubt(accounts).catch(() => null)) !== 'hashes') return
  if (!(await hasWrittenPasswords(accounts.connection)))
    throw new Error(`${DOUBTS.hashes.what} ${DOUBTS.hashes.advice}`)
}

/** Opens the accounts for writing. @throws GameUnavailable, MissingNames, or Error with a sentence for the operator */
async function prepareAccounts(config: GameConfig): Promise<ReadyAccounts> {
  const accounts = await openAccounts(config)
  try {
    const ready = await prepareAccountTables(accounts)
    await requirePlainForm(ready)
    return ready
  } catch (error) {
    await accounts.close().catch(() => {})
    throw error
  }
}
