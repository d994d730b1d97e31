// biome-ignore-all lint/style/noRestrictedImports: tests run in Node; the tested code runs anywhere
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatRepeats, getFirstDay, getNextOccurrence, getOccurrences, getViewSpan, type Schedule } from './events.ts'
import { formatManilaMinute } from './manila.ts'

const manila = (day: string, time: string) => new Date(`${day}T${time}:00+08:00`)
const ms = (day: string, time = '00:00') => manila(day, time).getTime()

const clubWar: Schedule = {
  starts_at: manila('2026-12-05', '20:00'),
  ends_at: manila('2026-12-05', '22:00'),
  repeats: 'weekly',
  weekdays: [],
  repeats_until: null,
  exceptions: [],
}

const days = (event: Schedule, from: number, until: number) =>
  getOccurrences(event, { from, until }).map((one) => new Date(one.from).toISOString())

test('repeats a weekly event at the same time of every week', () => {
  assert.deepEqual(days(clubWar, ms('2026-11-01'), ms('2026-12-20')), [
    '2026-12-05T12:00:00.000Z',
    '2026-12-12T12:00:00.000Z',
    '2026-12-19T12:00:00.000Z',
  ])
  assert.deepEqual(days(clubWar, ms('2030-01-01'), ms('2030-01-08')), ['2030-01-05T12:00:00.000Z'])
})

test('ends a repeated event with the last occurrence that begins before its end', () => {
  const ending = { ...clubWar, repeats_until: manila('2026-12-12', '20:00') }
  assert.equal(days(ending, ms('2026-12-01'), ms('2027-02-01')).length, 2)
  assert.equal(getNextOccurrence(ending, ms('2026-12-12', '22:00')), undefined)
})

test('includes events that run in a period, but not events that only touch its edges', () => {
  const once: Schedule = { ...clubWar, repeats: 'once', repeats_until: null }
  assert.equal(days(once, ms('2026-12-05', '21:59'), ms('2026-12-06')).length, 1)
  assert.equal(days(once, ms('2026-12-05', '22:00'), ms('2026-12-06')).length, 0)
  assert.equal(days(once, ms('2026-12-05'), ms('2026-12-05', '20:00')).length, 0)
  assert.equal(days(clubWar, ms('2026-12-12', '21:00'), ms('2026-12-13')).length, 1)
})

test('finds the current occurrence of an event, or else the next occurrence', () => {
  assert.equal(getNextOccurrence(clubWar, ms('2026-12-12', '21:00'))?.from, ms('2026-12-12', '20:00'))
  assert.equal(getNextOccurrence(clubWar, ms('2026-12-12', '22:00'))?.from, ms('2026-12-19', '20:00'))
})

test('begins a week on Monday and a month on its first day, in Manila', () => {
  assert.equal(getFirstDay('week', '2026-12-06'), '2026-11-30')
  assert.equal(getFirstDay('week', '2026-11-30'), '2026-11-30')
  assert.equal(getFirstDay('month', '2026-12-31'), '2026-12-01')
  assert.deepEqual(getViewSpan('month', '2026-12-01', 1), {
    first: '2027-01-01',
    from: ms('2027-01-01'),
    until: ms('2027-02-01'),
  })
  assert.equal(getViewSpan('month', '2026-01-01', -1).first, '2025-12-01')
  assert.equal(getViewSpan('week', '2026-11-30', -1).first, '2026-11-23')
})

const manilaTimes = (event: Schedule, from: string, until: string) =>
  getOccurrences(event, { from: ms(from), until: ms(until) }).map((one) => formatManilaMinute(one.from))

test('repeats a weekly event on each chosen weekday, at the same time in Manila', () => {
  const threeDays: Schedule = {
    ...clubWar,
    // 01:00 in Manila is the day before in UTC.
    starts_at: manila('2026-12-05', '01:00'),
    ends_at: manila('2026-12-05', '02:00'),
    weekdays: [3, 6, 0],
  }
  assert.equal(formatRepeats(threeDays), 'Wed, Sat, Sun')
  assert.deepEqual(manilaTimes(threeDays, '2026-12-01', '2026-12-14'), [
    '5 December 2026, 01:00',
    '6 December 2026, 01:00',
    '9 December 2026, 01:00',
    '12 December 2026, 01:00',
    '13 December 2026, 01:00',
  ])
})

test('repeats a daily event every day until its end', () => {
  const daily: Schedule = { ...clubWar, repeats: 'daily', repeats_until: manila('2026-12-08', '23:00') }
  assert.equal(getOccurrences(daily, { from: 0, until: Number.POSITIVE_INFINITY }).length, 4)
  assert.equal(getNextOccurrence(daily, ms('2026-12-08', '22:00')), undefined)
})

test('cancels or moves a single occurrence by an exception', () => {
  const changed: Schedule = {
    ...clubWar,
    exceptions: [
      { day: '2026-12-12', starts_at: null },
      { day: '2026-12-19', starts_at: manila('2026-12-27', '21:00') },
    ],
  }
  assert.deepEqual(manilaTimes(changed, '2026-12-01', '2026-12-31'), [
    '5 December 2026, 20:00',
    '26 December 2026, 20:00',
    '27 December 2026, 21:00',
  ])
  assert.equal(getNextOccurrence(changed, ms('2026-12-06'))?.from, ms('2026-12-26', '20:00'))
})
