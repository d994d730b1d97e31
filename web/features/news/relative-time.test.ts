import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#contract/durations.ts'
import { formatDay, formatManilaDay, formatManilaMoment, formatRelativeTime } from './relative-time.ts'

const NOW = Date.parse('2026-11-20T13:42:07Z')
const formatAgo = (ms: number) => formatRelativeTime(new Date(NOW - ms).toISOString(), NOW)

test('shows “just now” for less than a minute', () => {
  assert.equal(formatAgo(0), 'just now')
  assert.equal(formatAgo(59_999), 'just now')
})

test('shows “just now” for a date in the future', () => {
  assert.equal(formatAgo(-5 * HOUR_MS), 'just now')
})

test('counts whole minutes, hours and days, with a singular for one', () => {
  assert.equal(formatAgo(MINUTE_MS), '1 minute ago')
  assert.equal(formatAgo(2 * MINUTE_MS - 1), '1 minute ago')
  assert.equal(formatAgo(59 * MINUTE_MS + 59_999), '59 minutes ago')
  assert.equal(formatAgo(HOUR_MS), '1 hour ago')
  assert.equal(formatAgo(23 * HOUR_MS + 59 * MINUTE_MS), '23 hours ago')
  assert.equal(formatAgo(DAY_MS), '1 day ago')
  assert.equal(formatAgo(12 * DAY_MS), '12 days ago')
})

test('counts up to the thirtieth day, then shows the date in Manila', () => {
  assert.equal(formatAgo(30 * DAY_MS), '30 days ago')
  assert.equal(formatAgo(31 * DAY_MS - 1), '30 days ago')
  assert.equal(formatAgo(31 * DAY_MS), '20 Oct 2026')
})

test('uses the date in Manila', () => {
  assert.equal(formatRelativeTime('2026-10-02T16:30:00Z', NOW), '3 Oct 2026')
  assert.equal(formatManilaDay(Date.parse('2026-10-02T15:59:59Z')), '2 Oct 2026')
  assert.equal(formatManilaMoment(Date.parse('2026-10-02T16:30:00Z')), '3 Oct 2026, 00:30 GMT+08:00')
})

test('shows a placeholder for a missing or invalid date', () => {
  assert.equal(formatRelativeTime(null, NOW), 'No date available')
  assert.equal(formatRelativeTime('soon', NOW), 'No date available')
})

test('formats a day in Manila, with the time in its title', () => {
  assert.deepEqual(formatDay('2026-11-11T16:05:00Z'), { day: '12 Nov 2026', title: '12 Nov 2026, 00:05 GMT+08:00' })
})

test('shows a placeholder for a missing day', () => {
  assert.deepEqual(formatDay(null), { day: 'No date available', title: undefined })
  assert.deepEqual(formatDay(undefined), { day: 'No date available', title: undefined })
})
