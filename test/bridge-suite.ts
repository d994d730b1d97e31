import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { afterEach, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type AgentDeps, FatalError, runAgent } from '#bridge/agent.ts'
import { checkGame } from '#bridge/check.ts'
import type { BridgeConfig } from '#bridge/config.ts'
import { createSiteCall } from '#bridge/site.ts'
import { tryAllWrites } from '#bridge/try.ts'
import { HOUR_MS } from '#contract/durations.ts'
import type { GameKind } from '#scripts/game-tables.ts'
import { RETRY_FIRST_MS, RETRY_MAX_MS } from '#server/features/bridge/lease.ts'
import { openPlayerSession } from './account-helpers.ts'
import { createBridgeConfig, linkAccount, listenForBridges, pairKeys } from './bridge-helpers.ts'
import { insertRows, updateRows } from './factories.ts'
import { startGame } from './games.ts'
import { createTestApp } from './helpers.ts'
import { assertBooksAgree, createBuyer, insertItem, R_COIN } from './money-helpers.ts'
import { waitUntil } from './wait-until.ts'

/** Thrown by a test between two steps to end the agent and its connection. */
class AgentKilled extends Error {}

/** Long enough for several rounds of an agent. */
const SEVERAL_ROUNDS_MS = 600

/** Tests the agent between the real site and a real database, for each kind of game database. */
export async function testBridgeOn(kind: GameKind) {
  const game = await startGame(kind)
  const site = await createTestApp({ env: { RATE_LIMIT: 'off' } })
  const { db, clock } = site
  const address = await listenForBridges(site)
  const gm = await openPlayerSession(site, 'gm')
  const helmet = await insertItem(db, { item_name: `Salakot of ${kind}`, price: 300, section: R_COIN })
  await game.addProduct(helmet)
  const { bridge, sign } = await pairKeys(site, address)
  const config = createBridgeConfig(game, kind, address)
  /** Ends all open units, because each test may see only its own. */
  const settleUnits = () =>
    db
      .updateTable('deliveries')
      .set({ state: 'claimed', refund_requested_at: null, in_game: '', failed_at: null, handed_by: null })
      .where('state', '<>', 'refunded')
      .execute()
  await settleUnits()

  const runningAgents: { stop: () => Promise<void> }[] = []
  afterEach(async () => {
    for (const { stop } of runningAgents.splice(0)) await stop()
    await settleUnits()
  })

  /** Starts an agent. `completion` resolves to null, or to the error that ended it. */
  function startAgent(
    options: Partial<AgentDeps> & { fetch?: typeof fetch; config?: BridgeConfig; now?: () => Date } = {},
  ) {
    const stopping = new AbortController()
    const lines: string[] = []
    const { fetch: send = fetch, now = site.now, ...agentOptions } = options
    const callSite = createSiteCall({ site: address, bridge, signKey: sign, instance: randomUUID(), now, fetch: send })
    const completion = runAgent({
      config,
      callSite,
      version: 'test',
      print: (line) => void lines.push(line),
      signal: stopping.signal,
      pace: { workMs: 200, watchMs: 40, retryMs: 20, retryMaxMs: 100 },
      ...agentOptions,
    }).then(
      () => null,
      (error: unknown) => error,
    )
    const stop = async () => {
      stopping.abort()
      await completion
    }
    runningAgents.push({ stop })
    return { completion, lines, stop }
  }

  /** Buys units for a new player. @returns the player, the game account, and the units; `unit` is the first */
  async function createPurchase({ units = 1, isLinked = true, name = `P${randomUUID().slice(0, 8)}` } = {}) {
    const juan = await createBuyer(site, { rCoin: 300 * units })
    const usernum = isLinked ? await game.addPlayer(name) : 0
    if (isLinked) await linkAccount(site, juan.userNum, usernum)
    for (let unit = 0; unit < units; unit++) await juan.add(helmet)
    assert.equal((await juan.buyCart()).status, 200)
    const rows = await db
      .selectFrom('deliveries')
      .where('user_num', '=', juan.userNum)
      .select('delivery')
      .orderBy('delivery')
      .execute()
    const deliveries = rows.map(({ delivery }) => delivery)
    return { juan, usernum, name, units: deliveries, unit: deliveries[0] ?? 0 }
  }
  type Purchase = Awaited<ReturnType<typeof createPurchase>>

  /** Ends the agent when it reaches a step. */
  const killAt = (killStep: string) => (step: string) => {
    if (step === killStep) throw new AgentKilled()
  }
  const readUnit = (delivery: number) =>
    db.selectFrom('deliveries').where('delivery', '=', delivery).selectAll().executeTakeFirstOrThrow()
  const readRows = async ({ name }: Pick<Purchase, 'name'>) =>
    (await game.purchases()).filter(({ useruid }) => String(useruid) === name)
  const refund = async (units: number[]) => {
    const answer = await gm.post('/api/admin/orders/refund', { units, reason: 'Bought by mistake' })
    assert.equal(answer.status, 200, answer.text)
    return answer.json()
  }
  /** Waits until all units have a state. */
  const waitForState = (units: readonly number[], state: string) =>
    waitUntil(`${units} are ${state}`, async () => {
      const rows = await db.selectFrom('deliveries').where('delivery', 'in', units).select('state').execute()
      return rows.every((row) => row.state === state)
    })
  const waitForRefusal = (unit: number) =>
    waitUntil('the refund is refused', async () => (await readUnit(unit)).refund_refused !== '')

  test('writes one row for each unit, and marks a unit as claimed when the player picks it up', async () => {
    const agent = startAgent()
    const purchase = await createPurchase({ units: 2 })
    await waitForState(purchase.units, 'delivered')
    const rows = await readRows(purchase)
    assert.equal(rows.length, 2)
    assert.partialDeepStrictEqual(rows[0], { useruid: purchase.name })
    assert.deepEqual(
      rows.map((row) => [row.productnum, row.purprice, row.purflag, row.itemmain].map(Number)),
      [
        [helmet, 300, 0, 7],
        [helmet, 300, 0, 7],
      ],
    )
    assert.deepEqual(
      (await Promise.all(purchase.units.map(readUnit))).map(({ pur_key }) => pur_key),
      rows.map(({ purkey }) => String(purkey)),
    )
    await game.setFlag(String(rows[0]?.purkey), 1)
    await waitForState(purchase.units.slice(0, 1), 'claimed')
    assert.equal((await readUnit(purchase.units[1] ?? 0)).state, 'delivered')
    await agent.stop()
    assert.equal(await agent.completion, null)
  })

  for (const point of [
    'transaction started',
    'unit inserted',
    'purchase inserted',
    'purchase noted',
    'committed',
    'written',
    'reported',
  ])
    test(`an agent that ends after “${point}” of a delivery leaves exactly one row behind`, async () => {
      const purchase = await createPurchase()
      const killedAgent = startAgent({
        onStep: killAt(point),
      })
      assert.ok((await killedAgent.completion) instanceof AgentKilled)
      const secondAgent = startAgent()
      await waitForState(purchase.units, 'delivered')
      assert.equal((await readRows(purchase)).length, 1)
      await secondAgent.stop()
    })

  for (const point of [
    'transaction started',
    'unit locked',
    'purchase locked',
    'purchase deleted',
    'unit cancelled',
    'committed',
    'written',
    'reported',
  ])
    test(`an agent that ends after “${point}” of a refund leaves it to the next agent, which pays once`, async () => {
      const purchase = await createPurchase()
      const firstAgent = startAgent()
      await waitForState(purchase.units, 'delivered')
      await firstAgent.stop()
      await refund(purchase.units)
      const killedAgent = startAgent({
        onStep: killAt(point),
      })
      assert.ok((await killedAgent.completion) instanceof AgentKilled)
      startAgent()
      await waitForState(purchase.units, 'refunded')
      assert.deepEqual(await readRows(purchase), [])
      assert.equal((await purchase.juan.readBalance()).rCoin, 300)
      await assertBooksAgree(db)
    })

  test('check lets the server parse writing statements without running them, and names errors', async () => {
    const rows = () => game.query('shop', 'select * from ShopPurchase order by PurKey')
    const before = await rows()
    assert.ok(before.length > 0)
    const findFindings = async (statements: BridgeConfig['statements']) =>
      (await checkGame({ ...config, statements }, undefined)).flatMap(({ level, what }) =>
        what.startsWith('Your statement') ? [`${level}: ${what}`] : [],
      )
    const insert =
      'insert into ShopPurchase (UserUID, ProductNum, PurPrice, PurFlag) values (:useruid, :product, :price, 0)'
    const validStatements = await findFindings({
      insertPurchase: `${insert} returning PurKey as purkey, UserUID as useruid, '' as purdate`,
      readPurchase: 'select PurFlag as flag from ShopPurchase where PurKey = :purkey for update',
      deletePurchase: 'delete from ShopPurchase where PurKey = :purkey and PurFlag = :flag',
      watch: [
        'delete from ShopPurchase where PurKey = -1',
        `select unit, flag as told, 0 as "flag" from tambayan_delivery`,
      ],
    })
    assert.equal(validStatements.length, 5)
    for (const line of validStatements) assert.match(line, /^good: Your statement \w+(, number \d,)? is valid\./)
    const invalidStatements = await findFindings({
      insertPurchase: insert,
      readPurchase: 'select PurFlagg as flag from ShopPurchase where PurKey = :purkey',
      deletePurchase: 'delete from ShopPurchase where PurKey = :coins',
      watch: ['delete from ShopPurchase; delete from ShopPurchase', 'select 1 from NoTable'],
    })
    const expected = [
      /^problem: Your statement insertPurchase does not return the column purkey, useruid, purdate\./,
      /^problem: Your statement readPurchase is not valid: .*PurFlagg/i,
      /^problem: Your statement deletePurchase is not valid: A statement has no value for :coins\./,
      /^problem: Your statement watch, number 1, is not valid: /,
      /^note: Your statement watch, number 2, cannot be checked on its own: .*NoTable/i,
    ]
    assert.equal(invalidStatements.length, expected.length)
    for (const [nth, pattern] of expected.entries()) assert.match(invalidStatements[nth] ?? '', pattern)
    assert.deepEqual(await rows(), before)
  })

  test('check --try writes an account and a purchase, runs their triggers, and rolls all back', async () => {
    await game.addPlayer('Taga_Subok')
    const countRows = async () => {
      const tableNames = [
        ['user', 'UserInfo'],
        ['shop', 'ShopPurchase'],
        ['shop', 'ShopItemMap'],
      ] as const
      return Promise.all(
        tableNames.map(async ([database, table]) => (await game.query(database, `select * from ${table}`)).length),
      )
    }
    const before = await countRows()
    const findings = await tryAllWrites(config)
    assert.deepEqual(
      findings.map(({ level }) => level),
      ['good', 'good', 'note'],
    )
    assert.match(findings[1]?.what ?? '', /^Trial: a purchase for Taga_Subok_id, and taking it back, works\.$/)
    assert.match(findings[2]?.advice ?? '', /numbers that the database has assigned/)
    // One of the game's triggers rejects the trial's purchase.
    const restoreTable = await stopTable('ShopPurchase', 'insert')
    const findingsWithProblem = await tryAllWrites(config).finally(restoreTable)
    assert.match(findingsWithProblem[1]?.what ?? '', /^Trial: a purchase .* failed: .*(is full|No space left)/)
    assert.deepEqual(await countRows(), before)
  })

  test('check accepts views that the bridge reads, and rejects views that it writes to', async () => {
    await game.run('shop', 'create view Goods as select ProductNum, ItemMain, ItemSub from ShopItemMap')
    await game.run('shop', 'create view Bank as select * from ShopPurchase')
    const readProblems = async (names: BridgeConfig['names']) =>
      (await checkGame({ ...config, names }, undefined)).filter(({ level }) => level === 'problem')
    assert.deepEqual(await readProblems({ ShopItemMap: 'Goods' }), [])
    const [problem] = await readProblems({ ShopPurchase: 'Bank' })
    assert.match(problem?.what ?? '', /^Bank is a view/i)
    for (const view of ['Goods', 'Bank']) await game.run('shop', `drop view ${view}`)
  })

  test('a refund that overtakes its delivery prevents the delivery permanently', async () => {
    const purchase = await createPurchase()
    const killedAgent = startAgent({
      onStep: killAt('unit inserted'),
    })
    await killedAgent.completion
    assert.deepEqual((await refund(purchase.units)).requested, purchase.units)
    startAgent()
    await waitForState(purchase.units, 'refunded')
    assert.deepEqual(await readRows(purchase), [])
    const [deliveryRow] = await game.query('shop', `select state from tambayan_delivery where unit = ${purchase.unit}`)
    assert.equal(deliveryRow?.state, 'cancelled')
  })

  test('refuses to refund a picked-up, cancelled or missing unit, with the reason', async () => {
    const purchase = await createPurchase({ units: 3 })
    const agent = startAgent()
    await waitForState(purchase.units, 'delivered')
    await agent.stop()
    const [a = 0, b = 0, c = 0] = purchase.units
    const readKey = async (unit: number) => (await readUnit(unit)).pur_key ?? ''
    await game.setFlag(await readKey(a), 1)
    await game.setFlag(await readKey(b), 3)
    await game.run('shop', `delete from ShopPurchase where PurKey = ${await readKey(c)}`)
    await refund(purchase.units)
    startAgent()
    for (const unit of purchase.units) await waitForRefusal(unit)
    assert.match((await readUnit(a)).refund_refused, /has taken the item/)
    assert.partialDeepStrictEqual(await readUnit(a), { state: 'claimed', in_game: '' })
    assert.partialDeepStrictEqual(await readUnit(b), { state: 'delivered', in_game: 'cancelled' })
    assert.partialDeepStrictEqual(await readUnit(c), { state: 'delivered', in_game: 'gone' })
    assert.equal((await purchase.juan.readBalance()).rCoin, 0)
    assert.equal((await readRows(purchase)).length, 2, 'the agent wrote no second row')
  })

  test('removes units that were refunded without the bridge from the game, whatever their flag', async () => {
    const purchase = await createPurchase({ units: 2 })
    const agent = startAgent()
    await waitForState(purchase.units, 'delivered')
    const [openUnit = 0, pickedUpUnit = 0] = purchase.units
    await game.setFlag((await readUnit(pickedUpUnit)).pur_key ?? '', 3)
    await waitUntil(
      'the unit is marked as cancelled',
      async () => (await readUnit(pickedUpUnit)).in_game === 'cancelled',
    )
    await agent.stop()
    await refund([openUnit])
    const forcedRefund = { units: purchase.units, reason: 'The bridge is lost' }
    assert.equal((await gm.post('/api/admin/orders/force-refund', forcedRefund)).status, 200)
    startAgent()
    await waitUntil('both rows are deleted', async () => (await readRows(purchase)).length === 0)
    assert.equal((await purchase.juan.readBalance()).rCoin, 600)
  })

  test('reports rows that the game cancels or deletes, and a cancelled one that is picked up later', async () => {
    const purchase = await createPurchase({ units: 2 })
    startAgent()
    await waitForState(purchase.units, 'delivered')
    const [a = 0, b = 0] = purchase.units
    await game.setFlag((await readUnit(a)).pur_key ?? '', 2)
    await game.run('shop', `delete from ShopPurchase where PurKey = ${(await readUnit(b)).pur_key}`)
    await waitUntil(
      'one unit is marked as cancelled and one as missing',
      async () => (await readUnit(a)).in_game === 'cancelled' && (await readUnit(b)).in_game === 'gone',
    )
    await game.setFlag((await readUnit(a)).pur_key ?? '', 1)
    await waitForState([a], 'claimed')
    assert.equal((await readRows(purchase)).length, 1)
  })

  test('a reused purchase number does not match another player’s unit', async () => {
    const purchase = await createPurchase()
    const agent = startAgent()
    await waitForState(purchase.units, 'delivered')
    await agent.stop()
    const key = (await readUnit(purchase.unit)).pur_key
    await game.run('shop', `delete from ShopPurchase where PurKey = ${key}`)
    await game.run(
      'shop',
      `insert into ShopPurchase (PurKey, UserUID, ProductNum, PurPrice, PurFlag, PurDate)
      values (${key}, 'somebody', ${helmet}, 300, 1, '2020-01-01 00:00:00')`,
    )
    await refund(purchase.units)
    startAgent()
    await waitForRefusal(purchase.unit)
    assert.equal((await readUnit(purchase.unit)).in_game, 'gone')
    assert.equal((await game.query('shop', `select * from ShopPurchase where PurKey = ${key}`)).length, 1)
  })

  test('delivers to a player without an account in the game as soon as there is one', async () => {
    const purchase = await createPurchase({ isLinked: false })
    await linkAccount(site, purchase.juan.userNum, 900_001)
    startAgent()
    const { unit } = purchase
    await waitUntil('the delivery fails', async () => (await readUnit(unit)).failed_at !== null)
    assert.match((await readUnit(unit)).failure, /no account for this player/)
    await game
      .connection('user')
      .run(`insert into UserInfo (UserNum, UserID, UserName, UserPass) values (900001, 'late', 'late', 'x')`)
    clock.advance(RETRY_MAX_MS + 1)
    await waitForState([unit], 'delivered')
    assert.equal((await readRows({ name: 'late' })).length, 1)
  })

  test('a unit for an account whose ID changed waits for an operator’s decision', async () => {
    const purchase = await createPurchase()
    const { userNum } = purchase.juan
    await game.addPlayer('before', 'before')
    const linkFields = { user_num: userNum, state: 'linked', game_user_id: 'before', changed_at: clock.now() } as const
    const emptyFields = { confirmed_by: null, block_due_at: null, handed_by: null, retry_at: null }
    await insertRows(db, 'game_accounts', { ...linkFields, ...emptyFields })
    startAgent()
    const { unit } = purchase
    await waitUntil('the delivery fails', async () => (await readUnit(unit)).failure_code === 'renamed')
    assert.deepEqual([await readRows(purchase), await readRows({ name: 'before' })], [[], []])
    const storedAccount = await db
      .selectFrom('game_accounts')
      .where('user_num', '=', userNum)
      .selectAll()
      .executeTakeFirst()
    assert.partialDeepStrictEqual(storedAccount, { problem: 'renamed', found_user_id: `${purchase.name}_id` })
    const game_user_id = `${purchase.name}_ID`
    await db.updateTable('game_accounts').set({ game_user_id }).where('user_num', '=', userNum).execute()
    await db.updateTable('deliveries').set({ retry_at: clock.now() }).where('delivery', '=', unit).execute()
    await waitForState(purchase.units, 'delivered')
    assert.equal((await readRows(purchase)).length, 1)
  })

  test('writes nothing for an unknown product, or for a name that is too long or gets changed', async () => {
    const unknownProduct = await insertItem(db, { item_name: 'Not in the game', price: 10, section: R_COIN })
    const player = await createBuyer(site, { rCoin: 10 })
    await linkAccount(site, player.userNum, await game.addPlayer('Known'))
    await player.add(unknownProduct)
    await player.buyCart()
    const longNamePurchase = await createPurchase({ name: 'A_name_of_more_than_twenty' })
    const changedNamePurchase = kind === 'mariadb' ? await createPurchase({ name: 'Trailing' }) : undefined
    if (changedNamePurchase !== undefined)
      await game.run(
        'shop',
        `create trigger odd before insert on ShopPurchase for each row
        set new.UserUID = case when new.UserUID = 'Trailing' then 'Trailing?' else new.UserUID end`,
      )
    const before = (await game.purchases()).length
    startAgent()
    const failures = async () => {
      const rows = await db
        .selectFrom('deliveries')
        .where('failed_at', 'is not', null)
        .select('failure_code')
        .orderBy('delivery')
        .execute()
      return rows.map(({ failure_code }) => failure_code)
    }
    const expected = ['no-product', 'uid-too-long', ...(changedNamePurchase === undefined ? [] : ['uid-changed'])]
    await waitUntil('the deliveries fail', async () => (await failures()).length === expected.length)
    assert.deepEqual(await failures(), expected)
    assert.equal((await game.purchases()).length, before)
    assert.deepEqual(
      await game.query('shop', `select unit from tambayan_delivery where unit = ${longNamePurchase.unit}`),
      [],
    )
    if (changedNamePurchase !== undefined) await game.run('shop', 'drop trigger odd')
  })

  test('writes no row for a name that two accounts of the game share', async () => {
    const purchase = await createPurchase({ name: 'Bobby' })
    await game.addPlayer(kind === 'mariadb' ? 'bobby' : 'Bobby', 'x1')
    startAgent()
    const { unit } = purchase
    await waitUntil('the delivery fails', async () => (await readUnit(unit)).failed_at !== null)
    assert.equal((await readUnit(unit)).failure_code, 'uid-shared')
    assert.deepEqual(await readRows(purchase), [])
    await game.run('user', `update UserInfo set UserName = 'x1' where UserID = 'x1'`)
    await updateRows(db, 'deliveries', { delivery: unit }, { retry_at: new Date(0) })
    await waitForState([unit], 'delivered')
  })

  test('lets one of two agents work, and the second take over when the first ends', async () => {
    const firstAgent = startAgent()
    await waitUntil('the first agent works', () => firstAgent.lines.some((line) => line.startsWith('Connected')))
    const secondAgent = startAgent()
    await waitUntil('the second agent waits', () => secondAgent.lines.some((line) => line.startsWith('Another agent')))
    const firstPurchase = await createPurchase({ units: 3 })
    await waitForState(firstPurchase.units, 'delivered')
    await firstAgent.stop()
    const secondPurchase = await createPurchase({ units: 3 })
    await waitForState(secondPurchase.units, 'delivered')
    assert.equal((await readRows(firstPurchase)).length + (await readRows(secondPurchase)).length, 6)
  })

  test('while the site is unavailable the agent stores its reports, and sends them later', async () => {
    const purchase = await createPurchase({ units: 2 })
    let isUnavailable = false
    const agent = startAgent({
      fetch: (url, init) => (isUnavailable ? Promise.reject(new TypeError('fetch failed')) : fetch(url, init)),
      onStep: (step) => {
        if (step === 'written') isUnavailable = true
      },
    })
    await waitUntil('the game has the rows', async () => (await readRows(purchase)).length === 2)
    await waitUntil('the agent prints the problem', () =>
      agent.lines.some((line) => /could not get an answer from the site/.test(line)),
    )
    assert.equal((await readUnit(purchase.unit)).state, 'queued')
    isUnavailable = false
    await waitForState(purchase.units, 'delivered')
    assert.equal((await readRows(purchase)).length, 2)
    await waitUntil('the agent prints that the site answers again', () =>
      agent.lines.some((line) => /The site answers again/.test(line)),
    )
  })

  test('delivers once although answers of the site are lost', async () => {
    const purchase = await createPurchase()
    let lostAnswers = 0
    startAgent({
      fetch: async (url, init) => {
        const answer = await fetch(url, init)
        if (/report|work/.test(String(url)) && lostAnswers++ % 2 === 0) throw new TypeError('socket hang up')
        return answer
      },
    })
    await waitForState(purchase.units, 'delivered')
    assert.equal((await readRows(purchase)).length, 1)
  })

  test('an agent with a wrong clock prints the site’s time once and waits', async () => {
    let requests = 0
    // The time in each refusal differs.
    const agent = startAgent({ now: () => new Date(clock.now().getTime() + HOUR_MS + requests++) })
    await waitUntil('the agent prints the problem', () => agent.lines.length > 0)
    assert.match(agent.lines[0] ?? '', /the site has 20\d\d-/)
    await sleep(SEVERAL_ROUNDS_MS)
    assert.equal(agent.lines.length, 1)
  })

  test('writes nothing for invalid work from the site', async () => {
    const before = (await game.purchases()).length
    const answerWith = (work: unknown) => {
      const text = JSON.stringify({ now: clock.now().toISOString(), work, restore: 'none', look: [], next_epoch: null })
      return new Response(text, { headers: { 'Content-Type': 'application/json' } })
    }
    const usernum = await game.addPlayer('Victim')
    const validWork = {
      kind: 'deliver',
      unit: 990_001,
      attempt: 1,
      mark: 'm',
      game_user_num: usernum,
      product_num: helmet,
      price: 1,
    }
    const invalidWorks: unknown[] = [
      [{ ...validWork, price: -5 }],
      [{ ...validWork, unit: '1; drop table ShopPurchase' }],
      [{ ...validWork, kind: 'sql' }],
      [{ ...validWork, game_user_num: 987_654_321 }],
      [{ ...validWork, product_num: 987_654 }],
      [{ ...validWork, mark: 'x'.repeat(5000) }],
      [{ kind: 'cancel', unit: 5.5, mark: '' }],
      'work',
    ]
    let requests = 0
    startAgent({
      fetch: (url, init) => {
        if (!String(url).endsWith('/work')) return fetch(url, init)
        return Promise.resolve(answerWith(invalidWorks[requests++ % invalidWorks.length]))
      },
    })
    await waitUntil('the agent sent many requests', () => requests > 2 * invalidWorks.length)
    assert.equal((await game.purchases()).length, before)
  })

  test('shows a lost database on the desk, and continues when it is back', async () => {
    const agent = startAgent()
    await waitUntil('the agent works', () => agent.lines.some((line) => line.startsWith('Connected')))
    await game.server.kill()
    await waitUntil('the desk shows the problem', async () => {
      const { problem } = await db
        .selectFrom('bridges')
        .where('bridge', '=', bridge)
        .select('problem')
        .executeTakeFirstOrThrow()
      return /cannot be reached/.test(problem)
    })
    await game.server.start()
    await game.reconnect()
    const purchase = await createPurchase()
    await waitForState(purchase.units, 'delivered')
    assert.equal((await readRows(purchase)).length, 1)
  })

  const REFUSALS = {
    'full disk': {
      mariadb: { code: '1114', message: 'The table is full' },
      postgres: { code: '53100', message: 'could not extend file: No space left on device' },
    },
    'locked row': {
      mariadb: { code: '1205', message: 'Lock wait timeout exceeded' },
      postgres: { code: '55P03', message: 'canceling statement due to lock timeout' },
    },
  }

  /** Makes changes of a table fail with a server error. @returns a function that restores the table */
  async function stopTable(
    table: string,
    change: 'insert' | 'update' | 'delete',
    cause: keyof typeof REFUSALS = 'full disk',
  ): Promise<() => Promise<unknown>> {
    const { code, message } = REFUSALS[cause][kind]
    if (kind === 'mariadb')
      await game.run(
        'shop',
        `create trigger stopped before ${change} on ${table} for each row
        signal sqlstate 'HY000' set mysql_errno = ${code}, message_text = '${message}'`,
      )
    else {
      await game.run(
        'shop',
        `create or replace function stop() returns trigger language plpgsql as
        $$ begin raise exception '${message}' using errcode = '${code}'; end $$`,
      )
      await game.run('shop', `create trigger stopped before ${change} on ${table} for each row execute function stop()`)
    }
    return () => game.run('shop', kind === 'mariadb' ? 'drop trigger stopped' : `drop trigger stopped on ${table}`)
  }
  /** Waits until the desk shows that the database refused a change for lack of space. */
  const waitForProblem = () =>
    waitUntil('the desk shows the problem', async () => {
      const storedProblem = await db
        .selectFrom('bridges')
        .where('bridge', '=', bridge)
        .select('problem')
        .executeTakeFirst()
      return /refused.*(is full|No space left)/.test(storedProblem?.problem ?? '')
    })

  test('reports a full disk of the purchases, and delivers when there is room', async () => {
    const makeRoom = await stopTable('ShopPurchase', 'insert')
    const purchase = await createPurchase()
    const { unit } = purchase
    startAgent()
    await waitUntil('the problem is reported', async () => (await readUnit(unit)).failure_code === 'database')
    assert.match((await readUnit(unit)).failure, /is full|No space left/)
    assert.deepEqual(await readRows(purchase), [])
    assert.deepEqual(await game.query('shop', `select unit from tambayan_delivery where unit = ${unit}`), [])
    await makeRoom()
    clock.advance(2 * RETRY_FIRST_MS)
    await waitForState(purchase.units, 'delivered')
    assert.equal((await readRows(purchase)).length, 1)
  })

  test('rolls a delivery back if the bridge’s counter cannot be written, and delivers later', async () => {
    const makeRoom = await stopTable('tambayan_bridge', 'update')
    const purchase = await createPurchase()
    const { unit } = purchase
    startAgent()
    await waitUntil('the problem is reported', async () => (await readUnit(unit)).failure_code === 'database')
    assert.deepEqual(await readRows(purchase), [])
    await makeRoom()
    clock.advance(2 * RETRY_FIRST_MS)
    await waitForState(purchase.units, 'delivered')
    assert.equal((await readRows(purchase)).length, 1)
  })

  test('pays nothing back while a full disk keeps the row in the game', async () => {
    const purchase = await createPurchase()
    startAgent()
    await waitForState(purchase.units, 'delivered')
    const makeRoom = await stopTable('ShopPurchase', 'delete')
    await refund(purchase.units)
    await waitForProblem()
    assert.equal((await readRows(purchase)).length, 1)
    assert.equal((await purchase.juan.readBalance()).rCoin, 0)
    await makeRoom()
    await waitForState(purchase.units, 'refunded')
    assert.deepEqual(await readRows(purchase), [])
    assert.equal((await purchase.juan.readBalance()).rCoin, 300)
  })

  test('delays only the refund of a locked row, and no other unit', async () => {
    const lockedPurchase = await createPurchase()
    const agent = startAgent()
    await waitForState(lockedPurchase.units, 'delivered')
    await agent.stop()
    const unlockTable = await stopTable('ShopPurchase', 'delete', 'locked row')
    await refund(lockedPurchase.units)
    const purchase = await createPurchase()
    startAgent()
    await waitForState(purchase.units, 'delivered')
    assert.equal((await purchase.juan.readBalance()).rCoin, 0)
    await unlockTable()
    await waitForState(lockedPurchase.units, 'refunded')
    assert.equal((await lockedPurchase.juan.readBalance()).rCoin, 300)
  })

  test('the desk requests the check, and the working agent repeats it', async () => {
    let checks = 0
    startAgent({
      check: async () => [{ level: 'note', what: `Check number ${++checks}`, advice: '' }],
    })
    const readFirstFinding = async () =>
      (await db.selectFrom('bridges').where('bridge', '=', bridge).select('findings').executeTakeFirst())?.findings[0]
        ?.what
    await waitUntil('the agent has checked', async () => (await readFirstFinding()) === 'Check number 1')
    assert.equal((await gm.post('/api/admin/game/check', { bridge })).status, 200)
    await waitUntil('the agent has checked again', async () => (await readFirstFinding()) === 'Check number 2')
    assert.equal((await gm.post('/api/admin/game/check', { bridge: 999_999 })).status, 409)
    await sleep(SEVERAL_ROUNDS_MS)
    assert.equal(checks, 2)
  })

  test('a restored database stops deliveries until an operator confirms; lost units come again', async () => {
    const deliveredPurchase = await createPurchase()
    const agent = startAgent()
    await waitForState(deliveredPurchase.units, 'delivered')
    const markerRow = await game.query('shop', 'select epoch, counter from tambayan_bridge')
    const lostPurchase = await createPurchase()
    const returnedPurchase = await createPurchase()
    await waitForState([...lostPurchase.units, ...returnedPurchase.units], 'delivered')
    await refund(returnedPurchase.units)
    await waitForState(returnedPurchase.units, 'refunded')
    // The database is in the state before these purchases: the row of one is missing, and the refunded row is back.
    await game.run('shop', `delete from ShopPurchase where UserUID = '${lostPurchase.name}'`)
    await game.run('shop', `delete from tambayan_delivery where unit = ${lostPurchase.unit}`)
    await game.run(
      'shop',
      `insert into ShopPurchase (UserUID, ProductNum, PurPrice, PurFlag, PurDate)
      values ('${returnedPurchase.name}', ${helmet}, 300, 0, '2026-01-01 00:00:00')`,
    )
    const [row] = await readRows(returnedPurchase)
    await game.run(
      'shop',
      `update tambayan_delivery set state = 'delivered', purkey = ${row?.purkey},
      purdate = '2026-01-01 00:00:00${kind === 'postgres' ? '.000000' : ''}' where unit = ${returnedPurchase.unit}`,
    )
    await game.run(
      'shop',
      `update tambayan_bridge set epoch = '${markerRow[0]?.epoch}', counter = ${markerRow[0]?.counter}`,
    )
    const readRestore = async () => (await gm.get('/api/admin/game')).json().restore
    await waitUntil('the site has found the restore', async () => (await readRestore())?.looked === true)
    assert.partialDeepStrictEqual(await readRestore(), { lost: 1, back: 1, confirmed: false })
    const waitingPurchase = await createPurchase()
    await sleep(SEVERAL_ROUNDS_MS)
    assert.equal((await readUnit(waitingPurchase.unit)).state, 'queued')
    const answer = await gm.post('/api/admin/game/restore', { offer_again: true, reason: 'The disk broke' })
    assert.equal(answer.status, 200, answer.text)
    await waitForState([...waitingPurchase.units, ...lostPurchase.units], 'delivered')
    assert.equal((await readRows(lostPurchase)).length, 1)
    await waitUntil('the refunded unit is removed again', async () => (await readRows(returnedPurchase)).length === 0)
    assert.equal((await returnedPurchase.juan.readBalance()).rCoin, 300)
    assert.equal((await readRestore()) ?? null, null)
    await agent.stop()
    await assertBooksAgree(db)
  })

  test('a pick-up is reported again when the site no longer has it', async () => {
    const purchase = await createPurchase()
    const agent = startAgent()
    await waitForState(purchase.units, 'delivered')
    await game.setFlag((await readUnit(purchase.unit)).pur_key ?? '', 1)
    await waitForState(purchase.units, 'claimed')
    await waitUntil('the pick-up is noted', async () => {
      const [deliveryRow] = await game.query('shop', `select flag from tambayan_delivery where unit = ${purchase.unit}`)
      return deliveryRow?.flag === 'claimed'
    })
    await agent.stop()
    // The state in a backup of the site from before the delivery.
    await db
      .updateTable('deliveries')
      .set({ state: 'queued', handed_at: null, delivered_at: null, claimed_at: null, pur_key: null })
      .where('delivery', 'in', purchase.units)
      .execute()
    const secondAgent = startAgent()
    await waitForState(purchase.units, 'claimed')
    assert.equal((await readRows(purchase)).length, 1)
    await secondAgent.stop()
    // The state in a backup from before the pick-up and before the refund of another unit.
    const refundedPurchase = await createPurchase()
    const thirdAgent = startAgent()
    await waitForState(refundedPurchase.units, 'delivered')
    await thirdAgent.stop()
    const [removedUnit = 0] = refundedPurchase.units
    await game.run('shop', `delete from ShopPurchase where PurKey = ${(await readUnit(removedUnit)).pur_key}`)
    await game.run('shop', `update tambayan_delivery set state = 'cancelled' where unit = ${removedUnit}`)
    await db
      .updateTable('deliveries')
      .set({ state: 'delivered', claimed_at: null })
      .where('delivery', 'in', purchase.units)
      .execute()
    startAgent()
    await waitForState(purchase.units, 'claimed')
    await waitUntil('the other unit is marked as missing', async () => (await readUnit(removedUnit)).in_game === 'gone')
  })

  test('a revoked bridge ends with a sentence for the operator', async () => {
    const keys = await pairKeys(site, address)
    const stopping = new AbortController()
    await gm.post('/api/admin/game/revoke', { bridge: keys.bridge, reason: 'Machine sold' })
    const callSite = createSiteCall({
      site: address,
      bridge: keys.bridge,
      signKey: keys.sign,
      instance: randomUUID(),
      now: site.now,
    })
    await assert.rejects(
      runAgent({ config, callSite, version: 'test', print: () => {}, signal: stopping.signal }),
      (error) => error instanceof FatalError && /was revoked/.test(error.message),
    )
  })

  return { game, site, config, startAgent }
}
