import assert from 'node:assert/strict'
import { test } from 'node:test'
import { homePath, readHomeView } from './home-view.ts'

const view = (query: string) => readHomeView(new URLSearchParams(query))

test('opens the home page unfiltered, with the news', () => {
  assert.deepEqual(view(''), { school: null, cls: null, box: 'all' })
  assert.equal(homePath(view('')), '/')
})

test('preserves the filter in the links of the boxes, and the open box in the links of the filter', () => {
  assert.equal(homePath({ ...view('school=1&class=gunner'), box: 'guides' }), '/?school=1&class=gunner&box=guides')
})

test('accepts only the seven filters of the widget', () => {
  assert.equal(view('class=magician').cls, null)
  assert.equal(view('class=brawler').cls, 'brawler')
})
