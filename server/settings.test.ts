import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { checkSetting, isMaintenanceOn, SETTING_NAMES, type Settings } from '#contract/settings.ts'
import { changeSettings, createTestApp } from '#test/helpers.ts'
import { waitUntil } from '#test/wait-until.ts'
import { Refusal } from './errors.ts'
import { getDefaultSettings, readSettings, readSettingsNow, type SettingChange, writeSettings } from './settings.ts'

const site = await createTestApp({ world: 'empty', env: { DEMO: '0', AGENT_URL: 'https://m.me/kanto' } })
const { db } = site
const author = { userNum: null, name: 'command test', now: site.now() }
const writeChanges = (...changes: SettingChange[]) =>
  db.transaction().execute((tx) => writeSettings(tx, changes, author))
const readHistory = (name: string) =>
  db.selectFrom('setting_changes').where('name', '=', name).select(['before', 'after']).orderBy('change').execute()
const matchRefusal = (status: number) => (error: unknown) => error instanceof Refusal && error.status === status

test('every default is valid, in the demo world and on a real server', async () => {
  for (const demo of [true, false]) {
    const settings = getDefaultSettings({ config: { ...site.config, demo } })
    assert.deepEqual(Object.keys(settings).sort(), SETTING_NAMES.toSorted())
    for (const name of SETTING_NAMES) assert.equal(checkSetting(name, settings[name]), null, name)
    assert.equal(settings.require_staff_factor, !demo)
  }
})

test('an unchanged setting has its default value, or that of the environment', async () => {
  const settings = await readSettings(site)
  assert.partialDeepStrictEqual(settings, {
    registration_open: true,
    require_verified_email: false,
    require_staff_factor: true,
    approvals_on: true,
    approval_limit: 100_000,
    agent_url: 'https://m.me/kanto',
  } satisfies Partial<Settings>)
})

test('a change applies at once in the database, and in every process after the notice', async () => {
  await readSettings(site)
  await writeChanges({ name: 'approval_limit', value: 500, version: 0 })
  assert.equal((await readSettingsNow(site)).approval_limit, 500)
  const isNoticed = async () => (await readSettings(site)).approval_limit === 500
  await waitUntil('the process has the new setting', isNoticed, { withinMs: 5000 })
  await writeChanges({ name: 'approval_limit', value: null, version: 1 })
  assert.equal((await readSettingsNow(site)).approval_limit, 100_000)
  assert.deepEqual(await readHistory('approval_limit'), [
    { before: null, after: 500 },
    { before: 500, after: null },
  ])
})

test('refuses a change that was made from an old version', async () => {
  await writeChanges({ name: 'operator_name', value: 'Kanto', version: 0 })
  const changes = [
    { name: 'announcement_text', value: 'Hello', version: 0 },
    { name: 'operator_name', value: 'Barkada', version: 0 },
  ] as const
  await assert.rejects(writeChanges(...changes), matchRefusal(409))
  assert.partialDeepStrictEqual(await readSettingsNow(site), { operator_name: 'Kanto', announcement_text: '' })
})

test('does not record a change to the current value', async () => {
  await writeChanges({ name: 'social_url', value: 'https://example.net', version: 0 })
  assert.deepEqual(await writeChanges({ name: 'social_url', value: 'https://example.net', version: 1 }), [])
  assert.equal((await readHistory('social_url')).length, 1)
})

test('refuses one of two concurrent changes', async () => {
  const results = await Promise.allSettled(
    ['a', 'b'].map((value) => writeChanges({ name: 'operator_email', value: `${value}@example.net`, version: 0 })),
  )
  assert.deepEqual(results.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
  assert.equal((await readHistory('operator_email')).length, 1)
})

test('refuses invalid values with a sentence for each', async () => {
  const invalidValues: [SettingChange['name'], unknown][] = [
    ['registration_open', 'yes'],
    ['approval_limit', -1],
    ['approval_limit', 1.5],
    ['approval_limit', 1e12],
    ['announcement_text', 'x'.repeat(141)],
    ['announcement_text', 'two\nlines'],
    ['announcement_link', 'javascript:alert(1)'],
    ['announcement_link', '//evil.example'],
    ['announcement_until', 'tomorrow'],
    ['agent_url', 'm.me/kanto'],
    ['operator_name', ''],
    ['operator_email', 'kanto'],
    ['news_webhook', 'http://discord.example/api'],
    ['maintenance', { from: '2026-11-20T00:00:00Z', until: '', message: '', allowed: [] }],
    ['maintenance', { from: '2026-11-20T00:00:00Z', until: '2026-11-19T00:00:00Z', message: 'x', allowed: [] }],
    ['maintenance', { from: '', until: '', message: '', allowed: ["x'; drop"] }],
    ['maintenance', null],
  ]
  for (const [name, value] of invalidValues) {
    const text = checkSetting(name, value)
    assert.match(text ?? '', /^[A-Z].*\.$/, `${name} ${JSON.stringify(value)}`)
    if (value !== null) await assert.rejects(writeChanges({ name, value, version: 0 }), matchRefusal(422))
  }
})

test('maintenance starts and ends at its times, in the code and in the database', async () => {
  const maintenanceTimes = {
    from: '2026-11-21T05:00:00+08:00',
    until: '2026-11-21T06:30:00+08:00',
    message: 'Soon.',
    allowed: [],
  }
  await changeSettings(site, { maintenance: maintenanceTimes })
  for (const [moment, isOn] of [
    ['2026-11-20T20:59:59.999Z', false],
    ['2026-11-20T21:00:00Z', true],
    ['2026-11-20T22:29:59.999Z', true],
    ['2026-11-20T22:30:00Z', false],
  ] as const) {
    const time = new Date(moment)
    assert.equal(isMaintenanceOn(maintenanceTimes, time), isOn, moment)
    const { rows } = await sql`select from maintenance
      where starts_at <= ${time} and (ends_at is null or ends_at > ${time})`.execute(db)
    assert.equal(rows.length === 1, isOn, moment)
  }
})
