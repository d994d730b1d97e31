import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { untilReset } from './until-reset.ts'

const inManila = (text: string) => Date.parse(`${text}+08:00`)

describe('the time until the rankings reset', () => {
  it('counts whole days', () => {
    const until = untilReset(inManila('2026-11-20T21:42:07'))
    assert.deepEqual([until.amount, until.words], [10, 'days until the rankings reset'])
    assert.deepEqual([until.month, until.day, until.days], ['Nov', 20, 30])
  })

  it('is singular on the second last day', () => {
    assert.deepEqual(untilReset(inManila('2026-11-29T10:00:00')).words, 'day until the rankings reset')
  })

  it('counts hours on the last day, and the begun hour counts', () => {
    const until = untilReset(inManila('2026-11-30T00:00:01'))
    assert.deepEqual([until.amount, until.words], [24, 'hours until the rankings reset'])
    assert.deepEqual(untilReset(inManila('2026-11-30T23:59:59')).words, 'hour until the rankings reset')
  })

  it('starts a new month at midnight in Manila, whatever the year and the length', () => {
    assert.equal(untilReset(inManila('2026-12-01T00:00:00')).amount, 31)
    assert.equal(untilReset(inManila('2027-02-01T00:00:00')).amount, 28)
  })
})
