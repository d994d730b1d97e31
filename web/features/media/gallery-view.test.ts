import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Media } from '#contract/media.ts'
import { picturePath, readPictureId, shownOf } from './gallery-view.ts'

const pictures = [11, 12, 13].map((id) => ({ id }) as Media)
const idOf = (query: string) => readPictureId(new URLSearchParams(query))

test('an address names a picture by its id, and no picture by none', () => {
  assert.equal(picturePath(12), '/gallery?picture=12')
  assert.equal(picturePath(), '/gallery')
  assert.equal(idOf('picture=12'), 12)
  assert.equal(idOf(''), null)
  assert.equal(idOf('picture='), null)
  for (const text of ['abc', '-1', '1.5', '1e3', '9999999999']) assert.ok(Number.isNaN(idOf(`picture=${text}`)), text)
})

test('a picture knows its place and its neighbours, around the ends too', () => {
  assert.deepEqual(shownOf(pictures, 12), {
    picture: { id: 12 },
    number: 2,
    count: 3,
    previous: { id: 11 },
    next: { id: 13 },
  })
  assert.equal(shownOf(pictures, 11)?.previous.id, 13)
  assert.equal(shownOf(pictures, 13)?.next.id, 11)
})

test('an unknown id shows no picture', () => {
  for (const id of [99, null, Number.NaN]) assert.equal(shownOf(pictures, id), undefined)
  assert.equal(shownOf([], 1), undefined)
})
