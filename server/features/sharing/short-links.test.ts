import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { DAY_MS } from '#contract/durations.ts'
import { toManilaDay } from '#contract/manila.ts'
import { assertRefused, openPlayerSession } from '#test/account-helpers.ts'
import { insertNews } from '#test/factories.ts'
import { createTestApp } from '#test/helpers.ts'

const site = await createTestApp({ env: { RATE_LIMIT: 'off' } })
const { db } = site
const gm = await openPlayerSession(site, 'gm')

const preparePost = (kind: string, page: string | number) =>
  site.post('/api/admin/posts', { kind, page: String(page) }, gm.headers)

const followLink = (link: string, init: RequestInit = {}) =>
  site.send(link.replace('https://play.example.ph', ''), { redirect: 'manual', ...init })

const getCode = (link: string) => link.slice(-6)

const countVisits = async (link: string) => {
  const rows = await db.selectFrom('share_visits').where('mark', '=', getCode(link)).select('visits').execute()
  return rows.reduce((sum, { visits }) => sum + visits, 0)
}

test('a post has its page’s text and pictures; all posts of a page have one short link', async () => {
  const id = await insertNews(db, { subject: 'Bagong channel' })
  const { status, json } = await preparePost('news', id)
  assert.equal(status, 200)
  const { text, link, pictures } = json()
  assert.match(link, /^https:\/\/play\.example\.ph\/s\/[a-z0-9]{6}$/)
  assert.ok(text.startsWith('Bagong channel\n') && text.endsWith(`\n${link}`), text)
  for (const picture of Object.values(pictures)) assert.equal((await site.get(String(picture))).status, 200)
  assert.equal((await preparePost('news', id)).json().link, link)
  assert.notEqual((await preparePost('event', 1)).json().link, link)
})

test('refuses a post about a page that players cannot see', async () => {
  const hiddenNews = await insertNews(db, { published: false })
  assertRefused(await preparePost('news', hiddenNews), 404)
  assertRefused(await preparePost('event', 999_999), 404)
  assertRefused(await preparePost('month', '2020-01'), 404)
  assertRefused(await preparePost('news', '2020-01'), 404)
  assertRefused(await preparePost('month', '../x'), 422)
})

test('redirects a short link to its page without caching, and ignores query parameters', async () => {
  const { period } = await db
    .selectFrom('ranking_periods')
    .where('closed_at', 'is not', null)
    .select('period')
    .orderBy('period', 'desc')
    .executeTakeFirstOrThrow()
  for (const [kind, page, path] of [
    ['event', '1', '/events/1'],
    ['month', period, `/rankings?period=${period}`],
  ] as const) {
    const { link } = (await preparePost(kind, page)).json()
    const { status, headers } = await followLink(`${link}?fbclid=abc`)
    assert.equal(status, 302)
    assert.equal(headers.get('location'), `https://play.example.ph${path}`)
    assert.equal(headers.get('cache-control'), 'no-store')
    assert.equal(headers.get('set-cookie'), null)
  }
  for (const path of ['/s/zzzzzz', '/s/abc', '/s/ABCDEF', '/s/'])
    assert.equal((await site.send(path)).status, 404, path)
})

test('counts visits by day, without HEAD requests and programs that read a link for its preview', async () => {
  const id = await insertNews(db)
  const { link } = (await preparePost('news', id)).json()
  const createAgentHeaders = (agent: string) => ({ headers: { 'User-Agent': agent } })
  await followLink(link, createAgentHeaders('Mozilla/5.0 (Linux; Android 14) Chrome/140.0'))
  await followLink(link, createAgentHeaders('Mozilla/5.0 (Linux; Android 14) Chrome/140.0'))
  await followLink(link, { method: 'HEAD' })
  for (const agent of ['facebookexternalhit/1.1', 'Mozilla/5.0 (compatible; Discordbot/2.0)', 'WhatsApp/2.23'])
    assert.equal((await followLink(link, createAgentHeaders(agent))).status, 302)
  assert.equal(await countVisits(link), 2)
  site.clock.advance(DAY_MS)
  await followLink(link)
  assert.equal(await countVisits(link), 3)
  const days = await db.selectFrom('share_visits').where('mark', '=', getCode(link)).select('visits').execute()
  assert.equal(days.length, 2)

  const today = toManilaDay(site.clock.now())
  const { headers } = await openPlayerSession(site, 'gm')
  const { rows } = (await site.get(`/api/admin/figures/shares?from=${today}&until=${today}`, headers)).json()
  const row = rows.find(({ mark }: { mark: string }) => mark === getCode(link))
  assert.deepEqual([row.visits, row.before, row.kind, row.page], [1, 2, 'news', String(id)])
  site.clock.advance(-DAY_MS)
})

test('redirects to the page even if the visit cannot be counted', async () => {
  const { link } = (await preparePost('event', 1)).json()
  const visitsBefore = await countVisits(link)
  await sql`alter table share_visits add constraint refused check (false) not valid`.execute(db)
  try {
    assert.equal((await followLink(link)).status, 302)
  } finally {
    await sql`alter table share_visits drop constraint refused`.execute(db)
  }
  assert.equal(await countVisits(link), visitsBefore)
})
