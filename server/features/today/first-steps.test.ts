import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { OWNER } from '#contract/permissions.ts'
import { ORIGINAL_COLORS } from '#contract/theme-colors.ts'
import { FIRST_STEP_NAMES } from '#contract/today.ts'
import { insertTheme } from '#server/features/theme/draft.ts'
import { recordOpening } from '#server/http/staff.ts'
import { createOperator } from '#test/desk-helpers.ts'
import { changeSettings, createTestApp, type TestApp } from '#test/helpers.ts'
import { insertItem } from '#test/money-helpers.ts'

async function createSite(env: Record<string, string> = {}) {
  const newSite = await createTestApp({ world: 'empty', env: { DEMO: '0', RATE_LIMIT: 'off', ...env } })
  // Start from the defaults: the test world has opened purchases.
  await newSite.db.deleteFrom('settings').execute()
  await changeSettings(newSite, { require_staff_factor: false })
  return newSite
}

const site = await createSite()
const owner = await createOperator(site, OWNER)

async function readSteps(app: TestApp = site, { headers } = owner): Promise<{ step: string; done: boolean }[] | null> {
  const answer = await app.get('/api/admin/today', headers)
  assert.equal(answer.status, 200, answer.text)
  return answer.json().first_steps
}
const isDone = async (step: string) => (await readSteps())?.find((row) => row.step === step)?.done
const listDoneSteps = async () => (await readSteps())?.filter(({ done }) => done).map(({ step }) => step)

const POLICIES = ['operationpolicy', 'privacypolicy', 'gamecashagreement']
const publishDrafts = (names: string[], app = site) =>
  sql`update documents set published = draft, published_at = now() where name = any(${names}::text[])`.execute(app.db)

const publishTheme = ({ db, now }: TestApp) =>
  insertTheme(db, { title: 'Ours', colors: ORIGINAL_COLORS, pictures: {} }, { name: 'GM', now: now() })

/** Completes each step with the data that the site would write. */
const COMPLETE_STEP: Record<(typeof FIRST_STEP_NAMES)[number], () => Promise<unknown>> = {
  look: async () => {
    await changeSettings(site, { site_name: 'Barkada Online' })
    await publishTheme(site)
  },
  mail: () =>
    sql`insert into mail_servers (host, port, login, sender, tried_at, said, used_at)
      values ('mail.example.ph', 587, '', 'site@example.ph', now(), '250 OK', now())`.execute(site.db),
  'server-info': async () => {
    await publishDrafts(['server-info'])
    assert.equal(await isDone('server-info'), false, 'published without a value')
    await sql`update documents set published = jsonb_set(published, '{rates,0,value}', '"×7"') where name = 'server-info'`.execute(
      site.db,
    )
  },
  item: async () => {
    const item = await insertItem(site.db, { visible: false })
    assert.equal(await isDone('item'), false, 'players see no item yet')
    await site.db.updateTable('shop_items').set({ visible: true }).where('product_num', '=', item).execute()
  },
  news: async () => {
    await sql`insert into news (subject, type, author, content, created_at, first_published_at)
      values ('We are open', 0, 'GM', '<p>Come in.</p>', now() + interval '1 day', now())`.execute(site.db)
    assert.equal(await isDone('news'), false, 'the news is only scheduled')
    await sql`update news set created_at = now()`.execute(site.db)
  },
  policies: async () => {
    await publishDrafts(POLICIES)
    await changeSettings(site, { operator_name: 'Barkada Servers' })
  },
  backup: () =>
    sql`insert into backups (made_at, name, rows, bytes, copied_at) values (now(), 'a.backup.gz', 1, 1, now())`.execute(
      site.db,
    ),
  download: () =>
    sql`insert into downloads (position, link_name, link_address, link_type, link_description, link_date, link_icon)
      values (1, 'Client', 'https://a.example/b', 'zip', '', now(), 'download')`.execute(site.db),
  owner: async () => {
    const { user } = await createOperator(site, OWNER, undefined, { hasOpenedDesk: false })
    assert.equal(await isDone('owner'), false, 'the second owner has not opened the desk')
    await recordOpening(site, user.UserNum)
  },
  bridge: async () => {
    await sql`insert into bridges (name, sign_key, seal_key, paired_at) values ('One', 'a', 'b', now())`.execute(
      site.db,
    )
    assert.equal(await isDone('bridge'), false, 'the bridge has not reported yet')
    await sql`update bridges set seen_at = now()`.execute(site.db)
  },
  purchases: () => changeSettings(site, { purchases_open: true }),
}

test('Today shows the first steps, detects each completed one, and then hides them (DESK-17)', async () => {
  assert.deepEqual(
    await readSteps(),
    FIRST_STEP_NAMES.map((step) => ({ step, done: false })),
  )
  const newsOperator = await createOperator(site, 'news')
  assert.deepEqual(
    (await readSteps(site, newsOperator))?.map(({ step }) => step),
    ['server-info', 'news', 'policies'],
  )
  const completedSteps: string[] = []
  for (const step of FIRST_STEP_NAMES) {
    assert.deepEqual(await listDoneSteps(), completedSteps)
    await COMPLETE_STEP[step]()
    completedSteps.push(step)
  }
  assert.equal(await readSteps(), null)
  await changeSettings(site, { purchases_open: false })
  assert.equal(await readSteps(), null, 'closing purchases does not show the steps again')
})

test('counts settings of the environment, and its mail server after the first email', async () => {
  const env = { APP_NAME: 'Barkada Online', OPERATOR_NAME: 'Barkada Servers', SMTP_URL: 'smtp://mail.example.ph' }
  const otherSite = await createSite(env)
  await publishTheme(otherSite)
  const otherOwner = await createOperator(otherSite, OWNER)
  const readDoneSteps = async () =>
    (await readSteps(otherSite, otherOwner))?.filter((row) => row.done).map(({ step }) => step)
  assert.deepEqual(await readDoneSteps(), ['look'])
  await publishDrafts(POLICIES, otherSite)
  assert.deepEqual(await readDoneSteps(), ['look', 'policies'])
  await sql`insert into mail_outbox (to_address, subject, body_text, body_html, created_at, next_attempt_at, sent_at)
    values ('a@example.ph', 'Hello', '', '', now(), now(), now())`.execute(otherSite.db)
  assert.deepEqual(await readDoneSteps(), ['look', 'mail', 'policies'])
  await changeSettings(otherSite, { first_steps: false })
  assert.equal(await readSteps(otherSite, otherOwner), null)
})
