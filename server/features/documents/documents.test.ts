import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { DocumentField, DocumentFields, DocumentValues } from '#contract/document-fields.ts'
import { DOCUMENT_NAMES, DOCUMENTS, type DocumentName } from '#contract/documents.ts'
import { HOUR_MS } from '#contract/durations.ts'
import { formatManilaDate } from '#contract/manila.ts'
import { OWNER } from '#contract/permissions.ts'
import { assertRefused, findPlayer, type Player } from '#test/account-helpers.ts'
import { newOperator, newRole } from '#test/desk-helpers.ts'
import { updateRows } from '#test/factories.ts'
import { changeSettings, createTestApp } from '#test/helpers.ts'

const site = await createTestApp({ pages: true, env: { RATE_LIMIT: 'off' } })
const gm = await findPlayer(site, 'gm')
const writer = await newOperator(site, await newRole(site, 'documents.write'))

type Item = { name: string; version: number; state: string; text: DocumentValues; published: DocumentValues | null }
type Who = Pick<Player, 'headers'>

const load = async (name: string): Promise<Item> => (await site.get(`/api/admin/documents/${name}`, gm.headers)).json()
const act = async (call: string, body: object, by: Who = gm) => {
  const answer = await site.post(`/api/admin/documents/${call}`, body, by.headers)
  // PostgreSQL announces a change to the site's caches a moment after it is made.
  await sleep(200)
  return answer
}
async function done(call: string, body: object, by: Who = gm): Promise<Item> {
  const answer = await act(call, body, by)
  assert.equal(answer.status, 200, answer.text)
  return answer.json().item
}
const publish = async (name: string, change: (text: never) => object) => {
  const { version, text } = await load(name)
  const saved = await done('draft', { name, version, text: { ...text, ...change(text as never) } })
  return done('publish', { name, version: saved.version })
}
const page = async (path: string) => (await site.get(path)).text
const readVersions = async (name: string): Promise<{ revision: number; kind: string }[]> =>
  (await site.get(`/api/admin/documents/revisions?name=${name}`, gm.headers)).json().rows

test('shows published texts on the page at once, and no drafts', async () => {
  const before = await load('story')
  const text = { ...before.text, map_line: 'Hills and a road.' }
  const saved = await done('draft', { name: 'story', version: before.version, text }, writer)
  assert.equal(saved.state, 'edited')
  assert.doesNotMatch(await page('/story'), /Hills and a road/)
  await done('publish', { name: 'story', version: saved.version }, writer)
  assert.match(await page('/story'), /Hills and a road/)
})

test('the second of two writers gets a conflict and can save their text without losing the first', async () => {
  const { version, text } = await load('socials')
  const mine = { ...text, feed_line: 'Mine.' }
  await done('draft', { name: 'socials', version, text: { ...text, feed_line: 'Theirs.' } }, writer)
  assertRefused(await act('draft', { name: 'socials', version, text: mine }), 409)
  const saved = await done('draft', { name: 'socials', version, text: mine, replace: true })
  assert.equal(saved.text.feed_line, 'Mine.')
  const [newest] = await readVersions('socials')
  const theirs = (await site.get(`/api/admin/documents/revisions/${newest?.revision}`, gm.headers)).json()
  assert.deepEqual([theirs.kind, theirs.text.feed_line], ['replaced', 'Theirs.'])
  const restored = await done('restore', { name: 'socials', version: saved.version, revision: newest?.revision })
  assert.equal(restored.text.feed_line, 'Theirs.')
  const back = await done('discard', { name: 'socials', version: restored.version })
  assert.deepEqual([back.state, back.text], ['published', back.published])
})

test('restores the previous text, also the default one, and can undo that', async () => {
  const first = await load('credits')
  const published = await publish('credits', () => ({ own: '<p>All of it is ours.</p>' }))
  assert.match(await page('/credits'), /All of it is ours/)
  const undone = await done('undo', { name: 'credits', version: published.version })
  assert.deepEqual(undone.published, first.published)
  assert.doesNotMatch(await page('/credits'), /All of it is ours/)
  await done('undo', { name: 'credits', version: undone.version })
  assert.match(await page('/credits'), /All of it is ours/)
})

test('saves an unfinished page without publishing it, and each field reports what is missing', async () => {
  const { version, text } = await load('game-systems')
  const section = { title: '', id: '', lead: '', text: '', figure: '', rows: [], more: '' }
  const saved = await done('draft', { name: 'game-systems', version, text: { ...text, sections: [section] } })
  const refused = await act('publish', { name: 'game-systems', version: saved.version })
  assertRefused(refused, 422)
  assert.deepEqual(refused.json()['form-error'], { 'sections.0.title': ['Give it a title.'] })
  await done('discard', { name: 'game-systems', version: saved.version })
})

test('gives each part a unique address from its title', async () => {
  const part = { lead: '', text: '<p>a</p>', figure: '', rows: [], more: '', id: '' }
  const sections = ['Ñandú & more', 'Ñandú & more', '???'].map((title) => ({ ...part, title }))
  const { published } = await publish('game-systems', () => ({ sections }))
  const named = (published as { sections: { id: string }[] }).sections.map(({ id }) => id)
  assert.deepEqual(named, ['nandu-more', 'nandu-more-2', 'part-3'])
})

test('refuses a value that its field does not allow', async () => {
  const { version, text } = await load('server-info')
  const wrong: [field: string, value: unknown][] = [
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
  for (const [field, value] of wrong) {
    const answer = await act('draft', { name: 'server-info', version, text: { ...text, [field]: value } })
    assertRefused(answer, 422)
  }
})

test('lists a published free page in its menu, the sitemap and the search until it is deleted', async () => {
  const made = await done('create', { title: 'Staff list', address: 'staff-list' })
  assert.equal((await site.get('/page/staff-list')).status, 404)
  assertRefused(await act('create', { title: 'Again', address: 'staff-list' }), 409)
  assertRefused(await act('create', { title: 'Again', address: '../admin' }), 422)
  const text = { ...made.text, menu: 'support', text: '<p>Kapitan Zorro answers <a href="/ticket">tickets</a>.</p>' }
  const saved = await done('draft', { name: made.name, version: made.version, text })
  const out = await done('publish', { name: made.name, version: saved.version })
  const shown = await site.get('/page/staff-list')
  assert.equal(shown.status, 200)
  assert.match(shown.text, /<title>Staff list \| /)
  assert.match(shown.text, /Kapitan Zorro/)
  for (const path of ['/ticket', '/sitemap-pages.xml', '/api/search?q=zorro'])
    assert.match(await page(path), /\/page\/staff-list/, path)
  const deleted = await act('delete', { name: made.name, version: out.version })
  assert.equal(deleted.status, 200, deleted.text)
  assert.equal((await site.get('/page/staff-list')).status, 404)
  const story = await load('story')
  assertRefused(await act('delete', { name: 'story', version: story.version }), 409)
  await assert.rejects(site.db.deleteFrom('documents').where('name', '=', 'story').execute(), /belongs to the site/)
})

test('a preview shows the draft in the real page, and the public page stays unchanged', async () => {
  const { version, text } = await load('story')
  await done('draft', { name: 'story', version, text: { ...text, map_line: 'Not yet out.' } })
  const { path } = (await act('preview', { name: 'story' })).json()
  const preview = await site.get(path)
  assert.match(preview.text, /Not yet out\./)
  assert.doesNotMatch(preview.text, /<script/)
  assert.match(String(preview.headers.get('Content-Security-Policy')), /frame-ancestors 'self'/)
  assert.equal(preview.headers.get('Cache-Control'), 'no-store')
  assert.doesNotMatch(await page('/story'), /Not yet out\./)
  assert.match(String((await site.get('/admin')).headers.get('Content-Security-Policy')), /frame-src 'self'/)
})

test('a policy’s draft is published once its blanks are filled in, on the day of publishing', async () => {
  const own = await createTestApp({ world: 'empty', env: { DEMO: '0', RATE_LIMIT: 'off' } })
  await changeSettings(own, { require_staff_factor: false })
  const author = await newOperator(own, OWNER)
  const load = async () => (await own.get('/api/admin/documents/gamecashagreement', author.headers)).json()
  const send = async (path: string, more: Record<string, unknown> = {}) => {
    const { name, version } = await load()
    return own.post(`/api/admin/documents/${path}`, { name, version, ...more }, author.headers)
  }
  const refused = await send('publish')
  assert.equal(refused.status, 422, refused.text)
  const errors: Record<string, string[]> = refused.json()['form-error']
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
  assert.equal((await send('draft', { text: { sections }, replace: false })).status, 200)
  const published = await send('publish')
  assert.equal(published.status, 200, published.text)
  assert.equal((await load()).published.since, formatManilaDate(own.now()))

  // A session that is not used for 12 hours expires.
  for (let times = 0; times < 3; times++) {
    own.clock.advance(11 * HOUR_MS)
    await load()
  }
  await send('draft', { text: { about: 'All about coins.' }, replace: false })
  await send('publish')
  assert.equal((await load()).published.since, formatManilaDate(own.now()), 'a change has a new date')
  await send('draft', { text: { since: '24 December 2026' }, replace: false })
  await send('publish')
  await send('draft', { text: { about: 'All about coins and codes.' }, replace: false })
  await send('publish')
  assert.equal((await load()).published.since, '24 December 2026', 'a date that the author wrote stays')
})

test('shows a page as being prepared until it is written, on a site without the demo world', async () => {
  const own = await createTestApp({ world: 'empty', env: { DEMO: '0' }, pages: true })
  const get = async (path: string) => own.get(path)
  const paths = new Set(DOCUMENT_NAMES.map((name) => DOCUMENTS[name].path))
  for (const path of paths) {
    if (path === null || path === '/credits') continue
    const shown = await get(path)
    assert.equal(shown.status, 200, path)
    assert.match(shown.text, /This page is being prepared\./, path)
    assert.match(shown.text, /<meta name="robots" content="noindex[^"]*"/, path)
  }
  const home = (await get('/')).text.replaceAll(/"(?:preparing|more_pages)":\[[^\]]*\]/g, '')
  const sitemap = (await get('/sitemap-pages.xml')).text
  for (const path of ['/story', '/characters', '/gamesystem', '/instructions', '/serverinfo', '/socials']) {
    assert.ok(!home.includes(`"${path}"`), path)
    assert.ok(!sitemap.includes(`${path}<`), path)
  }
  for (const path of ['/operationpolicy', '/privacypolicy', '/gamecashagreement'])
    assert.ok(home.includes(`"${path}"`), path)
  assert.deepEqual((await get('/api/search?q=server+information')).json().counts.guides, 0)
  assert.deepEqual((await get('/api/document/story')).json(), { document: null })

  const text = {
    ...(
      await own.db.selectFrom('documents').where('name', '=', 'server-info').select('draft').executeTakeFirstOrThrow()
    ).draft,
    rates: [{ name: 'Experience', value: '×7', note: 'For everybody.' }],
  }
  await updateRows(
    own.db,
    'documents',
    { name: 'server-info' },
    { published: JSON.stringify(text), published_at: own.now() },
  )
  own.cache.clear()
  const written = await get('/serverinfo')
  assert.match(written.text, /For everybody\./)
  assert.doesNotMatch(written.text, /being prepared\.<|Fair play<|The week|noindex/)
  for (const path of ['/ticket', '/sitemap-pages.xml', '/api/search?q=server+information'])
    assert.match((await get(path)).text, /\/serverinfo/, path)
})

const HOSTILE = '"><img src=x onerror=steal()><script>steal()</script></style></textarea>javascript:steal()'

/** Creates a document in which every text is hostile, and lists have one entry. */
function hostileValues(fields: DocumentFields): DocumentValues {
  const hostile = (field: DocumentField): unknown => {
    switch (field.kind) {
      case 'line':
        return HOSTILE.slice(0, field.max)
      case 'html':
        return `<p onclick="steal()">a</p><script>steal()</script><a href="javascript:steal()">b</a><svg onload=steal()></svg><table><tr><th>"><img src=x onerror=steal()></th><th>${HOSTILE}</th></tr><tr><td>${HOSTILE}</td><td>c</td></tr></table><iframe src="//evil.example"></iframe>`
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
        return [hostileValues(field.fields)]
      case 'each':
        return Object.fromEntries(Object.keys(field.of).map((key) => [key, hostileValues(field.fields)]))
    }
  }
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, hostile(field)]))
}

/** Finds code that a browser would run: foreign scripts, handlers, addresses with code, foreign frames. */
function findLiveCode(html: string): string[] {
  const withoutOurs = html.replace(/<script\b[^>]*>[\s\S]*?<\/script>/g, (script) =>
    script.includes('steal()') && !/^<script type="application\/(ld\+)?json"/.test(script) ? '<live-script>' : '',
  )
  const tags = withoutOurs.match(/<[a-z][^>"']*(?:"[^"]*"[^>"']*|'[^']*'[^>"']*)*>/gi) ?? []
  return tags.filter((tag) => {
    const bare = tag.replace(/"[^"]*"|'[^']*'/g, '""')
    return (
      /\son\w+\s*=/i.test(bare) ||
      /^<(live-script|iframe|object|embed)/i.test(tag) ||
      /(?:href|src)="\s*javascript:/i.test(tag)
    )
  })
}

test('hostile text in any field of a document runs on no page, in no preview and in no file', async () => {
  const names: DocumentName[] = [...DOCUMENT_NAMES]
  for (const name of names) await publish(name, () => hostileValues(DOCUMENTS[name].fields))
  const free = await done('create', { title: HOSTILE.slice(0, 80), address: 'hostile' })
  const text = {
    ...free.text,
    menu: 'support',
    description: HOSTILE,
    picture: '/art/x.png"onerror=steal()',
    lines: [{ line: HOSTILE.slice(0, 200) }],
    text: HOSTILE,
  }
  const saved = await done('draft', { name: free.name, version: free.version, text })
  await done('publish', { name: free.name, version: saved.version })
  const { path: preview } = (await act('preview', { name: 'story' })).json()
  const pages = [...new Set(names.flatMap((name) => DOCUMENTS[name].path ?? []))]
  const more = [
    '/',
    '/ticket',
    '/page/hostile',
    '/characters?class=conductor',
    '/instructions?part=chat',
    '/search?q=steal',
    preview,
  ]
  for (const path of [...pages, ...more]) {
    const shown = await site.get(path)
    assert.equal(shown.status, 200, path)
    assert.match(shown.text, /steal\(\)/, `${path} shows the text`)
    assert.deepEqual(findLiveCode(shown.text), [], path)
  }
  assert.ok(
    findLiveCode('<a href="x" onclick=steal()>').length === 1 && findLiveCode('<script>steal()</script>').length === 1,
  )
  for (const path of ['/sitemap-pages.xml', '/feed.xml', '/manifest.webmanifest'])
    assert.doesNotMatch(await page(path), /<script/)
})
