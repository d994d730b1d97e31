// biome-ignore-all lint/style/noRestrictedImports: tests run in Node; the tested code runs anywhere
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatRepeats, getFirstDay, getNextOccurrence, getOccurrences, getViewSpan, type Schedule } from './events.ts'
import { formatManilaMinute } from './manila.ts'

const toManilaDate = (day: string, time: string) => new Date(`${day}T${time}:00+08:00`)
const toManilaMs = (day: string, time = '00:00') => toManilaDate(day, time).getTime()

const CLUB_WAR: Schedule = {
  starts_at: toManilaDate('2026-12-05', '20:00'),
  ends_at: toManilaDate('2026-12-05', '22:00'),
  repeats: 'weekly',
  weekdays: [],
  repeats_until: null,
  exceptions: [],
}

const listStartTimes = (event: Schedule, from: number, until: number) =>
  getOccurrences(event, { from, until }).map((occurrence) => new Date(occurrence.from).toISOString())

test('repeats a weekly event at the same time of every week', () => {
  assert.deepEqual(listStartTimes(CLUB_WAR, toManilaMs('2026-11-01'), toManilaMs('2026-12-20')), [
    '2026-12-05T12:00:00.000Z',
    '2026-12-12T12:00:00.000Z',
    '2026-12-19T12:00:00.000Z',
  ])
  assert.deepEqual(listStartTimes(CLUB_WAR, toManilaMs('2030-01-01'), toManilaMs('2030-01-08')), [
    '2030-01-05T12:00:00.000Z',
  ])
})

test('ends a repeated event with the last occurrence that begins before its end', () => {
  const endingWar = { ...CLUB_WAR, repeats_until: toManilaDate('2026-12-12', '20:00') }
  assert.equal(listStartTimes(endingWar, toManilaMs('2026-12-01'), toManilaMs('2027-02-01')).length, 2)
  assert.equal(getNextOccurrence(endingWar, toManilaMs('2026-12-12', '22:00')), undefined)
})

test('includes events that run in a period, but not events that only touch its edges', () => {
  const singleWar: Schedule = { ...CLUB_WAR, repeats: 'once', repeats_until: null }
  assert.equal(listStartTimes(singleWar, toManilaMs('2026-12-05', '21:59'), toManilaMs('2026-12-06')).length, 1)
  assert.equal(listStartTimes(singleWar, toManilaMs('2026-12-05', '22:00'), toManilaMs('2026-12-06')).length, 0)
  assert.equal(listStartTimes(singleWar, toManilaMs('2026-12-05'), toManilaMs('2026-12-05', '20:00')).length, 0)
  assert.equal(listStartTimes(CLUB_WAR, toManilaMs('2026-12-12', '21:00'), toManilaMs('2026-12-13')).length, 1)
})

test('finds the current occurrence of an event, or else the next occurrence', () => {
  assert.equal(getNextOccurrence(CLUB_WAR, toManilaMs('2026-12-12', '21:00'))?.from, toManilaMs('2026-12-12', '20:00'))
  assert.equal(getNextOccurrence(CLUB_WAR, toManilaMs('2026-12-12', '22:00'))?.from, toManilaMs('2026-12-19', '20:00'))
})

test('begins a week on Monday and a month on its first day, in Manila', () => {
  assert.equal(getFirstDay('week', '2026-12-06'), '2026-11-30')
  assert.equal(getFirstDay('week', '2026-11-30'), '2026-11-30')
  assert.equal(getFirstDay('month', '2026-12-31'), '2026-12-01')
  assert.deepEqual(getViewSpan('month', '2026-12-01', 1), {
    first: '2027-01-01',
    from: toManilaMs('2027-01-01'),
    until: toManilaMs('2027-02-01'),
  })
  assert.equal(getViewSpan('month', '2026-01-01', -1).first, '2025-12-01')
  assert.equal(getViewSpan('week', '2026-11-30', -1).first, '2026-11-23')
})

const listManilaTimes = (event: Schedule, from: string, until: string) =>
  getOccurrences(event, { from: toManilaMs(from), until: toManilaMs(until) }).map((occurrence) =>
    formatManilaMinute(occurrence.from),
  )

test('repeats a weekly event on each chosen weekday, at the same time in Manila', () => {
  const eventOnThreeWeekdays: Schedule = {
    ...CLUB_WAR,
    // 01:00 in Manila is the day before in UTC.
    starts_at: toManilaDate('2026-12-05', '01:00'),
    ends_at: toManilaDate('2026-12-05', '02:00'),
    weekdays: [3, 6, 0],
  }
  assert.equal(formatRepeats(eventOnThreeWeekdays), 'Wed, Sat, Sun')
  assert.deepEqual(listManilaTimes(eventOnThreeWeekdays, '2026-12-01', '2026-12-14'), [
    '5 December 2026, 01:00',
    '6 December 2026, 01:00',
    '9 December 2026, 01:00',
    '12 December 2026, 01:00',
    '13 December 2026, 01:00',
  ])
})

test('repeats a daily event every day until its end', () => {
  const dailyEvent: Schedule = { ...CLUB_WAR, repeats: 'daily', repeats_until: toManilaDate('2026-12-08', '23:00') }
  assert.equal(getOccurrences(dailyEvent, { from: 0, until: Number.POSITIVE_INFINITY }).length, 4)
  assert.equal(getNextOccurrence(dailyEvent, toManilaMs('2026-12-08', '22:00')), undefined)
})

test('cancels or moves a single occurrence by an exception', () => {
  const changedWar: Schedule = {
    ...CLUB_WAR,
    exceptions: [
      { day: '2026-12-12', starts_at: null },
      { day: '2026-12-19', starts_at: toManilaDate('2026-12-27', '21:00') },
    ],
  }
  assert.deepEqual(listManilaTimes(changedWar, '2026-12-01', '2026-12-31'), [
    '5 December 2026, 20:00',
    '26 December 2026, 20:00',
    '27 December 2026, 21:00',
  ])
  assert.equal(getNextOccurrence(changedWar, toManilaMs('2026-12-06'))?.from, toManilaMs('2026-12-26', '20:00'))
})
