import assert from 'node:assert/strict'
import { test } from 'node:test'
import { KNOWN_DEVICE_RETENTION_MS } from '#contract/limits.ts'
import { LOGIN_ANSWERS } from '#contract/messages.ts'
import { LIMITS } from '#contract/request-limits.ts'
import { runCleanUp } from '#server/clean-ups.ts'
import { type Answer, findLinkToken, registerPlayer, tryLogin } from '#test/account-helpers.ts'
import { createTestApp, type TestApp } from '#test/helpers.ts'

const site = await createTestApp({ env: { TRUST_PROXY: '1' } })
const unlimitedSite = await createTestApp({ database: site.database, env: { RATE_LIMIT: 'off' } })

const TRIES: number = LIMITS.loginFailures.max
const LOCKED_ANSWER = { user: null, token: null, message: LOGIN_ANSWERS.locked, status: 4 }

let addressCount = 0
const createAddress = () => `198.51.100.${++addressCount}`
const fromAddress = (address: string, cookie?: string) => ({
  'X-Forwarded-For': address,
  ...(cookie && { Cookie: cookie }),
})

/** Returns the device's cookie of a response, as the browser sends it back. */
const readCookie = (answer: Answer) => answer.headers.get('Set-Cookie')?.split(';')[0] ?? ''

/** Creates a player who has logged in once. @returns a function that logs in, and the cookie of the device */
async function createPlayerAt(home: string) {
  const { userId, userPassword } = await registerPlayer(site)
  const logIn = (headers: Record<string, string>, app: TestApp = site) => tryLogin(app, userId, userPassword, headers)
  const answer = await site.post('/api/processlogin', { UserID: userId, UserPass: userPassword }, fromAddress(home))
  return { userId, logIn, cookie: readCookie(answer) }
}

/** Tries wrong passwords. @returns the statuses */
async function failLogins(userId: string, headers: () => Record<string, string>, times = TRIES): Promise<number[]> {
  const statuses = []
  for (let tries = 0; tries < times; tries++) statuses.push((await tryLogin(site, userId, 'hindi', headers())).status)
  return statuses
}

test('strangers lock unknown addresses only, and cannot lock the player out of a known address', async () => {
  const home = createAddress()
  const { userId, logIn } = await createPlayerAt(home)
  await failLogins(userId, () => fromAddress(createAddress()))
  assert.deepEqual(await logIn(fromAddress(createAddress())), LOCKED_ANSWER)
  assert.equal((await logIn(fromAddress(home))).status, 1)
  assert.deepEqual(await logIn(fromAddress(createAddress())), LOCKED_ANSWER, 'also after the player logged in at home')
  assert.deepEqual(await failLogins(userId, () => fromAddress(createAddress()), 2), [4, 4])
})

test('ten failures from an address, known or not, lock it even for the correct password', async () => {
  const home = createAddress()
  const { userId, logIn } = await createPlayerAt(home)
  const abroad = createAddress()
  for (const address of [home, abroad]) {
    assert.deepEqual(await failLogins(userId, () => fromAddress(address)), Array(TRIES).fill(2))
    assert.deepEqual(await logIn(fromAddress(address)), LOCKED_ANSWER)
  }
  site.clock.advance(LIMITS.knownPlaceFailures.windowMs)
  for (const address of [home, abroad]) assert.equal((await logIn(fromAddress(address))).status, 1)
})

test('counts failures at a known address separately', async () => {
  const [home, work] = [createAddress(), createAddress()]
  const { userId, logIn } = await createPlayerAt(home)
  await logIn(fromAddress(work))
  await failLogins(userId, () => fromAddress(home))
  assert.deepEqual(await logIn(fromAddress(home)), LOCKED_ANSWER)
  assert.equal((await logIn(fromAddress(work))).status, 1)
  assert.equal((await logIn(fromAddress(createAddress()))).status, 1)
})

test('recognizes a device by its cookie at any address', async () => {
  const { userId, logIn, cookie } = await createPlayerAt(createAddress())
  await failLogins(userId, () => fromAddress(createAddress()))
  const newAddress = createAddress()
  assert.deepEqual(await logIn(fromAddress(newAddress)), LOCKED_ANSWER)
  assert.equal((await logIn(fromAddress(newAddress, cookie))).status, 1)
  await failLogins(userId, () => fromAddress(createAddress(), cookie))
  assert.deepEqual(
    await logIn(fromAddress(createAddress(), cookie)),
    LOCKED_ANSWER,
    'the failures of the device count for it',
  )
})

test('a stranger at the same address as the player cannot lock the player’s device', async () => {
  const sharedAddress = createAddress()
  const { userId, logIn, cookie } = await createPlayerAt(sharedAddress)
  await failLogins(userId, () => fromAddress(sharedAddress))
  assert.deepEqual(await logIn(fromAddress(sharedAddress)), LOCKED_ANSWER)
  assert.equal((await logIn(fromAddress(sharedAddress, cookie))).status, 1)
})

test('an IPv6 address is known by its /64', async () => {
  const { userId, logIn } = await createPlayerAt('2001:db8:1:2::1')
  await failLogins(userId, () => fromAddress(`2001:db8:9:${++addressCount}::1`))
  assert.equal((await logIn(fromAddress('2001:db8:1:2:ffff::9'))).status, 1)
  assert.deepEqual(await logIn(fromAddress('2001:db8:1:3::1')), LOCKED_ANSWER)
})

test('an address and a device stay known for 90 days after the last login', async () => {
  const home = createAddress()
  const { userId, logIn, cookie } = await createPlayerAt(home)
  site.clock.advance(KNOWN_DEVICE_RETENTION_MS - 1)
  await failLogins(userId, () => fromAddress(createAddress()))
  assert.equal((await logIn(fromAddress(home, cookie))).status, 1)
  site.clock.advance(KNOWN_DEVICE_RETENTION_MS)
  await failLogins(userId, () => fromAddress(createAddress()))
  assert.deepEqual(await logIn(fromAddress(home, cookie)), LOCKED_ANSWER)
})

test('a device known to one account is not known to another, also after a failed login', async () => {
  const home = createAddress()
  const [{ cookie }, otherPlayer] = [await createPlayerAt(home), await createPlayerAt(createAddress())]
  await failLogins(otherPlayer.userId, () => fromAddress(createAddress()), TRIES - 1)
  const response = await site.post(
    '/api/processlogin',
    { UserID: otherPlayer.userId, UserPass: 'hindi' },
    fromAddress(home, cookie),
  )
  assert.equal(response.headers.get('Set-Cookie'), null)
  assert.deepEqual(await otherPlayer.logIn(fromAddress(home, cookie)), LOCKED_ANSWER)
})

test('locks the logins of staff in the same way', async () => {
  const home = createAddress()
  assert.equal((await tryLogin(site, 'gm', 'gm-demo-1', fromAddress(home))).status, 11)
  await failLogins('gm', () => fromAddress(createAddress()))
  assert.equal((await tryLogin(site, 'gm', 'gm-demo-1', fromAddress(home))).status, 11)
  assert.deepEqual(await tryLogin(site, 'gm', 'gm-demo-1', fromAddress(createAddress())), LOCKED_ANSWER)
  await failLogins('gm', () => fromAddress(home))
  assert.deepEqual(await tryLogin(site, 'gm', 'gm-demo-1', fromAddress(home)), LOCKED_ANSWER)
})

test('an unknown ID is locked everywhere, and RATE_LIMIT=off lifts every lockout', async () => {
  const home = createAddress()
  const { userId, logIn } = await createPlayerAt(home)
  await failLogins('walang_tao', () => fromAddress(createAddress()))
  assert.deepEqual(await tryLogin(site, 'walang_tao', 'hindi', fromAddress(home)), LOCKED_ANSWER)
  await failLogins(userId, () => fromAddress(home))
  await failLogins(userId, () => fromAddress(createAddress()))
  for (const address of [home, createAddress()])
    assert.equal((await logIn(fromAddress(address), unlimitedSite)).status, 1)
})

test('a password reset unlocks the login at its address while strangers continue to fail', async () => {
  const { userId } = await createPlayerAt(createAddress())
  const { user_email } = await site.db
    .selectFrom('accounts')
    .where('user_id', '=', userId)
    .select('user_email')
    .executeTakeFirstOrThrow()
  const hotel = createAddress()
  await failLogins(userId, () => fromAddress(createAddress()))
  await site.post('/api/findPassword', { findPWID: userId, findPWEmail: user_email }, fromAddress(hotel))
  const token = await findLinkToken(site, user_email, 'Set a new password')
  assert.equal(
    (await site.post('/api/resetpassword', { token, NewUserPass: 'bago-9876' }, fromAddress(hotel))).status,
    200,
  )
  await failLogins(userId, () => fromAddress(createAddress()))
  assert.equal((await tryLogin(site, userId, 'bago-9876', fromAddress(hotel))).status, 1)
})

test('the cookie is sent to API calls only, is hidden from scripts, and survives a logout', async () => {
  const { userId, cookie } = await createPlayerAt(createAddress())
  const response = await site.post(
    '/api/processlogin',
    { UserID: userId, UserPass: 'bayani-7' },
    fromAddress(createAddress(), `other=1; ${cookie}`),
  )
  assert.equal(readCookie(response), cookie)
  const attributes = response.headers.get('Set-Cookie')?.split('; ').slice(1).sort()
  assert.deepEqual(attributes, ['HttpOnly', 'Max-Age=7776000', 'Path=/api', 'SameSite=Strict', 'Secure'])
  const badResponse = await site.post(
    '/api/processlogin',
    { UserID: userId, UserPass: 'bayani-7' },
    fromAddress(createAddress(), '__Secure-TAMBAYAN_DEVICE=short'),
  )
  assert.match(readCookie(badResponse), /^__Secure-TAMBAYAN_DEVICE=[\w-]{43}$/)
  const placeRows = await site.db.selectFrom('known_places').select('place').execute()
  assert.ok(
    placeRows.every(({ place }) => !place.includes(cookie.split('=')[1] ?? '')),
    'only its hash is stored',
  )
})

test('stores the fifty latest addresses and devices of an account for 90 days', async () => {
  const home = createAddress()
  const { userId, logIn } = await createPlayerAt(home)
  const selectKnownPlaces = () =>
    site.db
      .selectFrom('known_places as k')
      .innerJoin('accounts as a', 'a.user_num', 'k.user_num')
      .where('a.user_id', '=', userId)
      .select('place')
      .execute()
  for (let login = 0; login < 30; login++) {
    site.clock.advance(1000)
    await logIn(fromAddress(`203.0.113.${login}`))
  }
  const knownPlaces = (await selectKnownPlaces()).map(({ place }) => place)
  assert.equal(knownPlaces.length, 50)
  assert.ok(knownPlaces.includes('address 203.0.113.29') && !knownPlaces.includes(`address ${home}`))
  await runCleanUp(site.db, 'known places', site.clock.now())
  assert.equal((await selectKnownPlaces()).length, 50)
  await runCleanUp(site.db, 'known places', new Date(site.clock.now().getTime() + KNOWN_DEVICE_RETENTION_MS + 1))
  assert.equal((await selectKnownPlaces()).length, 0)
})
