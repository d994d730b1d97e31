import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { checkGame } from '#bridge/check.ts'
import type { BridgeConfig } from '#bridge/config.ts'
import { CopyChanged } from '#bridge/game/marker.ts'
import type { LoopDeps } from '#bridge/rounds.ts'
import { doRound, runServices } from '#bridge/service-rounds.ts'
import { doServices, prepareCharacters, recheckServices } from '#bridge/services.ts'
import { tryAllWrites } from '#bridge/try.ts'
import { reportServices, takeServiceWork } from '#contract/bridge-services.ts'
import { HOUR_MS } from '#contract/durations.ts'
import { SERVICE_UNREPORTED_RETRY_MS } from '#contract/limits.ts'
import { retryDelivery } from '#contract/orders.ts'
import { SERVICE_REASONS } from '#contract/services.ts'
import type { GameKind } from '#scripts/game-tables.ts'
import { endOverdueServices } from '#server/features/bridge/services.ts'
import { openPlayerSession } from './account-helpers.ts'
import { createAgentDouble, createBridgeConfig, linkAccount, listenForBridges } from './bridge-helpers.ts'
import { insertCharacter } from './factories.ts'
import { startGame } from './games.ts'
import { createTestApp } from './helpers.ts'
import { assertBooksAgree, createBuyer, insertItem, R_COIN } from './money-helpers.ts'

/** Thrown by a test between two steps to end the agent and its transaction. */
class AgentKilled extends Error {}

/** The steps after which the tests kill the agent. */
const STEPS = [
  ...['transaction started', 'character locked', 'service noted', 'character changed', 'name copied', 'values noted'],
  ...['service committed'],
]

/** Tests services between the real site and a real database, for each kind of game database. */
export async function testServicesOn(kind: GameKind) {
  const game = await startGame(kind)
  const site = await createTestApp({ env: { RATE_LIMIT: 'off' } })
  const { db, clock } = site
  const address = await listenForBridges(site)
  const agent = await createAgentDouble(site, address)
  await agent.start()
  await game.run('game', 'create table ChaFriend (ChaNum int not null, FriendName varchar(33) not null)')
  const config: BridgeConfig = {
    ...createBridgeConfig(game, kind, address),
    services: {
      places: { 0: { map: 22, gate: 3, x: 10.5 } },
      looks: { ChaHair: 2 },
      names: ['ChaFriend.FriendName'],
      off: [],
      own: {
        reborn: {
          read: 'select ChaReborn as reborn from ChaInfo where ChaNum = :chanum',
          write: 'update ChaInfo set ChaReborn = ChaReborn + 1 where ChaNum = :chanum',
          undo: 'update ChaInfo set ChaReborn = :was_reborn where ChaNum = :chanum',
        },
      },
    },
  }
  let characters = await prepareCharacters(config)
  after(() => characters.close())
  // Logs in each time, because the clock advances beyond the lifetime of a confirmation.
  const gm = {
    get: async (path: string) => (await openPlayerSession(site, 'gm')).get(path),
    post: async (path: string, body: object) => (await openPlayerSession(site, 'gm')).post(path, body),
  }
  const insertService = (service: string) =>
    insertItem(db, {
      item_name: service,
      price: 100,
      section: R_COIN,
      kind: 'service',
      service,
      service_pause_hours: 0,
    })
  const productNums = Object.fromEntries(
    await Promise.all(
      ['unstuck', 'stats', 'school', 'name', 'gender', 'reborn', 'unheard-of'].map(
        async (service) => [service, await insertService(service)] as const,
      ),
    ),
  )

  const call = agent.call
  /** Lets orders become due again that were issued without a report, or that wait for a logout. */
  const passRetryTime = () => clock.advance(SERVICE_UNREPORTED_RETRY_MS + 1000)
  const takeTasks = async () => (await call(takeServiceWork, { wait_ms: 0, copy: characters.marker.copy })).work
  /** Runs one round of the agent: fetches work, does it, reports, and checks completed services again. */
  async function runAgentRound(onStep?: (step: string) => void) {
    passRetryTime()
    const results = await doServices(characters, await takeTasks(), onStep)
    await call(reportServices, { ...results, copy: characters.marker.copy })
    const { report, storeReported } = await recheckServices(characters, onStep)
    await call(reportServices, { ...report, copy: characters.marker.copy })
    await storeReported()
    return { done: results, again: report }
  }
  let nth = 0
  /** Returns a new name of a character. */
  const createName = (prefix: string) => `${prefix}${++nth}${kind.slice(0, 1)}`
  /** Creates a player with a character in the game and on the site. */
  async function createHero(values: Record<string, number> = {}) {
    const buyer = await createBuyer(site, { rCoin: 1000 })
    const usernum = await game.addPlayer()
    await linkAccount(site, buyer.userNum, usernum)
    const name = `${createName('H')}x${Date.now() % 100_000}`
    // The demo world has characters with lower numbers.
    const chanum = 100_000 + nth
    const columns = { ChaPower: 5, ChaDex: 4, ChaStRemain: 1, ChaHair: 9, ChaStartMap: 7, ...values }
    await game.run(
      'game',
      `insert into ChaInfo (ChaNum, UserNum, ChaName, ChaClass, ChaSchool, ${Object.keys(columns).join(', ')})
      values (${chanum}, ${usernum}, '${name}', 1, 0, ${Object.values(columns).join(', ')})`,
    )
    await game.run('game', `insert into ChaFriend (ChaNum, FriendName) values (${chanum}, '${name}')`)
    await insertCharacter(db, {
      cha_num: chanum,
      cha_name: name,
      cha_class: '1',
      cha_school: 0,
      user_num: buyer.userNum,
      game_user_num: usernum,
    })
    const readCharacter = async () => {
      const [row] = await game.query('game', `select * from ChaInfo where ChaNum = ${chanum}`)
      return row ?? {}
    }
    const readNumber = async (column: string) => Number((await readCharacter())[column])
    const updateCharacter = (sets: string) => game.run('game', `update ChaInfo set ${sets} where ChaNum = ${chanum}`)
    const buy = async (service: string, choice = '') => {
      const query = new URLSearchParams({ productnum: String(productNums[service]), character: String(chanum), choice })
      const answer = await buyer.post(`/api/buyitem?${query}`)
      assert.equal(answer.status, 200, answer.text)
      const order = await db
        .selectFrom('service_orders')
        .where('cha_num', '=', chanum)
        .orderBy('service_order', 'desc')
        .selectAll()
        .executeTakeFirstOrThrow()
      return order.service_order
    }
    return { buyer, chanum, name, readCharacter, readNumber, updateCharacter, buy }
  }
  const readOrder = (order: number) =>
    db.selectFrom('service_orders').where('service_order', '=', order).selectAll().executeTakeFirstOrThrow()
  /** Returns the unit of an order. */
  const readUnit = async (order: number) => (await readOrder(order)).delivery ?? 0
  const refund = (unit: number) => gm.post('/api/admin/orders/refund', { units: [unit], reason: 'Asked for it' })
  const undo = (service_order: number) => gm.post('/api/admin/services/undo', { service_order, reason: 'A mistake' })
  const readBalance = async (userNum: number) =>
    (await db.selectFrom('accounts').where('user_num', '=', userNum).select('r_coin').executeTakeFirstOrThrow()).r_coin
  /** Ends the checks of completed services, which the next rounds would repeat. */
  const settle = async () => {
    await game.run('game', 'update tambayan_service set settled = 1')
    await db.updateTable('service_orders').set({ settled_at: clock.now() }).where('state', '=', 'done').execute()
  }

  /** Returns the dependencies of the agent's loop over services. The test ends it through `signal`. */
  const createLoopDeps = (overrides: Partial<LoopDeps> = {}): LoopDeps => ({
    callSite: call,
    print: () => {},
    reportProblem: async () => {},
    signal: new AbortController().signal,
    onStep: () => {},
    waitMs: 0,
    retryUntilAnswered: (request) => request(),
    pause: async () => {},
    ...overrides,
  })

  test('each service changes its values, and the desk shows the values before and after', async () => {
    const hero = await createHero()
    await hero.buy('stats')
    await runAgentRound()
    assert.deepEqual(
      [await hero.readNumber('chapower'), await hero.readNumber('chadex'), await hero.readNumber('chastremain')],
      [0, 0, 10],
    )
    await settle()
    await hero.buy('school', '2')
    await runAgentRound()
    assert.equal(await hero.readNumber('chaschool'), 2)
    await hero.updateCharacter('ChaSchool = 0')
    await settle()
    await hero.buy('gender')
    await runAgentRound()
    assert.deepEqual([await hero.readNumber('chaclass'), await hero.readNumber('chahair')], [64, 2])
    await settle()
    await hero.buy('unstuck')
    await runAgentRound()
    assert.deepEqual([await hero.readNumber('chastartmap'), await hero.readNumber('chaposx')], [22, 10.5])
    await settle()
    const newName = createName('New')
    const renameOrder = await hero.buy('name', newName)
    await runAgentRound()
    assert.equal((await hero.readCharacter()).chaname, newName)
    const [friend] = await game.query('game', `select FriendName from ChaFriend where ChaNum = ${hero.chanum}`)
    assert.equal(friend?.friendname, newName)
    await settle()
    const rebornOrder = await hero.buy('reborn')
    await runAgentRound()
    assert.equal(await hero.readNumber('chareborn'), 1)
    await settle()
    const { rows } = (await gm.get(`/api/admin/services?character=${hero.chanum}`)).json()
    assert.equal(rows.length, 6)
    const shownOrder = rows.find((row: { service_order: number }) => row.service_order === renameOrder)
    assert.deepEqual([shownOrder.before, shownOrder.after], [{ ChaName: hero.name }, { ChaName: newName }])
    assert.equal((await readOrder(rebornOrder)).state, 'done')
    await assertBooksAgree(db)
  })

  test('does a service once when the agent is killed between any two steps', async () => {
    for (const step of STEPS) {
      const hero = await createHero()
      const name = createName('Once')
      const order = await hero.buy('name', name)
      let isKilled = false
      await assert.rejects(
        runAgentRound((at) => {
          if (at !== step || isKilled) return
          isKilled = true
          throw new AgentKilled(at)
        }),
        AgentKilled,
        step,
      )
      await runAgentRound()
      assert.deepEqual([(await readOrder(order)).state, (await hero.readCharacter()).chaname], ['done', name], step)
      assert.equal(await readBalance(hero.buyer.userNum), 900)
      // A repeated report has no effect.
      await hero.updateCharacter(`ChaName = '${hero.name}'`)
      await settle()
      await runAgentRound()
      assert.equal((await hero.readCharacter()).chaname, hero.name)
    }
  })

  test('a service for an online character waits, sends a letter, and is refunded later', async () => {
    const hero = await createHero({ ChaOnline: 1 })
    const order = await hero.buy('stats')
    await runAgentRound()
    await runAgentRound()
    assert.equal(await hero.readNumber('chapower'), 5)
    const [line] = (await hero.buyer.get('/api/shoppurchases')).json().purchasehistory
    assert.equal(line.service.state, 'waiting')
    assert.match(line.service.note, /^Log .* out of the game/)
    const { letters } = (await hero.buyer.get('/api/mailbox?after=')).json()
    assert.equal(letters.filter(({ kind: letterKind }: { kind: string }) => letterKind === 'service').length, 1)
    await endOverdueServices(site, new Date(clock.now().getTime() + 25 * HOUR_MS))
    assert.equal(
      (await readOrder(order)).state,
      'waiting',
      'the bridge received the order, so the refund waits for its answer',
    )
    // The character logs out now, but the refunded service is not done.
    await hero.updateCharacter('ChaOnline = 0')
    await runAgentRound()
    await runAgentRound()
    assert.deepEqual([(await readOrder(order)).state, (await readOrder(order)).reason], ['refunded', 'timeout'])
    assert.equal(await hero.readNumber('chapower'), 5)
    assert.equal(await readBalance(hero.buyer.userNum), 1000)
    await assertBooksAgree(db)
  })

  test('a service that the game does not allow is refunded with its reason', async () => {
    const refusalCases: [
      service: string,
      choice: string,
      preventService: (hero: Awaited<ReturnType<typeof createHero>>) => Promise<unknown>,
      expectedReason: string,
    ][] = [
      ['stats', '', (hero) => hero.updateCharacter('ChaDeleted = 1'), 'gone'],
      ['stats', '', (hero) => hero.updateCharacter('UserNum = UserNum + 100000'), 'not-yours'],
      ['school', '1', (hero) => hero.updateCharacter('ChaSchool = 2'), 'changed'],
      ['unheard-of', '', async () => {}, 'unknown'],
      ['unstuck', '', (hero) => hero.updateCharacter('ChaSchool = 1'), 'unfit'],
    ]
    for (const [service, choice, preventService, reason] of refusalCases) {
      const hero = await createHero()
      const order = await hero.buy(service, choice)
      await preventService(hero)
      const before = await hero.readCharacter()
      await runAgentRound()
      const { state, reason: foundReason } = await readOrder(order)
      assert.deepEqual([state, foundReason], ['refunded', reason], service)
      assert.deepEqual(await hero.readCharacter(), before)
      assert.equal(await readBalance(hero.buyer.userNum), 1000)
    }
    const takenCharacter = await createHero()
    const hero = await createHero()
    // The other character's new name exists only in the game.
    const name = createName('Gulat')
    await takenCharacter.updateCharacter(`ChaName = '${name}'`)
    const order = await hero.buy('name', name.toUpperCase())
    await runAgentRound()
    assert.deepEqual([(await readOrder(order)).reason, (await hero.readCharacter()).chaname], ['name-taken', hero.name])
    const [line] = (await hero.buyer.get('/api/shoppurchases')).json().purchasehistory
    assert.deepEqual([line.service.state, line.service.note], ['refunded', SERVICE_REASONS['name-taken']])
    await assertBooksAgree(db)
  })

  test('the next agent reports a refusal that a killed agent had stored, and the money is refunded', async () => {
    const hero = await createHero()
    const order = await hero.buy('school', '1')
    await hero.updateCharacter('ChaSchool = 2')
    const killAfterCancel = (step: string) => {
      if (step === 'cancel committed') throw new AgentKilled(step)
    }
    await assert.rejects(runAgentRound(killAfterCancel), AgentKilled)
    await runAgentRound()
    assert.deepEqual([(await readOrder(order)).state, await hero.readNumber('chaschool')], ['refunded', 2])
    assert.equal(await readBalance(hero.buyer.userNum), 1000)
    await assertBooksAgree(db)
  })

  test('repeats a service that the game server reverts, and refunds it after a second revert', async () => {
    const hero = await createHero()
    const order = await hero.buy('school', '1')
    await runAgentRound()
    await hero.updateCharacter('ChaOnline = 1')
    await runAgentRound()
    await hero.updateCharacter('ChaOnline = 0, ChaSchool = 0')
    await runAgentRound()
    assert.equal(await hero.readNumber('chaschool'), 1)
    assert.notEqual((await readOrder(order)).again_at, null)
    await hero.updateCharacter('ChaSchool = 0')
    await runAgentRound()
    const { state, reason } = await readOrder(order)
    assert.deepEqual([state, reason, await hero.readNumber('chaschool')], ['refunded', 'back', 0])
    assert.equal(await readBalance(hero.buyer.userNum), 1000)
    await runAgentRound()
    await assertBooksAgree(db)
  })

  test('stops checking a service whose values remain after a logout', async () => {
    const hero = await createHero()
    const order = await hero.buy('school', '1')
    await runAgentRound()
    assert.equal((await readOrder(order)).settled_at, null)
    await hero.updateCharacter('ChaOnline = 1')
    await runAgentRound()
    await hero.updateCharacter('ChaOnline = 0')
    await runAgentRound()
    assert.notEqual((await readOrder(order)).settled_at, null)
    await hero.updateCharacter('ChaSchool = 0')
    await runAgentRound()
    assert.equal(await hero.readNumber('chaschool'), 0)
  })

  test('the desk undoes a service without moving money; only an undone service is refunded', async () => {
    const hero = await createHero()
    const name = createName('Balik')
    const order = await hero.buy('name', name)
    await runAgentRound()
    const unit = await readUnit(order)
    assert.equal((await refund(unit)).status, 409)
    const undoResponse = await undo(order)
    assert.equal(undoResponse.status, 200, undoResponse.text)
    assert.equal((await undo(order)).status, 409)
    await runAgentRound()
    assert.equal((await hero.readCharacter()).chaname, hero.name)
    assert.equal((await readOrder(undoResponse.json().service_order)).state, 'done')
    assert.equal(await readBalance(hero.buyer.userNum), 900)
    await runAgentRound()
    assert.equal((await hero.readCharacter()).chaname, hero.name, 'the undone service is not done again')
    const refundResponse = await refund(unit)
    assert.equal(refundResponse.status, 200, refundResponse.text)
    assert.equal(await readBalance(hero.buyer.userNum), 1000)
    await settle()
    const rebornOrder = await hero.buy('reborn')
    await runAgentRound()
    await settle()
    await undo(rebornOrder)
    await runAgentRound()
    assert.equal(await hero.readNumber('chareborn'), 0)
    await settle()
    const unstuckOrder = await hero.buy('unstuck')
    await runAgentRound()
    assert.equal((await undo(unstuckOrder)).status, 409)
    await assertBooksAgree(db)
  })

  test('a service and its concurrent refund never both take effect', async () => {
    for (const firstActor of ['bridge', 'desk']) {
      const hero = await createHero()
      const order = await hero.buy('school', '1')
      passRetryTime()
      const issuedWork = await takeTasks()
      const unit = await readUnit(order)
      if (firstActor === 'desk') await refund(unit)
      const results = await doServices(characters, issuedWork)
      if (firstActor === 'bridge') await refund(unit)
      await call(reportServices, { ...results, copy: characters.marker.copy })
      await runAgentRound()
      await runAgentRound()
      const { state } = await readOrder(order)
      const [school, balance] = [await hero.readNumber('chaschool'), await readBalance(hero.buyer.userNum)]
      assert.deepEqual([state, school, balance], ['done', 1, 900], firstActor)
    }
    const hero = await createHero({ ChaOnline: 1 })
    const order = await hero.buy('school', '1')
    await runAgentRound()
    const unit = await readUnit(order)
    await refund(unit)
    await hero.updateCharacter('ChaOnline = 0')
    await runAgentRound()
    assert.deepEqual([(await readOrder(order)).state, await hero.readNumber('chaschool')], ['refunded', 0])
    await assertBooksAgree(db)
  })

  test('a trial runs each service on an offline character, and rolls it back', async () => {
    const hero = await createHero()
    const before = await hero.readCharacter()
    const findings = await tryAllWrites(config)
    const serviceFindings = findings.filter(({ what }) => /service/.test(what))
    assert.deepEqual(
      serviceFindings.map(({ level, what }) => [level, /the service (\S+)/.exec(what)?.[1]]),
      ['unstuck', 'stats', 'school', 'name', 'gender', 'reborn'].map((service) => ['good', service]),
      JSON.stringify(serviceFindings),
    )
    assert.deepEqual(await hero.readCharacter(), before)
    const output = (await checkGame(config, undefined)).map(({ what, advice }) => `${what} ${advice}`).join('\n')
    assert.match(output, /Services can change characters: unstuck, stats, school, name, gender, reborn\./)
    assert.match(
      output,
      /unstuck cannot be done to characters of Mystic Peak \(1\) and Phoenix \(2\): "services": "places" has no start position for them/,
    )
    assert.match(output, /tambayan_service/)
  })

  test('missing parts for a service are reported before its sale, and do not fail a trial', async () => {
    const hero = await createHero()
    await hero.updateCharacter('ChaClass = 3, ChaSchool = 2')
    const names = { ...config.names, ChaStRemain: null }
    const findingTexts = (await checkGame({ ...config, names }, undefined)).map((finding) => finding.what).join('\n')
    assert.match(findingTexts, /The service stats cannot be done: ChaInfo has no column ChaStRemain/i)
    assert.match(findingTexts, /Services can change characters: unstuck, school/)
    const serviceFindings = (await tryAllWrites({ ...config, names })).filter((finding) =>
      / service /.test(finding.what),
    )
    assert.deepEqual(
      serviceFindings
        .filter(({ level }) => level === 'note')
        .map((finding) => finding.what.split(': ').slice(1, 3).join(': ')),
      [
        `the service unstuck for character ${hero.chanum} was not tried: "services"`,
        `the service gender for character ${hero.chanum} was not tried: The class 3 has no other gender.`,
      ],
      JSON.stringify(serviceFindings),
    )
    assert.deepEqual(
      serviceFindings.filter(({ level }) => level === 'problem'),
      [],
    )
    const { services: _, ...configWithoutServices } = config
    const problems = (await checkGame(configWithoutServices, call)).map((finding) => finding.what)
    assert.ok(
      problems.includes('The site sells services for characters, but the configuration has no "services".'),
      problems.join('\n'),
    )
  })

  test('creates the table of services with the other tables, before the site sells services', async () => {
    const lines: string[] = []
    const stopping = new AbortController()
    const emptyGame = await startGame(kind)
    await runServices(
      {
        ...createBridgeConfig(emptyGame, kind, address),
        services: { places: {}, looks: {}, names: [], off: [], own: {} },
      },
      createLoopDeps({
        callSite: (async () => ({ now: '', wanted: false })) as unknown as typeof call,
        print: (line) => void lines.push(line),
        signal: stopping.signal,
        pause: async () => stopping.abort(),
      }),
    )
    assert.deepEqual(await emptyGame.query('game', 'select number from tambayan_service'), [])
    assert.deepEqual(lines, [])
  })

  test('a lost service is not done again while its character waits for another service', async () => {
    const hero = await createHero()
    const order = await hero.buy('school', '1')
    await runAgentRound()
    await settle()
    const unit = await readUnit(order)
    await db.updateTable('service_orders').set({ lost_at: clock.now() }).where('service_order', '=', order).execute()
    await db.updateTable('deliveries').set({ in_game: 'lost' }).where('delivery', '=', unit).execute()
    const statsOrder = await hero.buy('stats')
    const retry = () => gm.post('/api/admin/orders/retry', { units: [unit] })
    const refusedResponse = await retry()
    assert.equal(refusedResponse.status, 409, refusedResponse.text)
    assert.equal(refusedResponse.json().message, retryDelivery.errors.busy.message)
    await runAgentRound()
    assert.equal((await readOrder(statsOrder)).state, 'done')
    assert.equal((await retry()).status, 200)
    await runAgentRound()
    assert.equal((await readOrder(order)).state, 'done')
    await settle()
  })

  test('lets an agent that is newer than its site work without services', async () => {
    const lines: string[] = []
    const stopping = new AbortController()
    // The path of a call that this site does not have.
    const callSite = ((endpoint, input, signal) =>
      call({ ...endpoint, path: `${endpoint.path}-of-tomorrow` }, input, signal)) as typeof call
    await runServices(
      config,
      createLoopDeps({
        callSite,
        print: (line) => void lines.push(line),
        signal: stopping.signal,
        pause: async () => {
          if (lines.length > 0) stopping.abort()
        },
      }),
    )
    assert.match(lines.join(), /older than this bridge/)
  })

  // The following tests restore the database of characters (SERVICE-8).

  /** Runs one round of the agent's loop. */
  const runRound = (serviceCharacters: typeof characters) => doRound(serviceCharacters, createLoopDeps())
  /**
   * Opens the characters again, like an agent that notices a restore, and compares until the site has no more services
   * to compare.
   */
  async function startRestore() {
    const restoredCharacters = await prepareCharacters(config)
    const round = () => runRound(restoredCharacters)
    await round()
    await round()
    const { restore, doubled: duplicateCounts } = (await gm.get('/api/admin/game')).json()
    /** Confirms the restore at the desk, and continues with the characters. */
    const confirmRestore = async (offerAgain: boolean) => {
      const answer = await gm.post('/api/admin/game/restore', { offer_again: offerAgain, reason: 'Restored it' })
      assert.equal(answer.status, 200, answer.text)
      await round()
      passRetryTime()
      await round()
      await characters.close()
      characters = restoredCharacters
    }
    return { restore, duplicateCounts, confirmRestore, round }
  }
  /** Returns a service as the desk shows it. */
  const readListedService = async (chanum: number, order: number) =>
    (await gm.get(`/api/admin/services?character=${chanum}`))
      .json()
      .rows.find((row: { service_order: number }) => row.service_order === order)

  test('a restore of the characters waits for an operator, and lost services are done again', async () => {
    await settle()
    const hero = await createHero()
    const restoreGame = await game.backUp('game')
    const order = await hero.buy('school', '1')
    await runAgentRound()
    assert.equal((await readOrder(order)).state, 'done')
    await restoreGame()
    assert.equal(await hero.readNumber('chaschool'), 0)
    const { restore, confirmRestore } = await startRestore()
    assert.deepEqual([restore.lost_services, restore.looked], [1, true])
    assert.notEqual((await readOrder(order)).lost_at, null)
    await confirmRestore(true)
    assert.deepEqual([(await readOrder(order)).state, await hero.readNumber('chaschool')], ['done', 1])
    assert.equal(await readBalance(hero.buyer.userNum), 900)
    await settle()
    await assertBooksAgree(db)
  })

  for (const offerAgain of [true, false])
    test(`lists settled services that a restore lost, and does them again ${offerAgain ? 'after the confirmation' : 'at a retry'}`, async () => {
      await settle()
      const [appliedHero, hero, rebornHero] = [await createHero(), await createHero(), await createHero()]
      await appliedHero.buy('school', '1')
      await runAgentRound()
      await settle()
      const restoreGame = await game.backUp('game')
      const [name, before] = [createName('Wala'), (await hero.readCharacter()).chaname]
      const order = await hero.buy('name', name)
      const rebornOrder = await rebornHero.buy('reborn')
      await runAgentRound()
      await settle()
      await restoreGame()
      assert.equal((await hero.readCharacter()).chaname, before)
      const { restore, confirmRestore, round } = await startRestore()
      assert.equal(restore.lost_services, 2)
      const unit = await readUnit(order)
      const { lost_at, order: number } = await readListedService(hero.chanum, order)
      assert.notEqual(lost_at, null)
      const lostOrders = (await gm.get('/api/admin/orders?stage=lost')).json().rows
      assert.ok(lostOrders.some((row: { order: string }) => row.order === number))
      const earlyResponse = await gm.post('/api/admin/orders/retry', { units: [unit] })
      assert.equal(earlyResponse.json().message, retryDelivery.errors.notConfirmed.message)
      await confirmRestore(offerAgain)
      if (!offerAgain) {
        assert.deepEqual([(await hero.readCharacter()).chaname, await rebornHero.readNumber('chareborn')], [before, 0])
        const units = [unit, await readUnit(rebornOrder)]
        assert.equal((await gm.post('/api/admin/orders/retry', { units })).status, 200)
        await round()
      }
      await round()
      assert.deepEqual([(await hero.readCharacter()).chaname, await rebornHero.readNumber('chareborn')], [name, 1])
      assert.deepEqual([(await readOrder(order)).state, (await readOrder(order)).lost_at], ['done', null])
      assert.equal(await appliedHero.readNumber('chaschool'), 1)
      assert.equal(await readBalance(hero.buyer.userNum), 900)
      await settle()
      await assertBooksAgree(db)
    })

  test('lists a refunded change that a restore brings back, with its amount', async () => {
    await settle()
    const [hero, otherHero, lostHero] = [await createHero(), await createHero(), await createHero()]
    // Both are done before the backup. Later the game undoes the first and the desk the second.
    const schoolOrder = await hero.buy('school', '1')
    const otherOrder = await otherHero.buy('school', '2')
    await runAgentRound()
    const restoreGame = await game.backUp('game')
    await hero.updateCharacter('ChaSchool = 0')
    await runAgentRound()
    await hero.updateCharacter('ChaSchool = 0')
    await runAgentRound()
    assert.deepEqual(
      [(await readOrder(schoolOrder)).state, (await readOrder(schoolOrder)).reason],
      ['refunded', 'back'],
    )
    const unit = await readUnit(otherOrder)
    await undo(otherOrder)
    await runAgentRound()
    assert.equal((await refund(unit)).status, 200)
    await lostHero.buy('name', createName('Nawala'))
    await runAgentRound()
    await settle()
    await restoreGame()
    assert.deepEqual([await hero.readNumber('chaschool'), await otherHero.readNumber('chaschool')], [1, 2])
    const { duplicateCounts, confirmRestore } = await startRestore()
    assert.deepEqual([duplicateCounts.units, duplicateCounts.r_coin], [2, 200])
    const markedUnits = await db.selectFrom('deliveries').where('in_game', '=', 'taken').select('delivery').execute()
    assert.deepEqual(
      markedUnits.map(({ delivery }) => delivery),
      [(await readOrder(schoolOrder)).delivery, unit],
    )
    await confirmRestore(true)
    // The service that the desk undid is undone again; the one that only the game undid stays on the list.
    assert.deepEqual([await hero.readNumber('chaschool'), await otherHero.readNumber('chaschool')], [1, 0])
    assert.equal((await gm.get('/api/admin/game')).json().doubled.r_coin, 100)
    assert.equal(await readBalance(hero.buyer.userNum), 1000)
    await db.updateTable('deliveries').set({ in_game: '' }).where('in_game', '=', 'taken').execute()
    await settle()
    await assertBooksAgree(db)
  })

  test('does a service that was issued before a restore of the characters only once', async () => {
    await settle()
    const hero = await createHero()
    const restoreGame = await game.backUp('game')
    const order = await hero.buy('reborn')
    passRetryTime()
    await doServices(characters, await takeTasks())
    assert.equal(await hero.readNumber('chareborn'), 1)
    await restoreGame()
    await assert.rejects(runRound(characters), CopyChanged)
    // The site has recorded no service that the copy lacks.
    assert.equal((await startRestore()).restore, null)
    await characters.close()
    characters = await prepareCharacters(config)
    await runAgentRound()
    assert.deepEqual([(await readOrder(order)).state, await hero.readNumber('chareborn')], ['done', 1])
    await settle()
    await assertBooksAgree(db)
  })
}
