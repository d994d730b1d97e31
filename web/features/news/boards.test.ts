import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newsPath, pageOf, readNewsView, readTopicId, topicPath, withLatestFirst } from './boards.ts'

const view = (query: string) => readNewsView(new URLSearchParams(query))
const items = (...ids: number[]) => ids.map((id) => ({ id }))

test('each board pages by itself, the others stay on their first page', () => {
  const events = view('board=events&page=3')
  assert.deepEqual(events, { board: 'events', page: 3 })
  assert.equal(pageOf('events', events), 3)
  assert.equal(pageOf('all', events), 1)
  assert.equal(pageOf('guides', events), 1)
})

test('an unknown board or page is the first page of all news', () => {
  assert.deepEqual(view('board=rumours&page=-2'), { board: 'all', page: 1 })
  assert.deepEqual(view('page=last'), { board: 'all', page: 1 })
  assert.deepEqual(view('page=0'), { board: 'all', page: 1 })
})

test('a category number names a board when no board does', () => {
  assert.deepEqual(view('category=2&page=2'), { board: 'events', page: 2 })
  assert.deepEqual(view('category=1'), { board: 'guides', page: 1 })
  assert.deepEqual(view('category=1&board=events'), { board: 'events', page: 1 })
})

test('addresses name only what differs from the first page', () => {
  assert.equal(newsPath({ board: 'all', page: 1 }), '/news')
  assert.equal(newsPath({ board: 'guides', page: 1 }), '/news?board=guides')
  assert.equal(newsPath({ board: 'all', page: 2 }), '/news?board=all&page=2')
  assert.equal(topicPath(7), '/news?topic=7')
  assert.equal(topicPath(7, { type: 2, page: 1 }), '/news?topic=7')
  assert.equal(topicPath(7, { type: 2, page: 3 }), '/news?topic=7&category=2&page=3')
})

test('an id is a positive whole number and nothing else', () => {
  assert.equal(readTopicId('12'), 12)
  for (const text of ['', '0', '-1', '1.5', 'abc', '1e3', '99999999999', null, undefined]) {
    assert.equal(readTopicId(text), undefined)
  }
})

test('the latest item stands first, once, and counts among the eight', () => {
  assert.deepEqual(withLatestFirst({ id: 9 }, items(9, 8, 7, 6, 5, 4, 3, 2)), items(9, 8, 7, 6, 5, 4, 3, 2))
  assert.deepEqual(withLatestFirst({ id: 10 }, items(9, 8, 7, 6, 5, 4, 3, 2)), items(10, 9, 8, 7, 6, 5, 4, 3))
  assert.deepEqual(withLatestFirst(undefined, items(3, 2)), items(3, 2))
})
