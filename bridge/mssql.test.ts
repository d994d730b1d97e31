import assert from 'node:assert/strict'
import { test } from 'node:test'
import { init, validate } from '@guanmingchiu/sqlparser-ts'
import type { AccountWork } from '#contract/bridge-accounts.ts'
import { sealPlainPassword } from '#test/bridge-helpers.ts'
import { startTdsServer, type TdsAnswer } from '#test/tds-server.ts'
import { doAccountWork, openAccounts, prepareAccountTables } from './accounts.ts'
import { readGameBlocks } from './blocks.ts'
import { readGame } from './characters.ts'
import { checkGame } from './check.ts'
import { compareBalances, compareServices, compareUnits } from './compare.ts'
import type { BridgeConfig } from './config.ts'
import { cancelUnit, deliverUnit, noteFlags, readBatchRows, readChangedFlags } from './deliver.ts'
import { connectGame } from './game/connect.ts'
import {
  bindNames,
  type GameConnection,
  GameUnavailable,
  IncompatibleGame,
  type Params,
  type Row,
} from './game/driver.ts'
import { renewEpoch } from './game/marker.ts'
import { type Catalogue, type Column, readCatalogue, resolveTable, type TableName } from './game/names.ts'
import { openGame, prepareOwnTables, type ReadyGame } from './game/open-game.ts'
import { listMissingTables } from './game/own-tables.ts'
import { selectUnit, writeStatements } from './game/statements.ts'
import { moveAccountsIn } from './import.ts'
import { createKeys } from './keys.ts'
import { createLogMemory, reportGameLog } from './logs.ts'
import { doServices, findOfflineCharacter, prepareCharacters, recheckServices } from './services.ts'
import type { CallSite } from './site.ts'

// SQL Server is not available here. Doubles of the connection and of the server record the bridge's statements in order, and the
// tests parse them.
await init()
/** Parses a statement with the bridge's parameters. @throws if it is not valid T-SQL */
const parseTsql = (statement: string) => {
  const { text } = bindNames(statement, new Proxy({}, { get: () => 1 }), (_, name) => `@${name}`)
  return validate(text, 'mssql')
}

const createColumn = (name: string, type: string, length: number | null = null): Column => ({
  name,
  type,
  length,
  codePage: '',
  isNullable: false,
  isFilled: name === 'PurKey',
})
const catalogue: Catalogue = Object.entries({
  UserInfo: [
    createColumn('UserNum', 'int'),
    createColumn('UserID', 'varchar', 20),
    createColumn('UserName', 'varchar', 33),
    createColumn('UserPass', 'varchar', 33),
  ],
  ShopItemMap: [createColumn('ProductNum', 'int'), createColumn('ItemMain', 'int'), createColumn('ItemSub', 'int')],
  ShopPurchase: [
    createColumn('PurKey', 'bigint'),
    createColumn('UserUID', 'varchar', 20),
    createColumn('ProductNum', 'int'),
    createColumn('PurPrice', 'int'),
    createColumn('PurFlag', 'int'),
    createColumn('PurDate', 'datetime'),
  ],
}).map(([name, columns]) => ({ schema: 'dbo', name, isView: false, engine: '', columns }))
const resolve = <T extends TableName>(table: T, names = {}) =>
  resolveTable(table, { dialect: 'mssql', catalogue, names })
const tables = { user: resolve('UserInfo'), product: resolve('ShopItemMap'), purchase: resolve('ShopPurchase') }
const SETTINGS = { userUid: 'UserName', statements: {} } as const
const statements = writeStatements({ dialect: 'mssql', returnsRows: false }, tables, SETTINGS)

/**
 * Valid T-SQL that the parser does not support, each with a replacement that it supports. Other unsupported syntax fails
 * the tests, and so does an entry that no statement uses.
 */
const UNPARSABLE_SYNTAX: { pattern: RegExp; replacement: string; reason: string }[] = [
  { pattern: / output inserted\.\[\w+\] into @made \(\w+\)/g, replacement: '', reason: 'OUTPUT … INTO with columns' },
  { pattern: /^exec @got = sp_getapplock .*$/g, replacement: '', reason: 'EXEC with a result' },
  {
    pattern: /^set ansi_nulls on .*$/g,
    replacement: '',
    reason: 'several SET without semicolons, which the driver sends first',
  },
]
const usedReasons = new Set<string>()

/** Splits a text into statements, and replaces the syntax that the parser does not support. */
const toParsableStatements = (text: string): string[] =>
  text
    .split(';')
    .map((statement) =>
      UNPARSABLE_SYNTAX.reduce((sqlText, { pattern, replacement, reason }) => {
        const replacedText = sqlText.replace(pattern, replacement)
        if (replacedText !== sqlText) usedReasons.add(reason)
        return replacedText
      }, statement.replace(/\s+/g, ' ').trim()),
    )
    .filter((statement) => statement !== '')

/** Syntax and functions that came with a version after SQL Server 2012, the oldest one that the bridge works with. */
const NEWER_SYNTAX: [since: number, pattern: RegExp][] = [
  [2014, /\bcreate table\b[^;]*\bindex\b/i],
  [2016, /\bdatediff_big\b|\bdrop \w+ if exists\b|\bat time zone\b|\bstring_split\b|\bstring_escape\b/i],
  [2016, /\bcreate or alter\b|\bopenjson\b|\bjson_\w+\(|\bfor json\b|\bsession_context\b|\b(de)?compress\(/i],
  [2017, /\b(?<![lr])trim\(|\bstring_agg\b|\bconcat_ws\b|\btranslate\(/i],
  [2019, /\bapprox_count_distinct\b/i],
  [2022, /\b(greatest|least|generate_series|date_bucket|datetrunc)\(|\bis (not )?distinct from\b|\bwindow \w+ as\b/i],
  [2022, /\bltrim\([^()]*,|\brtrim\([^()]*,|\bbit_count\(|\bjson_object\b|\blog\([^()]*,/i],
]
/** Returns one line for each kind of newer syntax in a text, with the version that it needs. */
const listNewerSyntax = (text: string) =>
  NEWER_SYNTAX.flatMap(([since, pattern]) => (pattern.test(text) ? [`${since}: ${text}`] : []))

/** Syntax of PostgreSQL and MySQL that the parser accepts although SQL Server does not. */
const OTHER_DIALECTS =
  /\blimit \d|\bfor (update|share)\b|\breturning\b|\bon (conflict|duplicate)\b|\bilike\b|::|\|\||\bcreate table if not\b|\bnow\(|\b(true|false)\b/i

/** Returns the statements that the parser rejects or that SQL Server 2012 does not support. */
const findUnsupportedStatements = (texts: Iterable<string>): string[] =>
  [...texts].flatMap((text) => [
    ...listNewerSyntax(text),
    ...toParsableStatements(text).filter((statement) => {
      if (OTHER_DIALECTS.test(statement)) return true
      try {
        parseTsql(statement)
        return false
      } catch {
        return true
      }
    }),
  ])

test('finds syntax that is newer than SQL Server 2012', () => {
  for (const text of [
    'create table t (a int, index t_a (a))',
    `select datediff_big(second, '19700101', a) from t`,
    'drop table if exists t',
    'select trim(a) from t',
    `select string_agg(a, ',') from t`,
    'select greatest(a, b) from t',
    'select a from t where a is distinct from b',
    'create or alter view v as select 1',
  ])
    assert.equal(listNewerSyntax(text).length, 1, text)
  assert.deepEqual(listNewerSyntax('select ltrim(rtrim(a)), isnull(b, 0) from t'), [])
})

test('rejects statements with syntax of other databases', () => {
  for (const text of [
    'selct 1',
    'select a from t limit 5',
    'select a from t for update',
    'update t set a = 1 returning b',
    'insert into t (a) values (1) on conflict do nothing',
    'select `a` from t',
    'select a::int from t',
    'select now()',
    'create table if not exists t (a int)',
    'update t set a = where b',
  ])
    assert.deepEqual(findUnsupportedStatements([text]), [text])
})

test('writes only statements that SQL Server 2012 supports', () => {
  const { selectUnits, ...otherStatements } = statements
  const ownTables = (['shop', 'user'] as const).flatMap((database) => listMissingTables('mssql', database, []))
  const allStatements = [selectUnits, ...Object.values(otherStatements).flat(), ...ownTables]
  assert.deepEqual(findUnsupportedStatements([...allStatements, selectUnit('mssql')]), [])
  assert.match(selectUnit('mssql'), /with \(updlock, holdlock\)/)
})

test('reads the key of a new row with OUTPUT … INTO, which also works on tables with triggers', () => {
  assert.match(
    statements.insertPurchase[0] ?? '',
    /^declare @made table \(purkey bigint\);\s+insert into \[dbo\]\.\[ShopPurchase\] \(\[UserUID\], \[ProductNum\], \[PurFlag\], \[PurPrice\], \[PurDate\]\) output inserted\.\[PurKey\] into @made \(purkey\) values \(:useruid, :product, 0, :price, getdate\(\)\);\s+select /,
  )
})

test('resolves configured names in any letter case, and omits a column that is set to null', () => {
  catalogue.push({
    schema: 'shop',
    name: 'Bank',
    isView: false,
    engine: '',
    columns: [...tables.purchase.definition.columns, createColumn('State', 'int')],
  })
  const purchase = resolve('ShopPurchase', { ShopPurchase: 'bank', 'ShopPurchase.PurFlag': 'STATE', PurPrice: null })
  const [insert = ''] = writeStatements(
    { dialect: 'mssql', returnsRows: false },
    { ...tables, purchase },
    SETTINGS,
  ).insertPurchase
  assert.match(insert, /insert into \[shop\]\.\[Bank\] \(\[UserUID\], \[ProductNum\], \[State\], \[PurDate\]\)/)
})

test('rejects a configured column that does not exist', () => {
  assert.throws(() => resolve('UserInfo', { UserID: 'Login' }), /has no column Login/)
})

test('uses a configured statement', () => {
  const customStatements = writeStatements({ dialect: 'mssql', returnsRows: false }, tables, {
    ...SETTINGS,
    statements: { findPlayer: 'select 1 as usernum' },
  })
  assert.deepEqual(customStatements.findPlayer, ['select 1 as usernum'])
})

/** Creates a game whose connection records the beginning of each statement, and answers it with the rows of `answer`. */
function createGameDouble(answer: (statement: string) => Row[]) {
  const recordedStatements: string[] = []
  const recordStatement = async (statement: string, params: Params = {}) => {
    bindNames(statement, params, (_, name) => `@${name}`)
    recordedStatements.push(statement.replace(/\s+/g, ' ').trim().slice(0, 40))
    return answer(statement)
  }
  const connection: GameConnection = {
    dialect: 'mssql',
    returnsRows: false,
    query: recordStatement,
    rows: async () => [],
    describe: async () => [],
    run: async (statement, params) => (await recordStatement(statement, params)).length,
    transaction: async (work) => {
      recordedStatements.push('BEGIN')
      const result = await work()
      recordedStatements.push('COMMIT')
      return result
    },
    takeLock: async () => true,
    close: async () => {},
  }
  const game: ReadyGame = {
    config: {
      userUid: 'UserName',
      passwordForm: 'plain',
      names: {},
      account: {},
      statements: {},
      preset: 'ran-mssql',
      dialect: 'mssql',
      urls: { user: '', game: '', shop: '' },
    },
    user: connection,
    shop: connection,
    statements,
    purchase: tables.purchase,
    tables,
    marker: {
      connection,
      database: 'shop',
      copy: { epoch: 'epoch-of-the-double', counter: 7, identity: {}, highest: 0, ago_ms: null },
    },
    close: async () => {},
  }
  return { game, statements: recordedStatements }
}

test('a delivery writes the unit’s row before the purchase', async () => {
  const work = { kind: 'deliver', unit: 5, attempt: 1, mark: 'm', game_user_num: 9, product_num: 3, price: 10 } as const
  const { game, statements: recordedStatements } = createGameDouble((statement) => {
    if (statement.includes('UserInfo')) return [{ usernum: 9, userid: 'juan_id', username: 'Juan  ' }]
    if (statement.includes('@made')) return [{ purkey: '88', useruid: 'Juan', purdate: '2026-11-20 13:42:07.123' }]
    return [{ product: 3 }]
  })
  const batchRows = { units: new Map(), players: new Map(), products: new Set<number>() }
  assert.deepEqual(await deliverUnit(game, work, batchRows, () => {}), {
    unit: 5,
    became: 'delivered',
    purKey: '88',
  })
  // The first two statements find the player and the product.
  assert.deepEqual(recordedStatements.slice(2), [
    'BEGIN',
    'insert into tambayan_delivery (unit, mar',
    'declare @made table (purkey bigint); ins',
    'update tambayan_delivery set purkey = :p',
    'update tambayan_bridge set epoch = :next',
    'COMMIT',
  ])
})

test('a refund locks the unit’s row and the purchase before it deletes the purchase', async () => {
  const row = {
    unit: 5,
    mark: 'm',
    state: 'delivered',
    useruid: 'Juan',
    product: 3,
    price: 10,
    purkey: '88',
    purdate: 'x',
  }
  const { game, statements: recordedStatements } = createGameDouble((statement) =>
    statement.includes('tambayan_delivery') ? [row] : [{ flag: 0 }],
  )
  const outcome = await cancelUnit(game, { kind: 'cancel', unit: 5, mark: 'm' }, () => {})
  assert.deepEqual(outcome, { unit: 5, became: 'cancelled' })
  assert.deepEqual(
    recordedStatements.map((line) => line.slice(0, 20)),
    [
      'BEGIN',
      'select unit, mark, s',
      'select p.[PurFlag] a',
      'delete p from [dbo].',
      'update tambayan_deli',
      'update tambayan_brid',
      'COMMIT',
    ],
  )
})

test('reads the catalogue with one statement', async () => {
  const { game, statements: recordedStatements } = createGameDouble(() => [
    { sch: 'dbo', tab: 'T', col: 'C', typ: 'VARCHAR', len: 20, nullable: 'NO', engine: '', page: '949', filled: 0 },
  ])
  const readTables = await readCatalogue(game.shop)
  assert.deepEqual(readTables[0]?.columns[0], {
    name: 'C',
    type: 'varchar',
    length: 20,
    codePage: '949',
    isNullable: false,
    isFilled: false,
  })
  assert.equal(recordedStatements.length, 1)
})

/** The tables of GAME-3, GAME-6 and GAME-9 to GAME-11. All databases of the server's double have them. */
const SERVER_TABLES = {
  UserInfo:
    'UserNum int, UserID varchar, UserName varchar, UserPass varchar, UserPass2 varchar, UserType int, UserAvailable int, UserLoginState int, UserBlock int, UserBlockDate datetime, UserPoint int, CreateDate datetime, Odd varchar',
  ChaInfo:
    'ChaNum int, UserNum int, GuNum int, ChaName varchar, ChaClass int, ChaSchool int, ChaLevel int, ChaDeleted int, ChaOnline int, ChaMMR int, ChaResuScore int, ChaPKScore int, ChaPKDeath int, ChaLevelUpDate datetime, ChaMoney money, ChaSex int, ChaHair int, ChaStartMap int, ChaPosX float, ChaPower int, ChaStRemain int',
  GuildInfo:
    'GuNum int, GuName varchar, ChaNum int, GuMakeTime datetime, GuBattleWin int, GuBattleLose int, GuBattleDraw int, GuMarkVer int, GuMarkImage image',
  GuildAlliance: 'LeaderNum int, MemberNum int',
  LogKill: 'KillNum int, KillDate datetime, KillerNum int, VictimNum int',
  LogGuildWar: 'WarNum int, WarDate datetime, WinnerNum int',
  GuildRegion: 'RegionID int, GuNum int, RegionTax int',
  ShopItemMap: 'ProductNum int, ItemMain int, ItemSub int',
  ShopPurchase: 'PurKey bigint, UserUID varchar, ProductNum int, PurPrice int, PurFlag int, PurDate datetime',
}
const DATABASE_FILLED_COLUMNS = ['PurKey', 'UserNum', 'ChaNum']
const catalogueRows = Object.entries(SERVER_TABLES).flatMap(([tab, columns]) =>
  columns.split(', ').map((column) => {
    const [columnName = '', columnType = ''] = column.split(' ')
    const isFilled = DATABASE_FILLED_COLUMNS.includes(columnName) ? 1 : 0
    return {
      sch: 'dbo',
      tab,
      col: columnName,
      typ: columnType,
      len: columnType === 'varchar' ? 33 : null,
      nullable: 'NO',
      engine: '',
      page: columnType === 'varchar' ? '949' : null,
      filled: isFilled,
    }
  }),
)

/** The server double's answer to a statement that contains a text; the first match counts. */
const ANSWERS: [part: string, rows: NonNullable<Extract<TdsAnswer, { rows?: unknown }>['rows']>][] = [
  ['dm_exec_sessions', [{ id: '51 2026-11-20' }]],
  ['sp_getapplock', [{ got: 0 }]],
  ['update tambayan_bridge', []],
  ['d.state as state', [{ unit: 5, state: 'delivered', told: 'waiting', flag: null }]],
  ['and number in', [{ number: 7, mark: 'm' }]],
  ['INFORMATION_SCHEMA.COLUMNS', catalogueRows],
  ['as userid, u.[UserName] as username', [{ usernum: 9, userid: 'juan_id', username: 'Juan  ' }]],
  ['count(*)', [{ found: 1 }]],
  ['select epoch, counter', [{ epoch: 'epoch-of-the-double', counter: 7n, ago: 9 }]],
  ['output inserted.[PurKey]', [{ purkey: 88n, useruid: 'Juan  ', purdate: '2026-11-20 13:42:07.123' }]],
  ['output inserted.[UserNum]', [{ usernum: 12n }]],
  ['as product from', [{ product: 3 }]],
  ['as userpoint', [{ usernum: 12, userid: 'Juan', usertype: 1, userpoint: 500 }]],
  ['as second', [{ userid: 'Juan', pass: 'luma-7', second: 'luma-8' }]],
  ['as until', [{ usernum: 1, userid: 'Juan', pass: 'luma-7', usertype: 1, blocked: 0, until: null, balance: 500 }]],
  // Enough passwords to recognize their form.
  ['as pass from', Array.from({ length: 10 }, () => ({ pass: 'luma-7' }))],
  ['as uid from', [{ uid: 'Juan' }]],
  [
    'c.[ChaNum], c.[UserNum]',
    [
      {
        num: 1,
        user: 9,
        name: 'Peña  ',
        class: 1,
        school: 2,
        level: 90,
        kills: 5,
        deaths: 1,
        mmr: 1500,
        resu: 2,
        money: 4_000_000_000,
        level_up: new Date(2026, 10, 1, 12, 30),
        deleted: 0,
        online: 1,
        club: 3,
      },
    ],
  ],
  ['l.[KillNum], l.[KillDate]', [{ num: 9, date: new Date(2026, 10, 1, 12, 30), killer: 1, victim: 2 }]],
  ['p.[LeaderNum], p.[MemberNum]', [{ leader: 3, member: 4 }]],
  ['l.[WarNum], l.[WarDate]', [{ num: 4, date: new Date(2026, 10, 1, 12, 30), winner: 3, loser: null, region: null }]],
  [
    'g.[GuName], g.[ChaNum]',
    [{ num: 3, name: 'Katipunan  ', leader: 1, wins: 7, losses: 2, draws: 0, made: new Date(2026, 0, 5, 10) }],
  ],
]

/** Starts a double of the server. @param answer overrides ANSWERS for a statement @returns the double and a bridge's configuration */
async function startServerDouble(answer: (statement: string, kind: string) => TdsAnswer | undefined = () => undefined) {
  const pagedStatements = new Set<string>()
  const server = await startTdsServer(({ kind, text, params }) => {
    const customAnswer = answer(text, kind)
    if (customAnswer !== undefined) return customAnswer
    const answerRows =
      ANSWERS.find(([part]) => text.includes(part)) ?? (/@@rowcount/.test(text) ? [text, []] : undefined)
    // A paged read ends after its first page.
    if (answerRows === undefined || (Number(params.after?.value ?? 0) > 0 && pagedStatements.has(text)))
      return undefined
    pagedStatements.add(text)
    // A statement of `run`, whose changed rows are counted.
    if (text.endsWith('select @@rowcount as changed')) return { rows: [{ changed: 1 }], before: [{ changed: 1 }] }
    return { rows: answerRows[1], changed: 1 }
  })
  const config: BridgeConfig = {
    site: 'https://play.example.ph',
    keyFile: '',
    userUid: 'UserName',
    passwordForm: 'plain',
    names: { GuildAlliance: 'GuildAlliance' },
    account: {},
    statements: {},
    preset: 'ran-mssql',
    dialect: 'mssql',
    urls: { user: server.url('RanUser'), game: server.url('RanGame1'), shop: server.url('RanShop') },
  }
  return { ...server, config }
}

/** Delivers and takes back a unit, and reads, notes and compares flags. */
async function exerciseShop(config: BridgeConfig): Promise<void> {
  const openedGame = await openGame(config)
  assert.equal(await openedGame.shop.takeLock(), true)
  const game = await prepareOwnTables(openedGame)
  assert.partialDeepStrictEqual(game.marker.copy, { epoch: 'epoch-of-the-double', counter: 7, ago_ms: 9000 })
  // The double never raises its counter, so each write starts again from 7.
  const resetCounter = () => (game.marker.copy = { ...game.marker.copy, counter: 7 })
  const work = { kind: 'deliver', unit: 5, attempt: 1, mark: 'm', game_user_num: 9, product_num: 3, price: 10 } as const
  const outcome = await deliverUnit(game, work, await readBatchRows(game, [work]), () => {})
  assert.deepEqual(outcome, { unit: 5, became: 'delivered', purKey: '88' })
  resetCounter()
  await cancelUnit(game, { kind: 'cancel', unit: 6, mark: 'm' }, () => {})
  await readChangedFlags(game)
  resetCounter()
  await noteFlags(game, [{ unit: 5, flag: 'claimed' }])
  await compareUnits(game, [{ unit: 5, refunded: false, claimed: false }])
  resetCounter()
  await renewEpoch(game.marker, 'next')
  await game.close()
}

/** Creates and changes an account, takes balances out twice, and reads blocks. */
async function exerciseAccounts(config: BridgeConfig): Promise<void> {
  const accounts = await prepareAccountTables(await openAccounts(config))
  const keys = createKeys()
  const sealPassword = (account: number, text: string, purpose?: 'second-password') =>
    sealPlainPassword(keys.publicSealKey, { account, password: text, version: 5, ...(purpose && { purpose }) })
  const createAccountFields = (account: number) => ({
    password: sealPassword(account, 'luma-7'),
    second_password: sealPassword(account, 'luma-8', 'second-password'),
    block: { blocked: true, until: '2026-12-01T00:00:00.000Z' },
  })
  const work: AccountWork[] = [
    { kind: 'create', account: 1, attempt: 1, mark: '1-5', user_id: 'Juan', ...createAccountFields(1) },
    {
      kind: 'change',
      account: 2,
      attempt: 1,
      mark: '2-5',
      user_id: 'Juan',
      game_user_num: 12,
      ...createAccountFields(2),
    },
    { kind: 'balance', game_user_num: 12, user_id: 'Juan', most: 500 },
    { kind: 'balance', game_user_num: 12, user_id: 'Juan', most: 500, again: true },
  ]
  const report = await doAccountWork(accounts, work, keys.seal)
  await readGameBlocks(accounts, new Date())
  await compareBalances(accounts, [{ game_user_num: 12 }])
  await accounts.close()
  assert.deepEqual(report.refused, [{ account: 1, attempt: 1, problem: 'taken', detail: '' }])
  assert.deepEqual(
    report.done.map(({ game_user_num }) => game_user_num),
    [12],
  )
}

/** Imports the game's accounts into a site that accepts all. */
async function exerciseImport(config: BridgeConfig): Promise<void> {
  const importedRows: unknown[] = []
  const callSite = (async (_: unknown, { rows }: { rows: { game_user_num: number }[] }) => {
    importedRows.push(...rows)
    const results = rows.map(({ game_user_num }) => ({ game_user_num, became: 'new' }))
    return { now: '', open_until: '2026-12-01T00:00:00.000Z', rows: results }
  }) as unknown as CallSite
  await moveAccountsIn(config, { callSite, apply: true, print: () => {} })
  assert.partialDeepStrictEqual(importedRows, [{ game_user_num: 1, user_id: 'Juan', balance: 500 }])
}

/** Reads characters, clubs, alliances and the game's log. */
async function exerciseReading(config: BridgeConfig): Promise<void> {
  const { blocks, online, clubs, alliances } = await readGame(config, new AbortController().signal)
  assert.deepEqual([blocks.get(0)?.rows.length, online], [1, 1])
  assert.equal(blocks.get(0)?.rows[0]?.[2], 'Peña  ')
  const foundedAt = new Date(2026, 0, 5, 10).getTime() / 1000
  assert.deepEqual(clubs.get(0)?.rows, [[3, 'Katipunan', 1, 7, 2, 0, foundedAt]])
  assert.deepEqual(alliances, [
    [3, 3],
    [4, 3],
  ])
  const reports: unknown[] = []
  const logConfig = {
    ...config,
    names: { KillLog: 'LogKill', WarLog: 'LogGuildWar' },
    urls: { ...config.urls, log: config.urls.game },
  }
  const recordReport = (async (_: unknown, input: unknown) => void reports.push(input)) as unknown as CallSite
  await reportGameLog(logConfig, recordReport, createLogMemory(), new AbortController().signal)
  const at = new Date(2026, 10, 1, 12, 30).getTime() / 1000
  assert.deepEqual(reports, [
    {
      kills: [{ num: 9, at, killer: 1, victim: 2 }],
      wars: [{ num: 4, at, winner: 3, loser: 0, region: 0 }],
    },
  ])
}

test('sends every statement of the bridge, except those of services, as valid T-SQL', async () => {
  const { config, requests } = await startServerDouble()
  await exerciseShop(config)
  await exerciseAccounts(config)
  await exerciseImport(config)
  await exerciseReading(config)
  const findings = await checkGame(config, undefined)
  // UserInfo has a column Odd that no one fills.
  assert.deepEqual(
    findings.filter(({ level, what }) => level === 'problem' && !what.includes('Odd')).map(({ what }) => what),
    [],
  )
  const texts = new Set(requests.flatMap(({ kind, text }) => (kind === 'batch' || kind === 'rpc' ? [text] : [])))
  assert.ok(texts.size > 25, `${texts.size}`)
  assert.deepEqual(findUnsupportedStatements(texts), [])
  assert.deepEqual(
    UNPARSABLE_SYNTAX.filter(({ reason }) => !usedReasons.has(reason)),
    [],
  )
})

test('sends the statements of services as valid T-SQL, and locks a character before its change', async () => {
  const valuesBefore = {
    ...{ v_chaname: 'Juan', v_chaschool: 0, v_chaclass: 1, v_chasex: 0, v_chahair: 3 },
    ...{ v_chapower: 5, v_chastremain: 1, v_chastartmap: 7 },
  }
  const valuesAfter = {
    ...{ v_chaname: 'Maria', v_chaschool: 1, v_chaclass: 64, v_chasex: 1, v_chahair: 0 },
    ...{ v_chapower: 0, v_chastremain: 6, v_chastartmap: 22 },
  }
  let isChanged = false
  const { config, requests } = await startServerDouble((text) => {
    if (/^update \[dbo\]\.\[ChaInfo\]/.test(text)) isChanged = true
    if (text.includes('as isonline'))
      return {
        rows: [
          {
            ...{ usernum: 9, isonline: 0, isdeleted: 0, school: 0, v_chaposx: 0 },
            ...(isChanged ? valuesAfter : valuesBefore),
          },
        ],
      }
    if (text.includes('where ([ChaName]')) return { rows: [{ found: 0 }] }
    return undefined
  })
  const characters = await prepareCharacters({
    ...config,
    services: { places: { 0: { map: 22 } }, looks: {}, names: [], off: [], own: {} },
  })
  const { copy } = characters.marker
  const choices = { name: 'Maria', school: '1', gender: '', stats: '', unstuck: '' }
  for (const [service, choice] of Object.entries(choices)) {
    isChanged = false
    characters.marker.copy = { ...copy, counter: 7 }
    const work = {
      kind: 'do',
      order: 5,
      mark: 'm',
      service,
      game_user_num: 9,
      cha_num: 1,
      choice,
      was: '',
      undo: null,
    } as const
    const report = await doServices(characters, [work])
    assert.equal(report.done.length, 1, `${service}: ${JSON.stringify(report)}`)
  }
  characters.marker.copy = { ...copy, counter: 7 }
  await doServices(characters, [{ kind: 'cancel', order: 6, mark: 'm' }])
  await recheckServices(characters)
  const values = { before: { ChaName: 'Juan' }, after: { ChaName: 'Maria' } }
  const doneService = { order: 7, mark: 'm', service: 'name', game_user_num: 9, cha_num: 1, ...values, refunded: true }
  await compareServices(characters, [doneService])
  assert.notEqual(await findOfflineCharacter(characters), undefined)
  await characters.close()
  const texts = requests.flatMap(({ kind, text }) => (kind === 'batch' || kind === 'rpc' ? [text] : []))
  assert.deepEqual(findUnsupportedStatements(new Set(texts)), [])
  const findStatementIndex = (part: string) => texts.findIndex((text) => text.includes(part))
  assert.ok(
    findStatementIndex('with (updlock, rowlock) where [ChaNum]') < findStatementIndex('insert into tambayan_service'),
  )
  assert.ok(findStatementIndex('insert into tambayan_service') < findStatementIndex('update [dbo].[ChaInfo]'))
})

test('sends the settings of a connection first, and each value with its type', async () => {
  const { config, requests } = await startServerDouble((statement) =>
    statement.startsWith('select :') || statement.includes('wanted')
      ? { rows: [{ Num: 9n, NAME: 'Peña', none: null }] }
      : undefined,
  )
  const shop = await connectGame('mssql', config.urls.shop)
  const rows = await shop.query('select wanted where a = :num and b = :text and c = :nothing', {
    num: 9_007_199_254_740_991,
    text: 'Ñ',
    nothing: null,
  })
  assert.deepEqual(rows, [{ num: '9', name: 'Peña', none: null }])
  const texts = requests.filter(({ connection }) => connection === requests.at(-1)?.connection).map(({ text }) => text)
  assert.match(
    texts[1] ?? '',
    /^set nocount off; set xact_abort on; set transaction isolation level read committed; set lock_timeout \d+$/,
  )
  assert.partialDeepStrictEqual(requests.at(-1), {
    kind: 'rpc',
    text: 'select wanted where a = @num and b = @text and c = @nothing',
    params: {
      num: { type: 'bigint', value: 9_007_199_254_740_991n },
      text: { type: 'nvarchar', value: 'Ñ' },
      nothing: { value: null },
    },
  })
  await shop.close()
})

test('runs a transaction as READ COMMITTED, and rolls it back after a refused statement', async () => {
  const { config, requests } = await startServerDouble((statement) =>
    statement.startsWith('insert')
      ? { error: { number: 1105, message: 'Could not allocate space: the disk is full.' } }
      : undefined,
  )
  const shop = await connectGame('mssql', config.urls.shop)
  await assert.rejects(
    shop.transaction(() => shop.run('insert into t (a) values (:a)', { a: 1 })),
    (error) => !(error instanceof GameUnavailable) && /disk is full/.test(String(error)) && 'code' in Object(error),
  )
  assert.equal(await shop.transaction(() => shop.query('select epoch, counter')).then((rows) => rows.length), 1)
  const kinds = requests.map(({ kind, text }) => (kind === 'begin' ? `begin ${text}` : kind))
  assert.deepEqual(
    kinds.filter((kind) => /begin|commit|rollback/.test(kind)),
    // 2 is READ COMMITTED.
    ['begin 2', 'rollback', 'begin 2', 'commit'],
  )
  await shop.close()
})

for (const lossPoint of ['insert', 'commit', 'between'])
  test(`fails after a lost connection to SQL Server (${lossPoint}) and does not connect again`, async () => {
    const { config, requests, endConnections } = await startServerDouble((statement, kind) =>
      statement.startsWith(lossPoint) || kind === lossPoint ? 'drop' : undefined,
    )
    const shop = await connectGame('mssql', config.urls.shop)
    if (lossPoint === 'between') {
      endConnections()
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    const earlierCount = requests.length
    await assert.rejects(
      shop.transaction(() => shop.run('insert into t (a) values (:a)', { a: 1 })),
      GameUnavailable,
    )
    await assert.rejects(shop.query('select 1'), GameUnavailable)
    const laterRequests = requests.slice(earlierCount).map(({ text, kind }) => text || kind)
    assert.ok(!laterRequests.includes('select 1'), laterRequests.join(', '))
    await shop.close()
  })

test('ignores the rows that triggers change or return', async () => {
  const { config } = await startServerDouble((statement) =>
    statement.startsWith('delete')
      ? // A trigger inserted and returned a row, although the statement deleted none.
        { before: [{ rows: [{ noted: 1n }], changed: 1 }, { changed: 0 }], rows: [{ changed: 0n }] }
      : statement.startsWith('declare')
        ? { before: [{ rows: [{ usernum: 5n }] }, { changed: 1 }], rows: [{ usernum: 12n }] }
        : undefined,
  )
  const shop = await connectGame('mssql', config.urls.shop)
  assert.equal(await shop.run('delete from t'), 0)
  assert.deepEqual(await shop.query('declare @made table (usernum bigint); select usernum from @made'), [
    { usernum: '12' },
  ])
  await shop.close()
})

test('rejects a version older than SQL Server 2012 with a one-line message', async () => {
  const { config } = await startServerDouble((statement) =>
    statement.includes('serverproperty') ? { rows: [{ version: '10.50.6000.34' }] } : undefined,
  )
  await assert.rejects(
    connectGame('mssql', config.urls.shop),
    (error) =>
      error instanceof IncompatibleGame &&
      /version 10\.50\.6000\.34; the bridge needs SQL Server 2012 or newer/.test(error.message),
  )
})
