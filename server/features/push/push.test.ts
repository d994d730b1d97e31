import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { sql } from 'kysely'
import { HOUR_MS } from '#contract/durations.ts'
import type { PushKind } from '#contract/push.ts'
import { PUSH_DEVICES_MAX } from '#contract/push.ts'
import { sendLetter, sendLetterToEach } from '#server/features/mailbox/letters.ts'
import { eraseAccount } from '#server/features/players/erasures.ts'
import { enqueuePushes } from '#server/push/outbox.ts'
import { sendDuePushes } from '#server/push/sender.ts'
import { PUSH_SERVICES } from '#server/push/services.ts'
import { deleteEncryptedSecrets } from '#server/sealed-secrets.ts'
import { openSecret } from '#server/site-key.ts'
import { assertRefused, createPlayer, openPlayerSession } from '#test/account-helpers.ts'
import { createTestApp } from '#test/helpers.ts'
import { startPushService } from '#test/push-service.ts'

const service = await startPushService()
const site = await createTestApp({
  world: 'empty',
  env: { RATE_LIMIT: 'off' },
  pushServices: service.services,
})
const { db, now } = site
const juan = await createPlayer(site)
const maria = await createPlayer(site)

beforeEach(async () => {
  service.requests.length = 0
  service.status = 201
  await db.deleteFrom('push_subscriptions').execute()
  await db.deleteFrom('letters').execute()
})

type Device = ReturnType<typeof service.createDevice>
type Player = Pick<typeof juan, 'post'>
const chooseKinds = (device: Device, kinds: readonly PushKind[], player: Player = juan) =>
  player.post('/api/push/device', { ...device.subscription, kinds })
async function addDevice(kinds: readonly PushKind[], player?: Player) {
  const device = service.createDevice()
  const { status, text } = await chooseKinds(device, kinds, player)
  assert.equal(status, 200, text)
  return device
}
const sendTestLetter = (kind: 'staff' | 'event' | 'forum', to: number = juan.user.UserNum) =>
  db.transaction().execute((tx) => sendLetter(tx, { kind, to, subject: 'Secret subject', body: 'Secret', now: now() }))
const sendPushes = () => sendDuePushes(site, new AbortController().signal)
const countDevices = async () => (await db.selectFrom('push_subscriptions').select('user_num').execute()).length

test('notifies a device of the chosen kinds only, with nothing but kind and sender', async () => {
  const device = await addDevice(['events', 'letters'])
  await sendTestLetter('staff')
  await sendTestLetter('event')
  await sendTestLetter('forum')
  await sendTestLetter('staff', maria.user.UserNum)
  await sendPushes()
  assert.deepEqual(
    device.readMessages().sort((a, b) => a.kind.localeCompare(b.kind)),
    [
      { title: 'Reminder', body: 'Event · Tambayan Online', url: '/mailbox', kind: 'events' },
      { title: 'New letter', body: 'From the team · Tambayan Online', url: '/mailbox', kind: 'letters' },
    ],
  )
  await sendPushes()
  assert.equal(service.requests.length, 2)
})

test('signs messages with the site’s key, whose private half is sealed in the database', async () => {
  const { public_key } = (await juan.get('/api/push/key')).json()
  assert.equal((await maria.get('/api/push/key')).json().public_key, public_key)
  await addDevice(['letters'])
  await sendTestLetter('staff')
  await sendPushes()
  const [, token = '', key] = /^vapid t=([^,]+), k=(.+)$/.exec(service.requests[0]?.authorization ?? '') ?? []
  assert.equal(key, public_key)
  assert.equal(JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()).aud, 'https://push.example')
  const row = await db.selectFrom('push_keys').select('sealed').executeTakeFirstOrThrow()
  // The private key has 32 bytes, which are 43 characters in base64url.
  assert.equal(openSecret(site.siteKey, row.sealed, 'the key of push messages').length, 43)
})

test('notifies each recipient of a letter to several players, once for several letters', async () => {
  const [juanDevice, mariaDevice] = [await addDevice(['letters']), await addDevice(['letters'], maria)]
  await db.transaction().execute(async (tx) => {
    const letter = { kind: 'staff', subject: 'x', body: 'x', now: now() } as const
    await sendLetterToEach(tx, [juan.user.UserNum], letter)
    await sendLetter(tx, { ...letter, to: {} })
    await sendLetter(tx, { ...letter, to: { school: 1 } })
  })
  await sendPushes()
  assert.deepEqual([juanDevice.readMessages().length, mariaDevice.readMessages().length], [1, 1])
})

test('sends no notification of a letter that was read before', async () => {
  const device = await addDevice(['letters'])
  const letter = await sendTestLetter('staff')
  assert.equal((await juan.post('/api/mailbox/open', { letter })).status, 200)
  await sendPushes()
  assert.deepEqual(device.readMessages(), [])
})

test('removes a device that its service no longer knows, and retries a failing service', async () => {
  await addDevice(['letters'])
  await sendTestLetter('staff')
  service.status = 503
  await sendPushes()
  assert.deepEqual([await countDevices(), service.requests.length], [1, 1])
  await sendPushes()
  assert.equal(service.requests.length, 1)
  await sql`update push_outbox set next_attempt_at = clock_timestamp()`.execute(db)
  service.status = 410
  await sendPushes()
  assert.deepEqual([await countDevices(), service.requests.length], [0, 2])
})

test('replaces the oldest of an account’s five devices by a sixth', async () => {
  const firstDevice = await addDevice(['letters'])
  for (let nth = 0; nth < PUSH_DEVICES_MAX; nth++) await addDevice(['letters'])
  assert.equal(await countDevices(), PUSH_DEVICES_MAX)
  const { endpoint } = firstDevice.subscription
  assert.deepEqual((await juan.post('/api/push/kinds', { endpoint })).json().kinds, [])
})

test('a browser notifies only the account that enabled it last, and hides its choices from others', async () => {
  const device = await addDevice(['letters'])
  const { endpoint } = device.subscription
  assert.deepEqual((await maria.post('/api/push/kinds', { endpoint })).json().kinds, [])
  await chooseKinds(device, ['replies'], maria)
  assert.deepEqual((await juan.post('/api/push/kinds', { endpoint })).json().kinds, [])
  await sendTestLetter('staff')
  await sendPushes()
  assert.deepEqual(device.readMessages(), [])
})

test('removes a device when the player chooses no kind, logs out, ends other logins or is erased', async () => {
  const device = await addDevice(['letters'])
  await chooseKinds(device, [])
  assert.equal(await countDevices(), 0)
  const phone = await openPlayerSession(site, juan.user.UserNum)
  await addDevice(['letters'], phone)
  await addDevice(['letters'])
  await phone.post('/api/logout', {})
  assert.equal(await countDevices(), 1)
  const tablet = await openPlayerSession(site, juan.user.UserNum)
  await addDevice(['letters'], tablet)
  assert.equal((await tablet.post('/api/sessions/end-others', {})).status, 200)
  assert.equal(await countDevices(), 1)
  await db
    .transaction()
    .execute((tx) => eraseAccount(tx, { userNum: juan.user.UserNum, renameCharacters: false, now: now() }))
  assert.equal(await countDevices(), 0)
})

test('sends messages only to the push services of browsers, over https', async () => {
  const isKnown = (address: string) => PUSH_SERVICES.isKnown(address)
  for (const address of [
    'https://fcm.googleapis.com/fcm/send/abc',
    'https://updates.push.services.mozilla.com/wpush/v2/abc',
    'https://wns2-par02p.notify.windows.com/w/?token=abc',
    'https://web.push.apple.com/abc',
  ])
    assert.ok(isKnown(address), address)
  for (const address of [
    'http://fcm.googleapis.com/fcm/send/abc',
    'https://fcm.googleapis.com:8443/abc',
    'https://fcm.googleapis.com@127.0.0.1/abc',
    'https://fcm.googleapis.com.evil.example/abc',
    'https://evilfcm.googleapis.com/abc',
    'https://notify.windows.com.evil.example/abc',
    'https://127.0.0.1/abc',
    'https://[::1]/abc',
    'https://169.254.169.254/abc',
    'https://localhost/abc',
    'not an address',
  ])
    assert.ok(!isKnown(address), address)
  const device = service.createDevice()
  const answer = await maria.post('/api/push/device', {
    ...device.subscription,
    endpoint: 'https://127.0.0.1/abc',
    kinds: ['letters'],
  })
  assertRefused(answer, 422)
})

test('notifies about deliveries without a letter, and drops messages that waited too long', async () => {
  const device = await addDevice(['deliveries'], maria)
  const push = { kind: 'deliveries', sender: 'Item Shop', condition: sql`s.user_num = ${maria.user.UserNum}` } as const
  await enqueuePushes(db, { ...push, now: now() })
  await sendPushes()
  assert.deepEqual(device.readMessages(), [
    { title: 'Delivery', body: 'Item Shop · Tambayan Online', url: '/shoppurchases', kind: 'deliveries' },
  ])
  await enqueuePushes(db, { ...push, now: new Date(now().getTime() - 7 * HOUR_MS) })
  await sendPushes()
  assert.equal(device.readMessages().length, 1)
})

test('deletes devices and keys when the site’s key is replaced', async () => {
  await addDevice(['letters'], maria)
  await db.transaction().execute((tx) => deleteEncryptedSecrets(tx, now()))
  assert.equal(await countDevices(), 0)
  assert.deepEqual(await db.selectFrom('push_keys').select('public_key').execute(), [])
})
