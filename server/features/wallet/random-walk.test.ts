import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import { addToCart, buyCartItem, buyItem, updateCheck, updateQuantity } from '#contract/cart.ts'
import { type Endpoint, formatCallName } from '#contract/endpoint.ts'
import { processCoupon } from '#contract/vouchers.ts'
import { createCall } from '#server/api.ts'
import { Refusal } from '#server/errors.ts'
import { findMounted, type Mounted } from '#server/http/mount.ts'
import { runWrite } from '#server/http/write.ts'
import { createTestApp } from '#test/helpers.ts'
import { assertBooksAgree, insertItem, insertPurse, insertVouchers, MILLEAGE, R_COIN } from '#test/money-helpers.ts'
import { createMoneyModel, type ModelAccount, type Reply } from '#test/money-model.ts'

const ACCOUNTS = 20
const ITEMS = 8
/** The statements are the same on both databases, but the embedded database is much slower. */
const WALKS = process.env.TEST_DATABASE_URL === undefined ? 3 : 10
const STEPS = 1000
const SEED = 20_261_120

const site = await createTestApp({ world: 'demo', env: { RATE_LIMIT: 'off' } })
const { db } = site

const who = fc.nat(ACCOUNTS - 1)
const item = fc.nat(ITEMS)
const line = fc.nat(5)
const key = fc.option(fc.constantFrom('a', 'b', 'c', 'd', 'e'), { freq: 3 })
const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('add' as const), who, item }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('step' as const), who, line, by: fc.constantFrom(1, -1) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('toggle' as const), who, line }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('buy' as const),
      who,
      item,
      quantity: fc.integer({ min: 1, max: 4 }),
      key,
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('cart' as const),
      who,
      lines: fc.option(fc.array(line, { minLength: 1, maxLength: 4 })),
      key,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('redeem' as const),
      who,
      code: fc.nat(50),
      referral: fc.constantFrom('', '', 'TAMBAYAN', 'NOBODY'),
      key,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('shelf' as const), item, price: fc.nat(400), visible: fc.boolean() }),
  },
)
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never

/** Returns a call's response, or its refusal as a response. */
async function captureReply(work: Promise<unknown>): Promise<Reply> {
  try {
    const { message, userPoints, userPoints2 } = (await work) as Omit<Reply, 'status'>
    return { status: 200, message, ...(userPoints !== undefined && { userPoints, userPoints2 }) }
  } catch (error) {
    if (error instanceof Refusal) return { status: error.status, message: error.message }
    throw error
  }
}

/** Returns the mounted call of an endpoint. */
function getMounted(endpoint: Endpoint): Mounted {
  const mounted = findMounted(formatCallName(endpoint))
  assert.ok(mounted)
  return mounted
}

async function walk(steps: Step[]): Promise<void> {
  const products: number[] = []
  for (let index = 0; index < ITEMS; index++) {
    products.push(await insertItem(db, { price: 50 + 30 * index, section: index % 2 === 0 ? R_COIN : MILLEAGE }))
  }
  const items = new Map(
    products.map((num, index) => [
      num,
      { price: 50 + 30 * index, section: index % 2 === 0 ? R_COIN : MILLEAGE, visible: true },
    ]),
  )
  const plain = await insertVouchers(db, 30, { r_coin: 700 })
  const single = await insertVouchers(db, 20, { r_coin: 300, per_account: 1 })
  const codes = [...plain, ...single]
  const vouchers = new Map(
    codes.map((code, index) => [
      code,
      { rCoin: index < 30 ? 700 : 300, usedBy: null, batch: index < 30 ? 1 : 2, onePerAccount: index >= 30 },
    ]),
  )
  const model = createMoneyModel(items, vouchers)
  const accounts: (ModelAccount & { userNum: number })[] = []
  for (let index = 0; index < ACCOUNTS; index++) {
    const purse = { rCoin: 2000, milleage: 3000 }
    accounts.push({ userNum: await insertPurse(db, purse), ...purse, lines: [], answers: new Map() })
  }

  for (const [at, taken] of steps.entries()) {
    if (taken.kind === 'shelf') {
      const num = products[taken.item]
      const known = num === undefined ? undefined : items.get(num)
      if (num === undefined || known === undefined) continue
      Object.assign(known, { price: taken.price + 1, visible: taken.visible || taken.price % 2 === 0 })
      const { price, visible } = known
      await db.updateTable('shop_items').set({ price, visible }).where('product_num', '=', num).execute()
      continue
    }
    const account = accounts[taken.who]
    const other = accounts[(taken.who + 1) % ACCOUNTS]
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
    const getSeq = (index: number) => account.lines[index]?.seq ?? other.lines[0]?.seq ?? 999_999_999
    const product = 'item' in taken ? (products[taken.item] ?? 999_999_999) : 0
    /** Makes a call that writes, with the step's idempotency key. */
    const write = (endpoint: Endpoint, input: Record<string, unknown>) => {
      const key = 'key' in taken ? taken.key : null
      const once = { owner: String(userNum), key, content: JSON.stringify([endpoint.path, input]) }
      const caller = { address: '127.0.0.1', device: '' }
      return runWrite(getMounted(endpoint), input, { deps: site, session, caller, once, addHeader: () => {} })
    }
    let [shopReply, modelReply]: [Reply | null, Reply | null] = [null, null]
    if (taken.kind === 'add') {
      shopReply = await captureReply(call(addToCart, { productnum: product }))
      modelReply = model.add(account, product)
    } else if (taken.kind === 'step') {
      const seq = getSeq(taken.line)
      const by = taken.by === 1 ? 1 : -1
      shopReply = await captureReply(call(updateQuantity, { seq, quantityChange: by }))
      modelReply = model.step(account, seq, by)
    } else if (taken.kind === 'toggle') {
      const seq = getSeq(taken.line)
      shopReply = await captureReply(call(updateCheck, { seq }))
      modelReply = model.toggle(account, seq)
    } else if (taken.kind === 'buy') {
      const { quantity } = taken
      shopReply = await captureReply(write(buyItem, { productnum: product, quantity }))
      modelReply = model.buyItem(account, { item: product, quantity }, taken.key)
    } else if (taken.kind === 'cart') {
      const seqs = taken.lines?.map(getSeq) ?? null
      const named = seqs === null || seqs.length === 0 ? null : [...new Set(seqs)].sort((a, b) => a - b)
      shopReply = await captureReply(write(buyCartItem, { items: named ?? undefined }))
      modelReply = model.buyCart(account, seqs, taken.key)
    } else {
      const code = codes[taken.code] ?? 'NO-SUCH-CODE'
      const { referral } = taken
      shopReply = await captureReply(write(processCoupon, { CouponCode: code, ReferralCode: referral }))
      modelReply = model.redeem(account, code, taken.referral, taken.key)
    }
    const where = () => `step ${at}: ${JSON.stringify(taken)}`
    assert.deepEqual(shopReply, modelReply, where())
    await compareState(account, where)
  }
}

/** Asserts that an account in the database equals the model's, and copies the `seq` of new lines to the model. */
async function compareState(account: ModelAccount & { userNum: number }, where: () => string): Promise<void> {
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
    where(),
  )
}

test(`after each step of ${WALKS} walks of 1,000 mixed operations, the shop equals a model in memory`, async () => {
  await fc.assert(fc.asyncProperty(fc.array(step, { minLength: STEPS, maxLength: STEPS, size: 'max' }), walk), {
    seed: SEED,
    numRuns: WALKS,
    endOnFailure: true,
  })
  await assertBooksAgree(db)
})
