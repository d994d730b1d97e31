// biome-ignore-all lint/style/noRestrictedImports: tests run in Node, what they test does not need it
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clockParts, getMonth, monthBefore, monthName, toManilaLocal } from './manila.ts'

test('the clock shows date and zone, then hours and minutes, eight hours ahead of UTC', () => {
  assert.deepEqual(clockParts(new Date('2026-11-20T13:42:07.900Z')), {
    date: 'Fri 20 Nov 2026',
    zone: 'GMT+08:00',
    leading: 'Fri 20 Nov 2026 · GMT+08:00',
    minutes: '21:42',
    seconds: '07',
  })
})

test('the clock turns to the next day at 16:00 UTC', () => {
  assert.equal(clockParts(new Date('2026-12-31T15:59:59Z')).leading, 'Thu 31 Dec 2026 · GMT+08:00')
  const next = clockParts(new Date('2026-12-31T16:00:00Z'))
  assert.deepEqual([next.leading, next.minutes, next.seconds], ['Fri 1 Jan 2027 · GMT+08:00', '00:00', '00'])
})

test('the clock reads a moment given in milliseconds like a Date', () => {
  const moment = new Date('2026-02-03T04:05:06Z')
  assert.deepEqual(clockParts(moment.getTime()), clockParts(moment))
})

test('a moment becomes the value of a field for date and time, eight hours ahead of UTC', () => {
  assert.equal(toManilaLocal(Date.parse('2026-12-31T16:05:59.999Z')), '2027-01-01T00:05')
})

test('a month begins and ends at midnight in Manila', () => {
  assert.deepEqual(getMonth(new Date('2026-11-20T13:42:07Z')), {
    id: '2026-11',
    name: 'November 2026',
    startsAt: new Date('2026-10-31T16:00:00Z'),
    endsAt: new Date('2026-11-30T16:00:00Z'),
    day: 20,
    days: 30,
  })
})

test('the last moment of a month in Manila belongs to it and the next one does not', () => {
  assert.equal(getMonth(new Date('2026-11-30T15:59:59.999Z')).id, '2026-11')
  assert.equal(getMonth(new Date('2026-11-30T16:00:00.000Z')).id, '2026-12')
  assert.equal(getMonth(new Date('2026-12-31T16:00:00.000Z')).id, '2027-01')
})

test('February has its 28 or 29 days', () => {
  assert.equal(getMonth(new Date('2026-02-10T00:00:00Z')).days, 28)
  assert.equal(getMonth(new Date('2028-02-10T00:00:00Z')).days, 29)
})

test('the month before January is December of the year before', () => {
  assert.equal(monthBefore(new Date('2027-01-15T00:00:00Z')).id, '2026-12')
  assert.equal(monthBefore(new Date('2026-11-30T16:00:00Z')).id, '2026-11')
})

test('a month has its English name', () => {
  assert.equal(monthName('2026-10'), 'October 2026')
  assert.equal(monthName('2027-01'), 'January 2027')
})
