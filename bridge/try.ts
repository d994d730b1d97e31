import type { Finding } from '#contract/bridge.ts'
import { openAccounts } from './accounts.ts'
import { getPasswordLength } from './check-tables.ts'
import type { BridgeConfig } from './config.ts'
import { createGoodFinding, createNote, createProblem } from './findings.ts'
import { type GameConnection, type Row, runAll, toNumber, toText } from './game/driver.ts'
import { type Game, openGame } from './game/open-game.ts'
import { isSet } from './game/values.ts'
import { insertAccount } from './new-account.ts'
import { encodePassword } from './passwords.ts'
import { findOfflineCharacter, listServices, openCharacters, ServiceRefusal, tryService } from './services.ts'
import { getStaffCondition, selectStaffFlag } from './staff.ts'

/** Ends a trial, to roll its transaction back. */
class TrialEnd extends Error {}

const ROLLBACK_ADVICE =
  'A rollback does not return the numbers that the database has assigned: there will be a gap. Actions of triggers outside the database are not undone either.'

/**
 * Tries the bridge's writes, which run the game's triggers, each in a transaction that is rolled back: an account, a purchase
 * for an offline player, and the services for an offline character. It skips tables without transactions.
 */
export async function tryAllWrites(config: BridgeConfig): Promise<Finding[]> {
  const findings = [...(await tryAccount(config)), ...(await tryPurchase(config)), ...(await tryAllServices(config))]
  const isTried = findings.some(({ level }) => level === 'good')
  return isTried
    ? [...findings, createNote('The trial is over, and everything it wrote was rolled back.', ROLLBACK_ADVICE)]
    : findings
}

/**
 * Runs a trial in a transaction that is rolled back. A refused service gives a note, any other error a problem.
 *
 * @param subject begins the sentence of the finding, such as 'the service name for character 7'
 * @param work returns the problem, '' if there is none
 */
export async function runTrial(
  connection: GameConnection,
  subject: string,
  work: () => Promise<string>,
): Promise<Finding> {
  let message = ''
  try {
    await connection.transaction(async () => {
      message = await work()
      throw new TrialEnd()
    })
  } catch (error) {
    if (error instanceof ServiceRefusal)
      return createNote(`Trial: ${subject} was not tried: ${error.message || error.reason}`, '')
    if (!(error instanceof TrialEnd))
      return createProblem(
        `Trial: ${subject} failed: ${(error as Error).message.replace(/\s+/g, ' ')}`,
        'The database, one of its triggers or a statement of the configuration does not allow it. Nothing was saved.',
      )
  }
  return message === ''
    ? createGoodFinding(`Trial: ${subject} works.`)
    : createProblem(`Trial: ${subject}: ${message}`, 'Nothing was saved.')
}

/** Tries creating an account and changing its password. */
async function tryAccount(config: BridgeConfig): Promise<Finding[]> {
  const accounts = await openAccounts(config).catch((error: Error) => error)
  if (accounts instanceof Error) return [createNote(`Trial: no account was tried: ${accounts.message}`, '')]
  const { connection, table } = accounts
  const c = table.columns
  const userId = `trial${Date.now() % 100_000_000}`
  // The trial's password has the length of a real one in this form.
  const form = config.passwordForm
  const toStoredForm = (text: string) =>
    form === 'plain' ? text.padEnd(getPasswordLength(form), '.') : encodePassword(form, text)
  const passwords = [toStoredForm('trial1'), toStoredForm('trial2'), toStoredForm('trial3')] as const
  try {
    const readTrialAccount = async (num: number): Promise<Row | undefined> => {
      const columns = `${c.UserID} as userid, ${c.UserPass} as pass, ${selectStaffFlag(config, table)} as staff`
      const [row] = await connection.query(`select ${columns} from ${table.table} where ${c.UserNum} = :num`, { num })
      return row
    }
    const finding = await runTrial(connection, 'making an account and changing its password', async () => {
      const block = { blocked: true, until: null }
      const num = await insertAccount(accounts, { userId, password: passwords[0], second: passwords[1], block })
      if (!Number.isSafeInteger(num)) return 'the new account has no number.'
      const created = await readTrialAccount(num)
      if (toText(created?.userid) !== userId || toText(created?.pass) !== passwords[0])
        return 'the ID or the password reads back differently.'
      if (created === undefined || isSet(created.staff)) return 'it would belong to staff of the game.'
      await connection.run(`update ${table.table} set ${c.UserPass} = :pass where ${c.UserNum} = :num`, {
        pass: passwords[2],
        num,
      })
      return toText((await readTrialAccount(num))?.pass) === passwords[2]
        ? ''
        : 'the changed password reads back differently.'
    })
    return [finding]
  } finally {
    await accounts.close().catch(() => {})
  }
}

/** Tries a purchase for an offline player, and taking it back. */
async function tryPurchase(config: BridgeConfig): Promise<Finding[]> {
  const game = await openGame(config).catch((error: Error) => error)
  if (game instanceof Error) return [createNote(`Trial: no purchase was tried: ${game.message}`, '')]
  const { user, shop, statements, tables } = game
  try {
    const product = await findSomeProduct(shop, tables.product)
    const player = await findSomePlayer(config, user, tables.user)
    if (player === null || product === null)
      return [
        createNote(
          `Trial: no purchase was tried: there is no ${player === null ? 'player who is offline' : 'product in the game’s list of items'}.`,
          '',
        ),
      ]
    const [gameAccount] = await runAll(user, statements.findPlayer, { usernum: player })
    const useruid = toText(gameAccount?.[config.userUid.toLowerCase()])
    const row = { useruid, product, price: 1 }
    const finding = await runTrial(
      shop,
      `a purchase for ${toText(gameAccount?.userid)}, and taking it back,`,
      async () => {
        const [created] = await runAll(shop, statements.insertPurchase, {
          ...row,
          unit: 0,
          mark: 'trial',
          usernum: player,
        })
        const purkey = toNumber(created?.purkey)
        if (purkey === null) return 'the row has no number.'
        if (toText(created?.useruid) !== useruid) return `“${useruid}” becomes “${toText(created?.useruid)}”.`
        const createdRow = { ...row, purkey, purdate: toText(created?.purdate) }
        const [createdPurchase] = await runAll(shop, statements.readPurchase, createdRow)
        if (toNumber(createdPurchase?.flag) !== 0) return 'the new row does not have the flag 0.'
        for (const statement of statements.deletePurchase) await shop.run(statement, { ...createdRow, flag: 0 })
        const [rowAfter] = await runAll(shop, statements.readPurchase, createdRow)
        return rowAfter === undefined ? '' : 'the row cannot be taken back.'
      },
    )
    return [finding]
  } finally {
    await game.close()
  }
}

/** Tries every possible service on an offline character. */
async function tryAllServices(config: BridgeConfig): Promise<Finding[]> {
  if (config.services === undefined) return []
  const characters = await openCharacters(config).catch((error: Error) => error)
  if (characters instanceof Error) return [createNote(`Trial: no service was tried: ${characters.message}`, '')]
  try {
    const character = await findOfflineCharacter(characters)
    if (character === null)
      return [createNote('Trial: no service was tried: there is no character who is offline.', '')]
    const findings: Finding[] = []
    for (const service of listServices(characters))
      findings.push(
        await runTrial(characters.connection, `the service ${service} for character ${character.chanum}`, () =>
          tryService(characters, service, character),
        ),
      )
    return findings
  } finally {
    await characters.close().catch(() => {})
  }
}

type Tables = Game['tables']

const selectFirst = (dialect: GameConnection['dialect'], columns: string, clauses: string) =>
  dialect === 'mssql' ? `select top (1) ${columns} ${clauses}` : `select ${columns} ${clauses} limit 1`

/** Finds a product; null if there is none. Without the game's list of items, any number will do. */
async function findSomeProduct(shop: GameConnection, product: Tables['product']): Promise<number | null> {
  if (product === null) return 1
  const { ProductNum } = product.columns
  const [row] = await shop.query(selectFirst(shop.dialect, `${ProductNum} as product`, `from ${product.table}`))
  return toNumber(row?.product)
}

/** Finds a player who is not logged in, because a game server could show what the trial writes. */
async function findSomePlayer(
  config: BridgeConfig,
  user: GameConnection,
  { table, columns: c }: Tables['user'],
): Promise<number | null> {
  const conditions = [
    ...(c.UserLoginState === null ? [] : [`${c.UserLoginState} = 0`]),
    `not (${getStaffCondition(config, { columns: c })})`,
    ...(config.players === undefined ? [] : [`(${config.players})`]),
  ]
  const [row] = await user.query(
    selectFirst(
      user.dialect,
      `${c.UserNum} as usernum`,
      `from ${table} where ${conditions.join(' and ')} order by ${c.UserNum} desc`,
    ),
  )
  return toNumber(row?.usernum)
}
