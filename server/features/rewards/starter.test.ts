import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY_MS } from '#contract/durations.ts'
import { getStartOfDay } from '#contract/manila.ts'
import { assertRefused, createPlayer, findLinkToken, openPlayerSession, type Player } from '#test/account-helpers.ts'
import { createOperator } from '#test/desk-helpers.ts'
import { insertAccount, insertRows, updateRows } from '#test/factories.ts'
import { changeSettings, createTestApp } from '#test/helpers.ts'
import { assertBooksAgree, insertItem, readBalance, runConcurrently } from '#test/money-helpers.ts'
import { giveStarters } from './starter.ts'

const site = await createTestApp({ world: 'demo', env: { RATE_LIMIT: 'off' } })
const { db, clock } = site
await changeSettings(site, { reward_accounts_address: 1000 })
const sword = await insertItem(db, { item_name: 'Bolo', price: 40 })
const potion = await insertItem(db, { item_name: 'Salabat', price: 10 })
const helmet = await insertItem(db, { item_name: 'Salakot', price: 5 })
const olderPlayer = await createPlayer(site)

/** Saves as a newly logged-in owner, because staff must have confirmed who they are within 15 minutes. */
async function saveStarterItems(gives: { item: number; quantity: number }[], budget: number) {
  const gm = await openPlayerSession(site, 'gm')
  const { version } = (await gm.get('/api/admin/rewards/starter')).json()
  return gm.post('/api/admin/rewards/starter/save', { version, budget, gives })
}
const readDesk = async () => (await (await openPlayerSession(site, 'gm')).get('/api/admin/rewards/starter')).json()
const KIT = [
  { item: sword, quantity: 1 },
  { item: potion, quantity: 3 },
]

type RegisteredPlayer = Pick<Player, 'user'> & { form: { userEmail: string } }

async function confirmEmail({ form }: RegisteredPlayer, email = form.userEmail) {
  const answer = await site.post(`/verifyemail?token=${await findLinkToken(site, email, 'Verify')}`, {})
  assert.equal(answer.headers.get('Location'), '/login?verified=1')
}

/** Creates a new player who has confirmed the address and logged in. */
async function createConfirmedPlayer() {
  const player = await createPlayer(site)
  await confirmEmail(player)
  return player
}

const readUnits = async ({ user }: Pick<Player, 'user'>) => {
  const rows = await db
    .selectFrom('deliveries')
    .where('user_num', '=', user.UserNum)
    .select(['product_num', 'state'])
    .orderBy('delivery')
    .execute()
  return rows.map(({ product_num, state }) => `${product_num} ${state}`)
}
const KIT_UNITS = [sword, potion, potion, potion].map((item) => `${item} queued`)

const readLetters = ({ user }: Pick<Player, 'user'>) =>
  db.selectFrom('letters').where('to_num', '=', user.UserNum).select(['subject', 'body', 'link']).execute()

test('gives a new account the items and a letter after its confirmation and login', async () => {
  assert.deepEqual((await site.get('/api/starter')).json(), { items: null })
  assert.equal((await saveStarterItems(KIT, 1000)).status, 200)
  site.cache.clear()
  assert.deepEqual((await site.get('/api/starter')).json(), { items: 'Bolo and 3 × Salabat' })
  const ana = await createPlayer(site)
  assert.equal(await giveStarters(site), 0)
  await confirmEmail(ana)
  const rounds = await runConcurrently(3, () => giveStarters(site))
  assert.equal(
    rounds.reduce((sum, count) => sum + count, 0),
    1,
  )
  // Without a bridge the units wait like those of a purchase.
  assert.deepEqual(await readUnits(ana), KIT_UNITS)
  const [letter, ...otherLetters] = await readLetters(ana)
  assert.match(letter?.body ?? '', /^Welcome! You got Bolo and 3 × Salabat\. .*item bank/)
  assert.deepEqual([letter?.link, otherLetters], ['/shoppurchases', []])
  assert.deepEqual(await readBalance(db, ana.user.UserNum), { rCoin: 0, milleage: 0 })
  const { spent, waiting, unconfirmed, words, worth } = await readDesk()
  assert.deepEqual([spent, waiting, unconfirmed], [70, 0, 0])
  assert.deepEqual([words, worth], ['Bolo and 3 × Salabat', 70])
  await assertBooksAgree(db)
})

test('waits for the first login, because the device is unknown before', async () => {
  const ben = await createConfirmedPlayer()
  const knownPlace = await db
    .deleteFrom('known_places')
    .where('user_num', '=', ben.user.UserNum)
    .returningAll()
    .executeTakeFirstOrThrow()
  assert.equal(await giveStarters(site), 0)
  const { waiting, unconfirmed } = await readDesk()
  assert.deepEqual([waiting, unconfirmed], [0, 1])
  await insertRows(db, 'known_places', knownPlace)
  assert.equal(await giveStarters(site), 1)
})

test('gives items once per account, even if its email is confirmed again or the list changes', async () => {
  const ana = await createConfirmedPlayer()
  assert.equal(await giveStarters(site), 1)
  await saveStarterItems([...KIT, { item: helmet, quantity: 1 }], 1000)
  await updateRows(db, 'accounts', { user_num: ana.user.UserNum }, { email_verified_at: null })
  await updateRows(db, 'accounts', { user_num: ana.user.UserNum }, { email_verified_at: clock.now() })
  assert.equal(await giveStarters(site), 0)
  // An account whose row was reset by hand still gets each item of the list once.
  await insertRows(db, 'starters', { user_num: ana.user.UserNum, due_at: clock.now() })
  assert.equal(await giveStarters(site), 0)
  assert.deepEqual(await readUnits(ana), KIT_UNITS)
  await db.deleteFrom('starters').execute()
  await saveStarterItems(KIT, 1000)
})

test('gives no items to older accounts and to accounts without a registration', async () => {
  await confirmEmail(olderPlayer)
  await insertAccount(db, { email_verified_at: clock.now() })
  assert.equal(await giveStarters(site), 0)
  assert.deepEqual(await readUnits(olderPlayer), [])
  assert.deepEqual(await db.selectFrom('starters').selectAll().execute(), [])
})

test('gives all items or none, and waits for the next day when the budget is used up', async () => {
  clock.set('2026-11-27T01:00:00Z')
  // The budget is enough for one kit, and for the sword of a second kit.
  await saveStarterItems(KIT, 70 + 45)
  const [ana, ben, carla] = [
    await createConfirmedPlayer(),
    await createConfirmedPlayer(),
    await createConfirmedPlayer(),
  ]
  assert.equal(await giveStarters(site), 1)
  assert.deepEqual([await readUnits(ana), await readUnits(ben), await readUnits(carla)], [KIT_UNITS, [], []])
  assert.deepEqual(await readLetters(ben), [])
  assert.equal((await readDesk()).waiting, 2)
  clock.advance(DAY_MS)
  assert.equal(await giveStarters(site), 1)
  assert.deepEqual([await readUnits(ben), await readUnits(carla)], [KIT_UNITS, []])
  await saveStarterItems(KIT, 1000)
  assert.equal(await giveStarters(site), 1)
  assert.deepEqual(await readUnits(carla), KIT_UNITS)
  await assertBooksAgree(db)
})

test('lets the fourth account of a device wait for the next day in Manila', async () => {
  clock.set('2026-11-29T01:00:00Z')
  const newPlayers = []
  for (let nth = 0; nth < 4; nth++) {
    const player = await createConfirmedPlayer()
    await insertRows(db, 'known_places', {
      user_num: player.user.UserNum,
      place: 'device of-a-cafe',
      seen_at: clock.now(),
    })
    newPlayers.push(player)
  }
  assert.equal(await giveStarters(site), 3)
  assert.deepEqual(await db.selectFrom('starters').select(['user_num', 'due_at']).execute(), [
    { user_num: newPlayers[3]?.user.UserNum, due_at: getStartOfDay('2026-11-30') },
  ])
  assert.equal(await giveStarters(site), 0)
  clock.set(getStartOfDay('2026-11-30'))
  assert.equal(await giveStarters(site), 1)
})

test('lets a blocked account wait for the end of its block, and gives no items to staff', async () => {
  const [ana, ben] = [await createConfirmedPlayer(), await createConfirmedPlayer()]
  await updateRows(db, 'accounts', { user_num: ana.user.UserNum }, { blocked_at: clock.now() })
  await updateRows(db, 'accounts', { user_num: ben.user.UserNum }, { user_type: 11 })
  assert.equal(await giveStarters(site), 0)
  await updateRows(db, 'accounts', { user_num: ana.user.UserNum }, { blocked_at: null })
  assert.equal(await giveStarters(site), 1)
  assert.deepEqual([await readUnits(ana), await readUnits(ben)], [KIT_UNITS, []])
})

test('records no new accounts while there are no starter items', async () => {
  const ana = await createConfirmedPlayer()
  assert.equal((await saveStarterItems([], 1000)).status, 200)
  const ben = await createConfirmedPlayer()
  assert.equal(await giveStarters(site), 0)
  await saveStarterItems(KIT, 1000)
  assert.equal(await giveStarters(site), 1)
  assert.deepEqual([await readUnits(ana), await readUnits(ben)], [KIT_UNITS, []])
})

test('counts new and raised items against the limit of 24 hours, but not lowered ones', async () => {
  clock.advance(2 * DAY_MS)
  const operator = await createOperator(site, 'owner')
  await createOperator(site, 'owner')
  await changeSettings(site, { approval_limit: 100 })
  const saveAsOperator = async (gives: unknown[], budget: number) => {
    const { version } = (await operator.get('/api/admin/rewards/starter')).json()
    return operator.post('/api/admin/rewards/starter/save', { version, budget, gives })
  }
  assert.equal((await saveAsOperator([{ item: sword, quantity: 1 }], 50)).status, 200)
  assert.equal((await saveAsOperator([{ item: sword, quantity: 1 }], 101)).status, 202)
  assert.equal((await saveAsOperator([{ item: sword, quantity: 3 }], 50)).status, 202)
  assert.equal((await saveAsOperator([{ item: sword, quantity: 2 }], 50)).status, 200)
  assert.equal((await saveAsOperator([{ item: helmet, quantity: 1 }], 10)).status, 200)
})

test('refuses an unknown item, a repeated item and a service', async () => {
  assertRefused(await saveStarterItems([{ item: 999_999, quantity: 1 }], 10), 422, 'There is no item with this number.')
  assertRefused(
    await saveStarterItems(
      [
        { item: sword, quantity: 1 },
        { item: sword, quantity: 2 },
      ],
      10,
    ),
    422,
  )
  const service = await db
    .selectFrom('shop_items')
    .where('kind', '=', 'service')
    .select('product_num')
    .executeTakeFirstOrThrow()
  assertRefused(await saveStarterItems([{ item: service.product_num, quantity: 1 }], 10), 422)
})
