import assert from 'node:assert/strict'
import { test } from 'node:test'
import { getSettings, saveNames } from '#contract/desk-settings.ts'
import { openPlayerSession } from '#test/account-helpers.ts'
import { changeSettings, createTestApp } from '#test/helpers.ts'

const site = await createTestApp({ pages: true })
const siteWithName = await createTestApp({ database: site.database, env: { APP_NAME: 'Kanto Online' } })
const gm = await openPlayerSession(site, 'gm')

const saveName = async (app: typeof site, name: string, value: unknown) => {
  const { rows } = (await app.get(`/api${getSettings.path}`, gm.headers)).json()
  const { version } = rows.find((row: { name: string }) => row.name === name)
  return app.post(`/api${saveNames.path}`, { changes: [{ name, version, value }] }, gm.headers)
}
const readTitle = async (path: string) => /<title>(.*?)<\/title>/.exec((await site.get(path)).text)?.[1]

test('shows a new name at once in titles, the desk, the manifest, the feed and emails (SITE-2)', async () => {
  assert.equal(await readTitle('/news'), 'News | Tambayan Online')
  assert.equal((await saveName(site, 'site_name', 'Barkada Nights')).status, 200)
  assert.equal((await saveName(site, 'site_short_name', 'Barkada')).status, 200)
  site.cache.clear()
  assert.equal(await readTitle('/news'), 'News | Barkada Nights')
  assert.equal(await readTitle('/admin'), 'Desk | Barkada Nights')
  const manifest = (await site.get('/manifest.webmanifest')).json()
  assert.deepEqual([manifest.name, manifest.short_name], ['Barkada Nights', 'Barkada'])
  assert.match((await site.get('/feed.xml')).text, /<title>News \| Barkada Nights<\/title>/)
  assert.equal((await site.get('/api/site')).json().operator_name, 'the operators of Barkada Nights')
  await site.post('/api/findUserID', { findIDEmail: await readEmail('juan') })
  assert.match(await readNewestSubject(), / \| Barkada Nights$/)
})

test('APP_NAME in the environment sets the name, and the desk refuses changes of it (SITE-2)', async () => {
  const { rows } = (await siteWithName.get(`/api${getSettings.path}`, gm.headers)).json()
  const row = rows.find(({ name }: { name: string }) => name === 'site_name')
  assert.deepEqual([row.value, row.fixed_by], ['Kanto Online', 'APP_NAME'])
  const response = await saveName(siteWithName, 'site_name', 'Another')
  assert.equal(response.status, 409, response.text)
  assert.match(response.json().message, /APP_NAME/)
  assert.equal((await saveName(siteWithName, 'site_short_name', 'Kanto')).status, 200)
})

test('shows the default last lines of a page until an operator changes or removes them', async () => {
  const readFooter = async () => {
    site.cache.clear()
    return /<footer[\s\S]*<\/footer>/.exec((await site.get('/')).text)?.[0].replaceAll(/<!--.*?-->|<[^>]*>/g, ' ')
  }
  assert.match(String(await readFooter()), /since 2002\s+Copyright 2009-2010\s/)
  await changeSettings(site, { since_line: 'since last summer', copyright_line: '' })
  const changedFooter = String(await readFooter())
  assert.match(changedFooter, /since last summer/)
  assert.doesNotMatch(changedFooter, /2002|Copyright/)
})

test('escapes markup in a name wherever the name is shown', async () => {
  const hostileName = `"><img src=x onerror=alert(1)>'&amp;</title>]]>`
  await changeSettings(site, { site_name: hostileName, since_line: hostileName, copyright_line: hostileName })
  for (const path of ['/', '/news', '/login', '/nothing', '/operationpolicy', '/admin', '/api/docs', '/feed.xml']) {
    const { text } = await site.get(path)
    assert.ok(!/<img src=x/.test(text.replaceAll('\\u003c', '')), path)
    assert.ok(text.includes('onerror=alert(1)'), path)
  }
  assert.equal((await site.get('/manifest.webmanifest')).json().name, hostileName)
  await site.post('/api/findUserID', { findIDEmail: await readEmail('maria') })
  const { html } = await site.db
    .selectFrom('mail_outbox')
    .select('body_html as html')
    .orderBy('mail', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  assert.ok(!html.includes('<img') && html.includes('&lt;img'))
})

const readEmail = async (id: string) =>
  (await site.db.selectFrom('accounts').where('user_id', '=', id).select('user_email').executeTakeFirstOrThrow())
    .user_email
const readNewestSubject = async () =>
  (await site.db.selectFrom('mail_outbox').select('subject').orderBy('mail', 'desc').limit(1).executeTakeFirstOrThrow())
    .subject
