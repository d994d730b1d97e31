import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TICKET } from '#contract/tickets.ts'
import { assertRefused, loginAs, mailsTo } from '#test/account-helpers.ts'
import { createTestApp } from '#test/helpers.ts'
import { countTicketRows, formOf, sendForm, submitTicket, ticketForm } from '#test/ticket-helpers.ts'

const site = await createTestApp({ world: 'demo', env: { RATE_LIMIT: 'off' } })
const gm = await loginAs(site, 'gm', 'gm-demo-1')

const check = (body: unknown) => site.post('/api/checkticket', body)
const replyWith = (fields: Parameters<typeof formOf>[0], headers: Record<string, string> = {}) =>
  sendForm(site, '/api/replyticket', formOf(fields), headers)
const close = (body: unknown) => site.post('/api/closeticket', body)
const answer = (number: string) => gm.post('/api/admin/tickets/answer', { number, message: 'We are on it.' })

test('the same key makes one ticket and one reply, also at the same moment; with other content it is refused', async () => {
  const before = await countTicketRows(site)
  const form = () => ticketForm({ email: 'twice@example.net' })
  const key = { 'Idempotency-Key': 'double-tap-1' }
  const both = await Promise.all([1, 2].map(() => sendForm(site, '/api/submitticket', form(), key)))
  const [first, second] = both.map((one) => one.json())
  assert.equal(first.number, second.number)
  for (const { key: own } of [first, second]) assert.equal((await check({ key: own })).status, 200)
  const other = ticketForm({ email: 'twice@example.net', message: 'Something else' })
  assertRefused(await sendForm(site, '/api/submitticket', other, key), 422)
  assert.equal((await countTicketRows(site)).tickets, before.tickets + 1)
  assert.equal((await countTicketRows(site)).mails, before.mails + 1)

  const reply = { key: first.key, message: 'One more thing.' }
  const replies = await Promise.all([1, 2].map(() => replyWith(reply, { 'Idempotency-Key': 'tap' })))
  for (const one of replies) assert.equal(one.json().ticket.messages, 2)
  assertRefused(await replyWith({ ...reply, message: 'Other' }, { 'Idempotency-Key': 'tap' }), 422)
  const elsewhere = await sendForm(site, '/api/submitticket', ticketForm(), key)
  assert.notEqual(elsewhere.json().number, first.number, 'another guest’s key is another key')
})

test('replies at the same moment all stay, and one that meets the closing leaves a ticket that is whole', async () => {
  const { key, number } = await submitTicket(site)
  const replies = await Promise.all(['a', 'b', 'c'].map((message) => replyWith({ key: key ?? '', message })))
  for (const one of replies) assert.equal(one.status, 200, one.text)
  const [replied, closed] = await Promise.all([
    replyWith({ key: key ?? '', message: 'd' }),
    close({ key }),
    answer(number),
  ])
  assert.deepEqual([replied.status, closed.status], [200, 200])
  const { ticket } = (await check({ key })).json()
  assert.equal(ticket.messages, 6)
  assert.equal(ticket.conversation.length, 6)
  assert.equal(ticket.closed_at !== null, ticket.state === 'closed')
})

test('a full conversation takes no more', async () => {
  const { key, number } = await submitTicket(site)
  await site.db.updateTable('tickets').set({ message_count: 200 }).where('number', '=', number).execute()
  assertRefused(await replyWith({ key: key ?? '', message: 'More' }), 409, TICKET.full)
  assertRefused(await answer(number), 409, TICKET.full)
})

test('a lost link is mailed again, to the ticket’s own address only, with one answer for all, as late', async () => {
  const { number } = await submitTicket(site, { email: 'lost@example.net' })
  const before = (await countTicketRows(site)).mails
  site.slept.length = 0
  const send = (body: object) => site.post('/api/sendticketlink', body)
  for (const body of [
    { number, email: 'thief@example.net' },
    { number: 'T-AAAA-AAAA', email: 'lost@example.net' },
  ])
    assert.deepEqual((await send(body)).json(), { message: TICKET.linkSent })
  assert.equal((await countTicketRows(site)).mails, before)
  assert.deepEqual((await send({ number, email: 'LOST@example.net' })).json(), { message: TICKET.linkSent })
  assert.deepEqual(site.slept, [300, 300, 300])
  const mail = (await mailsTo(site, 'lost@example.net')).at(-1)
  assert.match(mail?.subject ?? '', /^The link to your ticket/)
  const key = /#key=([\w-]+)/.exec(mail?.body_text ?? '')?.[1]
  assert.equal((await check({ key })).json().ticket.may_reply, true)
})
