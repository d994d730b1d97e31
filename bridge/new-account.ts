import { randomBytes } from 'node:crypto'
import type { GameBlock } from '#contract/bridge-accounts.ts'
import type { PasswordForm } from '#contract/bridge-sealing.ts'
import { NO_END } from './blocks.ts'
import type { GameConfig } from './config.ts'
import { type Dialect, type Params, runAll } from './game/driver.ts'
import { type Column, findColumn, quote, type ResolvedTable } from './game/names.ts'
import type { Accounts } from './game/open-game.ts'
import { encodePassword } from './passwords.ts'

export const NOW_SQL: Record<Dialect, string> = { mssql: 'getdate()', mariadb: 'now()', postgres: 'localtimestamp' }

/** Returns SQL for a time in a column's type, from the seconds since 1970 in `:until`. */
export function getMomentSql(dialect: Dialect, type = ''): string {
  if (dialect === 'mariadb') return 'from_unixtime(:until)'
  if (dialect === 'postgres')
    return /with time zone/.test(type) ? 'to_timestamp(:until)' : `to_timestamp(:until)::timestamp`
  return `dateadd(minute, datediff(minute, getutcdate(), getdate()), dateadd(minute, :until / 60, '19700101'))`
}

/** Returns the value of `:until` for a block. */
export const toBlockEnd = (block: GameBlock | null): number =>
  block === null ? 0 : Math.floor(Math.min(block.until === null ? NO_END : Date.parse(block.until), NO_END) / 1000)

/** A column that the bridge fills in a new account, its value, and the condition for it. */
type BridgeColumn = {
  value: (dialect: Dialect, type: string, isBlocked: boolean) => string
  /** If false, the column gets its own default. */
  when: 'always' | 'needed' | 'blocked'
}

/**
 * The columns of a new account that the bridge fills, whatever the configuration has. Any other column gets the value from
 * `account` in the configuration, or else its default, or else a filler if it needs a value.
 */
const BRIDGE_COLUMNS: Record<
  Exclude<keyof ResolvedTable<'UserInfo'>['columns'], 'UserNum' | 'LastLoginDate'>,
  BridgeColumn
> = {
  UserID: { value: () => ':userid', when: 'always' },
  UserName: { value: () => ':userid', when: 'always' },
  UserPass: { value: () => ':pass', when: 'always' },
  UserPass2: { value: () => ':second', when: 'always' },
  UserType: { value: () => ':usertype', when: 'always' },
  UserAvailable: { value: () => '1', when: 'always' },
  UserLoginState: { value: () => '0', when: 'always' },
  UserBlock: { value: () => ':blocked', when: 'always' },
  UserBlockDate: {
    value: (dialect, type, isBlocked) => (isBlocked ? getMomentSql(dialect, type) : NOW_SQL[dialect]),
    when: 'blocked',
  },
  UserPoint: { value: () => '0', when: 'needed' },
  CreateDate: { value: (dialect) => NOW_SQL[dialect], when: 'always' },
}

/** Returns a filler for a column that needs a value and has no default; undefined for types without one. */
function chooseFiller(dialect: Dialect, type: string): string | undefined {
  const hasType = (...types: string[]) => types.some((part) => type.includes(part))
  if (hasType('char', 'text')) return `''`
  if (hasType('binary', 'blob', 'bytea', 'image'))
    return { mssql: '0x00', mariadb: `x'00'`, postgres: `'\\x00'` }[dialect]
  if (hasType('int', 'numeric', 'decimal', 'money', 'float', 'real', 'double', 'bit')) return '0'
  if (hasType('date', 'time')) return NOW_SQL[dialect]
  if (hasType('uniqueidentifier', 'uuid'))
    return { mssql: 'newid()', mariadb: 'uuid()', postgres: 'gen_random_uuid()' }[dialect]
  return hasType('bool') ? 'false' : undefined
}

/** Returns a value of the configuration for a column: text that begins with 0x becomes bytes for a binary column. */
function getTemplateValue(
  dialect: Dialect,
  type: string,
  templateCell: string | number | boolean | null,
  name: string,
) {
  if (templateCell === null) return 'null'
  if (typeof templateCell === 'boolean') return dialect === 'postgres' ? String(templateCell) : templateCell ? '1' : '0'
  if (typeof templateCell === 'number') return String(templateCell)
  const bytes = /binary|blob|bytea|image/.test(type) ? /^0x((?:[0-9a-f]{2})*)$/i.exec(templateCell)?.[1] : undefined
  if (bytes === undefined) return `:${name}`
  return { mssql: `0x${bytes}`, mariadb: `x'${bytes}'`, postgres: `'\\x${bytes}'` }[dialect]
}

export type Filling = { column: Column; value: string; by: 'bridge' | 'template' | 'filler' }
type Incompatibility = { what: string; advice: string }
export type AccountPlan = { fillings: Filling[]; params: Params; incompatibilities: Incompatibility[] }

/** Returns the values of a new account's columns, and the problems that prevent creating accounts (BRIDGE-16). */
export function planAccount(
  { dialect, account }: Pick<GameConfig, 'dialect' | 'account'>,
  { definition, infos }: ResolvedTable<'UserInfo'>,
  isBlocked = false,
): AccountPlan {
  const plan: AccountPlan = { fillings: [], params: {}, incompatibilities: [] }
  const usedNames = new Set([infos.UserNum?.name])
  for (const [name, { value, when }] of Object.entries(BRIDGE_COLUMNS) as [
    keyof typeof BRIDGE_COLUMNS,
    BridgeColumn,
  ][]) {
    const column = infos[name]
    if (column === null || usedNames.has(column.name)) continue
    usedNames.add(column.name)
    const isDue = when === 'always' || !column.isFilled || (when === 'blocked' && isBlocked)
    if (isDue) plan.fillings.push({ column, value: value(dialect, column.type, isBlocked), by: 'bridge' })
  }
  for (const [nth, [name, templateCell]] of Object.entries(account).entries()) {
    const column = findColumn(definition, name)
    const param = `account${nth}`
    if (column === undefined)
      plan.incompatibilities.push({
        what: `"account" names the column ${name}, which ${definition.name} does not have.`,
        advice: 'Correct "account" in the configuration.',
      })
    else if (usedNames.has(column.name))
      plan.incompatibilities.push({
        what: `"account" names ${column.name}, about which only the site and the bridge decide.`,
        advice: 'Remove it from "account" in the configuration.',
      })
    else {
      plan.fillings.push({ column, value: getTemplateValue(dialect, column.type, templateCell, param), by: 'template' })
      if (typeof templateCell === 'string') plan.params[param] = templateCell
    }
  }
  const filledNames = new Set([...usedNames, ...plan.fillings.map(({ column }) => column.name)])
  for (const column of definition.columns) {
    if (column.isFilled || filledNames.has(column.name)) continue
    const value = chooseFiller(dialect, column.type)
    if (value !== undefined) plan.fillings.push({ column, value, by: 'filler' })
    else
      plan.incompatibilities.push({
        what: `${definition.name}.${column.name} is of the type ${column.type} and needs a value that the bridge cannot supply.`,
        advice: `Give the column a default value, or add "account": {"${column.name}": its value} to the configuration.`,
      })
  }
  return plan
}

/** Returns a random second password, for a player without one. */
const createUnknownPassword = (form: PasswordForm): string => {
  const random = randomBytes(32).toString('base64url')
  return form === 'plain' ? random.slice(0, 20) : encodePassword(form, random)
}

type NewAccount = { userId: string; password: string | null; second: string | null; block: GameBlock | null }

/**
 * Creates an account in the game, always as a player (BRIDGE-16).
 *
 * @returns its number; NaN if the statement returned none
 */
export async function insertAccount(
  { connection, table, config }: Accounts,
  { userId, password, second: secondPassword, block }: NewAccount,
): Promise<number> {
  const isBlocked = block?.blocked === true
  const accountParams = {
    userid: userId,
    usertype: config.staff?.playerType ?? 1,
    pass: password ?? '',
    second: secondPassword ?? createUnknownPassword(config.passwordForm),
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
function writeInsert(dialect: Dialect, { table, columns: c }: ResolvedTable<'UserInfo'>, fillings: readonly Filling[]) {
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
