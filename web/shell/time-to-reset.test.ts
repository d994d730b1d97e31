import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { getTimeToReset } from './time-to-reset.ts'

const parseManilaTime = (text: string) => Date.parse(`${text}+08:00`)

describe('the time until the rankings reset', () => {
  it('counts whole days', () => {
    const until = getTimeToReset(parseManilaTime('2026-11-20T21:42:07'))
    assert.deepEqual([until.amount, until.label], [10, 'days until the rankings reset'])
    assert.deepEqual([until.month, until.day, until.days], ['Nov', 20, 30])
  })

  it('uses the singular when one whole day remains', () => {
    assert.deepEqual(getTimeToReset(parseManilaTime('2026-11-29T10:00:00')).label, 'day until the rankings reset')
  })

  it('counts hours on the last day, rounded up', () => {
    const until = getTimeToReset(parseManilaTime('2026-11-30T00:00:01'))
    assert.deepEqual([until.amount, until.label], [24, 'hours until the rankings reset'])
    assert.deepEqual(getTimeToReset(parseManilaTime('2026-11-30T23:59:59')).label, 'hour until the rankings reset')
  })

  it('starts a new month at midnight in Manila, for months of different lengths', () => {
    assert.equal(getTimeToReset(parseManilaTime('2026-12-01T00:00:00')).amount, 31)
    assert.equal(getTimeToReset(parseManilaTime('2027-02-01T00:00:00')).amount, 28)
  })
})
