import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DEVICE_KNOWN_MS } from '#contract/limits.ts'
import { LOGIN_ANSWERS } from '#contract/messages.ts'
import { LIMITS } from '#contract/request-limits.ts'
import { cleanUp } from '#server/clean-ups.ts'
import { type Answer, linkTokenFor, registerPlayer, tryLogin } from '#test/account-helpers.ts'
import { createTestApp, type TestApp } from '#test/helpers.ts'

const site = await createTestApp({ env: { TRUST_PROXY: '1' } })
const plain = await createTestApp({ database: site.database, env: { RATE_LIMIT: 'off' } })

const TRIES: number = LIMITS.loginFailures.max
const LOCKED = { user: null, token: null, message: LOGIN_ANSWERS.locked, status: 4 }

let last = 0
const newAddress = () => `198.51.100.${++last}`
const at = (address: string, cookie?: string) => ({ 'X-Forwarded-For': address, ...(cookie && { Cookie: cookie }) })

/** Returns the device's cookie of a response, as the browser sends it back. */
const readCookie = (answer: Answer) => answer.headers.get('Set-Cookie')?.split(';')[0] ?? ''

/** Creates a player who has logged in once. @returns a function that logs in, and the cookie of the device */
async function playerAt(home: string) {
  const { userId, userPassword } = await registerPlayer(site)
  const logIn = (headers: Record<string, string>, on: TestApp = site) => tryLogin(on, userId, userPassword, headers)
  const answer = await site.post('/api/processlogin', { UserID: userId, UserPass: userPassword }, at(home))
  return { userId, logIn, cookie: readCookie(answer) }
}

/** Tries wrong passwords. @returns the statuses */
async function fail(userId: string, headers: () => Record<string, string>, times = TRIES): Promise<number[]> {
  const statuses = []
  for (let tries = 0; tries < times; tries++) statuses.push((await tryLogin(site, userId, 'hindi', headers())).status)
  return statuses
}

test('strangers lock unknown addresses only, and cannot lock the owner out of a known address', async () => {
  const home = newAddress()
  const { userId, logIn } = await playerAt(home)
  await fail(userId, () => at(newAddress()))
  assert.deepEqual(await logIn(at(newAddress())), LOCKED)
  assert.equal((await logIn(at(home))).status, 1)
  assert.deepEqual(await logIn(at(newAddress())), LOCKED, 'also after the owner logged in at home')
  assert.deepEqual(await fail(userId, () => at(newAddress()), 2), [4, 4])
})

test('answers status 4 to a correct password after ten failures from the same address, known or not', async () => {
  const home = newAddress()
  const { userId, logIn } = await playerAt(home)
  const abroad = newAddress()
  for (const address of [home, abroad]) {
    assert.deepEqual(await fail(userId, () => at(address)), Array(TRIES).fill(2))
    assert.deepEqual(await logIn(at(address)), LOCKED)
  }
  site.clock.advance(LIMITS.knownPlaceFailures.windowMs)
  for (const address of [home, abroad]) assert.equal((await logIn(at(address))).status, 1)
})

test('counts failures at a known address separately', async () => {
  const [home, work] = [newAddress(), newAddress()]
  const { userId, logIn } = await playerAt(home)
  await logIn(at(work))
  await fail(userId, () => at(home))
  assert.deepEqual(await logIn(at(home)), LOCKED)
  assert.equal((await logIn(at(work))).status, 1)
  assert.equal((await logIn(at(newAddress()))).status, 1)
})

test('recognizes a device by its cookie at any address', async () => {
  const { userId, logIn, cookie } = await playerAt(newAddress())
  await fail(userId, () => at(newAddress()))
  const café = newAddress()
  assert.deepEqual(await logIn(at(café)), LOCKED)
  assert.equal((await logIn(at(café, cookie))).status, 1)
  await fail(userId, () => at(newAddress(), cookie))
  assert.deepEqual(await logIn(at(newAddress(), cookie)), LOCKED, 'its own failures count for it')
})

test('a stranger behind the same address as the owner cannot lock the owner’s device', async () => {
  const shared = newAddress()
  const { userId, logIn, cookie } = await playerAt(shared)
  await fail(userId, () => at(shared))
  assert.deepEqual(await logIn(at(shared)), LOCKED)
  assert.equal((await logIn(at(shared, cookie))).status, 1)
})

test('an IPv6 address is known by its /64', async () => {
  const { userId, logIn } = await playerAt('2001:db8:1:2::1')
  await fail(userId, () => at(`2001:db8:9:${++last}::1`))
  assert.equal((await logIn(at('2001:db8:1:2:ffff::9'))).status, 1)
  assert.deepEqual(await logIn(at('2001:db8:1:3::1')), LOCKED)
})

test('an address stays known for 90 days after the last login from it', async () => {
  const home = newAddress()
  const { userId, logIn, cookie } = await playerAt(home)
  site.clock.advance(DEVICE_KNOWN_MS - 1)
  await fail(userId, () => at(newAddress()))
  assert.equal((await logIn(at(home, cookie))).status, 1)
  site.clock.advance(DEVICE_KNOWN_MS)
  await fail(userId, () => at(newAddress()))
  assert.deepEqual(await logIn(at(home, cookie)), LOCKED)
})

test('trust in one account does not extend to another, and a failed login earns no trust', async () => {
  const home = newAddress()
  const [{ cookie }, other] = [await playerAt(home), await playerAt(newAddress())]
  await fail(other.userId, () => at(newAddress()), TRIES - 1)
  const failed = await site.post('/api/processlogin', { UserID: other.userId, UserPass: 'hindi' }, at(home, cookie))
  assert.equal(failed.headers.get('Set-Cookie'), null)
  assert.deepEqual(await other.logIn(at(home, cookie)), LOCKED)
})

test('applies the same lockout to staff', async () => {
  const home = newAddress()
  assert.equal((await tryLogin(site, 'gm', 'gm-demo-1', at(home))).status, 11)
  await fail('gm', () => at(newAddress()))
  assert.equal((await tryLogin(site, 'gm', 'gm-demo-1', at(home))).status, 11)
  assert.deepEqual(await tryLogin(site, 'gm', 'gm-demo-1', at(newAddress())), LOCKED)
  await fail('gm', () => at(home))
  assert.deepEqual(await tryLogin(site, 'gm', 'gm-demo-1', at(home)), LOCKED)
})

test('an unknown ID is locked everywhere, and RATE_LIMIT=off lifts every lockout', async () => {
  const home = newAddress()
  const { userId, logIn } = await playerAt(home)
  await fail('walang_tao', () => at(newAddress()))
  assert.deepEqual(await tryLogin(site, 'walang_tao', 'hindi', at(home)), LOCKED)
  await fail(userId, () => at(home))
  await fail(userId, () => at(newAddress()))
  for (const address of [home, newAddress()]) assert.equal((await logIn(at(address), plain)).status, 1)
})

test('a password reset unlocks the login on that device while strangers continue to fail', async () => {
  const { userId } = await playerAt(newAddress())
  const { user_email } = await site.db
    .selectFrom('accounts')
    .where('user_id', '=', userId)
    .select('user_email')
    .executeTakeFirstOrThrow()
  const hotel = newAddress()
  await fail(userId, () => at(newAddress()))
  await site.post('/api/findPassword', { findPWID: userId, findPWEmail: user_email }, at(hotel))
  const token = await linkTokenFor(site, user_email, 'Set a new password')
  assert.equal((await site.post('/api/resetpassword', { token, NewUserPass: 'bago-9876' }, at(hotel))).status, 200)
  await fail(userId, () => at(newAddress()))
  assert.equal((await tryLogin(site, userId, 'bago-9876', at(hotel))).status, 1)
})

test('the cookie is sent to API calls only, is hidden from scripts, and survives a logout', async () => {
  const { userId, cookie } = await playerAt(newAddress())
  const again = await site.post(
    '/api/processlogin',
    { UserID: userId, UserPass: 'bayani-7' },
    at(newAddress(), `other=1; ${cookie}`),
  )
  assert.equal(readCookie(again), cookie)
  const attributes = again.headers.get('Set-Cookie')?.split('; ').slice(1).sort()
  assert.deepEqual(attributes, ['HttpOnly', 'Max-Age=7776000', 'Path=/api', 'SameSite=Strict', 'Secure'])
  const bad = await site.post(
    '/api/processlogin',
    { UserID: userId, UserPass: 'bayani-7' },
    at(newAddress(), '__Secure-TAMBAYAN_DEVICE=short'),
  )
  assert.match(readCookie(bad), /^__Secure-TAMBAYAN_DEVICE=[\w-]{43}$/)
  const places = await site.db.selectFrom('known_places').select('place').execute()
  assert.ok(
    places.every(({ place }) => !place.includes(cookie.split('=')[1] ?? '')),
    'only its hash is stored',
  )
})

test('an account stores its fifty newest devices, and a job deletes those unused for 90 days', async () => {
  const home = newAddress()
  const { userId, logIn } = await playerAt(home)
  const mine = () =>
    site.db
      .selectFrom('known_places as k')
      .innerJoin('accounts as a', 'a.user_num', 'k.user_num')
      .where('a.user_id', '=', userId)
      .select('place')
      .execute()
  for (let login = 0; login < 30; login++) {
    site.clock.advance(1000)
    await logIn(at(`203.0.113.${login}`))
  }
  const places = (await mine()).map(({ place }) => place)
  assert.equal(places.length, 50)
  assert.ok(places.includes('address 203.0.113.29') && !places.includes(`address ${home}`))
  await cleanUp(site.db, 'known places', site.clock.now())
  assert.equal((await mine()).length, 50)
  await cleanUp(site.db, 'known places', new Date(site.clock.now().getTime() + DEVICE_KNOWN_MS + 1))
  assert.equal((await mine()).length, 0)
})
