import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fillInVariables } from '#contract/desk-tickets.ts'
import { SCREENSHOTS_RETENTION_MS, TICKET_KEY_LIFETIME_MS, TICKET_RETENTION_MS } from '#contract/limits.ts'
import { TICKET_TEXTS } from '#contract/tickets.ts'
import { grantRole } from '#server/features/staff/members.ts'
import {
  assertRefused,
  createPlayer,
  findLinkToken,
  logInAs,
  openPlayerSession,
  type Player,
  selectMailsTo,
} from '#test/account-helpers.ts'
import { createTestApp } from '#test/helpers.ts'
import {
  countTicketRows,
  createForm,
  createPictureFile,
  createTicketForm,
  findMailedKey,
  sendForm,
  submitTicket,
} from '#test/ticket-helpers.ts'
import { sweepTickets } from './queries.ts'

const site = await createTestApp({ env: { RATE_LIMIT: 'off' } })
const { db, clock } = site
const gm = await openPlayerSession(site, 'gm')
const { user: supportUser, form } = await createPlayer(site)
await grantRole(db, { userNum: supportUser.UserNum, role: 'support', grantedBy: null, now: clock.now() })
const support = await logInAs(site, form.userId, form.userPassword)

const callTickets = (name: string, body: object, operator = gm) => operator.post(`/api/admin/tickets/${name}`, body)
const callTicketsOk = async (name: string, body: object, operator = gm) => {
  const answer = await callTickets(name, body, operator)
  assert.equal(answer.status, 200, answer.text)
  return answer.json()
}
const openTicket = async (number: string) => {
  const answer = await gm.get(`/api/admin/tickets/page?number=${number}`)
  assert.equal(answer.status, 200, answer.text)
  return answer.json().ticket
}
const readQueue = async (query: string) => {
  const answer = await gm.get(`/api/admin/tickets?${query}`)
  assert.equal(answer.status, 200, answer.text)
  return answer.json() as {
    rows: { number: string; priority: number; updated_at: string; assignee: string }[]
    next: string | null
  }
}

test('assigns a ticket to one of two operators who take it concurrently', async () => {
  const { number } = await submitTicket(site)
  const assignments = [gm, support].map((operator) =>
    callTickets('assign', { tickets: [{ number, from: null }], to: operator.user.UserNum }, operator),
  )
  const answers = await Promise.all(assignments)
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409])
  const refusedResponse = answers.find(({ status }) => status === 409)
  assert.equal(refusedResponse?.json().message, 'Someone else has taken one of these tickets in the meantime.')
  const assignee = answers[0]?.status === 200 ? gm : support
  assert.equal((await openTicket(number)).assignee, assignee.user.UserID)
  const player = await createPlayer(site)
  assertRefused(
    await callTickets('assign', { tickets: [{ number, from: assignee.user.UserNum }], to: player.user.UserNum }),
    422,
  )
})

test('assigns and closes several tickets in one call, all or none, with one audit entry', async () => {
  const tickets = [await submitTicket(site), await submitTicket(site), await submitTicket(site)]
  const numbers = tickets.map(({ number }) => number)
  const unassignedTickets = numbers.map((number) => ({ number, from: null }))
  const [firstNumber = '', , lastNumber = ''] = numbers
  await callTicketsOk('assign', { tickets: [{ number: lastNumber, from: null }], to: support.user.UserNum })
  assertRefused(await callTickets('assign', { tickets: unassignedTickets, to: gm.user.UserNum }), 409)
  assert.equal((await openTicket(firstNumber)).assignee, null)
  await callTicketsOk('assign', { tickets: [{ number: lastNumber, from: support.user.UserNum }], to: null })
  assert.equal(
    (await callTicketsOk('assign', { tickets: unassignedTickets, to: gm.user.UserNum })).message,
    'These tickets are yours.',
  )
  assert.equal((await openTicket(lastNumber)).assignee, 'gm')

  const readVersions = async () =>
    Promise.all(numbers.map(async (number) => ({ number, version: (await openTicket(number)).version })))
  const versionsBefore = await readVersions()
  await sendForm(site, '/api/replyticket', createForm({ key: tickets[1]?.key, message: 'One more thing.' }))
  assertRefused(await callTickets('close', { tickets: versionsBefore }), 409)
  assert.equal((await openTicket(firstNumber)).state, 'open')
  const key = { 'Idempotency-Key': 'close-three' }
  const body = { tickets: await readVersions() }
  const [closeResponse, retryResponse] = [
    await site.post('/api/admin/tickets/close', body, { ...gm.headers, ...key }),
    await site.post('/api/admin/tickets/close', body, { ...gm.headers, ...key }),
  ]
  assert.deepEqual([closeResponse.status, retryResponse.text], [200, closeResponse.text], closeResponse.text)
  assert.equal(closeResponse.json().message, '3 tickets are closed.')
  for (const number of numbers) assert.equal((await openTicket(number)).state, 'closed')
  const entries = await db.selectFrom('audit_log').selectAll().where('action', '=', '/admin/tickets/close').execute()
  assert.equal(entries.length, 1)
  assert.deepEqual([entries[0]?.target_kind, entries[0]?.target_id], ['tickets', '3'])
  assert.deepEqual(entries[0]?.changes.find(({ field }) => field === 'tickets')?.after, numbers)
  const player = await createPlayer(site)
  const path = '/api/admin/tickets/close'
  assertRefused(await site.post(path, body, player.headers), 403)
  assertRefused(await gm.post(path, { tickets: Array.from({ length: 51 }, () => body.tickets[0]) }), 422)
})

test('refuses an answer if the player or another operator has written since', async () => {
  const { number, key } = await submitTicket(site)
  const ticket = await openTicket(number)
  await sendForm(site, '/api/replyticket', createForm({ key, message: 'One more thing.' }))
  const answer = { number, version: ticket.version, message: 'Done.' }
  assertRefused(await callTickets('answer', answer), 409)
  const { version } = await openTicket(number)
  const answers = await Promise.all(
    [gm, support].map((operator) => callTickets('answer', { ...answer, version }, operator)),
  )
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409])
  assert.equal((await openTicket(number)).conversation.length, 3)
})

test('stores the time of the first answer only', async () => {
  const { number } = await submitTicket(site)
  clock.advance(30 * 60_000)
  await callTicketsOk('answer', { number, message: 'Looking.' })
  const firstAnswerAt = clock.now().toISOString()
  clock.advance(30 * 60_000)
  await callTicketsOk('answer', { number, message: 'Found.', close: true })
  const ticket = await openTicket(number)
  assert.deepEqual([ticket.first_answered_at, ticket.state], [firstAnswerAt, 'closed'])
  await callTicketsOk('reopen', { number })
  assert.equal((await openTicket(number)).state, 'open')
})

test('the ticket’s author never sees notes of staff', async () => {
  const { number, key } = await submitTicket(site)
  await callTicketsOk('note', { number, body: 'Sounds like his brother.' })
  assert.deepEqual(
    (await openTicket(number)).notes.map(({ body, written_by }: Record<string, string>) => [body, written_by]),
    [['Sounds like his brother.', 'gm']],
  )
  await callTicketsOk('answer', { number, message: 'Hello.' })
  const response = await site.post('/api/checkticket', { key })
  assert.equal(response.status, 200)
  assert.doesNotMatch(response.text, /brother/)
  const log = await db.selectFrom('audit_log').where('target_id', '=', number).selectAll().execute()
  assert.doesNotMatch(JSON.stringify(log), /brother/)
})

test('merges tickets with every message, picture, note and link, and redirects the old number', async () => {
  const email = 'dalawa@example.net'
  const firstTicket = await submitTicket(site, {
    email,
    subject: 'First',
    screenshots: await createPictureFile('a.png'),
  })
  const secondTicket = await submitTicket(site, { email, subject: 'Second' })
  await callTicketsOk('note', { number: firstTicket.number, body: 'Note of the first.' })
  await callTicketsOk('answer', { number: firstTicket.number, message: 'Which one?' })
  await callTicketsOk('priority', { number: firstTicket.number, priority: 3 })
  const otherTicket = await submitTicket(site)
  assertRefused(await callTickets('merge', { number: firstTicket.number, into: otherTicket.number }), 422)
  assertRefused(await callTickets('merge', { number: firstTicket.number, into: firstTicket.number }), 422)
  await callTicketsOk('merge', { number: firstTicket.number, into: secondTicket.number })

  const ticket = await openTicket(secondTicket.number)
  assert.deepEqual([ticket.conversation.length, ticket.messages, ticket.state, ticket.priority], [3, 3, 'open', 3])
  assert.deepEqual([ticket.merged, ticket.notes.length], [[firstTicket.number], 1])
  assert.equal(ticket.conversation.flatMap(({ screenshots }: { screenshots: [] }) => screenshots).length, 1)
  assert.equal((await openTicket(firstTicket.number)).number, secondTicket.number)
  for (const access of [{ key: firstTicket.key }, { number: firstTicket.number, email }]) {
    const checkResponse = await site.post('/api/checkticket', access)
    assert.equal(checkResponse.json().ticket.number, secondTicket.number)
  }
  const reply = await sendForm(site, '/api/replyticket', createForm({ key: firstTicket.key, message: 'Both.' }))
  assert.equal(reply.json().ticket.conversation.length, 4)
  assert.ok(
    (await selectMailsTo(site, email)).some(({ subject }) => subject.includes(`${firstTicket.number} is now part of`)),
  )
  assertRefused(await callTickets('merge', { number: firstTicket.number, into: secondTicket.number }), 422)

  const thirdTicket = await submitTicket(site, { email, subject: 'Third' })
  await callTicketsOk('merge', { number: secondTicket.number, into: thirdTicket.number })
  assert.equal((await openTicket(firstTicket.number)).number, thirdTicket.number)
})

test('leaves one ticket with all messages after concurrent merges in both directions', async () => {
  const email = 'salubong@example.net'
  const [firstTicket, secondTicket] = [await submitTicket(site, { email }), await submitTicket(site, { email })]
  const answers = await Promise.all([
    callTickets('merge', { number: firstTicket.number, into: secondTicket.number }),
    callTickets('merge', { number: secondTicket.number, into: firstTicket.number }),
  ])
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 422])
  const ticket = await openTicket(firstTicket.number)
  assert.deepEqual([ticket.messages, ticket.conversation.length], [2, 2])
})

test('orders the queue by priority, then waiting time, and lists each ticket once over all pages', async () => {
  const times = Array.from({ length: 120 }, (_, minute) => new Date(clock.now().getTime() - (minute % 60) * 60_000))
  await db
    .insertInto('tickets')
    .values(
      times.map((at, index) => ({
        number: `T-QQQQ-${String(2222 + index).replace(/[01]/g, (digit) => 'AB'[Number(digit)] ?? '')}`,
        email: 'pila@example.net',
        category: 'other' as const,
        subject: `Pila ${index}`,
        priority: index % 4,
        created_at: at,
        updated_at: at,
      })),
    )
    .execute()
  const rows: { number: string; priority: number; updated_at: string }[] = []
  for (let after: string | null = ''; after !== null; ) {
    const page: Awaited<ReturnType<typeof readQueue>> = await readQueue(`state=open&after=${after}`)
    rows.push(...page.rows)
    after = page.next
  }
  assert.equal(new Set(rows.map(({ number }) => number)).size, rows.length)
  assert.ok(rows.length >= 120)
  const keys = rows.map(({ priority, updated_at }) => `${3 - priority} ${updated_at}`)
  assert.deepEqual(keys, keys.toSorted())
  assert.equal((await readQueue('q=pila@example.net&sort=-ticket')).rows.length, 50)
  const [firstRow] = rows
  assert.equal((await readQueue(`q=${firstRow?.number}`)).rows[0]?.number, firstRow?.number)
  await callTicketsOk('assign', { tickets: [{ number: firstRow?.number, from: null }], to: gm.user.UserNum })
  assert.ok((await readQueue('assignee=me&state=open')).rows.every(({ assignee }) => assignee === 'gm'))
  assert.ok((await readQueue('assignee=none&state=open')).rows.every(({ assignee }) => assignee === null))
})

test('stores one ready answer for each title, detects conflicts, and fills in placeholders', async () => {
  const saveAnswer = (body: object) => site.post('/api/admin/ready-answers/save', body, gm.headers)
  const text = 'Hello {player}, thank you for {ticket}. {me}'
  const response = await saveAnswer({ answer: null, title: 'Thanks', body: text })
  assert.equal(response.status, 200, response.text)
  const { answer, version } = response.json().answer
  assertRefused(await saveAnswer({ answer: null, title: 'thanks', body: text }), 422)
  assertRefused(await saveAnswer({ answer: null, title: 'Other', body: 'Hi {name}' }), 422)
  assert.equal((await saveAnswer({ answer, version, title: 'Thanks', body: `${text}!` })).status, 200)
  assertRefused(await saveAnswer({ answer, version, title: 'Thanks', body: text }), 409)
  const values = { player: 'juan', ticket: 'T-1', subject: '', character: '', me: 'GM' }
  assert.equal(fillInVariables(text, values), 'Hello juan, thank you for T-1. GM')
  assert.equal((await site.post('/api/admin/ready-answers/delete', { answer }, gm.headers)).status, 200)
})

test('shows the pictures of a ticket to operators with the role support, and not to players', async () => {
  const { number } = await submitTicket(site, { screenshots: await createPictureFile('a.png') })
  const [{ screenshots }] = (await openTicket(number)).conversation
  const path = `/api/admin/tickets/screenshot?number=${number}&screenshot=${screenshots[0].id}`
  const picture = await support.get(path)
  assert.deepEqual([picture.status, picture.headers.get('Content-Type')], [200, 'image/webp'])
  const player = await createPlayer(site)
  assertRefused(await player.get(path), 403)
})

const checkTicket = (body: unknown) => site.post('/api/checkticket', body)
const countScreenshots = async (number: string, email: string): Promise<number> => {
  const answer = await checkTicket({ number, email })
  return answer.status === 404 ? -1 : answer.json().ticket.conversation[0].screenshots.length
}

/** Returns the key in the newest email about a ticket to an address. */
async function readMailedKey(address: string): Promise<string> {
  const key = (await selectMailsTo(site, address)).map(findMailedKey).findLast((mailedKey) => mailedKey !== undefined)
  assert.ok(key !== undefined)
  return key
}

async function changeEmail(player: Player, UserEmail: string): Promise<void> {
  const details = { UserPass: 'bayani-7', UserEmail, NameFirst: 'A', NameLast: 'B' }
  const answer = await player.post('/api/updateuserdetails', { ...player.owner, ...details })
  assert.equal(answer.status, 200, answer.text)
}

test('accepts the key of a ticket for 30 days, and mails a new key for the number and email', async () => {
  const email = 'bisita@example.net'
  const { number, key } = await submitTicket(site, { email })
  site.clock.advance(TICKET_KEY_LIFETIME_MS - 1)
  assert.equal((await checkTicket({ key })).status, 200)
  site.clock.advance(1)
  assertRefused(await checkTicket({ key }), 404, TICKET_TEXTS.ticketMismatch)
  assertRefused(await sendForm(site, '/api/replyticket', createForm({ key, message: 'Still here.' })), 404)
  await site.post('/api/sendticketlink', { number, email })
  assert.equal((await checkTicket({ key: await readMailedKey(email) })).status, 200)
})

test('ends the keys of a player’s tickets when the email address is changed or changed back', async () => {
  const player = await createPlayer(site)
  const formerEmail = player.form.userEmail
  const submitResponse = await sendForm(
    site,
    '/api/submitticket',
    createTicketForm({ email: undefined }),
    player.headers,
  )
  const { number } = submitResponse.json()
  const firstKey = await readMailedKey(formerEmail)
  assert.equal((await checkTicket({ key: firstKey })).status, 200)

  await changeEmail(player, 'kawatan@example.net')
  assertRefused(await checkTicket({ key: firstKey }), 404, TICKET_TEXTS.ticketMismatch)
  const gm = await openPlayerSession(site, 'gm')
  await gm.post('/api/admin/tickets/answer', { number, message: 'Hello.' })
  const secondKey = await readMailedKey('kawatan@example.net')
  assert.equal((await checkTicket({ key: secondKey })).status, 200)

  const token = await findLinkToken(site, formerEmail, 'Your email address was changed')
  assert.equal((await site.post('/api/undoemail', { token })).status, 200)
  assertRefused(await checkTicket({ key: secondKey }), 404, TICKET_TEXTS.ticketMismatch)
})

test('deletes screenshots of answered and closed tickets after 90 days, and the tickets after a year', async () => {
  const gm = await openPlayerSession(site, 'gm')
  const submitWithPicture = async (email: string) => {
    const { number } = await submitTicket(site, { email, screenshots: await createPictureFile('shot.png') })
    return { number, count: () => countScreenshots(number, email) }
  }
  const [waitingTicket, answeredTicket, closedTicket] = [
    await submitWithPicture('a@x.ph'),
    await submitWithPicture('b@x.ph'),
    await submitWithPicture('c@x.ph'),
  ]
  await gm.post('/api/admin/tickets/answer', { number: answeredTicket.number, message: 'Well?' })
  await gm.post('/api/admin/tickets/answer', { number: closedTicket.number, message: 'Done.', close: true })
  const sweepAndCountPictures = async (ms: number) => {
    await sweepTickets(site.db, new Date(site.clock.now().getTime() + ms))
    return [await waitingTicket.count(), await answeredTicket.count(), await closedTicket.count()]
  }
  assert.deepEqual(await sweepAndCountPictures(SCREENSHOTS_RETENTION_MS), [1, 1, 1])
  assert.deepEqual(await sweepAndCountPictures(SCREENSHOTS_RETENTION_MS + 1), [1, 0, 0])
  assert.deepEqual(await sweepAndCountPictures(TICKET_RETENTION_MS), [1, 0, 0])
  assert.deepEqual(await sweepAndCountPictures(TICKET_RETENTION_MS + 1), [1, -1, -1])
  const { keys } = await countTicketRows(site)
  assert.equal(keys, 0, 'expired keys are swept too')
})
