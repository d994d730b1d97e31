import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NO_MAIL_SERVER } from '#contract/errors.ts'
import { listJobs } from '#server/jobs.ts'
import { mails } from '#server/mail/templates.ts'
import { assertRefused, openPlayerSession, selectMailsTo } from '#test/account-helpers.ts'
import { createTestApp } from '#test/helpers.ts'

const site = await createTestApp({ env: { SMTP_URL: 'smtp://127.0.0.1:9' } })
const { db, clock } = site
const gm = await openPlayerSession(site, 'gm')
const listMails = async (query = '') => {
  const answer = await gm.get(`/api/admin/mails?${query}`)
  assert.equal(answer.status, 200, answer.text)
  return answer.json().rows as { mail: number; to_address: string; state: string; can_send_again: boolean }[]
}

const content = mails.userId({ appName: 'Tambayan', publicUrl: site.publicUrl }, 'Ana_7')
async function insertMail(to_address: string, fields: { sent_at?: Date; given_up_at?: Date; link_hash?: string } = {}) {
  const text = fields.sent_at === undefined ? content : { text: '', html: '' }
  const { mail } = await db
    .insertInto('mail_outbox')
    .values({
      to_address,
      subject: content.subject,
      body_text: text.text,
      body_html: text.html,
      created_at: clock.now(),
      next_attempt_at: clock.now(),
      attempts: fields.given_up_at === undefined ? 0 : 20,
      link_good_ms: fields.link_hash === undefined ? null : 1000,
      ...fields,
    })
    .returning('mail')
    .executeTakeFirstOrThrow()
  return mail
}

test('lists mails by state and by the beginning of the address, without their text', async () => {
  await insertMail('naghihintay@example.net')
  await insertMail('tapos@example.net', { sent_at: clock.now() })
  await insertMail('Suko@example.net', { given_up_at: clock.now() })
  const [failedMail] = await listMails('state=given-up&q=suko')
  assert.deepEqual(
    [failedMail?.to_address, failedMail?.state, failedMail?.can_send_again],
    ['Suko@example.net', 'given-up', true],
  )
  assert.equal((await listMails('state=sent&q=tapos'))[0]?.can_send_again, false)
  assert.equal((await listMails('state=waiting&q=tapos')).length, 0)
  const answer = await gm.get('/api/admin/mails')
  assert.doesNotMatch(answer.text, /body|Hello Ana_7/)
})

test('resends failed mails with new attempts, and skips sent mails and expired links', async () => {
  const failedMail = await insertMail('una@example.net', { given_up_at: clock.now() })
  const sentMail = await insertMail('naipadala@example.net', { sent_at: clock.now() })
  const expiredMail = await insertMail('patay@example.net', { given_up_at: clock.now(), link_hash: 'no such link' })
  const resend = (mails: number[]) => gm.post('/api/admin/mails/resend', { mails })
  const answer = await resend([failedMail, sentMail, expiredMail])
  assert.deepEqual([answer.status, answer.json().resent, answer.json().skipped], [200, 1, 2])
  const [row] = await selectMailsTo(site, 'una@example.net')
  assert.deepEqual([row?.given_up_at, row?.attempts], [null, 0])
  assertRefused(await resend([sentMail, expiredMail]), 409)
})

test('previews every template with sample data, and sends one as a test', async () => {
  const { rows } = (await gm.get('/api/admin/mails/templates')).json()
  assert.ok(rows.length >= 15)
  for (const { html, subject } of rows) assert.ok(html.startsWith('<!doctype html>') && subject.length > 5)
  const answer = await gm.post('/api/admin/mails/test', { template: 'receipt', to: 'subok@example.net' })
  assert.equal(answer.status, 200, answer.text)
  assert.match((await selectMailsTo(site, 'subok@example.net'))[0]?.subject ?? '', /^Test: Your receipt/)
  assertRefused(await gm.post('/api/admin/mails/test', { template: 'constructor', to: 'subok@example.net' }), 422)
  const log = await db.selectFrom('audit_log').where('action', '=', '/admin/mails/test').selectAll().execute()
  assert.doesNotMatch(JSON.stringify(log), /subok@/)
})

test('saves emails as files without a mail server, and never reports them as sent', async () => {
  const siteWithoutMail = await createTestApp({ database: site.database })
  await db.deleteFrom('mail_outbox').execute()
  const [savedMail, failedMail] = [
    await insertMail('itago@example.net'),
    await insertMail('b@c.ph', { given_up_at: clock.now() }),
  ]
  const mailJob = listJobs(siteWithoutMail, { jobsDb: db, send: async () => 'saved' }).find(
    ({ name }) => name === 'mail',
  )
  await mailJob?.work({ now: clock.now, signal: new AbortController().signal })
  assert.deepEqual(
    (await listMails('state=kept')).map(({ mail, state, can_send_again }) => [mail, state, can_send_again]),
    [[savedMail, 'kept', false]],
  )
  assert.deepEqual(await listMails('state=sent'), [])
  const testResponse = await siteWithoutMail.post(
    '/api/admin/mails/test',
    { template: 'receipt', to: 'a@b.ph' },
    gm.headers,
  )
  assertRefused(testResponse, 409, NO_MAIL_SERVER)
  const resendResponse = await siteWithoutMail.post('/api/admin/mails/resend', { mails: [failedMail] }, gm.headers)
  assert.match(resendResponse.json().message, /^The email is only saved as a file. This site has no mail server/)
})
