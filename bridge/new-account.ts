import { randomBytes } from 'node:crypto'
import type { GameBlock } from '#contract/bridge-accounts.ts'
import type { PasswordForm } from '#contract/bridge-sealing.ts'
import { NO_END } from './blocks.ts'
import type { GameConfig } from './config.ts'
import { type Dialect, type Params, runAll } from './game/driver.ts'
import { type Column, findColumn, quote, type Resolved } from './game/names.ts'
import type { Accounts } from './game/open-game.ts'
import { writeForm } from './passwords.ts'

export const nowValue: Record<Dialect, string> = { mssql: 'getdate()', mariadb: 'now()', postgres: 'localtimestamp' }

/** Returns SQL for a time in a column's type, from the seconds since 1970 in `:until`. */
export function momentValue(dialect: Dialect, type = ''): string {
  if (dialect === 'mariadb') return 'from_unixtime(:until)'
  if (dialect === 'postgres')
    return /with time zone/.test(type) ? 'to_timestamp(:until)' : `to_timestamp(:until)::timestamp`
  return `dateadd(minute, datediff(minute, getutcdate(), getdate()), dateadd(minute, :until / 60, '19700101'))`
}

/** Returns the value of `:until` for a block. */
export const toBlockEnd = (block: GameBlock | null): number =>
  block === null ? 0 : Math.floor(Math.min(block.until === null ? NO_END : Date.parse(block.until), NO_END) / 1000)

/** A column that the bridge fills in a new account, its value, and the condition for it. */
type Own = {
  value: (dialect: Dialect, type: string, isBlocked: boolean) => string
  /** If false, the column gets its own default. */
  when: 'always' | 'needed' | 'blocked'
}

/**
 * The columns of a new account that the bridge fills, whatever the configuration has. Any other column gets the value from
 * `account` in the configuration, or else its default, or else a filler if it needs a value.
 */
const OWN: Record<Exclude<keyof Resolved<'UserInfo'>['columns'], 'UserNum' | 'LastLoginDate'>, Own> = {
  UserID: { value: () => ':userid', when: 'always' },
  UserName: { value: () => ':userid', when: 'always' },
  UserPass: { value: () => ':pass', when: 'always' },
  UserPass2: { value: () => ':second', when: 'always' },
  UserType: { value: () => ':usertype', when: 'always' },
  UserAvailable: { value: () => '1', when: 'always' },
  UserLoginState: { value: () => '0', when: 'always' },
  UserBlock: { value: () => ':blocked', when: 'always' },
  UserBlockDate: {
    value: (dialect, type, isBlocked) => (isBlocked ? momentValue(dialect, type) : nowValue[dialect]),
    when: 'blocked',
  },
  UserPoint: { value: () => '0', when: 'needed' },
  CreateDate: { value: (dialect) => nowValue[dialect], when: 'always' },
}

/** Returns a filler for a column that needs a value and has no default; undefined for types without one. */
function chooseFiller(dialect: Dialect, type: string): string | undefined {
  const is = (...types: string[]) => types.some((one) => type.includes(one))
  if (is('char', 'text')) return `''`
  if (is('binary', 'blob', 'bytea', 'image')) return { mssql: '0x00', mariadb: `x'00'`, postgres: `'\\x00'` }[dialect]
  if (is('int', 'numeric', 'decimal', 'money', 'float', 'real', 'double', 'bit')) return '0'
  if (is('date', 'time')) return nowValue[dialect]
  if (is('uniqueidentifier', 'uuid'))
    return { mssql: 'newid()', mariadb: 'uuid()', postgres: 'gen_random_uuid()' }[dialect]
  return is('bool') ? 'false' : undefined
}

/** Returns a value of the configuration for a column: text that begins with 0x becomes bytes for a binary column. */
function templateValue(dialect: Dialect, type: string, accountParams: string | number | boolean | null, name: string) {
  if (accountParams === null) return 'null'
  if (typeof accountParams === 'boolean')
    return dialect === 'postgres' ? String(accountParams) : accountParams ? '1' : '0'
  if (typeof accountParams === 'number') return String(accountParams)
  const bytes = /binary|blob|bytea|image/.test(type) ? /^0x((?:[0-9a-f]{2})*)$/i.exec(accountParams)?.[1] : undefined
  if (bytes === undefined) return `:${name}`
  return { mssql: `0x${bytes}`, mariadb: `x'${bytes}'`, postgres: `'\\x${bytes}'` }[dialect]
}

export type Filling = { column: Column; value: string; by: 'bridge' | 'template' | 'filler' }
type Incompatibility = { what: string; advice: string }
export type AccountPlan = { fillings: Filling[]; params: Params; incompatibilities: Incompatibility[] }

/** Returns the values of a new account's columns, and the problems that prevent creating accounts. */
export function planAccount(
  { dialect, account }: Pick<GameConfig, 'dialect' | 'account'>,
  { found, infos }: Resolved<'UserInfo'>,
  isBlocked = false,
): AccountPlan {
  const plan: AccountPlan = { fillings: [], params: {}, incompatibilities: [] }
  const owned = new Set([infos.UserNum?.name])
  for (const [name, { value, when }] of Object.entries(OWN) as [keyof typeof OWN, Own][]) {
    const column = infos[name]
    if (column === null || owned.has(column.name)) continue
    owned.add(column.name)
    const isDue = when === 'always' || !column.isFilled || (when === 'blocked' && isBlocked)
    if (isDue) plan.fillings.push({ column, value: value(dialect, column.type, isBlocked), by: 'bridge' })
  }
  for (const [nth, [name, accountParams]] of Object.entries(account).entries()) {
    const column = findColumn(found, name)
    const param = `account${nth}`
    if (column === undefined)
      plan.incompatibilities.push({
        what: `"account" names the column ${name}, which ${found.name} does not have.`,
        advice: 'Correct "account" in the configuration.',
      })
    else if (owned.has(column.name))
      plan.incompatibilities.push({
        what: `"account" names ${column.name}, about which only the site and the bridge decide.`,
        advice: 'Remove it from "account" in the configuration.',
      })
    else {
      plan.fillings.push({ column, value: templateValue(dialect, column.type, accountParams, param), by: 'template' })
      if (typeof accountParams === 'string') plan.params[param] = accountParams
    }
  }
  const done = new Set([...owned, ...plan.fillings.map(({ column }) => column.name)])
  for (const column of found.columns) {
    if (column.isFilled || done.has(column.name)) continue
    const value = chooseFiller(dialect, column.type)
    if (value !== undefined) plan.fillings.push({ column, value, by: 'filler' })
    else
      plan.incompatibilities.push({
        what: `${found.name}.${column.name} is of the type ${column.type} and needs a value that the bridge does not know.`,
        advice: `Give the column a default value, or add "account": {"${column.name}": its value} to the configuration.`,
      })
  }
  return plan
}

/** Returns a random second password, for a player without one. */
const unknownPassword = (form: PasswordForm): string => {
  const random = randomBytes(32).toString('base64url')
  return form === 'plain' ? random.slice(0, 20) : writeForm(form, random)
}

type NewAccount = { userId: string; password: string | null; second: string | null; block: GameBlock | null }

/** Creates an account in the game, always as a player. @returns its number; NaN if the statement returned none */
export async function insertAccount(
  { connection, table, config }: Accounts,
  { userId, password, second, block }: NewAccount,
): Promise<number> {
  const isBlocked = block?.blocked === true
  const accountParams = {
    userid: userId,
    usertype: config.staff?.playerType ?? 1,
    pass: password ?? '',
    second: second ?? unknownPassword(config.passwordForm),
    blocked: isBlocked ? 1 : 0,
    until: toBlockEnd(isBlocked ? block : null),
  }
  const insertStatement = config.statements.insertAccount
  const { fillings, params } = planAccount(config, table, isBlocked)
  const statements =
    insertStatement === undefined ? writeInsert(connection.dialect, table, fillings) : [insertStatement].flat()
  const [row] = await runAll(connection, statements, { ...accountParams, ...params })
  return Number(row?.usernum ?? Number.NaN)
}

/** Returns the statements that insert an account; the last one returns its number. */
function writeInsert(dialect: Dialect, { table, columns: c }: Resolved<'UserInfo'>, fillings: readonly Filling[]) {
  const columns = fillings.map(({ column }) => quote(dialect, column.name)).join(', ')
  const values = `values (${fillings.map(({ value }) => value).join(', ')})`
  if (dialect === 'mssql')
    return [
      `declare @made table (usernum bigint);
      insert into ${table} (${columns}) output inserted.${c.UserNum} into @made (usernum) ${values};
      select usernum from @made`,
    ]
  const insert = `insert into ${table} (${columns}) ${values}`
  return dialect === 'postgres'
    ? [`${insert} returning ${c.UserNum} as usernum`]
    : [insert, 'select last_insert_id() as usernum']
}
