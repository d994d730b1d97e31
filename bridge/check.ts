import { type Finding, getBridgeProducts } from '#contract/bridge.ts'
import { CHARACTER_MEASURES, type CharacterMeasure } from '#contract/bridge-characters.ts'
import { PASSWORD_FORMS } from '#contract/bridge-sealing.ts'
import { ACCOUNT_TABLES, ADD_MARK, findUnfitAccounts } from './accounts.ts'
import { findCharacters, measureColumns } from './characters.ts'
import type { BridgeConfig } from './config.ts'
import { connectGame } from './game/connect.ts'
import { type GameConnection, numberOf, type Row, textOf } from './game/driver.ts'
import {
  type Catalogue,
  type Column,
  MissingNames,
  quote,
  type Resolved,
  readCatalogue,
  resolveTable,
  type TableName,
} from './game/names.ts'
import { OWN_TABLES, USER_UIDS } from './game/statements.ts'
import { type CallSite, SiteRefusal } from './site.ts'

/** How many rows are looked at to see what columns hold. */
const SAMPLE = 1000
const NAMED_MAX = 20

type Place = 'user' | 'game' | 'shop'

const good = (what: string): Finding => ({ level: 'good', what, advice: '' })
const note = (what: string, advice: string): Finding => ({ level: 'note', what, advice })
const problem = (what: string, advice: string): Finding => ({
  level: 'problem',
  what: what.slice(0, 300),
  advice: advice.slice(0, 1500),
})

/**
 * Verifies everything that the bridge relies on, and writes nothing, here or there. Each finding says what to do.
 *
 * @param callSite signs as this bridge; without it the site is not asked
 */
export async function checkGame(
  config: BridgeConfig,
  callSite: CallSite | undefined,
  now = () => new Date(),
): Promise<Finding[]> {
  const findings: Finding[] = []
  const connections: Partial<Record<Place, GameConnection>> = {}
  const catalogues: Partial<Record<Place, Catalogue>> = {}
  try {
    for (const place of ['user', 'game', 'shop'] as const) {
      try {
        const connection = await connectGame(config.dialect, config.urls[place])
        connections[place] = connection
        catalogues[place] = await readCatalogue(connection)
        findings.push(good(`The ${place} database answers.`))
      } catch (error) {
        findings.push(
          problem(
            `The ${place} database does not answer: ${(error as Error).message}`,
            `Look at game.${place} in the configuration: the host, the port, the name of the database, the user and the password. Is the server running, and does it accept connections from this machine?`,
          ),
        )
      }
    }
    const resolve = <T extends TableName>(table: T, place: Place): Resolved<T> | undefined => {
      const catalogue = catalogues[place]
      if (catalogue === undefined) return undefined
      try {
        const found = resolveTable(table, { dialect: config.dialect, catalogue, names: config.names })
        findings.push(good(`The table ${found.found.name} has the columns that the bridge needs.`))
        return found
      } catch (error) {
        if (!(error instanceof MissingNames)) throw error
        findings.push(...error.missing.map(({ what, advice }) => problem(what, advice)))
        return undefined
      }
    }
    const user = resolve('UserInfo', 'user')
    const product = resolve('ShopItemMap', 'shop')
    const purchase = resolve('ShopPurchase', 'shop')
    const characters = config.statements.readCharacters === undefined ? resolve('ChaInfo', 'game') : undefined
    if (user !== undefined) findings.push(...checkAccounts(config, user))
    if (characters !== undefined) findings.push(...checkTypes(characters), ...checkMeasures(characters))
    findings.push(...(await checkStatements(config, connections, catalogues)))
    const tables = { user, product, purchase, characters }
    if (purchase !== undefined) findings.push(...checkPurchaseTable(config, purchase))
    const own = catalogues.shop
    if (own !== undefined && !own.has('tambayan_delivery'))
      findings.push(
        note(
          'The bridge’s own tables are not there yet.',
          `The agent makes them at its first start if its account may create tables. Otherwise run this yourself in the shop database:\n${OWN_TABLES[config.dialect].join(';\n')};`,
        ),
      )
    const accounts = catalogues.user
    if (accounts !== undefined && !accounts.has('tambayan_account'))
      findings.push(
        note(
          'The bridge’s own tables for accounts are not there yet.',
          `The agent makes them at its first start if its account may create tables. Otherwise run this yourself in the database of accounts:\n${ACCOUNT_TABLES[config.dialect].join(';\n')};`,
        ),
      )
    if (accounts?.get('tambayan_account')?.columns.has('mark') === false)
      findings.push(
        note(
          'The bridge’s own table tambayan_account is of an earlier version.',
          `The agent changes it at its next start if its account may do so. Otherwise run this yourself in the database of accounts:\n${ADD_MARK};`,
        ),
      )
    if (connections.user !== undefined && user !== undefined) {
      findings.push(...(await checkPasswords(config, connections.user, user)))
      if (connections.shop !== undefined && purchase !== undefined)
        findings.push(...(await checkUserUid(config, connections.user, user, connections.shop, purchase)))
    }
    findings.push(...checkCodePages(config, tables))
    if (callSite !== undefined) findings.push(...(await checkSite(config, callSite, connections.shop, product, now)))
    findings.push(...(await writeGrants(config, tables, catalogues, connections)))
    return findings
  } finally {
    await Promise.allSettled(Object.values(connections).map((connection) => connection.close()))
  }
}

/** What the statements of the configuration about purchases are given, as examples, and the columns that they have to give. */
const PURCHASE = { purkey: 0, useruid: '', product: 0, price: 0, purdate: '' }
const DESCRIBED = {
  insertPurchase: {
    params: { unit: 0, mark: '', usernum: 0, useruid: '', product: 0, price: 0 },
    gives: ['purkey', 'useruid', 'purdate'],
  },
  readPurchase: { params: PURCHASE, gives: ['flag'] },
  deletePurchase: { params: { ...PURCHASE, flag: 0 }, gives: [] },
  watch: { params: {}, gives: ['unit', 'told', 'flag'] },
}

const correct = (name: string) => `Correct it as "${name}" under "statements" in the configuration.`

/**
 * Has the server read the statements of the configuration that write or lock, without running them: grammar, names and
 * columns. A statement that needs what the one before it does cannot be read alone.
 */
async function describeStatements({ statements }: BridgeConfig, shop: GameConnection): Promise<Finding[]> {
  const findings: Finding[] = []
  // SQL Server cannot tell what every good statement gives, such as one with a temporary table.
  const found = shop.dialect === 'mssql' ? note : problem
  for (const [name, { params, gives }] of Object.entries(DESCRIBED)) {
    const own = [statements[name as keyof typeof DESCRIBED] ?? []].flat()
    for (const [nth, statement] of own.entries()) {
      const which = own.length === 1 ? name : `${name}, number ${nth + 1},`
      try {
        const columns = await shop.describe(statement, params)
        const isLast = nth === own.length - 1
        const missing = columns !== null && isLast ? gives.filter((column) => !columns.includes(column)) : []
        findings.push(
          missing.length === 0
            ? good(`Your statement ${which} fits. Whether it does what it should shows with a trial delivery.`)
            : found(
                `Your statement ${which} gives no column ${missing.join(', ')}.`,
                `${correct(name)} Let it give ${gives.join(', ')}.`,
              ),
        )
      } catch (error) {
        const why = (error as Error).message
        findings.push(
          nth === 0
            ? found(`Your statement ${which} does not fit: ${why}`, correct(name))
            : note(`Your statement ${which} cannot be read alone: ${why}`, 'Try it with a trial delivery.'),
        )
      }
    }
  }
  return findings
}

/** Tries the statements of the configuration that read. */
async function checkStatements(
  config: BridgeConfig,
  { user, game, shop }: Partial<Record<Place, GameConnection>>,
  catalogues: Partial<Record<Place, Catalogue>>,
): Promise<Finding[]> {
  const { findPlayer, findProduct, readCharacters } = config.statements
  const runAll = async (connection: GameConnection, own: string | string[], params: Record<string, number>) => {
    for (const statement of [own].flat()) await connection.query(statement, params)
  }
  const tries: [name: string, run: (() => Promise<unknown>) | undefined][] = [
    ['findPlayer', user && findPlayer ? () => runAll(user, findPlayer, { usernum: 0 }) : undefined],
    ['findProduct', shop && findProduct ? () => runAll(shop, findProduct, { product: 0 }) : undefined],
    ['readCharacters', game && readCharacters ? () => readFirst(game) : undefined],
  ]
  const readFirst = (connection: GameConnection) =>
    findCharacters(config, catalogues.game ?? new Map()).read(connection, 0)
  const findings: Finding[] = []
  for (const [name, run] of tries) {
    if (run === undefined) continue
    findings.push(
      await run().then(
        () => good(`Your statement ${name} works.`),
        (error: Error) =>
          problem(
            `Your statement ${name} does not work: ${error.message}`,
            'Correct it under "statements" in the configuration.',
          ),
      ),
    )
  }
  // The statement “watch” reads the bridge’s own table as well, which is made at its first start.
  if (shop !== undefined && catalogues.shop?.has('tambayan_delivery'))
    findings.push(...(await describeStatements(config, shop)))
  return findings
}

const MEASURES: Record<CharacterMeasure, string> = {
  mmr: 'ChaMMR',
  resu: 'ChaResuScore',
  kills: 'ChaPKScore',
  deaths: 'ChaPKDeath',
  level_up: 'ChaLevelUpDate',
  money: 'ChaMoney',
}

/** Which measures of the rankings this server has no column for. */
function checkMeasures(characters: Resolved<'ChaInfo'>): Finding[] {
  const columns = measureColumns(characters)
  return CHARACTER_MEASURES.filter((measure) => columns[measure] === null).map((measure) =>
    note(
      `${characters.found.name} has no column ${MEASURES[measure]}, so the site shows no ${MEASURES[measure].slice(3)}.`,
      `If the server names it differently, add "names": {"ChaInfo.${MEASURES[measure]}": "its name"} to the configuration.`,
    ),
  )
}

const WHOLE = /^(tinyint|smallint|mediumint|int|integer|bigint)$/
const TEXT = /char|text/

function checkPurchaseTable(config: BridgeConfig, { found, infos }: Resolved<'ShopPurchase'>): Finding[] {
  const findings: Finding[] = []
  if (config.dialect === 'mariadb' && found.engine.toLowerCase() !== 'innodb')
    findings.push(
      problem(
        `The table ${found.name} has the engine ${found.engine}, which knows no transactions: a purchase could be lost or doubled.`,
        `Stop the game, make a backup and run: alter table \`${found.name}\` engine = InnoDB;`,
      ),
    )
  for (const name of ['PurKey', 'ProductNum', 'PurPrice', 'PurFlag'] as const) {
    const info = infos[name]
    if (info !== null && !WHOLE.test(info.type))
      findings.push(
        problem(
          `${found.name}.${info.name} is of the type ${info.type}, but the bridge writes whole numbers.`,
          'Check "names" in the configuration: is this the right column?',
        ),
      )
  }
  const uid = infos.UserUID
  if (
    uid !== null &&
    !(config.userUid === 'UserNum' ? WHOLE.test(uid.type) || TEXT.test(uid.type) : TEXT.test(uid.type))
  )
    findings.push(
      problem(
        `${found.name}.${uid.name} is of the type ${uid.type}, which cannot hold the player’s ${config.userUid}.`,
        'Set "userUid" to what the column holds on this server.',
      ),
    )
  if (infos.PurKey !== null && !infos.PurKey.isFilled)
    findings.push(
      problem(
        `${found.name}.${infos.PurKey.name} is not numbered by the database.`,
        'The bridge needs a column with an identity, auto_increment or a sequence. Check "names" in the configuration.',
      ),
    )
  const used = Object.values(infos).flatMap((info) => (info === null ? [] : [info.name]))
  const unfilled = [...found.columns.values()].filter(({ name, isFilled }) => !isFilled && !used.includes(name))
  for (const { name } of unfilled)
    findings.push(
      problem(
        `${found.name}.${name} needs a value that the bridge does not know.`,
        `Give the column a default value, or replace the statement: "statements": {"insertPurchase": "insert into …"}.`,
      ),
    )
  return findings
}

const top = (config: BridgeConfig, what: string, rest: string) =>
  config.dialect === 'mssql' ? `select top (${SAMPLE}) ${what} ${rest}` : `select ${what} ${rest} limit ${SAMPLE}`

/** What UserUID holds, by comparing rows that are there with the accounts. */
async function checkUserUid(
  config: BridgeConfig,
  user: GameConnection,
  accounts: Resolved<'UserInfo'>,
  shop: GameConnection,
  purchases: Resolved<'ShopPurchase'>,
): Promise<Finding[]> {
  const { UserUID, PurKey } = purchases.columns
  const rows = await shop.query(top(config, `${UserUID} as uid`, `from ${purchases.table} order by ${PurKey} desc`))
  const uids = [...new Set(rows.map(({ uid }) => textOf(uid)).filter(Boolean))].slice(0, 200)
  if (uids.length === 0)
    return [
      note(
        `There is no purchase yet that shows what UserUID holds; the configuration says ${config.userUid}.`,
        'Buy an item with a test account, and check that it shows in the item bank of the game. If it does not, change "userUid".',
      ),
    ]
  const counts = await Promise.all(
    USER_UIDS.map(async (column) => {
      const found = await countKnown(user, accounts, column, uids)
      return { column, found }
    }),
  )
  const best = counts.toSorted((a, b) => b.found - a.found)[0]
  const mine = counts.find(({ column }) => column === config.userUid)?.found ?? 0
  if (best !== undefined && best.found > mine)
    return [
      problem(
        `UserUID holds the player’s ${best.column}: ${best.found} of ${uids.length} rows fit it, ${mine} fit ${config.userUid}.`,
        `Set "userUid": "${best.column}" in the configuration. With ${config.userUid}, players would not see what they bought.`,
      ),
    ]
  return [good(`UserUID holds the player’s ${config.userUid}: ${mine} of ${uids.length} rows fit.`)]
}

async function countKnown(
  user: GameConnection,
  accounts: Resolved<'UserInfo'>,
  column: (typeof USER_UIDS)[number],
  uids: string[],
): Promise<number> {
  const wanted = column === 'UserNum' ? uids.filter((uid) => /^\d{1,9}$/.test(uid)) : uids
  if (wanted.length === 0) return 0
  const params = Object.fromEntries(wanted.map((uid, nth) => [`u${nth}`, column === 'UserNum' ? Number(uid) : uid]))
  const [row] = await user.query(
    `select count(*) as found from ${accounts.table} where ${accounts.columns[column]} in (${Object.keys(params)
      .map((name) => `:${name}`)
      .join(', ')})`,
    params,
  )
  return numberOf(row?.found) ?? 0
}

/** The form of the passwords, by their shape alone: no password is shown or kept. */
async function checkPasswords(
  config: BridgeConfig,
  user: GameConnection,
  accounts: Resolved<'UserInfo'>,
): Promise<Finding[]> {
  const column = accounts.columns.UserPass
  if (column === null) return []
  let rows: Row[]
  try {
    rows = await user.query(
      top(config, `${column} as pass`, `from ${accounts.table} order by ${accounts.columns.UserNum} desc`),
    )
  } catch {
    return [
      note(
        'The account may not read UserPass, so the form of the passwords was not checked.',
        'Grant it the rights below if the bridge is to bring passwords to the game.',
      ),
    ]
  }
  const forms = rows.map(({ pass }) => formOf(textOf(pass)))
  const counts = PASSWORD_FORMS.map((form) => ({ form, found: forms.filter((one) => one === form).length }))
  const best = counts.toSorted((a, b) => b.found - a.found)[0]
  if (forms.length === 0 || best === undefined)
    return [
      note(
        `There is no account yet that shows the form of passwords; the configuration says ${config.passwordForm}.`,
        'Make a test account with the game’s own tools, and run this again.',
      ),
    ]
  if (best.form !== config.passwordForm)
    return [
      problem(
        `Passwords look like "${best.form}": ${best.found} of ${forms.length}. The configuration says "${config.passwordForm}".`,
        `Set "passwordForm": "${best.form}" in the configuration. With the wrong form, nobody could log in to the game.`,
      ),
    ]
  return [good(`Passwords have the form ${best.form}: ${best.found} of ${forms.length}.`)]
}

function formOf(pass: string): (typeof PASSWORD_FORMS)[number] {
  if (/^[0-9A-F]{32}$/.test(pass)) return 'md5-upper'
  if (/^[0-9A-F]{20}$/.test(pass)) return 'md5-upper-20'
  if (/^[0-9A-F]{19}$/.test(pass)) return 'md5-upper-19'
  return 'plain'
}

/** The code pages of the columns with names: what one of them cannot hold is refused, never changed. */
function checkCodePages({ userUid }: BridgeConfig, { user, purchase, characters }: Found): Finding[] {
  const named = (table: Resolved<TableName> | undefined, infos: (Column | null | undefined)[]) =>
    infos.flatMap((info) =>
      table === undefined || !info ? [] : [{ ...info, name: `${table.found.name}.${info.name}` }],
    )
  const texts = [
    ...named(user, [user?.infos.UserID, user?.infos.UserName]),
    ...named(characters, [characters?.infos.ChaName]),
    ...named(purchase, [purchase?.infos.UserUID]),
  ].filter(({ codePage }) => codePage !== '')
  const findings = [...Map.groupBy(texts, ({ codePage }) => codePage)].map(([page, columns]) =>
    good(
      `${columns.map(({ name }) => name).join(', ')}: code page ${page}. Names that it cannot hold are refused, never changed.`,
    ),
  )
  const from = userUid === 'UserNum' ? null : user?.infos[userUid]
  const to = purchase?.infos.UserUID
  if (from && to && from.codePage !== to.codePage && to.codePage !== '')
    findings.push(
      note(
        `${to.name} of purchases has the code page ${to.codePage}, but ${from.name} of accounts has ${from.codePage}.`,
        'A player whose name has letters that the first one lacks gets nothing delivered. Plain letters and digits are safe.',
      ),
    )
  return findings
}

const NUMBER =
  /^(tinyint|smallint|mediumint|int|integer|bigint|numeric|decimal|money|smallmoney|float|real|double( precision)?)$/
const FLAG = /^(bit|tinyint|smallint|mediumint|int|integer|bigint|numeric|decimal)$/
const MOMENT = /date|time/

/** What the bridge reads from columns, or writes to them. */
const KINDS: Record<string, [type: RegExp, words: string]> = {
  UserNum: [WHOLE, 'whole numbers'],
  UserID: [TEXT, 'text'],
  UserName: [TEXT, 'text'],
  UserPass: [TEXT, 'text'],
  UserPass2: [TEXT, 'text'],
  UserType: [WHOLE, 'whole numbers'],
  UserAvailable: [FLAG, '0 and 1'],
  UserLoginState: [FLAG, '0 and 1'],
  UserBlock: [FLAG, '0 and 1'],
  UserBlockDate: [MOMENT, 'dates'],
  UserPoint: [NUMBER, 'numbers'],
  CreateDate: [MOMENT, 'dates'],
  ChaNum: [WHOLE, 'whole numbers'],
  ChaName: [TEXT, 'text'],
  ChaClass: [NUMBER, 'numbers'],
  ChaSchool: [NUMBER, 'numbers'],
  ChaLevel: [NUMBER, 'numbers'],
}

/** Columns of a type that the bridge cannot read or write. */
function checkTypes({ found, infos }: Pick<Resolved<TableName>, 'found'> & { infos: Record<string, Column | null> }) {
  return Object.entries(KINDS).flatMap(([name, [type, words]]): Finding[] => {
    const info = infos[name]
    return !info || type.test(info.type)
      ? []
      : [
          problem(
            `${found.name}.${info.name} is of the type ${info.type}, but the bridge expects ${words}.`,
            'Check "names" in the configuration: is this the right column?',
          ),
        ]
  })
}

/** How long passwords of a form are at most. */
const PASSWORD_LENGTHS = { plain: 20, 'md5-upper': 32, 'md5-upper-20': 20, 'md5-upper-19': 19 }

/** What keeps accounts from reaching the game, or some of them. */
function checkAccounts({ dialect, passwordForm }: BridgeConfig, user: Resolved<'UserInfo'>): Finding[] {
  const findings = findUnfitAccounts(dialect, user).map(({ what, advice }) => problem(what, advice))
  const { UserPass: pass } = user.infos
  if (pass !== null && pass.length !== null && pass.length < PASSWORD_LENGTHS[passwordForm])
    findings.push(
      problem(
        `${user.found.name}.${pass.name} has ${pass.length} characters, but passwords of the form ${passwordForm} have up to ${PASSWORD_LENGTHS[passwordForm]}.`,
        'Check "passwordForm" in the configuration; else make the column longer.',
      ),
    )
  return [...findings, ...checkTypes(user)]
}

/** The site's side: whether it answers, the clocks, and products that the game lacks. */
async function checkSite(
  config: BridgeConfig,
  callSite: CallSite,
  shop: GameConnection | undefined,
  product: Resolved<'ShopItemMap'> | undefined,
  now: () => Date,
): Promise<Finding[]> {
  try {
    const answer = await callSite(getBridgeProducts, {})
    const off = Math.round(Math.abs(now().getTime() - Date.parse(answer.now)) / 1000)
    const findings = [good(`The site ${config.site} answers; the clocks differ by ${off} s.`)]
    if (shop === undefined || product === undefined) return findings
    const column = product.columns.ProductNum
    const known = new Set<number>()
    for (let from = 0; from < answer.rows.length; from += SAMPLE) {
      const numbers = answer.rows.slice(from, from + SAMPLE).map((row) => row.game_product_num)
      const rows = await shop.query(
        `select ${column} as product from ${product.table} where ${column} in (${numbers.join(', ')})`,
      )
      for (const row of rows) known.add(Number(row.product))
    }
    const missing = answer.rows.filter((row) => !known.has(row.game_product_num))
    if (missing.length === 0)
      return [...findings, good(`The game’s shop knows all ${answer.rows.length} products of the site.`)]
    const names = missing.slice(0, NAMED_MAX).map((row) => `${row.game_product_num} (${row.item_name})`)
    return [
      ...findings,
      problem(
        `${missing.length} of ${answer.rows.length} products that the site sells are not in ${product.found.name}.`,
        `They would be invisible in the game, so they are not delivered: ${names.join(', ')}${missing.length > NAMED_MAX ? ' and more' : ''}. Add them there, or set the item’s number in the game on the desk (Items), or hide them.`,
      ),
    ]
  } catch (error) {
    const advice =
      error instanceof SiteRefusal
        ? 'Do what it says, then run this again.'
        : 'Check "site" in the configuration, and whether this machine reaches the internet.'
    return [problem((error as Error).message, advice)]
  }
}

/** Who the bridge is to a database. */
type Self = { name: string; host: string; isAdmin: boolean }

const SELF: Record<BridgeConfig['dialect'], string> = {
  mssql: `select suser_sname() as name, '' as host, is_srvrolemember('sysadmin') as admin`,
  mariadb: `select substring_index(current_user(), '@', 1) as name, substring_index(current_user(), '@', -1) as host,
    (select count(*) from information_schema.user_privileges
      where replace(grantee, char(39), '') = current_user() and privilege_type = 'SUPER') as admin`,
  postgres: `select current_user as name, '' as host, case current_setting('is_superuser') when 'on' then 1 else 0 end as admin`,
}

async function readSelf(connection: GameConnection): Promise<Self> {
  const [row] = await connection.query(SELF[connection.dialect]).catch(() => [])
  return { name: textOf(row?.name), host: textOf(row?.host), isAdmin: (numberOf(row?.admin) ?? 0) > 0 }
}

/** The sequences behind serial columns of a table, which an insert needs a right to; identity columns need none. */
async function readSequences(connection: GameConnection, { found }: Resolved<TableName>): Promise<string[]> {
  if (connection.dialect !== 'postgres') return []
  const rows = await connection.query(
    `select substring(column_default from $re$^nextval\\('(.+)'::regclass\\)$re$) as seq from information_schema.columns
    where table_schema = :schema and table_name = :name and column_default like 'nextval(%'`,
    { schema: found.schema, name: found.name },
  )
  return rows.map(({ seq }) => textOf(seq)).filter(Boolean)
}

type Found = {
  user?: Resolved<'UserInfo'> | undefined
  product?: Resolved<'ShopItemMap'> | undefined
  purchase?: Resolved<'ShopPurchase'> | undefined
  characters?: Resolved<'ChaInfo'> | undefined
}

/** The account for the bridge where it has none of its own yet. */
const OWN_ACCOUNT = 'tambayan_bridge'

/** The statements that give an account exactly the rights that the bridge needs, and make it where the bridge is an administrator. */
async function writeGrants(
  config: BridgeConfig,
  { user, product, purchase, characters }: Found,
  catalogues: Partial<Record<Place, Catalogue>>,
  connections: Partial<Record<Place, GameConnection>>,
): Promise<Finding[]> {
  const { dialect, urls, names } = config
  const databaseOf = (place: Place) => decodeURIComponent(new URL(urls[place]).pathname.slice(1))
  const [connection] = Object.values(connections)
  if (connection === undefined) return []
  const self = await readSelf(connection)
  const account = self.isAdmin ? OWN_ACCOUNT : self.name || decodeURIComponent(new URL(urls.shop).username)
  const to = dialect === 'mariadb' ? `'${account}'@'${self.host || 'localhost'}'` : quote(dialect, account)
  const columnsOf = (columns: Record<string, string | null>, wanted?: string[]) =>
    Object.entries(columns)
      .flatMap(([name, column]) =>
        column === null || (wanted !== undefined && !wanted.includes(name)) ? [] : [column],
      )
      .join(', ')
  const schemaOf = (place: Place) =>
    [...(catalogues[place]?.values() ?? [])][0]?.schema ?? (dialect === 'mssql' ? 'dbo' : 'public')
  const own = (name: string, place: Place) =>
    `grant select, insert, update on ${quote(dialect, dialect === 'mariadb' ? databaseOf(place) : schemaOf(place))}.${quote(dialect, name)} to ${to};`
  const sequences = async (place: Place, table: Resolved<TableName>) => {
    const open = connections[place]
    const found = open === undefined ? [] : await readSequences(open, table)
    return found.map((name) => `grant usage on sequence ${name} to ${to};`)
  }
  const club = (name: 'GuildInfo' | 'GuildRegion'): string[] => {
    const catalogue = catalogues.game
    if (catalogue === undefined) return []
    try {
      const { table, columns } = resolveTable(name, { dialect, catalogue, names })
      return [`grant select (${columnsOf(columns)}) on ${table} to ${to};`]
    } catch {
      return []
    }
  }
  const written = ['UserUID', 'ProductNum', 'PurPrice', 'PurFlag', 'PurDate', 'ItemMain', 'ItemSub']
  const lines: Record<Place, string[]> = {
    user:
      user === undefined
        ? []
        : [
            `grant select (${columnsOf(user.columns)}) on ${user.table} to ${to};`,
            `grant insert on ${user.table} to ${to};`,
            `grant update (${columnsOf(user.columns, ['UserPass', 'UserPass2', 'UserBlock', 'UserBlockDate', 'UserPoint'])}) on ${user.table} to ${to};`,
            ...(await sequences('user', user)),
            own('tambayan_account', 'user'),
            own('tambayan_balance', 'user'),
          ],
    game: [
      ...(characters === undefined
        ? []
        : [`grant select (${columnsOf(characters.columns)}) on ${characters.table} to ${to};`]),
      ...club('GuildInfo'),
      ...club('GuildRegion'),
    ],
    shop: [
      ...(product === undefined ? [] : [`grant select (${columnsOf(product.columns)}) on ${product.table} to ${to};`]),
      ...(purchase === undefined
        ? []
        : [
            `grant select (${columnsOf(purchase.columns)}) on ${purchase.table} to ${to};`,
            // SQL Server knows no right to insert into single columns. MariaDB asks for it on what an insert gives back, too.
            `grant insert${dialect === 'mssql' ? '' : ` (${columnsOf(purchase.columns, dialect === 'mariadb' ? [...written, 'PurKey'] : written)})`} on ${purchase.table} to ${to};`,
            // A row that is read to be deleted is locked, which PostgreSQL counts as an update.
            ...(dialect === 'postgres'
              ? [`grant update (${purchase.columns.PurFlag}) on ${purchase.table} to ${to};`]
              : []),
            `grant delete on ${purchase.table} to ${to};`,
            ...(await sequences('shop', purchase)),
          ]),
      own('tambayan_delivery', 'shop'),
      own('tambayan_bridge', 'shop'),
    ],
  }
  /** What comes before the grants in each database. */
  const headOf = (place: Place): string[] => {
    const database = quote(dialect, databaseOf(place))
    if (dialect === 'mariadb') return [`-- in ${databaseOf(place)}:`]
    if (dialect === 'postgres')
      return [
        `-- connected to the database ${databaseOf(place)}:`,
        `grant usage on schema ${quote(dialect, schemaOf(place))} to ${to};`,
      ]
    return [`use ${database};`, ...(self.isAdmin ? [`create user ${to} for login ${to};`] : [])]
  }
  const make = {
    mssql: `create login ${to} with password = 'CHOOSE A PASSWORD';`,
    mariadb: `create user ${to} identified by 'CHOOSE A PASSWORD';`,
    postgres: `create role ${to} login password 'CHOOSE A PASSWORD';`,
  }
  const grants = [
    ...(self.isAdmin ? [make[dialect]] : []),
    ...(['user', 'game', 'shop'] as const).flatMap((place) =>
      lines[place].length === 0 ? [] : [...headOf(place), ...lines[place]],
    ),
  ].join('\n')
  const rights: Finding = {
    level: 'note',
    what: 'The account of the bridge needs these rights and no others.',
    advice: grants,
  }
  if (!self.isAdmin) return [rights]
  return [
    note(
      `The bridge connects as ${self.name}, who may do everything.`,
      `Start it once, so that it makes its own tables. Then make it an account of its own with the statements below, and name ${OWN_ACCOUNT} in the configuration.`,
    ),
    rights,
  ]
}
