import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  getNewsPath,
  getNewsTopicPath,
  getPage,
  listBoards,
  putLatestFirst,
  readNewsView,
  readTopicId,
} from './news-view.ts'
import { createExcerpt } from './queries.ts'
import { createTopicHead, getSharePicture } from './topic.ts'

const readView = (query: string) => readNewsView(new URLSearchParams(query))
const createItems = (...ids: number[]) => ids.map((id) => ({ id }))

test('pages each board separately, with the others on their first page', () => {
  const events = readView('board=events&page=3')
  assert.deepEqual(events, { board: 'events', page: 3 })
  assert.equal(getPage('events', events), 3)
  assert.equal(getPage('all', events), 1)
  assert.equal(getPage('guides', events), 1)
})

test('shows and pages patch notes in place of all news on the first board (NEWS-12)', () => {
  const patchNotesView = readView('board=patch-notes&page=2')
  assert.deepEqual(
    listBoards(patchNotesView).map(({ key }) => [key, getPage(key, patchNotesView)]),
    [
      ['patch-notes', 2],
      ['events', 1],
      ['guides', 1],
    ],
  )
  assert.equal(getNewsPath(patchNotesView), '/news?board=patch-notes&page=2')
})

test('shows the first page of all news for an unknown board or page', () => {
  assert.deepEqual(readView('board=rumours&page=-2'), { board: 'all', page: 1 })
  assert.deepEqual(readView('page=last'), { board: 'all', page: 1 })
  assert.deepEqual(readView('page=0'), { board: 'all', page: 1 })
})

test('reads the board from a category number if no board is named', () => {
  assert.deepEqual(readView('category=2&page=2'), { board: 'events', page: 2 })
  assert.deepEqual(readView('category=1'), { board: 'guides', page: 1 })
  assert.deepEqual(readView('category=1&board=events'), { board: 'events', page: 1 })
})

test('omits defaults from addresses', () => {
  assert.equal(getNewsPath({ board: 'all', page: 1 }), '/news')
  assert.equal(getNewsPath({ board: 'guides', page: 1 }), '/news?board=guides')
  assert.equal(getNewsPath({ board: 'all', page: 2 }), '/news?board=all&page=2')
  assert.equal(getNewsTopicPath(7), '/news?topic=7')
  assert.equal(getNewsTopicPath(7, { type: 2, page: 1 }), '/news?topic=7')
  assert.equal(getNewsTopicPath(7, { type: 2, page: 3 }), '/news?topic=7&category=2&page=3')
})

test('accepts only positive whole numbers as ids', () => {
  assert.equal(readTopicId('12'), 12)
  for (const text of ['', '0', '-1', '1.5', 'abc', '1e3', '99999999999', null, undefined]) {
    assert.equal(readTopicId(text), undefined)
  }
})

test('lists the latest item first, once, and as one of the eight', () => {
  assert.deepEqual(putLatestFirst({ id: 9 }, createItems(9, 8, 7, 6, 5, 4, 3, 2)), createItems(9, 8, 7, 6, 5, 4, 3, 2))
  assert.deepEqual(
    putLatestFirst({ id: 10 }, createItems(9, 8, 7, 6, 5, 4, 3, 2)),
    createItems(10, 9, 8, 7, 6, 5, 4, 3),
  )
  assert.deepEqual(putLatestFirst(undefined, createItems(3, 2)), createItems(3, 2))
})

const item = {
  id: 7,
  subject: 'Lanterns on the roof',
  content: '<p>Bring <strong>two</strong> lamps.</p>',
  type: 2 as const,
  created_at: '2026-11-19T13:00:00Z',
  author: 'GM Bituin',
  img_thumbnail: '/art/news-05.webp',
  IsShowThumbnail: 1 as const,
}

test('uses the JPEG next to a WebP picture for sharing', () => {
  assert.equal(getSharePicture('/art/news-05.webp'), '/art/news-05-share.jpg')
  assert.equal(getSharePicture('/uploads/a.jpg'), '/uploads/a.jpg')
  assert.equal(getSharePicture(null), undefined)
})

test('puts the canonical address and a plain description into the head of an item', () => {
  const head = createTopicHead(item, '')
  assert.equal(head.path, '/news?topic=7')
  assert.equal(head.description, 'Bring two lamps.')
})

test('includes headline, date, author and absolute addresses in the structured data', () => {
  const jsonLd: Record<string, unknown> = createTopicHead(item, 'https://example.com').jsonLd
  assert.equal(jsonLd['@type'], 'NewsArticle')
  assert.equal(jsonLd.headline, 'Lanterns on the roof')
  assert.equal(jsonLd.datePublished, '2026-11-19T13:00:00Z')
  assert.deepEqual(jsonLd.author, { '@type': 'Person', name: 'GM Bituin' })
  assert.deepEqual(jsonLd.image, ['https://example.com/art/news-05-share.jpg'])
  assert.equal(jsonLd.mainEntityOfPage, 'https://example.com/news?topic=7')
})

test('omits a missing date from the structured data', () => {
  assert.ok(!('datePublished' in createTopicHead({ ...item, created_at: null }, '').jsonLd))
})

test('removes the tags from an excerpt', () => {
  assert.equal(createExcerpt('<p>Doors <strong>open</strong>.</p><ul><li>At nine</li></ul>'), 'Doors open. At nine')
  assert.equal(createExcerpt('<p><a href="/a>b" title="x">Rice</a> &amp; ice</p>'), 'Rice & ice')
})

test('ends an excerpt after a whole word', () => {
  assert.equal(createExcerpt('<p>The quick brown fox</p>', 12), 'The quick…')
  assert.equal(createExcerpt('<p>Short</p>', 12), 'Short')
})

test('never shows unclosed markup', () => {
  assert.equal(createExcerpt('<p>Here</p><a href="/half'), 'Here')
})
