import assert from 'node:assert/strict'
import { test } from 'node:test'
import sqlParser from 'node-sql-parser'
import { cancelUnit, deliverUnit } from './deliver.ts'
import { bindNames, type GameConnection, type Params, type Row } from './game/driver.ts'
import { type Catalogue, type Column, readCatalogue, resolveTable, type TableName } from './game/names.ts'
import type { Game } from './game/open-game.ts'
import { OWN_TABLES, selectUnit, writeStatements } from './game/statements.ts'

/** SQL Server does not run here: its statements are parsed, and a double of the driver notes in which order they come. */
const parser = new sqlParser.Parser()
const parse = (statement: string) => {
  const { text } = bindNames(statement, new Proxy({}, { get: () => 1 }), (_, name) => `@${name}`)
  return parser.astify(text, { database: 'transactsql' })
}

const column = (name: string, type: string, length: number | null = null): [string, Column] => [
  name.toLowerCase(),
  { name, type, length, isNullable: false, isFilled: name === 'PurKey' },
]
const catalogue: Catalogue = new Map(
  Object.entries({
    UserInfo: [
      column('UserNum', 'int'),
      column('UserID', 'varchar', 20),
      column('UserName', 'varchar', 33),
      column('UserPass', 'varchar', 33),
    ],
    ShopItemMap: [column('ProductNum', 'int'), column('ItemMain', 'int'), column('ItemSub', 'int')],
    ShopPurchase: [
      column('PurKey', 'bigint'),
      column('UserUID', 'varchar', 20),
      column('ProductNum', 'int'),
      column('PurPrice', 'int'),
      column('PurFlag', 'int'),
      column('PurDate', 'datetime'),
    ],
  }).map(([name, columns]) => [name.toLowerCase(), { schema: 'dbo', name, engine: '', columns: new Map(columns) }]),
)
const resolve = <T extends TableName>(table: T, names = {}) =>
  resolveTable(table, { dialect: 'mssql', catalogue, names })
const tables = { user: resolve('UserInfo'), product: resolve('ShopItemMap'), purchase: resolve('ShopPurchase') }
const statements = writeStatements('mssql', tables, {})

test('every statement for SQL Server is good T-SQL', () => {
  for (const [name, [statement = '']] of Object.entries(statements)) {
    // The parser knows neither table variables nor OUTPUT … INTO, which the next test looks at.
    if (name === 'insertPurchase') continue
    // Nor hints behind an alias, nor collations in comparisons.
    const plain = statement.replace(/ with \([\w, ]+\)/g, '').replace(/ collate \w+/g, '')
    assert.doesNotThrow(() => parse(plain), `${name}: ${plain}`)
  }
  assert.doesNotThrow(() => parse(selectUnit('mssql').replace(/ with \([\w, ]+\)/, '')))
  assert.match(selectUnit('mssql'), /with \(updlock, holdlock\)/)
  for (const statement of OWN_TABLES.mssql)
    assert.match(statement, /^if object_id\('(tambayan_\w+)'\) is null\s+create table \1 \(/)
})

test('the number of a new row is read with OUTPUT … INTO, which works beside triggers', () => {
  assert.match(
    statements.insertPurchase[0] ?? '',
    /^declare @made table \(purkey bigint\);\s+insert into \[dbo\]\.\[ShopPurchase\] \(\[UserUID\], \[ProductNum\], \[PurFlag\], \[PurPrice\], \[PurDate\]\) output inserted\.\[PurKey\] into @made \(purkey\) values \(:useruid, :product, 0, :price, getdate\(\)\);\s+select /,
  )
})

test('names of the configuration replace those of the original, in every letter case, and null leaves a column out', () => {
  catalogue.set('bank', {
    schema: 'shop',
    name: 'Bank',
    engine: '',
    columns: new Map([...(catalogue.get('shoppurchase')?.columns ?? []), column('State', 'int')]),
  })
  const purchase = resolve('ShopPurchase', { ShopPurchase: 'bank', 'ShopPurchase.PurFlag': 'STATE', PurPrice: null })
  const [insert = ''] = writeStatements('mssql', { ...tables, purchase }, {}).insertPurchase
  assert.match(insert, /insert into \[shop\]\.\[Bank\] \(\[UserUID\], \[ProductNum\], \[State\], \[PurDate\]\)/)
  assert.throws(() => resolve('UserInfo', { UserID: 'Login' }), /has no column Login/)
  const own = writeStatements('mssql', tables, { findPlayer: 'select 1 as usernum' })
  assert.deepEqual(own.findPlayer, ['select 1 as usernum'])
})

/** Answers statements from a list and notes them. */
function createDouble(answer: (statement: string) => Row[]) {
  const seen: string[] = []
  const ask = async (statement: string, params: Params = {}) => {
    bindNames(statement, params, (_, name) => `@${name}`)
    seen.push(statement.replace(/\s+/g, ' ').trim().slice(0, 40))
    return answer(statement)
  }
  const connection: GameConnection = {
    dialect: 'mssql',
    query: ask,
    rows: async () => [],
    run: async (statement, params) => (await ask(statement, params)).length,
    transaction: async (work) => {
      seen.push('BEGIN')
      const result = await work()
      seen.push('COMMIT')
      return result
    },
    takeLock: async () => true,
    close: async () => {},
  }
  const game: Game = {
    config: {
      userUid: 'UserName',
      passwordForm: 'plain',
      names: {},
      statements: {},
      preset: 'ran-mssql',
      dialect: 'mssql',
      urls: { user: '', game: '', shop: '' },
    },
    user: connection,
    shop: connection,
    statements,
    purchase: tables.purchase,
    close: async () => {},
  }
  return { game, seen }
}

test('a delivery begins its transaction with the unit’s own row, and a refund locks it before it deletes', async () => {
  const work = { kind: 'deliver', unit: 5, attempt: 1, mark: 'm', game_user_num: 9, product_num: 3, price: 10 } as const
  const delivering = createDouble((statement) => {
    if (statement.includes('UserInfo')) return [{ usernum: 9, userid: 'juan_id', username: 'Juan  ' }]
    if (statement.includes('@made')) return [{ purkey: '88', useruid: 'Juan', purdate: '2026-11-20 13:42:07.123' }]
    return [{ product: 3 }]
  })
  const known = { units: new Map(), players: new Map(), products: new Set<number>() }
  assert.deepEqual(await deliverUnit(delivering.game, work, known, () => {}), {
    unit: 5,
    became: 'delivered',
    purKey: '88',
  })
  assert.deepEqual(delivering.seen.slice(2), [
    'BEGIN',
    'insert into tambayan_delivery (unit, mar',
    'declare @made table (purkey bigint); ins',
    'update tambayan_delivery set purkey = :p',
    'COMMIT',
  ])
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
  const cancelling = createDouble((statement) => (statement.includes('tambayan_delivery') ? [row] : [{ flag: 0 }]))
  const outcome = await cancelUnit(cancelling.game, { kind: 'cancel', unit: 5, mark: 'm' }, () => {})
  assert.deepEqual(outcome, { unit: 5, became: 'cancelled' })
  assert.deepEqual(
    cancelling.seen.map((line) => line.slice(0, 20)),
    ['BEGIN', 'select unit, mark, s', 'select p.[PurFlag] a', 'delete p from [dbo].', 'update tambayan_deli', 'COMMIT'],
  )
})

test('the catalogue is read without a look at any row', async () => {
  const { game, seen } = createDouble(() => [
    { sch: 'dbo', tab: 'T', col: 'C', typ: 'VARCHAR', len: 20, nullable: 'NO', engine: '', filled: 0 },
  ])
  const found = await readCatalogue(game.shop)
  assert.deepEqual(found.get('t')?.columns.get('c'), {
    name: 'C',
    type: 'varchar',
    length: 20,
    isNullable: false,
    isFilled: false,
  })
  assert.equal(seen.length, 1)
})
