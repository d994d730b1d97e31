import assert from 'node:assert/strict'
import { test } from 'node:test'
import { STAFF_NAME } from '#contract/messages.ts'
import { OWNER } from '#contract/permissions.ts'
import { assertRefused, openPlayerSession } from '#test/account-helpers.ts'
import { createOperator } from '#test/desk-helpers.ts'
import { updateRows } from '#test/factories.ts'
import { createTestApp } from '#test/helpers.ts'
import { selectAuthors } from '../forum/queries.ts'
import { mailOwners } from './notify.ts'

const site = await createTestApp({ env: { RATE_LIMIT: 'off' } })
const { db } = site
const owner = await openPlayerSession(site, 'gm')
const juan = await openPlayerSession(site, 'juan')

/** Opens a ticket as juan and answers it. @returns the author that juan sees */
async function answerTicket(staff: typeof owner): Promise<string> {
  const form = new FormData()
  for (const [name, value] of [
    ['category', 'other'],
    ['subject', 'Tanong'],
    ['message', 'Paano?'],
  ] as const)
    form.append(name, value)
  const submitResponse = await site.send('/api/submitticket', { method: 'POST', body: form, headers: juan.headers })
  const { number } = submitResponse.json()
  const answer = await staff.post('/api/admin/tickets/answer', { number, message: 'Ganito.' })
  assert.equal(answer.status, 200, answer.text)
  const { author } = await db
    .selectFrom('ticket_messages')
    .where('writer', '=', 'support')
    .orderBy('message', 'desc')
    .select('author')
    .executeTakeFirstOrThrow()
  return author ?? ''
}

test('shows players a default name for staff members until they set one, never their own names', async () => {
  const supportOwner = await createOperator(site, 'owner')
  const { UserNum, UserID } = supportOwner.user
  const account = await db
    .selectFrom('accounts')
    .where('user_num', '=', UserNum)
    .select(['first_name', 'user_id'])
    .executeTakeFirstOrThrow()
  const readNames = async () => {
    const createdNews = (await supportOwner.post('/api/admin/news/create', { type: 1 })).json()
    const forumName = (await selectAuthors(db, [UserNum]))(UserNum).name
    const { staff_name } = (await supportOwner.get('/api/admin/me')).json()
    return [await answerTicket(supportOwner), createdNews.item.text.author, forumName, staff_name]
  }
  assert.deepEqual(await readNames(), [STAFF_NAME, STAFF_NAME, STAFF_NAME, STAFF_NAME])
  assert.ok(!(await readNames()).some((name) => [UserID, account.first_name].includes(name)))
  const response = await supportOwner.post('/api/admin/staff/name', { user_num: UserNum, name: ' GM Tala ' })
  assert.equal(response.status, 200, response.text)
  // A new news item has the author of the operator's last draft.
  assert.deepEqual(await readNames(), ['GM Tala', STAFF_NAME, 'GM Tala', 'GM Tala'])
})

test('lets staff name themselves, lets owners name others, and refuses taken names', async () => {
  const [support, newsOperator] = [await createOperator(site, 'support'), await createOperator(site, 'news')]
  const setName = (operator: typeof owner, user_num: number, name: string) =>
    operator.post('/api/admin/staff/name', { user_num, name })
  assert.equal((await setName(support, support.user.UserNum, 'GM Araw')).status, 200)
  assertRefused(await setName(support, newsOperator.user.UserNum, 'GM Buwan'), 403)
  assertRefused(await setName(newsOperator, newsOperator.user.UserNum, 'gm araw'), 422)
  assertRefused(await setName(owner, juan.user.UserNum, 'GM Juan'), 404)
  for (const body of [{}, { user_num: support.user.UserNum, name: '' }])
    assertRefused(await support.post('/api/admin/staff/name', body), 422)
  assert.equal((await setName(owner, newsOperator.user.UserNum, 'GM Buwan')).status, 200)
  const log = await db.selectFrom('audit_log').where('action', '=', '/admin/staff/name').selectAll().execute()
  assert.equal(log.length, 3)
})

test('mails an event to all owners except blocked owners, and to no one after a rollback', async () => {
  const owners = [await createOperator(site, OWNER), await createOperator(site, OWNER)]
  const blockedOwner = await createOperator(site, OWNER)
  const newsOperator = await createOperator(site, 'news')
  await updateRows(db, 'accounts', { user_num: blockedOwner.user.UserNum }, { blocked_at: site.now() })
  const notice = { subject: 'A bridge was paired', lines: ['maria paired “Game machine”.'] }
  const listMails = () =>
    db.selectFrom('mail_outbox').where('subject', 'like', `${notice.subject}%`).selectAll().orderBy('mail').execute()
  await assert.rejects(
    db.transaction().execute(async (tx) => {
      await mailOwners(tx, site, notice)
      throw new Error('undone')
    }),
  )
  assert.deepEqual(await listMails(), [])
  await db.transaction().execute((tx) => mailOwners(tx, site, notice))
  const mails = await listMails()
  const addresses = mails.map(({ to_address }) => to_address)
  for (const { form } of owners) assert.ok(addresses.includes(form.userEmail))
  assert.ok(![blockedOwner, newsOperator].some(({ form }) => addresses.includes(form.userEmail)))
  assert.match(mails[0]?.body_text ?? '', /maria paired “Game machine”\.[\s\S]*\/admin/)
})
