import assert from 'node:assert/strict'
import { test } from 'node:test'
import { REGISTRATION_TEXTS } from '#contract/accounts.ts'
import { TICKET_MESSAGES_MAX, TICKET_PAGE_SIZE } from '#contract/limits.ts'
import { TICKET_TEXTS } from '#contract/tickets.ts'
import { assertRefused, createPlayer, listKeys, openPlayerSession, selectMailsTo } from '#test/account-helpers.ts'
import { insertCharacter, updateRows } from '#test/factories.ts'
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

const site = await createTestApp({ world: 'demo', env: { RATE_LIMIT: 'off' } })
const ana = await createPlayer(site)
const ben = await createPlayer(site)
const gm = await openPlayerSession(site, 'gm')

const checkTicket = (body: unknown, headers: Record<string, string> = {}) =>
  site.post('/api/checkticket', body, headers)
const replyToTicket = (fields: Parameters<typeof createForm>[0], headers: Record<string, string> = {}) =>
  sendForm(site, '/api/replyticket', createForm(fields), headers)
const closeTicket = (body: unknown, headers: Record<string, string> = {}) =>
  site.post('/api/closeticket', body, headers)
const answerTicket = (number: string, fields: object = {}) =>
  gm.post('/api/admin/tickets/answer', { number, message: 'We are on it.', author: 'GM Bituin', ...fields })

test('a guest who submits a ticket gets a number, a key and a link that opens it', async () => {
  const { number, state, key, link } = await submitTicket(site, { email: 'lola@example.net', message: 'A\r\nB\n\nC' })
  assert.match(number, /^T-[A-HJ-NP-Z2-9]{4}-[A-HJ-NP-Z2-9]{4}$/)
  assert.equal(state, 'open')
  assert.match(key ?? '', /^[\w-]{32}$/)
  assert.equal(link, `https://play.example.ph/checkticket#key=${key}`)
  const { ticket } = (await checkTicket({ key })).json()
  assert.deepEqual(ticket, {
    number,
    category: 'bug',
    subject: 'Stuck in the jeepney',
    state: 'open',
    created_at: '2026-11-20T13:42:07.000Z',
    updated_at: '2026-11-20T13:42:07.000Z',
    messages: 1,
    character: null,
    email: 'l***',
    closed_at: null,
    may_reply: true,
    conversation: [
      {
        id: 1,
        from: 'requester',
        author: null,
        message: 'A\nB\n\nC',
        created_at: '2026-11-20T13:42:07.000Z',
        screenshots: [],
      },
    ],
  })
})

test('the database stores the hash of a key, not the key', async () => {
  const { key } = await submitTicket(site)
  const rows = await site.db.selectFrom('ticket_keys').selectAll().execute()
  assert.ok(key !== null && !JSON.stringify(rows).includes(key))
})

test('confirms a ticket by email with its link, without the typed text', async () => {
  const { number } = await submitTicket(site, {
    email: 'kuya@example.net',
    subject: 'BUY PILLS',
    message: 'evil.example',
  })
  const [mail] = await selectMailsTo(site, 'kuya@example.net')
  assert.equal(mail?.subject, `We have received your ticket ${number} | Tambayan Online`)
  assert.doesNotMatch(`${mail?.body_text}${mail?.body_html}`, /PILLS|evil/)
  assert.match(mail?.body_text ?? '', /^https:\/\/play\.example\.ph\/checkticket#key=[\w-]+$/m)
  const key = findMailedKey(mail)
  assert.equal((await checkTicket({ key })).json().ticket.number, number)
})

test('a player’s ticket has no key, the account’s email and one of the player’s characters', async () => {
  const ChaNum = await insertCharacter(site.db, { user_num: ana.user.UserNum, cha_name: 'Liwanag77' })
  const fields = { email: undefined, ChaNum: String(ChaNum) }
  const { number, key, link } = await submitTicket(site, fields, ana.headers)
  assert.deepEqual([key, link], [null, null])
  const { ticket } = (await ana.post('/api/checkticket', { number })).json()
  assert.deepEqual([ticket.number, ticket.character, ticket.may_reply], [number, 'Liwanag77', true])
  const mail = (await selectMailsTo(site, ana.form.userEmail)).at(-1)
  assert.match(mail?.subject ?? '', new RegExp(`^We have received your ticket ${number}`))
  // A player may send the account's own email address, in any case.
  await submitTicket(site, { email: ana.form.userEmail.toUpperCase() }, ana.headers)
  for (const key of listKeys(ticket)) assert.doesNotMatch(key, /user_num|address|submission|mail_to|hash/)
})

test('reports each missing part of a ticket with a message and stores nothing', async () => {
  const otherCharacter = await insertCharacter(site.db, { user_num: ben.user.UserNum })
  const rowsBefore = await countTicketRows(site)
  const invalidForms: [Parameters<typeof createTicketForm>[0], string, Record<string, string>?][] = [
    [{ category: undefined }, TICKET_TEXTS.categoryRequired],
    [{ category: 'refund' }, TICKET_TEXTS.categoryRequired],
    [{ subject: undefined }, TICKET_TEXTS.subjectRequired],
    [{ subject: '   ' }, TICKET_TEXTS.subjectRequired],
    [{ subject: 'x'.repeat(121) }, TICKET_TEXTS.subjectTooLong],
    [{ subject: 'Hi\r\nBcc: you@example.com' }, TICKET_TEXTS.subjectControl],
    [{ subject: 'nul\0' }, TICKET_TEXTS.subjectControl],
    [{ message: undefined }, TICKET_TEXTS.messageRequired],
    [{ message: ' \n ' }, TICKET_TEXTS.messageRequired],
    [{ message: 'x'.repeat(4001) }, TICKET_TEXTS.messageTooLong],
    [{ message: 'nul\0' }, TICKET_TEXTS.messageControl],
    [{ message: 'esc\u001b[2J' }, TICKET_TEXTS.messageControl],
    [{ email: undefined }, REGISTRATION_TEXTS.emailRequired],
    [{ email: '' }, REGISTRATION_TEXTS.emailRequired],
    [{ email: 'nobody' }, 'Enter a valid email address.'],
    [{ email: 'a@example.net\r\nBcc: b@example.net' }, 'Enter a valid email address.'],
    [{ ChaNum: '1' }, TICKET_TEXTS.characterForMembers],
    [{ email: undefined, ChaNum: String(otherCharacter) }, TICKET_TEXTS.characterUnknown, ana.headers],
    [{ email: undefined, ChaNum: 'x' }, TICKET_TEXTS.characterUnknown, ana.headers],
    [{ email: 'other@example.net' }, TICKET_TEXTS.emailNotYours, ana.headers],
    [{ subject: ['a', 'b'] }, TICKET_TEXTS.subjectRequired],
  ]
  for (const [fields, text, headers] of invalidForms) {
    assertRefused(await sendForm(site, '/api/submitticket', createTicketForm(fields), headers), 422, text)
  }
  assert.deepEqual(await countTicketRows(site), rowsBefore)
})

test('shows scripts in a ticket as text everywhere', async () => {
  const maliciousText = '<script>alert(1)</script>"><img src=x onerror=alert(1)>'
  const { number, key } = await submitTicket(site, {
    subject: maliciousText,
    message: maliciousText,
    email: 'x@example.net',
  })
  const { ticket } = (await checkTicket({ key })).json()
  assert.deepEqual([ticket.subject, ticket.conversation[0].message], [maliciousText, maliciousText])
  await answerTicket(number, { message: maliciousText, author: '<b>GM</b>' })
  const mail = (await selectMailsTo(site, 'x@example.net')).at(-1)
  assert.doesNotMatch(mail?.body_html ?? '', /<script|<img|<b>/)
  assert.ok(mail?.body_text.includes('<script>alert(1)</script>'))
})

test('reads a guest’s ticket by its number and email in any case, but refuses replies with them', async () => {
  const { number } = await submitTicket(site, { email: 'Tita@example.net' })
  for (const enteredNumber of [number, number.toLowerCase(), number.replaceAll('-', ''), ` ${number.slice(2)} `]) {
    const { ticket } = (await checkTicket({ number: enteredNumber, email: 'tita@EXAMPLE.net' })).json()
    assert.deepEqual([ticket.number, ticket.may_reply], [number, false])
  }
  const access = { number, email: 'tita@example.net' }
  assertRefused(await replyToTicket({ ...access, message: 'Hi' }), 403, TICKET_TEXTS.linkToWrite)
  assertRefused(await closeTicket(access), 403, TICKET_TEXTS.linkToWrite)
})

test('gives unknown numbers, wrong emails or keys, and players’ tickets the same response', async () => {
  const { number } = await submitTicket(site)
  const playerTicket = await submitTicket(site, { email: undefined }, ana.headers)
  const texts = new Set<string>()
  for (const body of [
    { number: 'T-AAAA-AAAA', email: 'a@example.net' },
    { number, email: 'a@example.net' },
    { number: playerTicket.number, email: ana.form.userEmail },
    { key: 'A'.repeat(32) },
  ]) {
    const response = await checkTicket(body)
    assertRefused(response, 404, TICKET_TEXTS.ticketMismatch)
    texts.add(response.text)
  }
  assertRefused(await ben.post('/api/checkticket', { number: playerTicket.number }), 404, TICKET_TEXTS.ticketMismatch)
  assertRefused(await ben.post('/api/closeticket', { number: playerTicket.number }), 404, TICKET_TEXTS.ticketMismatch)
  assertRefused(
    await replyToTicket({ number: playerTicket.number, message: 'Hi' }, ben.headers),
    404,
    TICKET_TEXTS.ticketMismatch,
  )
  assert.equal(texts.size, 1)
  assertRefused(await checkTicket({}), 422, TICKET_TEXTS.numberRequired)
  assertRefused(await checkTicket({ number }), 422, REGISTRATION_TEXTS.emailRequired)
  assertRefused(await checkTicket({ number: 'T-1', email: 'a@example.net' }), 422, TICKET_TEXTS.numberInvalid)
})

test('the link of a player’s ticket opens it without a login', async () => {
  const { number } = await submitTicket(site, { email: undefined }, ben.headers)
  const key = findMailedKey((await selectMailsTo(site, ben.form.userEmail)).at(-1))
  assert.equal((await checkTicket({ key })).json().ticket.number, number)
})

test('mails an answer of support with a link, and changes the state with each message', async () => {
  const { number, key } = await submitTicket(site, { email: 'pare@example.net' })
  const answerResponse = await answerTicket(number, { message: 'First line.\nSecond line.' })
  assert.equal(answerResponse.status, 200, answerResponse.text)
  assert.deepEqual([answerResponse.json().ticket.state, answerResponse.json().ticket.messages], ['answered', 2])
  const mail = (await selectMailsTo(site, 'pare@example.net')).at(-1)
  assert.equal(mail?.subject, `An answer to your ticket ${number} | Tambayan Online`)
  assert.match(mail?.body_text ?? '', /GM Bituin answered .*\n\nFirst line\.\n\nSecond line\./)
  const mailedKey = findMailedKey(mail)
  assert.notEqual(mailedKey, key)
  assert.equal((await checkTicket({ key: mailedKey })).json().ticket.conversation[1].author, 'GM Bituin')

  site.clock.advance(60_000)
  const replyResult = (await replyToTicket({ key, message: 'It opens now.' })).json()
  assert.deepEqual(
    [replyResult.message, replyResult.ticket.state, replyResult.ticket.messages],
    [TICKET_TEXTS.replied, 'open', 3],
  )
  assert.equal((await answerTicket(number, { close: true })).json().ticket.state, 'closed')
  const reopenedTicket = (await replyToTicket({ key, message: 'It is stuck again.' })).json().ticket
  assert.deepEqual([reopenedTicket.state, reopenedTicket.closed_at], ['open', null])
  const closeResult = (await closeTicket({ key })).json()
  assert.deepEqual([closeResult.message, closeResult.ticket.state], [TICKET_TEXTS.closed, 'closed'])
  assert.notEqual(closeResult.ticket.closed_at, null)
  assert.deepEqual((await closeTicket({ key })).json(), closeResult, 'closing twice changes nothing')
})

test('mails answers to a player’s ticket to the account’s current address', async () => {
  const player = await createPlayer(site)
  const { number } = await submitTicket(site, { email: undefined }, player.headers)
  await updateRows(site.db, 'accounts', { user_num: player.user.UserNum }, { user_email: 'moved@example.net' })
  await answerTicket(number)
  assert.equal((await selectMailsTo(site, 'moved@example.net')).length, 1)
})

test('lets only operators answer, with a valid message and author', async () => {
  const { number } = await submitTicket(site)
  const rowsBefore = await countTicketRows(site)
  assertRefused(await ana.post('/api/admin/tickets/answer', { number, message: 'Hi' }), 403, TICKET_TEXTS.adminsOnly)
  assertRefused(await answerTicket(number, { message: ' ' }), 422, TICKET_TEXTS.messageRequired)
  assertRefused(await answerTicket(number, { author: 'x'.repeat(41) }), 422, TICKET_TEXTS.authorTooLong)
  for (const author of ['GM\0', 'GM\r\nBcc: all', '\ud800'])
    assertRefused(await answerTicket(number, { author }), 422, TICKET_TEXTS.authorControl)
  assertRefused(await answerTicket('T-AAAA-AAAA'), 404)
  assert.deepEqual(await countTicketRows(site), rowsBefore)
  // Without an author, the answer has the operator's staff name.
  for (const author of [undefined, '', ' '])
    assert.equal((await answerTicket(number, { author })).json().ticket.conversation.at(-1).author, 'GM Sinag')
})

test('lists a player’s tickets, the newest first, ten a page', async () => {
  const player = await createPlayer(site)
  assert.deepEqual((await player.get('/api/tickets')).json(), {
    tickets: [],
    prev_page: null,
    next_page: null,
    last_page: 1,
    lpm1: 0,
  })
  const numbers: string[] = []
  for (let index = 0; index <= TICKET_PAGE_SIZE; index++) {
    numbers.unshift((await submitTicket(site, { email: undefined, subject: `No. ${index}` }, player.headers)).number)
  }
  const firstPage = (await player.get('/api/tickets')).json()
  const secondPage = (await player.get('/api/tickets?page=99')).json()
  const listedNumbers = [...firstPage.tickets, ...secondPage.tickets].map((ticket: { number: string }) => ticket.number)
  assert.deepEqual(listedNumbers, numbers)
  assert.deepEqual([firstPage.next_page, secondPage.prev_page, secondPage.last_page], [2, 1, 2])
  assert.deepEqual(Object.keys(firstPage.tickets[0]).sort(), [
    'category',
    'created_at',
    'messages',
    'number',
    'state',
    'subject',
    'updated_at',
  ])
  assertRefused(await player.get('/api/tickets?page=x'), 422)
})

test('screenshots are visible to readers of the ticket, as uncached WebP', async () => {
  const { number, key } = await submitTicket(site, {
    email: 'pic@example.net',
    screenshots: await createPictureFile('a.png'),
  })
  const otherTicket = await submitTicket(site)
  const [screenshot] = (await checkTicket({ key })).json().ticket.conversation[0].screenshots
  assert.deepEqual([screenshot.width, screenshot.height], [64, 48])
  const get = (body: object, headers = {}) =>
    site.post('/api/ticketscreenshot', { screenshot: screenshot.id, ...body }, headers)
  for (const access of [{ key }, { number, email: 'pic@example.net' }]) {
    const picture = await get(access)
    assert.equal(picture.status, 200)
    assert.equal(picture.text.slice(0, 4), 'RIFF')
    assert.equal(picture.headers.get('Content-Type'), 'image/webp')
    assert.equal(picture.headers.get('X-Content-Type-Options'), 'nosniff')
    assert.equal(picture.headers.get('Cache-Control'), 'private, no-store')
    assert.match(picture.headers.get('Content-Disposition') ?? '', /^inline; filename="T-[\w-]+\.webp"$/)
  }
  assertRefused(await get({ key: otherTicket.key }), 404, TICKET_TEXTS.ticketMismatch)
  assertRefused(await get({ number, email: 'no@example.net' }), 404, TICKET_TEXTS.ticketMismatch)
  assertRefused(await get({ number }, ana.headers), 404, TICKET_TEXTS.ticketMismatch)
  assertRefused(await get({ key, screenshot: '../../etc/passwd' }), 422)
  assertRefused(await site.get('/api/ticketscreenshot'), 404)
})

test('juan has a closed, an answered and an open ticket in the demo world', async () => {
  const juan = await openPlayerSession(site, 'juan')
  const { tickets } = (await juan.get('/api/tickets')).json()
  assert.deepEqual(
    tickets.map(({ state }: { state: string }) => state),
    ['open', 'answered', 'closed'],
  )
  const { ticket } = (await juan.post('/api/checkticket', { number: tickets[1].number })).json()
  const [screenshot] = ticket.conversation[0].screenshots
  const picture = await juan.post('/api/ticketscreenshot', { number: ticket.number, screenshot: screenshot.id })
  assert.equal(picture.headers.get('Content-Type'), 'image/webp')
})

test('the calls are in the OpenAPI document, forms as multipart', async () => {
  const { paths } = (await site.get('/api/openapi.json')).json()
  assert.ok('multipart/form-data' in paths['/submitticket'].post.requestBody.content)
  for (const path of [
    '/tickets',
    '/checkticket',
    '/replyticket',
    '/closeticket',
    '/ticketscreenshot',
    '/admin/tickets/answer',
  ])
    assert.ok(path in paths, path)
})

test('creates one ticket or reply for an idempotency key, and refuses other content with it', async () => {
  const rowsBefore = await countTicketRows(site)
  const submitAsGuest = (fields: Parameters<typeof createForm>[0]) =>
    sendForm(site, '/api/submitticket', createTicketForm(fields), { 'Idempotency-Key': 'double-tap-1' })
  const responses = await Promise.all([1, 2].map(() => submitAsGuest({ email: 'twice@example.net' })))
  const [firstResult, secondResult] = responses.map((response) => response.json())
  assert.equal(firstResult.number, secondResult.number)
  for (const { key } of [firstResult, secondResult]) assert.equal((await checkTicket({ key })).status, 200)
  assertRefused(await submitAsGuest({ email: 'twice@example.net', message: 'Something else' }), 422)
  assert.equal((await countTicketRows(site)).tickets, rowsBefore.tickets + 1)
  assert.equal((await countTicketRows(site)).mails, rowsBefore.mails + 1)

  const reply = { key: firstResult.key, message: 'One more thing.' }
  const replies = await Promise.all([1, 2].map(() => replyToTicket(reply, { 'Idempotency-Key': 'tap' })))
  for (const response of replies) assert.equal(response.json().ticket.messages, 2)
  assertRefused(await replyToTicket({ ...reply, message: 'Other' }, { 'Idempotency-Key': 'tap' }), 422)
  const otherGuestResponse = await submitAsGuest({})
  assert.notEqual(otherGuestResponse.json().number, firstResult.number, 'keys of other guests are separate')
})

test('stores all concurrent replies, also with a concurrent closing', async () => {
  const { key, number } = await submitTicket(site)
  const replies = await Promise.all(['a', 'b', 'c'].map((message) => replyToTicket({ key, message })))
  for (const response of replies) assert.equal(response.status, 200, response.text)
  const [replyResponse, closeResponse] = await Promise.all([
    replyToTicket({ key, message: 'd' }),
    closeTicket({ key }),
    answerTicket(number),
  ])
  assert.deepEqual([replyResponse.status, closeResponse.status], [200, 200])
  const { ticket } = (await checkTicket({ key })).json()
  assert.equal(ticket.messages, 6)
  assert.equal(ticket.conversation.length, 6)
  assert.equal(ticket.closed_at !== null, ticket.state === 'closed')
})

test('refuses a message to a full conversation', async () => {
  const { key, number } = await submitTicket(site)
  await site.db
    .updateTable('tickets')
    .set({ message_count: TICKET_MESSAGES_MAX })
    .where('number', '=', number)
    .execute()
  assertRefused(await replyToTicket({ key, message: 'More' }), 409, TICKET_TEXTS.full)
  assertRefused(await answerTicket(number), 409, TICKET_TEXTS.full)
})

test('mails a lost link only to the ticket’s address, with the same response and delay for all', async () => {
  const { number } = await submitTicket(site, { email: 'lost@example.net' })
  const mailsBefore = (await countTicketRows(site)).mails
  site.sleepDurations.length = 0
  const requestLink = (body: object) => site.post('/api/sendticketlink', body)
  for (const body of [
    { number, email: 'thief@example.net' },
    { number: 'T-AAAA-AAAA', email: 'lost@example.net' },
  ])
    assert.deepEqual((await requestLink(body)).json(), { message: TICKET_TEXTS.linkSent })
  assert.equal((await countTicketRows(site)).mails, mailsBefore)
  assert.deepEqual((await requestLink({ number, email: 'LOST@example.net' })).json(), {
    message: TICKET_TEXTS.linkSent,
  })
  assert.deepEqual(site.sleepDurations, [300, 300, 300])
  const mail = (await selectMailsTo(site, 'lost@example.net')).at(-1)
  assert.match(mail?.subject ?? '', /^The link to your ticket/)
  assert.equal((await checkTicket({ key: findMailedKey(mail) })).json().ticket.may_reply, true)
})
