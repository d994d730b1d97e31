import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { migrate } from '#server/db/migrate.ts'
import { openEmbedded, openPostgres } from '#server/db/open.ts'
import { Refusal } from '#server/errors.ts'
import { buyItem } from '#server/features/cart/buy.ts'
import { openPurchases, openTestDatabase } from '#test/databases.ts'
import { assertBooksAgree, insertItem, insertPurse, readBalance } from '#test/money-helpers.ts'

const PURCHASES = 1000
const CONCURRENT_BUYERS = 8
const PRICE = 10
const ROUNDS = 20
const EMBEDDED_TIME_MS = 20_000

/** The database of a round: a PostgreSQL server, or the directory of an embedded one. */
type DatabaseTarget = { url?: string; dataDir?: string }
const openTarget = ({ url, dataDir = '' }: DatabaseTarget) =>
  url === undefined ? openEmbedded(dataDir) : openPostgres(url)

type StoredState = { purchases: number; units: number; rCoin: number; keys: string[] }

/** Runs in the killed process. Checks the books, prints the stored purchases, then buys and prints the key of each answer. */
async function buyUntilKilled(target: DatabaseTarget, userNum: number, item: number, round: number): Promise<void> {
  const { db } = await openTarget(target)
  await assertBooksAgree(db)
  const countRows = async (table: 'purchases' | 'deliveries') =>
    (await db.selectFrom(table).where('user_num', '=', userNum).select('ordinal').execute()).length
  const storedKeys = await db.selectFrom('idempotency_keys').where('refused', 'is', null).select('key').execute()
  const storedState: StoredState = {
    purchases: await countRows('purchases'),
    units: await countRows('deliveries'),
    rCoin: (await readBalance(db, userNum)).rCoin,
    keys: storedKeys.map(({ key }) => key),
  }
  console.log(JSON.stringify(storedState))
  let nextPurchase = 0
  const repeatPurchases = async () => {
    while (nextPurchase < PURCHASES) {
      const key = `${round}-${nextPurchase++}`
      const request = { owner: String(userNum), key, content: `buyitem ${item}` }
      const cartItem = { productNum: item, quantity: 1 }
      const outcome = await buyItem({ db, now: () => new Date() }, { userNum, request }, cartItem)
      console.log(outcome instanceof Refusal ? `refused ${key}` : key)
    }
  }
  await Promise.all(Array.from({ length: CONCURRENT_BUYERS }, repeatPurchases))
  process.exit(0)
}

/** Starts the process and kills it after a number of answers; 0 kills it after its start. */
async function killAfter(answers: number, env: Record<string, string>) {
  const child = spawn(process.execPath, [import.meta.filename], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const closing = once(child, 'close')
  let storedState: StoredState | undefined
  const answeredKeys: string[] = []
  for await (const line of createInterface({ input: child.stdout })) {
    if (storedState === undefined) storedState = JSON.parse(line) as StoredState
    else answeredKeys.push(line)
    if (answeredKeys.length >= answers) child.kill('SIGKILL')
  }
  const [code, signal] = await closing
  return { storedState, answeredKeys, isKilled: signal === 'SIGKILL', code }
}

/** Creates a database with an empty world and open purchases. */
async function prepareTarget(): Promise<{ target: DatabaseTarget; close: () => Promise<void> }> {
  if (process.env.TEST_DATABASE_URL !== undefined) {
    const database = await openTestDatabase('empty')
    return { target: { url: database.url }, close: () => database.close() }
  }
  const dataDir = await mkdtemp(join(tmpdir(), 'tambayan-crash-'))
  const database = await openEmbedded(dataDir)
  await migrate(database.db)
  await openPurchases(database.db)
  await database.close()
  return { target: { dataDir }, close: () => rm(dataDir, { recursive: true, force: true }) }
}

const crashInput = process.env.CRASHING_SHOP
if (crashInput !== undefined) {
  const { target, userNum, item, round } = JSON.parse(crashInput)
  await buyUntilKilled(target, userNum, item, round)
} else {
  test('after each kill (-9) during 1,000 purchases, the books agree and every answered purchase is stored', async (t) => {
    const { target, close } = await prepareTarget()
    t.after(close)
    const initialRCoin = ROUNDS * PURCHASES * PRICE
    const opened = await openTarget(target)
    const userNum = await insertPurse(opened.db, { rCoin: initialRCoin })
    const item = await insertItem(opened.db, { price: PRICE })
    await opened.close()

    const answeredKeys = new Set<string>()
    const start = performance.now()
    let round = 0
    for (; round < ROUNDS; round++) {
      const isOutOfTime = target.url === undefined && performance.now() - start > EMBEDDED_TIME_MS
      if (isOutOfTime && round >= 3) break
      const killAfterAnswers = Math.floor(1 + Math.random() * PURCHASES * 0.8)
      const env = { CRASHING_SHOP: JSON.stringify({ target, userNum, item, round }) }
      const { storedState, answeredKeys: newKeys, isKilled, code } = await killAfter(killAfterAnswers, env)
      assert.ok(
        isKilled && storedState,
        `round ${round} was to be killed after ${killAfterAnswers} answers, but ended with ${code}`,
      )
      assertAllStored(storedState, answeredKeys, initialRCoin)
      for (const key of newKeys) answeredKeys.add(key)
      t.diagnostic(
        `killed after ${newKeys.length} answers, found ${storedState.purchases} purchases of ${answeredKeys.size}`,
      )
    }
    const { storedState } = await killAfter(0, { CRASHING_SHOP: JSON.stringify({ target, userNum, item, round }) })
    assert.ok(storedState)
    assertAllStored(storedState, answeredKeys, initialRCoin)
    t.diagnostic(`killed ${round} times, ${answeredKeys.size} answered purchases, ${storedState.purchases} found`)
  })
}

function assertAllStored(
  { purchases, units, rCoin, keys }: StoredState,
  answeredKeys: Set<string>,
  initialRCoin: number,
): void {
  const storedKeySet = new Set(keys)
  assert.deepEqual(
    [...answeredKeys].filter((key) => !storedKeySet.has(key)),
    [],
    'answered, but missing',
  )
  assert.equal(purchases, storedKeySet.size)
  assert.equal(units, purchases)
  assert.equal(rCoin, initialRCoin - purchases * PRICE)
}
