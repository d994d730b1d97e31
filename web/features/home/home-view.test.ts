import assert from 'node:assert/strict'
import { test } from 'node:test'
import { getHomePath, readHomeView } from './home-view.ts'

const readView = (query: string) => readHomeView(new URLSearchParams(query))

test('opens the home page unfiltered, with the news', () => {
  assert.deepEqual(readView(''), { school: null, cls: null, box: 'all' })
  assert.equal(getHomePath(readView('')), '/')
})

test('preserves the filter in the links of the boxes, and the open box in the links of the filter', () => {
  assert.equal(
    getHomePath({ ...readView('school=1&class=gunner'), box: 'guides' }),
    '/?school=1&class=gunner&box=guides',
  )
  assert.equal(getHomePath({ ...readView('box=events'), school: 2 }), '/?school=2&box=events')
})

test('accepts only classes that the widget offers', () => {
  assert.equal(readView('class=magician').cls, null)
  assert.equal(readView('class=brawler').cls, 'brawler')
})
