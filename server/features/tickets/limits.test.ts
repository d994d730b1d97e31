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
const createAddress = () => ({ 'X-Forwarded-For': `198.51.100.${++counter}` })
const submit = (headers: Record<string, string>, fields = {}) =>
  sendForm(site, '/api/submitticket', createTicketForm(fields), headers)

test('accepts five of fifty tickets from one address in an hour', async () => {
  const floodAddress = createAddress()
  const before = await countTicketRows(site)
  const answers = await Promise.all(Array.from({ length: 20 }, () => submit(floodAddress)))
  for (let more = 0; more < 30; more++) answers.push(await submit(floodAddress))
  const acceptedResponses = answers.filter(({ status }) => status === 200)
  assert.equal(acceptedResponses.length, LIMITS.ticketsByGuestAddress.max)
  for (const answer of answers.filter(({ status }) => status !== 200)) {
    assertRefused(answer, 429)
    const seconds = Number(answer.headers.get('Retry-After'))
    assert.ok(seconds > 0 && seconds <= 3600)
  }
  assert.equal((await countTicketRows(site)).tickets, before.tickets + LIMITS.ticketsByGuestAddress.max)
  assert.equal((await countTicketRows(site)).mails, before.mails + LIMITS.ticketsByGuestAddress.max)
  assert.equal((await submit(createAddress())).status, 200, 'accepts tickets from other addresses')
  site.clock.advance(HOUR_MS)
  assert.equal((await submit(floodAddress)).status, 200)
})

test('limits an address that sends only refused forms', async () => {
  const floodAddress = createAddress()
  for (let sentCount = 1; sentCount < LIMITS.ticketForms.max; sentCount++)
    await site.limits.consume('ticketForms', floodAddress['X-Forwarded-For'])
  assertRefused(await submit(floodAddress, { subject: '' }), 422)
  assertRefused(await submit(floodAddress, { subject: '' }), 429)
})

test('does not count refused forms toward a player’s tickets', async () => {
  const senderAddress = createAddress()
  for (let sentCount = 0; sentCount < LIMITS.ticketsByGuestAddress.max + 1; sentCount++)
    assertRefused(await submit(senderAddress, { message: '' }), 422)
  assert.equal((await submit(senderAddress)).status, 200)
})

test('limits the mails to one inbox from many addresses', async () => {
  const email = 'Victim@example.net'
  for (let sentCount = 0; sentCount < LIMITS.ticketsByEmail.max; sentCount++)
    assert.equal((await submit(createAddress(), { email })).status, 200)
  assertRefused(await submit(createAddress(), { email: email.toLowerCase() }), 429)
  assert.equal((await selectMailsTo(site, 'victim@example.net')).length, 0)
})

test('limits the tickets of a player separately, at any address', async () => {
  const player = await createPlayer(site)
  const playerFields = { email: undefined }
  for (let sentCount = 0; sentCount < LIMITS.ticketsByMember.max; sentCount++) {
    await submitTicket(site, playerFields, { ...player.headers, ...createAddress() })
  }
  assertRefused(await submit({ ...player.headers, ...createAddress() }, playerFields), 429)
})

test('accepts twenty replies to a ticket in an hour', async () => {
  const { key } = await submitTicket(site, {}, createAddress())
  const reply = () => sendForm(site, '/api/replyticket', createForm({ key, message: 'And?' }), createAddress())
  for (let sentCount = 0; sentCount < LIMITS.ticketReplies.max; sentCount++) assert.equal((await reply()).status, 200)
  assertRefused(await reply(), 429)
})

test('refuses an address after ten wrong ticket numbers, except with a key or as the player', async () => {
  const { number, key } = await submitTicket(site, { email: 'owner@example.net' }, createAddress())
  const guesserAddress = createAddress()
  const check = (body: object, headers: Record<string, string>) => site.post('/api/checkticket', body, headers)
  for (let tried = 0; tried < LIMITS.ticketFailures.max; tried++) {
    assertRefused(await check({ number: createTicketNumber(), email: 'owner@example.net' }, guesserAddress), 404)
  }
  const correctAccess = { number, email: 'owner@example.net' }
  assertRefused(await check(correctAccess, guesserAddress), 429)
  assertRefused(await site.post('/api/sendticketlink', correctAccess, guesserAddress), 429)
  assert.equal((await check({ key }, guesserAddress)).status, 200)
  const player = await createPlayer(site)
  const ownTicket = await submitTicket(site, { email: undefined }, { ...player.headers, ...createAddress() })
  assert.equal((await player.post('/api/checkticket', { number: ownTicket.number }, guesserAddress)).status, 200)
  for (let checks = 0; checks < 15; checks++) assert.equal((await check(correctAccess, createAddress())).status, 200)
})

test('mails a link three times an hour, and returns the same response over the limit', async () => {
  const email = 'links@example.net'
  const { number } = await submitTicket(site, { email }, createAddress())
  for (let sentCount = 0; sentCount <= LIMITS.ticketLinks.max; sentCount++) {
    assert.equal((await site.post('/api/sendticketlink', { number, email }, createAddress())).status, 200)
  }
  assert.equal((await selectMailsTo(site, email)).length, 1 + LIMITS.ticketLinks.max)
})

test('counts correct and wrong requests for a link alike, so the limit reveals no match', async () => {
  const email = 'right@example.net'
  const { number } = await submitTicket(site, { email }, createAddress())
  const countUntilRefused = async (body: object) => {
    const address = createAddress()
    let requests = 0
    while (requests < 2 * LIMITS.ticketFailures.max) {
      if ((await site.post('/api/sendticketlink', body, address)).status === 429) break
      requests++
    }
    return requests
  }
  const [correctCount, wrongCount] = await Promise.all([
    countUntilRefused({ number, email }),
    countUntilRefused({ number: createTicketNumber(), email }),
  ])
  assert.deepEqual([correctCount, wrongCount], [LIMITS.ticketFailures.max, LIMITS.ticketFailures.max])
})

test('ticket numbers are random', () => {
  const numbers = Array.from({ length: 1000 }, createTicketNumber)
  assert.equal(new Set(numbers).size, 1000)
  for (const number of numbers) assert.match(number, /^T-[A-HJ-NP-Z2-9]{4}-[A-HJ-NP-Z2-9]{4}$/)
})
