import assert from 'node:assert/strict'
import { test } from 'node:test'
import { homePath, readHomeView } from './home-view.ts'

const view = (query: string) => readHomeView(new URLSearchParams(query))

test('the home page opens unfiltered, on the news', () => {
  assert.deepEqual(view(''), { school: null, cls: null, box: 'all' })
  assert.equal(homePath(view('')), '/')
})

test('a filter and an open box keep each other in the address', () => {
  assert.equal(homePath({ ...view('school=1&class=gunner'), box: 'guides' }), '/?school=1&class=gunner&box=guides')
})

test('only the seven filters of the widget count', () => {
  assert.equal(view('class=magician').cls, null)
  assert.equal(view('class=brawler').cls, 'brawler')
})
