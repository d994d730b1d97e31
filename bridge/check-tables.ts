import type { Finding } from '#contract/bridge.ts'
import { CHARACTER_MEASURES, type CharacterMeasure } from '#contract/bridge-characters.ts'
import { FORM_HASHES, PASSWORD_FORMS, type PasswordForm } from '#contract/bridge-sealing.ts'
import { findAccountIncompatibilities } from './accounts.ts'
import { getMeasureColumns } from './characters.ts'
import type { BridgeConfig, GameConfig } from './config.ts'
import { createGoodFinding, createNote, createProblem, type GameTables } from './findings.ts'
import { type GameConnection, toNumber, toText } from './game/driver.ts'
import {
  type Catalogue,
  type Column,
  describeNonInteger,
  findIncompatibility,
  isIntegerColumn,
  MissingNames,
  type ResolvedTable,
  resolveTable,
  type TableName,
} from './game/names.ts'
import { USER_UIDS } from './game/statements.ts'
import { type Filling, planAccount } from './new-account.ts'
import { DOUBTS, findDoubt, hasWrittenPasswords, readForms } from './prove.ts'

/** The number of rows to read to find out what a column contains. */
const SAMPLE_SIZE = 1000

/** The original column of each measure of the rankings. */
const MEASURE_COLUMNS: Record<CharacterMeasure, string> = {
  mmr: 'ChaMMR',
  resu: 'ChaResuScore',
  kills: 'ChaPKScore',
  deaths: 'ChaPKDeath',
  level_up: 'ChaLevelUpDate',
  money: 'ChaMoney',
}

/** Returns a note for each measure of the rankings for which this server has no column. */
export function checkMeasures(characters: ResolvedTable<'ChaInfo'>): Finding[] {
  const columns = getMeasureColumns(characters)
  return CHARACTER_MEASURES.filter((measure) => columns[measure] === null).map((measure) =>
    createNote(
      `${characters.definition.name} has no column ${MEASURE_COLUMNS[measure]}, so the site shows no ${MEASURE_COLUMNS[measure].slice(3)}.`,
      `If your server uses another name, add "names": {"ChaInfo.${MEASURE_COLUMNS[measure]}": "its name"} to the configuration.`,
    ),
  )
}

/** Returns a note with the facts about clubs that this server does not have. */
export function checkClubs({ dialect, names }: GameConfig, catalogue: Catalogue): Finding[] {
  try {
    const { definition, columns } = resolveTable('GuildInfo', { dialect, catalogue, names })
    const missingColumns = Object.entries(columns).flatMap(([name, column]) => (column === null ? [name] : []))
    if (missingColumns.length === 0) return []
    return [
      createNote(
        `${definition.name} has no column ${missingColumns.join(', ')}, so the site does not show this for clubs.`,
        `If your server uses another name, add "names": {"GuildInfo.${missingColumns[0]}": "its name"} to the configuration.`,
      ),
    ]
  } catch (error) {
    if (!(error instanceof MissingNames)) throw error
    return error.missing.map(({ what, advice }) => createNote(`${what} The site shows no clubs.`, advice))
  }
}

const TEXT_TYPE = /char|text/

/** Checks the table of purchases: it needs transactions, and columns for the values that the bridge writes. */
export function checkPurchaseTable(
  config: BridgeConfig,
  { definition, infos }: ResolvedTable<'ShopPurchase'>,
  hasItems: boolean,
): Finding[] {
  const findings: Finding[] = []
  const incompatibility = findIncompatibility(config.dialect, definition)
  if (incompatibility !== null)
    findings.push(createProblem(`${incompatibility.what} A purchase could be lost or doubled.`, incompatibility.advice))
  const hasOwnInsert = config.statements.insertPurchase !== undefined
  // If only statements of the configuration use the table, its states may be text.
  const hasOnlyOwnStatements = (['insertPurchase', 'readPurchase', 'deletePurchase', 'watch'] as const).every(
    (name) => config.statements[name] !== undefined,
  )
  for (const name of ['PurKey', 'ProductNum', 'PurPrice', 'PurFlag'] as const) {
    const info = infos[name]
    if (!hasOnlyOwnStatements && info !== null && !isIntegerColumn(info))
      findings.push(
        createProblem(
          `${definition.name}.${info.name} is of the type ${info.type}, but the bridge writes whole numbers.`,
          'Check "names" in the configuration: is this the right column?',
        ),
      )
  }
  const uid = infos.UserUID
  if (uid !== null && !((config.userUid === 'UserNum' && isIntegerColumn(uid)) || TEXT_TYPE.test(uid.type)))
    findings.push(
      createProblem(
        `${definition.name}.${uid.name} is of the type ${uid.type}, which cannot hold the player’s ${config.userUid}.`,
        'Set "userUid" to what the column holds on this server.',
      ),
    )
  if (!hasOwnInsert && infos.PurKey !== null && !infos.PurKey.isFilled)
    findings.push(
      createProblem(
        `${definition.name}.${infos.PurKey.name} is not numbered by the database.`,
        'The bridge needs a column with an identity, auto_increment or a sequence. Check "names" in the configuration.',
      ),
    )
  const { PurChgDate: _, ItemMain, ItemSub, ...writtenColumns } = infos
  const writtenNames = Object.values({ ...writtenColumns, ...(hasItems && { ItemMain, ItemSub }) }).map(
    (info) => info?.name,
  )
  const unfilledColumns = hasOwnInsert
    ? []
    : definition.columns.filter(({ name, isFilled }) => !isFilled && !writtenNames.includes(name))
  for (const { name } of unfilledColumns)
    findings.push(
      createProblem(
        `${definition.name}.${name} needs a value that the bridge cannot supply.`,
        `Give the column a default value, or replace the statement: "statements": {"insertPurchase": "insert into …"}.`,
      ),
    )
  return findings
}

/** Returns a select of the first rows. */
const limitToSample = (config: BridgeConfig, columnList: string, fromClause: string) =>
  config.dialect === 'mssql'
    ? `select top (${SAMPLE_SIZE}) ${columnList} ${fromClause}`
    : `select ${columnList} ${fromClause} limit ${SAMPLE_SIZE}`

/** Compares the UserUID of existing purchases with the accounts, to check the configuration's "userUid". */
export async function checkUserUid(
  config: BridgeConfig,
  user: GameConnection,
  accounts: ResolvedTable<'UserInfo'>,
  shop: GameConnection,
  purchases: ResolvedTable<'ShopPurchase'>,
): Promise<Finding[]> {
  const { UserUID, PurKey } = purchases.columns
  const rows = await shop.query(
    limitToSample(config, `${UserUID} as uid`, `from ${purchases.table} order by ${PurKey} desc`),
  )
  const uids = [...new Set(rows.map(({ uid }) => toText(uid)).filter(Boolean))].slice(0, 200)
  if (uids.length === 0)
    return [
      createNote(
        `There is no purchase yet that shows the content of UserUID; the configuration has ${config.userUid}.`,
        'Buy an item with a test account, and check that it appears in the game’s item bank. If it does not, change "userUid".',
      ),
    ]
  const counts = await Promise.all(
    USER_UIDS.map(async (column) => {
      return { column, matches: await countAccounts(user, accounts, column, uids) }
    }),
  )
  const best = counts.toSorted((a, b) => b.matches - a.matches)[0]
  const configuredMatches = counts.find(({ column }) => column === config.userUid)?.matches ?? 0
  if (best !== undefined && best.matches > configuredMatches)
    return [
      createProblem(
        `UserUID holds the player’s ${best.column}: ${best.matches} of ${uids.length} rows match it, ${configuredMatches} match ${config.userUid}.`,
        `Set "userUid": "${best.column}" in the configuration. With ${config.userUid}, players would not see what they bought.`,
      ),
    ]
  return [
    createGoodFinding(
      `UserUID holds the player’s ${config.userUid}: ${configuredMatches} of ${uids.length} rows match.`,
    ),
  ]
}

/** Counts the accounts that have one of these values in a column. */
async function countAccounts(
  user: GameConnection,
  accounts: ResolvedTable<'UserInfo'>,
  column: (typeof USER_UIDS)[number],
  uids: string[],
): Promise<number> {
  const comparableUids = column === 'UserNum' ? uids.filter((uid) => /^\d{1,9}$/.test(uid)) : uids
  if (comparableUids.length === 0) return 0
  const params = Object.fromEntries(
    comparableUids.map((uid, nth) => [`u${nth}`, column === 'UserNum' ? Number(uid) : uid]),
  )
  const [row] = await user.query(
    `select count(*) as found from ${accounts.table} where ${accounts.columns[column]} in (${Object.keys(params)
      .map((name) => `:${name}`)
      .join(', ')})`,
    params,
  )
  return toNumber(row?.found) ?? 0
}

/** Checks the form of the passwords by their shape; no password is shown or stored. */
export async function checkPasswords(
  config: BridgeConfig,
  user: GameConnection,
  accounts: ResolvedTable<'UserInfo'>,
): Promise<Finding[]> {
  if (accounts.columns.UserPass === null) return []
  const { passwordForm } = config
  const accountsTable = { connection: user, table: accounts, config }
  const forms = await readForms(accountsTable).catch(() => null)
  if (forms === null)
    return [
      createNote(
        'The bridge’s account may not read UserPass, so the form of the passwords was not checked.',
        'Grant it the rights below if the bridge is to send passwords to the game.',
      ),
    ]
  const doubt = await findDoubt(accountsTable)
  const counts = [...PASSWORD_FORMS, 'unknown' as const].map((form) => ({
    form,
    found: forms.filter((storedForm) => storedForm === form).length,
  }))
  const best = counts.toSorted((a, b) => b.found - a.found)[0]
  if (forms.length === 0 || best === undefined)
    return [
      createNote(
        `There is no account yet that shows the form of the passwords; the configuration has ${passwordForm}.`,
        'Make a test account with the game’s own tools, and run this again.',
      ),
    ]
  if (best.form === 'unknown')
    return [
      createProblem(
        `Passwords have a form that the bridge does not support: ${best.found} of ${forms.length}.`,
        'They look like hashes that only the game or its database can make. Accounts with such passwords cannot be moved in, and new ones could not log in to the game; see “Another kind of game” in the manual.',
      ),
    ]
  if (best.form !== passwordForm && !(passwordForm === 'plain' && doubt === null))
    return [
      createProblem(
        `Passwords look like "${best.form}": ${best.found} of ${forms.length}. The configuration has "${passwordForm}".`,
        best.form === 'plain'
          ? `If the game stores passwords as typed, set "passwordForm": "plain" in the configuration and run “check --prove USERID”. With the wrong form, no player could log in to the game.`
          : `Set "passwordForm": "${best.form}" in the configuration. With the wrong form, no player could log in to the game.`,
      ),
    ]
  if (doubt !== null) {
    const { what, advice } = DOUBTS[doubt]
    return [
      doubt === 'few' || (await hasWrittenPasswords(user)) ? createNote(what, advice) : createProblem(what, advice),
    ]
  }
  return [
    createGoodFinding(
      `Passwords have the form ${passwordForm}: ${counts.find(({ form }) => form === passwordForm)?.found} of ${forms.length}.`,
    ),
  ]
}

/**
 * Reports the code pages of the columns with names (GAME-2). The bridge refuses names that a code page can't represent.
 */
export function checkCodePages({ userUid }: BridgeConfig, { user, purchase, characters }: GameTables): Finding[] {
  const listColumns = (table: ResolvedTable<TableName> | undefined, infos: (Column | null | undefined)[]) =>
    infos.flatMap((info) =>
      table === undefined || !info ? [] : [{ ...info, name: `${table.definition.name}.${info.name}` }],
    )
  const textColumns = [
    ...listColumns(user, [user?.infos.UserID, user?.infos.UserName]),
    ...listColumns(characters, [characters?.infos.ChaName]),
    ...listColumns(purchase, [purchase?.infos.UserUID]),
  ].filter(({ codePage }) => codePage !== '')
  const findings = [...Map.groupBy(textColumns, ({ codePage }) => codePage)].map(([page, columns]) =>
    createGoodFinding(
      `${columns.map(({ name }) => name).join(', ')}: code page ${page}. Names that it cannot hold are refused, never changed.`,
    ),
  )
  const nameColumn = userUid === 'UserNum' ? null : user?.infos[userUid]
  const purchaseColumn = purchase?.infos.UserUID
  if (nameColumn && purchaseColumn && nameColumn.codePage !== purchaseColumn.codePage && purchaseColumn.codePage !== '')
    findings.push(
      createNote(
        `${purchaseColumn.name} of purchases has the code page ${purchaseColumn.codePage}, but ${nameColumn.name} of accounts has ${nameColumn.codePage}.`,
        'Players whose name has letters that the purchases’ code page lacks get no deliveries. Plain letters and digits are safe.',
      ),
    )
  return findings
}

const NUMBER_TYPE =
  /^(tinyint|smallint|mediumint|int|integer|bigint|numeric|decimal|money|smallmoney|float|real|double( precision)?)$/
const FLAG_TYPE = /^(bit|tinyint|smallint|mediumint|int|integer|bigint|numeric|decimal)$/
const MOMENT_TYPE = /date|time/

/** The types that the bridge can read or write in a column, with a description of its values. */
const COLUMN_KINDS: Record<string, [type: RegExp, description: string]> = {
  UserID: [TEXT_TYPE, 'text'],
  UserName: [TEXT_TYPE, 'text'],
  UserPass: [TEXT_TYPE, 'text'],
  UserPass2: [TEXT_TYPE, 'text'],
  UserType: [FLAG_TYPE, 'whole numbers'],
  UserAvailable: [FLAG_TYPE, '0 and 1'],
  UserLoginState: [FLAG_TYPE, '0 and 1'],
  UserBlock: [FLAG_TYPE, '0 and 1'],
  UserBlockDate: [MOMENT_TYPE, 'dates'],
  UserPoint: [NUMBER_TYPE, 'numbers'],
  CreateDate: [MOMENT_TYPE, 'dates'],
  LastLoginDate: [MOMENT_TYPE, 'dates'],
  ChaName: [TEXT_TYPE, 'text'],
  ChaClass: [NUMBER_TYPE, 'numbers'],
  ChaSchool: [NUMBER_TYPE, 'numbers'],
  ChaLevel: [NUMBER_TYPE, 'numbers'],
}

/**
 * Finds columns of a type that the bridge cannot read or write, and columns to which several names resolve (BRIDGE-18).
 */
export function checkTypes({
  definition,
  infos,
  sharedColumns,
}: Pick<ResolvedTable<TableName>, 'definition' | 'sharedColumns'> & { infos: Record<string, Column | null> }) {
  const nonIntegerKeys = [infos.UserNum, infos.ChaNum].flatMap((key) =>
    key && !isIntegerColumn(key) ? [describeNonInteger(definition.name, key)] : [],
  )
  const duplicates = sharedColumns.map(({ column, names }) =>
    createNote(
      `${definition.name}.${column} is used for ${names.join(' and ')}.`,
      'The bridge uses it for the first of these. If the game has two columns, correct "names" in the configuration.',
    ),
  )
  const types = Object.entries(COLUMN_KINDS).flatMap(([name, [type, description]]): Finding[] => {
    const info = infos[name]
    return !info || type.test(info.type)
      ? []
      : [
          createProblem(
            `${definition.name}.${info.name} is of the type ${info.type}, but the bridge expects ${description}.`,
            'Check "names" in the configuration: is this the right column?',
          ),
        ]
  })
  return [...nonIntegerKeys.map(({ what, advice }) => createProblem(what, advice)), ...duplicates, ...types]
}

/** Describes the columns of a new account and their values. */
function describeNewAccounts(config: BridgeConfig, user: ResolvedTable<'UserInfo'>): Finding[] {
  const { fillings, params } = planAccount(config, user)
  const formatColumns = (source: Filling['by']) =>
    fillings
      .filter((filling) => filling.by === source)
      .map(({ column, value }) =>
        source === 'bridge' ? column.name : `${column.name} = ${params[value.slice(1)] ?? value}`,
      )
      .join(', ')
  const [bridge, template, filler] = [formatColumns('bridge'), formatColumns('template'), formatColumns('filler')]
  return [
    createGoodFinding(
      `In a new account the bridge writes ${bridge}${template === '' ? '' : `; from "account": ${template}`}.`,
    ),
    ...(filler === ''
      ? []
      : [
          createNote(
            `In a new account, columns that need a value get a neutral one: ${filler}.`,
            'If the game needs another value in one of them, add "account": {"column": value} to the configuration.',
          ),
        ]),
  ]
}

/** Returns the maximum length of a stored password, in characters. */
export const getPasswordLength = (form: PasswordForm): number => (form === 'plain' ? 20 : FORM_HASHES[form].length)

/** Returns the problems that prevent some or all accounts from reaching the game. */
export function checkAccounts(config: BridgeConfig, user: ResolvedTable<'UserInfo'>): Finding[] {
  const { passwordForm } = config
  const findings = findAccountIncompatibilities(config, user).map(({ what, advice }) => createProblem(what, advice))
  if (config.statements.insertAccount === undefined) findings.push(...describeNewAccounts(config, user))
  for (const column of [user.infos.UserPass, user.infos.UserPass2])
    if (column !== null && column.length !== null && column.length < getPasswordLength(passwordForm))
      findings.push(
        createProblem(
          `${user.definition.name}.${column.name} has ${column.length} characters, but passwords of the form ${passwordForm} have up to ${getPasswordLength(passwordForm)}.`,
          'Check "passwordForm" in the configuration; else make the column longer.',
        ),
      )
  return [...findings, ...checkTypes(user)]
}
