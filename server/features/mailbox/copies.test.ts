import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { HOUR_MS } from '#contract/durations.ts'
import { sendDueMails } from '#server/mail/sender.ts'
import { createTransport } from '#server/mail/transport.ts'
import { assertRefused, createPlayer, type Player, selectMailsTo } from '#test/account-helpers.ts'
import { updateRows } from '#test/factories.ts'
import { createTestApp } from '#test/helpers.ts'
import { runConcurrently } from '#test/money-helpers.ts'
import { mailCopies } from './copies.ts'
import { type Audience, sendLetter } from './letters.ts'

const site = await createTestApp({ env: { RATE_LIMIT: 'off' } })
const { db, clock } = site

/** Creates a player who wants copies of some kinds of letters by email. */
async function createSubscriber(copies: string[], isVerified = true) {
  clock.advance(1000)
  const player = await createPlayer(site)
  await updateRows(
    db,
    'accounts',
    { user_num: player.user.UserNum },
    { created_at: clock.now(), email_verified_at: isVerified ? clock.now() : null },
  )
  const response = await player.post('/api/mailbox/settings', { copies })
  assert.equal(response.status, 200, response.text)
  await db.deleteFrom('mail_outbox').where('to_address', '=', player.form.userEmail).execute()
  return player
}
type Subscriber = Awaited<ReturnType<typeof createSubscriber>>

const send = (to: number | Audience, kind: 'staff' | 'refund' = 'staff') =>
  db
    .transaction()
    .execute((tx) =>
      sendLetter(tx, { kind, to, subject: 'Lantern night', body: 'First.\n\nSecond.', now: clock.now() }),
    )
const countMails = async ({ form }: Subscriber) => (await selectMailsTo(site, form.userEmail)).length
const mailCopiesLater = async () => {
  clock.advance(HOUR_MS + 1000)
  return mailCopies(site)
}
const readToken = async (player: Player, kind = 'staff') =>
  (
    await db
      .selectFrom('mail_copies')
      .where('user_num', '=', player.user.UserNum)
      .where('kind', '=', kind as 'staff')
      .select('token')
      .executeTakeFirstOrThrow()
  ).token

test('mails a copy of an unread letter once to players who want it and have a confirmed email', async () => {
  const [subscriber, refundSubscriber, unconfirmedSubscriber, reader] = [
    await createSubscriber(['staff']),
    await createSubscriber(['refund']),
    await createSubscriber(['staff'], false),
    await createSubscriber(['staff']),
  ]
  const letter = await send({})
  assert.equal(await mailCopies(site), 0, 'copies are mailed after an hour')
  await reader.post('/api/mailbox/open', { letter })
  clock.advance(HOUR_MS + 1000)
  await runConcurrently(3, () => mailCopies(site))
  assert.deepEqual(
    await Promise.all([subscriber, refundSubscriber, unconfirmedSubscriber, reader].map(countMails)),
    [1, 0, 0, 0],
  )
  assert.equal(await mailCopiesLater(), 0)
  const [mail] = await selectMailsTo(site, subscriber.form.userEmail)
  assert.match(mail?.subject ?? '', /^Lantern night/)
  assert.match(mail?.body_text ?? '', new RegExp(`First\\.\\s+Second\\.[\\s\\S]*/mailbox\\?letter=${letter}`))
  await send(refundSubscriber.user.UserNum, 'refund')
  assert.equal(await mailCopiesLater(), 1)
  assert.deepEqual((await refundSubscriber.get('/api/mailbox/settings')).json(), { copies: ['refund'], verified: true })
})

test('mails copies of a letter to many players, one to each', async () => {
  const accounts = await db.selectFrom('accounts').select('user_num').limit(250).execute()
  await db
    .insertInto('mail_copies')
    .values(accounts.map(({ user_num }) => ({ user_num, kind: 'staff', wanted: true, token: `t${user_num}` })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await send({})
  const count = await mailCopiesLater()
  assert.ok(count >= 200, `${count}`)
  const rows = await db
    .selectFrom('mail_outbox')
    .select('to_address')
    .where('subject', 'like', 'Lantern%')
    .where('created_at', '=', clock.now())
    .execute()
  assert.equal(new Set(rows.map((row) => row.to_address)).size, count)
  await db.updateTable('mail_copies').set({ wanted: false }).execute()
})

test('a one-click unsubscription ends the emails; opening its link does not', async () => {
  const player = await createSubscriber(['staff', 'refund'])
  await send(player.user.UserNum)
  assert.equal(await mailCopiesLater(), 1)
  const { send: deliver, close } = createTransport(site)
  await sendDueMails(site, deliver)
  close()
  const folder = join(site.config.dataDir, 'mail')
  const files = await Promise.all((await readdir(folder)).map((file) => readFile(join(folder, file), 'utf8')))
  const mailFile = files
    .map((file) => file.replace(/\n[ \t]+/g, ' '))
    .find((file) => file.includes(`To: ${player.form.userEmail}`))
  const token = await readToken(player)
  assert.ok(mailFile !== undefined)
  assert.ok(mailFile.includes(`List-Unsubscribe: <${site.publicUrl}/unsubscribe?token=${token}>`), mailFile)
  assert.ok(mailFile.includes('List-Unsubscribe-Post: List-Unsubscribe=One-Click'))
  const readCopies = async () => (await player.get('/api/mailbox/settings')).json().copies
  await site.get(`/unsubscribe?token=${token}`)
  assert.deepEqual((await readCopies()).sort(), ['refund', 'staff'])
  const response = await site.send(`/unsubscribe?token=${token}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: 'List-Unsubscribe=One-Click',
  })
  assert.equal(response.status, 200)
  assert.deepEqual(await readCopies(), ['refund'])
  const refundToken = await readToken(player, 'refund')
  assert.equal((await site.post('/api/mailbox/unsubscribe', { token: refundToken })).status, 200)
  assert.deepEqual(await readCopies(), [])
  assertRefused(await site.post('/api/mailbox/unsubscribe', { token: 'nothing' }), 404)
})
