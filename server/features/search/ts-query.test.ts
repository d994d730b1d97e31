import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addEllipses, splitLastWord, toParts } from './ts-query.ts'

test('treats a last word after a space, a hyphen or a closed quote as a prefix', () => {
  assert.deepEqual(splitLastWord('brawl'), { before: '', last: 'brawl' })
  assert.deepEqual(splitLastWord('club wa'), { before: 'club ', last: 'wa' })
  assert.deepEqual(splitLastWord('r-co'), { before: 'r-', last: 'co' })
  assert.deepEqual(splitLastWord('"night bus" co'), { before: '"night bus" ', last: 'co' })
  assert.deepEqual(splitLastWord('piñ'), { before: '', last: 'piñ' })
})

test('finds no prefix if the last word is quoted or excluded, or if punctuation follows it', () => {
  for (const query of ['"night bus"', '"night bu', 'club -wa', '-wa', 'club!', '"', '', '--']) {
    assert.equal(splitLastWord(query), undefined, query)
  }
})

test('splits a marked text into its parts in order, without the marks', () => {
  assert.deepEqual(toParts('a \u0001b\u0002 c \u0001d\u0002'), [
    { text: 'a ', hit: false },
    { text: 'b', hit: true },
    { text: ' c ', hit: false },
    { text: 'd', hit: true },
  ])
  assert.deepEqual(toParts('\u0001a\u0002'), [{ text: 'a', hit: true }])
  assert.deepEqual(toParts('plain'), [{ text: 'plain', hit: false }])
  assert.deepEqual(toParts(''), [])
})

test('marks where a passage’s text continues', () => {
  const passage = [{ text: 'two three', hit: false }]
  const partsWithEllipses = addEllipses(passage, { opening: 'one two', closing: 'four' })
  assert.deepEqual(
    partsWithEllipses.map(({ text }) => text),
    ['… ', 'two three', ' …'],
  )
  assert.deepEqual(addEllipses(passage, { opening: 'two three', closing: 'three' }), passage)
  assert.deepEqual(addEllipses([], { opening: '', closing: '' }), [])
})
