import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { PASSWORD_TEXTS } from '#contract/accounts.ts'
import type { listActivity } from '#contract/activity.ts'
import { DAY_MS } from '#contract/durations.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { FACTOR_TEXTS } from '#contract/factors.ts'
import { IRREVERSIBLE_AFTER_MS } from '#contract/limits.ts'
import { toManilaDay } from '#contract/manila.ts'
import { DELETION_BLOCKS } from '#contract/my-data.ts'
import { eraseDueAccounts } from '#server/features/players/erasures.ts'
import { assertRefused, createPlayer, openPlayerSession, selectMailsTo, tryLogin } from '#test/account-helpers.ts'
import { createOperator, createRole } from '#test/desk-helpers.ts'
import { addAuthenticatorApp, addPasskey } from '#test/factor-helpers.ts'
import { insertCharacter, insertRows } from '#test/factories.ts'
import { changeSettings, createTestApp } from '#test/helpers.ts'

const site = await createTestApp({ env: { RATE_LIMIT: 'off' } })
const { db, clock } = site
await changeSettings(site, { require_staff_factor: false })

type TestPlayer = Awaited<ReturnType<typeof createPlayer>>

const getProof = ({ form }: TestPlayer) => ({ UserPass: form.userPassword, secretAnswer: form.secretAnswer })
const copyData = (player: TestPlayer, change = {}) =>
  player.post('/api/my-data/copy', { ...getProof(player), ...change })
const requestDeletion = (player: TestPlayer, change = {}) =>
  player.post('/api/my-data/delete', { typed_user_id: player.user.UserID, ...getProof(player), ...change })
const readMyData = async (player: TestPlayer) => (await player.get('/api/my-data')).json()
const hasMail = async (player: TestPlayer, subject: string) =>
  (await selectMailsTo(site, player.form.userEmail)).some((mail) => mail.subject.includes(subject))

test('gives a player an uncached copy of their data once a day, and notifies them by mail', async () => {
  const player = await createPlayer(site)
  await insertCharacter(db, { user_num: player.user.UserNum, cha_name: 'Makisig' })
  const answer = await copyData(player)
  assert.equal(answer.status, 200, answer.text)
  assert.equal(answer.headers.get('cache-control'), 'private, no-store')
  const data = JSON.parse(answer.text)
  assert.equal(data.account.user_id, player.user.UserID)
  assert.equal(data.characters[0].cha_name, 'Makisig')
  assert.ok(await hasMail(player, 'Your data was downloaded'))
  assertRefused(await copyData(player), 409)
  assert.equal((await readMyData(player)).next_copy_at, new Date(clock.now().getTime() + DAY_MS).toISOString())
})

test('a player can hide the characters of the account from the activity', async () => {
  const player = await createPlayer(site)
  const otherPlayer = await createPlayer(site)
  const ownCharacter = await insertCharacter(db, { user_num: player.user.UserNum, cha_level: 40 })
  const otherCharacter = await insertCharacter(db, { user_num: otherPlayer.user.UserNum, cha_level: 40 })
  for (const cha_num of [ownCharacter, otherCharacter])
    await insertRows(db, 'activity', { kind: 'level', day: toManilaDay(clock.now()), cha_num, level: 40 })
  const listShownCharacters = async () => {
    const { data } = (await site.get('/api/activity')).json() as CallOutput<typeof listActivity>
    return data
      .flatMap((row) => ('character' in row ? [row.character.ChaNum] : []))
      .filter((n) => n === ownCharacter || n === otherCharacter)
  }
  /** Waits until the notification of the change has invalidated cached responses. */
  const waitForCharacters = async (characters: number[]) => {
    for (let attempt = 0; attempt < 40 && (await listShownCharacters()).join() !== characters.join(); attempt++)
      await setTimeout(50)
    assert.deepEqual(await listShownCharacters(), characters)
  }
  await waitForCharacters([otherCharacter, ownCharacter])
  assert.equal((await readMyData(player)).left_out, false)
  assert.equal((await player.post('/api/my-data/left-out', { left_out: true })).status, 200)
  await waitForCharacters([otherCharacter])
  assert.equal((await readMyData(player)).left_out, true)
  await player.post('/api/my-data/left-out', { left_out: false })
  await waitForCharacters([otherCharacter, ownCharacter])
})

test('requires the password and the secret answer, or a code if there is a second factor', async () => {
  const player = await createPlayer(site)
  assertRefused(await copyData(player, { UserPass: 'wrong-one' }), 422)
  assertRefused(await copyData(player, { secretAnswer: 'wrong' }), 422)
  assertRefused(await requestDeletion(player, { secretAnswer: '' }), 422)
  const app = await addAuthenticatorApp(site, player)
  assert.equal((await readMyData(player)).has_factor, true)
  assertRefused(await copyData(player), 422)
  assertRefused(await copyData(player, { code: '000000' }), 422)
  const [code = ''] = app.recoveryCodes
  assert.equal((await copyData(player, { code, secretAnswer: '' })).status, 200)
  assertRefused(await requestDeletion(player, { code }), 422, 'This code is not correct. Please try again.')
})

test('accepts a passkey that verifies its user instead of a code, once, with the password', async () => {
  const player = await createPlayer(site)
  const passkey = await addPasskey(site, player)
  const createAssertion = async (changes = {}) => {
    const { options } = (await player.post('/api/confirmidentity/options')).json()
    return passkey.assert(options.challenge, changes)
  }
  const proof = { secretAnswer: '' }
  assertRefused(await copyData(player, { ...proof, assertion: {} }), 422, FACTOR_TEXTS.wrongPasskey)
  assertRefused(
    await copyData(player, { ...proof, assertion: await createAssertion({ verified: false }) }),
    422,
    FACTOR_TEXTS.wrongPasskey,
  )
  assertRefused(await copyData(player, { ...proof, UserPass: 'wrong-one', assertion: await createAssertion() }), 422)
  const assertion = await createAssertion()
  assert.equal((await copyData(player, { ...proof, assertion })).status, 200)
  assertRefused(await requestDeletion(player, { ...proof, assertion }), 422, FACTOR_TEXTS.wrongPasskey)
  assert.equal((await requestDeletion(player, { ...proof, assertion: await createAssertion() })).status, 200)
})

test('refuses a passkey for an account without passkeys', async () => {
  const player = await createPlayer(site)
  assertRefused(await copyData(player, { secretAnswer: '', assertion: {} }), 422, PASSWORD_TEXTS.secretAnswerWrong)
})

test('a copy contains no data of staff or of other players', async () => {
  const [player, otherPlayer] = [await createPlayer(site), await createPlayer(site, { userFirstName: 'Hanapin' })]
  const operator = await createOperator(site, await createRole(site, 'players.read'))
  await db
    .insertInto('account_notes')
    .values({
      user_num: player.user.UserNum,
      body: 'A secret note',
      written_by: operator.user.UserNum,
      written_at: clock.now(),
    })
    .execute()
  const { text } = await copyData(player)
  for (const hiddenText of ['A secret note', otherPlayer.user.UserID, 'Hanapin', operator.user.UserID, 'argon2'])
    assert.ok(!text.includes(hiddenText), hiddenText)
})

test('a deletion request locks the account and erases it after seven days, unless withdrawn', async () => {
  const player = await createPlayer(site)
  assertRefused(await requestDeletion(player, { typed_user_id: 'juan' }), 422, 'This is not your user ID.')
  const answer = await requestDeletion(player)
  assert.equal(answer.status, 200, answer.text)
  const dueAt = new Date(clock.now().getTime() + IRREVERSIBLE_AFTER_MS)
  assert.equal(answer.json().erasure_due_at, dueAt.toISOString())
  assertRefused(await player.get('/api/my-data'), 401)
  assert.ok(await hasMail(player, 'Your account will be erased'))
  const { userId: UserID, userPassword: UserPass } = player.form
  assert.equal((await tryLogin(site, UserID, UserPass)).status, 3)
  const loginResponse = await site.post('/api/processlogin', { UserID, UserPass, keepAccount: true })
  const { token } = loginResponse.json().data
  assert.ok(token !== null)
  const returningPlayer = { ...player, ...(await openPlayerSession(site, player.user.UserNum)) }
  assertRefused(await requestDeletion(returningPlayer), 409, 'You can request a deletion once in 30 days.')
  clock.advance(30 * DAY_MS)
  const laterPlayer = { ...player, ...(await openPlayerSession(site, player.user.UserNum)) }
  assert.equal((await requestDeletion(laterPlayer)).status, 200)
  await eraseDueAccounts(db, new Date(clock.now().getTime() + IRREVERSIBLE_AFTER_MS))
  const account = db.selectFrom('accounts').where('user_num', '=', player.user.UserNum).select('erased_at')
  assert.notEqual((await account.executeTakeFirstOrThrow()).erased_at, null)
})

test('refuses a deletion for staff, and during an appeal or an approval request', async () => {
  const operator = await createOperator(site, await createRole(site, 'players.read'))
  assertRefused(await requestDeletion(operator), 409, DELETION_BLOCKS.staff)
  const player = await createPlayer(site)
  const user_num = player.user.UserNum
  const block = await db
    .insertInto('account_blocks')
    .values({ user_num, reason: 'Test', starts_at: new Date(clock.now().getTime() - DAY_MS), lifted_at: clock.now() })
    .returning('block')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('block_appeals')
    .values({ user_num, block: block.block, text: 'Please', made_at: clock.now() })
    .execute()
  assert.deepEqual((await readMyData(player)).blocks, ['appeal'])
  assertRefused(await requestDeletion(player), 409, DELETION_BLOCKS.appeal)
  await db.deleteFrom('block_appeals').where('user_num', '=', user_num).execute()
  await db
    .insertInto('approvals')
    .values({
      call: 'POST /admin/test',
      input: '{}',
      content_hash: 'x',
      kind: 'test',
      summary: 'Test',
      only_owner: false,
      accounts: [user_num],
      requested_by: operator.user.UserNum,
      requested_at: clock.now(),
      expires_at: new Date(clock.now().getTime() + DAY_MS),
    })
    .execute()
  assertRefused(await requestDeletion(player), 409, DELETION_BLOCKS.approval)
  clock.advance(2 * DAY_MS)
  assert.deepEqual((await readMyData({ ...player, ...(await openPlayerSession(site, user_num)) })).blocks, [])
})
