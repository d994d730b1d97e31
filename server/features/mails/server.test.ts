import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { after, beforeEach, test } from 'node:test'
import { OWNER } from '#contract/permissions.ts'
import { runCommand } from '#server/commands.ts'
import { sendDueMails } from '#server/mail/sender.ts'
import { getConnectionOptions, sealMailPassword, sweepMailServers } from '#server/mail/servers.ts'
import { createTransport } from '#server/mail/transport.ts'
import { assertRefused, findPlayer } from '#test/account-helpers.ts'
import { TEST_KEY } from '#test/databases.ts'
import { newOperator } from '#test/desk-helpers.ts'
import { createTestApp, type TestApp } from '#test/helpers.ts'
import { parseHeaders, startMailServer } from '#test/mail-server.ts'

const site = await createTestApp({ env: { RATE_LIMIT: 'off', APP_NAME: 'Barkada Online' } })
const { db, clock } = site
const gm = await findPlayer(site, 'gm')
const { user_email: gmAddress } = await db
  .selectFrom('accounts')
  .where('user_id', '=', 'gm')
  .select('user_email')
  .executeTakeFirstOrThrow()

beforeEach(async () => {
  await db.deleteFrom('mail_outbox').execute()
  await db.deleteFrom('mail_servers').execute()
})

type Entered = { host?: string; port: number; login?: string; password?: string; sender?: string }

const tryServer = ({ host = '127.0.0.1', login = '', password = '', sender = 'site@example.ph', port }: Entered) =>
  gm.post('/api/admin/mail-server/try', { host, port, login, password, sender })
const use = (server: number | null) => gm.post('/api/admin/mail-server/use', { server })
const current = async () => (await gm.get('/api/admin/mail-server')).json()

/** Tests a mail server and saves it. */
async function settle(entered: Entered) {
  const tried = await tryServer(entered)
  assert.equal(tried.status, 200, tried.text)
  const used = await use(tried.json().server)
  assert.equal(used.status, 200, used.text)
}

function buildTransport(of: TestApp = site) {
  const { send, close } = createTransport(of)
  after(close)
  return send
}

const ACCOUNT = { user: 'site@example.ph', password: 'lihim na lihim' }
const LOGIN = { login: ACCOUNT.user, password: ACCOUNT.password }

test('uses a mail server for all email after a test mail to the operator', async () => {
  const server = await startMailServer({ account: ACCOUNT })
  const send = buildTransport()
  assert.deepEqual([(await current()).source, (await current()).server], ['none', null])
  const tried = await tryServer({ port: server.port, ...LOGIN })
  assert.match(tried.json().message, /Its answer: “250 /)
  assert.deepEqual(server.received[0]?.to, [gmAddress])
  assert.equal(parseHeaders(server.received[0]?.source ?? '').from, 'Barkada Online <site@example.ph>')
  assert.equal((await current()).source, 'none', 'it is only tested')

  assert.equal((await use(tried.json().server)).status, 200)
  const { source, server: found } = await current()
  assert.deepEqual([source, found.port, found.login, found.has_password], ['desk', server.port, ACCOUNT.user, true])
  await sendDueMails(site, send)
  assert.match(server.received[1]?.source ?? '', /The mail server was changed/)
  assert.equal(parseHeaders(server.received[1]?.source ?? '').from, 'Barkada Online <site@example.ph>')
})

test('seals the password and never shows it', async () => {
  const server = await startMailServer({ account: ACCOUNT })
  await settle({ port: server.port, ...LOGIN })
  const { sealed } = await db.selectFrom('mail_servers').select('sealed').executeTakeFirstOrThrow()
  assert.match(sealed ?? '', /^s1\./)
  const log = await db.selectFrom('audit_log').selectAll().execute()
  const personal = await db.selectFrom('audit_personal').selectAll().execute()
  const keys = await db.selectFrom('idempotency_keys').selectAll().execute()
  const all = JSON.stringify([
    await current(),
    log,
    personal,
    keys,
    await db.selectFrom('mail_outbox').selectAll().execute(),
  ])
  assert.doesNotMatch(all, /lihim/)
  assert.ok(!all.includes(sealed ?? ''))
})

test('after a change every process uses the new server, and the owners are notified over both servers', async () => {
  const [one, two] = [await startMailServer(), await startMailServer()]
  const [first, second] = [buildTransport(), buildTransport()]
  await settle({ port: one.port })
  await sendDueMails(site, first)
  await sendDueMails(site, second)
  await db.deleteFrom('mail_outbox').execute()
  one.received.length = 0
  await settle({ port: two.port })
  two.received.length = 0
  await gm.post('/api/admin/mails/test', { template: 'receipt', to: 'subok@example.net' })
  await sendDueMails(site, second)
  const subjects = (received: typeof one.received) =>
    received.map(({ source }) => parseHeaders(source).subject?.split(' | ')[0]).sort()
  assert.deepEqual(subjects(one.received), ['The mail server was changed'])
  assert.equal(two.received.length, 2)
  assert.deepEqual(subjects(two.received)[0], 'Test: Your receipt')

  await sweepMailServers(db, clock.now())
  assert.equal(
    (await db.selectFrom('mail_servers').selectAll().execute()).length,
    1,
    'the former password is deleted',
  )
})

test('requires the password again only after a change of server, port or user', async () => {
  const server = await startMailServer({ account: ACCOUNT })
  const other = await startMailServer({ account: ACCOUNT })
  await settle({ port: server.port, ...LOGIN })
  for (const change of [{ port: other.port }, { host: 'localhost' }, { login: 'iba@example.ph' }]) {
    const refused = await tryServer({ port: server.port, login: ACCOUNT.user, ...change })
    assertRefused(refused, 422)
    assert.match(refused.json()['form-error'].password[0], /^Enter the password again/)
  }
  assert.equal(other.connections(), 0)
  await settle({ port: server.port, login: ACCOUNT.user, sender: 'bago@example.ph' })
  const send = buildTransport()
  await sendDueMails(site, send)
  assert.ok(server.received.some(({ from }) => from === 'bago@example.ph'))
})

test('reports failures in fixed sentences with 422; quotes only a mail server', async () => {
  const strict = await startMailServer({ account: ACCOUNT, refuse: [gmAddress] })
  const stopped = await startMailServer()
  await stopped.stop()
  const chatty = createServer((socket) => {
    socket.on('error', () => {})
    socket.end('HTTP/1.1 400 lihim ng makina\r\n\r\n')
  }).listen(0, '127.0.0.1')
  await once(chatty, 'listening')
  after(() => chatty.close())
  const { port } = chatty.address() as AddressInfo
  const readMessage = async (entered: Entered) => {
    const answer = await tryServer(entered)
    assertRefused(answer, 422)
    return answer.json().message as string
  }
  assert.match(await readMessage({ port: stopped.port }), /^The server cannot be reached at this port\./)
  assert.equal(await readMessage({ port }), 'The server at this port is not a mail server.')
  assert.match(
    await readMessage({ port: strict.port, login: ACCOUNT.user, password: 'mali' }),
    /^The mail server does not accept this user with this password\. Its answer: “535 .*Maling password”/,
  )
  assert.match(
    await readMessage({ port: strict.port }),
    /^The mail server did not accept the test email\. Its answer: “530 /,
  )
  assert.match(
    await readMessage({ port: strict.port, ...LOGIN }),
    /did not accept the test email\. Its answer: “550 No such mailbox”/,
  )
  assert.equal(await readMessage({ host: 'wala.invalid', port: 25 }), 'There is no server of this name.')
  assert.match(await readMessage({ port: stopped.port, password: 'x' }), /^Enter the user whose password/)
  assert.deepEqual(await db.selectFrom('mail_servers').selectAll().execute(), [])
})

test('never sends a password unencrypted to another machine, or to another server than its own', async () => {
  const account = { host: 'smtp.example.ph', login: ACCOUNT.user }
  const connect = (port: number, host = account.host) => {
    const sealed = sealMailPassword(TEST_KEY, { ...account, host, port }, ACCOUNT.password)
    const { secure, requireTLS, ignoreTLS } = getConnectionOptions({ ...account, host, port, sealed }, TEST_KEY)
    return { secure, requireTLS, ignoreTLS }
  }
  assert.deepEqual(connect(587), { secure: false, requireTLS: true, ignoreTLS: false })
  assert.deepEqual(connect(465), { secure: true, requireTLS: false, ignoreTLS: false })
  assert.deepEqual(connect(25, '127.0.0.1'), { secure: false, requireTLS: false, ignoreTLS: true })
  const sealed = sealMailPassword(TEST_KEY, { ...account, port: 587 }, ACCOUNT.password)
  assert.throws(() => getConnectionOptions({ ...account, host: 'smtp.ring.example', port: 587, sealed }, TEST_KEY))
})

test('applies a change as another owner has approved it', async () => {
  const server = await startMailServer()
  const owner = await newOperator(site, OWNER)
  const tried = (await tryServer({ port: server.port, sender: 'site@example.ph' })).json().server
  const response = await use(tried)
  assert.equal(response.status, 202, response.text)
  assert.equal((await current()).source, 'none')
  const [request] = (await owner.get('/api/admin/approvals?state=waiting')).json().rows
  assert.deepEqual(request.effect, {
    'mail server': `127.0.0.1:${server.port}`,
    number: tried,
    sender: 'site@example.ph',
    'in place of': 'none',
  })
  const { approval, content_hash } = request
  const decided = await owner.post('/api/admin/approvals/decide', { approval, content_hash, decision: 'approve' })
  assert.equal(decided.status, 200, decided.text)
  assert.equal((await current()).source, 'desk')
  await db.deleteFrom('staff_members').where('user_num', '=', owner.user.UserNum).execute()
})

test('SMTP_URL overrides the desk’s mail server, and prevents changes of it', async () => {
  const [entered, given] = [await startMailServer(), await startMailServer()]
  await settle({ port: entered.port })
  const env = { RATE_LIMIT: 'off', SMTP_URL: given.url }
  const other = await createTestApp({ database: site.database, env })
  const found = (await other.get('/api/admin/mail-server', gm.headers)).json()
  assert.equal(found.source, 'environment')
  for (const path of ['try', 'use']) {
    const body = { host: '127.0.0.1', port: entered.port, login: '', password: '', sender: 'a@b.ph', server: null }
    const refused = await other.post(`/api/admin/mail-server/${path}`, body, gm.headers)
    assertRefused(refused, 409)
    assert.match(refused.json().message, /SMTP_URL/)
  }
  entered.received.length = 0
  await sendDueMails(other, buildTransport(other))
  assert.deepEqual([entered.received.length, given.received.length], [0, 1])
})

test('Health warns when there is no mail server', async () => {
  const warns = async () => /no mail server/.test((await gm.get('/api/admin/health')).text)
  assert.equal(await warns(), true)
  const server = await startMailServer()
  await settle({ port: server.port })
  assert.equal(await warns(), false)
  assert.equal((await use(null)).status, 200)
  assert.equal(await warns(), true)
  assertRefused(await use(null), 409)
})

test('refuses a server that was tested long ago, or that was used before', async () => {
  const server = await startMailServer()
  const { server: old } = (await tryServer({ port: server.port })).json()
  await sweepMailServers(db, new Date(clock.now().getTime() + 9 * 86_400_000))
  assertRefused(await use(old), 409)
  await settle({ port: server.port })
  const { server: used } = await db.selectFrom('mail_servers').select('server').executeTakeFirstOrThrow()
  assertRefused(await use(used), 409)
})

test('removes a mail server whose password was sealed with a lost key', async () => {
  const server = await startMailServer({ account: ACCOUNT })
  await settle({ port: server.port, ...LOGIN })
  const place = { db, now: clock.now(), site: { appName: 'Barkada Online', publicUrl: site.publicUrl } }
  assert.equal((await runCommand(place, ['site-key', 'forget'])).ok, true)
  assert.equal((await current()).source, 'none')
})
