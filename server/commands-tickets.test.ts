import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TICKET_MESSAGES_MAX } from '#contract/limits.ts'
import { selectMailsTo } from '#test/account-helpers.ts'
import { createTestApp } from '#test/helpers.ts'
import { createPictureFile, submitTicket } from '#test/ticket-helpers.ts'
import { runCommand } from './commands.ts'

const app = await createTestApp({ world: 'empty', env: { RATE_LIMIT: 'off' } })
const site = { appName: 'Barkada Online', publicUrl: 'https://play.example.ph' }
const runTickets = (...args: string[]) => runCommand({ db: app.db, now: app.clock.now(), site }, ['tickets', ...args])

test('tickets list prints the open tickets, those that wait longest first', async () => {
  assert.deepEqual(await runTickets('list'), { ok: true, lines: ['No tickets are open.'] })
  const firstTicket = await submitTicket(app, { subject: 'Stuck' })
  app.clock.advance(60_000)
  const secondTicket = await submitTicket(app, { category: 'payment', subject: 'No R-Coin' })
  assert.deepEqual(await runTickets('list'), {
    ok: true,
    lines: [
      `${firstTicket.number}\t2026-11-20 21:42\tbug\tguest\tStuck`,
      `${secondTicket.number}\t2026-11-20 21:43\tpayment\tguest\tNo R-Coin`,
    ],
  })
  assert.deepEqual(await runTickets('list', '--state', 'closed'), { ok: true, lines: ['No tickets are closed.'] })
})

test('tickets show prints the conversation, answer adds to it and mails it, close closes it', async () => {
  const screenshots = await createPictureFile('a.png')
  const { number } = await submitTicket(app, { email: 'ana@example.net', message: 'A\nB', screenshots })
  const answerResult = await runTickets('answer', number.toLowerCase(), 'Please log in again.', '--as', 'GM Bituin')
  assert.deepEqual(answerResult, { ok: true, lines: [`${number} is answered.`] })
  const mail = (await selectMailsTo(app, 'ana@example.net')).at(-1)
  assert.equal(mail?.subject, `An answer to your ticket ${number} | Barkada Online`)
  const { lines } = await runTickets('show', number)
  assert.deepEqual(lines, [
    `${number}\tanswered\tbug\tguest\tana@example.net`,
    'Stuck in the jeepney',
    '',
    '2026-11-20 21:43  Requester  (1 screenshot)',
    'A',
    'B',
    '',
    '2026-11-20 21:43  GM Bituin',
    'Please log in again.',
  ])
  assert.deepEqual(await runTickets('close', number), { ok: true, lines: [`${number} is closed.`] })
  const mailCount = (await selectMailsTo(app, 'ana@example.net')).length
  assert.deepEqual(await runTickets('close', number), { ok: true, lines: [`${number} is closed.`] })
  assert.equal((await selectMailsTo(app, 'ana@example.net')).length, mailCount, 'closed once, mailed once')
  assert.deepEqual(await runTickets('answer', number, 'Bye.', '--close'), { ok: true, lines: [`${number} is closed.`] })
})

test('an invalid command changes nothing, and an unknown ticket is named in the message', async () => {
  const { number } = await submitTicket(app)
  for (const args of [
    [],
    ['burn'],
    ['answer', number],
    ['answer', number, ' '],
    ['answer', number, 'Hi', 'there'],
    ['answer', number, 'Hi', '--shut'],
    ['answer', number, 'Hi', '--as', ''],
    ['answer', number, 'x'.repeat(4001)],
    ['list', '--state', 'gone'],
    ['close'],
  ]) {
    const { ok, lines } = await runTickets(...args)
    assert.ok(!ok && lines[0]?.startsWith('Usage: tickets list'), args.join(' '))
  }
  for (const verb of ['show', 'close']) {
    assert.deepEqual(await runTickets(verb, 'T-AAAA-AAAA'), { ok: false, lines: ['There is no ticket T-AAAA-AAAA.'] })
  }
  assert.equal((await runTickets('answer', 'T-AAAA-AAAA', 'Hi')).ok, false)
  await app.db.updateTable('tickets').set({ message_count: TICKET_MESSAGES_MAX }).where('number', '=', number).execute()
  assert.deepEqual(await runTickets('answer', number, 'Hi'), {
    ok: false,
    lines: ['This conversation is full. Please submit a new ticket.'],
  })
})
