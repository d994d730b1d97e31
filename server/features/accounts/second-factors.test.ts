import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FACTOR_TEXTS } from '#contract/factors.ts'
import { CONFIRMATION_VALID_MS, FACTOR_CEREMONY_LIFETIME_MS, PASSKEYS_MAX } from '#contract/limits.ts'
import { assertRefused, createPlayer, logInAs, selectMailsTo, tryLogin } from '#test/account-helpers.ts'
import { createAuthenticator } from '#test/authenticator.ts'
import { addAuthenticatorApp, addPasskey, generateCode, hasFactor, tryFactor } from '#test/factor-helpers.ts'
import { changeSettings, createTestApp } from '#test/helpers.ts'
import type { LoginAnswer } from './login.ts'
import { insertSession, selectAccount } from './queries.ts'
import { removeLostFactors } from './second-factors.ts'

const site = await createTestApp()

const readFactors = async (player: { get: (path: string) => Promise<{ json: () => unknown }> }) =>
  (await player.get('/api/factors')).json() as {
    factors: { id: number; kind: string; name: string; last_used_at: string | null }[]
    recovery_codes_left: number
    passkeys_offered: boolean
    confirmed_until: string | null
  }

const readChallenge = async (userId: string) => {
  const { challenge } = (await tryLogin(site, userId, 'bayani-7')) as LoginAnswer
  return challenge ?? ''
}

test('a player without a second factor can add one right after the login', async () => {
  const player = await createPlayer(site)
  assert.deepEqual(await readFactors(player), {
    factors: [],
    recovery_codes_left: 0,
    passkeys_offered: true,
    confirmed_until: new Date(site.clock.now().getTime() + CONFIRMATION_VALID_MS).toISOString(),
  })
})

test('every change requires a confirmation in the last fifteen minutes', async () => {
  const player = await createPlayer(site)
  site.clock.advance(CONFIRMATION_VALID_MS + 1)
  assert.equal((await readFactors(player)).confirmed_until, null)
  const changes: [string, object][] = [
    ['/api/factors/totp', {}],
    ['/api/factors/totp/confirm', { code: '123456' }],
    ['/api/factors/passkey/options', {}],
    ['/api/factors/passkey', { name: 'x', credential: {} }],
    ['/api/factors/remove', { id: 1 }],
    ['/api/factors/recovery-codes', {}],
  ]
  for (const [path, body] of changes) {
    const response = await player.post(path, body)
    assertRefused(response, 403, FACTOR_TEXTS.confirmFirst)
    assert.equal(response.json().reason, 'sudo', path)
  }
  await player.post('/api/confirmidentity', { UserPass: 'bayani-7' })
  assert.equal((await player.post('/api/factors/totp')).status, 200)
})

test('a passkey that verifies its user confirms too, once for each challenge', async () => {
  const player = await createPlayer(site)
  const passkey = await addPasskey(site, player)
  site.clock.advance(CONFIRMATION_VALID_MS + 1)
  const requestOptions = async () => (await player.post('/api/confirmidentity/options')).json().options
  const challenge = await requestOptions()
  assert.equal(challenge.userVerification, 'required')
  const unverifiedAssertion = passkey.assert(challenge.challenge, { verified: false })
  assertRefused(
    await player.post('/api/confirmidentity', { assertion: unverifiedAssertion }),
    422,
    FACTOR_TEXTS.passkeyFailed,
  )
  const assertion = passkey.assert((await requestOptions()).challenge)
  assert.equal((await player.post('/api/confirmidentity', { assertion })).status, 200)
  assertRefused(await player.post('/api/confirmidentity', { assertion }), 422, FACTOR_TEXTS.passkeyFailed)
  assert.equal((await player.post('/api/factors/totp')).status, 200)
})

test('an app is active only after one of its codes was entered, and its secret is sent once', async () => {
  const player = await createPlayer(site)
  const { secret, uri } = (await player.post('/api/factors/totp')).json()
  assert.match(secret, /^[A-Z2-7]{32}$/, '160 bits')
  assert.equal(
    uri,
    `otpauth://totp/Tambayan%20Online:${player.form.userId}?issuer=Tambayan%20Online&secret=${secret}&algorithm=SHA1&digits=6&period=30`,
  )
  assert.equal(await hasFactor(site.db, player.user.UserNum), false)
  assertRefused(await player.post('/api/factors/totp/confirm', { code: '000000' }), 422, FACTOR_TEXTS.appCodeWrong)
  const code = generateCode(secret, site.clock.now())
  const response = await player.post('/api/factors/totp/confirm', { code: `${code.slice(0, 3)} ${code.slice(3)}` })
  assert.equal(response.json().recovery_codes.length, 10)
  assertRefused(await player.post('/api/factors/totp/confirm', { code }), 409, FACTOR_TEXTS.setUpOver)
  const { factors, recovery_codes_left } = await readFactors(player)
  assert.deepEqual(
    [factors.map(({ kind, name }) => [kind, name]), recovery_codes_left],
    [[['totp', 'Authenticator app']], 10],
  )
  assert.doesNotMatch((await player.get('/api/factors')).text, new RegExp(secret))
})

test('the set-up of an app expires after ten minutes', async () => {
  const player = await createPlayer(site)
  const { secret } = (await player.post('/api/factors/totp')).json()
  site.clock.advance(FACTOR_CEREMONY_LIFETIME_MS)
  const code = generateCode(secret, site.clock.now())
  assertRefused(await player.post('/api/factors/totp/confirm', { code }), 409, FACTOR_TEXTS.setUpOver)
})

test('recovery codes have 80 random bits and are stored as hashes; new codes replace old ones', async () => {
  const player = await createPlayer(site)
  const { recoveryCodes } = await addAuthenticatorApp(site, player)
  assert.equal(new Set(recoveryCodes).size, 10)
  for (const code of recoveryCodes) assert.match(code, /^([0-9A-HJKMNP-TV-Z]{4}-){3}[0-9A-HJKMNP-TV-Z]{4}$/)
  const rows = await site.db
    .selectFrom('recovery_codes')
    .where('user_num', '=', player.user.UserNum)
    .selectAll()
    .execute()
  assert.doesNotMatch(JSON.stringify(rows), new RegExp(recoveryCodes.join('|')))
  const newCodes = (await player.post('/api/factors/recovery-codes')).json().recovery_codes
  const challenge = await readChallenge(player.form.userId)
  assert.equal((await tryFactor(site, { challenge, code: recoveryCodes[0] })).status, 2)
  assert.equal((await tryFactor(site, { challenge, code: newCodes[0] })).status, 1)
})

test('recovery codes need a second factor', async () => {
  const player = await createPlayer(site)
  assertRefused(await player.post('/api/factors/recovery-codes'), 409, FACTOR_TEXTS.factorMissing)
})

test('shows a secret once; a retry with the same idempotency key returns only the id', async () => {
  const player = await createPlayer(site)
  const requestTwice = async (path: string, body: object, secret: RegExp) => {
    const key = { 'Idempotency-Key': `once ${path}` }
    const response = await player.post(path, body, key)
    assert.equal(response.status, 200, response.text)
    assert.match(response.text, secret)
    const retry = await player.post(path, body, key)
    assertRefused(retry, 409)
    assert.equal(retry.json().id, response.json().id)
    assert.doesNotMatch(retry.text, secret)
    return response.json()
  }
  const { secret } = await requestTwice('/api/factors/totp', {}, /secret/)
  await requestTwice('/api/factors/totp/confirm', { code: generateCode(secret, site.clock.now()) }, /[\dA-Z]{4}-/)
  await requestTwice('/api/factors/recovery-codes', {}, /[\dA-Z]{4}-/)
  const { confirmed_at } = await site.db
    .selectFrom('sessions')
    .where('user_num', '=', player.user.UserNum)
    .select('confirmed_at')
    .executeTakeFirstOrThrow()
  const setConfirmed = (values: { confirmed_at: Date | null }) =>
    site.db.updateTable('sessions').set(values).where('user_num', '=', player.user.UserNum).execute()
  await setConfirmed({ confirmed_at: new Date(0) })
  const key = { 'Idempotency-Key': 'after a confirmation' }
  assertRefused(await player.post('/api/factors/recovery-codes', {}, key), 403)
  await setConfirmed({ confirmed_at })
  assert.equal(
    (await player.post('/api/factors/recovery-codes', {}, key)).status,
    200,
    'the refusal was not stored for the key',
  )
  const storedAnswers = await site.db
    .selectFrom('idempotency_keys')
    .where('owner', '=', String(player.user.UserNum))
    .select('answer')
    .execute()
  for (const { answer } of storedAnswers) assert.deepEqual(Object.keys(answer as object), ['id'])
})

test('the first factor ends other sessions, and logins that were started without it', async () => {
  const player = await createPlayer(site)
  const otherSession = await logInAs(site, player.form.userId, 'bayani-7')
  const account = await selectAccount(site.db, player.user.UserNum)
  await addAuthenticatorApp(site, player)
  assert.equal((await otherSession.get('/api/user')).status, 401)
  assert.equal((await player.get('/api/user')).status, 200)
  const sessionWithoutFactor = {
    account,
    tokenHash: 'late',
    caller: { address: '', device: '' },
    now: site.clock.now(),
  }
  assert.equal(await insertSession(site.db, { ...sessionWithoutFactor, factor: null }), undefined)
})

test('another app replaces the first, whose codes no longer work', async () => {
  const player = await createPlayer(site)
  const firstApp = await addAuthenticatorApp(site, player)
  site.clock.advance(60_000)
  const secondApp = await addAuthenticatorApp(site, player)
  assert.deepEqual(secondApp.recoveryCodes, [])
  assert.equal((await readFactors(player)).factors.length, 1)
  const challenge = await readChallenge(player.form.userId)
  assert.equal((await tryFactor(site, { challenge, code: firstApp.nextCode() })).status, 2)
  assert.equal((await tryFactor(site, { challenge, code: secondApp.nextCode() })).status, 1)
})

test('adds a passkey once, with a name and a response to the challenge of this session', async () => {
  const player = await createPlayer(site)
  const authenticator = createAuthenticator(site.publicUrl)
  const requestOptions = async (client = player) => (await client.post('/api/factors/passkey/options')).json().options
  const challenge = await requestOptions()
  assert.deepEqual([challenge.rp, challenge.attestation], [{ id: 'play.example.ph', name: 'Tambayan Online' }, 'none'])
  const credential = authenticator.register(challenge.challenge)
  const refusals: [object, number, string?][] = [
    [{ name: ' ', credential }, 422, 'Name is required.'],
    [{ name: 'x'.repeat(41), credential }, 422],
    [{ name: 'x' }, 422],
    [{ name: 'x', credential: authenticator.register('x'.repeat(43)) }, 422, FACTOR_TEXTS.passkeyNotAdded],
    [{ name: 'x', credential: createAuthenticator('https://evil.example').register(challenge.challenge) }, 422],
    [{ name: 'x', credential: {} }, 422, FACTOR_TEXTS.passkeyNotAdded],
  ]
  for (const [body, status, text] of refusals)
    assertRefused(await player.post('/api/factors/passkey', body), status, text)
  assert.equal((await player.post('/api/factors/passkey', { name: ' My phone ', credential })).status, 200)
  assertRefused(await player.post('/api/factors/passkey', { name: 'x', credential }), 409, FACTOR_TEXTS.setUpOver)
  const { factors } = await readFactors(player)
  assert.deepEqual(
    factors.map(({ name }) => name),
    ['My phone'],
  )

  const thief = await createPlayer(site)
  const stolenCredential = authenticator.register((await requestOptions(thief)).challenge)
  assertRefused(
    await thief.post('/api/factors/passkey', { name: 'x', credential: stolenCredential }),
    409,
    FACTOR_TEXTS.passkeyKnown,
  )
  assert.equal(await hasFactor(site.db, thief.user.UserNum), false)
})

test('an account has at most ten passkeys', async () => {
  const player = await createPlayer(site)
  for (let n = 0; n < PASSKEYS_MAX; n++) await addPasskey(site, player, `key ${n}`)
  assertRefused(await player.post('/api/factors/passkey/options'), 409, FACTOR_TEXTS.passkeysFull)
})

test('a removed factor no longer logs in; the recovery codes are removed with the last factor', async () => {
  const player = await createPlayer(site)
  const app = await addAuthenticatorApp(site, player)
  const passkey = await addPasskey(site, player)
  const removeFactor = async (id: number) => (await player.post('/api/factors/remove', { id })).json().message
  assert.equal(await removeFactor(app.id), FACTOR_TEXTS.removed)
  const answer = (await tryLogin(site, player.form.userId, 'bayani-7')) as LoginAnswer
  assert.deepEqual(answer.factors, ['passkey', 'recovery'])
  assert.equal(await removeFactor(passkey.factor), FACTOR_TEXTS.lastRemoved)
  assert.equal((await tryLogin(site, player.form.userId, 'bayani-7')).status, 1)
  assert.equal((await readFactors(player)).recovery_codes_left, 0)
  const otherPlayer = await createPlayer(site)
  const { id } = await addAuthenticatorApp(site, otherPlayer)
  assertRefused(await player.post('/api/factors/remove', { id }), 404, FACTOR_TEXTS.notThere)
  assert.equal(await hasFactor(site.db, otherPlayer.user.UserNum), true)
})

test('staff cannot remove their last factor while the desk requires one', async () => {
  const gm = await logInAs(site, 'gm', 'gm-demo-1')
  const app = await addAuthenticatorApp(site, gm)
  await changeSettings(site, { require_staff_factor: true })
  assertRefused(await gm.post('/api/factors/remove', { id: app.id }), 409, FACTOR_TEXTS.staffNeedsOne)
  await addPasskey(site, gm)
  assert.equal((await gm.post('/api/factors/remove', { id: app.id })).status, 200)
  await changeSettings(site, { require_staff_factor: false })
})

test('every change is in the history and in a mail to the player', async () => {
  const player = await createPlayer(site)
  const app = await addAuthenticatorApp(site, player)
  await addPasskey(site, player, 'Susi <b>')
  await player.post('/api/factors/recovery-codes')
  await player.post('/api/factors/remove', { id: app.id })
  const history = (await player.get('/api/account-history')).json().data as { kind: string; note: string }[]
  assert.deepEqual(
    history.slice(0, 4).map(({ kind, note }) => [kind, note]),
    [
      ['factor-removed', 'Authenticator app'],
      ['recovery-codes-renewed', ''],
      ['factor-added', 'Susi <b>'],
      ['factor-added', 'Authenticator app'],
    ],
  )
  const factorMails = (await selectMailsTo(site, player.form.userEmail)).filter(({ subject }) =>
    /second factor/.test(subject),
  )
  assert.equal(factorMails.length, 4)
  assert.ok(factorMails.every(({ body_html }) => !body_html.includes('<b>')))
})

test('ends open challenges and sessions when an operator removes every factor', async () => {
  const player = await createPlayer(site)
  const app = await addAuthenticatorApp(site, player)
  await addPasskey(site, player)
  const challenge = await readChallenge(player.form.userId)
  const context = { caller: { address: '', device: 'Support' }, now: site.clock.now() }
  const account = await selectAccount(site.db, player.user.UserNum)
  assert.equal(await removeLostFactors(site.db, account, context), 2)
  assert.equal(await removeLostFactors(site.db, account, context), 0)
  assert.equal(await hasFactor(site.db, player.user.UserNum), false)
  assert.equal((await player.get('/api/user')).status, 401)
  assert.equal((await tryFactor(site, { challenge, code: app.nextCode() })).challenge, null)
  assert.equal((await tryLogin(site, player.form.userId, 'bayani-7')).status, 1)
})

test('two concurrent confirmations of an app leave one app', async () => {
  const player = await createPlayer(site)
  const { secret } = (await player.post('/api/factors/totp')).json()
  const code = generateCode(secret, site.clock.now())
  const answers = await Promise.all([1, 2].map(() => player.post('/api/factors/totp/confirm', { code })))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409])
})
