import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { Hono } from 'hono'
import { sql } from 'kysely'
import { pino } from 'pino'
import { MINUTE_MS } from '#contract/durations.ts'
import { recordBackup, recordRestore } from '#server/backup/backup-records.ts'
import { markDriverError } from '#server/db/errors.ts'
import { createErrorCounter, removePersonalData } from '#server/error-counter.ts'
import { answerError } from '#server/errors.ts'
import { openPlayerSession } from '#test/account-helpers.ts'
import { TEST_NOW } from '#test/databases.ts'
import { startDiscord } from '#test/discord.ts'
import { changeSettings, createTestApp } from '#test/helpers.ts'
import { watchProblems } from './alerts.ts'
import { findProblems } from './problems.ts'

const site = await createTestApp({ env: { RATE_LIMIT: 'off', SMTP_URL: 'smtp://127.0.0.1:9' } })
const { db } = site
const gm = await openPlayerSession(site, 'gm')

const readHealth = async () => {
  const answer = await site.get('/api/admin/health', gm.headers)
  assert.equal(answer.status, 200, answer.text)
  return answer.json()
}

const discord = await startDiscord()
const { posts } = discord

/** Returns the time some minutes after the start of the test. */
const minutesLater = (minutes: number) => new Date(TEST_NOW.getTime() + minutes * MINUTE_MS)
/**
 * Checks for problems at a time and sends the alerts. Their mails count as sent, because waiting mails would be a problem
 * themselves; mails with the subject 's' are the tests' own.
 */
const watchAt = async (minutes: number) => {
  await watchProblems({ ...site, now: () => minutesLater(minutes) })
  await discord.deliver({ ...site, now: () => minutesLater(minutes) })
  await db.updateTable('mail_outbox').set({ sent_at: sql`clock_timestamp()` }).where('subject', '<>', 's').execute()
}
const listMails = async () => {
  const rows = await db.selectFrom('mail_outbox').select(['to_address', 'subject']).orderBy('mail').execute()
  return rows.map(({ to_address, subject }) => `${to_address}: ${subject.split(' | ')[0]}`)
}
/** Records a failure of the job `mail`. */
const failJob = () =>
  sql`insert into jobs (name, due_at, failed_at, failure) values ('mail', clock_timestamp(), clock_timestamp(), 'No route to mail.example')
    on conflict (name) do update set failed_at = clock_timestamp()`.execute(db)

// The demo world's waiting work and its shop without a game would be problems in every test.
await db.updateTable('deliveries').set({ failed_at: null }).execute()
await changeSettings(site, { purchases_open: false })

beforeEach(async () => {
  for (const table of ['alerts', 'jobs', 'mail_outbox', 'recent_errors', 'backups'] as const)
    await db.deleteFrom(table).execute()
  await discord.connect(db, 'alert')
  await changeSettings(site, { alert_email: 'desk@example.ph' })
  discord.reset()
})

test('alerts the operators once after ten minutes of a problem, and once when it is over', async () => {
  await failJob()
  await watchAt(0)
  await watchAt(9)
  assert.deepEqual([await listMails(), posts], [[], []])
  await watchAt(10)
  await watchAt(11)
  await watchAt(600)
  assert.deepEqual(await listMails(), ['desk@example.ph: Something is wrong'])
  assert.equal(posts.length, 1)
  assert.match(posts[0] ?? '', /The job “mail” is failing: No route to mail\.example/)
  await db.updateTable('jobs').set({ succeeded_at: sql`clock_timestamp()` }).execute()
  await watchAt(601)
  await watchAt(602)
  assert.deepEqual(await listMails(), ['desk@example.ph: Something is wrong', 'desk@example.ph: A problem is over'])
  assert.equal(posts.length, 2)
  assert.match(posts[1] ?? '', /A problem is over\nThe job “mail” is failing/)
  await failJob()
  await watchAt(700)
  await watchAt(711)
  assert.equal((await listMails()).length, 3)
})

test('sends no alert for a problem that ends within ten minutes', async () => {
  await failJob()
  await watchAt(0)
  await db.deleteFrom('jobs').execute()
  await watchAt(5)
  await watchAt(30)
  assert.deepEqual([await listMails(), posts], [[], []])
})

test('sends undelivered alerts as soon as a recipient is set', async () => {
  const isAlertSent = async () =>
    (await readHealth()).alerts.some(({ told_at }: { told_at: string | null }) => told_at !== null)
  await changeSettings(site, { alert_email: '', alert_webhook: '' })
  await failJob()
  await watchAt(0)
  await watchAt(30)
  assert.equal(await isAlertSent(), false)
  await changeSettings(site, { alert_email: 'desk@example.ph' })
  await watchAt(31)
  await watchAt(32)
  assert.deepEqual([await listMails(), await isAlertSent()], [['desk@example.ph: Something is wrong'], true])
})

test('concurrent processes send an alert once', async () => {
  await failJob()
  await watchAt(0)
  await Promise.all([watchAt(12), watchAt(12), watchAt(12)])
  assert.deepEqual(await listMails(), ['desk@example.ph: Something is wrong'])
})

test('repeats an alert that Discord refused until Discord accepts it', async () => {
  await failJob()
  await watchAt(0)
  discord.isOpen = false
  await watchAt(10)
  await watchAt(11)
  assert.deepEqual(posts, [])
  discord.isOpen = true
  await watchAt(12)
  await watchAt(13)
  assert.equal(posts.length, 1)
  assert.equal((await listMails()).length, 1)
})

test('late jobs, stuck mails, late receipts and an old backup are problems', async () => {
  const oldTime = new Date(Date.now() - 3 * 24 * 60 * MINUTE_MS)
  const due_at = new Date(Date.now() - 20 * MINUTE_MS)
  await db
    .insertInto('jobs')
    .values([{ name: 'rollover', due_at }])
    .execute()
  await db.insertInto('backups').values({ made_at: oldTime, name: 'old.backup.gz', rows: 7, bytes: 900 }).execute()
  await db
    .insertInto('jobs')
    .values({ name: 'from an old version', due_at: new Date(0) })
    .execute()
  const mail = { to_address: 'a@b.ph', subject: 's', body_text: '', body_html: '', next_attempt_at: oldTime }
  await db
    .insertInto('mail_outbox')
    .values({ ...mail, created_at: oldTime })
    .execute()
  await db
    .insertInto('receipts_due')
    .values({ user_num: gm.user.UserNum, first_ordinal: 1, last_ordinal: 1, created_at: oldTime })
    .execute()
  await watchAt(0)
  const { alerts } = await readHealth()
  const names = alerts.map(({ problem }: { problem: string }) => problem).filter((name: string) => name !== 'disk')
  assert.deepEqual(names.sort(), ['backup', 'job rollover', 'mail', 'receipts'])
  await recordBackup(db, { name: 'tambayan.backup.gz', rows: 7, bytes: 900 })
  await db.updateTable('mail_outbox').set({ sent_at: new Date() }).execute()
  await watchAt(1)
  const { backup, ...rest } = await readHealth()
  assert.equal(backup.too_old, false)
  const openAlerts = rest.alerts.filter(({ over_at }: { over_at: string | null }) => over_at === null)
  assert.ok(!openAlerts.some(({ problem }: { problem: string }) => problem === 'mail' || problem === 'backup'))
  await db.deleteFrom('receipts_due').execute()
})

test('one waiting email is a problem only while the mail server is unavailable', async () => {
  const oldTime = new Date(Date.now() - 20 * MINUTE_MS)
  const mail = { to_address: 'a@b.ph', subject: 's', body_text: '', body_html: '', created_at: oldTime, attempts: 4 }
  const waitingMail = { ...mail, next_attempt_at: minutesLater(600), last_error: 'Refused' }
  await db.insertInto('mail_outbox').values(waitingMail).execute()
  const readDetails = async () =>
    (await findProblems(site)).filter(({ problem }) => problem === 'mail').map(({ detail }) => detail)
  assert.deepEqual(await readDetails(), [])
  await db.updateTable('mail_outbox').set({ away_at: oldTime }).execute()
  assert.deepEqual(await readDetails(), ['Email is not being sent: 1 is waiting. Check the mail server.'])
  const sentMail = { ...mail, next_attempt_at: oldTime, sent_at: new Date(Date.now() - 15 * MINUTE_MS) }
  await db.insertInto('mail_outbox').values(sentMail).execute()
  assert.deepEqual(await readDetails(), [], 'another email was sent since then')
})

test('shows the age of the last backup of any kind in the metrics', async () => {
  assert.doesNotMatch((await site.get('/metrics')).text, /^tambayan_backup_age_seconds \d/m)
  await recordBackup(db, { name: 'by-hand.gz', rows: 1, bytes: 1 })
  assert.match((await site.get('/metrics')).text, /^tambayan_backup_age_seconds \d/m)
})

test('shows versions, sizes, backlogs and the result of each job on the screen', async () => {
  await failJob()
  const screen = await readHealth()
  assert.match(screen.version, /^\d+\.\d+\.\d+$/)
  assert.match(screen.migration, /^\d{3}-/)
  assert.ok(screen.database.bytes > 1_000_000)
  assert.deepEqual(Object.keys(screen.backlogs), ['mail', 'deliveries', 'receipts'])
  assert.deepEqual(
    screen.jobs.map(({ name, state, failure }: Record<string, unknown>) => [name, state, failure]),
    [['mail', 'failing', 'No route to mail.example']],
  )
})

test('counts logged errors by kind and hour, without personal data', async () => {
  const counter = createErrorCounter(() => new Date())
  const log = pino({ level: 'error', hooks: counter.hooks }, { write: () => {} })
  const typeError = { type: 'TypeError', message: 'no row for juan@example.com at 203.0.113.7' }
  for (const account of [12345, 777])
    log.error({ err: typeError, path: `/api/accounts/${account}/x` }, 'request failed')
  log.warn('not an error')
  await counter.flush(db)
  log.error({ err: typeError, path: '/api/accounts/1/x' }, 'request failed')
  await counter.flush(db)
  await counter.flush(db)
  const { errors } = await readHealth()
  assert.deepEqual(
    errors.map(({ kind, count, last_hour, last_message }: Record<string, unknown>) => [
      kind,
      count,
      last_hour,
      last_message,
    ]),
    [['request failed at /api/accounts/#/x (TypeError)', 3, 3, 'no row for … at …']],
  )
})

test('logs one line a minute for refused requests in an outage, and counts each request', async () => {
  let minute = 0
  const counter = createErrorCounter(() => minutesLater(minute))
  const lines: Record<string, unknown>[] = []
  const log = pino({ level: 'warn', hooks: counter.hooks }, { write: (line) => void lines.push(JSON.parse(line)) })
  const connectionError = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
  markDriverError(connectionError)
  const app = new Hono().onError((error, c) => answerError(error, c, { log }))
  app.get('/*', () => {
    throw connectionError
  })
  for (let request = 0; request < 100; request++) assert.equal((await app.request('/itemshop')).status, 503)
  assert.deepEqual(
    lines.map(({ id, unwritten }) => [id, unwritten]),
    [['database-away', 0]],
  )
  minute = 1
  await app.request('/itemshop')
  assert.equal(lines[1]?.unwritten, 99)
  // A clock that is set back must not suppress log lines.
  minute = -60
  await app.request('/itemshop')
  log.error({ err: { message: 'another accident' } }, 'request failed')
  assert.equal(lines.length, 4)
  await counter.flush(db)
  const { errors } = await readHealth()
  assert.deepEqual(
    errors
      .filter(({ kind }: { kind: string }) => kind === 'request failed at /itemshop')
      .map(({ count }: { count: number }) => count),
    [102],
  )
})

test('writes few rows for many kinds of errors', async () => {
  const counter = createErrorCounter()
  const log = pino({ level: 'error', hooks: counter.hooks }, { write: () => {} })
  for (let kind = 0; kind < 500; kind++) log.error(`kind ${'x'.repeat(kind % 100)}${kind}`)
  await counter.flush(db)
  const { rows } = await sql<{ kinds: number; all: number }>`
    select count(*)::int as kinds, sum(count)::int as all from recent_errors`.execute(db)
  // 40 kinds, and one for all others.
  assert.deepEqual(rows, [{ kinds: 41, all: 500 }])
})

test('removes personal data from messages of errors', () => {
  const cases: [string, string][] = [
    [
      'duplicate key value violates unique constraint "accounts_user_id_key"',
      'duplicate key value violates unique constraint accounts_user_id_key',
    ],
    ['invalid input syntax for type bigint: "juan_cruz"', 'invalid input syntax for type bigint: …'],
    ['getaddrinfo ENOTFOUND postgres://me:secret@db/x', 'getaddrinfo ENOTFOUND …'],
    ['session 0f3a9be1c2d4e5f60718 of 2001:db8::7 ended', 'session … of … ended'],
    ['It did not end within 120 seconds.', 'It did not end within 120 seconds.'],
  ]
  for (const [message, cleaned] of cases) assert.equal(removePersonalData(message), cleaned)
})

test('sends a test alert to the targets of alerts, and refuses it without a target', async () => {
  const sendTestAlert = () => site.post('/api/admin/health/test-alert', {}, gm.headers)
  const response = await sendTestAlert()
  assert.equal(response.status, 200, response.text)
  assert.deepEqual(await listMails(), ['desk@example.ph: A test alert'])
  assert.equal(posts.length, 1)
  discord.isOpen = false
  assert.equal((await sendTestAlert()).status, 409)
  await changeSettings(site, { alert_email: '', alert_webhook: '' })
  assert.equal((await sendTestAlert()).status, 409)
})

const readProblems = async (path: 'health' | 'today', headers = gm.headers): Promise<string[]> => {
  const body = (await site.get(`/api/admin/${path}`, headers)).json()
  const rows: { detail: string; over_at?: string | null }[] = path === 'health' ? body.alerts : body.needs
  return rows.filter(({ detail, over_at }) => detail !== '' && (over_at ?? null) === null).map(({ detail }) => detail)
}

test('shows failures as problems on Health at once, and as work on Today and in the menu', async () => {
  const mail = { to_address: 'a@b.ph', subject: 's', body_text: '', body_html: '', created_at: TEST_NOW }
  const failedMail = { ...mail, next_attempt_at: TEST_NOW, given_up_at: TEST_NOW }
  await db.insertInto('mail_outbox').values([failedMail, failedMail, failedMail]).execute()
  const failedDeliveries = await db
    .selectFrom('deliveries')
    .where('state', '=', 'queued')
    .select('delivery')
    .limit(10)
    .execute()
  await db
    .updateTable('deliveries')
    .set({ failed_at: TEST_NOW })
    .where(
      'delivery',
      'in',
      failedDeliveries.map(({ delivery }) => delivery),
    )
    .execute()
  await failJob()
  // The disk of the test machine may have little free space.
  assert.deepEqual((await readProblems('health')).filter((detail) => !detail.startsWith('Only')).sort(), [
    '10 items could not be delivered. See the failed orders.',
    '3 emails could not be sent. See the failed mail.',
    'The job “mail” is failing: No route to mail.example',
  ])
  const { needs } = (await site.get('/api/admin/today', gm.headers)).json()
  const counts = needs.map(({ kind, count }: { kind: string; count: number }) => `${kind} ${count}`)
  for (const need of ['deliveries 10', 'mails 3', 'problem 1']) assert.ok(counts.includes(need), need)
  const { waiting } = (await site.get('/api/admin/me', gm.headers)).json()
  assert.deepEqual([waiting.mail, waiting.health], [3, 3])
  assert.ok(waiting.orders >= 10)
  await db.updateTable('deliveries').set({ failed_at: null }).execute()
})

test('Health, Today and the answer to a test alert show that there is no mail server', async () => {
  const siteWithoutMail = await createTestApp({ database: site.database, env: { RATE_LIMIT: 'off' } })
  for (const path of ['health', 'today'] as const) {
    const screen = (await siteWithoutMail.get(`/api/admin/${path}`, gm.headers)).json()
    assert.match(JSON.stringify(screen.alerts ?? screen.needs), /This site has no mail server/)
    assert.doesNotMatch((await readProblems(path)).join(), /no mail server/)
  }
  await changeSettings(siteWithoutMail, { alert_webhook: '' })
  for (const minutes of [0, 11]) await watchProblems({ ...siteWithoutMail, now: () => minutesLater(minutes) })
  const { alerts, told } = (await siteWithoutMail.get('/api/admin/health', gm.headers)).json()
  assert.deepEqual(
    [told, alerts.filter(({ told_at }: { told_at: string | null }) => told_at !== null)],
    [{ email: false, discord: false }, []],
  )
  const alert = await siteWithoutMail.post('/api/admin/health/test-alert', {}, gm.headers)
  assert.deepEqual([alert.status, /no mail server/.test(alert.text)], [409, true])
  await discord.connect(db, 'alert')
  siteWithoutMail.cache.clear()
  const response = await siteWithoutMail.post('/api/admin/health/test-alert', {}, gm.headers)
  assert.match(response.json().message, /on its way to Discord\. This site has no mail server/)
  assert.deepEqual(await listMails(), [])
})

test('an open shop without a bridge is a problem; Today suggests to open a closed shop', async () => {
  const hasNoBridge = async () => (await readProblems('health')).some((detail) => /no bridge to the game/.test(detail))
  const readNeedKinds = async () =>
    (await site.get('/api/admin/today', gm.headers)).json().needs.map(({ kind }: { kind: string }) => kind)
  assert.deepEqual([await hasNoBridge(), (await readNeedKinds()).includes('closed')], [false, true])
  await changeSettings(site, { purchases_open: true })
  assert.deepEqual([await hasNoBridge(), (await readNeedKinds()).includes('closed')], [true, false])
  assert.match((await readProblems('today')).join(), /no bridge to the game/)
  await changeSettings(site, { purchases_open: false })
})

test('names the restored backup on Health, and does not count it as a backup of this site', async () => {
  await recordRestore(db, { name: 'tambayan.backup.gz', madeAt: minutesLater(-60), rows: 7 })
  const { backup } = await readHealth()
  assert.equal(backup.made_at, null)
  assert.deepEqual(
    [backup.restored.from, backup.restored.name],
    [minutesLater(-60).toISOString(), 'tambayan.backup.gz'],
  )
})
