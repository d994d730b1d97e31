import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY_MS } from '#contract/durations.ts'
import { GIFT_ACCOUNT_AGE_MS, GIFT_TEXTS } from '#contract/gifts.ts'
import { GIFT_LIFETIME_MS } from '#contract/limits.ts'
import { LIMITS } from '#contract/request-limits.ts'
import { SHOP_TEXTS } from '#contract/shop.ts'
import { mailReceipts } from '#server/features/cart/receipts.ts'
import { returnOverdueGifts } from '#server/features/mailbox/gifts.ts'
import { assertRefused, eraseNow, openPlayerSession } from '#test/account-helpers.ts'
import { insertCharacter, updateRows } from '#test/factories.ts'
import { changeSettings, createTestApp } from '#test/helpers.ts'
import {
  assertBooksAgree,
  type Buyer,
  countStatuses,
  createBuyer,
  insertItem,
  runConcurrently,
} from '#test/money-helpers.ts'

const site = await createTestApp()
const { db, clock } = site
const gm = await openPlayerSession(site, 'gm')
const parol = await insertItem(db, { item_name: 'Parol of Gifts', price: 100 })

/** Creates a player who may send and receive gifts. @returns the player, with the user ID and the character's name */
async function createFriend(purse: { rCoin?: number; milleage?: number } = {}) {
  const player = await createBuyer(site, purse)
  const character = `Kaibigan${player.userNum}`
  const since = new Date(clock.now().getTime() - GIFT_ACCOUNT_AGE_MS - 1000)
  const { user_id } = await db
    .updateTable('accounts')
    .set({ created_at: since, email_verified_at: since })
    .where('user_num', '=', player.userNum)
    .returning('user_id')
    .executeTakeFirstOrThrow()
  await insertCharacter(db, { user_num: player.userNum, cha_name: character, known_since: since })
  return { ...player, userId: user_id, character }
}
type Friend = Awaited<ReturnType<typeof createFriend>>

const give = (giver: Buyer, to: { userId: string }, { item = parol, note = '', key = '' } = {}) =>
  giver.post(
    '/api/buygift',
    { productnum: item, user_id: to.userId, note },
    key === '' ? {} : { 'Idempotency-Key': key },
  )
const readLetter = async (player: Friend) => (await player.get('/api/mailbox')).json().letters[0]
const claim = (player: Friend, letter: number) => player.post('/api/mailbox/claim', { letter })
const refuse = (player: Friend, letter: number) => player.post('/api/mailbox/refuse', { letter })
const readHistory = async (player: Buyer) => (await player.get('/api/shoppurchases')).json().purchasehistory
const readUnits = ({ userNum }: Buyer) =>
  db.selectFrom('deliveries').where('user_num', '=', userNum).selectAll().orderBy('delivery').execute()
const updateAccount = (player: Buyer, values: object) =>
  db.updateTable('accounts').set(values).where('user_num', '=', player.userNum).execute()

test('charges the buyer of a gift at once, and queues the unit when the recipient claims it', async () => {
  const [ana, ben] = [await createFriend({ rCoin: 250 }), await createFriend()]
  const giveOnce = () =>
    give(ana, { userId: ben.userId.toUpperCase() }, { note: 'Maligayang kaarawan!', key: 'gift-1' })
  const response = await giveOnce()
  assert.deepEqual(
    [response.status, response.json()],
    [200, { message: GIFT_TEXTS.sent, userPoints: 150, userPoints2: 0 }],
  )
  assert.deepEqual((await giveOnce()).json(), response.json())
  assert.deepEqual([await readUnits(ana), await readUnits(ben)], [[], []])
  const { letter, gift } = await readLetter(ben)
  assert.partialDeepStrictEqual(gift, { item_name: 'Parol of Gifts', quantity: 1, state: 'open', bought: true })
  const opened = (await ben.post('/api/mailbox/open', { letter })).json().letter
  assert.match(opened.body, /^“Maligayang kaarawan!”/)
  assert.partialDeepStrictEqual((await readHistory(ana))[0], { gift: { to: ben.userId, state: 'open' }, units: [] })
  assertRefused(await ben.post('/api/mailbox/delete', { letter }), 409)
  assert.equal((await claim(ben, letter)).status, 200)
  assert.deepEqual(
    (await readUnits(ben)).map(({ state, product_num }) => [state, product_num]),
    [['queued', parol]],
  )
  assert.partialDeepStrictEqual((await readHistory(ben))[0], {
    gift: { to: null, state: 'claimed' },
    shopitem: { price: 0 },
  })
  assert.partialDeepStrictEqual((await readHistory(ana))[0], { gift: { state: 'claimed' } })
  assert.equal(await returnOverdueGifts(db, new Date(clock.now().getTime() + GIFT_LIFETIME_MS)), 0)
  await assertBooksAgree(db)
})

test('pays a refused gift back to the buyer once, with an entry that reverses the payment', async () => {
  const [ana, ben] = [await createFriend({ rCoin: 100 }), await createFriend()]
  await give(ana, ben)
  const { letter } = await readLetter(ben)
  assert.deepEqual(countStatuses(await runConcurrently(5, () => refuse(ben, letter))), { 200: 1, 409: 4 })
  assertRefused(await claim(ben, letter), 409)
  assert.equal((await ana.readBalance()).rCoin, 100)
  const entries = await db
    .selectFrom('ledger')
    .where('user_num', '=', ana.userNum)
    .selectAll()
    .orderBy('entry')
    .execute()
  const [, payment, reversal] = entries
  assert.partialDeepStrictEqual(reversal, {
    delta: 100,
    reason: 'refund',
    reference: `gift ${letter}`,
    reverses: payment?.entry,
  })
  assert.match((await readLetter(ana)).subject, /^You got 100 R-Coin back$/)
  assert.partialDeepStrictEqual((await readHistory(ana))[0], { gift: { state: 'returned' } })
  await assertBooksAgree(db)
})

test('the order of a gift shows its recipient and state, and the receipt mentions the mail box', async () => {
  const [ana, ben] = [await createFriend({ rCoin: 200 }), await createFriend()]
  await ana.post('/api/receipts', { wanted: true })
  const readOrder = async (number: string) => (await gm.get(`/api/admin/orders/${number}`)).json()
  const sentOrder = (ordinal: number) => readOrder(`${ana.userNum}-${ordinal}`)
  await give(ana, ben)
  await mailReceipts(site)
  const { body_text } = await db
    .selectFrom('mail_outbox')
    .where('body_text', 'like', '%You bought for%')
    .select('body_text')
    .executeTakeFirstOrThrow()
  assert.match(body_text, new RegExp(`You bought for ${ben.userId}:`))
  assert.match(body_text, new RegExp(`It is waiting in the mail box of ${ben.userId}, who has 30 days`))
  assert.doesNotMatch(body_text, /item bank/)
  const recipient = { way: 'sent', user_num: ben.userNum, user_id: ben.userId }
  assert.partialDeepStrictEqual(await sentOrder(1), {
    order: { gift: 'open' },
    units: [],
    gift: { ...recipient, ended_at: null, order: null },
  })

  await claim(ben, (await readLetter(ben)).letter)
  assert.partialDeepStrictEqual(await sentOrder(1), {
    order: { gift: 'claimed' },
    gift: { ...recipient, order: `${ben.userNum}-1` },
  })
  const receivedOrder = await readOrder(`${ben.userNum}-1`)
  assert.partialDeepStrictEqual(receivedOrder, {
    order: { gift: null },
    gift: { way: 'got', user_id: ana.userId, order: `${ana.userNum}-1` },
    entries: [],
  })
  const units = receivedOrder.units.map(({ delivery }: { delivery: number }) => delivery)
  assert.equal((await gm.post('/api/admin/orders/refund', { units, reason: 'Wrong item' })).status, 200)
  assert.deepEqual(
    (await sentOrder(1)).entries.map(({ delta }: { delta: number }) => delta),
    [-100, 100],
  )

  await give(ana, ben)
  await refuse(ben, (await readLetter(ben)).letter)
  const refusedOrder = await sentOrder(2)
  assert.deepEqual([refusedOrder.order.gift, refusedOrder.gift.order], ['refused', null])
  assert.deepEqual(
    refusedOrder.entries.map(({ delta }: { delta: number }) => delta),
    [-100, 100],
  )
})

test('lets only one of a concurrent refusal and claim succeed', async () => {
  for (let round = 0; round < 4; round++) {
    const [ana, ben] = [await createFriend({ rCoin: 100 }), await createFriend()]
    await give(ana, ben)
    const { letter } = await readLetter(ben)
    const answers = await Promise.all([claim(ben, letter), refuse(ben, letter), claim(ben, letter)])
    const isClaimed = answers[1].status !== 200
    assert.deepEqual(countStatuses(answers), { 200: 1, 409: 2 })
    assert.deepEqual([(await ana.readBalance()).rCoin, (await readUnits(ben)).length], isClaimed ? [0, 1] : [100, 0])
  }
  await assertBooksAgree(db)
})

test('refunds a gift after 30 days, or as soon as its recipient is blocked', async () => {
  const [ana, ben, carla] = [await createFriend({ rCoin: 200 }), await createFriend(), await createFriend()]
  await give(ana, ben)
  await give(ana, carla)
  await updateAccount(carla, { blocked_at: clock.now() })
  assert.equal(await returnOverdueGifts(db, clock.now()), 1)
  assert.equal((await ana.readBalance()).rCoin, 100)
  clock.advance(GIFT_LIFETIME_MS - 1)
  assert.equal(await returnOverdueGifts(db, clock.now()), 0)
  clock.advance(1)
  const counts = await runConcurrently(3, () => returnOverdueGifts(db, clock.now()))
  assert.equal(
    counts.reduce((sum, count) => sum + count),
    1,
  )
  assert.equal((await ana.readBalance()).rCoin, 200)
  clock.advance(-GIFT_LIFETIME_MS)
  await assertBooksAgree(db)
})

test('lets the desk refund a claimed gift to its buyer, unless it was picked up in the game', async () => {
  const [ana, ben] = [await createFriend({ rCoin: 200 }), await createFriend()]
  for (let n = 0; n < 2; n++) {
    await give(ana, ben)
    await claim(ben, (await readLetter(ben)).letter)
  }
  const [refundedUnit, pickedUpUnit] = await readUnits(ben)
  assert.ok(refundedUnit && pickedUpUnit)
  const refund = (unit: number) => gm.post('/api/admin/orders/refund', { units: [unit], reason: 'Player request' })
  const answer = await refund(refundedUnit.delivery)
  assert.equal(answer.json().message, 'Paid back 100 R-Coin for 1 unit.', answer.text)
  assert.deepEqual([(await ana.readBalance()).rCoin, (await ben.readBalance()).rCoin], [100, 0])
  assertRefused(await refund(refundedUnit.delivery), 409)
  const at = clock.now()
  await updateRows(
    db,
    'deliveries',
    { delivery: pickedUpUnit.delivery },
    { state: 'claimed', handed_at: at, delivered_at: at, claimed_at: at },
  )
  assertRefused(await refund(pickedUpUnit.delivery), 409)
  const preview = (
    await gm.get(`/api/admin/refund-preview?units=${refundedUnit.delivery},${pickedUpUnit.delivery}`)
  ).json()
  assert.partialDeepStrictEqual(preview, { units: [], refunded: 1, final: 1 })
  await assertBooksAgree(db)
})

test('sending a gift requires a confirmed email, a week-old account, money and another recipient', async () => {
  const [ana, ben] = [await createFriend({ rCoin: 100 }), await createFriend()]
  await updateAccount(ana, { email_verified_at: null })
  assertRefused(await give(ana, ben), 422, GIFT_TEXTS.unverified)
  await updateAccount(ana, {
    email_verified_at: clock.now(),
    created_at: new Date(clock.now().getTime() - GIFT_ACCOUNT_AGE_MS + 1000),
  })
  assertRefused(await give(ana, ben), 422, GIFT_TEXTS.tooYoung)
  await updateAccount(ana, { created_at: new Date(clock.now().getTime() - GIFT_ACCOUNT_AGE_MS) })
  assertRefused(await give(ana, ana), 422, GIFT_TEXTS.yourself)
  assertRefused(await give(ana, ben, { item: 999_999 }), 404)
  assertRefused(await give(ana, ben, { item: await insertItem(db, { visible: false }) }), 404)
  assertRefused(await give(ana, ben, { item: await insertItem(db, { price: 101 }) }), 422, SHOP_TEXTS.shortRCoin)
  assertRefused(await give(ana, ben, { note: 'x'.repeat(201) }), 422)
  assertRefused(await give(ana, { userId: '' }), 422)
  assert.equal((await ana.readBalance()).rCoin, 100)
  const maintenance = { from: clock.now().toISOString(), until: '', message: 'Back soon.', allowed: [] }
  await changeSettings(site, { maintenance })
  assertRefused(await give(ana, ben), 503, 'Back soon.')
  await changeSettings(site, { maintenance: { ...maintenance, from: '' } })
  assert.equal((await give(ana, ben)).status, 200)
})

test('limits an account to five gifts in 24 hours, also concurrent ones', async () => {
  const [ana, ben] = [await createFriend({ rCoin: 2000 }), await createFriend()]
  assert.deepEqual(countStatuses(await runConcurrently(7, () => give(ana, ben))), { 200: 5, 422: 2 })
  assertRefused(await give(ana, ben), 422, GIFT_TEXTS.tooMany)
  const yesterday = new Date(clock.now().getTime() - DAY_MS)
  await db.updateTable('letter_gifts').set({ sent_at: yesterday }).where('buyer', '=', ana.userNum).execute()
  assert.equal((await give(ana, ben)).status, 200)
  await assertBooksAgree(db)
})

test('refuses all unsuitable recipients with the same text, and locks the buyer after ten', async () => {
  const [ana, refusingPlayer, blockedPlayer, unconfirmedPlayer, playerWithoutCharacter] = await Promise.all([
    createFriend({ rCoin: 1000 }),
    ...Array.from({ length: 4 }, () => createFriend()),
  ])
  assert.ok(ana && refusingPlayer && blockedPlayer && unconfirmedPlayer && playerWithoutCharacter)
  assert.deepEqual((await refusingPlayer.get('/api/gifts')).json(), { accepts: true })
  assert.deepEqual((await refusingPlayer.post('/api/gifts', { accepts: false })).json(), {
    message: GIFT_TEXTS.refuses,
  })
  await updateAccount(blockedPlayer, { blocked_at: clock.now() })
  await updateAccount(unconfirmedPlayer, { email_verified_at: null })
  await db.deleteFrom('characters').where('user_num', '=', playerWithoutCharacter.userNum).execute()
  const unsuitableRecipients = [
    { userId: 'nobody_at_all' },
    refusingPlayer,
    blockedPlayer,
    unconfirmedPlayer,
    playerWithoutCharacter,
  ]
  for (const to of [...unsuitableRecipients, ...unsuitableRecipients]) {
    const answer = await give(ana, to)
    assertRefused(answer, 422, GIFT_TEXTS.recipientNotFound)
    assert.deepEqual(answer.json()['form-error'], { user_id: [GIFT_TEXTS.recipientNotFound] })
  }
  const friend = await createFriend()
  assertRefused(await give(ana, friend), 429)
  clock.advance(LIMITS.giftFailures.windowMs)
  assert.equal((await give(ana, friend)).status, 200)
})

const giveToCharacter = (giver: Buyer, character: string) =>
  giver.post('/api/buygift', { productnum: parol, character, note: '' })
const checkRecipient = (giver: Buyer, to: { user_id?: string; character?: string }) =>
  giver.post('/api/giftcheck', { productnum: parol, ...to })

test('a gift to a character reaches its player without revealing the user ID', async () => {
  const [ana, ben] = [await createFriend({ rCoin: 250 }), await createFriend()]
  const { character } = ben
  const { cha_class, cha_school, cha_level } = await db
    .selectFrom('characters')
    .where('cha_name', '=', character)
    .selectAll()
    .executeTakeFirstOrThrow()
  const checkResponse = await checkRecipient(ana, { character: character.toUpperCase() })
  assert.deepEqual(checkResponse.json(), {
    user_id: null,
    character: { ChaName: character, ChaLevel: cha_level, ChaClass: cha_class, ChaSchool: cha_school },
  })
  assert.deepEqual((await checkRecipient(ana, { user_id: ben.userId.toUpperCase() })).json(), {
    user_id: ben.userId,
    character: null,
  })
  assert.equal((await ana.readBalance()).rCoin, 250, 'a check buys nothing')
  await ana.post('/api/receipts', { wanted: true })
  assert.equal((await giveToCharacter(ana, character)).status, 200)
  assert.partialDeepStrictEqual((await readHistory(ana))[0], { gift: { to: character, state: 'open' } })
  await mailReceipts(site)
  await refuse(ben, (await readLetter(ben)).letter)
  const { letter } = await readLetter(ana)
  const { body } = (await ana.post('/api/mailbox/open', { letter })).json().letter
  assert.match(body, new RegExp(`^Your gift to ${character} came back`))
  const mails = await db.selectFrom('mail_outbox').select('body_text').execute()
  const mailsAboutGift = mails.map(({ body_text }) => body_text).filter((text) => text.includes(character))
  for (const text of [checkResponse.text, JSON.stringify(await readHistory(ana)), body, ...mailsAboutGift])
    assert.ok(!text.includes(ben.userId), text)
  await assertBooksAgree(db)
})

test('refuses all unsuitable characters with the same text, and counts them as failures too', async () => {
  const [ana, hiddenPlayer, staffPlayer, blockedPlayer, refusingPlayer] = await Promise.all([
    createFriend({ rCoin: 1000 }),
    ...Array.from({ length: 4 }, () => createFriend()),
  ])
  assert.ok(ana && hiddenPlayer && staffPlayer && blockedPlayer && refusingPlayer)
  const { cha_num } = await db
    .selectFrom('characters')
    .where('user_num', '=', hiddenPlayer.userNum)
    .select('cha_num')
    .executeTakeFirstOrThrow()
  await db.insertInto('hidden_characters').values({ cha_num, reason: 'x', hidden_at: clock.now() }).execute()
  await db.updateTable('characters').set({ kept_out: 'staff' }).where('user_num', '=', staffPlayer.userNum).execute()
  await updateAccount(blockedPlayer, { blocked_at: clock.now() })
  await updateAccount(refusingPlayer, { accepts_gifts: false })
  await insertCharacter(db, { user_num: refusingPlayer.userNum, cha_name: 'WalangMayAri' })
  await updateRows(db, 'characters', { cha_name: 'WalangMayAri' }, { user_num: null })
  const names = [
    ...[hiddenPlayer, staffPlayer, blockedPlayer, refusingPlayer].map(({ character }) => character),
    'WalangMayAri',
    'Walang Ganyan',
  ]
  for (const character of names) {
    const answer = await giveToCharacter(ana, character)
    assertRefused(answer, 422, GIFT_TEXTS.characterNotFound)
    assert.deepEqual(answer.json()['form-error'], { character: [GIFT_TEXTS.characterNotFound] })
  }
  for (const character of names.slice(0, 3))
    assertRefused(await checkRecipient(ana, { character }), 422, GIFT_TEXTS.characterNotFound)
  assertRefused(await checkRecipient(ana, { user_id: 'nobody_at_all' }), 422, GIFT_TEXTS.recipientNotFound)
  const friend = await createFriend()
  assertRefused(await checkRecipient(ana, { character: friend.character }), 429)
  assertRefused(await give(ana, friend), 429)
})

test('requires exactly one recipient, and reveals none to a buyer without money', async () => {
  const [ana, ben] = [await createFriend({ rCoin: 100 }), await createFriend()]
  const bothRecipients = { user_id: ben.userId, character: ben.character }
  assertRefused(await checkRecipient(ana, bothRecipients), 422, GIFT_TEXTS.recipientRequired)
  assertRefused(await checkRecipient(ana, {}), 422, GIFT_TEXTS.recipientRequired)
  assertRefused(await checkRecipient(ana, { character: ana.character }), 422, GIFT_TEXTS.yourself)
  await ana.buy(parol)
  for (const to of [{ user_id: ben.userId }, { character: ben.character }, { character: 'Walang Ganyan' }])
    assertRefused(await checkRecipient(ana, to), 422, SHOP_TEXTS.shortRCoin)
})

test('counts received, waiting and bought units toward an item’s limit for each account', async () => {
  const item = await insertItem(db, { price: 10, account_limit: 2 })
  const [ana, ben, carla] = [
    await createFriend({ rCoin: 100 }),
    await createFriend({ rCoin: 100 }),
    await createFriend({ rCoin: 100 }),
  ]
  assert.equal((await give(ana, ben, { item })).status, 200)
  assert.equal((await ana.buy(item)).status, 200)
  assertRefused(await ana.buy(item), 422, SHOP_TEXTS.overLimit)
  assertRefused(await give(ana, carla, { item }), 422, SHOP_TEXTS.overLimit)
  assert.equal((await ben.buy(item)).status, 200)
  assertRefused(await ben.buy(item), 422, SHOP_TEXTS.overLimit)
  assertRefused(await give(carla, ben, { item }), 422, GIFT_TEXTS.recipientNotFound)
  await ben.add(item)
  assertRefused(await ben.buyCart(), 422, SHOP_TEXTS.overLimit)
  await refuse(ben, (await readLetter(ben)).letter)
  assert.equal((await ana.buy(item)).status, 200)
  assert.equal((await give(carla, ben, { item })).status, 200)
})

test('concurrent gifts and purchases never exceed a limit', async () => {
  const item = await insertItem(db, { price: 1, account_limit: 2 })
  const [ana, ben, carla] = [
    await createFriend({ rCoin: 50 }),
    await createFriend({ rCoin: 50 }),
    await createFriend({ rCoin: 50 }),
  ]
  await Promise.all([
    ...Array.from({ length: 3 }, () => ben.buy(item)),
    ...[ana, carla, ana, carla].map((giver) => give(giver, ben, { item })),
  ])
  const { count } = await db
    .selectFrom('letter_gifts')
    .where('recipient', '=', ben.userNum)
    .where('state', '=', 'open')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  assert.equal(Number(count) + (await readUnits(ben)).length, 2)
  await assertBooksAgree(db)
})

test('an erasure clears names and notes in letters about gifts; open gifts can still be claimed', async () => {
  const [ana, ben] = [await createFriend({ rCoin: 250 }), await createFriend({ rCoin: 100 })]
  await give(ana, ben, { note: 'Mahal kong pinsan' })
  const { letter } = await readLetter(ben)
  await give(ben, ana)
  await refuse(ana, (await readLetter(ana)).letter)
  await eraseNow(site, ana.userNum, { renameCharacters: true })
  const received = await db.selectFrom('letters').where('to_num', '=', ben.userNum).selectAll().execute()
  assert.deepEqual(received.map(({ kind }) => kind).sort(), ['gift', 'refund'])
  assert.doesNotMatch(JSON.stringify(received), new RegExp(`${ana.userId}|pinsan`))
  assert.equal((await claim(ben, letter)).status, 200)
  await assertBooksAgree(db)
})
