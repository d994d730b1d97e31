import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatCount, formatDay } from './format.ts'

test('numbers carry thousands separators', () => {
  assert.equal(formatCount(0), '0')
  assert.equal(formatCount(1234567), '1,234,567')
})

test('a day is the day in Manila, with the time in its title', () => {
  assert.deepEqual(formatDay('2026-11-11T16:05:00Z'), { day: '12 Nov 2026', title: '12 Nov 2026, 00:05 GMT+08:00' })
})

test('without a day it says so', () => {
  assert.deepEqual(formatDay(null), { day: 'No date available', title: undefined })
  assert.deepEqual(formatDay(undefined), { day: 'No date available', title: undefined })
})
