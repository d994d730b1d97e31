import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY_MS } from '#contract/durations.ts'
import { runCleanUp } from '#server/clean-ups.ts'
import { readUnits, refundUnits } from '#server/features/orders/refund.ts'
import { assertRefused, openPlayerSession } from '#test/account-helpers.ts'
import { createOperator, createRole } from '#test/desk-helpers.ts'
import { insertCharacter, insertRows, updateRows } from '#test/factories.ts'
import { createTestApp } from '#test/helpers.ts'
import {
  assertBooksAgree,
  type Buyer,
  countStatuses,
  createBuyer,
  insertItem,
  runConcurrently,
} from '#test/money-helpers.ts'
import { type Gift, sendGiftLetter, withdrawGift } from './gifts.ts'

const site = await createTestApp({ env: { RATE_LIMIT: 'off' } })
const { db, clock } = site
const gm = await openPlayerSession(site, 'gm')

/** Creates a player with a confirmed email and a character, which are newer than earlier letters and older than later ones. */
async function createReceiver({ level = 50, school = 0 } = {}) {
  clock.advance(2000)
  const player = await createBuyer(site)
  const since = new Date(clock.now().getTime() - 1000)
  await updateRows(db, 'accounts', { user_num: player.userNum }, { created_at: since, email_verified_at: since })
  await insertCharacter(db, {
    cha_name: `Tanggap${player.userNum}`,
    user_num: player.userNum,
    cha_level: level,
    cha_school: school,
    known_since: since,
  })
  return player
}

async function fund({ userNum }: Buyer, amount: number) {
  const { r_coin } = await db
    .updateTable('accounts')
    .set((eb) => ({ r_coin: eb('r_coin', '+', amount) }))
    .where('user_num', '=', userNum)
    .returning('r_coin')
    .executeTakeFirstOrThrow()
  await insertRows(db, 'ledger', {
    user_num: userNum,
    currency: 'r_coin',
    delta: amount,
    balance_after: r_coin,
    reason: 'opening balance',
  })
}

let prizeCount = 0
const give = (player: Buyer, gift: Gift, reference = `test place ${++prizeCount}`) =>
  db.transaction().execute((tx) =>
    sendGiftLetter(tx, {
      account: player.userNum,
      kind: 'prize',
      values: { subject: 'First place', body: 'Congratulations.', now: clock.now() },
      gift,
      reference,
    }),
  )
const claim = (player: Buyer, letter: number, key?: string) =>
  player.post('/api/mailbox/claim', { letter }, key === undefined ? {} : { 'Idempotency-Key': key })
const readLetters = async (player: Buyer) => (await player.get('/api/mailbox')).json().letters
const countUnread = async (player: Buyer) => (await player.get('/api/mailbox/unread')).json().unread

const writeLetter = (fields: object, operator = gm) =>
  operator.post('/api/admin/letters/send', {
    subject: 'A little something',
    body: 'From all of us.',
    link: '',
    ...fields,
  })
const readUserId = async ({ userNum }: Buyer) =>
  (await db.selectFrom('accounts').where('user_num', '=', userNum).select('user_id').executeTakeFirstOrThrow()).user_id
const countRecipients = async (fields: object) => (await gm.post('/api/admin/letters/recipients', fields)).json()

test('books claimed money in the ledger once, and repeats the response for its idempotency key', async () => {
  const ana = await createReceiver()
  const letter = await give(ana, { currency: 'R-Coin', amount: 700 })
  const [listedLetter] = await readLetters(ana)
  assert.partialDeepStrictEqual(listedLetter, {
    kind: 'prize',
    gift: { currency: 'r_coin', amount: 700, state: 'open', own: true },
  })
  const response = await claim(ana, letter, 'claim-1')
  assert.equal(response.status, 200, response.text)
  assert.equal(response.json().userPoints, 700)
  assert.deepEqual((await claim(ana, letter, 'claim-1')).json(), response.json())
  assertRefused(await claim(ana, letter), 409)
  assert.deepEqual(await ana.readBalance(), { rCoin: 700, milleage: 0 })
  assert.equal((await readLetters(ana))[0].gift.state, 'claimed')
  assert.equal(await countUnread(ana), 0)
  const [entry] = await db.selectFrom('ledger').where('user_num', '=', ana.userNum).selectAll().execute()
  assert.partialDeepStrictEqual(entry, { reason: 'gift', reference: `letter ${letter}`, delta: 700 })
  await assertBooksAgree(db)
})

test('a claimed item is queued for delivery at no price, and cannot be refunded', async () => {
  const ana = await createReceiver()
  const item = await insertItem(db, { item_name: 'Parol of Tests', price: 300 })
  const letter = await give(ana, { item, quantity: 3 })
  assert.equal((await claim(ana, letter)).status, 200)
  const units = await db.selectFrom('deliveries').where('user_num', '=', ana.userNum).selectAll().execute()
  assert.deepEqual(
    units.map(({ product_num, state }) => [product_num, state]),
    Array.from({ length: 3 }, () => [item, 'queued']),
  )
  const [purchase] = (await ana.get('/api/shoppurchases')).json().purchasehistory
  assert.partialDeepStrictEqual(purchase, { quantity: 3, shopitem: { ItemName: 'Parol of Tests', price: 0 } })
  const response = await gm.post('/api/admin/orders/refund', {
    units: units.map((unit) => unit.delivery),
    reason: 'Try',
  })
  assertRefused(response, 409)
  await assert.rejects(
    db
      .transaction()
      .execute(async (tx) =>
        refundUnits(tx, await readUnits(tx, [units[0]?.delivery ?? 0], 'locked'), { now: clock.now(), actor: null }),
      ),
  )
  await assertBooksAgree(db)
})

test('gives a gift once in concurrent claims', async () => {
  const ana = await createReceiver()
  const letter = await give(ana, { currency: 'Milleage', amount: 40 })
  assert.deepEqual(countStatuses(await runConcurrently(8, () => claim(ana, letter))), { 200: 1, 409: 7 })
  assert.deepEqual(await ana.readBalance(), { rCoin: 0, milleage: 40 })
  await assertBooksAgree(db)
})

test('refuses to claim another player’s gift, and any gift during maintenance', async () => {
  const [ana, ben] = [await createReceiver(), await createReceiver()]
  const letter = await give(ana, { currency: 'R-Coin', amount: 10 })
  assertRefused(await claim(ben, letter), 404)
  const letterResponse = await writeLetter({ to: 'everyone' })
  assertRefused(await claim(ana, letterResponse.json().letter), 404)
  const maintenance = { from: clock.now().toISOString(), until: '', message: 'Back soon.', allowed: [] }
  await insertRows(db, 'settings', { name: 'maintenance', value: JSON.stringify(maintenance), changed_at: clock.now() })
  assertRefused(await claim(ana, letter, 'later'), 503, 'Back soon.')
  await db.deleteFrom('settings').where('name', '=', 'maintenance').execute()
  assert.equal((await claim(ana, letter, 'later')).status, 200)
})

test('allows one gift for each reference, and withdraws only unclaimed gifts', async () => {
  const [ana, ben] = [await createReceiver(), await createReceiver()]
  const letter = await give(ana, { currency: 'R-Coin', amount: 10 }, 'cup 1 place 1')
  await assert.rejects(give(ben, { currency: 'R-Coin', amount: 10 }, 'cup 1 place 1'), /letter_gifts_reference_key/)
  assert.equal(await withdrawGift(db, letter), true)
  assert.equal(await withdrawGift(db, letter), false)
  assertRefused(await claim(ana, letter), 409)
  const otherLetter = await give(ana, { currency: 'R-Coin', amount: 10 })
  assert.equal((await claim(ana, otherLetter)).status, 200)
  assert.equal(await withdrawGift(db, otherLetter), false)
})

test('either the withdrawal or the claim of a gift succeeds if they are concurrent', async () => {
  for (let round = 0; round < 4; round++) {
    const ana = await createReceiver()
    const letter = await give(ana, { currency: 'R-Coin', amount: 10 })
    const [answer, isWithdrawn] = await Promise.all([claim(ana, letter), withdrawGift(db, letter)])
    assert.equal(answer.status, isWithdrawn ? 409 : 200, answer.text)
    assert.equal((await ana.readBalance()).rCoin, isWithdrawn ? 0 : 10)
  }
})

test('a letter with a gift for one player does not expire and cannot be deleted before the claim', async () => {
  const ana = await createReceiver()
  const letter = await give(ana, { currency: 'R-Coin', amount: 10 })
  assertRefused(await ana.post('/api/mailbox/delete', { letter }), 409)
  const isDeletedAfter = async (days: number) => {
    await runCleanUp(db, 'letters', new Date(clock.now().getTime() + days * DAY_MS))
    return (
      (await db.selectFrom('letters').where('letter', '=', letter).select('letter').executeTakeFirst()) === undefined
    )
  }
  assert.equal(await isDeletedAfter(4000), false)
  await claim(ana, letter)
  assert.equal(await isDeletedAfter(89), false)
  assert.equal((await ana.post('/api/mailbox/delete', { letter })).status, 200)
  assert.equal(await isDeletedAfter(91), true)
  const claims = await db.selectFrom('gift_claims').where('letter', '=', letter).selectAll().execute()
  assert.equal(claims.length, 1)
})

test('a gift requires a confirmed email, and a character from before the letter', async () => {
  const [ana, unconfirmedPlayer, playerWithoutCharacter, ownerOfLateCharacter] = await Promise.all(
    [1, 2, 3, 4].map(() => createReceiver()),
  )
  assert.ok(ana && unconfirmedPlayer && playerWithoutCharacter && ownerOfLateCharacter)
  await updateRows(db, 'accounts', { user_num: unconfirmedPlayer.userNum }, { email_verified_at: null })
  await db.deleteFrom('characters').where('user_num', '=', playerWithoutCharacter.userNum).execute()
  const afterSending = new Date(clock.now().getTime() + 1000)
  await db
    .updateTable('characters')
    .set({ known_since: afterSending })
    .where('user_num', '=', ownerOfLateCharacter.userNum)
    .execute()
  const { recipients, each, total } = await countRecipients({ to: 'everyone', gift: 'r_coin', gift_amount: 5 })
  assert.equal(total, recipients * each)
  const response = await writeLetter({ to: 'everyone', gift: 'r_coin', gift_amount: 5, gift_budget: total })
  assert.equal(response.status, 200, response.text)
  const { letter } = response.json()
  clock.advance(5000)
  const newcomer = await createReceiver()
  assert.equal((await claim(ana, letter)).status, 200)
  for (const player of [unconfirmedPlayer, playerWithoutCharacter, ownerOfLateCharacter, newcomer]) {
    assertRefused(await claim(player, letter), 404)
    assert.equal(await countUnread(player), 0)
  }
  await updateRows(db, 'accounts', { user_num: unconfirmedPlayer.userNum }, { email_verified_at: clock.now() })
  assert.equal((await claim(unconfirmedPlayer, letter)).status, 200)
  assertRefused(await gm.post('/api/mailbox/claim', { letter }), 404)
  const { rows } = (await gm.get('/api/admin/letters')).json()
  assert.partialDeepStrictEqual(rows[0].gift, { words: '5 R-Coin', claims: 2, claimed: 10, budget: total })
  await assertBooksAgree(db)
})

test('checks level and school at the claim, only of characters from before the letter', async () => {
  const [growingPlayer, changedPlayer, otherPlayer] = [
    await createReceiver({ level: 20, school: 1 }),
    await createReceiver({ level: 90 }),
    await createReceiver({ level: 1 }),
  ]
  const giftFields = { gift: 'milleage', gift_amount: 1, gift_budget: 500 }
  const [levelResponse, schoolResponse] = await Promise.all([
    writeLetter({ to: 'levels', level_from: 80, level_to: 99, ...giftFields }),
    writeLetter({ to: 'school', school: 2, ...giftFields }),
  ])
  const [levelLetter, schoolLetter] = [levelResponse.json().letter, schoolResponse.json().letter]
  assertRefused(await claim(growingPlayer, levelLetter), 404)
  assert.equal((await readLetters(changedPlayer)).length, 1)
  await updateRows(db, 'characters', { user_num: growingPlayer.userNum }, { cha_level: 81, cha_school: 2 })
  await db.updateTable('characters').set({ cha_level: 10 }).where('user_num', '=', changedPlayer.userNum).execute()
  await insertCharacter(db, {
    cha_name: `Kambal${otherPlayer.userNum}`,
    user_num: otherPlayer.userNum,
    cha_level: 85,
    cha_school: 2,
    known_since: new Date(clock.now().getTime() + 1),
  })
  assert.equal((await claim(growingPlayer, levelLetter)).status, 200)
  assert.equal((await claim(growingPlayer, schoolLetter)).status, 200)
  for (const player of [changedPlayer, otherPlayer]) assertRefused(await claim(player, levelLetter), 404)
  assertRefused(await claim(otherPlayer, schoolLetter), 404)
})

test('buyers of an item are players with earlier purchases, not with gifts or refunds', async () => {
  const item = await insertItem(db, { price: 10 })
  const [earlierBuyer, laterBuyer, giftedPlayer, refundedBuyer] = [
    await createReceiver(),
    await createReceiver(),
    await createReceiver(),
    await createReceiver(),
  ]
  const buy = async (player: Buyer) => {
    await fund(player, 10)
    assert.equal((await player.buy(item)).status, 200)
  }
  await buy(earlierBuyer)
  await buy(refundedBuyer)
  const units = db.selectFrom('deliveries').where('user_num', '=', refundedBuyer.userNum).select('delivery')
  const { delivery } = await units.executeTakeFirstOrThrow()
  const refundResponse = await gm.post('/api/admin/orders/refund', { units: [delivery], reason: 'Bought by mistake' })
  assert.equal(refundResponse.status, 200, refundResponse.text)
  await claim(giftedPlayer, await give(giftedPlayer, { item, quantity: 1 }))
  clock.advance(1000)
  const { recipients } = await countRecipients({ to: 'buyers', bought: item, gift: 'r_coin', gift_amount: 9 })
  assert.equal(recipients, 1)
  const response = await writeLetter({ to: 'buyers', bought: item, gift: 'r_coin', gift_amount: 9, gift_budget: 9 })
  await buy(laterBuyer)
  const { letter } = response.json()
  assert.equal((await claim(earlierBuyer, letter)).status, 200)
  for (const player of [laterBuyer, giftedPlayer, refundedBuyer]) assertRefused(await claim(player, letter), 404)
})

test('refuses claims over the budget, also concurrent ones', async () => {
  const players = [await createReceiver(), await createReceiver(), await createReceiver(), await createReceiver()]
  const response = await writeLetter({ to: 'everyone', gift: 'r_coin', gift_amount: 100, gift_budget: 250 })
  const { letter } = response.json()
  const answers = await Promise.all(players.map((player) => claim(player, letter)))
  assert.deepEqual(countStatuses(answers), { 200: 2, 409: 2 })
  const gift = await db.selectFrom('letter_gifts').where('letter', '=', letter).selectAll().executeTakeFirstOrThrow()
  assert.deepEqual([gift.claimed, gift.state], [200, 'open'])
  await assertBooksAgree(db)
})

test('requires the shown total as the budget; over the limit, another operator approves it', async () => {
  const colleague = await createOperator(site, 'owner')
  const ana = await createReceiver()
  const gift = { gift: 'r_coin', gift_amount: 1000 }
  assertRefused(await writeLetter({ to: 'everyone', ...gift }), 422)
  assertRefused(await writeLetter({ to: 'everyone', ...gift, gift_budget: 999 }), 422)
  const { recipients, total } = await countRecipients({ to: 'everyone', ...gift })
  assert.equal(total, recipients * 1000)
  const response = await writeLetter({ to: 'everyone', ...gift, gift_budget: total, subject: 'Anniversary' })
  assert.equal(response.status, 202, response.text)
  assert.deepEqual(
    (await readLetters(ana)).filter(({ subject }: { subject: string }) => subject === 'Anniversary'),
    [],
  )
  const { rows } = (await gm.get('/api/admin/approvals?state=waiting')).json()
  const [{ approval, content_hash, amount, kind, summary }] = rows
  assert.deepEqual([amount, kind], [total, 'gift'])
  assert.match(summary, /^Give 1,000 R-Coin each to everyone/)
  const laterPlayer = await createReceiver()
  const approvalResponse = await colleague.post('/api/admin/approvals/decide', {
    approval,
    content_hash,
    decision: 'approve',
    note: '',
  })
  assert.equal(approvalResponse.status, 200, approvalResponse.text)
  const [letter] = await readLetters(laterPlayer)
  assert.equal(letter.subject, 'Anniversary')
  const row = await db
    .selectFrom('letter_gifts')
    .where('letter', '=', letter.letter)
    .selectAll()
    .executeTakeFirstOrThrow()
  assert.equal(row.budget, total, 'the approved budget, although there is one more player now')
})

test('staff can give to one eligible player and withdraw the gift, but not give to themselves', async () => {
  const ana = await createReceiver()
  const user_id = await readUserId(ana)
  const response = await writeLetter({ to: 'player', user_id, gift: 'item', gift_item: 1, gift_quantity: 2 })
  assert.equal(response.status, 200, response.text)
  const { letter } = response.json()
  const withdraw = () => gm.post('/api/admin/letters/withdraw-gift', { letter })
  assert.equal((await withdraw()).status, 200)
  assertRefused(await withdraw(), 409)
  assertRefused(await claim(ana, letter), 409)
  await db.deleteFrom('characters').where('user_num', '=', ana.userNum).execute()
  assertRefused(await writeLetter({ to: 'player', user_id, gift: 'r_coin', gift_amount: 2 }), 422)
  assertRefused(await writeLetter({ to: 'player', user_id: 'gm', gift: 'r_coin', gift_amount: 2 }), 403)
  assertRefused(await writeLetter({ to: 'player', user_id, gift: 'item', gift_item: 999_999, gift_quantity: 1 }), 422)
  assertRefused(await writeLetter({ to: 'player', user_id, gift: 'milleage' }), 422)
})

test('requires a separate permission and a confirmation for a letter with a gift', async () => {
  const ana = await createReceiver()
  const user_id = await readUserId(ana)
  const to = { to: 'player', user_id }
  const gift = { gift: 'r_coin', gift_amount: 100_000 }
  const writer = await createOperator(site, await createRole(site, 'letters.send'))
  const giver = await createOperator(site, await createRole(site, 'letters.send', 'letters.gift'))
  assert.equal((await writeLetter(to, writer)).status, 200)
  const response = await writeLetter({ ...to, ...gift }, writer)
  assertRefused(response, 403)
  assert.equal(response.json().reason, 'no-permission')
  assert.equal((await writeLetter({ ...to, ...gift, gift_amount: 10 }, giver)).status, 200)
  await db.updateTable('sessions').set({ confirmed_at: null }).where('user_num', '=', giver.user.UserNum).execute()
  const unconfirmedResponse = await writeLetter({ ...to, ...gift }, giver)
  assertRefused(unconfirmedResponse, 403)
  assert.equal(unconfirmedResponse.json().reason, 'sudo')
  assert.equal((await writeLetter(to, giver)).status, 200)
})

/** A level that no other character has. */
const RARE_LEVEL = 913

test('counts items at their usual price, once for each recipient', async () => {
  const giver = await createOperator(site, 'owner')
  const ana = await createReceiver({ level: RARE_LEVEL })
  await createReceiver({ level: RARE_LEVEL })
  const item = await insertItem(db, { price: 1000 })
  await db.updateTable('shop_items').set({ price: 600, sale_price: 1 }).where('product_num', '=', item).execute()
  const gift = { gift: 'item', gift_item: item, gift_quantity: 3 }
  const audience = { to: 'levels', level_from: RARE_LEVEL, level_to: RARE_LEVEL }
  assert.deepEqual(await countRecipients({ ...audience, ...gift }), {
    recipients: 2,
    each: 3000,
    total: 6000,
  })
  const readCountedAmount = async () => {
    const rows = await db
      .selectFrom('staff_spending')
      .where('kind', '=', 'gift')
      .select('amount')
      .orderBy('entry')
      .execute()
    return rows.at(-1)?.amount
  }
  const giftFields = { ...audience, ...gift, gift_budget: 6000 }
  assert.equal((await writeLetter(giftFields, giver)).status, 200)
  assert.equal(await readCountedAmount(), 6000)
  assert.equal((await writeLetter({ to: 'player', user_id: await readUserId(ana), ...gift }, giver)).status, 200)
  assert.equal(await readCountedAmount(), 3000)
  assertRefused(await writeLetter({ ...giftFields, gift_budget: 2999 }, giver), 422)
})
