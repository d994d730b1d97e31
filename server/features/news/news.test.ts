import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TEST_NOW } from '#test/databases.ts'
import { insertNews } from '#test/factories.ts'
import { createTestApp } from '#test/helpers.ts'

const site = await createTestApp({ world: 'empty' })
const minutesAgo = (minutes: number) => new Date(TEST_NOW.getTime() - minutes * 60_000)

/** The ids of 19 visible items, the newest first: 18 of the types 0, 1 and 2 in turn, then one without a date. */
const visibleIds: number[] = []
for (let index = 0; index < 18; index++) {
  visibleIds.push(await insertNews(site.db, { type: (index % 3) as 0 | 1 | 2, created_at: minutesAgo(1 + index * 60) }))
}
const undatedId = await insertNews(site.db, { subject: 'Walang petsa', created_at: null })
visibleIds.push(undatedId)
const hiddenId = await insertNews(site.db, { created_at: minutesAgo(30), published: false })
const futureId = await insertNews(site.db, { created_at: minutesAgo(-1) })

type NewsItem = { id: number; type: number; created_at: string | null }
type NewsList = { data: NewsItem[]; total: number; last_page: number }
const listNews = async (path: string): Promise<NewsList> => {
  const answer = await site.get(`/api/getnewsall/${path}`)
  assert.equal(answer.status, 200, answer.text)
  return answer.json()
}
const getIds = ({ data }: NewsList) => data.map(({ id }) => id)

test('getnewsall returns news of every type, the newest first and those without a date last', async () => {
  assert.deepEqual(await listNews('0/50/0/0').then(getIds), visibleIds)
})

test('getnewsall returns guides for type 1 and events for type 2', async () => {
  const listIdsOfType = (type: number) => visibleIds.filter((id, index) => id !== undatedId && index % 3 === type)
  assert.deepEqual(await listNews('1/50/0/0').then(getIds), listIdsOfType(1))
  assert.deepEqual(await listNews('2/50/0/0').then(getIds), listIdsOfType(2))
})

test('omits unpublished and future items from every list and count', async () => {
  for (const type of [0, 1, 2]) {
    const answer = await listNews(`${type}/50/0/0`)
    assert.ok(answer.data.every(({ id }) => id !== hiddenId && id !== futureId))
    assert.equal(answer.total, answer.data.length)
  }
})

test('shows a future item from its date on', async () => {
  site.clock.advance(60_000)
  try {
    assert.deepEqual(await listNews('0/1/0/0').then(getIds), [futureId])
    assert.equal((await site.get(`/api/getspecificnews/${futureId}`)).json().data.length, 1)
  } finally {
    site.clock.advance(-60_000)
    site.cache.clear()
  }
})

test('returns the first `count` items for page 0, and the n-th part for page n', async () => {
  assert.deepEqual(await listNews('0/8/0/0').then(getIds), visibleIds.slice(0, 8))
  assert.deepEqual(await listNews('0/8/1/0').then(getIds), visibleIds.slice(0, 8))
  assert.deepEqual(await listNews('0/8/2/0').then(getIds), visibleIds.slice(8, 16))
  assert.deepEqual(await listNews('0/8/3/0').then(getIds), visibleIds.slice(16))
})

test('returns the last page for a page past the end', async () => {
  assert.deepEqual(await listNews('0/8/4/0').then(getIds), visibleIds.slice(16))
  assert.deepEqual(await listNews('0/8/999999999/0').then(getIds), visibleIds.slice(16))
})

test('returns the total of items and pages with every page', async () => {
  for (const [path, total, last_page] of [
    ['0/8/1/0', 19, 3],
    ['0/8/3/0', 19, 3],
    ['0/19/1/0', 19, 1],
    ['1/4/1/0', 6, 2],
    ['0/1/0/1', 19, 19],
  ] as const) {
    const answer = await listNews(path)
    assert.deepEqual({ total: answer.total, last_page: answer.last_page }, { total, last_page }, path)
  }
})

test('latestflag 1 returns the first page for any page number', async () => {
  assert.deepEqual(await listNews('0/1/0/1').then(getIds), visibleIds.slice(0, 1))
  assert.deepEqual(await listNews('0/2/3/1').then(getIds), visibleIds.slice(0, 2))
  assert.deepEqual(await listNews('2/1/0/1').then(getIds), [visibleIds[2]])
})

test('caches one response for an invalid number and the nearest valid one', async () => {
  const etag = (await site.get('/api/getnewsall/0/8/3/0')).headers.get('etag')
  const { entries } = site.cache.getSize()
  for (const path of ['0/8/4/0', '0/8/5000/0', '0/8/5001/0', '-9/8/3/0', '0/8/3/-1'])
    assert.equal((await site.get(`/api/getnewsall/${path}`)).headers.get('etag'), etag, path)
  assert.equal(site.cache.getSize().entries, entries)
})

test('numbers out of range count as the nearest valid one', async () => {
  assert.deepEqual(await listNews('0/0/0/0').then(getIds), visibleIds.slice(0, 1), 'count 0')
  assert.deepEqual(await listNews('0/-5/0/0').then(getIds), visibleIds.slice(0, 1), 'count -5')
  assert.deepEqual(await listNews('0/8/-3/0').then(getIds), visibleIds.slice(0, 8), 'page -3')
  assert.deepEqual(await listNews('-1/8/1/0').then(getIds), visibleIds.slice(0, 8), 'type -1')
  assert.deepEqual(await listNews('7/50/0/0'), await listNews('2/50/0/0'), 'type 7')
  assert.deepEqual(await listNews('0/2/3/2').then(getIds), visibleIds.slice(0, 2), 'latestflag 2')
  assert.deepEqual(await listNews('0/2/2/-1').then(getIds), visibleIds.slice(2, 4), 'latestflag -1')
})

test('an item has exactly the fields of NEWS-6', async () => {
  const created_at = minutesAgo(10_000)
  const id = await insertNews(site.db, {
    subject: 'Fiesta sa plaza',
    type: 2,
    author: 'GM Dalisay',
    content: '<p>Tara!</p>',
    picture: '/art/news-02.webp',
    created_at,
  })
  const item = {
    id,
    subject: 'Fiesta sa plaza',
    content: '<p>Tara!</p>',
    type: 2,
    created_at: created_at.toISOString(),
    author: 'GM Dalisay',
    img_thumbnail: '/art/news-02.webp',
    IsShowThumbnail: 1,
  }
  // A response from before this item may be cached until the notice of the change arrives.
  site.cache.clear()
  try {
    assert.deepEqual((await site.get(`/api/getspecificnews/${id}`)).json(), { data: [item] })
    const { data } = await listNews('2/50/0/0')
    assert.deepEqual(
      data.find((row) => row.id === id),
      item,
    )
  } finally {
    await site.db.deleteFrom('news').where('id', '=', id).execute()
  }
})

test('sets IsShowThumbnail to 0 for an item whose picture is missing or switched off', async () => {
  const newsWithoutPicture = await insertNews(site.db, { picture: null, show_picture: true })
  const newsWithPictureOff = await insertNews(site.db, { picture: '/art/news-01.webp', show_picture: false })
  for (const id of [newsWithoutPicture, newsWithPictureOff]) {
    const { data } = (await site.get(`/api/getspecificnews/${id}`)).json()
    assert.equal(data[0].IsShowThumbnail, 0)
  }
  await site.db.deleteFrom('news').where('id', 'in', [newsWithoutPicture, newsWithPictureOff]).execute()
})

test('returns null as the date of an item without a date', async () => {
  assert.equal((await site.get(`/api/getspecificnews/${undatedId}`)).json().data[0].created_at, null)
})

test('getspecificnews returns an empty list for an unknown, unpublished or future item', async () => {
  for (const id of [999_999, hiddenId, futureId, 0, -4]) {
    const { status, json } = await site.get(`/api/getspecificnews/${id}`)
    assert.deepEqual({ status, body: json() }, { status: 200, body: { data: [] } }, String(id))
  }
})

test('sanitises an author’s HTML in responses', async () => {
  const id = await insertNews(site.db, {
    content: '<p onclick="steal()">Hi<script>steal()</script> <a href="javascript:steal()">link</a></p>',
  })
  const { data } = (await site.get(`/api/getspecificnews/${id}`)).json()
  assert.equal(data[0].content, '<p>Hi <a>link</a></p>')
  await site.db.deleteFrom('news').where('id', '=', id).execute()
})

test('returns at most 50 items a page', async () => {
  for (let index = 0; index < 40; index++) await insertNews(site.db, { type: 1 })
  const { data, total, last_page } = await listNews('0/99/0/0')
  assert.deepEqual({ rows: data.length, total, last_page }, { rows: 50, total: 59, last_page: 2 })
})

test('a type without items has one empty page', async () => {
  await site.db.deleteFrom('news').where('type', '=', 2).execute()
  assert.deepEqual((await site.get('/api/getnewsall/2/8/1/0')).json(), { data: [], total: 0, last_page: 1 })
})

test('only=patch-notes lists marked items of any type, with their total (NEWS-12)', async () => {
  const patchNotes = [
    await insertNews(site.db, { patch_notes: true, type: 0, created_at: minutesAgo(5000) }),
    await insertNews(site.db, { patch_notes: true, type: 2, created_at: minutesAgo(5001) }),
  ]
  await insertNews(site.db, { patch_notes: true, published: false })
  site.cache.clear()
  const listPage = async (query: string) => (await site.get(`/api/getnewsall/0/8/1/0${query}`)).json()
  const { data, total, last_page } = await listPage('?only=patch-notes')
  assert.deepEqual([data.map(({ id }: { id: number }) => id), total, last_page], [patchNotes, 2, 1])
  assert.ok((await listPage('')).total > 2)
  assert.equal((await site.get('/api/getnewsall/0/8/1/0?only=something')).status, 422)
})
