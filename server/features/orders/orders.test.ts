import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { DAY_MS } from '#contract/durations.ts'
import type { UnitStage } from '#contract/orders.ts'
import { grantRole } from '#server/features/staff/members.ts'
import { type Answer, assertRefused, createPlayer, logInAs, openPlayerSession } from '#test/account-helpers.ts'
import { backdateRights } from '#test/desk-helpers.ts'
import { insertRows, updateRows } from '#test/factories.ts'
import { createTestApp } from '#test/helpers.ts'
import {
  assertBooksAgree,
  type Buyer,
  countStatuses,
  createBuyer,
  insertItem,
  MILLEAGE,
  R_COIN,
  runConcurrently,
} from '#test/money-helpers.ts'

const site = await createTestApp({ env: { RATE_LIMIT: 'off' } })
const { db, clock } = site
const gm = await openPlayerSession(site, 'gm')
const helmet = await insertItem(db, { item_name: 'Salakot of Tests', price: 300, section: R_COIN })
const tea = await insertItem(db, { item_name: 'Salabat of Tests', price: 40, section: MILLEAGE })

/** Creates a player who has bought three helmets and two teas at once: orders 1 and 2 of the account. */
async function createOrders() {
  const juan = await createBuyer(site, { rCoin: 1000, milleage: 100 })
  for (const item of [helmet, helmet, helmet, tea, tea]) await juan.add(item)
  assert.equal((await juan.buyCart()).status, 200)
  const deliveries = await readUnits(juan)
  return { juan, units: deliveries.map(({ delivery }) => delivery), order: `${juan.userNum}-1` }
}

const readUnits = ({ userNum }: Buyer) =>
  db.selectFrom('deliveries').where('user_num', '=', userNum).selectAll().orderBy('delivery').execute()

const refund = (units: number[], operator = gm, idempotencyKey?: string) =>
  operator.post(
    '/api/admin/orders/refund',
    { units, reason: 'Bought by mistake' },
    idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey },
  )

/** Issues units to the bridge, as its call does, except those with a refund. */
const issueUnits = async (units: number[]) => {
  const { numUpdatedRows } = await db
    .updateTable('deliveries')
    .set({ handed_at: clock.now() })
    .where('delivery', 'in', units)
    .where('state', '=', 'queued')
    .where('handed_at', 'is', null)
    .where('refund_requested_at', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}

/** Creates an operator who has had their role for two days, and logs them in. */
async function createOperator(role: string) {
  const { user, form } = await createPlayer(site)
  const since = new Date(clock.now().getTime() - 2 * DAY_MS)
  await db.transaction().execute((tx) => grantRole(tx, { userNum: user.UserNum, role, grantedBy: null, now: since }))
  return logInAs(site, form.userId, form.userPassword)
}

const readLastAuditEntry = () =>
  db.selectFrom('audit_log').selectAll().orderBy('entry', 'desc').limit(1).executeTakeFirstOrThrow()

test('refunds a unit that was never issued to a bridge at once, with one ledger entry', async () => {
  const { juan, units, order } = await createOrders()
  const [firstUnit = 0, , , , lastUnit = 0] = units
  const answer = await refund([lastUnit, firstUnit])
  assert.equal(answer.status, 200, answer.text)
  assert.deepEqual(answer.json(), {
    message: 'Paid back 300 R-Coin and 40 Milleage for 2 units.',
    paid: [firstUnit, lastUnit],
    requested: [],
  })
  assert.deepEqual(await juan.readBalance(), { rCoin: 400, milleage: 60 })
  await assertBooksAgree(db)
  const orderBody = (await gm.get(`/api/admin/orders/${order}`)).json()
  assert.partialDeepStrictEqual(orderBody.order, { item_name: 'Salakot of Tests', waiting: 2, refunded: 1, total: 900 })
  assert.deepEqual(
    orderBody.entries.map(({ delta, reason, actor }: Record<string, unknown>) => [delta, reason, actor]),
    [
      [-900, 'purchase', null],
      [300, 'refund', 'gm'],
    ],
  )
  assert.deepEqual(orderBody.together, [{ order: `${juan.userNum}-2`, item_name: 'Salabat of Tests', quantity: 2 }])
  assert.partialDeepStrictEqual(await readLastAuditEntry(), { action: '/admin/orders/refund', player: juan.userNum })
})

test('refunds a unit that was issued to a bridge only after the bridge has removed it', async () => {
  const { juan, units } = await createOrders()
  await issueUnits(units.slice(0, 2))
  const answer = await refund(units.slice(0, 3))
  assert.deepEqual([answer.json().paid, answer.json().requested], [units.slice(2, 3), units.slice(0, 2)])
  assert.equal((await juan.readBalance()).rCoin, 400)
  assertRefused(await refund(units.slice(0, 1)), 409)
  await updateRows(db, 'deliveries', { delivery: units[4] ?? 0 }, { state: 'claimed' })
  const orderPages = await Promise.all([1, 2].map((ordinal) => gm.get(`/api/admin/orders/${juan.userNum}-${ordinal}`)))
  const refundableFlags = orderPages.flatMap((page) =>
    page.json().units.map(({ can_refund }: { can_refund: boolean }) => can_refund),
  )
  assert.deepEqual(
    refundableFlags,
    [false, false, false, true, false],
    'offers a refund of the units that it would change',
  )
  await updateRows(db, 'deliveries', { delivery: units[4] ?? 0 }, { state: 'queued' })
  const preview = await gm.get(`/api/admin/refund-preview?orders=${juan.userNum}-1,${juan.userNum}-2`)
  assert.partialDeepStrictEqual(preview.json(), {
    units: units.slice(3),
    pay: { units: 2, r_coin: 0, milleage: 80 },
    request: { units: 0 },
    waiting: units.slice(0, 2),
    refunded: 1,
  })
  const withdrawResponse = await gm.post('/api/admin/orders/withdraw-refund', {
    units: [units[1]],
    reason: 'Wrong unit',
  })
  assert.equal(withdrawResponse.status, 200, withdrawResponse.text)
  const states = (await readUnits(juan)).map(({ state, refund_requested_at }) => [state, refund_requested_at !== null])
  assert.deepEqual(states.slice(0, 3), [
    ['queued', true],
    ['queued', false],
    ['refunded', false],
  ])
  assert.equal(await issueUnits(units), 2, 'issues only the teas')
})

test('requires an owner’s approval to refund without waiting for the bridge', async () => {
  const { juan, units, order } = await createOrders()
  const [unit = 0] = units
  await issueUnits([unit])
  const forceRefund = (operator = gm) =>
    operator.post('/api/admin/orders/force-refund', { units: [unit], reason: 'The bridge is lost' })
  assertRefused(await forceRefund(), 409)
  await refund([unit])
  const shopOperator = await createOperator('shop')
  assert.equal((await forceRefund(shopOperator)).status, 202)
  assert.equal((await juan.readBalance()).rCoin, 100)
  const { rows } = (await gm.get('/api/admin/approvals?state=waiting')).json()
  const [{ approval, content_hash, summary }] = rows
  assert.match(summary, /without the bridge; the items may stay in the game$/)
  assert.ok(summary.includes(`, order ${order})`), summary)
  await backdateRights(db)
  const approvalResponse = await gm.post('/api/admin/approvals/decide', {
    approval,
    content_hash,
    decision: 'approve',
    note: '',
  })
  assert.equal(approvalResponse.status, 200, approvalResponse.text)
  assert.equal((await juan.readBalance()).rCoin, 400)
  await assertBooksAgree(db)
})

const refundPickedUp = (unit: number, operator = gm, idempotencyKey?: string) =>
  operator.post(
    '/api/admin/orders/refund-picked-up',
    { unit, reason: 'It does not do what its description says' },
    idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey },
  )

/** Marks units as picked up in the game, as the bridge's report does. */
async function pickUp(units: number[]) {
  await issueUnits(units)
  const at = clock.now()
  await db
    .updateTable('deliveries')
    .set({ state: 'claimed', delivered_at: at, claimed_at: at })
    .where('delivery', 'in', units)
    .execute()
}

test('refunds a picked-up unit once, without changing its state', async () => {
  const { juan, units, order } = await createOrders()
  const [firstUnit = 0, secondUnit = 0] = units
  await pickUp([firstUnit])
  assertRefused(await refund([firstUnit]), 409)
  assertRefused(
    await refundPickedUp(secondUnit),
    409,
    'This unit was not picked up in the game. Use Refund for it. Nothing was changed.',
  )
  const readOffers = async () =>
    (await gm.get(`/api/admin/orders/${order}`))
      .json()
      .units.map((unit: Record<string, boolean>) => [unit.can_refund, unit.can_refund_picked_up])
  assert.deepEqual(await readOffers(), [
    [false, true],
    [true, false],
    [true, false],
  ])
  const answer = await refundPickedUp(firstUnit)
  assert.equal(answer.json().message, 'Paid back 300 R-Coin. The player keeps the item.')
  assert.deepEqual(await juan.readBalance(), { rCoin: 400, milleage: 20 })
  const [unit] = await readUnits(juan)
  assert.deepEqual([unit?.state, unit?.refunded_at], ['claimed', clock.now()])
  const orderBody = (await gm.get(`/api/admin/orders/${order}`)).json()
  assert.partialDeepStrictEqual(orderBody.order, { claimed: 1, refunded: 0, waiting: 2 })
  assert.partialDeepStrictEqual(orderBody.entries.at(-1), {
    delta: 300,
    reason: 'refund',
    reference: `delivery ${firstUnit}, order ${order}, unit 1`,
    actor: 'gm',
  })
  assert.deepEqual((await readOffers())[0], [false, false])
  assertRefused(await refundPickedUp(firstUnit), 409, 'This unit has already been refunded. Nothing was changed.')
  assertRefused(await refund([firstUnit]), 409)
  const history = (await juan.get('/api/shoppurchases')).json().purchasehistory
  const [shownUnit] = history.find(({ id }: { id: number }) => id === 1).units
  assert.deepEqual([shownUnit.state, Date.parse(shownUnit.refunded)], ['claimed', clock.now().getTime()])
  assert.partialDeepStrictEqual(await readLastAuditEntry(), {
    action: '/admin/orders/refund-picked-up',
    player: juan.userNum,
  })
  await assertBooksAgree(db)
})

test('pays once if two operators refund a picked-up unit, and nothing on a retry', async () => {
  const { juan, units } = await createOrders()
  const [firstUnit = 0, secondUnit = 0] = units
  await pickUp(units)
  const otherOperator = await createOperator('shop')
  const answers = await runConcurrently(6, (index) => refundPickedUp(firstUnit, index % 2 === 0 ? gm : otherOperator))
  assert.deepEqual(countStatuses(answers), { 200: 1, 409: 5 })
  const [response, retryResponse] = [
    await refundPickedUp(secondUnit, gm, 'picked-up'),
    await refundPickedUp(secondUnit, gm, 'picked-up'),
  ]
  assert.deepEqual(retryResponse.json(), response.json())
  assert.deepEqual(await juan.readBalance(), { rCoin: 700, milleage: 20 })
  await assertBooksAgree(db)
})

test('a refund of a picked-up unit counts against the limit and waits for approval above it', async () => {
  const { juan, units } = await createOrders()
  await pickUp(units)
  const shopOperator = await createOperator('shop')
  await backdateRights(db)
  assert.equal((await refundPickedUp(units[0] ?? 0, shopOperator)).status, 200)
  const spending = await db
    .selectFrom('staff_spending')
    .where('actor', '=', shopOperator.user.UserNum)
    .select('amount')
    .execute()
  assert.deepEqual(spending, [{ amount: 300 }], 'counts a purchase of today too')
  await db
    .insertInto('staff_spending')
    .values({ actor: shopOperator.user.UserNum, kind: 'gift', amount: 99_800, at: clock.now() })
    .execute()
  const response = await refundPickedUp(units[1] ?? 0, shopOperator)
  assert.equal(response.status, 202, response.text)
  assert.equal((await juan.readBalance()).rCoin, 400)
  const { content_hash } = await db
    .selectFrom('approvals')
    .where('approval', '=', response.json().approval)
    .select('content_hash')
    .executeTakeFirstOrThrow()
  const decision = { approval: response.json().approval, content_hash, decision: 'approve', note: '' }
  const approvalResponse = await gm.post('/api/admin/approvals/decide', decision)
  assert.equal(approvalResponse.status, 200, approvalResponse.text)
  assert.equal((await juan.readBalance()).rCoin, 700)
  await grantShopRole(juan)
  assertRefused(await juan.post('/api/admin/orders/refund-picked-up', { unit: units[2], reason: 'Mine' }), 403)
})

test('the database refuses to deliver or refund a refunded picked-up unit again', async () => {
  const { juan, units } = await createOrders()
  const [unit = 0, otherUnit = 0] = units
  await pickUp(units)
  await assert.rejects(updateRows(db, 'deliveries', { delivery: otherUnit }, { refunded_at: clock.now() }), {
    constraint: 'deliveries_refunded_has_refund',
  })
  await refundPickedUp(unit)
  for (const change of [{ state: 'queued' as const }, { state: 'refunded' as const }, { refunded_at: null }])
    await assert.rejects(updateRows(db, 'deliveries', { delivery: unit }, change), {
      constraint: 'deliveries_refunded_stays',
    })
  const { ledger_entry } = await db
    .selectFrom('refunds')
    .where('delivery', '=', unit)
    .select('ledger_entry')
    .executeTakeFirstOrThrow()
  await assert.rejects(insertRows(db, 'refunds', { delivery: unit, amount: 300, ledger_entry }), { code: '23505' })
  assert.equal((await juan.readBalance()).rCoin, 400)
})

test('pays once if two operators refund the same units', async () => {
  const { juan, units } = await createOrders()
  const maria = await createOperator('shop')
  const answers = await runConcurrently(6, (index) => refund(units, index % 2 === 0 ? gm : maria))
  assert.deepEqual(countStatuses(answers), { 200: 1, 409: 5 })
  assert.deepEqual(await juan.readBalance(), { rCoin: 1000, milleage: 100 })
  await assertBooksAgree(db)
})

test('a retry with the same key changes no balance', async () => {
  const { juan, units } = await createOrders()
  const [response, retryResponse] = [await refund(units, gm, 'refund-1'), await refund(units, gm, 'refund-1')]
  assert.deepEqual(retryResponse.json(), response.json())
  assert.deepEqual(await juan.readBalance(), { rCoin: 1000, milleage: 100 })
})

test('a unit is either refunded or issued, never both', async () => {
  for (let round = 0; round < 5; round++) {
    const { juan, units } = await createOrders()
    const [answer, issuedCount] = await Promise.all([refund(units), issueUnits(units)])
    const { paid: paidUnits, requested: requestedUnits } = answer.json()
    const issuedUnits = (await readUnits(juan)).filter(({ handed_at }) => handed_at !== null)
    assert.equal(issuedUnits.length, issuedCount)
    for (const { delivery, state } of issuedUnits) {
      assert.equal(state, 'queued')
      assert.ok(requestedUnits.includes(delivery) && !paidUnits.includes(delivery))
    }
    assert.equal(paidUnits.length + requestedUnits.length, units.length)
  }
  await assertBooksAgree(db)
})

test('refunds many orders of several players together, all or none', async () => {
  const [firstPurchase, secondPurchase] = [await createOrders(), await createOrders()]
  await refund(firstPurchase.units.slice(0, 1))
  const refusedResponse = await refund([...firstPurchase.units, ...secondPurchase.units])
  assertRefused(
    refusedResponse,
    409,
    'This unit has already been refunded, or a refund is on its way. Nothing was changed.',
  )
  assert.deepEqual(await secondPurchase.juan.readBalance(), { rCoin: 100, milleage: 20 })
  const response = await refund([...firstPurchase.units.slice(1), ...secondPurchase.units])
  assert.equal(response.json().message, 'Paid back 1,500 R-Coin and 160 Milleage for 9 units.')
  assert.partialDeepStrictEqual(await readLastAuditEntry(), { target_kind: 'orders', player: null })
  assertRefused(await refund([...secondPurchase.units, 999_999_999]), 404)
  await assertBooksAgree(db)
})

test('refuses a refund of the operator’s own purchases', async () => {
  const shopOperator = await createOperator('shop')
  const ownPurchase = await createOrders()
  await grantShopRole(ownPurchase.juan)
  assertRefused(
    await ownPurchase.juan.post('/api/admin/orders/refund', { units: ownPurchase.units, reason: 'Mine' }),
    403,
  )
  assert.equal((await refund(ownPurchase.units, shopOperator)).status, 200)
})

async function grantShopRole({ userNum }: Buyer) {
  await db.transaction().execute((tx) => grantRole(tx, { userNum, role: 'shop', grantedBy: null, now: new Date(0) }))
  await db.updateTable('sessions').set({ confirmed_at: clock.now() }).where('user_num', '=', userNum).execute()
}

test('counts only refunds of purchases older than a week against the operator’s limit', async () => {
  const shopOperator = await createOperator('shop')
  const readSpending = async () =>
    (
      await db
        .selectFrom('staff_spending')
        .where('actor', '=', shopOperator.user.UserNum)
        .select(['kind', 'amount'])
        .execute()
    ).map(({ kind, amount }) => [kind, amount])
  const { juan, units } = await createOrders()
  await refund(units.slice(0, 1), shopOperator)
  assert.deepEqual(await readSpending(), [])
  await updateRows(
    db,
    'purchases',
    { user_num: juan.userNum },
    { created_at: new Date(clock.now().getTime() - 7 * DAY_MS - 1) },
  )
  await refund(units.slice(1), shopOperator)
  assert.deepEqual(await readSpending(), [['refund', 680]])
})

test('only a failed delivery can be retried, and its refund still waits for the bridge', async () => {
  const { juan, units } = await createOrders()
  const [failedUnit = 0, otherFailedUnit = 0, deliveredUnit = 0] = units
  await issueUnits(units)
  await db
    .updateTable('deliveries')
    .set({ failed_at: clock.now(), failure: 'The item bank is full.' })
    .where('delivery', 'in', [failedUnit, otherFailedUnit])
    .execute()
  const supportOperator = await createOperator('support')
  const retry = (units: number[]) => supportOperator.post('/api/admin/orders/retry', { units })
  assertRefused(await retry([failedUnit, deliveredUnit]), 409)
  assert.equal((await retry([failedUnit])).json().message, '1 unit will be delivered again.')
  assert.deepEqual((await refund([otherFailedUnit])).json().requested, [otherFailedUnit])
  const orderBody = (await gm.get(`/api/admin/orders/${juan.userNum}-1`)).json()
  assert.deepEqual(
    orderBody.units.map(({ stage }: { stage: UnitStage }) => stage),
    ['handed', 'refund_requested', 'handed'],
  )
})

test('lists units that a restore has lost, and delivers units of several orders again together', async () => {
  const { juan, units } = await createOrders()
  const [unitInBank = 0, lostUnit = 0, claimedUnit = 0, otherLostUnit = 0, failedUnit = 0] = units
  await issueUnits(units)
  const updateUnits = (values: { state: 'delivered' | 'claimed'; in_game?: 'lost' }, deliveries: number[]) =>
    db.updateTable('deliveries').set(values).where('delivery', 'in', deliveries).execute()
  await updateUnits({ state: 'delivered' }, [unitInBank])
  await updateUnits({ state: 'delivered', in_game: 'lost' }, [lostUnit])
  await updateUnits({ state: 'claimed', in_game: 'lost' }, [claimedUnit, otherLostUnit])
  await db.updateTable('deliveries').set({ failed_at: clock.now() }).where('delivery', '=', failedUnit).execute()
  const listStage = async (stage: string): Promise<Record<string, unknown>[]> =>
    (await gm.get(`/api/admin/orders?stage=${stage}&player=${juan.userNum}`)).json().rows
  assert.partialDeepStrictEqual(await listStage('lost'), [
    { delivered: 0, claimed: 0, failed: 1, lost: 1, again: [otherLostUnit, failedUnit] },
    { delivered: 1, claimed: 0, lost: 2, again: [lostUnit, claimedUnit] },
  ])
  assert.equal((await listStage('claimed')).length, 0, 'lost units are not in the game')
  assert.partialDeepStrictEqual(await listStage('delivered'), [{ order: `${juan.userNum}-1` }])
  const unitsToRetry = (await listStage('lost')).flatMap((row) => row.again as number[])
  await db.insertInto('game_copy').values({ epoch: 'e', counter: 1, restored_at: clock.now() }).execute()
  const earlyResponse = await gm.post('/api/admin/orders/retry', { units: unitsToRetry })
  assertRefused(earlyResponse, 409, 'Confirm on the page Game first that the game was restored. Nothing was changed.')
  await db.deleteFrom('game_copy').execute()
  const answer = await gm.post('/api/admin/orders/retry', { units: unitsToRetry })
  assert.equal(answer.json().message, '4 units will be delivered again.')
  assert.deepEqual(await listStage('lost'), [])
  assertRefused(await gm.post('/api/admin/orders/retry', { units: unitsToRetry }), 409)
})

test('the database refuses refunds that do not match their purchase, and changes of refunds', async () => {
  const { juan, units } = await createOrders()
  const otherPurchase = await createOrders()
  const purchaseEntry = await db
    .selectFrom('ledger')
    .where('user_num', '=', juan.userNum)
    .where('reason', '=', 'purchase')
    .where('currency', '=', 'r_coin')
    .select('entry')
    .executeTakeFirstOrThrow()
  const bookReversal = (values: { userNum?: number; currency?: string; delta?: number }) =>
    sql<{ entry: number }>`insert into ledger (user_num, currency, delta, balance_after, reason, reverses, created_at)
      values (${values.userNum ?? juan.userNum}, ${values.currency ?? 'r_coin'}, ${values.delta ?? 300}, 0, 'refund',
        ${purchaseEntry.entry}, now()) returning entry`
  for (const wrongValues of [
    { userNum: otherPurchase.juan.userNum },
    { currency: 'milleage' },
    { delta: -300 },
    { delta: 901 },
  ])
    await assert.rejects(bookReversal(wrongValues).execute(db), { constraint: 'ledger_reversal' })
  await assert.rejects(
    db.transaction().execute(async (tx) => {
      for (let times = 0; times < 4; times++) await bookReversal({}).execute(tx)
    }),
    { constraint: 'ledger_reversal' },
  )
  await assert.rejects(
    db.transaction().execute(async (tx) => {
      const { rows } = await bookReversal({ delta: 299 }).execute(tx)
      await insertRows(tx, 'refunds', { delivery: units[0] ?? 0, amount: 299, ledger_entry: rows[0]?.entry ?? 0 })
    }),
    { constraint: 'refunds_price' },
  )
  await assert.rejects(updateRows(db, 'deliveries', { delivery: units[0] ?? 0 }, { state: 'refunded' }), {
    constraint: 'deliveries_refunded_has_refund',
  })
  await refund(units.slice(0, 1))
  for (const change of [{ state: 'queued' as const }, { handed_at: clock.now() }])
    await assert.rejects(updateRows(db, 'deliveries', { delivery: units[0] ?? 0 }, change), {
      constraint: 'deliveries_refunded_stays',
    })
  await assert.rejects(sql`delete from refunds`.execute(db), { code: '23001' })
  await assertBooksAgree(db)
})

type Row = { order: string; user_id: string; item_name: string; total: number; bought_at: string }
const listPage = async (query: string) => {
  const answer: Answer = await gm.get(`/api/admin/orders?${query}`)
  assert.equal(answer.status, 200, answer.text)
  return answer.json() as { rows: Row[]; next: string | null }
}

/** Returns every row of a list, page by page. */
async function listAll(query: string): Promise<Row[]> {
  const rows: Row[] = []
  for (let after: string | null = ''; after !== null; ) {
    const page: { rows: Row[]; next: string | null } = await listPage(`${query}&after=${encodeURIComponent(after)}`)
    rows.push(...page.rows)
    after = page.next
  }
  return rows
}

test('finds orders by player, item, date and stage, alone and together', async () => {
  const { juan, units, order } = await createOrders()
  const { user_id } = await db
    .selectFrom('accounts')
    .where('user_num', '=', juan.userNum)
    .select('user_id')
    .executeTakeFirstOrThrow()
  const secondOrder = `${juan.userNum}-2`
  const listOrders = async (query: string) => (await listAll(query)).map((row) => row.order)
  assert.deepEqual(await listOrders(`player=${user_id.toUpperCase()}`), [secondOrder, order])
  assert.deepEqual(await listOrders(`player=${juan.userNum}`), [secondOrder, order])
  assert.deepEqual(await listOrders(`player=${juan.userNum}&item=salakot`), [order])
  assert.deepEqual(await listOrders('player=nobody_like_that'), [])
  assert.deepEqual(await listOrders('item=no such thing'), [])
  assert.ok(
    (await listOrders(`item=${tea}`)).includes(secondOrder) && !(await listOrders(`item=${tea}`)).includes(order),
  )
  assert.ok((await listOrders('item=tests')).includes(order))
  assert.ok((await listOrders('from=2026-11-20&until=2026-11-20')).includes(order))
  assert.ok(!(await listOrders('until=2026-11-19')).includes(order))
  await issueUnits(units.slice(0, 2))
  await refund(units.slice(1, 2))
  for (const stage of ['waiting', 'handed', 'refund_requested'])
    assert.equal((await listOrders(`stage=${stage}`)).filter((listedOrder) => listedOrder === order).length, 1, stage)
  assert.ok(!(await listOrders('stage=refunded')).includes(order))
  assert.ok(!(await listOrders('stage=odd')).includes(order))
  await db.updateTable('deliveries').set({ in_game: 'gone' }).where('delivery', 'in', units.slice(0, 2)).execute()
  assert.equal((await listOrders('stage=odd')).filter((listedOrder) => listedOrder === order).length, 1)
  assert.deepEqual(await listOrders(`stage=handed&player=${user_id}&item=${helmet}&from=2026-11-20`), [order])
  assert.deepEqual(await listOrders(`stage=handed&player=${user_id}&until=2026-11-19`), [])
  assertRefused(await gm.get('/api/admin/orders?after=x'), 422)
  assertRefused(await gm.get('/api/admin/orders/999999-1'), 404)
})

test('counts units for another account at their usual price, even if they were cheaper', async () => {
  const item = await insertItem(db, { item_name: 'Ginto of Tests', price: 10 })
  const [juan, ana] = [await createBuyer(site, { rCoin: 10 }), await createBuyer(site)]
  assert.equal((await juan.buy(item)).status, 200)
  await db.updateTable('shop_items').set({ price: 900_000_000 }).where('product_num', '=', item).execute()
  const units = (await readUnits(juan)).map(({ delivery }) => delivery)
  const { user_id } = await db
    .selectFrom('accounts')
    .where('user_num', '=', ana.userNum)
    .select('user_id')
    .executeTakeFirstOrThrow()
  const shopOperator = await createOperator('shop')
  await createOperator('owner')
  await backdateRights(db)
  const answer = await shopOperator.post('/api/admin/orders/redirect', { units, user_id, reason: 'To a friend' })
  assert.equal(answer.status, 202, answer.text)
  assert.equal((await readUnits(juan))[0]?.deliver_to, null)
})

test('lists every order once, newest first, with any filter', async () => {
  const juan = await createBuyer(site, { rCoin: 100_000, milleage: 100_000 })
  const ORDER_COUNT = 130
  const TEA_COUNT = ORDER_COUNT / 2
  for (let index = 0; index < ORDER_COUNT; index++) {
    // Several orders have the same time.
    if (index % 3 === 0) clock.advance(1000)
    assert.equal((await juan.buy(index % 2 === 0 ? helmet : tea)).status, 200)
  }
  // Without a count, the list also has orders of other players.
  for (const [query, count] of [
    [`player=${juan.userNum}`, ORDER_COUNT],
    [`player=${juan.userNum}&item=${tea}`, TEA_COUNT],
    [`item=${tea}&stage=waiting`, undefined],
    ['stage=waiting', undefined],
    ['item=tests', undefined],
    ['', undefined],
  ] as const) {
    const rows = await listAll(query)
    const juansRows = rows.filter(({ order }) => order.startsWith(`${juan.userNum}-`))
    assert.equal(new Set(rows.map(({ order }) => order)).size, rows.length, query)
    if (count !== undefined) assert.equal(rows.length, count, query)
    assert.ok(juansRows.length >= TEA_COUNT, query)
    assert.deepEqual(
      rows
        .map((row) => row.bought_at)
        .toSorted()
        .toReversed(),
      rows.map((row) => row.bought_at),
      query,
    )
  }
})

test('sorts orders by each column, ascending and descending, across pages', async () => {
  await createOrders()
  const allOrders = (await listAll('sort=-bought_at')).map(({ order }) => order)
  assert.ok(allOrders.length > 50, 'more than a page')
  const values = {
    player: (row: { user_id: string }) => row.user_id.toLowerCase(),
    total: (row: { total: number }) => row.total,
    order: (row: { order: string }) => Number(row.order.split('-')[0]),
    bought_at: (row: { bought_at: string }) => row.bought_at,
  }
  for (const key of ['order', 'player', 'item', 'state', 'total', 'bought_at'] as const) {
    const [ascendingRows, descendingRows] = [await listAll(`sort=${key}`), await listAll(`sort=-${key}`)]
    assert.deepEqual(
      ascendingRows.map(({ order }) => order).toSorted(),
      allOrders.toSorted(),
      `${key}: each order once`,
    )
    assert.deepEqual(
      ascendingRows.map(({ order }) => order),
      descendingRows.map(({ order }) => order).toReversed(),
    )
    if (key === 'item' || key === 'state') continue
    const column = ascendingRows.map((row) => values[key](row as never))
    assert.ok(
      column.every((value, index) => index === 0 || (column[index - 1] ?? value) <= value),
      key,
    )
  }
  const [firstRow] = await listAll('sort=state')
  assert.partialDeepStrictEqual(firstRow, { failed: 1 }, 'orders that need an operator come first')
  for (const after of ['1|1|x', '0|0|1', 'x'])
    assertRefused(await gm.get(`/api/admin/orders?sort=total&after=${after}`), 422)
})
