import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RECOVERY_TEXTS, REGISTRATION_TEXTS } from '#contract/accounts.ts'
import { RESET_LINK_LIFETIME_MS, UNDO_EMAIL_LINK_LIFETIME_MS } from '#contract/limits.ts'
import { LOGIN_ANSWERS } from '#contract/messages.ts'
import { LIMITS } from '#contract/request-limits.ts'
import { runCleanUp } from '#server/clean-ups.ts'
import {
  assertRefused,
  createPlayer,
  createRegistration,
  findLinkToken,
  logInAs,
  type Player,
  registerPlayer,
  selectMailsTo,
  tryLogin,
} from '#test/account-helpers.ts'
import { addAuthenticatorApp } from '#test/factor-helpers.ts'
import { insertRows } from '#test/factories.ts'
import { changeSettings, createTestApp } from '#test/helpers.ts'

const site = await createTestApp()

const PASSWORD = 'bayani-7'
const CHANGE_SUBJECT = 'Your email address was changed'

let addressCount = 0
const createAddress = () => `lipat${++addressCount}@example.net`

function postAddress(player: Player, UserEmail: string) {
  const details = { UserPass: PASSWORD, UserPass2: '', UserEmail, NameFirst: 'A', NameLast: 'B', PhoneNumber: '' }
  return player.post('/api/updateuserdetails', { ...player.owner, ...details })
}

/** Logs in as the player, and requests another address. */
const requestAddressChange = async (userId: string, email: string) =>
  postAddress(await logInAs(site, userId, PASSWORD), email)

async function changeAddress(userId: string, email: string): Promise<void> {
  const answer = await requestAddressChange(userId, email)
  assert.equal(answer.status, 200, answer.text)
}

const undo = (token: unknown) => site.post('/api/undoemail', { token })
const register = (userEmail: string) => site.post('/api/register', createRegistration({ userEmail }))
const readAccount = (player: Player) =>
  site.db.selectFrom('accounts').where('user_num', '=', player.user.UserNum).selectAll().executeTakeFirstOrThrow()

/** Creates a player whose address a thief changed. @returns the player, both addresses, and the token to undo it */
async function createTakenOverPlayer() {
  const player = await createPlayer(site)
  const [formerAddress, newAddress] = [player.form.userEmail, createAddress()]
  await changeAddress(player.form.userId, newAddress)
  return { player, formerAddress, newAddress, token: await findLinkToken(site, formerAddress, CHANGE_SUBJECT) }
}

test('notifies the former address of a change, with a link to a page that undoes it', async () => {
  const { formerAddress, newAddress } = await createTakenOverPlayer()
  const mail = (await selectMailsTo(site, formerAddress)).at(-1)
  assert.equal(mail?.subject, `${CHANGE_SUBJECT} | Tambayan Online`)
  assert.match(mail?.body_text ?? '', /^https:\/\/play\.example\.ph\/undoemail\?token=[\w-]{32}$/m)
  assert.match(mail?.body_text ?? '', /within 7 days/)
  assert.doesNotMatch(mail?.body_text ?? '', new RegExp(newAddress), 'it does not contain the new address')
})

test('opening the link changes nothing, because mail scanners open links too', async () => {
  const { player, newAddress, token } = await createTakenOverPlayer()
  await site.get(`/undoemail?token=${token}`)
  assert.equal((await site.get(`/api/undoemail?token=${token}`)).status, 404)
  assert.equal((await readAccount(player)).user_email, newAddress)
})

test('undoing restores the address, ends every session, and requires a new password', async () => {
  const { player, formerAddress, token } = await createTakenOverPlayer()
  const thief = await logInAs(site, player.form.userId, PASSWORD)
  const answer = await undo(token)
  assert.deepEqual([answer.status, answer.json()], [200, { message: RECOVERY_TEXTS.undone }])
  assertRefused(await thief.get('/api/user'), 401)
  const refusal = { user: null, token: null, message: LOGIN_ANSWERS.wrong, status: 2 }
  assert.deepEqual(await tryLogin(site, player.form.userId, PASSWORD), refusal)

  const resetToken = await findLinkToken(site, formerAddress, 'Set a new password')
  assert.equal((await site.post('/api/resetpassword', { token: resetToken, NewUserPass: 'akin-na-uli' })).status, 200)
  const newSession = await logInAs(site, player.form.userId, 'akin-na-uli')
  assert.equal(newSession.user.UserEmail, formerAddress)
  assert.equal(newSession.user.email_verified_at, site.clock.now().toISOString())
  const kinds = (await newSession.get('/api/account-history')).json().data.map(({ kind }: { kind: string }) => kind)
  assert.ok(kinds.includes('email-restored'))
})

test('“find password” works for the restored address after the undo’s reset link has expired', async () => {
  const { player, formerAddress, token } = await createTakenOverPlayer()
  await undo(token)
  site.clock.advance(RESET_LINK_LIFETIME_MS + 1)
  await site.post('/api/findPassword', { findPWID: player.form.userId, findPWEmail: formerAddress })
  const resetToken = await findLinkToken(site, formerAddress, 'Set a new password')
  assert.equal((await site.post('/api/resetpassword', { token: resetToken, NewUserPass: 'akin-na-uli' })).status, 200)
})

test('undoing voids the links that reset the password or verify an address', async () => {
  const { player, newAddress, token } = await createTakenOverPlayer()
  await site.post('/api/findPassword', { findPWID: player.form.userId, findPWEmail: newAddress })
  const resetToken = await findLinkToken(site, newAddress, 'Set a new password')
  const verifyToken = await findLinkToken(site, newAddress, 'Verify')
  await undo(token)
  assertRefused(await site.post('/api/resetpassword', { token: resetToken, NewUserPass: 'magnanakaw' }), 422)
  assert.equal((await site.post(`/verifyemail?token=${verifyToken}`, {})).headers.get('Location'), '/login?verified=0')
})

test('accepts a link for seven days; a repeated use changes nothing and returns the same answer', async () => {
  const { player, formerAddress, token } = await createTakenOverPlayer()
  site.clock.advance(UNDO_EMAIL_LINK_LIFETIME_MS - 1)
  const answers = await Promise.all(Array.from({ length: 5 }, () => undo(token)))
  for (const answer of answers) assert.deepEqual([answer.status, answer.json().message], [200, RECOVERY_TEXTS.undone])
  const resetMails = (await selectMailsTo(site, formerAddress)).filter(({ subject }) =>
    subject.startsWith('Set a new password'),
  )
  assert.equal(resetMails.length, 1)
  assert.equal((await readAccount(player)).user_email, formerAddress)

  const lateCase = await createTakenOverPlayer()
  site.clock.advance(UNDO_EMAIL_LINK_LIFETIME_MS)
  assertRefused(await undo(lateCase.token), 422, RECOVERY_TEXTS.undoDead)
  assert.equal((await readAccount(lateCase.player)).user_email, lateCase.newAddress)
})

test('links of another kind, unknown links and incomplete links undo nothing', async () => {
  const { player, newAddress, token } = await createTakenOverPlayer()
  const verifyToken = await findLinkToken(site, newAddress, 'Verify')
  for (const badToken of [
    verifyToken,
    'x',
    token.slice(1),
    token.toLowerCase(),
    '\0',
    'x'.repeat(201),
    '',
    null,
    7,
    undefined,
  ])
    assertRefused(await undo(badToken), 422, RECOVERY_TEXTS.undoDead)
  assert.equal((await readAccount(player)).user_email, newAddress)
})

test('reserves the former address for seven days, in upper and lower case', async () => {
  const { player, formerAddress } = await createTakenOverPlayer()
  const otherForm = await registerPlayer(site)
  const reservedAddress = formerAddress.toUpperCase()
  const response = await register(reservedAddress)
  assertRefused(response, 422, REGISTRATION_TEXTS.emailTaken)
  assert.deepEqual(response.json()['form-error'], { userEmail: [REGISTRATION_TEXTS.emailTaken] })
  assertRefused(await requestAddressChange(otherForm.userId, reservedAddress), 422, REGISTRATION_TEXTS.emailTaken)
  const responses = await Promise.all(Array.from({ length: 5 }, () => register(formerAddress)))
  for (const answer of responses) assertRefused(answer, 422, REGISTRATION_TEXTS.emailTaken)

  site.clock.advance(UNDO_EMAIL_LINK_LIFETIME_MS)
  assert.equal((await requestAddressChange(otherForm.userId, reservedAddress)).status, 200)
  assert.notEqual((await readAccount(player)).user_email, formerAddress)
})

test('an address can be registered again after seven days, also when expired links were deleted', async () => {
  const [firstCase, secondCase] = [await createTakenOverPlayer(), await createTakenOverPlayer()]
  site.clock.advance(UNDO_EMAIL_LINK_LIFETIME_MS)
  assert.equal((await register(firstCase.formerAddress)).status, 200)
  await runCleanUp(site.db, 'mailed links', site.clock.now())
  assert.equal((await register(secondCase.formerAddress)).status, 200)
})

test('the database refuses a concurrent registration with the reserved address', async () => {
  const { formerAddress } = await createTakenOverPlayer()
  const values = { user_id: 'overtaker', user_email: formerAddress, password_hash: '!', secret_answer_hash: '!' }
  const insertion = insertRows(site.db, 'accounts', { ...values, first_name: 'A', last_name: 'B', secret_question: 1 })
  await assert.rejects(insertion, { code: '23505', constraint: 'accounts_user_email_key' })
})

test('a second change does not shorten the first undo, which restores the first address', async () => {
  const { player, formerAddress, newAddress, token: firstToken } = await createTakenOverPlayer()
  site.clock.advance(UNDO_EMAIL_LINK_LIFETIME_MS / 2)
  const thirdAddress = createAddress()
  await changeAddress(player.form.userId, thirdAddress)
  const secondToken = await findLinkToken(site, newAddress, CHANGE_SUBJECT)
  site.clock.advance(UNDO_EMAIL_LINK_LIFETIME_MS / 2 - 1)
  assertRefused(await register(formerAddress), 422, REGISTRATION_TEXTS.emailTaken)
  assert.equal((await undo(firstToken)).status, 200)
  assert.equal((await readAccount(player)).user_email, formerAddress)
  assertRefused(await undo(secondToken), 422, RECOVERY_TEXTS.undoDead)
  assert.equal((await register(thirdAddress)).status, 200, 'the address that the undo left is free')
  assert.equal((await register(newAddress)).status, 200)
})

test('undoing the second change does not stop the player from undoing the first', async () => {
  const { player, formerAddress, newAddress, token: firstToken } = await createTakenOverPlayer()
  await changeAddress(player.form.userId, createAddress())
  assert.equal((await undo(await findLinkToken(site, newAddress, CHANGE_SUBJECT))).status, 200)
  assert.equal((await readAccount(player)).user_email, newAddress)
  const stolenToken = await findLinkToken(site, newAddress, 'Set a new password')
  assert.equal((await undo(firstToken)).status, 200)
  assert.equal((await readAccount(player)).user_email, formerAddress)
  assertRefused(await site.post('/api/resetpassword', { token: stolenToken, NewUserPass: 'magnanakaw' }), 422)
})

test('undoing a change removes the second factors added after it and leaves the earlier ones', async () => {
  const { player, formerAddress, token } = await createTakenOverPlayer()
  await addAuthenticatorApp(site, await logInAs(site, player.form.userId, PASSWORD))
  assert.equal((await undo(token)).status, 200)
  assert.match(
    (await selectMailsTo(site, formerAddress)).at(-1)?.body_text ?? '',
    /Second factors .* have been removed/,
  )
  const resetToken = await findLinkToken(site, formerAddress, 'Set a new password')
  await site.post('/api/resetpassword', { token: resetToken, NewUserPass: 'akin-na-uli' })
  assert.equal((await tryLogin(site, player.form.userId, 'akin-na-uli')).status, 1)

  const carefulPlayer = await createPlayer(site)
  const app = await addAuthenticatorApp(site, carefulPlayer)
  site.clock.advance(60_000)
  const response = await postAddress(carefulPlayer, createAddress())
  assert.equal(response.status, 200, response.text)
  await undo(await findLinkToken(site, carefulPlayer.form.userEmail, CHANGE_SUBJECT))
  const factors = site.db
    .selectFrom('account_factors')
    .where('user_num', '=', carefulPlayer.user.UserNum)
    .select('factor')
  assert.deepEqual(await factors.execute(), [{ factor: app.id }])
})

test('does not let a thief undo the player’s return to the former address', async () => {
  const { player, formerAddress, newAddress } = await createTakenOverPlayer()
  site.clock.advance(UNDO_EMAIL_LINK_LIFETIME_MS - 1)
  await changeAddress(player.form.userId, formerAddress)
  const mail = (await selectMailsTo(site, newAddress)).at(-1)
  assert.match(mail?.subject ?? '', new RegExp(CHANGE_SUBJECT))
  assert.doesNotMatch(mail?.body_text ?? '', /undoemail/)
  assert.equal((await register(newAddress)).status, 200)
  assert.equal((await readAccount(player)).user_email, formerAddress)
})

test('sends no email if the address stays the same or changes only its case', async () => {
  const player = await createPlayer(site)
  await changeAddress(player.form.userId, player.form.userEmail)
  await changeAddress(player.form.userId, player.form.userEmail.toUpperCase())
  const subjects = (await selectMailsTo(site, player.form.userEmail)).map(({ subject }) => subject)
  assert.ok(subjects.every((subject) => !subject.startsWith(CHANGE_SUBJECT)))
})

test('an account changes its address at most five times a day', async () => {
  const player = await createPlayer(site)
  const { max, windowMs } = LIMITS.emailChanges
  for (let change = 0; change < max; change++) await changeAddress(player.form.userId, createAddress())
  assertRefused(await requestAddressChange(player.form.userId, createAddress()), 429)
  site.clock.advance(windowMs)
  await changeAddress(player.form.userId, createAddress())
})

test('a mistyped address does not lock the player out while its change can be undone', async () => {
  const player = await createPlayer(site)
  const { userId, userEmail } = player.form
  await site.post(`/verifyemail?token=${await findLinkToken(site, userEmail, 'Verify')}`, {})
  await changeSettings(site, { require_verified_email: true })
  try {
    await changeAddress(userId, 'tipo@exmaple.net')
    site.clock.advance(UNDO_EMAIL_LINK_LIFETIME_MS - 1)
    assert.equal((await tryLogin(site, userId, PASSWORD)).status, 1)
    site.clock.advance(1)
    assert.equal((await tryLogin(site, userId, PASSWORD)).status, 5)
    assert.equal(
      (await tryLogin(site, (await registerPlayer(site)).userId, PASSWORD)).status,
      5,
      'new accounts must verify',
    )
  } finally {
    await changeSettings(site, { require_verified_email: false })
  }
})
