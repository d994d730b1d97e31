import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { DocumentField, DocumentFields, DocumentValues } from '#contract/document-fields.ts'
import { DOCUMENT_NAMES, DOCUMENTS } from '#contract/documents.ts'
import { HOUR_MS } from '#contract/durations.ts'
import { formatManilaDate } from '#contract/manila.ts'
import { OWNER } from '#contract/permissions.ts'
import { assertRefused, openPlayerSession, type Player } from '#test/account-helpers.ts'
import { createOperator, createRole } from '#test/desk-helpers.ts'
import { updateRows } from '#test/factories.ts'
import { changeSettings, createTestApp } from '#test/helpers.ts'

const site = await createTestApp({ pages: true, env: { RATE_LIMIT: 'off' } })
const gm = await openPlayerSession(site, 'gm')
const writer = await createOperator(site, await createRole(site, 'documents.write'))

type DeskDocument = {
  name: string
  version: number
  state: string
  text: DocumentValues
  published: DocumentValues | null
}
type Client = Pick<Player, 'headers'>

const loadDocument = async (name: string): Promise<DeskDocument> =>
  (await site.get(`/api/admin/documents/${name}`, gm.headers)).json()
const callDesk = async (call: string, body: object, by: Client = gm) => {
  const answer = await site.post(`/api/admin/documents/${call}`, body, by.headers)
  // PostgreSQL notifies the site's caches of a change with a short delay.
  await sleep(200)
  return answer
}
async function callForItem(call: string, body: object, by: Client = gm): Promise<DeskDocument> {
  const answer = await callDesk(call, body, by)
  assert.equal(answer.status, 200, answer.text)
  return answer.json().item
}
const publishText = async (name: string, change: (text: never) => object) => {
  const { version, text } = await loadDocument(name)
  const savedItem = await callForItem('draft', { name, version, text: { ...text, ...change(text as never) } })
  return callForItem('publish', { name, version: savedItem.version })
}
const readPage = async (path: string) => (await site.get(path)).text
const readVersions = async (name: string): Promise<{ revision: number; kind: string }[]> =>
  (await site.get(`/api/admin/documents/revisions?name=${name}`, gm.headers)).json().rows

test('shows published texts on the page at once, and no drafts', async () => {
  const document = await loadDocument('story')
  const text = { ...document.text, map_line: 'Hills and a road.' }
  const savedItem = await callForItem('draft', { name: 'story', version: document.version, text }, writer)
  assert.equal(savedItem.state, 'edited')
  assert.doesNotMatch(await readPage('/story'), /Hills and a road/)
  await callForItem('publish', { name: 'story', version: savedItem.version }, writer)
  assert.match(await readPage('/story'), /Hills and a road/)
})

test('the second of two writers gets a conflict, and can replace the first text, which is stored', async () => {
  const { version, text } = await loadDocument('socials')
  const secondText = { ...text, feed_line: 'Mine.' }
  await callForItem('draft', { name: 'socials', version, text: { ...text, feed_line: 'Theirs.' } }, writer)
  assertRefused(await callDesk('draft', { name: 'socials', version, text: secondText }), 409)
  const savedItem = await callForItem('draft', { name: 'socials', version, text: secondText, replace: true })
  assert.equal(savedItem.text.feed_line, 'Mine.')
  const [newestVersion] = await readVersions('socials')
  const replacedVersion = (
    await site.get(`/api/admin/documents/revisions/${newestVersion?.revision}`, gm.headers)
  ).json()
  assert.deepEqual([replacedVersion.kind, replacedVersion.text.feed_line], ['replaced', 'Theirs.'])
  const restoredItem = await callForItem('restore', {
    name: 'socials',
    version: savedItem.version,
    revision: newestVersion?.revision,
  })
  assert.equal(restoredItem.text.feed_line, 'Theirs.')
  const discardedItem = await callForItem('discard', { name: 'socials', version: restoredItem.version })
  assert.deepEqual([discardedItem.state, discardedItem.text], ['published', discardedItem.published])
})

test('undoing a publication restores the previous text, and can be undone too', async () => {
  const originalItem = await loadDocument('credits')
  const published = await publishText('credits', () => ({ own: '<p>All of it is ours.</p>' }))
  assert.match(await readPage('/credits'), /All of it is ours/)
  const undoneItem = await callForItem('undo', { name: 'credits', version: published.version })
  assert.deepEqual(undoneItem.published, originalItem.published)
  assert.doesNotMatch(await readPage('/credits'), /All of it is ours/)
  await callForItem('undo', { name: 'credits', version: undoneItem.version })
  assert.match(await readPage('/credits'), /All of it is ours/)
})

test('saves an unfinished page, but refuses to publish it with an error at each empty field', async () => {
  const { version, text } = await loadDocument('game-systems')
  const section = { title: '', id: '', lead: '', text: '', figure: '', rows: [], more: '' }
  const savedItem = await callForItem('draft', {
    name: 'game-systems',
    version,
    text: { ...text, sections: [section] },
  })
  const response = await callDesk('publish', { name: 'game-systems', version: savedItem.version })
  assertRefused(response, 422)
  assert.deepEqual(response.json()['form-error'], { 'sections.0.title': ['Give it a title.'] })
  await callForItem('discard', { name: 'game-systems', version: savedItem.version })
})

test('gives each part a unique address from its title', async () => {
  const section = { lead: '', text: '<p>a</p>', figure: '', rows: [], more: '', id: '' }
  const sections = ['Ñandú & more', 'Ñandú & more', '???'].map((title) => ({ ...section, title }))
  const { published } = await publishText('game-systems', () => ({ sections }))
  const ids = (published as { sections: { id: string }[] }).sections.map(({ id }) => id)
  assert.deepEqual(ids, ['nandu-more', 'nandu-more-2', 'part-3'])
})

test('refuses a value that its field does not allow', async () => {
  const { version, text } = await loadDocument('server-info')
  const badValues: [field: string, value: unknown][] = [
    ['rates', 'many'],
    ['rates', [{ name: 'Experience' }]],
    ['intro', 'two\nlines'],
    ['intro', 7],
    ['week', [{ name: 'a', value: '', note: '', color: 'pink', spans: [] }]],
    ['week', [{ name: 'a', value: '', note: '', color: 'red', spans: [{ day: 7, from: 0, to: 4 }] }]],
    ['help', [{ name: 'a', text: '', to: 'javascript:steal()', label: '' }]],
    ['help', [{ name: 'a', text: '', to: '//evil.example', label: '' }]],
    ['more', 'x'],
  ]
  for (const [field, value] of badValues) {
    const answer = await callDesk('draft', { name: 'server-info', version, text: { ...text, [field]: value } })
    assertRefused(answer, 422)
  }
})

test('lists a published free page in its menu, the sitemap and the search until it is deleted', async () => {
  const createdPage = await callForItem('create', { title: 'Staff list', address: 'staff-list' })
  assert.equal((await site.get('/page/staff-list')).status, 404)
  assertRefused(await callDesk('create', { title: 'Again', address: 'staff-list' }), 409)
  assertRefused(await callDesk('create', { title: 'Again', address: '../admin' }), 422)
  const text = {
    ...createdPage.text,
    menu: 'support',
    text: '<p>Kapitan Zorro answers <a href="/ticket">tickets</a>.</p>',
  }
  const savedItem = await callForItem('draft', { name: createdPage.name, version: createdPage.version, text })
  const publishedPage = await callForItem('publish', { name: createdPage.name, version: savedItem.version })
  const response = await site.get('/page/staff-list')
  assert.equal(response.status, 200)
  assert.match(response.text, /<title>Staff list \| /)
  assert.match(response.text, /Kapitan Zorro/)
  for (const path of ['/ticket', '/sitemap-pages.xml', '/api/search?q=zorro'])
    assert.match(await readPage(path), /\/page\/staff-list/, path)
  const deleteResponse = await callDesk('delete', { name: createdPage.name, version: publishedPage.version })
  assert.equal(deleteResponse.status, 200, deleteResponse.text)
  assert.equal((await site.get('/page/staff-list')).status, 404)
  const story = await loadDocument('story')
  assertRefused(await callDesk('delete', { name: 'story', version: story.version }), 409)
  await assert.rejects(site.db.deleteFrom('documents').where('name', '=', 'story').execute(), /belongs to the site/)
})

test('a preview shows the draft in the real page, and the public page stays unchanged', async () => {
  const { version, text } = await loadDocument('story')
  await callForItem('draft', { name: 'story', version, text: { ...text, map_line: 'Not yet out.' } })
  const { path } = (await callDesk('preview', { name: 'story' })).json()
  const preview = await site.get(path)
  assert.match(preview.text, /Not yet out\./)
  assert.doesNotMatch(preview.text, /<script/)
  assert.match(String(preview.headers.get('Content-Security-Policy')), /frame-ancestors 'self'/)
  assert.equal(preview.headers.get('Cache-Control'), 'no-store')
  assert.doesNotMatch(await readPage('/story'), /Not yet out\./)
  assert.match(String((await site.get('/admin')).headers.get('Content-Security-Policy')), /frame-src 'self'/)
})

test('publishes a policy only without blanks, with the date of its publication', async () => {
  const emptySite = await createTestApp({ world: 'empty', env: { DEMO: '0', RATE_LIMIT: 'off' } })
  await changeSettings(emptySite, { require_staff_factor: false })
  const author = await createOperator(emptySite, OWNER)
  const load = async () => (await emptySite.get('/api/admin/documents/gamecashagreement', author.headers)).json()
  const sendCall = async (path: string, fields: Record<string, unknown> = {}) => {
    const { name, version } = await load()
    return emptySite.post(`/api/admin/documents/${path}`, { name, version, ...fields }, author.headers)
  }
  const response = await sendCall('publish')
  assert.equal(response.status, 422, response.text)
  const errors: Record<string, string[]> = response.json()['form-error']
  assert.match(
    Object.values(errors).flat().join('\n'),
    /Fill in \[… how players get R-Coin\], \[… how players get Milleage\]/,
  )
  assert.ok(
    Object.keys(errors).every((field) => /^sections\.\d+\.text$/.test(field)),
    Object.keys(errors).join(),
  )

  const { text } = await load()
  const sections = text.sections.map((section: { text: string }) => ({
    ...section,
    text: section.text.replaceAll(/\[…[^\]]*\]/g, '7'),
  }))
  assert.equal((await sendCall('draft', { text: { sections }, replace: false })).status, 200)
  const published = await sendCall('publish')
  assert.equal(published.status, 200, published.text)
  assert.equal((await load()).published.since, formatManilaDate(emptySite.now()))

  // A session that is not used for 12 hours expires.
  for (let times = 0; times < 3; times++) {
    emptySite.clock.advance(11 * HOUR_MS)
    await load()
  }
  await sendCall('draft', { text: { about: 'All about coins.' }, replace: false })
  await sendCall('publish')
  assert.equal(
    (await load()).published.since,
    formatManilaDate(emptySite.now()),
    'another publication has its own date',
  )
  await sendCall('draft', { text: { since: '24 December 2026' }, replace: false })
  await sendCall('publish')
  await sendCall('draft', { text: { about: 'All about coins and codes.' }, replace: false })
  await sendCall('publish')
  assert.equal((await load()).published.since, '24 December 2026', 'a date that the author entered stays')
})

test('on a new site, shows a page as being prepared until it is published', async () => {
  const emptySite = await createTestApp({ world: 'empty', env: { DEMO: '0' }, pages: true })
  const paths = new Set(DOCUMENT_NAMES.map((name) => DOCUMENTS[name].path))
  for (const path of paths) {
    if (path === null || path === '/credits') continue
    const response = await emptySite.get(path)
    assert.equal(response.status, 200, path)
    assert.match(response.text, /This page is being prepared\./, path)
    assert.match(response.text, /<meta name="robots" content="noindex[^"]*"/, path)
  }
  const home = (await emptySite.get('/')).text.replaceAll(/"(?:preparing|more_pages)":\[[^\]]*\]/g, '')
  const sitemap = (await emptySite.get('/sitemap-pages.xml')).text
  for (const path of ['/story', '/characters', '/gamesystem', '/instructions', '/serverinfo', '/socials']) {
    assert.ok(!home.includes(`"${path}"`), path)
    assert.ok(!sitemap.includes(`${path}<`), path)
  }
  for (const path of ['/operationpolicy', '/privacypolicy', '/gamecashagreement'])
    assert.ok(home.includes(`"${path}"`), path)
  assert.deepEqual((await emptySite.get('/api/search?q=server+information')).json().counts.guides, 0)
  assert.deepEqual((await emptySite.get('/api/document/story')).json(), { document: null })

  const text = {
    ...(
      await emptySite.db
        .selectFrom('documents')
        .where('name', '=', 'server-info')
        .select('draft')
        .executeTakeFirstOrThrow()
    ).draft,
    rates: [{ name: 'Experience', value: '×7', note: 'For everybody.' }],
  }
  await updateRows(
    emptySite.db,
    'documents',
    { name: 'server-info' },
    { published: JSON.stringify(text), published_at: emptySite.now() },
  )
  emptySite.cache.clear()
  const response = await emptySite.get('/serverinfo')
  assert.match(response.text, /For everybody\./)
  assert.doesNotMatch(response.text, /being prepared\.<|Fair play<|The week|noindex/)
  for (const path of ['/ticket', '/sitemap-pages.xml', '/api/search?q=server+information'])
    assert.match((await emptySite.get(path)).text, /\/serverinfo/, path)
})

const HOSTILE_TEXT = '"><img src=x onerror=steal()><script>steal()</script></style></textarea>javascript:steal()'

/** Creates a document in which every text is hostile, and lists have one entry. */
function createHostileValues(fields: DocumentFields): DocumentValues {
  const createHostileValue = (field: DocumentField): unknown => {
    switch (field.kind) {
      case 'line':
        return HOSTILE_TEXT.slice(0, field.max)
      case 'html':
        return `<p onclick="steal()">a</p><script>steal()</script><a href="javascript:steal()">b</a><svg onload=steal()></svg><table><tr><th>"><img src=x onerror=steal()></th><th>${HOSTILE_TEXT}</th></tr><tr><td>${HOSTILE_TEXT}</td><td>c</td></tr></table><iframe src="//evil.example"></iframe>`
      case 'link':
        return '/news?q="><script>steal()</script>'
      case 'anchor':
        return ''
      case 'color':
        return '#ff00aa'
      case 'number':
        return field.min
      case 'tick':
        return true
      case 'choice':
        return Object.keys(field.options)[0]
      case 'picture':
        return '/art/x.png"onerror=steal()'
      case 'place':
        return { x: 1, y: 1 }
      case 'week':
        return [{ day: 0, from: 0, to: 24 }]
      case 'list':
        return [createHostileValues(field.fields)]
      case 'each':
        return Object.fromEntries(Object.keys(field.of).map((key) => [key, createHostileValues(field.fields)]))
    }
  }
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, createHostileValue(field)]))
}

/** Returns the tags that a browser would run: foreign scripts, handlers, addresses with code, foreign frames. */
function findLiveCode(html: string): string[] {
  const foreignHtml = html.replace(/<script\b[^>]*>[\s\S]*?<\/script>/g, (script) =>
    script.includes('steal()') && !/^<script type="application\/(ld\+)?json"/.test(script) ? '<live-script>' : '',
  )
  const tags = foreignHtml.match(/<[a-z][^>"']*(?:"[^"]*"[^>"']*|'[^']*'[^>"']*)*>/gi) ?? []
  return tags.filter((tag) => {
    const tagWithoutValues = tag.replace(/"[^"]*"|'[^']*'/g, '""')
    return (
      /\son\w+\s*=/i.test(tagWithoutValues) ||
      /^<(live-script|iframe|object|embed)/i.test(tag) ||
      /(?:href|src)="\s*javascript:/i.test(tag)
    )
  })
}

test('hostile text in any field of a document runs on no page, in no preview and in no file', async () => {
  for (const name of DOCUMENT_NAMES) await publishText(name, () => createHostileValues(DOCUMENTS[name].fields))
  const freePage = await callForItem('create', { title: HOSTILE_TEXT.slice(0, 80), address: 'hostile' })
  const text = {
    ...freePage.text,
    menu: 'support',
    description: HOSTILE_TEXT,
    picture: '/art/x.png"onerror=steal()',
    lines: [{ line: HOSTILE_TEXT.slice(0, 200) }],
    text: HOSTILE_TEXT,
  }
  const savedItem = await callForItem('draft', { name: freePage.name, version: freePage.version, text })
  await callForItem('publish', { name: freePage.name, version: savedItem.version })
  const { path: preview } = (await callDesk('preview', { name: 'story' })).json()
  const pages = [...new Set(DOCUMENT_NAMES.flatMap((name) => DOCUMENTS[name].path ?? []))]
  const morePaths = [
    '/',
    '/ticket',
    '/page/hostile',
    '/characters?class=conductor',
    '/instructions?part=chat',
    '/search?q=steal',
    preview,
  ]
  for (const path of [...pages, ...morePaths]) {
    const response = await site.get(path)
    assert.equal(response.status, 200, path)
    assert.match(response.text, /steal\(\)/, `${path} shows the text`)
    assert.deepEqual(findLiveCode(response.text), [], path)
  }
  assert.ok(
    findLiveCode('<a href="x" onclick=steal()>').length === 1 && findLiveCode('<script>steal()</script>').length === 1,
  )
  for (const path of ['/sitemap-pages.xml', '/feed.xml', '/manifest.webmanifest'])
    assert.doesNotMatch(await readPage(path), /<script/)
})
