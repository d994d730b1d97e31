import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatDay, formatRelativeDay, manilaMoment, relativeTime } from './relative-time.ts'

const NOW = Date.parse('2026-11-20T13:42:07Z')
const ago = (ms: number) => relativeTime(new Date(NOW - ms).toISOString(), NOW)
const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

test('shows “just now” for less than a minute', () => {
  assert.equal(ago(0), 'just now')
  assert.equal(ago(59_999), 'just now')
})

test('shows “just now” for a date in the future', () => {
  assert.equal(ago(-5 * HOUR), 'just now')
})

test('counts whole minutes, hours and days, with a singular for one', () => {
  assert.equal(ago(MINUTE), '1 minute ago')
  assert.equal(ago(2 * MINUTE - 1), '1 minute ago')
  assert.equal(ago(59 * MINUTE + 59_999), '59 minutes ago')
  assert.equal(ago(HOUR), '1 hour ago')
  assert.equal(ago(23 * HOUR + 59 * MINUTE), '23 hours ago')
  assert.equal(ago(DAY), '1 day ago')
  assert.equal(ago(12 * DAY), '12 days ago')
})

test('counts up to the thirtieth day, then shows the date in Manila', () => {
  assert.equal(ago(30 * DAY), '30 days ago')
  assert.equal(ago(31 * DAY - 1), '30 days ago')
  assert.equal(ago(31 * DAY), '20 Oct 2026')
})

test('uses the date in Manila', () => {
  assert.equal(relativeTime('2026-10-02T16:30:00Z', NOW), '3 Oct 2026')
  assert.equal(formatRelativeDay(Date.parse('2026-10-02T15:59:59Z')), '2 Oct 2026')
  assert.equal(manilaMoment(Date.parse('2026-10-02T16:30:00Z')), '3 Oct 2026, 00:30 GMT+08:00')
})

test('shows a placeholder for a missing or invalid date', () => {
  assert.equal(relativeTime(null, NOW), 'No date available')
  assert.equal(relativeTime('soon', NOW), 'No date available')
})

test('formats a day in Manila, with the time in its title', () => {
  assert.deepEqual(formatDay('2026-11-11T16:05:00Z'), { day: '12 Nov 2026', title: '12 Nov 2026, 00:05 GMT+08:00' })
})

test('shows a placeholder for a missing day', () => {
  assert.deepEqual(formatDay(null), { day: 'No date available', title: undefined })
  assert.deepEqual(formatDay(undefined), { day: 'No date available', title: undefined })
})
