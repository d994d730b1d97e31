import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RECOVERY_TEXTS } from '#contract/accounts.ts'
import { DAY_MS, HOUR_MS } from '#contract/durations.ts'
import { NO_MAIL_SERVER } from '#contract/errors.ts'
import { SHOP_TEXTS } from '#contract/shop.ts'
import { assertRefused, createPlayer, findLinkToken, selectMailsTo, tryLogin } from '#test/account-helpers.ts'
import { createOperator } from '#test/desk-helpers.ts'
import { addAuthenticatorApp } from '#test/factor-helpers.ts'
import { insertCharacter, updateRows } from '#test/factories.ts'
import { createTestApp } from '#test/helpers.ts'
import { insertItem } from '#test/money-helpers.ts'

const site = await createTestApp({ env: { RATE_LIMIT: 'off' } })
const { db, clock } = site
const reason = 'Asked in a ticket.'
const parol = await insertItem(db, { item_name: 'Parol of Help', price: 1 })
const capsule = await db.selectFrom('capsules').where('visible', '=', true).selectAll().executeTakeFirstOrThrow()

/** Creates a player with money, an old account and a verified address. */
async function createRichPlayer() {
  const player = await createPlayer(site)
  const since = new Date(clock.now().getTime() - 60 * DAY_MS)
  await updateRows(
    db,
    'accounts',
    { user_num: player.user.UserNum },
    { r_coin: 100_000, milleage: 100_000, created_at: since, email_verified_at: since },
  )
  await insertCharacter(db, {
    user_num: player.user.UserNum,
    cha_name: `Mayaman${player.user.UserNum}`,
    known_since: since,
  })
  return player
}
type RichPlayer = Awaited<ReturnType<typeof createRichPlayer>>

/** Creates a member of support who has just confirmed who they are. */
const createSupport = () => createOperator(site, 'support')
const requestHelp = async (name: string, body: object) =>
  (await createSupport()).post(`/api/admin/players/${name}`, body)
const giveHelp = async (name: string, body: object) => {
  const answer = await requestHelp(name, body)
  assert.equal(answer.status, 200, answer.text)
}

/** Tries each way to spend money. @returns the responses */
const spendMoney = async (player: Pick<RichPlayer, 'post'>, friend: RichPlayer) => {
  await player.post(`/api/addtocart?productnum=${parol}`)
  return [
    await player.post(`/api/buyitem?productnum=${parol}`),
    await player.post('/api/buycartitem'),
    await player.post('/api/drawcapsule', { capsule: capsule.capsule, version: capsule.version }),
    await player.post('/api/buygift', { productnum: parol, user_id: friend.form.userId, note: '' }),
  ]
}
const logIn = async (id: string, password: string) => {
  const { token } = await tryLogin(site, id, password)
  assert.ok(token !== null)
  const headers = { Authorization: `Bearer ${token}` }
  return {
    post: (path: string, body: unknown = {}) => site.post(path, body, headers),
    get: (path: string) => site.get(path, headers),
  }
}
const stopHelp = (token: string) => site.post('/api/undoemail', { token })
const readFreezeEnd = async ({ user }: RichPlayer) => {
  const row = await db
    .selectFrom('accounts')
    .where('user_num', '=', user.UserNum)
    .select('frozen_until')
    .executeTakeFirst()
  return row?.frozen_until ?? null
}

test('after support changed the address, it gets no reset link and the account cannot spend', async () => {
  const [player, friend] = [await createRichPlayer(), await createRichPlayer()]
  const user_num = player.user.UserNum
  await giveHelp('change-email', { user_num, from: player.form.userEmail, email: 'accomplice@example.net', reason })
  assertRefused(await requestHelp('reset', { user_num, reason }), 409)
  await giveHelp('confirm-email', { user_num, email: 'accomplice@example.net', reason })
  await site.post('/api/findPassword', { findPWID: player.form.userId, findPWEmail: 'accomplice@example.net' })
  const mails = await selectMailsTo(site, 'accomplice@example.net')
  assert.deepEqual(
    mails.filter(({ body_text }) => /resetpassword\?token|undoemail\?token/.test(body_text)),
    [],
  )
  const thief = await logIn(player.form.userId, player.form.userPassword)
  for (const answer of await spendMoney(thief, friend)) assertRefused(answer, 409, SHOP_TEXTS.frozen)
  assert.equal((await thief.post('/api/processCoupon', { CouponCode: 'NOT-A-CODE' })).status, 422)

  // The link to the former address restores everything and logs the stranger out.
  assert.equal(
    (await stopHelp(await findLinkToken(site, player.form.userEmail, 'Your email address was changed'))).status,
    200,
  )
  assert.equal((await thief.get('/api/user')).status, 401)
  assert.equal(await readFreezeEnd(player), null)
  const token = await findLinkToken(site, player.form.userEmail, 'Set a new password')
  assert.equal((await site.post('/api/resetpassword', { token, NewUserPass: 'bagong-buhay' })).status, 200)
  const newSession = await logIn(player.form.userId, 'bagong-buhay')
  for (const answer of await spendMoney(newSession, friend)) assert.equal(answer.status, 200, answer.text)
})

test('without a mail server, the operator sees that the emails are not delivered', async () => {
  const user_num = (await createRichPlayer()).user.UserNum
  const link = await requestHelp('reset', { user_num, reason })
  assert.equal(link.json().message, `The link is only saved as a file. ${NO_MAIL_SERVER}`)
  const { user, form } = await createRichPlayer()
  const change = { user_num: user.UserNum, from: form.userEmail, email: 'bago@example.net', reason }
  const response = await requestHelp('change-email', change)
  assert.equal(response.json().message, `The address has been changed. ${NO_MAIL_SERVER}`)
})

test('an account can spend again a day after the help, and the desk shows the end of the freeze', async () => {
  const [player, friend] = [await createRichPlayer(), await createRichPlayer()]
  const user_num = player.user.UserNum
  await giveHelp('reset', { user_num, reason })
  const until = new Date(clock.now().getTime() + DAY_MS)
  assert.deepEqual(await readFreezeEnd(player), until)
  const page = (await (await createSupport()).get(`/api/admin/players/page?user_num=${user_num}`)).json().player
  assert.equal(page.frozen_until, until.toISOString())
  assertRefused(await requestHelp('reset', { user_num, reason }), 409)
  for (const answer of await spendMoney(player, friend)) assertRefused(answer, 409, SHOP_TEXTS.frozen)
  clock.advance(DAY_MS - HOUR_MS)
  const session = await logIn(player.form.userId, player.form.userPassword)
  for (const answer of await spendMoney(session, friend)) assertRefused(answer, 409, SHOP_TEXTS.frozen)
  clock.advance(HOUR_MS)
  for (const answer of await spendMoney(session, friend)) assert.equal(answer.status, 200, answer.text)
  await giveHelp('reset', { user_num, reason })
})

test('a player can stop a reset or the removal of factors that they did not request', async () => {
  const player = await createRichPlayer()
  const user_num = player.user.UserNum
  await addAuthenticatorApp(site, player)
  await giveHelp('remove-factors', { user_num, reason })
  assert.notEqual(await readFreezeEnd(player), null)
  const thief = await logIn(player.form.userId, player.form.userPassword)
  const token = await findLinkToken(site, player.form.userEmail, 'Support helped with your account')
  assert.equal((await stopHelp(token)).status, 200)
  assert.equal((await thief.get('/api/user')).status, 401)
  assert.equal(await readFreezeEnd(player), null)
  assert.equal((await tryLogin(site, player.form.userId, player.form.userPassword)).token, null)
  const kinds = await db.selectFrom('account_events').where('user_num', '=', user_num).select('kind').execute()
  assert.ok(kinds.some(({ kind }) => kind === 'help-stopped'))

  const otherPlayer = await createRichPlayer()
  await giveHelp('reset', { user_num: otherPlayer.user.UserNum, reason })
  const resetToken = await findLinkToken(site, otherPlayer.form.userEmail, 'Set a new password')
  assert.equal(
    (await stopHelp(await findLinkToken(site, otherPlayer.form.userEmail, 'Support helped with'))).status,
    200,
  )
  assertRefused(await site.post('/api/resetpassword', { token: resetToken, NewUserPass: 'ninakaw-ko' }), 422)
})

test('an address that staff set during the help cannot end the freeze', async () => {
  const player = await createRichPlayer()
  const user_num = player.user.UserNum
  const change = (from: string, email: string) => giveHelp('change-email', { user_num, from, email, reason })
  await change(player.form.userEmail, 'first-thief@example.net')
  await change('first-thief@example.net', 'second-thief@example.net')
  const link = await findLinkToken(site, 'first-thief@example.net', 'Your email address was changed')
  for (const answer of [await stopHelp(link), await stopHelp(link)])
    assert.deepEqual([answer.status, answer.json().message], [200, RECOVERY_TEXTS.undoneFrozen])
  assert.notEqual(await readFreezeEnd(player), null)
  const mails = await selectMailsTo(site, 'first-thief@example.net')
  assert.ok(!mails.some(({ body_text }) => body_text.includes('resetpassword?token')))
  site.clock.advance(DAY_MS + 1)
  assert.equal((await stopHelp(link)).json().message, RECOVERY_TEXTS.undoneEarlier)
  site.clock.advance(-DAY_MS - 1)
  assert.equal(
    (await stopHelp(await findLinkToken(site, player.form.userEmail, 'Your email address was changed'))).status,
    200,
  )
  assert.equal(await readFreezeEnd(player), null)
})

test('a purchase concurrent with help either completes before it or is refused', async () => {
  const player = await createRichPlayer()
  const support = await createSupport()
  const answers = await Promise.all([
    support.post('/api/admin/players/reset', { user_num: player.user.UserNum, reason }),
    ...Array.from({ length: 4 }, () => player.post(`/api/buyitem?productnum=${parol}`)),
  ])
  const [resetResponse, ...purchaseResponses] = answers
  assert.equal(resetResponse?.status, 200, resetResponse?.text)
  for (const answer of purchaseResponses) if (answer.status !== 200) assertRefused(answer, 409, SHOP_TEXTS.frozen)
  assertRefused(await player.post(`/api/buyitem?productnum=${parol}`), 409, SHOP_TEXTS.frozen)
})
