import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OWNER } from '#contract/permissions.ts'
import { newOperator } from '#test/desk-helpers.ts'
import { createTestApp } from '#test/helpers.ts'
import { mailOwners } from './notify.ts'

const site = await createTestApp()
const { db } = site

test('all owners are mailed with what happened, blocked ones and other staff are not, and a rollback mails nobody', async () => {
  const owners = [await newOperator(site, OWNER), await newOperator(site, OWNER)]
  const blocked = await newOperator(site, OWNER)
  const news = await newOperator(site, 'news')
  await db
    .updateTable('accounts')
    .set({ blocked_at: site.now() })
    .where('user_num', '=', blocked.user.UserNum)
    .execute()
  const notice = { subject: 'A bridge was paired', lines: ['maria paired “Game machine”.'] }
  const sent = () =>
    db.selectFrom('mail_outbox').where('subject', 'like', `${notice.subject}%`).selectAll().orderBy('mail').execute()
  await assert.rejects(
    db.transaction().execute(async (tx) => {
      await mailOwners(tx, site, notice)
      throw new Error('undone')
    }),
  )
  assert.deepEqual(await sent(), [])
  await db.transaction().execute((tx) => mailOwners(tx, site, notice))
  const mails = await sent()
  const to = mails.map(({ to_address }) => to_address)
  for (const { form } of owners) assert.ok(to.includes(form.userEmail))
  assert.ok(![blocked, news].some(({ form }) => to.includes(form.userEmail)))
  assert.match(mails[0]?.body_text ?? '', /maria paired “Game machine”\.[\s\S]*\/admin/)
})
