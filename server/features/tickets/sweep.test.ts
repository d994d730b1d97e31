import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SCREENSHOTS_KEPT_MS, TICKET_KEPT_MS, TICKET_KEY_GOOD_MS } from '#contract/limits.ts'
import { TICKET } from '#contract/tickets.ts'
import { assertRefused, linkTokenFor, loginAs, mailsTo, newPlayer, type Player } from '#test/account-helpers.ts'
import { createTestApp } from '#test/helpers.ts'
import { countTicketRows, formOf, pictureFile, sendForm, submitTicket, ticketForm } from '#test/ticket-helpers.ts'
import { sweepTickets } from './queries.ts'

const site = await createTestApp({ env: { RATE_LIMIT: 'off' } })

const check = (body: unknown) => site.post('/api/checkticket', body)
const screenshotsOf = async (number: string, email: string): Promise<number> => {
  const answer = await check({ number, email })
  return answer.status === 404 ? -1 : answer.json().ticket.conversation[0].screenshots.length
}

/** The key of the newest mail about a ticket to an address. */
async function mailedKey(address: string): Promise<string> {
  const mail = (await mailsTo(site, address)).findLast(({ body_text }) => body_text.includes('#key='))
  const key = /#key=([\w-]+)/.exec(mail?.body_text ?? '')?.[1]
  assert.ok(key !== undefined)
  return key
}

async function changeEmail(player: Player, UserEmail: string): Promise<void> {
  const details = { UserPass: 'bayani-7', UserEmail, NameFirst: 'A', NameLast: 'B' }
  const answer = await player.post('/api/updateuserdetails', { ...player.owner, ...details })
  assert.equal(answer.status, 200, answer.text)
}

test('a key opens its ticket for 30 days; number and e-mail bring another', async () => {
  const email = 'bisita@example.net'
  const { number, key } = await submitTicket(site, { email })
  site.clock.advance(TICKET_KEY_GOOD_MS - 1)
  assert.equal((await check({ key })).status, 200)
  site.clock.advance(1)
  assertRefused(await check({ key }), 404, TICKET.noMatch)
  assertRefused(await sendForm(site, '/api/replyticket', formOf({ key: key ?? '', message: 'Still here.' })), 404)
  await site.post('/api/sendticketlink', { number, email })
  assert.equal((await check({ key: await mailedKey(email) })).status, 200)
})

test('the keys of a player’s tickets end with a changed e-mail address, and those since then with its undo', async () => {
  const player = await newPlayer(site)
  const former = player.form.userEmail
  const sent = await sendForm(site, '/api/submitticket', ticketForm({ email: undefined }), player.headers)
  const { number } = sent.json()
  const old = await mailedKey(former)
  assert.equal((await check({ key: old })).status, 200)

  await changeEmail(player, 'kawatan@example.net')
  assertRefused(await check({ key: old }), 404, TICKET.noMatch)
  const gm = await loginAs(site, 'gm', 'gm-demo-1')
  await gm.post('/api/admin/tickets/answer', { number, message: 'Hello.' })
  const stolen = await mailedKey('kawatan@example.net')
  assert.equal((await check({ key: stolen })).status, 200)

  const token = await linkTokenFor(site, former, 'Your e-mail address was changed')
  assert.equal((await site.post('/api/undoemail', { token })).status, 200)
  assertRefused(await check({ key: stolen }), 404, TICKET.noMatch)
})

test('a ticket that is done loses its screenshots after 90 days and goes after a year; one that waits stays', async () => {
  const gm = await loginAs(site, 'gm', 'gm-demo-1')
  const picture = () => pictureFile('shot.png')
  const write = async (email: string) => {
    const { number } = await submitTicket(site, { email, screenshots: await picture() })
    return { number, count: () => screenshotsOf(number, email) }
  }
  const [waiting, answered, closed] = [await write('a@x.ph'), await write('b@x.ph'), await write('c@x.ph')]
  await gm.post('/api/admin/tickets/answer', { number: answered.number, message: 'Well?' })
  await gm.post('/api/admin/tickets/answer', { number: closed.number, message: 'Done.', close: true })
  const counts = async (ms: number) => {
    await sweepTickets(site.db, new Date(site.clock.now().getTime() + ms))
    return [await waiting.count(), await answered.count(), await closed.count()]
  }
  assert.deepEqual(await counts(SCREENSHOTS_KEPT_MS), [1, 1, 1])
  assert.deepEqual(await counts(SCREENSHOTS_KEPT_MS + 1), [1, 0, 0])
  assert.deepEqual(await counts(TICKET_KEPT_MS), [1, 0, 0])
  assert.deepEqual(await counts(TICKET_KEPT_MS + 1), [1, -1, -1])
  const { keys } = await countTicketRows(site)
  assert.equal(keys, 0, 'expired keys are swept too')
})
