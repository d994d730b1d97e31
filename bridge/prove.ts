import type { Finding } from '#contract/bridge.ts'
import { PASSWORD_FORMS } from '#contract/bridge-sealing.ts'
import type { BridgeConfig, GameConfig } from './config.ts'
import { createGoodFinding, createProblem } from './findings.ts'
import { connectGame } from './game/connect.ts'
import { type GameConnection, toText } from './game/driver.ts'
import { type ResolvedTable, readCatalogue, resolveTable } from './game/names.ts'
import { prepareDatabaseTables } from './game/own-tables.ts'
import { encodePassword, recognizeForm } from './passwords.ts'

/** The number of newest accounts whose passwords are checked. */
const SAMPLE_SIZE = 1000
/** The number of passwords that is enough to recognize the form. */
const MIN_PASSWORDS = 10
/** The id of the row in `tambayan_bridge` that notes the proof. Lower ids belong to `game/marker.ts`. */
const PROOF_ROW = 4

type AccountSource = { connection: GameConnection; table: ResolvedTable<'UserInfo'>; config: GameConfig }
type StoredForm = ReturnType<typeof recognizeForm>

/** Returns the forms of the newest stored passwords, by their shape. @throws if the bridge's account may not read them */
export async function readForms({ connection, table, config }: AccountSource): Promise<StoredForm[]> {
  const { UserPass, UserNum } = table.columns
  const [top, limit] = connection.dialect === 'mssql' ? [`top (${SAMPLE_SIZE}) `, ''] : ['', ` limit ${SAMPLE_SIZE}`]
  const condition = config.players === undefined ? '' : ` where (${config.players})`
  const rows = await connection.query(
    `select ${top}${UserPass} as pass from ${table.table}${condition} order by ${UserNum} desc${limit}`,
  )
  return rows.map(({ pass }) => recognizeForm(pass ?? null))
}

/**
 * The reason to doubt that passwords are stored as typed: they look like hashes, or are too few to show their form
 * (BRIDGE-19).
 */
export type FormDoubt = 'hashes' | 'few' | null

/** Returns the reason to doubt the form `plain`; null for another form, without a reason, or after a proof. */
export async function findDoubt(source: AccountSource): Promise<FormDoubt> {
  if (source.config.passwordForm !== 'plain' || source.table.columns.UserPass === null) return null
  const forms = await readForms(source)
  const doubt = forms.some((form) => form !== 'plain') ? 'hashes' : forms.length < MIN_PASSWORDS ? 'few' : null
  return doubt !== null && (await isPlainFormProven(source.connection)) ? null : doubt
}

/** Returns whether the bridge has written passwords before; it then continues despite a doubt. */
export async function hasWrittenPasswords(connection: GameConnection): Promise<boolean> {
  if (!(await readCatalogue(connection)).some(({ name }) => name === 'tambayan_account')) return false
  return (await connection.query('select account from tambayan_account where password_version > 0')).length > 0
}

async function isPlainFormProven(connection: GameConnection): Promise<boolean> {
  if (!(await readCatalogue(connection)).some(({ name }) => name === 'tambayan_bridge')) return false
  const rows = await connection.query(`select id from tambayan_bridge where id = ${PROOF_ROW}`)
  return rows.length > 0
}

/** The text of each doubt for operators, with advice. */
export const DOUBTS: Record<NonNullable<FormDoubt>, { what: string; advice: string }> = {
  hashes: {
    what: 'According to the configuration, passwords are stored as typed ("plain"), but some of them look like hashes.',
    advice:
      'If the game stores hashes, their form is the right "passwordForm". If it does store passwords as typed, prove it once: run “check --prove USERID” with an account whose password you know.',
  },
  few: {
    what: 'According to the configuration, passwords are stored as typed ("plain"), but too few accounts show it.',
    advice:
      'Prove it once: run “check --prove USERID” with an account whose password you know. If there is none, make one with the game’s own tools.',
  },
}

/**
 * Compares a typed password with the one that the game has stored for the account. If `plain` is right, notes that in the
 * bridge's table. The password is not stored.
 */
export async function proveForm(config: BridgeConfig, userId: string, password: string): Promise<Finding> {
  const { dialect, urls, names, passwordForm } = config
  const connection = await connectGame(dialect, urls.user)
  try {
    const table = resolveTable('UserInfo', { dialect, catalogue: await readCatalogue(connection), names })
    const { UserID, UserPass } = table.columns
    const [row] = await connection.query(
      `select ${UserPass ?? 'null'} as pass from ${table.table} where ${UserID} = :id`,
      { id: userId },
    )
    if (row === undefined) return createProblem(`The game has no account ${userId}.`, 'Give the ID as it is in UserID.')
    const storedPassword = toText(row.pass)
    const form = PASSWORD_FORMS.find((candidate) => encodePassword(candidate, password) === storedPassword)
    if (form === undefined)
      return createProblem(
        `The password of ${userId} is stored in an unsupported form, or the password is wrong.`,
        `Try again. If the password is right, the game makes hashes that the bridge cannot make; see “Another kind of game” in the manual.`,
      )
    if (form !== passwordForm)
      return createProblem(
        `The password of ${userId} is stored as "${form}". The configuration has "${passwordForm}".`,
        `Set "passwordForm": "${form}" in the configuration.`,
      )
    await prepareDatabaseTables(connection, 'user')
    if (!(await isPlainFormProven(connection)))
      await connection.run(
        `insert into tambayan_bridge (id, epoch, counter) values (${PROOF_ROW}, 'password-form-proven', 0)`,
      )
    return createGoodFinding(`The password of ${userId} is stored as "${form}", as in the configuration.`)
  } finally {
    await connection.close().catch(() => {})
  }
}
