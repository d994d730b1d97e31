import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cutWords, isAsked, readSearchView, searchTarget } from './search-view.ts'

const read = (query: string) => readSearchView(new URLSearchParams(query))

test('an address is read as a search; what it does not understand is the default', () => {
  assert.deepEqual(read('q=club+war&kind=news&page=3'), { words: 'club war', kind: 'news', page: 3 })
  assert.deepEqual(read('q=a&kind=accounts&page=-1'), { words: 'a', kind: null, page: 1 })
  assert.deepEqual(read(''), { words: '', kind: null, page: 1 })
})

test('words are asked for as the call takes them', () => {
  assert.equal(cutWords('  club \n\t war\u0000 '), 'club war')
  assert.equal(cutWords('x'.repeat(200)).length, 80)
  assert.equal(isAsked(read('q=a')), false)
  assert.equal(isAsked(read('q=ab')), true)
  assert.equal(isAsked(read('q=+a+')), false)
})

test('a search has one address', () => {
  assert.equal(searchTarget({ words: '', kind: null }), '/search')
  assert.equal(searchTarget({ words: 'club war', kind: 'news' }), '/search?q=club+war&kind=news')
})
