import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CHAPTERS, MAP_SIZE, PLACES } from './story.ts'

const countWords = (text: string) => text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length

test('the story is 900 to 1,500 words, with and without the map', () => {
  const chapters = CHAPTERS.flatMap(({ title, paragraphs, quote }) => [
    title,
    ...paragraphs,
    quote?.words ?? '',
    quote?.who ?? '',
  ])
  const places = PLACES.flatMap(({ name, line }) => [name, line])
  const story = countWords(chapters.join(' '))
  assert.ok(story >= 900, `${story} words`)
  assert.ok(story + countWords(places.join(' ')) <= 1500, `${story} words and the map's`)
})

test('each school has one chapter and one place, and every place is named once', () => {
  for (const list of [CHAPTERS, PLACES]) {
    assert.deepEqual(list.flatMap(({ school }) => school ?? []).sort(), [0, 1, 2])
    assert.equal(new Set(list.map(({ id }) => id)).size, list.length)
  }
  assert.equal(new Set(PLACES.map(({ name }) => name)).size, PLACES.length)
})

test('every place has one sentence, and stands on the map with its name', () => {
  for (const { name, label = [name], line, at, x, y } of PLACES) {
    assert.match(line, /^[A-Z0-9].*[.]$/, name)
    assert.equal(label.join(' '), name)
    for (const [left, top] of [at, [x, y]] as const) {
      assert.ok(left > 0 && left < MAP_SIZE.width && top > 0 && top < MAP_SIZE.height, name)
    }
    // 42 units a line at most, and about 16 a letter in the condensed face.
    const half = Math.max(...label.map((words) => words.length)) * 8
    assert.ok(x - half > 0 && x + half < MAP_SIZE.width, `${name} would be cut off`)
  }
})

test('the three club areas are on the map', () => {
  for (const name of ['Covered Court', 'Old Market', 'Sky Bridge']) {
    assert.match(PLACES.find((place) => place.name === name)?.line ?? '', /^Club area: /)
  }
})
