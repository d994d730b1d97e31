import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { doAccountWork, openAccounts, prepareAccountTables } from '#bridge/accounts.ts'
import { readGameBlocks } from '#bridge/blocks.ts'
import { readGame } from '#bridge/characters.ts'
import { checkGame } from '#bridge/check.ts'
import { compareBalances } from '#bridge/compare.ts'
import type { BridgeConfig } from '#bridge/config.ts'
import { cancelUnit, deliverUnit, readBatchRows, readChangedFlags } from '#bridge/deliver.ts'
import { openGame, prepareOwnTables } from '#bridge/game/open-game.ts'
import { moveAccountsIn } from '#bridge/import.ts'
import { canFreeLogins, freeLogins } from '#bridge/logins.ts'
import { createSiteCall } from '#bridge/site.ts'
import {
  type AccountWork,
  IMPORT_ROWS_AT_ONCE,
  type importAccounts,
  reportAccounts,
  reportBlocks,
  takeAccountWork,
} from '#contract/bridge-accounts.ts'
import { HOUR_MS, MINUTE_MS } from '#contract/durations.ts'
import type { GameKind } from '#scripts/game-tables.ts'
import { encodePassword } from '#server/features/bridge/game-passwords.ts'
import { createPlayer, logInAs, openPlayerSession, registerPlayer, tryLogin } from './account-helpers.ts'
import { createAgentDouble, createBridgeConfig, listenForBridges, sealPlainPassword } from './bridge-helpers.ts'
import { createOperator } from './desk-helpers.ts'
import { updateRows } from './factories.ts'
import { startGame } from './games.ts'
import { createTestApp } from './helpers.ts'

/** Thrown by a test between two steps to end the agent. */
class AgentKilled extends Error {}

/** Tests how accounts travel between a real site and a game database of the given kind. */
export async function testAccountsOn(kind: GameKind) {
  const game = await startGame(kind)
  const site = await createTestApp({ env: { RATE_LIMIT: 'off' }, world: 'demo' })
  const { db, clock } = site
  // The game's database uses the machine's clock.
  clock.set(new Date())
  const address = await listenForBridges(site)
  const agent = await createAgentDouble(site, address)
  await agent.start()
  const config = createBridgeConfig(game, kind, address)
  const openedAccounts = await openAccounts(config)
  const accounts = await prepareAccountTables(openedAccounts)
  after(() => accounts.close())
  // Logs in each time, because the tests advance the clock.
  const gm = {
    get: async (path: string) => (await openPlayerSession(site, 'gm')).get(path),
    post: async (path: string, body: object) => (await openPlayerSession(site, 'gm')).post(path, body),
  }
  const readUser = async (id: string) =>
    (await game.connection('user').query('select * from UserInfo where UserID = :id', { id }))[0]
  const countAccounts = async (id: string) =>
    (await game.connection('user').query('select UserNum from UserInfo where UserID = :id', { id })).length
  const readLink = (userNum: number) =>
    db.selectFrom('game_links').where('user_num', '=', userNum).selectAll().executeTakeFirst()
  const call = createSiteCall({
    site: address,
    bridge: agent.bridge,
    signKey: agent.sign,
    instance: randomUUID(),
    now: site.now,
  })
  /** The state of the accounts' database, which the agent reports. */
  const copy = { epoch: randomUUID() as string, counter: 1 }
  const takeTasks = async () => (await agent.call(takeAccountWork, { wait_ms: 0, copy })).work
  /** Runs one round of the agent: fetches work, does it and reports. */
  async function runRound(onStep?: (step: string) => void) {
    const tasks = await takeTasks()
    const report = await doAccountWork(accounts, tasks, agent.seal, onStep)
    await agent.call(reportAccounts, { copy, ...report })
    return report
  }
  const addGameAccount = (id: string, { pass = 'luma-7', type = 1, point = 0 } = {}) =>
    game
      .connection('user')
      .run(
        'insert into UserInfo (UserID, UserName, UserPass, UserType, UserPoint, UserBlock) values (:id, :id, :pass, :type, :point, 0)',
        { id, pass, type, point },
      )
  const sealPassword = (account: number, password: string, version: number) =>
    sealPlainPassword(agent.publicSealKey, { account, password, version })
  /** Returns work as the site issues it for a new account. The tests use account numbers above those of the site. */
  const createWork = (
    account: number,
    user_id: string,
    { mark = 'first', password = 'luma-7', version = 5, isBlocked = false } = {},
  ): Extract<AccountWork, { kind: 'create' }> => ({
    kind: 'create',
    account,
    attempt: 1,
    mark,
    user_id,
    password: sealPassword(account, password, version),
    second_password: null,
    block: isBlocked ? { blocked: true, until: null } : null,
  })
  /** Runs the command `import-accounts`. @returns its lines, and whether an operator has to check something */
  async function runImport(apply: boolean, { bridgeConfig = config, callSite = call, progressMs = 5000 } = {}) {
    const lines: string[] = []
    const print = (line: string) => void lines.push(line)
    const hasFindings = await moveAccountsIn(bridgeConfig, { callSite, print, progressMs, now: site.now, apply })
    return { lines, text: lines.join('\n'), hasFindings }
  }
  const openImport = () => gm.post('/api/admin/game/account-import/open', { hours: 2, reason: 'We are moving' })
  /** Ends the agent when it reaches a step. */
  const killAt = (killStep: string) => (step: string) => {
    if (step === killStep) throw new AgentKilled()
  }
  const approveBalances = () =>
    db.updateTable('game_balances').set({ state: 'approved' }).where('state', '=', 'seen').execute()

  test('creates a registered player in the game, and writes changes, blocks and their ends', async () => {
    const { form, user, post, owner } = await createPlayer(site)
    await runRound()
    assert.partialDeepStrictEqual(await readUser(form.userId), {
      username: form.userId,
      userpass: form.userPassword,
      usertype: kind === 'postgres' ? '1' : 1,
    })
    assert.notEqual((await readUser(form.userId))?.userpass2, '')
    assert.equal((await readLink(user.UserNum))?.proof, 'created')
    await post('/api/validate-secret-answer', { ...owner, secretAnswer: form.secretAnswer })
    await post('/api/updatepassword', { ...owner, UserPass: form.userPassword, NewUserPass: 'bagong-7' })
    const moderator = await createOperator(site, 'moderator')
    const ends_at = new Date(clock.now().getTime() + HOUR_MS).toISOString()
    const block = { user_num: user.UserNum, block: null, reason: 'Bots', ends_at }
    assert.equal((await moderator.post('/api/admin/players/block', block)).status, 200)
    await runRound()
    const blockedUser = await readUser(form.userId)
    assert.equal(blockedUser?.userpass, 'bagong-7')
    assert.equal(Number(blockedUser?.userblock), 1)
    const blockEndSql =
      kind === 'mariadb' ? 'unix_timestamp(UserBlockDate)' : `extract(epoch from UserBlockDate::timestamptz)`
    const [row] = await game
      .connection('user')
      .query(`select ${blockEndSql} as until from UserInfo where UserID = :id`, { id: form.userId })
    assert.ok(Math.abs(Number(row?.until) * 1000 - Date.parse(ends_at)) < 2000)
    clock.advance(HOUR_MS + 1)
    await runRound()
    assert.equal(Number((await readUser(form.userId))?.userblock), 0)
    clock.set(new Date())
  })

  /** Creates a table of accounts with columns that need a value and have no default. */
  async function createStrictTable() {
    await game.run(
      'user',
      kind === 'mariadb'
        ? 'create table Strict1 like UserInfo'
        : 'create table Strict1 (like UserInfo including identity)',
    )
    const columns = { UserBlockDate: kind === 'mariadb' ? 'datetime' : 'timestamp', UserPoint: 'int', ChaRemain: 'int' }
    for (const [name, type] of Object.entries(columns))
      if (kind === 'mariadb') await game.run('user', `alter table Strict1 modify ${name} ${type} not null`)
      else await game.run('user', `alter table Strict1 alter ${name} drop default, alter ${name} set not null`)
    const bytes = kind === 'mariadb' ? 'binary(16)' : 'bytea'
    await game.run('user', `alter table Strict1 add Token ${bytes} not null, add Salt ${bytes} not null`)
    await game.run('user', `alter table Strict1 add Motto varchar(20) not null`)
  }
  const readFindings = async (bridgeConfig: BridgeConfig) =>
    (await checkGame(bridgeConfig, undefined)).map(({ what }) => what).join('\n')

  test('`check` lists where the value of each required column comes from', async () => {
    await createStrictTable()
    const strictConfig = { ...config, names: { UserInfo: 'Strict1' } }
    const findingsWithoutValues = await readFindings(strictConfig)
    assert.match(
      findingsWithoutValues,
      /In a new account the bridge writes UserID, .*UserBlockDate, UserPoint, CreateDate\./i,
    )
    assert.match(findingsWithoutValues, /get a neutral one: ChaRemain = 0,.* Token = .*, Salt = .*, Motto = ''/i)
    assert.match(
      await readFindings({ ...strictConfig, account: { UserType: 30 } }),
      /UserType, about which only the site/i,
    )
    assert.match(
      await readFindings({ ...strictConfig, account: { Hat: 3 } }),
      /the column Hat, which Strict1 does not have/i,
    )

    const account = { ChaRemain: 4, Token: '0xc0ffee', Motto: "Mabuhay' --" }
    assert.match(
      await readFindings({ ...strictConfig, account }),
      /from "account": ChaRemain = 4, Token = .*, Motto = Mabuhay' --/i,
    )
    const strictAccounts = await prepareAccountTables(await openAccounts({ ...strictConfig, account }))
    const work = createWork(900_300, `strict_${kind}`)
    assert.equal((await doAccountWork(strictAccounts, [work], agent.seal)).refused.length, 0)
    await strictAccounts.close()
    const hex = kind === 'mariadb' ? 'hex(Token)' : `encode(Token, 'hex')`
    const [row] = await game.query('user', `select Strict1.*, lower(${hex}) as token from Strict1`)
    assert.deepEqual([row?.charemain, row?.userpoint, row?.usertype].map(Number), [4, 0, 1])
    assert.deepEqual([row?.motto, String(row?.token).slice(0, 6)], [account.Motto, 'c0ffee'])
    await game.run('user', 'drop table Strict1')
    // The other agent has raised the counter in the database.
    accounts.marker.copy = (await prepareAccountTables(openedAccounts)).marker.copy
  })

  test('creates accounts with a statement of the configuration, but never one of staff', async () => {
    const userId = `own_${kind}`
    const insert = (type: number) =>
      `insert into UserInfo (UserID, UserName, UserPass, UserType, ChaRemain) values (:userid, :userid, :pass, ${type}, 9)`
    const insertWithType = (type: number) =>
      kind === 'mariadb'
        ? [insert(type), 'select last_insert_id() as usernum']
        : [`${insert(type)} returning UserNum as usernum`]
    for (const [type, expectedProblems] of [
      [30, ['staff']],
      [1, []],
    ] as const) {
      const statementConfig = { ...config, statements: { insertAccount: insertWithType(type) } }
      assert.match(await readFindings(statementConfig), /Your statement insertAccount.* is valid/)
      const otherAccounts = await prepareAccountTables(await openAccounts(statementConfig))
      const report = await doAccountWork(otherAccounts, [createWork(900_301, userId)], agent.seal)
      assert.deepEqual(
        report.refused.map(({ problem }) => problem),
        expectedProblems,
      )
      await otherAccounts.close()
    }
    assert.equal(Number((await readUser(userId))?.charemain), 9)
    await game.run('user', `delete from UserInfo where UserID = '${userId}'`)
    // The other agents have raised the counter in the database.
    accounts.marker.copy = (await prepareAccountTables(openedAccounts)).marker.copy
  })

  test('copies blocks set in the game to the site, but not blocks that the site sent', async () => {
    const [bannedPlayer, blockedTwice, staff] = [
      await createPlayer(site),
      await createPlayer(site),
      await createPlayer(site),
    ]
    await runRound()
    const reportBlocksNow = async () => {
      const gameBlocks = await readGameBlocks(accounts, clock.now())
      if (gameBlocks !== null) await agent.call(reportBlocks, { copy, ...gameBlocks })
      return gameBlocks?.blocks.map(([, id]) => id)
    }
    const readBlock = (player: typeof bannedPlayer) =>
      db
        .selectFrom('account_blocks')
        .where('user_num', '=', player.user.UserNum)
        .where('lifted_at', 'is', null)
        .select(['block', 'reason', 'ends_at', 'in_game'])
        .executeTakeFirst()
    const setGameBlock = (player: typeof bannedPlayer, flag: number, endSql = 'null') =>
      game.run(
        'user',
        `update UserInfo set UserBlock = ${flag}, UserBlockDate = ${endSql} where UserID = '${player.form.userId}'`,
      )
    const moderator = await createOperator(site, 'moderator')
    const siteBlock = { user_num: blockedTwice.user.UserNum, block: null, reason: 'Bots', ends_at: null }
    assert.equal((await moderator.post('/api/admin/players/block', siteBlock)).status, 200)
    await runRound()
    await db.updateTable('accounts').set({ user_type: 11 }).where('user_num', '=', staff.user.UserNum).execute()
    assert.deepEqual(await reportBlocksNow(), [], 'the bridge does not report a block that it wrote itself')

    await setGameBlock(bannedPlayer, 1, `'2099-12-31 00:00:00'`)
    await setGameBlock(staff, 1)
    await setGameBlock(blockedTwice, 1, `'2030-01-01 00:00:00'`)
    await reportBlocksNow()
    assert.deepEqual(await readBlock(bannedPlayer).then((block) => [block?.reason, block?.in_game, block?.ends_at]), [
      'This account was blocked in the game.',
      true,
      null,
    ])
    assert.equal((await tryLogin(site, bannedPlayer.form.userId, bannedPlayer.form.userPassword)).status, 3)
    assert.equal(await readBlock(staff), undefined, 'the game’s blocks never block staff of the site')
    assert.partialDeepStrictEqual(await readBlock(blockedTwice), { reason: 'Bots', in_game: false })
    assert.deepEqual(
      (await takeTasks()).filter((entry) => entry.kind !== 'balance' && entry.account === bannedPlayer.user.UserNum),
      [],
      'the site sends no block back to the game',
    )
    await setGameBlock(bannedPlayer, 1, `'2031-01-01 12:00:00'`)
    await reportBlocksNow()
    assert.equal((await readBlock(bannedPlayer))?.ends_at?.getTime(), new Date('2031-01-01T12:00:00').getTime())

    // While a restore waits for confirmation, the site ignores reports of blocks.
    const otherEpoch = randomUUID()
    await setGameBlock(bannedPlayer, 0)
    await agent.call(takeAccountWork, { wait_ms: 0, copy: { ...copy, epoch: otherEpoch } })
    await agent.call(reportBlocks, {
      copy: { ...copy, epoch: otherEpoch },
      blocks: [],
      complete: true,
    })
    assert.ok((await readBlock(bannedPlayer)) !== undefined)
    await agent.call(takeAccountWork, { wait_ms: 0, copy })

    await setGameBlock(blockedTwice, 0)
    await reportBlocksNow()
    assert.equal(await readBlock(bannedPlayer), undefined)
    assert.equal((await tryLogin(site, bannedPlayer.form.userId, bannedPlayer.form.userPassword)).status, 1)
    assert.partialDeepStrictEqual(
      await readBlock(blockedTwice),
      { reason: 'Bots' },
      'a block of the site ends only on the site',
    )

    // A block that the site lifts also ends in the game.
    await setGameBlock(bannedPlayer, 1)
    await reportBlocksNow()
    const liftInput = {
      user_num: bannedPlayer.user.UserNum,
      block: (await readBlock(bannedPlayer))?.block,
      reason: 'Appeal',
    }
    assert.equal((await moderator.post('/api/admin/players/unblock', liftInput)).status, 200)
    await runRound()
    assert.equal(Number((await readUser(bannedPlayer.form.userId))?.userblock), 0)
    assert.deepEqual(await reportBlocksNow(), [staff.form.userId])
    await game.run('user', `update UserInfo set UserBlock = 0 where UserID = '${staff.form.userId}'`)
    await db.updateTable('accounts').set({ user_type: 1 }).where('user_num', '=', staff.user.UserNum).execute()
  })

  test('creates an account once when the agent stops between any two steps', async () => {
    for (const step of ['account noted', 'account inserted', 'account committed']) {
      const form = await registerPlayer(site)
      await assert.rejects(runRound(killAt(step)), AgentKilled)
      await runRound()
      assert.equal(await countAccounts(form.userId), 1, step)
      const [account] = await db.selectFrom('accounts').where('user_id', '=', form.userId).select('user_num').execute()
      assert.equal(
        (await readLink(account?.user_num ?? 0))?.game_user_num,
        Number((await readUser(form.userId))?.usernum),
      )
    }
  })

  test('does not change a game account whose ID differs from a player’s in letter case and spaces', async () => {
    const form = await registerPlayer(site)
    await addGameAccount(` ${form.userId.toUpperCase()} `)
    const readRows = () => game.query('user', 'select UserID, UserPass, UserType from UserInfo order by UserNum')
    const before = await readRows()
    const report = await runRound()
    assert.partialDeepStrictEqual(report.refused, [{ problem: 'taken' }])
    assert.deepEqual(await readRows(), before)
  })

  test('creates no account for an ID that is another account’s name in the game', async () => {
    const form = await registerPlayer(site)
    await game.addPlayer(form.userId.toUpperCase(), `x_${form.userId}`.slice(0, 20))
    assert.partialDeepStrictEqual((await runRound()).refused, [{ problem: 'taken' }])
    assert.equal(await countAccounts(form.userId), 0)
  })

  test('refuses old passwords, passwords of other accounts, and accounts of staff or other players', async () => {
    const account = 900_001
    const ownId = `linked_${kind}`
    const creation = createWork(account, ownId)
    const ownUserNum = (await doAccountWork(accounts, [creation], agent.seal)).done[0]?.game_user_num ?? 0
    await addGameAccount(`gm_${kind}`, { type: 30 })
    await addGameAccount(`other_${kind}`)
    const [staffUserNum, otherUserNum] = [
      Number((await readUser(`gm_${kind}`))?.usernum),
      Number((await readUser(`other_${kind}`))?.usernum),
    ]
    const createChange = (
      changedAccount: number,
      game_user_num: number,
      user_id: string,
      password = sealPassword(changedAccount, 'evil-1', 9),
    ) =>
      ({
        kind: 'change',
        account: changedAccount,
        attempt: 1,
        mark: 'first',
        user_id,
        game_user_num,
        password,
        second_password: null,
        block: { blocked: true, until: null },
      }) as const
    const refusedWork: [expectedProblem: string, AccountWork][] = [
      ['outdated', createChange(account, ownUserNum, ownId, sealPassword(account, 'old-1', 4))],
      ['staff', createChange(900_002, staffUserNum, `gm_${kind}`)],
      ['bound', createChange(900_003, ownUserNum, ownId)],
      ['bound', createChange(account, otherUserNum, `other_${kind}`)],
      ['renamed', createChange(account, ownUserNum, `somebody_${kind}`)],
      ['unreadable', createChange(account, ownUserNum, ownId, sealPassword(900_004, 'evil-1', 9))],
      // A restored site, or another one, assigned the same number and ID to a different account.
      ['taken', createWork(account, ownId, { mark: 'second', password: 'evil-1', version: 9 })],
      // Longer than the column.
      ['database', createWork(900_005, `long_${kind}`, { password: 'x'.repeat(60) })],
    ]
    const before = await game.query('user', 'select * from UserInfo order by UserNum')
    const { done, refused: refusals } = await doAccountWork(
      accounts,
      refusedWork.map(([, work]) => work),
      agent.seal,
    )
    assert.deepEqual(done, [])
    assert.deepEqual(
      refusals.map(({ problem }) => problem),
      refusedWork.map(([expectedProblem]) => expectedProblem),
    )
    assert.deepEqual(await game.query('user', 'select * from UserInfo order by UserNum'), before)
  })

  test('creates an account for a number that another account had before', async () => {
    const createGameAccount = async (user_id: string, mark: string, version: number) => {
      const work = createWork(900_200, user_id, { mark, version })
      return (await doAccountWork(accounts, [work], agent.seal)).done[0]?.game_user_num
    }
    const firstUserNum = await createGameAccount(`first_${kind}`, 'first', 7)
    assert.equal(
      await createGameAccount(`first_${kind}`, 'first', 8),
      firstUserNum,
      'a repeated task returns the account that it created first',
    )
    const secondUserNum = await createGameAccount(`second_${kind}`, 'second', 6)
    assert.ok(secondUserNum !== undefined && secondUserNum !== firstUserNum)
  })

  test('a dry run lists IDs that two accounts have, and prints its progress', async () => {
    await addGameAccount(`Kambal_${kind}`)
    // The second account with the ID comes in a later batch.
    for (let nth = 0; nth < IMPORT_ROWS_AT_ONCE; nth++) await addGameAccount(`pagitan${nth}_${kind}`)
    await addGameAccount(`KAMBAL_${kind}`)
    const { lines, text } = await runImport(false, { progressMs: 0 })
    assert.match(lines[0] ?? '', /^\d+ of \d+ accounts …$/)
    assert.match(text, new RegExp(`^IDs that two accounts share: KAMBAL_${kind} `, 'm'))
    assert.doesNotMatch(lines.filter((line) => line.startsWith('IDs that')).join(), /Kambal/)
    await game.run('user', `delete from UserInfo where UserID like 'pagitan%' or lower(UserID) like 'kambal%'`)
  })

  test('`check` and the dry run list the accounts to which nothing can be delivered', async () => {
    const longName = `malayo_at_mahabang_${kind}`.padEnd(25, 'x')
    await game.addPlayer(longName, `mahaba_${kind}`)
    await game.addPlayer(`Kapit_${kind}`, `kapit1_${kind}`)
    await game.addPlayer(`${kind === 'mariadb' ? 'kapit' : 'Kapit'}_${kind}`, `kapit2_${kind}`)
    const expected = [
      `Nothing can be delivered to 1 account with a UserName of more than 20 characters\\.\\s+.*: ${longName} \\(\\d+\\)`,
      `to 1 account with a UserName that another account has too, as the game compares names\\.\\s+.*: kapit_${kind} `,
    ]
    const findings = await checkGame(config, undefined)
    const findingsText = findings.map(({ what, advice }) => `${what}\n${advice}`).join('\n')
    for (const text of [findingsText, (await runImport(false)).text])
      for (const pattern of expected) assert.match(text, new RegExp(pattern, 'i'))
    await game.run('user', `delete from UserInfo where UserID like 'mahaba_%' or UserID like 'kapit%'`)
  })

  const toId = (name: string) => `${name}_${kind}`
  const richId = toId('datu')

  test('imports players after a dry run, also when the connection breaks, and lists odd balances', async () => {
    await db.deleteFrom('game_balances').execute()
    await addGameAccount(richId, { pass: 'luma-1', point: 700 })
    await addGameAccount(toId('boss'), { pass: 'luma-2', type: 30, point: 5 })
    // The ID of a player of the demo world.
    await addGameAccount('maria', { pass: 'luma-3' })
    await addGameAccount(toId('utang'), { point: -4 })
    await addGameAccount(toId('yaman'), { point: 1_000_000_001 })
    const dryRun = await runImport(false)
    assert.equal(dryRun.hasFindings, true)
    assert.match(dryRun.text, /IDs of players of the site: .*maria.*Nothing was changed.*The import is not open/s)
    assert.deepEqual(await db.selectFrom('game_imports').select('user_id').execute(), [])
    await assert.rejects(runImport(true), /not open/)
    await openImport()
    // The connection breaks after a batch; a second run does the rest.
    const failingCall = ((endpoint: typeof importAccounts, input: never) =>
      call(endpoint, input).then(() => Promise.reject(new AgentKilled()))) as unknown as typeof call
    await assert.rejects(runImport(true, { callSite: failingCall }), AgentKilled)
    const { lines, text, hasFindings } = await runImport(true)
    assert.equal(hasFindings, true)
    assert.match(text, new RegExp(`Game staff who are players on the site: .*${toId('boss')}`))
    assert.match(text, new RegExp(`Balances below 0 or above 1,000,000,000: ${toId('utang')} .*${toId('yaman')} `))
    const { imported, balances } = (await gm.get('/api/admin/game/account-import')).json()
    assert.match(text, new RegExp(`^To take over: ${balances.seen.count} balances?, ${balances.seen.sum} in all`, 'm'))
    assert.deepEqual(
      balances.odd.map(({ why }: { why: string }) => why),
      ['More than 1,000,000,000 is not taken over', 'Staff of the game', 'It is below 0'],
    )
    assert.match(text, /moved in before/)
    const importedCount = lines.reduce(
      (sum, line) => sum + Number(/^(\d+) moved in( before)?\.$/.exec(line)?.[1] ?? 0),
      0,
    )
    assert.equal(importedCount, imported)
    assert.equal((await tryLogin(site, toId('boss'), 'luma-2')).status, 1)
    assert.equal((await tryLogin(site, richId, 'luma-1')).status, 1)
  })

  test('takes an approved balance out of the game and books it once, even if the agent stops', async () => {
    await db
      .updateTable('game_balances')
      .set({ state: 'approved' })
      .where('state', '=', 'seen')
      .where('amount', '=', 700)
      .execute()
    await assert.rejects(runRound(killAt('balance noted')), AgentKilled)
    assert.equal(Number((await readUser(richId))?.userpoint), 700, 'nothing was taken')
    for (let tries = 0; tries < 3; tries++) await runRound(killAt('account committed')).catch(() => {})
    await runRound()
    assert.equal(Number((await readUser(richId))?.userpoint), 0)
    assert.equal((await logInAs(site, richId, 'luma-1')).user.UserPoint, 700)
    const balanceNotes = await game.query('user', 'select amount from tambayan_balance')
    assert.deepEqual(
      balanceNotes.map(({ amount }) => Number(amount)),
      [700],
    )
  })

  test('a restored site books the amount that was taken before, not points earned since', async () => {
    await updateRows(db, 'game_balances', { state: 'taken' }, { state: 'seen', user_num: null, ledger_entry: null })
    await game.run('user', `update UserInfo set UserPoint = 50 where UserID = '${richId}'`)
    assert.match((await runImport(true)).text, /Taken out of the game before: 1 balance\./)
    const [seenBalance] = await db.selectFrom('game_balances').where('state', '=', 'seen').selectAll().execute()
    assert.equal(Number(seenBalance?.amount), 700)
    await approveBalances()
    await runRound()
    assert.partialDeepStrictEqual(
      await db.selectFrom('game_balances').where('state', '=', 'taken').selectAll().executeTakeFirst(),
      { game_user_num: Number((await readUser(richId))?.usernum), amount: 700 },
    )
    assert.equal(Number((await readUser(richId))?.userpoint), 50)
  })

  /** Simulates a restore of the accounts' database: the agent compares balances, and an owner confirms it. */
  async function confirmRestore() {
    const older = { ...copy, counter: copy.counter - 1 }
    const requestWork = () => agent.call(takeAccountWork, { wait_ms: 0, copy: older })
    for (let { look } = await requestWork(); look.length > 0; { look } = await requestWork()) {
      const comparison = await compareBalances(accounts, look)
      await agent.call(reportAccounts, { copy: older, done: [], refused: [], balances: [], looked: comparison })
    }
    const answer = await gm.post('/api/admin/game/restore', { offer_again: false, reason: 'The disk broke' })
    assert.equal(answer.status, 200, answer.text)
    copy.epoch = (await requestWork()).next_epoch ?? ''
  }

  test('sends passwords and blocks to a restored game again, and books no balance twice', async () => {
    const [player, bot] = [await createPlayer(site), await createPlayer(site)]
    await runRound()
    const moderator = await createOperator(site, 'moderator')
    const block = { user_num: bot.user.UserNum, block: null, reason: 'Bots', ends_at: null }
    assert.equal((await moderator.post('/api/admin/players/block', block)).status, 200)
    await runRound()
    const readRCoin = async () => (await logInAs(site, richId, 'luma-1')).user.UserPoint
    const before = await readRCoin()
    await game.run('user', `update UserInfo set UserPass = 'dati-1' where UserID = '${player.form.userId}'`)
    await game.run('user', `update UserInfo set UserBlock = 0 where UserID = '${bot.form.userId}'`)
    await game.run('user', `update UserInfo set UserPoint = 700 where UserID = '${richId}'`)
    await game.run('user', 'delete from tambayan_balance')
    await game.run('user', 'update tambayan_account set password_version = 0')
    // A balance of a player who was erased since, without a row in game_imports.
    const erasedUserNum = 999_999_001
    await sql`
      insert into game_balances (bridge, game_user_num, amount, state, changed_at)
      select bridge, ${erasedUserNum}::bigint, 5, 'taken', changed_at from game_balances limit 1`.execute(db)
    await confirmRestore()
    await runRound()
    assert.equal(Number((await readUser(bot.form.userId))?.userblock), 1)
    assert.equal(Number((await readUser(richId))?.userpoint), 0)
    assert.equal(await readRCoin(), before, 'the balance was booked before')
    await logInAs(site, player.form.userId, player.form.userPassword)
    await runRound()
    assert.equal((await readUser(player.form.userId))?.userpass, player.form.userPassword)
    // A second restore changes nothing, because the game’s database still has the note of the taken balance.
    await confirmRestore()
    await runRound()
    assert.equal(await readRCoin(), before)
    const takenBalances = await db.selectFrom('game_balances').where('state', '=', 'taken').select('amount').execute()
    assert.deepEqual(
      takenBalances.map(({ amount }) => Number(amount)).sort(),
      [5, 700],
      'the erased player’s balance is not taken over',
    )
    await db.deleteFrom('game_balances').where('game_user_num', '=', erasedUserNum).execute()
    // The restored game has more than was taken over. The player spends it there and earns something new.
    await game.run('user', 'delete from tambayan_balance')
    await game.run('user', `update UserInfo set UserPoint = 900 where UserID = '${richId}'`)
    await confirmRestore()
    await runRound()
    for (const point of [0, 50]) {
      await game.run('user', `update UserInfo set UserPoint = ${point} where UserID = '${richId}'`)
      await runImport(true)
      await approveBalances()
      await runRound()
    }
    assert.equal(await readRCoin(), before, 'each account is booked once')
    assert.equal(Number((await readUser(richId))?.userpoint), 50)
  })

  test('creates a missing account of a restored game again at the first login', async () => {
    const { form, user } = await createPlayer(site)
    await runRound()
    await game.run('user', `delete from UserInfo where UserID = '${form.userId}'`)
    await game.run('user', `delete from tambayan_account where account = ${user.UserNum}`)
    await confirmRestore()
    await logInAs(site, form.userId, form.userPassword)
    const { refused: refusals } = await runRound()
    assert.equal(refusals.find(({ account }) => account === user.UserNum)?.problem, 'gone')
    await runRound()
    const gameUser = await readUser(form.userId)
    assert.equal(gameUser?.userpass, form.userPassword)
    assert.equal((await readLink(user.UserNum))?.game_user_num, Number(gameUser?.usernum))
  })

  test('sends no password when a restore gave the player’s ID to another game account', async () => {
    const { form, user } = await createPlayer(site)
    await runRound()
    const gameUserNum = Number((await readUser(form.userId))?.usernum)
    await game.run('user', `update UserInfo set UserID = 'dating_${kind}' where UserNum = ${gameUserNum}`)
    await addGameAccount(form.userId, { pass: 'iba-1' })
    const readAccountRows = () =>
      game.query(
        'user',
        `select UserNum, UserID, UserPass, UserPass2, UserBlock from UserInfo
        where UserNum = ${gameUserNum} or UserID = '${form.userId}' order by UserNum`,
      )
    const before = await readAccountRows()
    await confirmRestore()
    await logInAs(site, form.userId, form.userPassword)
    const { refused: refusals } = await runRound()
    assert.partialDeepStrictEqual(refusals, [
      { account: user.UserNum, problem: 'renamed', game_user_id: `dating_${kind}` },
    ])
    assert.deepEqual(await readAccountRows(), before)
    assert.equal((await readLink(user.UserNum))?.game_user_num, gameUserNum, 'an operator has to decide')
    await game.run('user', `delete from UserInfo where UserPass = 'iba-1' or UserNum = ${gameUserNum}`)
  })

  test('does not import accounts whose password is in a form other than the configured one', async () => {
    await addGameAccount(`form_${kind}`, { pass: encodePassword('md5-upper-19', 'luma') })
    await openImport()
    const { text } = await runImport(false, { bridgeConfig: { ...config, passwordForm: 'md5-upper-19' } })
    assert.match(text, /left out: the password does not have the form/)
    assert.match(text, /^1 would be moved in/m)
  })

  test('`check` prints exactly the grants that the bridge needs', async () => {
    await db.deleteFrom('game_balances').execute()
    const admin = await openGame(config)
    await prepareOwnTables(admin)
    await admin.close()
    const grantStatements = (await checkGame(config, undefined)).at(-1)?.advice ?? ''
    // Runs the printed statements. A comment before them names their database.
    let currentDatabase: 'user' | 'game' | 'shop' = 'user'
    for (const line of grantStatements.split('\n')) {
      const database = /^-- .*\b(\w+):$/.exec(line)?.[1]?.toLowerCase()
      if (database !== undefined)
        currentDatabase = database.endsWith('user') ? 'user' : database.endsWith('shop') ? 'shop' : 'game'
      else await game.run(currentDatabase, line.replace('CHOOSE A PASSWORD', 'secret'))
    }
    const asBridgeAccount = (url: string) => url.replace(/\/\/[^@]*@/, '//tambayan_bridge:secret@')
    const { user, game: gameUrl, shop } = game.urls
    const limitedConfig: BridgeConfig = {
      ...config,
      urls: { user: asBridgeAccount(user), game: asBridgeAccount(gameUrl), shop: asBridgeAccount(shop) },
    }
    const findings = await checkGame(limitedConfig, undefined)
    assert.deepEqual(
      findings.filter(({ level }) => level === 'problem').map(({ what }) => what),
      [],
    )
    assert.equal(findings.at(-1)?.what, 'The bridge’s account has all the rights that it needs.')
    const deleteGrant = grantStatements.split('\n').find((line) => line.startsWith('grant delete')) ?? ''
    await game.run('shop', deleteGrant.replace(/^grant/, 'revoke').replace(' to ', ' from '))
    const lackingFinding = (await checkGame(limitedConfig, undefined)).at(-1)
    assert.equal(lackingFinding?.what, 'The bridge’s account lacks these rights.')
    assert.deepEqual(
      (lackingFinding?.advice ?? '')
        .split('\n')
        .filter((line) => line.startsWith('grant ') && !line.includes('usage on schema')),
      [deleteGrant],
    )
    await game.run('shop', deleteGrant)

    const limitedGame = await prepareOwnTables(await openGame(limitedConfig))
    await game.addProduct(7)
    const usernum = await game.addPlayer(`least_${kind}`)
    const unit = {
      kind: 'deliver',
      unit: 77,
      attempt: 1,
      mark: 'm',
      game_user_num: usernum,
      product_num: 7,
      price: 1,
    } as const
    const outcome = await deliverUnit(limitedGame, unit, await readBatchRows(limitedGame, [unit]), () => {})
    assert.equal(outcome.became, 'delivered', JSON.stringify(outcome))
    await readChangedFlags(limitedGame)
    assert.equal((await cancelUnit(limitedGame, { kind: 'cancel', unit: 77, mark: 'm' }, () => {})).became, 'cancelled')
    const assertRefused = (statement: string, database: 'user' | 'shop') =>
      assert.rejects(limitedGame[database].run(statement), /denied|permission/i, statement)
    await assertRefused('delete from UserInfo', 'user')
    await assertRefused('update UserInfo set UserType = 30', 'user')
    await assertRefused('update ShopPurchase set PurPrice = 0', 'shop')
    await assertRefused('delete from tambayan_delivery', 'shop')
    await assertRefused('delete from ShopItemMap', 'shop')
    await limitedGame.close()

    const limitedAccounts = await prepareAccountTables(await openAccounts(limitedConfig))
    const work = createWork(900_100, `lesser_${kind}`, { isBlocked: true })
    const results = await doAccountWork(limitedAccounts, [work], agent.seal)
    assert.deepEqual(results.refused, [])
    await game.run('user', `update UserInfo set UserPoint = 5 where UserID = 'lesser_${kind}'`)
    const balance = {
      kind: 'balance',
      game_user_num: results.done[0]?.game_user_num ?? 0,
      user_id: `lesser_${kind}`,
      most: 5,
    } as const
    assert.equal((await doAccountWork(limitedAccounts, [balance], agent.seal)).balances[0]?.amount, 5)
    await limitedAccounts.close()
    await readGame(limitedConfig, new AbortController().signal)
  })

  const minutesAgo = (minutes: number) =>
    kind === 'mariadb' ? `now() - interval ${minutes} minute` : `localtimestamp - interval '${minutes} minutes'`

  /** Creates an account of the game with a character. */
  async function createLogin(id: string) {
    const usernum = await game.addPlayer(id, id)
    await game.run(
      'game',
      `insert into ChaInfo (UserNum, ChaName, ChaClass, ChaSchool, ChaOnline) values (${usernum}, '${id}', 1, 0, 1)`,
    )
    return {
      id,
      usernum,
      /** Leaves the account logged in since an hour ago, as a crashed game server does. */
      simulateCrash: () =>
        game.run(
          'user',
          `update UserInfo set UserLoginState = 1, LastLoginDate = ${minutesAgo(60)} where UserNum = ${usernum}`,
        ),
      setOnline: (online: 0 | 1) =>
        game.run('game', `update ChaInfo set ChaOnline = ${online} where UserNum = ${usernum}`),
      readState: async () => Number((await readUser(id))?.userloginstate),
      /** Frees the login. @param isOffline whether the site has seen the account offline for ten minutes */
      free: async (isOffline: boolean, { user_id = id, usedAccounts = accounts } = {}) => {
        const work = { kind: 'free', account: 1, game_user_num: usernum, user_id, offline: isOffline } as const
        return (await freeLogins(usedAccounts, [work])).freed[0]?.outcome
      },
    }
  }

  test('frees a login only when it is stuck, and changes no column but UserLoginState', async () => {
    const login = await createLogin(toId('stuck'))
    assert.equal(await canFreeLogins(accounts), true)
    await login.simulateCrash()
    assert.equal(await login.free(true), 'online', 'a character is online in the game')
    await login.setOnline(0)
    assert.equal(await login.free(false), 'online', 'the site has not seen it offline for ten minutes')
    assert.equal(await login.free(true, { user_id: 'someone_else' }), 'gone')
    const before = await readUser(login.id)
    assert.equal(await login.free(true), 'reset')
    assert.deepEqual({ ...(await readUser(login.id)), userloginstate: before?.userloginstate }, before)
    assert.equal(await login.free(true), 'clear')
  })

  test('frees a login while its character is online if the log shows a restart since the login', async () => {
    const login = await createLogin(toId('crashed'))
    await login.simulateCrash()
    await game.run(
      'game',
      `create table LogServerState (LogDate ${kind === 'mariadb' ? 'datetime' : 'timestamp'} not null)`,
    )
    const usedAccounts = { ...accounts, config: { ...config, urls: { ...config.urls, log: config.urls.game } } }
    /** Adds an entry for each minute. */
    const logMinutes = (from: number, to: number) =>
      game.run(
        'game',
        `insert into LogServerState values ${Array.from({ length: from - to + 1 }, (_, n) => `(${minutesAgo(from - n)})`).join(', ')}`,
      )
    await logMinutes(90, 30)
    assert.equal(await login.free(false, { usedAccounts }), 'online', 'the log has no gap')
    await logMinutes(20, 0)
    assert.equal(await login.free(false, { usedAccounts }), 'reset', 'the log has a gap since the login')
    const [character] = await game.query('game', `select ChaOnline from ChaInfo where UserNum = ${login.usernum}`)
    assert.equal(Number(character?.chaonline), 1)
  })

  test('a reported restart frees the logins from before it', async () => {
    const login = await createLogin(toId('restarted'))
    await login.simulateCrash()
    const createRestart = (minutes: number) => ({
      kind: 'free-all' as const,
      restart: 1,
      restarted_at: new Date(Date.now() - minutes * MINUTE_MS).toISOString(),
    })
    await freeLogins(accounts, [createRestart(70)])
    assert.equal(await login.readState(), 1, 'the account logged in after the restart')
    await freeLogins(accounts, [createRestart(50)])
    assert.equal(await login.readState(), 0)
  })
}
