import assert from 'node:assert/strict'
import { createHash, randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { ImportRow } from '#contract/bridge-accounts.ts'
import { HOUR_MS } from '#contract/durations.ts'
import { createBridgeConfig } from '#test/bridge-helpers.ts'
import { startGame } from '#test/games.ts'
import { openAccounts, prepareAccountTables } from './accounts.ts'
import { readGameBlocks } from './blocks.ts'
import { readGame } from './characters.ts'
import { checkGame } from './check.ts'
import type { BridgeConfig } from './config.ts'
import { openGame } from './game/open-game.ts'
import { moveAccountsIn } from './import.ts'
import { createKeys } from './keys.ts'
import { createLogMemory, reportGameLog } from './logs.ts'
import { proveForm } from './prove.ts'
import { createSiteCall } from './site.ts'
import { tryAllWrites } from './try.ts'

// Tests tables of real servers that differ from the original game.

process.env.TZ = 'Asia/Manila'
const game = await startGame('mariadb')
const config = createBridgeConfig(game, 'mariadb', 'http://127.0.0.1:1')
const neverAborted = new AbortController().signal

/** Creates a site that records requests and accepts every account. */
function createSiteDouble() {
  const sentCalls: Record<string, unknown>[] = []
  const callSite = createSiteCall({
    site: config.site,
    bridge: 1,
    signKey: createKeys().sign,
    instance: randomUUID(),
    fetch: async (_address, request) => {
      const body = JSON.parse(String(request?.body))
      sentCalls.push(body)
      const rows = (body.rows ?? []).map(({ game_user_num }: ImportRow) => ({ game_user_num, became: 'new' }))
      const now = new Date(0).toISOString()
      return Response.json({ now, open_until: now, rows, wanted_clubs: [], wanted: [] })
    },
  })
  return { sentCalls, callSite }
}

async function importFrom(bridgeConfig: BridgeConfig, apply = true) {
  const { sentCalls, callSite } = createSiteDouble()
  const lines: string[] = []
  await moveAccountsIn(bridgeConfig, { callSite, apply, print: (line) => void lines.push(line) })
  const rows = sentCalls.flatMap((body) => body.rows as ImportRow[])
  return { text: lines.join('\n'), rows, find: (id: string) => rows.find(({ user_id }) => user_id === id) }
}

const formatFindings = async (bridgeConfig: BridgeConfig) =>
  (await checkGame(bridgeConfig, undefined)).map(({ level, what, advice }) => `${level}: ${what} ${advice}`).join('\n')

/** Creates a table like UserInfo with another name. @returns the configuration for it */
async function createAccountTable(name: string, change = ''): Promise<BridgeConfig> {
  await game.run('user', `create table ${name} like UserInfo`)
  if (change !== '') await game.run('user', `alter table ${name} ${change}`)
  return { ...config, names: { UserInfo: name } }
}
/** Adds an account. @param columns is SQL that sets its other columns */
const addAccount = (table: string, id: string, password: string, columns = '') =>
  game
    .connection('user')
    .run(`insert into ${table} (UserID, UserName, UserPass) values (:id, :id, :pass)`, { id, pass: password })
    .then(() => (columns === '' ? 0 : game.run('user', `update ${table} set ${columns} where UserID = '${id}'`)))
/** Adds twelve accounts, enough to show the form of their passwords. */
const addMany = async (table: string, writePassword: (nth: number) => string) => {
  for (let nth = 0; nth < 12; nth++) await addAccount(table, `p${nth}`, writePassword(nth))
}

test('reads blocks from a bit column, for the import and for the report of the game’s blocks', async () => {
  const bridgeConfig = await createAccountTable('Bits', `modify UserBlock bit(1) not null default b'0'`)
  await addMany('Bits', (nth) => `secret${nth}`)
  await addAccount('Bits', 'banned1', 'secret1', `UserBlock = b'1', UserBlockDate = '2035-01-01'`)
  const { find } = await importFrom(bridgeConfig)
  assert.partialDeepStrictEqual(find('banned1'), { blocked: true, password: 'secret1' })
  assert.partialDeepStrictEqual(find('p1'), { blocked: false })
  const accounts = await prepareAccountTables(await openAccounts(bridgeConfig))
  const gameBlocks = await readGameBlocks(accounts, new Date('2030-01-01'))
  assert.deepEqual(
    gameBlocks?.blocks.map(([, id]) => id),
    ['banned1'],
  )
  await accounts.close()
})

test('treats block dates of 1900 and zero as over, and very late dates as blocks without an end', async () => {
  const bridgeConfig = await createAccountTable('Dates')
  await addMany('Dates', (nth) => `secret${nth}`)
  await game.run('user', `set sql_mode = ''`)
  for (const [id, date] of [
    ['over1900', '1900-01-01'],
    ['overzero', '0000-00-00 00:00:00'],
    ['until2099', '2099-12-31'],
    ['until9999', '9999-12-31 23:59:59'],
  ] as const)
    await addAccount('Dates', id, 'secret1', `UserBlock = 1, UserBlockDate = '${date}'`)
  const { find } = await importFrom(bridgeConfig)
  for (const id of ['over1900', 'overzero'])
    assert.partialDeepStrictEqual(find(id), { blocked: false, blocked_until: null }, id)
  for (const id of ['until2099', 'until9999'])
    assert.partialDeepStrictEqual(find(id), { blocked: true, blocked_until: null }, id)
  const accounts = await openAccounts(bridgeConfig)
  await game.run('user', 'update Dates set UserType = 1')
  const { blocks } = (await readGameBlocks(await prepareAccountTables(accounts), new Date('2030-01-01'))) ?? {}
  assert.deepEqual(
    blocks?.map(([, id, end]) => [id, end]),
    [
      ['until2099', null],
      ['until9999', null],
    ],
  )
  await accounts.close()
})

test('reports a database whose clock is UTC with the difference, and converts its times', async () => {
  await game.run('game', `set global time_zone = '+00:00'`)
  const bridgeConfig: BridgeConfig = {
    ...config,
    urls: { ...config.urls, log: config.urls.game },
    names: { KillLog: 'LogKill', KillerNum: 'ChaNum' },
  }
  await game.reconnect()
  await game.run('game', 'insert into LogKill (KillDate, ChaNum, VictimNum) values (now(), 1, 2)')
  await game.run('game', `insert into GuildInfo (ChaNum, GuName, GuMakeTime) values (1, 'Anak', now())`)
  await game.run(
    'game',
    `insert into ChaInfo (UserNum, ChaName, ChaClass, ChaSchool, ChaLevelUpDate) values (1, 'Luna', 1, 0, now())`,
  )
  assert.match(
    await formatFindings(bridgeConfig),
    /The database’s clock is 8 hours behind this machine’s.*set the time zone/s,
  )
  const assertIsNow = (seconds: unknown) =>
    assert.ok(Math.abs(Number(seconds) * 1000 - Date.now()) < 60_000, String(seconds))
  const { sentCalls, callSite } = createSiteDouble()
  await reportGameLog(bridgeConfig, callSite, createLogMemory(), neverAborted)
  const [{ kills }] = sentCalls as [{ kills: { at: number }[] }]
  assertIsNow(kills[0]?.at)
  const reading = await readGame(bridgeConfig, neverAborted)
  const [club] = [...reading.clubs.values()].flatMap(({ rows }) => rows)
  assertIsNow(club?.[6])
  assert.equal(reading.zoneMs, 8 * HOUR_MS)
  await game.run('game', `set global time_zone = 'SYSTEM'`)
  await game.reconnect()
  assert.doesNotMatch(await formatFindings(config), /clock is/)
})

test('uses the exact match of two tables that differ in letter case, or else names both', async () => {
  await game.run('shop', 'create table shoppurchase like ShopPurchase')
  const openedGame = await openGame(config)
  assert.equal(openedGame.purchase.definition.name, 'ShopPurchase')
  await openedGame.close()
  const otherConfig = { ...config, names: { ShopPurchase: 'SHOPPURCHASE' } }
  await assert.rejects(openGame(otherConfig), /shoppurchase/)
  await assert.rejects(openGame(otherConfig), /ShopPurchase/)
  assert.match(await formatFindings(otherConfig), /problem: ShopPurchase could be any of these tables: .*shoppurchase/)
  await game.run('shop', 'drop table shoppurchase')
})

test('reports a column to which two names resolve, and writes it once', async () => {
  const bridgeConfig = { ...config, names: { UserName: 'UserID', UserPass2: 'UserPass' } }
  const findingsText = await formatFindings(bridgeConfig)
  assert.match(findingsText, /note: UserInfo\.UserID is used for UserID and UserName\./)
  assert.match(findingsText, /note: UserInfo\.UserPass is used for UserPass and UserPass2\./)
  await game.run('user', `alter table UserInfo alter UserName set default ''`)
  assert.match(
    (await tryAllWrites(bridgeConfig)).map(({ what }) => what).join('\n'),
    /making an account and changing its password works/,
  )
})

const hash = (name: string, text: string, form: 'hex' | 'base64') => createHash(name).update(text).digest(form)

for (const [name, write] of Object.entries({
  'SHA-1 in capitals': (nth: number) => hash('sha1', `p${nth}`, 'hex').toUpperCase(),
  'SHA-256': (nth: number) => hash('sha256', `p${nth}`, 'hex'),
  'MD5 in base64': (nth: number) => hash('md5', `p${nth}`, 'base64'),
  'SHA-1 in base64': (nth: number) => hash('sha1', `p${nth}`, 'base64'),
  'PASSWORD()': (nth: number) => `*${hash('sha1', `p${nth}`, 'hex').toUpperCase()}`,
  bcrypt: (nth: number) => `$2y$10$${hash('sha256', `p${nth}`, 'base64')}`,
}))
  test(`rejects passwords as ${name}, and imports none of them`, async () => {
    const table = `Hash${randomUUID().slice(0, 6)}`
    const bridgeConfig = await createAccountTable(table, 'modify UserPass varchar(100) not null')
    await addMany(table, write)
    assert.match(
      await formatFindings(bridgeConfig),
      /problem: Passwords have a form that the bridge does not support: 12 of 12/,
    )
    const { text, rows } = await importFrom(bridgeConfig)
    assert.deepEqual(rows, [])
    assert.match(text, /check --prove/)
  })

for (const [form, name] of [
  ['sha1', 'sha1'],
  ['md5-lower', 'md5'],
] as const)
  test(`recognizes and imports passwords as ${form}`, async () => {
    const bridgeConfig = await createAccountTable(
      `Form_${name}`,
      "modify UserPass varchar(40) not null, modify UserPass2 varchar(40) not null default ''",
    )
    await addMany(`Form_${name}`, (nth) => hash(name, `p${nth}`, 'hex'))
    assert.match(await formatFindings(bridgeConfig), new RegExp(`Set "passwordForm": "${form}"`))
    const rightConfig = { ...bridgeConfig, passwordForm: form }
    assert.match(await formatFindings(rightConfig), new RegExp(`good: Passwords have the form ${form}: 12 of 12`))
    const { find } = await importFrom(rightConfig)
    assert.partialDeepStrictEqual(find('p3'), { form, password: hash(name, 'p3', 'hex') })
    assert.match((await tryAllWrites(rightConfig)).map(({ what }) => what).join('\n'), /changing its password works/)
  })

test('imports plain passwords of fewer than ten accounts only after one password was proven', async () => {
  const bridgeConfig = await createAccountTable('Few')
  await addAccount('Few', 'juan', 'luma-7')
  await addAccount('Few', 'hashed', hash('md5', 'x', 'hex').toUpperCase())
  assert.deepEqual((await importFrom(bridgeConfig)).rows, [])
  assert.equal((await proveForm(bridgeConfig, 'juan', 'mali')).level, 'problem')
  assert.equal((await proveForm(bridgeConfig, 'nobody', 'luma-7')).level, 'problem')
  assert.match((await proveForm(bridgeConfig, 'hashed', 'x')).advice, /Set "passwordForm": "md5-upper"/)
  assert.deepEqual((await importFrom(bridgeConfig)).rows, [])
  assert.equal((await proveForm(bridgeConfig, 'juan', 'luma-7')).level, 'good')
  const { rows, text } = await importFrom(bridgeConfig)
  assert.deepEqual(
    rows.map(({ user_id, password }) => [user_id, password]),
    [['juan', 'luma-7']],
  )
  assert.match(text, /Passwords of another form: hashed/)
  await game.run('user', 'delete from tambayan_bridge where id = 4')
})

test('connects a game without user types and schools, with the listed numbers as staff', async () => {
  const bridgeConfig = await createAccountTable('Login', 'drop UserType, add Kind char(1) not null default "M"')
  await game.run('game', 'create table Heroes like ChaInfo')
  await game.run('game', 'alter table Heroes drop ChaSchool')
  const names = { UserInfo: 'Login', ChaInfo: 'Heroes' }
  assert.match(
    await formatFindings({ ...bridgeConfig, names }),
    /problem: Login has no column UserType, so the bridge cannot identify/,
  )
  const otherConfig: BridgeConfig = {
    ...bridgeConfig,
    names,
    staff: { numbers: [2], playerType: 0 },
    players: `Kind <> 'S'`,
  }
  await addMany('Login', (nth) => `secret${nth}`)
  await addAccount('Login', 'server', 'secret', `Kind = 'S'`)
  const findingsText = await formatFindings(otherConfig)
  assert.doesNotMatch(findingsText, /problem:/)
  const { rows, find } = await importFrom(otherConfig)
  assert.equal(rows.length, 12)
  assert.equal(find('server'), undefined)
  assert.deepEqual([find('p0')?.user_type, find('p1')?.user_type], [1, 10])
  await game.run('game', `insert into Heroes (UserNum, ChaName, ChaClass) values (1, 'A', 1), (2, 'B', 1)`)
  const reading = await readGame(otherConfig, neverAborted)
  const cells = [...reading.blocks.values()].flatMap((block) => block.rows)
  assert.deepEqual(
    cells.map((row) => [row[4], row[13]]),
    [
      [null, 0],
      [null, 1],
    ],
  )
})

test('uses the configured user types for staff and for new accounts', async () => {
  const bridgeConfig = { ...(await createAccountTable('Groups')), staff: { types: [1, 99], playerType: 0 } }
  await addMany('Groups', (nth) => `secret${nth}`)
  await game.run('user', `update Groups set UserType = case UserID when 'p1' then 1 when 'p2' then 99 else 0 end`)
  const { find } = await importFrom(bridgeConfig)
  assert.deepEqual(
    ['p0', 'p1', 'p2'].map((id) => find(id)?.user_type),
    [1, 10, 99],
  )
  assert.match(
    (await tryAllWrites(bridgeConfig)).map(({ what }) => what).join('\n'),
    /making an account and changing its password works/,
  )
})

test('reports an account key that is not a number', async () => {
  const bridgeConfig = await createAccountTable('Texts', 'modify UserNum varchar(36) not null')
  await game.run('user', `insert into Texts (UserNum, UserID, UserName, UserPass) values ('a-7', 'juan', 'juan', 'x')`)
  const findingsText = await formatFindings(bridgeConfig)
  assert.match(
    findingsText,
    /problem: Texts\.UserNum is of the type varchar, but the bridge identifies rows by whole numbers\./,
  )
  assert.doesNotMatch(findingsText, /NaN/)
  assert.match(findingsText, /The bridge’s account needs these rights/, 'the other checks run too')
  await assert.rejects(importFrom(bridgeConfig), /identifies rows by whole numbers/)
})
