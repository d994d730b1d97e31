import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CHAT, MONTH, NUMBERS, RATES, RULES, WEEK } from './server-values.ts'
import { wrapWords } from './wrap-words.ts'

test('the sheet states the rates, the limits and what talking costs', () => {
  assert.deepEqual(
    RATES.map(({ name }) => name),
    ['Experience', 'Drop', 'Gold'],
  )
  const names = NUMBERS.map(({ name }) => name)
  for (const name of ['Level cap', 'Largest party', 'Channels']) assert.ok(names.includes(name), name)
  assert.deepEqual(CHAT, [
    { name: 'Regional channel', value: '10,000 gold per message' },
    { name: 'Party search channel', value: '20,000 gold per message, usable once every 2 minutes' },
  ])
  assert.equal(MONTH.value, '1st, 00:00')
  assert.ok(RULES.length >= 4)
})

test('the week stays within its days and hours', () => {
  for (const { spans } of WEEK)
    for (const { day, from, to } of spans) assert.ok(day >= 0 && day < 7 && from >= 0 && from < to && to <= 24)
})

test('sentences break between words and lose none', () => {
  assert.deepEqual(wrapWords('one two three', 7), ['one two', 'three'])
  assert.deepEqual(wrapWords('extraordinarily so', 6), ['extraordinarily', 'so'])
})
