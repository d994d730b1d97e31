import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { afterEach, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { runAgent } from '#bridge/agent.ts'
import type { OnStep } from '#bridge/deliver.ts'
import { createSiteCall } from '#bridge/site.ts'
import type { GameKind } from '#scripts/game-tables.ts'
import { createPlayer, logInAs, openPlayerSession } from './account-helpers.ts'
import { createBridgeConfig, linkAccount, listenForBridges, pairKeys } from './bridge-helpers.ts'
import { insertRows } from './factories.ts'
import { startGame } from './games.ts'
import { createTestApp } from './helpers.ts'
import { assertBooksAgree, createBuyer, insertItem, R_COIN } from './money-helpers.ts'
import { waitUntil as waitUntilMet } from './wait-until.ts'

type AgentOptions = {
  print: (line: string) => void
  signal: AbortSignal
  onStep?: OnStep
  /** Called when the site has responded to a report. */
  onReport?: (report: unknown) => void
}

/** Long enough for several rounds of an agent. */
const SEVERAL_ROUNDS_MS = 300

/** Tests restores of the game's databases, between the real site, the real agent and a real database. */
export async function testRestoresOn(kind: GameKind) {
  const game = await startGame(kind)
  const site = await createTestApp({ env: { RATE_LIMIT: 'off' } })
  const { db } = site
  const address = await listenForBridges(site)
  const gm = await openPlayerSession(site, 'gm')
  const helmet = await insertItem(db, { item_name: `Salakot of ${kind}`, price: 300, section: R_COIN })
  await game.addProduct(helmet)
  const { bridge, sign, seal } = await pairKeys(site, address)
  await db
    .updateTable('deliveries')
    .set({ state: 'claimed', refund_requested_at: null, failed_at: null })
    .where('state', '<>', 'refunded')
    .execute()

  /** Runs an agent with the site's only key on the databases of a game. */
  function runTestAgent(
    { urls, preset }: typeof game,
    { onStep = () => {}, onReport = () => {}, ...options }: AgentOptions,
  ): Promise<unknown> {
    const callSite = createSiteCall({ site: address, bridge, signKey: sign, instance: randomUUID(), now: site.now })
    return runAgent({
      config: createBridgeConfig({ urls, preset }, kind, address),
      callSite: async (endpoint, input) => {
        const answer = await callSite(endpoint, input)
        onReport(input)
        return answer
      },
      sealKey: seal,
      version: 'test',
      onStep,
      pace: { workMs: 200, watchMs: 40, retryMs: 20, retryMaxMs: 100 },
      ...options,
    })
  }

  let stopping = new AbortController()
  let agentCompletion: Promise<unknown> = Promise.resolve()
  const lines: string[] = []
  /** Starts the agent, and waits until it works. @param onReport called when the site has responded to a report */
  async function startAgent(onStep: OnStep = () => {}, onReport: (report: unknown) => void = () => {}) {
    lines.length = 0
    stopping = new AbortController()
    agentCompletion = runTestAgent(game, {
      print: (line) => void lines.push(line),
      signal: stopping.signal,
      onStep,
      onReport,
    })
    await waitUntil('the agent works', () => lines.some((line) => line.startsWith('Connected')))
  }
  async function stopAgent() {
    stopping.abort()
    await agentCompletion
  }
  afterEach(async () => {
    await stopAgent()
    // Later restores must not affect the data of this test.
    await db
      .updateTable('deliveries')
      .set({
        state: sql`case when state = 'refunded' then state else 'claimed' end`,
        refund_requested_at: null,
        failed_at: null,
        in_game: '',
        handed_by: null,
      })
      .execute()
  })

  const waitUntil = (condition: string, isMet: () => Promise<boolean> | boolean) =>
    waitUntilMet(condition, isMet, { explain: () => lines.slice(-3).join(' | ') })
  const readUnit = (delivery: number) =>
    db.selectFrom('deliveries').where('delivery', '=', delivery).selectAll().executeTakeFirstOrThrow()
  const waitForState = (units: readonly number[], state: string) =>
    waitUntil(`${units} are ${state}`, async () => {
      const rows = await db.selectFrom('deliveries').where('delivery', 'in', units).select('state').execute()
      return rows.every((row) => row.state === state)
    })
  /** Creates a player who buys units and has money for `extraUnits` more. */
  async function buy(units = 1, extraUnits = 0) {
    const name = `P${randomUUID().slice(0, 8)}`
    const juan = await createBuyer(site, { rCoin: 300 * (units + extraUnits) })
    await linkAccount(site, juan.userNum, await game.addPlayer(name))
    return { juan, name, units: await buyUnits({ juan }, units) }
  }
  async function buyUnits({ juan }: { juan: Awaited<ReturnType<typeof createBuyer>> }, units: number) {
    for (let unit = 0; unit < units; unit++) await juan.add(helmet)
    assert.equal((await juan.buyCart()).status, 200)
    const rows = await db
      .selectFrom('deliveries')
      .where('user_num', '=', juan.userNum)
      .select('delivery')
      .orderBy('delivery')
      .execute()
    return rows.slice(-units).map(({ delivery }) => delivery)
  }
  const readRows = async ({ name }: { name: string }) =>
    (await game.purchases()).filter(({ useruid }) => String(useruid) === name)
  const pickUp = async (unit: number) => game.setFlag((await readUnit(unit)).pur_key ?? '', 1)
  const refund = async (units: number[]) => {
    const answer = await gm.post('/api/admin/orders/refund', { units, reason: 'Bought by mistake' })
    assert.equal(answer.status, 200, answer.text)
    await waitForState(units, 'refunded')
  }
  /** Runs the manual's command for a single restored table. */
  const requestComparison = () => game.run('shop', 'update tambayan_bridge set counter = 0 where id = 1')
  const readDesk = async () => (await gm.get('/api/admin/game')).json()
  const waitForCheck = () =>
    waitUntil('the desk shows the restore', async () => (await readDesk()).restore?.looked === true)
  const confirmRestore = async (offer_again: boolean) => {
    const answer = await gm.post('/api/admin/game/restore', { offer_again, reason: 'The disk broke' })
    assert.equal(answer.status, 200, answer.text)
    await waitUntil('the restore is over', async () => (await readDesk()).restore === null)
  }
  const readUser = async (id: string) =>
    (await game.connection('user').query('select * from UserInfo where UserID = :id', { id }))[0]

  const readGameUserNum = async (id: string) => Number((await readUser(id))?.usernum)
  const setPoints = (id: string, point: number) =>
    game.connection('user').run('update UserInfo set UserPoint = :point where UserID = :id', { point, id })
  const readPoints = async (id: string) => Number((await readUser(id))?.userpoint)
  /** Creates a player whose account in the game was imported with a balance. */
  async function importAccount(amount: number) {
    const player = await createPlayer(site)
    const id = player.form.userId
    await waitUntil(`${id} is in the game`, async () => (await readUser(id)) !== undefined)
    await setPoints(id, amount)
    const game_user_num = await readGameUserNum(id)
    await waitUntil(`${id} is linked`, async () => {
      const links = await db.selectFrom('game_links').where('game_user_num', '=', game_user_num).selectAll().execute()
      return links.length === 1
    })
    const importRow = { game_user_num, bridge, user_id: id, form: 'plain', form_hash: '', game_user_type: 1 } as const
    await insertRows(db, 'game_imports', {
      ...importRow,
      blocked: false,
      blocked_until: null,
      imported_at: site.now(),
      user_num: player.user.UserNum,
    })
    const emptyFields = { handed_by: null, user_num: null, ledger_entry: null, back_amount: null, back_at: null }
    const approveBalance = () =>
      insertRows(db, 'game_balances', {
        bridge,
        game_user_num,
        amount,
        state: 'approved',
        changed_at: site.now(),
        ...emptyFields,
      })
    const readBalanceRow = async () => {
      const rows = await db.selectFrom('game_balances').where('game_user_num', '=', game_user_num).selectAll().execute()
      return rows[0]
    }
    return {
      ...player,
      id,
      approveBalance,
      readBalanceRow,
      waitForTakeOver: () =>
        waitUntil('the balance is taken over', async () => (await readBalanceRow())?.state === 'taken'),
    }
  }
  const readBalance = async (userNum: number) =>
    (await db.selectFrom('accounts').where('user_num', '=', userNum).select('r_coin').executeTakeFirstOrThrow()).r_coin
  const readRestore = async () => (await readDesk()).restore
  async function changePassword({ post, owner, form }: Awaited<ReturnType<typeof createPlayer>>, password: string) {
    await post('/api/validate-secret-answer', { ...owner, secretAnswer: form.secretAnswer })
    await post('/api/updatepassword', { ...owner, UserPass: form.userPassword, NewUserPass: password })
    await waitUntil('the password is in the game', async () => (await readUser(form.userId))?.userpass === password)
  }
  async function block(user_num: number) {
    const answer = await gm.post('/api/admin/players/block', { user_num, block: null, reason: 'Bots', ends_at: null })
    assert.equal(answer.status, 200, answer.text)
  }

  test('repairs passwords, blocks and balances after a restore of the accounts’ database', async () => {
    await startAgent()
    const [richPlayer, bot, earlierPlayer] = [
      await importAccount(700),
      await createPlayer(site),
      await importAccount(300),
    ]
    await earlierPlayer.approveBalance()
    await earlierPlayer.waitForTakeOver()
    await setPoints(earlierPlayer.id, 50)
    await waitUntil('the bot is in the game', async () => (await readUser(bot.form.userId)) !== undefined)
    const restore = await game.backUp('user')
    await richPlayer.approveBalance()
    await richPlayer.waitForTakeOver()
    await changePassword(richPlayer, 'bagong-7')
    await block(bot.user.UserNum)
    await waitUntil('the block is there', async () => Number((await readUser(bot.form.userId))?.userblock) === 1)
    assert.equal(await readPoints(richPlayer.id), 0)
    await restore()
    await waitForCheck()
    const restoreState = await readRestore()
    assert.partialDeepStrictEqual(restoreState, { lost: 0, balances: { count: 1, sum: 700 } })
    assert.partialDeepStrictEqual(restoreState.what, [{ place: 'user', looked: true, confirmed: false }])
    assert.ok(restoreState.what[0].as_of !== null)
    const purchase = await buy()
    await waitForState(purchase.units, 'delivered')
    assert.equal(
      Number((await readUser(bot.form.userId))?.userblock),
      0,
      'nothing is written before an owner confirms the restore',
    )
    // At the same time, the player spends a part of the balance in the game.
    await setPoints(richPlayer.id, 500)
    await confirmRestore(false)
    await waitUntil('the block is there again', async () => Number((await readUser(bot.form.userId))?.userblock) === 1)
    await waitUntil('the balance is out of the game', async () => (await readPoints(richPlayer.id)) === 0)
    await waitUntil('the balance is booked', async () => (await richPlayer.readBalanceRow())?.back_amount === null)
    assert.equal(await readPoints(earlierPlayer.id), 50, 'points earned since the import stay in the game')
    assert.deepEqual(
      [await readBalance(richPlayer.user.UserNum), await readBalance(earlierPlayer.user.UserNum)],
      [700, 300],
    )
    assert.partialDeepStrictEqual((await readDesk()).doubled, { balances: 1, balances_sum: 200 })
    const detail = /players may have twice: 1 balance, 200 in all/
    assert.match((await gm.get('/api/admin/health')).text, detail)
    assert.match((await gm.get('/api/admin/today')).text, detail)
    const { odd: oddBalances } = (await gm.get('/api/admin/game/account-import')).json().balances
    assert.partialDeepStrictEqual(oddBalances, [{ user_id: richPlayer.id, amount: 200 }])
    await logInAs(site, richPlayer.id, 'bagong-7')
    await waitUntil('the password is there again', async () => (await readUser(richPlayer.id))?.userpass === 'bagong-7')
    await assertBooksAgree(db)
  })

  test('removes refunded units from a restored item bank, and lists one that was picked up first', async () => {
    await startAgent()
    const purchase = await buy(2)
    await waitForState(purchase.units, 'delivered')
    const restore = await game.backUp('shop')
    const [, takenUnit = 0] = purchase.units
    const key = (await readUnit(takenUnit)).pur_key ?? ''
    await refund(purchase.units)
    await restore()
    await waitForCheck()
    assert.partialDeepStrictEqual(await readRestore(), { lost: 0, back: 2, again: 0 })
    assert.equal((await readRows(purchase)).length, 2, 'nothing is written before an owner confirms the restore')
    await game.setFlag(key, 1)
    await confirmRestore(false)
    await waitUntil('one unit is removed again', async () => (await readRows(purchase)).length === 1)
    await waitUntil('the desk lists the other unit', async () => (await readUnit(takenUnit)).in_game === 'taken')
    assert.partialDeepStrictEqual((await readDesk()).doubled, { units: 1, r_coin: 300 })
    await assertBooksAgree(db)
  })

  // The agent does not notice the restore of a single table. The manual has a command that makes it compare.
  for (const isComparedByCommand of [false, true])
    for (const offerAgain of [true, false])
      test(`after a restore of ${isComparedByCommand ? 'ShopPurchase alone' : 'the purchases'}, ${offerAgain ? 'delivers lost units again' : 'removes picked-up units and delivers no lost ones'}`, async () => {
        await startAgent()
        const pickedUpPurchase = await buy(3)
        await waitForState(pickedUpPurchase.units, 'delivered')
        const restore = await game.backUp('shop', isComparedByCommand ? ['ShopPurchase'] : undefined)
        const lostPurchase = await buy(2)
        await waitForState(lostPurchase.units, 'delivered')
        const [, earlierTakenUnit = 0] = lostPurchase.units
        await pickUp(earlierTakenUnit)
        await waitForState([earlierTakenUnit], 'claimed')
        const [, firstPickedUp = 0, secondPickedUp = 0] = pickedUpPurchase.units
        const key = (await readUnit(firstPickedUp)).pur_key ?? ''
        for (const unit of pickedUpPurchase.units) await pickUp(unit)
        await waitForState(pickedUpPurchase.units, 'claimed')
        await restore()
        if (isComparedByCommand) await requestComparison()
        await waitForCheck()
        // A picked-up unit whose row is missing is not lost if `tambayan_delivery` still lists it.
        const lostUnits = isComparedByCommand
          ? lostPurchase.units.filter((unit) => unit !== earlierTakenUnit)
          : lostPurchase.units
        assert.partialDeepStrictEqual(await readRestore(), { lost: lostUnits.length, again: 3 })
        const waitingPurchase = await buy()
        await game.setFlag(key, 1)
        await confirmRestore(offerAgain)
        await waitForState(waitingPurchase.units, 'delivered')
        if (offerAgain) {
          await waitForState(lostUnits, 'delivered')
          await waitUntil(
            'the game has all rows again',
            async () => (await readRows(lostPurchase)).length === lostUnits.length,
          )
          await waitUntil(
            'the unit is picked up again',
            async () => (await readUnit(firstPickedUp)).state === 'claimed',
          )
          assert.partialDeepStrictEqual(await readUnit(secondPickedUp), { state: 'delivered', in_game: '' })
        } else {
          await waitUntil('the units are removed', async () => (await readRows(pickedUpPurchase)).length === 1)
          await waitUntil(
            'the desk lists the other unit',
            async () => (await readUnit(firstPickedUp)).in_game === 'twice',
          )
          assert.partialDeepStrictEqual((await readDesk()).doubled, { units: 1, r_coin: 300 })
          assert.partialDeepStrictEqual(await readUnit(secondPickedUp), { state: 'claimed', in_game: '' })
          assert.deepEqual(await readRows(lostPurchase), [])
        }
        await sleep(SEVERAL_ROUNDS_MS)
        assert.equal(await readRestore(), null)
      })

  test('notices a restore after a pick-up that the agent reported but did not store', async () => {
    await startAgent()
    const purchase = await buy()
    await waitForState(purchase.units, 'delivered')
    const [unit = 0] = purchase.units
    await stopAgent()
    const restore = await game.backUp('shop')
    await startAgent(undefined, (report) => {
      if ((report as { flags?: unknown[] }).flags?.length !== 1) return
      stopping.abort()
      stopping.signal.throwIfAborted()
    })
    await pickUp(unit)
    await waitForState([unit], 'claimed')
    await stopAgent()
    await restore()
    await startAgent()
    await waitForCheck()
    assert.equal((await readUnit(unit)).in_game, 'again')
    await confirmRestore(false)
    await waitUntil('the row has left the game', async () => (await readRows(purchase)).length === 0)
  })

  test('shows restores of all three databases as one, which one confirmation ends', async () => {
    await startAgent()
    const richPlayer = await importAccount(700)
    const purchase = await buy(2, 2)
    await waitForState(purchase.units, 'delivered')
    const restores = [await game.backUp('user'), await game.backUp('game'), await game.backUp('shop')]
    await richPlayer.approveBalance()
    await richPlayer.waitForTakeOver()
    const lostPurchase = await buyUnits(purchase, 2)
    await waitForState(lostPurchase, 'delivered')
    const [pickedUpUnit = 0, returnedUnit = 0] = purchase.units
    await pickUp(pickedUpUnit)
    await waitForState([pickedUpUnit], 'claimed')
    await refund([returnedUnit])
    await stopAgent()
    for (const restore of restores) await restore()
    await startAgent()
    await waitUntil('accounts and purchases are compared', async () => {
      const restoreState = await readRestore()
      return restoreState?.looked === true && restoreState.what.length === 2
    })
    assert.partialDeepStrictEqual(await readRestore(), { lost: 2, back: 1, again: 1, balances: { count: 1, sum: 700 } })
    await confirmRestore(true)
    await waitForState(lostPurchase, 'delivered')
    assert.partialDeepStrictEqual(await readUnit(pickedUpUnit), { state: 'delivered', in_game: '' })
    await waitUntil('the refunded unit is removed', async () => (await readRows(purchase)).length === 3)
    await waitUntil('the balance is out of the game', async () => (await readPoints(richPlayer.id)) === 0)
    assert.equal(await readBalance(richPlayer.user.UserNum), 700)
    await assertBooksAgree(db)
  })

  test('finds no losses after a restore of only tambayan_bridge', async () => {
    await startAgent()
    const restore = await game.backUp('shop', ['tambayan_bridge'])
    const purchase = await buy(2)
    await waitForState(purchase.units, 'delivered')
    const [waitingUnit = 0, returnedUnit = 0] = purchase.units
    await refund([returnedUnit])
    await restore()
    await waitForCheck()
    assert.partialDeepStrictEqual(await readRestore(), { lost: 0, back: 0, again: 0 })
    await confirmRestore(true)
    assert.partialDeepStrictEqual(await readUnit(waitingUnit), { state: 'delivered', in_game: '' })
    assert.equal((await readRows(purchase)).length, 1)
    await assertBooksAgree(db)
  })

  test('refunds no unit that is missing from a restored tambayan_delivery', async () => {
    await startAgent()
    const restore = await game.backUp('shop', ['tambayan_delivery'])
    const purchase = await buy()
    await waitForState(purchase.units, 'delivered')
    await stopAgent()
    await restore()
    await startAgent()
    const [unit = 0] = purchase.units
    const answer = await gm.post('/api/admin/orders/refund', { units: [unit], reason: 'Bought by mistake' })
    assert.equal(answer.status, 200, answer.text)
    await waitUntil('the refund is refused', async () => (await readUnit(unit)).refund_refused !== '')
    assert.partialDeepStrictEqual(await readUnit(unit), { state: 'delivered', in_game: 'gone' })
    assert.equal((await readRows(purchase)).length, 1)
    assert.equal((await purchase.juan.readBalance()).rCoin, 0)
  })

  test('delivers everything that a restored site sells, and lists units that only the game has', async () => {
    await startAgent()
    const earlierPurchase = await buy()
    await waitForState(earlierPurchase.units, 'delivered')
    const forgottenPurchase = await buy(2)
    await waitForState(forgottenPurchase.units, 'delivered')
    const [waitingUnit = 0, pickedUpUnit = 0] = forgottenPurchase.units
    await pickUp(pickedUpUnit)
    await waitForState([pickedUpUnit], 'claimed')
    await stopAgent()
    // The state in a backup of the site from before the purchase.
    await db.deleteFrom('deliveries').where('delivery', 'in', forgottenPurchase.units).execute()
    await sql`select setval(pg_get_serial_sequence('deliveries', 'delivery'), ${waitingUnit - 1}::bigint)`.execute(db)
    await db.updateTable('game_copy').set({ counter: 1 }).execute()
    const secondPurchase = await buy(3)
    assert.deepEqual(
      secondPurchase.units.slice(0, 2),
      [waitingUnit, pickedUpUnit],
      'the site issues the same numbers again',
    )
    await startAgent()
    const readUnits = async () =>
      db
        .selectFrom('deliveries')
        .where('user_num', '=', secondPurchase.juan.userNum)
        .selectAll()
        .orderBy('unit')
        .execute()
    await waitUntil('all are delivered', async () => (await readUnits()).every(({ state }) => state === 'delivered'))
    assert.equal((await readRows(secondPurchase)).length, 3)
    assert.equal((await readRows(forgottenPurchase)).length, 2)
    const numbers = (await readUnits()).map(({ delivery }) => delivery)
    assert.ok(numbers.every((number) => number > pickedUpUnit))
    const { unknown } = await readDesk()
    const { user_id } = await db
      .selectFrom('accounts')
      .where('user_num', '=', forgottenPurchase.juan.userNum)
      .select('user_id')
      .executeTakeFirstOrThrow()
    const row = { user_id, item_name: `Salakot of ${kind}`, price: 300 }
    assert.deepEqual([unknown.count, unknown.sum], [2, 600])
    assert.partialDeepStrictEqual(unknown.rows, [
      { unit: waitingUnit, ...row },
      { unit: pickedUpUnit, ...row, claimed: true },
    ])
    assert.equal((await readRestore()) ?? null, null)
    const answer = await gm.post('/api/admin/game/unknown', { reason: 'Settled with the player' })
    assert.equal(answer.status, 200, answer.text)
  })

  test('refuses a copied database while the agent works, and otherwise waits for an owner', async () => {
    await startAgent()
    const earlierPurchase = await buy(3)
    await waitForState(earlierPurchase.units, 'delivered')
    const copy = await game.startCopy()
    const stoppingCopy = new AbortController()
    const copyLines: string[] = []
    const copyCompletion = runTestAgent(copy, {
      print: (line) => void copyLines.push(line),
      signal: stoppingCopy.signal,
    })
    await waitUntil('the copy is refused', () =>
      copyLines.some((line) => /Another process used this bridge’s key/.test(line)),
    )
    const laterPurchase = await buy(10)
    await waitForState(laterPurchase.units, 'delivered')

    await stopAgent()
    await waitUntil('the screen Game shows the moved database', async () => (await readRestore())?.what !== undefined)
    const queuedPurchase = await buy(5)
    await sleep(5 * SEVERAL_ROUNDS_MS)
    await waitForState(queuedPurchase.units, 'queued')
    stoppingCopy.abort()
    await copyCompletion

    await startAgent()
    await waitForState(queuedPurchase.units, 'delivered')
    for (const { name, units } of [earlierPurchase, laterPurchase, queuedPurchase]) {
      assert.equal((await readRows({ name })).length, units.length)
      assert.equal(
        (await copy.purchases()).filter(({ useruid }) => String(useruid) === name).length,
        name === earlierPurchase.name ? 3 : 0,
      )
    }
    await waitUntil('no restore waits', async () => ((await readRestore()) ?? null) === null)
  })
}
