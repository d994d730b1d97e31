import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import { addToCart, buyCartItem, buyItem, updateCheck, updateQuantity } from '#contract/cart.ts'
import { type Endpoint, formatCallName } from '#contract/endpoint.ts'
import { processCoupon } from '#contract/vouchers.ts'
import { createCall } from '#server/api.ts'
import { Refusal } from '#server/errors.ts'
import { findMounted, type MountedCall } from '#server/http/mount.ts'
import { runWrite } from '#server/http/write.ts'
import { createTestApp } from '#test/helpers.ts'
import { assertBooksAgree, insertItem, insertPurse, insertVouchers, MILLEAGE, R_COIN } from '#test/money-helpers.ts'
import { createMoneyModel, type ModelAccount, type Reply } from '#test/money-model.ts'

const ACCOUNTS = 20
const ITEMS = 8
/** The statements are the same on both databases, but the embedded database is much slower. */
const WALK_COUNT = process.env.TEST_DATABASE_URL === undefined ? 3 : 10
const STEP_COUNT = 1000
const SEED = 20_261_120

const site = await createTestApp({ world: 'demo', env: { RATE_LIMIT: 'off' } })
const { db } = site

const accountIndex = fc.nat(ACCOUNTS - 1)
const itemIndex = fc.nat(ITEMS)
const lineIndex = fc.nat(5)
const keyArbitrary = fc.option(fc.constantFrom('a', 'b', 'c', 'd', 'e'), { freq: 3 })
const stepArbitrary = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('add' as const), who: accountIndex, item: itemIndex }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('step' as const),
      who: accountIndex,
      line: lineIndex,
      by: fc.constantFrom(1, -1),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('toggle' as const), who: accountIndex, line: lineIndex }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('buy' as const),
      who: accountIndex,
      item: itemIndex,
      quantity: fc.integer({ min: 1, max: 4 }),
      key: keyArbitrary,
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('cart' as const),
      who: accountIndex,
      lines: fc.option(fc.array(lineIndex, { minLength: 1, maxLength: 4 })),
      key: keyArbitrary,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('redeem' as const),
      who: accountIndex,
      code: fc.nat(50),
      referral: fc.constantFrom('', '', 'TAMBAYAN', 'NOBODY'),
      key: keyArbitrary,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('changeItem' as const),
      item: itemIndex,
      price: fc.nat(400),
      visible: fc.boolean(),
    }),
  },
)
type Step = typeof stepArbitrary extends fc.Arbitrary<infer Value> ? Value : never

/** Returns a call's response, or its refusal as a response. */
async function captureReply(response: Promise<unknown>): Promise<Reply> {
  try {
    const { message, userPoints, userPoints2 } = (await response) as Omit<Reply, 'status'>
    return { status: 200, message, ...(userPoints !== undefined && { userPoints, userPoints2 }) }
  } catch (error) {
    if (error instanceof Refusal) return { status: error.status, message: error.message }
    throw error
  }
}

/** Returns the mounted call of an endpoint. */
function getMounted(endpoint: Endpoint): MountedCall {
  const mounted = findMounted(formatCallName(endpoint))
  assert.ok(mounted)
  return mounted
}

async function walkSteps(walkedSteps: Step[]): Promise<void> {
  const items = new Map<number, { price: number; section: number; visible: boolean }>()
  for (let index = 0; index < ITEMS; index++) {
    const values = { price: 50 + 30 * index, section: index % 2 === 0 ? R_COIN : MILLEAGE }
    items.set(await insertItem(db, values), { ...values, visible: true })
  }
  const products = [...items.keys()]
  const plainCodes = await insertVouchers(db, 30, { r_coin: 700 })
  const onePerAccountCodes = await insertVouchers(db, 20, { r_coin: 300, per_account: 1 })
  const codes = [...plainCodes, ...onePerAccountCodes]
  const plainVoucher = { rCoin: 700, usedBy: null, batch: 1, onePerAccount: false }
  const onePerAccountVoucher = { rCoin: 300, usedBy: null, batch: 2, onePerAccount: true }
  const vouchers = new Map([
    ...plainCodes.map((code) => [code, { ...plainVoucher }] as const),
    ...onePerAccountCodes.map((code) => [code, { ...onePerAccountVoucher }] as const),
  ])
  const model = createMoneyModel(items, vouchers)
  const accounts: (ModelAccount & { userNum: number })[] = []
  for (let index = 0; index < ACCOUNTS; index++) {
    const purse = { rCoin: 2000, milleage: 3000 }
    accounts.push({ userNum: await insertPurse(db, purse), ...purse, lines: [], answers: new Map() })
  }

  for (const [stepIndex, step] of walkedSteps.entries()) {
    if (step.kind === 'changeItem') {
      const product = products[step.item]
      const itemState = product === undefined ? undefined : items.get(product)
      if (product === undefined || itemState === undefined) continue
      Object.assign(itemState, { price: step.price + 1, visible: step.visible || step.price % 2 === 0 })
      const { price, visible } = itemState
      await db.updateTable('shop_items').set({ price, visible }).where('product_num', '=', product).execute()
      continue
    }
    const account = accounts[step.who]
    const other = accounts[(step.who + 1) % ACCOUNTS]
    assert.ok(account && other)
    const { userNum } = account
    const session = {
      sessionId: 1,
      userNum,
      userId: '',
      userType: 1,
      secretAnswerUntil: null,
      tokenHash: '',
      takeOverStep: null,
      confirmedAt: null,
    }
    const call = createCall(site, session)
    // The last line is another player's.
    const getLineSeq = (index: number) => account.lines[index]?.seq ?? other.lines[0]?.seq ?? 999_999_999
    const product = 'item' in step ? (products[step.item] ?? 999_999_999) : 0
    /** Makes a call that writes, with the step's idempotency key. */
    const write = (endpoint: Endpoint, input: Record<string, unknown>) => {
      const key = 'key' in step ? step.key : null
      const idempotency = { owner: String(userNum), key, content: JSON.stringify([endpoint.path, input]) }
      const caller = { address: '127.0.0.1', device: '' }
      return runWrite(getMounted(endpoint), input, {
        deps: site,
        session,
        caller,
        idempotency,
        addHeader: () => {},
      })
    }
    let [shopReply, modelReply]: [Reply | null, Reply | null] = [null, null]
    if (step.kind === 'add') {
      shopReply = await captureReply(call(addToCart, { productnum: product }))
      modelReply = model.add(account, product)
    } else if (step.kind === 'step') {
      const seq = getLineSeq(step.line)
      const change = step.by === 1 ? 1 : -1
      shopReply = await captureReply(call(updateQuantity, { seq, quantityChange: change }))
      modelReply = model.step(account, seq, change)
    } else if (step.kind === 'toggle') {
      const seq = getLineSeq(step.line)
      shopReply = await captureReply(call(updateCheck, { seq }))
      modelReply = model.toggle(account, seq)
    } else if (step.kind === 'buy') {
      const { quantity } = step
      shopReply = await captureReply(write(buyItem, { productnum: product, quantity }))
      modelReply = model.buyItem(account, { item: product, quantity }, step.key)
    } else if (step.kind === 'cart') {
      const seqs = step.lines?.map(getLineSeq) ?? null
      const checkedSeqs = seqs === null || seqs.length === 0 ? null : [...new Set(seqs)].sort((a, b) => a - b)
      shopReply = await captureReply(write(buyCartItem, { items: checkedSeqs ?? undefined }))
      modelReply = model.buyCart(account, seqs, step.key)
    } else {
      const code = codes[step.code] ?? 'NO-SUCH-CODE'
      const { referral } = step
      shopReply = await captureReply(write(processCoupon, { CouponCode: code, ReferralCode: referral }))
      modelReply = model.redeem(account, code, step.referral, step.key)
    }
    const describeStep = () => `step ${stepIndex}: ${JSON.stringify(step)}`
    assert.deepEqual(shopReply, modelReply, describeStep())
    await compareState(account, describeStep)
  }
}

/** Asserts that an account in the database equals the model's, and copies the `seq` of new lines to the model. */
async function compareState(account: ModelAccount & { userNum: number }, describeStep: () => string): Promise<void> {
  type Row = { r_coin: number; milleage: number; lines: [number, number, number, boolean][] }
  const { rows } = await sql<Row>`
    select r_coin, milleage, (select coalesce(json_agg(json_build_array(seq, product_num, quantity, is_checked) order by seq), '[]')
      from cart_lines l where l.user_num = a.user_num) as lines
    from accounts a where user_num = ${account.userNum}`.execute(db)
  const [row] = rows
  assert.ok(row)
  for (const line of account.lines) {
    if (line.seq === 0) line.seq = row.lines.find(([, product]) => product === line.item)?.[0] ?? 0
  }
  assert.deepEqual(
    [row.r_coin, row.milleage, row.lines],
    [
      account.rCoin,
      account.milleage,
      account.lines.map(({ seq, item, quantity, checked }) => [seq, item, quantity, checked]),
    ],
    describeStep(),
  )
}

test(`after each of the ${STEP_COUNT} steps of ${WALK_COUNT} walks, the shop equals a model in memory`, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(stepArbitrary, { minLength: STEP_COUNT, maxLength: STEP_COUNT, size: 'max' }), walkSteps),
    {
      seed: SEED,
      numRuns: WALK_COUNT,
      endOnFailure: true,
    },
  )
  await assertBooksAgree(db)
})
