import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { sql } from 'kysely'
import { MINUTE_MS } from '#contract/durations.ts'
import { runCleanUp } from '#server/clean-ups.ts'
import { assertRefused, openPlayerSession } from '#test/account-helpers.ts'
import { TEST_NOW } from '#test/databases.ts'
import { createOperator, createRole } from '#test/desk-helpers.ts'
import { startDiscord } from '#test/discord.ts'
import { insertNews } from '#test/factories.ts'
import { createTestApp } from '#test/helpers.ts'
import { announceNews, hasUnannouncedNews } from './jobs.ts'

const site = await createTestApp({ pages: true, env: { RATE_LIMIT: 'off' } })
const { db, clock } = site
const gm = await openPlayerSession(site, 'gm')
const otherOperator = await createOperator(site, 'news')
type Operator = Pick<typeof gm, 'get' | 'post'>
const inMinutes = (minutes: number) => new Date(TEST_NOW.getTime() + minutes * MINUTE_MS)

beforeEach(() => {
  clock.set(TEST_NOW)
  site.cache.clear()
})

const loadItem = async (id: number) => (await gm.get(`/api/admin/news/${id}`)).json()
/** Reads the public item, not its cached response. */
const readShownItem = async (id: number) => {
  site.cache.clear()
  return (await site.get(`/api/getspecificnews/${id}`)).json().data[0]
}
const TEXT = {
  subject: 'Ulan',
  type: 0,
  author: 'GM Bituin',
  content: '<p>Tag-ulan na.</p>',
  picture: null,
  show_picture: true,
  patch_notes: false,
}
const callDesk = (action: string, body: object, operator: Operator = gm) =>
  operator.post(`/api/admin/news/${action}`, body)
async function changeItem(action: string, body: object, operator: Operator = gm) {
  const answer = await callDesk(action, body, operator)
  assert.equal(answer.status, 200, answer.text)
  return answer.json().item
}
async function createDraft(text: object = {}) {
  const { id, version } = await changeItem('create', { type: 0 })
  return changeItem('draft', { id, version, ...TEXT, ...text })
}

const discord = await startDiscord()
const announce = async (now = clock.now()) => {
  await announceNews(db, now)
  await discord.deliver({ ...site, now: () => now })
}

test('shows a draft to readers as soon as it is published, and not earlier', async () => {
  const draft = await createDraft()
  assert.equal(draft.state, 'draft')
  assert.equal(await readShownItem(draft.id), undefined)
  const item = await changeItem('publish', draft)
  assert.deepEqual([item.state, item.created_at], ['published', TEST_NOW.toISOString()])
  assert.equal((await readShownItem(draft.id)).content, '<p>Tag-ulan na.</p>')
})

test('a draft does not change its published item, nor the item’s date when it is published', async () => {
  const publishedItem = await changeItem('publish', await createDraft())
  clock.advance(60 * MINUTE_MS)
  const editedItem = await changeItem('draft', { ...publishedItem, ...TEXT, subject: 'Araw' })
  assert.deepEqual([editedItem.state, editedItem.has_draft, editedItem.published.subject], ['published', true, 'Ulan'])
  assert.equal((await readShownItem(publishedItem.id)).subject, 'Ulan')
  await changeItem('publish', editedItem)
  const itemAfter = await readShownItem(publishedItem.id)
  assert.deepEqual([itemAfter.subject, itemAfter.created_at], ['Araw', TEST_NOW.toISOString()])
})

test('saves an unfinished text, but does not publish it', async () => {
  const draft = await createDraft({ subject: '', content: '<p> &nbsp;</p>' })
  const response = await callDesk('publish', draft)
  assertRefused(response, 422)
  assert.deepEqual(Object.keys(response.json()['form-error']), ['subject', 'content'])
  const draftWithPicture = await changeItem('draft', {
    ...draft,
    ...TEXT,
    content: '<p><img src="/art/news-01.webp"></p>',
  })
  assert.equal((await changeItem('publish', draftWithPicture)).state, 'published')
})

test('removes scripts and frames from a text before it is saved', async () => {
  const draft = await createDraft({ content: '<p onclick="x()">a<script>x()</script></p><iframe src="/"></iframe>' })
  assert.equal(draft.text.content, '<p>a</p>')
})

test('a scheduled item appears on time', async () => {
  const item = await changeItem('publish', { ...(await createDraft()), at: inMinutes(30).toISOString() })
  assert.equal(item.state, 'scheduled')
  clock.set(inMinutes(29))
  await announce()
  assert.equal(await readShownItem(item.id), undefined)
  clock.set(inMinutes(30))
  await announce()
  assert.equal((await readShownItem(item.id)).subject, 'Ulan')
  assert.equal((await loadItem(item.id)).state, 'published')
})

test('announces each item once after it has appeared', async () => {
  await announce(new Date())
  assert.equal(await hasUnannouncedNews(db), false)
  await insertNews(db, { created_at: new Date(Date.now() - 1000) })
  await insertNews(db, { created_at: new Date(Date.now() + 3_600_000) })
  assert.equal(await hasUnannouncedNews(db), true)
  await announce(new Date())
  assert.equal(await hasUnannouncedNews(db), false)
})

test('news is posted to the channel once, when it first appears', async () => {
  await announce()
  await discord.connect(db, 'news')
  const item = await changeItem('publish', { ...(await createDraft()), at: inMinutes(5).toISOString() })
  await announce()
  assert.deepEqual(discord.posts, [])
  clock.set(inMinutes(5))
  await announce()
  await announce()
  assert.deepEqual(discord.posts, [`Ulan\n${site.publicUrl}/topic/${item.id}`])
  const editedItem = await changeItem('draft', { ...(await loadItem(item.id)), ...TEXT, subject: 'Bagyo' })
  await changeItem('publish', editedItem)
  await announce()
  assert.equal(discord.posts.length, 1)
  const change = discord.requests.at(-1)
  assert.deepEqual([change?.method, change?.body.embeds?.[0]?.title], ['PATCH', 'Bagyo'])
  await changeItem('hide', await loadItem(item.id))
  await announce()
  assert.equal(discord.requests.at(-1)?.method, 'DELETE')
})

test('retries news that Discord refused for a day, unless it is withdrawn', async () => {
  await discord.connect(db, 'news')
  discord.reset()
  discord.isOpen = false
  const [visibleItem, hiddenItem] = [
    await changeItem('publish', await createDraft({ subject: '2 * 3' })),
    await changeItem('publish', await createDraft()),
  ]
  await announce()
  await changeItem('hide', hiddenItem)
  discord.isOpen = true
  await announce()
  assert.deepEqual(discord.posts, [`2 \\* 3\n${site.publicUrl}/topic/${visibleItem.id}`])
  discord.isOpen = false
  await changeItem('publish', await createDraft())
  await announce()
  discord.isOpen = true
  await sql`update discord_posts set requested_at = requested_at - interval '25 hours'`.execute(db)
  await announce()
  assert.equal(discord.posts.length, 1)
})

test('refuses to schedule a visible item for later, which would hide it from readers', async () => {
  const publishedItem = await changeItem('publish', await createDraft())
  assertRefused(await callDesk('publish', { ...publishedItem, at: inMinutes(30).toISOString() }), 422)
  const hiddenItem = await changeItem('hide', publishedItem)
  assert.equal(hiddenItem.state, 'hidden')
  const scheduledItem = await changeItem('publish', { ...hiddenItem, at: inMinutes(30).toISOString() })
  assert.equal(scheduledItem.state, 'scheduled')
  const draft = await changeItem('hide', scheduledItem)
  assert.deepEqual([draft.state, draft.created_at], ['draft', null])
})

test('reports a conflict to the later of two writers, whose text replaces no version', async () => {
  const draft = await createDraft()
  const otherVersion = await changeItem('draft', { ...draft, ...TEXT, content: '<p>Theirs.</p>' }, otherOperator)
  const ownDraft = { ...draft, ...TEXT, content: '<p>Mine.</p>' }
  assertRefused(await callDesk('draft', ownDraft), 409)
  assert.equal((await loadItem(draft.id)).text.content, '<p>Theirs.</p>')
  const savedItem = await changeItem('draft', { ...ownDraft, replace: true })
  assert.deepEqual([savedItem.text.content, savedItem.version], ['<p>Mine.</p>', otherVersion.version + 1])
  const { rows } = (await gm.get(`/api/admin/news/revisions?id=${draft.id}`)).json()
  const texts = await Promise.all(
    rows.map(async ({ revision }: { revision: number }) => {
      const { text, saved_by } = (await gm.get(`/api/admin/news/revisions/${revision}`)).json()
      return [text.content, saved_by]
    }),
  )
  assert.deepEqual(texts, [
    ['<p>Theirs.</p>', otherOperator.form.userId],
    ['<p>Tag-ulan na.</p>', 'gm'],
  ])
})

test('publishes once if two operators publish at the same time', async () => {
  const draft = await createDraft()
  const answers = await Promise.all([callDesk('publish', draft), callDesk('publish', draft, otherOperator)])
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409])
  assert.equal((await gm.get(`/api/admin/news/revisions?id=${draft.id}`)).json().rows.length, 1)
})

test('restores an earlier version as the draft, and discards a draft', async () => {
  const firstVersion = await changeItem('publish', await createDraft())
  const secondVersion = await changeItem(
    'publish',
    await changeItem('draft', { ...firstVersion, ...TEXT, subject: 'Araw' }),
  )
  const { rows } = (await gm.get(`/api/admin/news/revisions?id=${firstVersion.id}`)).json()
  assert.deepEqual(
    rows.map(({ subject }: { subject: string }) => subject),
    ['Araw', 'Ulan'],
  )
  const restoredItem = await changeItem('restore', { ...secondVersion, revision: rows[1].revision })
  assert.deepEqual([restoredItem.text.subject, restoredItem.published.subject], ['Ulan', 'Araw'])
  await changeItem('publish', restoredItem)
  assert.equal((await readShownItem(firstVersion.id)).subject, 'Ulan')
  const draft = await changeItem('draft', { ...(await loadItem(firstVersion.id)), ...TEXT, subject: 'Bagyo' })
  const discardedItem = await changeItem('discard', draft)
  assert.deepEqual([discardedItem.text.subject, discardedItem.has_draft], ['Ulan', false])
})

test('hides an item in the trash, restores it, and deletes it after 30 days', async () => {
  const publishedItem = await changeItem('publish', await createDraft())
  const trashedItem = await changeItem('trash', publishedItem)
  assert.deepEqual([trashedItem.state, await readShownItem(publishedItem.id)], ['trash', undefined])
  for (const action of ['publish', 'hide', 'trash']) assertRefused(await callDesk(action, trashedItem), 409)
  assertRefused(await callDesk('draft', { ...trashedItem, ...TEXT }), 409)
  const untrashedItem = await changeItem('untrash', trashedItem)
  assert.equal(untrashedItem.state, 'hidden')
  await changeItem('trash', untrashedItem)
  const day = 24 * 60
  await runCleanUp(db, 'news', inMinutes(30 * day - 1))
  assert.equal((await loadItem(publishedItem.id)).state, 'trash')
  await runCleanUp(db, 'news', inMinutes(30 * day + 1))
  assert.equal((await gm.get(`/api/admin/news/${publishedItem.id}`)).status, 404)
})

test('finds items by state, type and subject, and drafts by the subject of the draft', async () => {
  const event = await createDraft({ type: 2, subject: 'Piyesta ng Ilog' })
  const listIds = async (query: string) =>
    (await gm.get(`/api/admin/news?${query}`)).json().rows.map(({ id }: { id: number }) => id)
  for (const query of ['', 'state=draft', 'state=edited', 'type=2', 'q=piyesta', 'q=NG%20ilog&type=2&state=draft'])
    assert.ok((await listIds(query)).includes(event.id), query)
  for (const query of ['state=hidden', 'state=trash', 'state=published', 'state=scheduled', 'q=%25', 'after=1'])
    assert.ok(!(await listIds(query)).includes(event.id), query)
  const publishedPage = (await gm.get('/api/admin/news?state=published')).json()
  assert.ok(publishedPage.rows.length >= 40)
})

test('lets an operator without the permission to publish only write drafts', async () => {
  const writer = await createOperator(site, await createRole(site, 'news.read', 'news.write'))
  const draft = await changeItem('create', { type: 1 }, writer)
  const savedItem = await changeItem('draft', { ...draft, ...TEXT }, writer)
  for (const action of ['publish', 'hide']) assertRefused(await callDesk(action, savedItem, writer), 403)
  const trashedItem = await changeItem('trash', savedItem, writer)
  const publishedItem = await changeItem('publish', await changeItem('untrash', trashedItem, writer))
  assertRefused(await callDesk('trash', publishedItem, writer), 403)
  assertRefused(await callDesk('untrash', await changeItem('trash', publishedItem), writer), 403)
})

test('a preview shows the draft in the real page for ten minutes, and is never cached', async () => {
  const publishedItem = await changeItem('publish', await createDraft())
  await changeItem('draft', { ...publishedItem, ...TEXT, subject: 'Bagong paksa', content: '<p>Bago.</p>' })
  const { path } = (await callDesk('preview', { id: publishedItem.id })).json()
  const page = await site.get(path)
  assert.equal(page.status, 200, page.text)
  assert.match(page.text, /Bagong paksa/)
  assert.match(page.text, /<p>Bago\.<\/p>/)
  assert.doesNotMatch(page.text, /<script/)
  assert.equal(page.headers.get('Cache-Control'), 'no-store')
  assert.equal(page.headers.get('X-Robots-Tag'), 'noindex')
  assert.match((await site.get(`/topic/${publishedItem.id}`)).text, /Tag-ulan na/)
  assert.match(String(page.headers.get('Content-Security-Policy')), /frame-ancestors 'self'/)
  assert.equal(page.headers.get('X-Frame-Options'), 'SAMEORIGIN')
  const rankingsPage = await site.get(`${path}/rankings?tab=mmr`)
  assert.match(rankingsPage.text, /MMR Ranking/)
  assert.match(rankingsPage.text, /Readers do not see this/)
  clock.set(inMinutes(11))
  assert.equal((await site.get(path)).status, 404)
  assert.equal((await site.get('/preview/made-up')).status, 404)
})
