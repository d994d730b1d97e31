import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatDayParts, listHitFacts } from './hit-text.ts'
import { readRecentQueries, storeRecentQuery } from './recent-queries.ts'
import { cleanQuery, getSearchTarget, hasQuery, readSearchView } from './search-view.ts'

const readView = (query: string) => readSearchView(new URLSearchParams(query))

test('parses an address as a search, with defaults for invalid parts', () => {
  assert.deepEqual(readView('q=club+war&kind=news&page=3'), { query: 'club war', kind: 'news', page: 3 })
  assert.deepEqual(readView('q=a&kind=accounts&page=-1'), { query: 'a', kind: null, page: 1 })
  assert.deepEqual(readView(''), { query: '', kind: null, page: 1 })
})

test('cleans a query, and searches only for two characters or more', () => {
  assert.equal(cleanQuery('  club \n\t war\u0000 '), 'club war')
  assert.equal(hasQuery(readView('q=a')), false)
  assert.equal(hasQuery(readView('q=ab')), true)
  assert.equal(hasQuery(readView('q=+a+')), false)
})

test('does not cut a query that is too long, and does not search for it', () => {
  const view = readView(`q=${'x'.repeat(81)}`)
  assert.equal(view.query.length, 81)
  assert.equal(hasQuery(view), false)
})

test('omits the defaults from the address of a search', () => {
  assert.equal(getSearchTarget({ query: '', kind: null }), '/search')
  assert.equal(getSearchTarget({ query: 'club war', kind: 'news' }), '/search?q=club+war&kind=news')
})

const noFacts = { news: null, character: null, post: null }
const archer = { ChaLevel: 90, ChaClass: '4', ChaSchool: 2, place: { board: 'killer', rank: 3 } as const }

test('shows the day of a news item in Manila time', () => {
  assert.deepEqual(formatDayParts('2026-11-20T17:00:00.000Z'), { day: '21', month: 'Nov', year: '2026' })
  assert.equal(formatDayParts(null), null)
})

test('lists the facts of each kind of hit', () => {
  const news = { type: 2, created_at: '2026-11-20T10:00:00.000Z' }
  assert.deepEqual(listHitFacts({ ...noFacts, news, path: '/news?topic=1' }), ['Event', '20 Nov 2026'])
  assert.deepEqual(listHitFacts({ ...noFacts, news: { type: 0, created_at: null }, path: '/news?topic=1' }), [
    'News',
    'No date available',
  ])
  assert.deepEqual(listHitFacts({ ...noFacts, character: archer, path: '/character/7' }), [
    'Level 90',
    'Archer',
    'Phoenix',
    'Killer Ranking, rank 3',
  ])
  const unknownCharacter = { ChaLevel: 1, ChaClass: '77', ChaSchool: 9, place: null }
  assert.deepEqual(listHitFacts({ ...noFacts, character: unknownCharacter, path: '/character/8' }), [
    'Level 1',
    'Unknown class',
    'Unknown school',
    'Not in a top 100',
  ])
  assert.deepEqual(listHitFacts({ ...noFacts, path: '/characters?class=archer' }), ['Class guide'])
  assert.deepEqual(listHitFacts({ ...noFacts, path: '/ticket' }), ['Page'])
  assert.deepEqual(listHitFacts({ ...noFacts, path: '/itemshop/5' }), [])
  const post = { board: 'Strategy', author: 'Tala', at: '2026-11-20T10:00:00.000Z' }
  assert.deepEqual(listHitFacts({ ...noFacts, post, path: '/forum/200/8#post-1' }), ['Strategy', 'Tala', '20 Nov 2026'])
})

function createStorage(storedText?: string) {
  const values = new Map<string, string>(storedText === undefined ? [] : [['TAMBAYAN_SEARCHES', storedText]])
  return {
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => void values.set(key, value),
  }
}

test('stores the last five searches, newest first and without duplicates', () => {
  const storage = createStorage()
  for (const query of ['one', 'two', 'three', 'four', 'five', 'six', 'TWO']) storeRecentQuery(query, storage)
  assert.deepEqual(readRecentQueries(storage), ['TWO', 'six', 'five', 'four', 'three'])
})

test('returns no searches when the storage is invalid or forbidden', () => {
  for (const storedText of ['{', '{"a":1}', 'null', '[1,null]'])
    assert.deepEqual(readRecentQueries(createStorage(storedText)), [])
  const forbiddenStorage = {
    getItem: () => {
      throw new Error('forbidden')
    },
    setItem: () => {
      throw new Error('forbidden')
    },
  }
  assert.deepEqual(readRecentQueries(forbiddenStorage), [])
  storeRecentQuery('one', forbiddenStorage)
})
