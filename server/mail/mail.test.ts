import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { RECOVERY_TEXTS } from '#contract/accounts.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#contract/durations.ts'
import { FAILED_MAIL_TEXT_RETENTION_MS, RESET_LINK_LIFETIME_MS } from '#contract/limits.ts'
import { runCleanUp } from '#server/clean-ups.ts'
import { findLinkToken, registerPlayer, selectMailsTo } from '#test/account-helpers.ts'
import { createTestApp } from '#test/helpers.ts'
import { parseHeaders, parseParts, startDrippingMailServer, startMailServer } from '#test/mail-server.ts'
import { claimDueMail, enqueueMail, sweepSentMails } from './outbox.ts'
import { sendDueMails } from './sender.ts'
import { mails } from './templates.ts'
import { CONNECTIONS_MAX, createTransport, sweepMailFiles } from './transport.ts'

const site = await createTestApp({ world: 'empty', env: { RATE_LIMIT: 'off', APP_NAME: 'Barkada Online' } })

/** Returns a function that sends emails to a mail server. Its connections are closed after all tests. */
function createSender(smtpUrl: string) {
  const { send, close } = createTransport({ ...site, config: { ...site.config, smtpUrl } })
  after(close)
  return send
}

/**
 * Lets time pass for the outbox. Its leases and retries use the database's clock, which a test cannot advance, so the
 * stored times move into the past instead.
 */
const advanceOutbox = (ms: number) =>
  site.db
    .updateTable('mail_outbox')
    .set({ next_attempt_at: sql`next_attempt_at - ${ms} * interval '1 millisecond'` })
    .execute()

const SAMPLE_MAIL = mails.userId({ appName: 'Barkada Online', publicUrl: site.publicUrl }, 'Ana_7')
const enqueue = (to: string) => enqueueMail(site.db, to, SAMPLE_MAIL, site.clock.now())

/** Deletes the emails of earlier tests. */
async function emptyOutbox() {
  await site.db.deleteFrom('mail_outbox').execute()
}

test('delivers an email to the player in HTML and plain text, with a working link', async () => {
  await emptyOutbox()
  const server = await startMailServer()
  const form = await registerPlayer(site)
  assert.equal(await sendDueMails(site, createSender(server.url)), 1)
  const [mail] = server.received
  assert.deepEqual([mail?.from, mail?.to], ['no-reply@tambayan.example', [form.userEmail]])
  const headers = parseHeaders(mail?.source ?? '')
  assert.equal(headers.from, 'Tambayan <no-reply@tambayan.example>')
  assert.equal(headers.to, form.userEmail)
  assert.equal(headers.subject, 'Verify your email address | Barkada Online')
  assert.equal(headers['auto-submitted'], 'auto-generated')
  assert.match(headers['message-id'] ?? '', /^<tambayan-\d+-\d+@play\.example\.ph>$/)
  assert.match(headers['content-type'] ?? '', /^multipart\/alternative/)
  const { text, html } = parseParts(mail?.source ?? '')
  const link = /^https:\/\/play\.example\.ph(\/verifyemail\?token=[\w-]+)$/m.exec(text)
  assert.ok(link?.[0] !== undefined && html.includes(`href="${link[0]}"`))
  assert.match(html, /^<!doctype html><html lang="en">/)
  assert.equal((await site.post(link[1] ?? '', {})).headers.get('Location'), '/login?verified=1')
})

test('sends an email only once, and erases its text afterwards', async () => {
  await emptyOutbox()
  const server = await startMailServer()
  await enqueue('ana@example.net')
  const send = createSender(server.url)
  assert.deepEqual([await sendDueMails(site, send), await sendDueMails(site, send)], [1, 0])
  await advanceOutbox(24 * HOUR_MS)
  assert.equal(await sendDueMails(site, send), 0)
  assert.equal(server.received.length, 1)
  const [row] = await selectMailsTo(site, 'ana@example.net')
  assert.deepEqual([row?.body_text, row?.body_html, row?.last_error], ['', '', null])
})

test('retries an email after 1, 2, 4 and 8 minutes, and sends it once', async () => {
  await emptyOutbox()
  const { port, stop, url } = await startMailServer()
  await stop()
  const send = createSender(url)
  await enqueue('ana@example.net')
  for (const minutes of [1, 2, 4, 8]) {
    assert.equal(await sendDueMails(site, send), 0)
    const [waitingMail] = await selectMailsTo(site, 'ana@example.net')
    assert.match(waitingMail?.last_error ?? '', /ECONNREFUSED/)
    assert.deepEqual(waitingMail?.away_at, site.now())
    await advanceOutbox((minutes * MINUTE_MS) / 2)
    await sendDueMails(site, send)
    assert.equal((await selectMailsTo(site, 'ana@example.net'))[0]?.attempts, Math.log2(minutes) + 1, 'too early')
    await advanceOutbox((minutes * MINUTE_MS) / 2)
  }
  const { received } = await startMailServer({ port })
  assert.equal(await sendDueMails(site, send), 1)
  await sendDueMails(site, send)
  assert.equal(received.length, 1)
})

test('tries only a few emails in each round while the mail server is unavailable', async () => {
  await emptyOutbox()
  const { stop, url } = await startMailServer()
  await stop()
  for (let index = 0; index < 3 * CONNECTIONS_MAX; index++) await enqueue(`tao${index}@example.net`)
  await sendDueMails(site, createSender(url))
  const rows = await site.db.selectFrom('mail_outbox').select('attempts').where('attempts', '>', 0).execute()
  assert.ok(rows.length >= 1 && rows.length <= CONNECTIONS_MAX, `${rows.length}`)
})

test('an email to a refused address delays no other, and fails permanently after 20 attempts', async () => {
  await emptyOutbox()
  const server = await startMailServer({ refuse: ['wala@example.net'] })
  const send = createSender(server.url)
  await enqueue('wala@example.net')
  await enqueue('ana@example.net')
  assert.equal(await sendDueMails(site, send), 1)
  assert.deepEqual(server.received[0]?.to, ['ana@example.net'])
  // Each advance is longer than any pause between two attempts.
  for (let attempt = 2; attempt <= 25; attempt++) {
    await advanceOutbox(6 * HOUR_MS)
    await sendDueMails(site, send)
  }
  const [row] = await selectMailsTo(site, 'wala@example.net')
  assert.deepEqual([row?.attempts, row?.away_at], [20, null])
  assert.notEqual(row?.given_up_at, null)
  assert.match(row?.last_error ?? '', /No such mailbox/)
  assert.notEqual(row?.body_text, '', 'an operator can send it again')
  await sweepSentMails(site.db, new Date((row?.given_up_at?.getTime() ?? 0) + FAILED_MAIL_TEXT_RETENTION_MS + 1))
  assert.equal((await selectMailsTo(site, 'wala@example.net'))[0]?.body_text, '')
})

test('after a crash, sends an email again with the same Message-ID', async () => {
  await emptyOutbox()
  const server = await startMailServer()
  const send = createSender(server.url)
  await enqueue('ana@example.net')
  const mail = await claimDueMail(site.db, site.clock.now())
  if (mail !== undefined) await send(mail, new AbortController().signal)
  // The process crashes after the mail server accepted the email, so it is not marked.
  assert.equal(await sendDueMails(site, send), 0, 'the other process still has its lease')
  await advanceOutbox(2 * MINUTE_MS)
  assert.equal(await sendDueMails(site, send), 1)
  await advanceOutbox(24 * HOUR_MS)
  assert.equal(await sendDueMails(site, send), 0)
  const ids = server.received.map(({ source }) => parseHeaders(source)['message-id'])
  assert.equal(ids.length, 2)
  assert.equal(ids[0], ids[1])
})

test('concurrent senders send each email once', async () => {
  await emptyOutbox()
  const server = await startMailServer()
  for (let index = 0; index < 25; index++) await enqueue(`tao${index}@example.net`)
  const sentCounts = await Promise.all([1, 2, 3].map(() => sendDueMails(site, createSender(server.url))))
  assert.equal(
    sentCounts.reduce((sum, count) => sum + count),
    25,
  )
  const recipients = server.received.map(({ to }) => to[0])
  assert.equal(recipients.length, 25)
  assert.equal(new Set(recipients).size, 25)
})

test('a slow mail server does not make two senders send the same email', async () => {
  await emptyOutbox()
  const server = await startMailServer()
  const send = createSender(server.url)
  // One email for each connection, so the first sender cannot take the email that is queued later.
  const slowRecipients = Array.from({ length: CONNECTIONS_MAX }, (_, index) => `tao${index}@example.net`)
  for (const to of slowRecipients) await enqueue(to)
  const release = Promise.withResolvers<void>()
  const allStarted = Promise.withResolvers<void>()
  let heldCount = 0
  const slowRound = sendDueMails(site, async (mail, signal) => {
    if (++heldCount === CONNECTIONS_MAX) allStarted.resolve()
    await release.promise
    return send(mail, signal)
  })
  await allStarted.promise
  await enqueue('dan@example.net')
  await advanceOutbox(MINUTE_MS)
  assert.equal(await sendDueMails(site, send), 1)
  release.resolve()
  assert.equal(await slowRound, CONNECTIONS_MAX)
  assert.deepEqual(server.received.map(({ to }) => to[0]).sort(), ['dan@example.net', ...slowRecipients])
})

test('sends no email when the transaction that caused it is rolled back', async () => {
  await emptyOutbox()
  const server = await startMailServer()
  const failingTransaction = site.db.transaction().execute(async (tx) => {
    await enqueueMail(tx, 'ana@example.net', SAMPLE_MAIL, site.clock.now())
    throw new Error('rolled back')
  })
  await assert.rejects(failingTransaction, { message: 'rolled back' })
  assert.equal(await sendDueMails(site, createSender(server.url)), 0)
  assert.deepEqual(server.received, [])
})

test('sends an email on time even if the clock of the process that queued it is wrong', async () => {
  await emptyOutbox()
  const server = await startMailServer()
  for (const hours of [-30, 30])
    await enqueueMail(site.db, 'ana@example.net', SAMPLE_MAIL, new Date(site.clock.now().getTime() + hours * HOUR_MS))
  assert.equal(await sendDueMails(site, createSender(server.url)), 2)
})

test('sends emails with links first and receipts last', async () => {
  await emptyOutbox()
  const priorities = ['last', 'normal', 'first'] as const
  for (const priority of priorities)
    await enqueueMail(site.db, `${priority}@example.net`, SAMPLE_MAIL, site.clock.now(), { priority })
  await registerPlayer(site, { userId: 'unahin' })
  const claimedAddresses: (string | undefined)[] = []
  for (let count = 0; count < 4; count++)
    claimedAddresses.push((await claimDueMail(site.db, site.clock.now()))?.to_address)
  assert.deepEqual(claimedAddresses, [
    'first@example.net',
    'unahin@example.net',
    'normal@example.net',
    'last@example.net',
  ])
})

test('sends several emails at the same time and reuses the connections', async () => {
  await emptyOutbox()
  const server = await startMailServer()
  for (let index = 0; index < 4 * CONNECTIONS_MAX; index++) await enqueue(`tao${index}@example.net`)
  const send = createSender(server.url)
  const allConnectionsBusy = Promise.withResolvers<void>()
  let busyCount = 0
  const sentCount = await sendDueMails(site, async (mail, signal) => {
    if (++busyCount === CONNECTIONS_MAX) allConnectionsBusy.resolve()
    await allConnectionsBusy.promise
    return send(mail, signal)
  })
  assert.deepEqual([sentCount, server.received.length], [4 * CONNECTIONS_MAX, 4 * CONNECTIONS_MAX])
  assert.ok(server.countConnections() <= CONNECTIONS_MAX, `${server.countConnections()} connections`)
})

test('disconnects a mail server that answers byte by byte, which delays no other email', async () => {
  await emptyOutbox()
  const server = await startDrippingMailServer({ afterMailTo: 'patak@example.net' })
  await enqueue('patak@example.net')
  for (let index = 0; index < 2 * CONNECTIONS_MAX; index++) await enqueue(`tao${index}@example.net`)
  assert.equal(await sendDueMails(site, createSender(server.url), { deadlineMs: 500 }), 2 * CONNECTIONS_MAX)
  const [row] = await selectMailsTo(site, 'patak@example.net')
  assert.match(row?.last_error ?? '', /^The mail server took longer than 0\.5 seconds\.$/)
  assert.deepEqual([row?.attempts, row?.sent_at], [1, null])
  await server.hungUp
})

test('a mail server that greets byte by byte cannot stop the queue', async () => {
  await emptyOutbox()
  const drippingServer = await startDrippingMailServer()
  for (let index = 0; index < 2 * CONNECTIONS_MAX; index++) await enqueue(`tao${index}@example.net`)
  assert.equal(await sendDueMails(site, createSender(drippingServer.url), { deadlineMs: 100 }), 0)
  await drippingServer.hungUp
  const server = await startMailServer()
  await advanceOutbox(MINUTE_MS)
  assert.equal(await sendDueMails(site, createSender(server.url)), 2 * CONNECTIONS_MAX)
})

test('a send that ignores its deadline does not delay the queue', async () => {
  await emptyOutbox()
  await enqueue('ana@example.net')
  assert.equal(await sendDueMails(site, () => new Promise(() => {}), { deadlineMs: 10 }), 0)
})

test('starts a link’s lifetime when its email is sent', async () => {
  await emptyOutbox()
  const form = await registerPlayer(site)
  await site.post('/api/findPassword', { findPWID: form.userId, findPWEmail: form.userEmail })
  const token = await findLinkToken(site, form.userEmail, 'Set a new password')
  const resetPassword = (NewUserPass: string) => site.post('/api/resetpassword', { token, NewUserPass })
  const { stop, url, port } = await startMailServer()
  await stop()
  await sendDueMails(site, createSender(url))
  site.clock.advance(5 * HOUR_MS)
  await runCleanUp(site.db, 'mailed links', site.clock.now())
  await advanceOutbox(5 * HOUR_MS)
  await startMailServer({ port })
  await sendDueMails(site, createSender(url))
  const sentMail = (await selectMailsTo(site, form.userEmail)).at(-1)
  assert.deepEqual([sentMail?.body_text, sentMail?.sent_at], ['', site.clock.now()], 'the token is no longer stored')
  site.clock.advance(RESET_LINK_LIFETIME_MS - 1)
  // The password is refused, not the link.
  assert.notEqual((await resetPassword('abc')).json().message, RECOVERY_TEXTS.linkDead)
  site.clock.advance(1)
  assert.equal((await resetPassword('bago-9876')).json().message, RECOVERY_TEXTS.linkDead)
  await runCleanUp(site.db, 'mailed links', new Date(site.clock.now().getTime() + 1))
  assert.deepEqual(
    await site.db.selectFrom('mailed_links').where('kind', '=', 'reset-password').selectAll().execute(),
    [],
  )
})

test('without a mail server, writes each email as a complete file to DATA_DIR/mail', async () => {
  await emptyOutbox()
  const dataDir = await mkdtemp(join(tmpdir(), 'tambayan-mail-'))
  after(() => rm(dataDir, { recursive: true, force: true }))
  const form = await registerPlayer(site)
  await enqueue('ana@example.net')
  const { send } = createTransport({ ...site, config: { ...site.config, dataDir } })
  assert.equal(await sendDueMails(site, send), 2)
  const files = (await readdir(join(dataDir, 'mail'))).sort()
  assert.equal(files.length, 2)
  for (const file of files) assert.match(file, /^\d{6}\.eml$/)
  const source = await readFile(join(dataDir, 'mail', files[0] ?? ''), 'utf8')
  assert.equal(parseHeaders(source).to, form.userEmail)
  assert.match(parseParts(source).text, /^https:\/\/play\.example\.ph\/verifyemail\?token=[\w-]+$/m)
})

test('line breaks in an address or a subject add no header and no recipient', async () => {
  await emptyOutbox()
  const server = await startMailServer()
  const maliciousMail = { ...SAMPLE_MAIL, subject: 'Kamusta\r\nBcc: biktima@example.com\r\n\r\nIba na ito' }
  await enqueueMail(site.db, 'ana@example.net\r\nBcc: biktima@example.com', maliciousMail, site.clock.now())
  await enqueueMail(site.db, 'ana@example.net', maliciousMail, site.clock.now())
  await sendDueMails(site, createSender(server.url))
  assert.ok(server.received.length >= 1)
  for (const mail of server.received) {
    assert.ok(!mail.to.some((to) => to.includes('biktima')), mail.to.join(', '))
    assert.equal(parseHeaders(mail.source).bcc, undefined)
  }
})

test('logs why an email failed, but none of its content', async () => {
  await emptyOutbox()
  const logLines: string[] = []
  const log = site.log.child({}, { level: 'silent' })
  log.warn = ((...entry: unknown[]) => void logLines.push(JSON.stringify(entry))) as typeof log.warn
  const { stop, url } = await startMailServer()
  await stop()
  await enqueue('ana@example.net')
  await sendDueMails({ ...site, log }, createSender(url))
  assert.equal(logLines.length, 1)
  assert.match(logLines[0] ?? '', /ECONNREFUSED/)
  assert.doesNotMatch(logLines[0] ?? '', /Ana_7|user ID/)
})

test('deletes email files after 30 days, and no other file in their folder', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'tambayan-mail-'))
  after(() => rm(dataDir, { recursive: true, force: true }))
  await sweepMailFiles(dataDir, site.clock.now())
  await emptyOutbox()
  for (const to of ['old@example.net', 'new@example.net']) await enqueue(to)
  const { send } = createTransport({ ...site, config: { ...site.config, dataDir } })
  await sendDueMails(site, send)
  const folder = join(dataDir, 'mail')
  await writeFile(join(folder, 'notes.txt'), '')
  const [oldFile, newFile, notesFile] = (await readdir(folder)).sort()
  const getTimeAgo = (days: number) => new Date(site.clock.now().getTime() - days * DAY_MS)
  await Promise.all([
    utimes(join(folder, oldFile ?? ''), getTimeAgo(31), getTimeAgo(31)),
    utimes(join(folder, newFile ?? ''), getTimeAgo(29), getTimeAgo(29)),
    utimes(join(folder, notesFile ?? ''), getTimeAgo(31), getTimeAgo(31)),
  ])
  await sweepMailFiles(dataDir, site.clock.now())
  assert.deepEqual((await readdir(folder)).sort(), [newFile, notesFile])
})
