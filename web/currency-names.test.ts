import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { areDifferentNames, nameCurrencies } from '#contract/currencies.ts'
import { PERMISSIONS } from '#contract/permissions.ts'
import { SETTINGS, type SettingName } from '#contract/settings.ts'
import { mailReceipts } from '#server/features/cart/receipts.ts'
import { assertRefused, openPlayerSession } from '#test/account-helpers.ts'
import { changeSettings, createTestApp } from '#test/helpers.ts'
import { toPlainText } from '#test/html.ts'
import { createBuyer, insertItem, insertVouchers } from '#test/money-helpers.ts'
import { PAGES } from './pages.ts'

const site = await createTestApp({ pages: true, env: { RATE_LIMIT: 'off' } })
const { db } = site
const gm = await openPlayerSession(site, 'gm')
const NEW_NAMES = { r_coin_name: 'Piso & Co', milleage_name: 'Barya' }

const saveSettings = async (values: Partial<Record<SettingName, string>>) => {
  const { rows } = (await gm.get('/api/admin/settings')).json()
  const findVersion = (name: string) => rows.find((row: { name: string }) => row.name === name).version
  return gm.post('/api/admin/settings/save', {
    changes: Object.entries(values).map(([name, value]) => ({ name, value, version: findVersion(name) })),
  })
}

/** Returns the texts of a page for readers, screen readers and search engines. */
const findShownText = (html: string) =>
  toPlainText(
    html
      .replace(/<style.*?<\/style>|<script(?! type="application\/ld).*?<\/script>/gs, ' ')
      .replace(/<[^>]* (?:content|title|alt|aria-label|placeholder)="([^"]*)"[^>]*>/g, ' $1 '),
  )

/** Replaces demo texts that contain the default currency names, because renaming does not change people's texts. */
async function rewriteDemo(): Promise<void> {
  const { rows } = await sql<{ table: string; column: string }>`
    select table_name as "table", column_name as "column" from information_schema.columns
    where table_schema = 'public' and data_type = 'text' and is_generated = 'NEVER' and table_name in (
      'news', 'news_pages', 'forum_topics', 'forum_posts', 'events', 'banners', 'media', 'shop_items', 'capsules', 'tickets',
      'ticket_messages', 'letters', 'tournaments')`.execute(db)
  for (const { table, column } of rows)
    await sql`
      update ${sql.table(table)} set ${sql.ref(column)} = regexp_replace(${sql.ref(column)}, 'R-Coin|Milleage', 'a coin', 'g')
      where ${sql.ref(column)} ~ 'R-Coin|Milleage'`.execute(db)
  await sql`
    update banners set title = array(select replace(line, 'Milleage', 'coins') from unnest(title) line)`.execute(db)
  site.cache.clear()
}

test('inserts the names into a text once, and detects names that players can confuse', () => {
  const names = { rCoin: 'Milleage Plus', milleage: 'R-Coin' }
  assert.equal(nameCurrencies('R-Coin and Milleage', names), 'Milleage Plus and R-Coin')
  for (const milleage of ['r-coin', ' R-Coin', 'Ｒ-Coin']) assert.ok(!areDifferentNames({ rCoin: 'R-Coin', milleage }))
  assert.ok(areDifferentNames({ rCoin: 'R-Coin', milleage: 'Milleage' }))
})

test('refuses two currencies with the same name when either changes', async () => {
  for (const values of [
    { r_coin_name: 'Milleage' },
    { milleage_name: 'r-coin' },
    { r_coin_name: 'Piso', milleage_name: 'PISO' },
  ]) {
    const answer = await saveSettings(values)
    assertRefused(answer, 422)
    assert.deepEqual(Object.keys(answer.json()['form-error']), Object.keys(values))
  }
  assertRefused(await saveSettings({ r_coin_name: 'x'.repeat(17) }), 422)
  assert.equal((await saveSettings({ r_coin_name: 'Milleage', milleage_name: 'R-Coin' })).status, 200, 'they may swap')
  assert.equal((await saveSettings({ r_coin_name: 'R-Coin', milleage_name: 'Milleage' })).status, 200)
})

test('needs a sensitive permission to rename a currency', () => {
  for (const name of ['r_coin_name', 'milleage_name'] as const)
    assert.ok(PERMISSIONS[SETTINGS[name].permission].isSensitive)
})

test('shows only the new names on every public page', async () => {
  await rewriteDemo()
  await changeSettings(site, NEW_NAMES)
  const paths = PAGES.flatMap(({ path }) => (path.includes(':') ? [] : [path]))
  const morePaths = [
    '/itemshop/1',
    '/itemshop?sort=price',
    '/capsuleshop/1',
    '/gamesystem',
    '/rankings/tournament/2',
    '/search?q=coin',
  ]
  const leftovers: string[] = []
  for (const path of [...paths, ...morePaths]) {
    const shownText = findShownText((await site.get(path)).text)
    for (const [match] of shownText.matchAll(/.{0,60}(R-Coin|Milleage).{0,30}/g)) leftovers.push(`${path}: ${match}`)
  }
  assert.deepEqual(leftovers, [])
  const topUp = toPlainText((await site.get('/topup')).text)
  assert.match(topUp, /Top Up Piso & Co/)
  assert.match((await site.get('/gamecashagreement')).text, /Piso &amp; Co/, 'documents are HTML')
  const hits: { path: string }[] = (await site.get('/api/search?q=piso')).json().data
  assert.ok(hits.some(({ path }) => path === '/topup'))
})

test('uses the new names in letters, emails, receipts and refusals', async () => {
  await changeSettings(site, NEW_NAMES)
  const buyer = await createBuyer(site, { rCoin: 500, milleage: 5 })
  const item = await insertItem(db, { section: 2, price: 100 })
  const expensiveItem = await insertItem(db, { section: 1, price: 100 })
  await buyer.post('/api/receipts', { wanted: true })
  assert.equal((await buyer.buy(item)).status, 200)
  assertRefused(await buyer.buy(expensiveItem), 422, 'Not enough Barya.')
  const [code = ''] = await insertVouchers(db, 1, { r_coin: 30, milleage: 2 })
  const response = await buyer.redeem(code)
  assert.match(response.json().message, /30\.00 Piso & Co .* 2\.00 Barya/)
  await mailReceipts(site)
  const letters = await db
    .selectFrom('letters')
    .where('to_num', '=', buyer.userNum)
    .select(['subject', 'body'])
    .execute()
  assert.ok(letters.some(({ subject }) => subject === 'Your voucher was worth 30 Piso & Co and 2 Barya'))
  const mails = await db
    .selectFrom('mail_outbox')
    .select(['subject', 'body_text', 'body_html'])
    .orderBy('mail', 'desc')
    .limit(5)
    .execute()
  assert.ok(mails.some(({ body_text }) => body_text.includes('100.00 Piso & Co')))
  assert.doesNotMatch(JSON.stringify([letters, mails]), /R-Coin|Milleage/)
})

test('does not rename the currencies in the ledger and in CSV files', async () => {
  await changeSettings(site, NEW_NAMES)
  const [row] = (await gm.get('/api/admin/ledger')).json().rows
  assert.ok(['r_coin', 'milleage'].includes(row.currency))
  const csv = await gm.get('/api/admin/items/csv')
  assert.equal(csv.status, 200)
  assert.match(csv.text, /R-Coin|Milleage/)
})
