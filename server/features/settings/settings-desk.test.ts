import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SettingName } from '#contract/settings.ts'
import { listMorePages } from '#contract/site-links.ts'
import { assertRefused, openPlayerSession, tryLogin } from '#test/account-helpers.ts'
import { createOperator, createRole } from '#test/desk-helpers.ts'
import { createTestApp } from '#test/helpers.ts'
import { createBuyer, insertItem } from '#test/money-helpers.ts'

const site = await createTestApp({ env: { RATE_LIMIT: 'off' } })
const { db } = site
const gm = await openPlayerSession(site, 'gm')
type DeskClient = Pick<typeof gm, 'get' | 'post'>

const readRow = async (name: SettingName, desk: DeskClient = gm) =>
  (await desk.get('/api/admin/settings')).json().rows.find((row: { name: string }) => row.name === name)
const saveSetting = async (path: string, name: SettingName, change: Record<string, unknown>, desk: DeskClient = gm) =>
  desk.post(path, { changes: [{ name, version: (await readRow(name)).version, ...change }] })
const readHistory = async (name: SettingName) => (await gm.get(`/api/admin/settings/changes?name=${name}`)).json().rows
const readLastEntry = async () => (await gm.get('/api/admin/audit')).json().rows[0]
const SETTINGS_SAVE = '/api/admin/settings/save'
const SITE_SETTINGS_SAVE = '/api/admin/site/settings/save'

test('shows a changed setting to visitors, and undoes each change', async () => {
  for (const value of ['https://m.me/one', 'https://m.me/two']) {
    const answer = await saveSetting(SITE_SETTINGS_SAVE, 'agent_url', { value })
    assert.equal(answer.status, 200, answer.text)
    assert.equal(answer.json().rows[0].value, value)
  }
  site.cache.clear()
  assert.equal((await site.get('/api/site')).json().agent_url, 'https://m.me/two')
  const [secondChange, firstChange] = await readHistory('agent_url')
  assert.deepEqual(
    [firstChange, secondChange].map(({ before, after, actor, is_latest }) => [before, after, actor, is_latest]),
    [
      ['the default', 'https://m.me/one', 'gm', false],
      ['https://m.me/one', 'https://m.me/two', 'gm', true],
    ],
  )
  assert.deepEqual((await readLastEntry()).changes, [
    { field: 'agent_url', before: 'https://m.me/one', after: 'https://m.me/two' },
  ])
  assert.equal(
    (await saveSetting(SITE_SETTINGS_SAVE, 'agent_url', { undoes: secondChange.change })).json().rows[0].value,
    'https://m.me/one',
  )
  assert.equal((await readHistory('agent_url'))[0].undoes, secondChange.change)
  await saveSetting(SITE_SETTINGS_SAVE, 'agent_url', { undoes: firstChange.change })
  assert.equal((await readRow('agent_url')).is_default, true)
  assert.equal(
    (await saveSetting(SITE_SETTINGS_SAVE, 'social_url', { undoes: firstChange.change })).status,
    404,
    'the change belongs to another setting',
  )
})

test('accepts links and pages for the last line of the menu, and refuses invalid lines', async () => {
  const readMenu = async () => {
    site.cache.clear()
    const { more_links, more_pages } = (await site.get('/api/site')).json()
    return { more_links, more_pages }
  }
  const menuBefore = await readMenu()
  assert.deepEqual([menuBefore.more_links, menuBefore.more_pages.length, menuBefore.more_pages[0]], [[], 7, '/events'])
  for (const value of [
    'Discord',
    'https://discord.gg/barkada',
    'Discord javascript:alert(1)',
    'One https://a.example/1\nTwo https://a.example/1',
    Array.from({ length: 7 }, (_, index) => `Page ${index} https://a.example/${index}`).join('\n'),
  ])
    assertRefused(await saveSetting(SITE_SETTINGS_SAVE, 'more_links', { value }), 422)
  for (const value of ['/admin', '/events\n/events', 'https://a.example/', '/page/../admin'])
    assertRefused(await saveSetting(SITE_SETTINGS_SAVE, 'more_pages', { value }), 422)
  const links = 'Discord https://discord.gg/barkada\n\nViber group: https://invite.viber.com/?g2=x'
  assert.equal((await saveSetting(SITE_SETTINGS_SAVE, 'more_links', { value: links })).status, 200)
  assert.equal(
    (await saveSetting(SITE_SETTINGS_SAVE, 'more_pages', { value: '/wars\n/events\n/page/donate' })).status,
    200,
  )
  assert.deepEqual(await readMenu(), {
    more_links: [
      { name: 'Discord', url: 'https://discord.gg/barkada' },
      { name: 'Viber group', url: 'https://invite.viber.com/?g2=x' },
    ],
    more_pages: ['/wars', '/events', '/page/donate'],
  })
  const freePages = [{ path: '/page/donate', title: 'Donate' }]
  assert.deepEqual(listMorePages((await readMenu()).more_pages, freePages, ['/events']), [
    { to: '/wars', label: 'Wars' },
    { to: '/page/donate', label: 'Donate' },
  ])
  assert.equal((await saveSetting(SITE_SETTINGS_SAVE, 'more_pages', { value: '' })).status, 200)
  assert.deepEqual((await readMenu()).more_pages, [])
})

test('refuses another version, an invalid value and settings of other calls, and audits nothing', async () => {
  const entryBefore = (await readLastEntry()).entry
  const change = (name: string, value: unknown, version = 0) =>
    gm.post(SETTINGS_SAVE, { changes: [{ name, value, version }] })
  assertRefused(await change('alert_email', 'desk@example.net', 7), 409)
  const response = await change('alert_email', 'nobody')
  assertRefused(response, 422)
  assert.deepEqual(Object.keys(response.json()['form-error']), ['alert_email'])
  for (const name of ['approval_limit', 'maintenance', 'agent_url', 'nothing'])
    assertRefused(await change(name, 1), 422)
  assert.equal((await readLastEntry()).entry, entryBefore)
})

test('accepts only addresses of Discord as webhooks', async () => {
  for (const value of [
    'https://discord.com/api/webhooks/1/abc-D_e',
    'https://ptb.discord.com/api/webhooks/1/abc',
    'https://canary.discordapp.com/api/v10/webhooks/1/abc?thread_id=5',
    '',
  ])
    assert.equal((await saveSetting(SETTINGS_SAVE, 'alert_webhook', { value })).status, 200, value)
  for (const value of [
    'https://127.0.0.1/api/webhooks/1/abc',
    'https://169.254.169.254/latest',
    'https://discord.com@127.0.0.1/api/webhooks/1/abc',
    'https://me:pw@discord.com/api/webhooks/1/abc',
    'https://discord.com:8443/api/webhooks/1/abc',
    'https://discord.com.evil.example/api/webhooks/1/abc',
    'https://evildiscord.com/api/webhooks/1/abc',
    'http://discord.com/api/webhooks/1/abc',
    'https://discord.com/api/../login',
  ])
    assertRefused(await saveSetting(SETTINGS_SAVE, 'alert_webhook', { value }), 422)
})

test('shows only the end of a webhook in the response, the history and the audit log', async () => {
  const secret = 'https://discord.com/api/webhooks/1/abcdefgh'
  const answer = await saveSetting(SETTINGS_SAVE, 'news_webhook', { value: secret })
  assert.equal(answer.json().rows[0].value, '…efgh')
  for (const text of [
    answer.text,
    (await gm.get('/api/admin/settings')).text,
    (await gm.get('/api/admin/settings/changes')).text,
    JSON.stringify(await readLastEntry()),
  ])
    assert.ok(!text.includes('abcdefgh'), text)
})

test('shows operators only the settings of their permissions, and refuses changes of others', async () => {
  const writer = await createOperator(site, await createRole(site, 'site.write'))
  const names = (await writer.get('/api/admin/settings')).json().rows.map((row: { name: string }) => row.name)
  assert.ok(names.includes('announcement_text') && !names.includes('approval_limit') && !names.includes('maintenance'))
  assert.ok(
    (await writer.get('/api/admin/settings/changes'))
      .json()
      .rows.every((row: { name: string }) => names.includes(row.name)),
  )
  assertRefused(await saveSetting(SETTINGS_SAVE, 'registration_open', { value: false }, writer), 403)
  const answer = await saveSetting(SITE_SETTINGS_SAVE, 'announcement_text', { value: 'Hello' }, writer)
  assert.equal(answer.status, 200, answer.text)
})

test('requires another owner’s approval to change the limit and to switch approvals off', async () => {
  await createOperator(site, 'owner')
  const path = '/api/admin/settings/staff/save'
  const answer = await saveSetting(path, 'approval_limit', { value: 5 })
  assert.equal(answer.status, 202, answer.text)
  assert.match(answer.json().message, /can approve/)
  assert.equal((await readRow('approval_limit')).value, 100_000)
  assert.equal((await saveSetting(path, 'approvals_on', { value: false })).status, 202)
})

test('maintenance starts at once, admits the listed players, and can be ended at the desk', async () => {
  const buyer = await createBuyer(site, { rCoin: 1000 })
  const product = await insertItem(db)
  const value = { from: site.now().toISOString(), until: '', message: 'A new disk.', allowed: ['juan'] }
  const answer = await saveSetting('/api/admin/maintenance/save', 'maintenance', { value: { ...value, more: 1 } })
  assert.match(answer.json().message, /^Maintenance is on\./)
  assert.deepEqual((await readRow('maintenance')).value, value)
  assertRefused(await buyer.buy(product), 503, 'A new disk.')
  assert.equal((await gm.get('/api/admin/me')).status, 200)
  site.cache.clear()
  assert.equal((await tryLogin(site, 'juan', 'juan-demo-1')).status, 1)
  assert.equal((await tryLogin(site, 'maria', 'maria-demo-1')).status, 6)
  assert.deepEqual(
    (await readLastEntry()).changes.map(({ field }: { field: string }) => field),
    ['maintenance from', 'maintenance message', 'maintenance allowed'],
  )
  const [change] = await readHistory('maintenance')
  await saveSetting('/api/admin/maintenance/save', 'maintenance', { undoes: change.change })
  assert.equal((await buyer.buy(product)).status, 200)
})

test('shows the default of a changed setting and who changed it', async () => {
  const response = await saveSetting(SETTINGS_SAVE, 'letter_mail_minutes', { value: 67 })
  assert.equal(response.status, 200, response.text)
  assert.partialDeepStrictEqual(await readRow('letter_mail_minutes'), {
    changed_by: 'gm',
    default: '60',
    is_default: false,
  })
})
