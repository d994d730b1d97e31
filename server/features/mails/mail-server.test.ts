import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { after, beforeEach, test } from 'node:test'
import { DAY_MS } from '#contract/durations.ts'
import { OWNER } from '#contract/permissions.ts'
import { runCommand } from '#server/commands.ts'
import { sendDueMails } from '#server/mail/sender.ts'
import { getConnectionOptions, sealMailPassword, sweepMailServers } from '#server/mail/servers.ts'
import { createTransport } from '#server/mail/transport.ts'
import { assertRefused, openPlayerSession } from '#test/account-helpers.ts'
import { TEST_KEY } from '#test/databases.ts'
import { createOperator } from '#test/desk-helpers.ts'
import { createTestApp, type TestApp } from '#test/helpers.ts'
import { parseHeaders, startMailServer } from '#test/mail-server.ts'

const site = await createTestApp({ env: { RATE_LIMIT: 'off', APP_NAME: 'Barkada Online' } })
const { db, clock } = site
const gm = await openPlayerSession(site, 'gm')
const { user_email: gmAddress } = await db
  .selectFrom('accounts')
  .where('user_id', '=', 'gm')
  .select('user_email')
  .executeTakeFirstOrThrow()

beforeEach(async () => {
  await db.deleteFrom('mail_outbox').execute()
  await db.deleteFrom('mail_servers').execute()
})

type EnteredServer = { host?: string; port: number; login?: string; password?: string; sender?: string }

const tryServer = ({
  host = '127.0.0.1',
  login = '',
  password = '',
  sender = 'site@example.ph',
  port,
}: EnteredServer) => gm.post('/api/admin/mail-server/try', { host, port, login, password, sender })
const switchServer = (server: number | null) => gm.post('/api/admin/mail-server/use', { server })
const readServer = async () => (await gm.get('/api/admin/mail-server')).json()

/** Tests a mail server and saves it. */
async function setUpServer(fields: EnteredServer) {
  const testResponse = await tryServer(fields)
  assert.equal(testResponse.status, 200, testResponse.text)
  const response = await switchServer(testResponse.json().server)
  assert.equal(response.status, 200, response.text)
}

/** Creates the transport of a process of the site. */
function buildTransport(app: TestApp = site) {
  const { send, close } = createTransport(app)
  after(close)
  return send
}

const ACCOUNT = { user: 'site@example.ph', password: 'lihim na lihim' }
const LOGIN = { login: ACCOUNT.user, password: ACCOUNT.password }

test('uses a mail server for all email after a test mail to the operator', async () => {
  const server = await startMailServer({ account: ACCOUNT })
  const send = buildTransport()
  assert.deepEqual([(await readServer()).source, (await readServer()).server], ['none', null])
  const testResponse = await tryServer({ port: server.port, ...LOGIN })
  assert.match(testResponse.json().message, /Its answer: “250 /)
  assert.deepEqual(server.received[0]?.to, [gmAddress])
  assert.equal(parseHeaders(server.received[0]?.source ?? '').from, 'Barkada Online <site@example.ph>')
  assert.equal((await readServer()).source, 'none', 'the server is only tested')

  assert.equal((await switchServer(testResponse.json().server)).status, 200)
  const { source, server: currentServer } = await readServer()
  assert.deepEqual(
    [source, currentServer.port, currentServer.login, currentServer.has_password],
    ['desk', server.port, ACCOUNT.user, true],
  )
  await sendDueMails(site, send)
  assert.match(server.received[1]?.source ?? '', /The mail server was changed/)
  assert.equal(parseHeaders(server.received[1]?.source ?? '').from, 'Barkada Online <site@example.ph>')
})

test('seals the password and never shows it', async () => {
  const server = await startMailServer({ account: ACCOUNT })
  await setUpServer({ port: server.port, ...LOGIN })
  const { sealed } = await db.selectFrom('mail_servers').select('sealed').executeTakeFirstOrThrow()
  assert.match(sealed ?? '', /^s1\./)
  const storedText = JSON.stringify([
    await readServer(),
    await db.selectFrom('audit_log').selectAll().execute(),
    await db.selectFrom('audit_personal').selectAll().execute(),
    await db.selectFrom('idempotency_keys').selectAll().execute(),
    await db.selectFrom('mail_outbox').selectAll().execute(),
  ])
  assert.doesNotMatch(storedText, /lihim/)
  assert.ok(!storedText.includes(sealed ?? ''))
})

test('a changed server applies in every process, and the owners are notified over both servers', async () => {
  const [firstServer, secondServer] = [await startMailServer(), await startMailServer()]
  const [firstProcess, secondProcess] = [buildTransport(), buildTransport()]
  await setUpServer({ port: firstServer.port })
  await sendDueMails(site, firstProcess)
  await sendDueMails(site, secondProcess)
  await db.deleteFrom('mail_outbox').execute()
  firstServer.received.length = 0
  await setUpServer({ port: secondServer.port })
  secondServer.received.length = 0
  await gm.post('/api/admin/mails/test', { template: 'receipt', to: 'subok@example.net' })
  await sendDueMails(site, secondProcess)
  const listSubjects = (received: typeof firstServer.received) =>
    received.map(({ source }) => parseHeaders(source).subject?.split(' | ')[0]).sort()
  assert.deepEqual(listSubjects(firstServer.received), ['The mail server was changed'])
  assert.equal(secondServer.received.length, 2)
  assert.deepEqual(listSubjects(secondServer.received)[0], 'Test: Your receipt')

  await sweepMailServers(db, clock.now())
  assert.equal((await db.selectFrom('mail_servers').selectAll().execute()).length, 1, 'the former password is deleted')
})

test('requires the password again only after a change of host, port or user', async () => {
  const server = await startMailServer({ account: ACCOUNT })
  const otherServer = await startMailServer({ account: ACCOUNT })
  await setUpServer({ port: server.port, ...LOGIN })
  for (const change of [{ port: otherServer.port }, { host: 'localhost' }, { login: 'iba@example.ph' }]) {
    const response = await tryServer({ port: server.port, login: ACCOUNT.user, ...change })
    assertRefused(response, 422)
    assert.match(response.json()['form-error'].password[0], /^Enter the password again/)
  }
  assert.equal(otherServer.countConnections(), 0)
  await setUpServer({ port: server.port, login: ACCOUNT.user, sender: 'bago@example.ph' })
  const send = buildTransport()
  await sendDueMails(site, send)
  assert.ok(server.received.some(({ from }) => from === 'bago@example.ph'))
})

test('reports failures with 422 in fixed sentences, and quotes only answers of mail servers', async () => {
  const strictServer = await startMailServer({ account: ACCOUNT, refuse: [gmAddress] })
  const stoppedServer = await startMailServer()
  await stoppedServer.stop()
  const httpServer = createServer((socket) => {
    socket.on('error', () => {})
    socket.end('HTTP/1.1 400 lihim ng makina\r\n\r\n')
  }).listen(0, '127.0.0.1')
  await once(httpServer, 'listening')
  after(() => httpServer.close())
  const { port } = httpServer.address() as AddressInfo
  const readMessage = async (fields: EnteredServer) => {
    const answer = await tryServer(fields)
    assertRefused(answer, 422)
    return answer.json().message as string
  }
  assert.match(await readMessage({ port: stoppedServer.port }), /^The server cannot be reached at this port\./)
  assert.equal(await readMessage({ port }), 'The server at this port is not a mail server.')
  assert.match(
    await readMessage({ port: strictServer.port, login: ACCOUNT.user, password: 'mali' }),
    /^The mail server does not accept this user with this password\. Its answer: “535 .*Maling password”/,
  )
  assert.match(
    await readMessage({ port: strictServer.port }),
    /^The mail server did not accept the test email\. Its answer: “530 /,
  )
  assert.match(
    await readMessage({ port: strictServer.port, ...LOGIN }),
    /did not accept the test email\. Its answer: “550 No such mailbox”/,
  )
  assert.equal(await readMessage({ host: 'wala.invalid', port: 25 }), 'There is no server of this name.')
  assert.match(await readMessage({ port: stoppedServer.port, password: 'x' }), /^Enter the user whose password/)
  assert.deepEqual(await db.selectFrom('mail_servers').selectAll().execute(), [])
})

test('sends no password unencrypted to another machine, nor to a server it was not sealed for', async () => {
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

test('with another owner, applies a change after that owner approves it', async () => {
  const server = await startMailServer()
  const owner = await createOperator(site, OWNER)
  const testedServer = (await tryServer({ port: server.port, sender: 'site@example.ph' })).json().server
  const response = await switchServer(testedServer)
  assert.equal(response.status, 202, response.text)
  assert.equal((await readServer()).source, 'none')
  const [request] = (await owner.get('/api/admin/approvals?state=waiting')).json().rows
  assert.deepEqual(request.effect, {
    'mail server': `127.0.0.1:${server.port}`,
    number: testedServer,
    sender: 'site@example.ph',
    'in place of': 'none',
  })
  const { approval, content_hash } = request
  const approvalResponse = await owner.post('/api/admin/approvals/decide', {
    approval,
    content_hash,
    decision: 'approve',
  })
  assert.equal(approvalResponse.status, 200, approvalResponse.text)
  assert.equal((await readServer()).source, 'desk')
  await db.deleteFrom('staff_members').where('user_num', '=', owner.user.UserNum).execute()
})

test('SMTP_URL overrides the mail server of the desk, which then cannot be changed', async () => {
  const [deskServer, environmentServer] = [await startMailServer(), await startMailServer()]
  await setUpServer({ port: deskServer.port })
  const env = { RATE_LIMIT: 'off', SMTP_URL: environmentServer.url }
  const siteWithServer = await createTestApp({ database: site.database, env })
  const currentServer = (await siteWithServer.get('/api/admin/mail-server', gm.headers)).json()
  assert.equal(currentServer.source, 'environment')
  for (const path of ['try', 'use']) {
    const body = { host: '127.0.0.1', port: deskServer.port, login: '', password: '', sender: 'a@b.ph', server: null }
    const response = await siteWithServer.post(`/api/admin/mail-server/${path}`, body, gm.headers)
    assertRefused(response, 409)
    assert.match(response.json().message, /SMTP_URL/)
  }
  deskServer.received.length = 0
  await sendDueMails(siteWithServer, buildTransport(siteWithServer))
  assert.deepEqual([deskServer.received.length, environmentServer.received.length], [0, 1])
})

test('Health warns when there is no mail server', async () => {
  const showsWarning = async () => /no mail server/.test((await gm.get('/api/admin/health')).text)
  assert.equal(await showsWarning(), true)
  const server = await startMailServer()
  await setUpServer({ port: server.port })
  assert.equal(await showsWarning(), false)
  assert.equal((await switchServer(null)).status, 200)
  assert.equal(await showsWarning(), true)
  assertRefused(await switchServer(null), 409)
})

test('refuses a tested server that the sweep deleted, or that was used before', async () => {
  const server = await startMailServer()
  const { server: expiredServer } = (await tryServer({ port: server.port })).json()
  // The sweep deletes servers that were tested more than eight days ago.
  await sweepMailServers(db, new Date(clock.now().getTime() + 9 * DAY_MS))
  assertRefused(await switchServer(expiredServer), 409)
  await setUpServer({ port: server.port })
  const { server: usedServer } = await db.selectFrom('mail_servers').select('server').executeTakeFirstOrThrow()
  assertRefused(await switchServer(usedServer), 409)
})

test('removes a mail server whose password was sealed with a lost key', async () => {
  const server = await startMailServer({ account: ACCOUNT })
  await setUpServer({ port: server.port, ...LOGIN })
  const commandContext = { db, now: clock.now(), site: { appName: 'Barkada Online', publicUrl: site.publicUrl } }
  assert.equal((await runCommand(commandContext, ['site-key', 'forget'])).ok, true)
  assert.equal((await readServer()).source, 'none')
})
