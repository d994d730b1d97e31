import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HOUR_MS } from '#contract/durations.ts'
import { LIMITS } from '#contract/request-limits.ts'
import { assertRefused, createPlayer, selectMailsTo } from '#test/account-helpers.ts'
import { createTestApp } from '#test/helpers.ts'
import { countTicketRows, createForm, createTicketForm, sendForm, submitTicket } from '#test/ticket-helpers.ts'
import { createTicketNumber } from './writes.ts'

const site = await createTestApp({ world: 'empty', env: { RATE_LIMIT: 'on', TRUST_PROXY: '1' } })

let counter = 0
const elsewhere = () => ({ 'X-Forwarded-For': `198.51.100.${++counter}` })
const submit = (headers: Record<string, string>, fields = {}) =>
  sendForm(site, '/api/submitticket', createTicketForm(fields), headers)

test('accepts five of a thousand tickets from one address in an hour', async () => {
  const flood = elsewhere()
  const before = await countTicketRows(site)
  const answers = await Promise.all(Array.from({ length: 20 }, () => submit(flood)))
  for (let more = 0; more < 30; more++) answers.push(await submit(flood))
  const taken = answers.filter(({ status }) => status === 200)
  assert.equal(taken.length, LIMITS.ticketsByGuestAddress.max)
  for (const answer of answers.filter(({ status }) => status !== 200)) {
    assertRefused(answer, 429)
    const seconds = Number(answer.headers.get('Retry-After'))
    assert.ok(seconds > 0 && seconds <= 3600)
  }
  assert.equal((await countTicketRows(site)).tickets, before.tickets + LIMITS.ticketsByGuestAddress.max)
  assert.equal((await countTicketRows(site)).mails, before.mails + LIMITS.ticketsByGuestAddress.max)
  assert.equal((await submit(elsewhere())).status, 200, 'accepts tickets from other addresses')
  site.clock.advance(HOUR_MS)
  assert.equal((await submit(flood)).status, 200)
})

test('limits an address that sends only refused forms', async () => {
  const flood = elsewhere()
  for (let sent = 1; sent < LIMITS.ticketForms.max; sent++)
    await site.limits.consume('ticketForms', flood['X-Forwarded-For'])
  assertRefused(await submit(flood, { subject: '' }), 422)
  assertRefused(await submit(flood, { subject: '' }), 429)
})

test('does not count refused forms toward a player’s tickets', async () => {
  const person = elsewhere()
  for (let sent = 0; sent < LIMITS.ticketsByGuestAddress.max + 1; sent++)
    assertRefused(await submit(person, { message: '' }), 422)
  assert.equal((await submit(person)).status, 200)
})

test('limits the mails to one inbox from many addresses', async () => {
  const email = 'Victim@example.net'
  for (let sent = 0; sent < LIMITS.ticketsByEmail.max; sent++)
    assert.equal((await submit(elsewhere(), { email })).status, 200)
  assertRefused(await submit(elsewhere(), { email: email.toLowerCase() }), 429)
  assert.equal((await selectMailsTo(site, 'victim@example.net')).length, 0)
})

test('limits the tickets of a player separately, at any address', async () => {
  const player = await createPlayer(site)
  const own = { email: undefined }
  for (let sent = 0; sent < LIMITS.ticketsByMember.max; sent++) {
    await submitTicket(site, own, { ...player.headers, ...elsewhere() })
  }
  assertRefused(await submit({ ...player.headers, ...elsewhere() }, own), 429)
})

test('accepts twenty replies to a ticket in an hour', async () => {
  const { key } = await submitTicket(site, {}, elsewhere())
  const reply = () => sendForm(site, '/api/replyticket', createForm({ key: key ?? '', message: 'And?' }), elsewhere())
  for (let sent = 0; sent < LIMITS.ticketReplies.max; sent++) assert.equal((await reply()).status, 200)
  assertRefused(await reply(), 429)
})

test('refuses an address after ten wrong ticket numbers, except with a key or as the player', async () => {
  const { number, key } = await submitTicket(site, { email: 'owner@example.net' }, elsewhere())
  const guesser = elsewhere()
  const check = (body: object, headers: Record<string, string>) => site.post('/api/checkticket', body, headers)
  for (let tried = 0; tried < LIMITS.ticketFailures.max; tried++) {
    assertRefused(await check({ number: createTicketNumber(), email: 'owner@example.net' }, guesser), 404)
  }
  const right = { number, email: 'owner@example.net' }
  assertRefused(await check(right, guesser), 429)
  assertRefused(await site.post('/api/sendticketlink', right, guesser), 429)
  assert.equal((await check({ key }, guesser)).status, 200)
  const player = await createPlayer(site)
  const own = await submitTicket(site, { email: undefined }, { ...player.headers, ...elsewhere() })
  assert.equal((await player.post('/api/checkticket', { number: own.number }, guesser)).status, 200)
  for (let looked = 0; looked < 15; looked++) assert.equal((await check(right, elsewhere())).status, 200)
})

test('mails a link three times an hour, and returns the same response over the limit', async () => {
  const email = 'links@example.net'
  const { number } = await submitTicket(site, { email }, elsewhere())
  for (let sent = 0; sent <= LIMITS.ticketLinks.max; sent++) {
    assert.equal((await site.post('/api/sendticketlink', { number, email }, elsewhere())).status, 200)
  }
  assert.equal((await selectMailsTo(site, email)).length, 1 + LIMITS.ticketLinks.max)
})

test('counts correct and wrong requests for a link alike, so the limit reveals no match', async () => {
  const email = 'right@example.net'
  const { number } = await submitTicket(site, { email }, elsewhere())
  const countUntilRefused = async (body: object) => {
    const from = elsewhere()
    let requests = 0
    while (requests < 2 * LIMITS.ticketFailures.max) {
      if ((await site.post('/api/sendticketlink', body, from)).status === 429) break
      requests++
    }
    return requests
  }
  const [right, wrong] = await Promise.all([
    countUntilRefused({ number, email }),
    countUntilRefused({ number: createTicketNumber(), email }),
  ])
  assert.deepEqual([right, wrong], [LIMITS.ticketFailures.max, LIMITS.ticketFailures.max])
})

test('ticket numbers are random', () => {
  const numbers = Array.from({ length: 1000 }, createTicketNumber)
  assert.equal(new Set(numbers).size, 1000)
  for (const number of numbers) assert.match(number, /^T-[A-HJ-NP-Z2-9]{4}-[A-HJ-NP-Z2-9]{4}$/)
})
