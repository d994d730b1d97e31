import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { DAY_MS } from '#contract/durations.ts'
import { FIGURES_SHOWN_DAYS } from '#contract/limits.ts'
import { toManilaDay } from '#contract/manila.ts'
import { FIRST_STEP_NAMES } from '#contract/today.ts'
import { countFigures } from '#server/features/figures/count.ts'
import { openPlayerSession } from '#test/account-helpers.ts'
import { TEST_NOW } from '#test/databases.ts'
import { insertAccount, insertRows } from '#test/factories.ts'
import { changeSettings, createTestApp } from '#test/helpers.ts'
import { createBuyer } from '#test/money-helpers.ts'

const site = await createTestApp({ env: { RATE_LIMIT: 'off' } })
const { db } = site
const gm = await openPlayerSession(site, 'gm')

const readToday = async (headers = gm.headers) => {
  const answer = await site.get('/api/admin/today', headers)
  assert.equal(answer.status, 200, answer.text)
  return answer.json()
}

test('the first screen shows a value for each of 30 days until today', async () => {
  await createBuyer(site)
  await countFigures(db, TEST_NOW)
  const { figures } = await readToday()
  assert.equal(figures.days.length, FIGURES_SHOWN_DAYS)
  assert.equal(figures.days.at(-1), toManilaDay(TEST_NOW))
  assert.equal(figures.counted_at, TEST_NOW.toISOString())
  for (const name of ['registrations', 'active_players', 'r_coin_spent', 'milleage_spent'])
    assert.equal(figures[name].length, FIGURES_SHOWN_DAYS, name)
})

const listKinds = async (headers = gm.headers) =>
  ((await readToday(headers)).needs as { kind: string; count: number }[]).map(({ kind, count }) => [kind, count])
const readNeed = async (kind: string) => (await readToday()).needs.find((need: { kind: string }) => need.kind === kind)

test('counts the waiting work, with the time of the oldest', async () => {
  const { count: countBefore = 0 } = (await readNeed('mails')) ?? {}
  const at = new Date(TEST_NOW.getTime() - 400 * DAY_MS)
  const mail = { to_address: 'a@b.ph', subject: 's', body_text: '', body_html: '', created_at: at, next_attempt_at: at }
  await insertRows(db, 'mail_outbox', { ...mail, given_up_at: at })
  const { count, more, since } = await readNeed('mails')
  assert.deepEqual([count, more, since], [countBefore + 1, false, at.toISOString()])
  await db
    .insertInto('mail_outbox')
    .values(Array.from({ length: 120 }, () => ({ ...mail, given_up_at: at })))
    .execute()
  const need = await readNeed('mails')
  assert.deepEqual([need.count, need.more], [99, true])
  await sql`delete from mail_outbox`.execute(db)
  assert.equal(await readNeed('mails'), undefined)
})

test('shows work only to operators with the permission for it', async () => {
  await db.insertInto('staff_roles').values({ role: 'bare', name: 'Bare', permissions: [] }).execute()
  const user_num = await insertAccount(db, { user_id: 'bare_member', user_type: 11 })
  await insertRows(db, 'staff_members', { user_num, role: 'bare', granted_by: null, granted_at: TEST_NOW })
  const buyer = await createBuyer(site)
  await sql`update sessions set user_num = ${user_num} where user_num = ${buyer.userNum}`.execute(db)
  const response = await buyer.get('/api/admin/today')
  assert.equal(response.status, 200, response.text)
  assert.deepEqual(response.json(), { first_steps: null, needs: [], figures: null })
  assert.ok((await listKinds()).length > 0)
})

test('hides the first steps in the demo world until a setting shows them (DESK-17)', async () => {
  assert.equal((await readToday()).first_steps, null)
  await changeSettings(site, { first_steps: true })
  assert.equal((await readToday()).first_steps.length, FIRST_STEP_NAMES.length)
  await changeSettings(site, { first_steps: false })
})
