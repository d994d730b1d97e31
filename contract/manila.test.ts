// biome-ignore-all lint/style/noRestrictedImports: tests run only in Node, not in a browser
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  formatManilaEnd,
  formatManilaStart,
  formatMonth,
  formatPeriod,
  getClockParts,
  getMonth,
  getPreviousMonth,
  toManilaLocal,
} from './manila.ts'

test('formats date, zone, hours and minutes eight hours ahead of UTC', () => {
  assert.deepEqual(getClockParts(new Date('2026-11-20T13:42:07.900Z')), {
    date: 'Fri 20 Nov 2026',
    zone: 'GMT+08:00',
    leading: 'Fri 20 Nov 2026 · GMT+08:00',
    minutes: '21:42',
    seconds: '07',
  })
})

test('begins the next day at 16:00 UTC', () => {
  assert.equal(getClockParts(new Date('2026-12-31T15:59:59Z')).leading, 'Thu 31 Dec 2026 · GMT+08:00')
  const nextDay = getClockParts(new Date('2026-12-31T16:00:00Z'))
  assert.deepEqual([nextDay.leading, nextDay.minutes, nextDay.seconds], ['Fri 1 Jan 2027 · GMT+08:00', '00:00', '00'])
})

const toManilaMs = (local: string) => Date.parse(`${local}:00+08:00`)

test('formats starts, ends and periods, without a time at midnight (TEXT-4)', () => {
  const [midnight, evening] = [toManilaMs('2026-12-30T00:00'), toManilaMs('2026-12-30T20:30')]
  assert.equal(formatManilaStart(midnight), '30 December 2026')
  assert.equal(formatManilaEnd(midnight), '29 December 2026')
  for (const format of [formatManilaStart, formatManilaEnd]) assert.equal(format(evening), '30 December 2026, 20:30')
  const formatLocalPeriod = (from: string, until: string) => formatPeriod(toManilaMs(from), toManilaMs(until))
  assert.equal(formatLocalPeriod('2026-12-05T20:00', '2026-12-05T22:00'), 'Sat 5 Dec 2026, 20:00 to 22:00')
  assert.equal(
    formatLocalPeriod('2026-12-05T20:00', '2026-12-06T01:00'),
    'Sat 5 Dec 2026, 20:00 to Sun 6 Dec 2026, 01:00',
  )
  assert.equal(formatLocalPeriod('2026-12-05T20:00', '2026-12-06T00:00'), 'Sat 5 Dec 2026, 20:00 to midnight')
  assert.equal(formatLocalPeriod('2026-12-04T20:00', '2026-12-06T00:00'), 'Fri 4 Dec 2026, 20:00 to Sat 5 Dec 2026')
  assert.equal(formatLocalPeriod('2026-12-05T00:00', '2026-12-06T00:00'), 'Sat 5 Dec 2026, all day')
  assert.equal(formatLocalPeriod('2026-12-05T00:00', '2026-12-08T00:00'), 'Sat 5 Dec 2026 to Mon 7 Dec 2026')
})

test('formats a time in milliseconds like a Date', () => {
  const moment = new Date('2026-02-03T04:05:06Z')
  assert.deepEqual(getClockParts(moment.getTime()), getClockParts(moment))
})

test('formats a time for a date and time field, eight hours ahead of UTC', () => {
  assert.equal(toManilaLocal(Date.parse('2026-12-31T16:05:59.999Z')), '2027-01-01T00:05')
})

test('begins and ends a month at midnight in Manila', () => {
  assert.deepEqual(getMonth(new Date('2026-11-20T13:42:07Z')), {
    id: '2026-11',
    name: 'November 2026',
    startsAt: new Date('2026-10-31T16:00:00Z'),
    endsAt: new Date('2026-11-30T16:00:00Z'),
    day: 20,
    days: 30,
  })
})

test('includes the last millisecond of a month in Manila, but not the next one', () => {
  assert.equal(getMonth(new Date('2026-11-30T15:59:59.999Z')).id, '2026-11')
  assert.equal(getMonth(new Date('2026-11-30T16:00:00.000Z')).id, '2026-12')
  assert.equal(getMonth(new Date('2026-12-31T16:00:00.000Z')).id, '2027-01')
})

test('gives February 28 or 29 days', () => {
  assert.equal(getMonth(new Date('2026-02-10T00:00:00Z')).days, 28)
  assert.equal(getMonth(new Date('2028-02-10T00:00:00Z')).days, 29)
})

test('finds December of the previous year before January', () => {
  assert.equal(getPreviousMonth(new Date('2027-01-15T00:00:00Z')).id, '2026-12')
  assert.equal(getPreviousMonth(new Date('2026-11-30T16:00:00Z')).id, '2026-11')
})

test('formats the English name of a month', () => {
  assert.equal(formatMonth('2026-10'), 'October 2026')
  assert.equal(formatMonth('2027-01'), 'January 2027')
})
