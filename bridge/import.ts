import { setTimeout as sleep } from 'node:timers/promises'
import { GAME_STAFF_TYPE } from '#contract/bridge.ts'
import {
  IMPORT_RESULTS,
  IMPORT_ROWS_AT_ONCE,
  type ImportResult,
  type ImportRow,
  importAccounts,
} from '#contract/bridge-accounts.ts'
import { FORM_HASHES, type PasswordForm } from '#contract/bridge-sealing.ts'
import { GAME_BALANCE_MAX } from '#contract/limits.ts'
import { openAccounts } from './accounts.ts'
import { readBlockEnd, selectBlockEnd } from './blocks.ts'
import type { BridgeConfig } from './config.ts'
import { connectGame } from './game/connect.ts'
import { type Row, toNumber, toText } from './game/driver.ts'
import { MissingNames, readCatalogue, resolveTable } from './game/names.ts'
import type { Accounts } from './game/open-game.ts'
import { isSet } from './game/values.ts'
import { recognizeForm } from './passwords.ts'
import { DOUBTS, findDoubt } from './prove.ts'
import { type CallSite, SiteRefusal, SiteUnavailable } from './site.ts'
import { selectStaffFlag } from './staff.ts'
import { findUndeliverable, listUndeliverable } from './undeliverable.ts'

/** How many accounts one statement reads. */
const ROWS_AT_ONCE = 500
/** How many accounts the summary names in each list. */
const LISTED_MAX = 20
/** How often a batch is sent at most while the site is unavailable. */
const TRIES_MAX = 10

const PLAIN_PASSWORD = /^\P{Cc}{1,64}$/u
const HEX_TEXT = /^[\dA-F]+$/i

/** Returns a stored password for the import; null if it has another form. A hash is never treated as a plain password. */
function readPassword(form: PasswordForm, storedPassword: Row[string]): string | null {
  const text = toText(storedPassword)
  if (form === 'plain')
    return PLAIN_PASSWORD.test(text) && recognizeForm(storedPassword ?? null) === 'plain' ? text : null
  const { letters, length } = FORM_HASHES[form]
  if (text.length !== length || !HEX_TEXT.test(text)) return null
  return letters === 'upper' ? text.toUpperCase() : text.toLowerCase()
}

/** The reasons why accounts can't be imported, as the summary prints them. */
const SKIP_REASONS = {
  id: 'left out: the ID cannot be read',
  password: 'left out: the password does not have the form of "passwordForm"',
} as const

const RENAME_ADVICE = 'Rename the account in the game, then run this again.'

type ListedAccount = { user_num: number; user_id: string }
/** The results so far. */
type Tally = {
  read: number
  counts: Record<ImportResult, number>
  listedAccounts: Partial<Record<ImportResult | keyof typeof SKIP_REASONS | 'staff' | 'balance', ListedAccount[]>>
  /** The number of balances to take over, and their sum. */
  balances: number
  sum: number
  /** The number of balances that the bridge has already taken out of the game. */
  taken: number
  /** The IDs, in lower case, that this dry run has listed as importable. */
  importableIds: Set<string>
  /** The end of the time in which accounts can be imported; null while the import is closed. */
  openUntil: string | null
  /** Accounts to which nothing can be delivered. */
  undeliverable: { what: string; advice: string }[]
}

type ImportOptions = {
  callSite: CallSite
  apply: boolean
  print: (line: string) => void
  /** The interval of progress lines. */
  progressMs?: number
  /** Milliseconds between two attempts while the site is unavailable. */
  retryMs?: number
  now?: () => Date
}

/**
 * Imports the game's accounts, or only lists the result. It can be stopped and restarted: accounts that were
 * imported before are skipped. Nothing changes in the game.
 *
 * @returns whether an operator has to check some accounts
 * @throws GameUnavailable, SiteUnavailable, SiteRefusal
 */
export async function moveAccountsIn(config: BridgeConfig, options: ImportOptions): Promise<boolean> {
  const { apply, print, progressMs = 5000, now = () => new Date() } = options
  const accounts = await openAccounts(config)
  const doubt = await findDoubt(accounts)
  if (doubt !== null) {
    print(`${DOUBTS[doubt].what}\n  ${DOUBTS[doubt].advice}`)
    if (apply) {
      await accounts.close().catch(() => {})
      print('Nothing was moved in.')
      return true
    }
  }
  const tally: Tally = {
    read: 0,
    counts: { new: 0, known: 0, linked: 0, site: 0, doubled: 0 },
    listedAccounts: {},
    balances: 0,
    sum: 0,
    taken: 0,
    importableIds: new Set(),
    openUntil: null,
    undeliverable: [],
  }
  try {
    const total = await countRows(accounts)
    let printedAt = performance.now()
    for await (const rows of readRows(accounts)) {
      const importableRows = rows.flatMap((row) => toImportRows(row, config, tally, now()))
      for (let from = 0; from < importableRows.length; from += IMPORT_ROWS_AT_ONCE) {
        const batch = importableRows.slice(from, from + IMPORT_ROWS_AT_ONCE)
        await send(options, batch, tally)
      }
      if (performance.now() - printedAt >= progressMs) {
        printedAt = performance.now()
        print(`${tally.read.toLocaleString('en-US')} of ${total.toLocaleString('en-US')} accounts …`)
      }
    }
    tally.undeliverable = listUndeliverable(
      await findUndeliverable(accounts.connection, accounts.table, config, await readUidLength(config)),
    )
  } finally {
    await accounts.close().catch(() => {})
  }
  return printResult(tally, { apply, print })
}

/** Returns the maximum length of a name in a purchase; null without a limit. */
async function readUidLength({ dialect, urls, names }: BridgeConfig): Promise<number | null> {
  const shop = await connectGame(dialect, urls.shop)
  try {
    const purchase = resolveTable('ShopPurchase', { dialect, catalogue: await readCatalogue(shop), names })
    return purchase.infos.UserUID?.length ?? null
  } catch (error) {
    if (error instanceof MissingNames) return null
    throw error
  } finally {
    await shop.close().catch(() => {})
  }
}

const getPlayerCondition = ({ config: { players } }: Accounts) => (players === undefined ? '1 = 1' : `(${players})`)

async function countRows(accounts: Accounts): Promise<number> {
  const { connection, table } = accounts
  const [row] = await connection.query(
    `select count(*) as found from ${table.table} where ${getPlayerCondition(accounts)}`,
  )
  return toNumber(row?.found) ?? 0
}

/** Yields the game's accounts by number, up to ROWS_AT_ONCE at a time, without locks. */
async function* readRows(accounts: Accounts): AsyncGenerator<Row[]> {
  const { connection, table, config } = accounts
  const c = table.columns
  const { dialect } = connection
  const hasBalanceTable = (await readCatalogue(connection)).some(({ name }) => name === 'tambayan_balance')
  const takenAmount = hasBalanceTable
    ? `(select b.amount from tambayan_balance b where b.usernum = ${table.table}.${c.UserNum})`
    : 'null'
  const getColumn = (column: string | null, value: string) => column ?? value
  const blockEnd = selectBlockEnd(dialect, table)
  const columnList = `${c.UserNum} as usernum, ${c.UserID} as userid, ${c.UserPass} as pass, ${getColumn(c.UserType, '1')} as usertype,
    ${selectStaffFlag(config, table)} as staff,
    ${getColumn(c.UserBlock, '0')} as blocked, ${blockEnd} as until, ${getColumn(c.UserPoint, '0')} as balance, ${takenAmount} as taken`
  for (let after = -2_147_483_648; ; ) {
    const rows = await connection.query(
      dialect === 'mssql'
        ? `select top (${ROWS_AT_ONCE}) ${columnList} from ${table.table} where ${c.UserNum} > :after and ${getPlayerCondition(accounts)} order by ${c.UserNum}`
        : `select ${columnList} from ${table.table} where ${c.UserNum} > :after and ${getPlayerCondition(accounts)} order by ${c.UserNum} limit ${ROWS_AT_ONCE}`,
      { after },
    )
    const lastRow = rows.at(-1)
    if (lastRow === undefined) return
    yield rows
    after = Number(lastRow.usernum)
  }
}

/** Adds an account to the list of a kind, which the summary prints. */
function addListed(tally: Tally, kind: keyof Tally['listedAccounts'], account: ListedAccount): void {
  const accountsOfKind = tally.listedAccounts[kind] ?? []
  tally.listedAccounts[kind] = accountsOfKind
  accountsOfKind.push(account)
}

/** Returns a list with the row to import for an account; an empty list if it can't be imported. */
function toImportRows(
  row: Row,
  { passwordForm: form, staff }: Pick<BridgeConfig, 'passwordForm' | 'staff'>,
  tally: Tally,
  now: Date,
): ImportRow[] {
  tally.read++
  const user_num = Number(row.usernum)
  const user_id = toText(row.userid).trim()
  const account = { user_num, user_id }
  if (user_id === '' || user_id.length > 64 || /[\p{Cc}\uFFFD]/u.test(user_id)) {
    addListed(tally, 'id', account)
    return []
  }
  const password = readPassword(form, row.pass)
  if (password === null) {
    addListed(tally, 'password', account)
    return []
  }
  const type = Math.trunc(toNumber(row.usertype) ?? 1)
  // With configured staff, the type becomes one with a meaning on the site: from GAME_STAFF_TYPE on for staff, 1 for players.
  const user_type = staff === undefined ? type : isSet(row.staff) ? Math.max(type, GAME_STAFF_TYPE) : 1
  if (user_type !== 1) addListed(tally, 'staff', account)
  // If the balance was already taken out of the game, send that amount, because a restored site may not have booked it.
  const takenAmount = toNumber(row.taken)
  const balance = takenAmount ?? toNumber(row.balance) ?? 0
  if (takenAmount !== null) tally.taken++
  if (balance < 0 || balance > GAME_BALANCE_MAX || !Number.isSafeInteger(balance)) addListed(tally, 'balance', account)
  else if (balance > 0 && takenAmount === null && user_type < GAME_STAFF_TYPE) {
    tally.balances++
    tally.sum += balance
  }
  const end = readBlockEnd(row.until)
  const isBlockOver = end !== null && end <= now.getTime()
  return [
    {
      game_user_num: user_num,
      user_id,
      form,
      password,
      user_type,
      blocked: isSet(row.blocked) && !isBlockOver,
      blocked_until: end === null || isBlockOver ? null : new Date(end).toISOString(),
      balance,
    },
  ]
}

/** Sends a batch of accounts, and retries while the site is unavailable. */
async function send(
  { callSite, apply, print, retryMs = 2000 }: ImportOptions,
  rows: ImportRow[],
  tally: Tally,
): Promise<void> {
  const sentRows = apply ? rows : rows.map((row) => ({ ...row, password: '' }))
  for (let tries = 1; ; tries++) {
    try {
      const answer = await callSite(importAccounts, { apply, rows: sentRows })
      tally.openUntil = answer.open_until
      for (const { game_user_num, became: answeredResult } of answer.rows) {
        const row = rows.find((row) => row.game_user_num === game_user_num)
        const id = row?.user_id.toLowerCase() ?? ''
        const result =
          !apply && ['new', 'site'].includes(answeredResult) && tally.importableIds.has(id) ? 'doubled' : answeredResult
        if (!apply) tally.importableIds.add(id)
        tally.counts[result]++
        if ((result === 'site' || result === 'doubled') && row !== undefined)
          addListed(tally, result, { user_num: game_user_num, user_id: row.user_id })
      }
      return
    } catch (error) {
      const isClock = error instanceof SiteRefusal && error.reason === 'clock'
      if (isClock || !(error instanceof SiteUnavailable) || tries === TRIES_MAX) throw error
      print(`${error.message} Trying again.`)
      await sleep(retryMs * tries)
    }
  }
}

/** Prints the summary. @returns whether an operator has to do something */
function printResult(tally: Tally, { apply, print }: { apply: boolean; print: (line: string) => void }): boolean {
  const formatCount = (value: number) => value.toLocaleString('en-US')
  print(`${formatCount(tally.read)} accounts in the game.`)
  const labels: Record<ImportResult, string> = apply ? IMPORT_RESULTS : { ...IMPORT_RESULTS, new: 'would be moved in' }
  // The desk counts the accounts of the site's players as imported too.
  const counts = { ...tally.counts, new: tally.counts.new + tally.counts.site }
  for (const [kind, label] of Object.entries(labels) as [ImportResult, string][])
    if (counts[kind] > 0) print(`${formatCount(counts[kind])} ${label}.`)
  for (const [kind, label] of Object.entries(SKIP_REASONS) as [keyof typeof SKIP_REASONS, string][]) {
    const accounts = tally.listedAccounts[kind]
    if (accounts !== undefined) print(`${formatCount(accounts.length)} ${label}.`)
  }
  const formatBalances = (value: number) => (value === 1 ? '1 balance' : `${formatCount(value)} balances`)
  if (tally.balances > 0)
    print(
      `To take over: ${formatBalances(tally.balances)}, ${formatCount(tally.sum)} in all. You do that on the desk's Account import page.`,
    )
  if (tally.taken > 0) print(`Taken out of the game before: ${formatBalances(tally.taken)}.`)
  const printAccounts = (title: string, accounts: ListedAccount[] | undefined, advice: string) => {
    if (accounts === undefined || accounts.length === 0) return
    const names = accounts.slice(0, LISTED_MAX).map(({ user_num, user_id }) => `${user_id || '(none)'} (${user_num})`)
    print(
      `${title}: ${names.join(', ')}${accounts.length > LISTED_MAX ? ` and ${formatCount(accounts.length - LISTED_MAX)} more` : ''}.\n  ${advice}`,
    )
  }
  printAccounts(
    'Game staff who are players on the site',
    tally.listedAccounts.staff,
    'Give them roles on the desk’s Staff page.',
  )
  printAccounts(
    'IDs of players of the site',
    tally.listedAccounts.site,
    'A player who owns both can link them with the old game password.',
  )
  printAccounts(
    'IDs that two accounts share',
    tally.listedAccounts.doubled,
    `Upper and lower case make no difference. ${RENAME_ADVICE}`,
  )
  printAccounts('IDs that cannot be read', tally.listedAccounts.id, RENAME_ADVICE)
  printAccounts(
    'Passwords of another form',
    tally.listedAccounts.password,
    'Set a new password with the game’s own tools, then run this again.',
  )
  printAccounts(
    `Balances below 0 or above ${formatCount(GAME_BALANCE_MAX)}`,
    tally.listedAccounts.balance,
    'They stay in the game. Correct them there, then run this again.',
  )
  for (const { what, advice } of tally.undeliverable) print(`${what}\n  ${advice}`)
  const isClosed = tally.openUntil === null
  if (!apply) {
    print('Nothing was changed.')
    if (isClosed) print('The import is not open: an owner has to open it on the desk’s Account import page.')
    print('Run it again with --apply to move them in.')
  }
  const hasFindings =
    Object.values(tally.listedAccounts).some((accounts) => accounts.length > 0) || tally.undeliverable.length > 0
  return isClosed || hasFindings
}
