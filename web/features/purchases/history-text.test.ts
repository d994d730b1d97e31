import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { describeDeliveries, describeUnit, formatHistoryDate } from './history-text.ts'

const getTexts = (...args: Parameters<typeof describeDeliveries>) => describeDeliveries(...args).map(({ text }) => text)

describe('the delivery state of a purchase', () => {
  it('is “on its way” at first', () => {
    assert.deepEqual(getTexts([{ state: 'queued', units: 3 }]), ['On its way to your item bank'])
  })

  it('counts units by state if they differ, in the order of delivery', () => {
    assert.deepEqual(
      getTexts([
        { state: 'claimed', units: 1 },
        { state: 'queued', units: 2 },
      ]),
      ['2 × On its way to your item bank', '1 × Claimed in the game'],
    )
  })

  it('omits states without units', () => {
    assert.deepEqual(
      getTexts([
        { state: 'refunded', units: 1 },
        { state: 'queued', units: 0 },
      ]),
      ['Refunded'],
    )
  })

  it('is empty for a record without deliveries', () => {
    assert.deepEqual(getTexts(undefined), [])
  })
})

describe('the state of a unit', () => {
  const unit = { unit: 1, since: '2026-11-20T16:30:00.000Z', refundRequested: null, refunded: null }

  it('describes its delivery', () => {
    assert.equal(describeUnit({ ...unit, state: 'delivered' }, '300 R-Coin'), 'Delivered to your item bank')
  })

  it('includes a requested refund and the refunded amount', () => {
    const refundRequest = { ...unit, state: 'claimed', refundRequested: unit.since } as const
    assert.equal(describeUnit(refundRequest, '300 R-Coin'), 'Claimed in the game, refund requested')
    assert.equal(describeUnit({ ...unit, state: 'refunded' }, '300 R-Coin'), 'Refunded: 300 R-Coin')
    assert.equal(
      describeUnit({ ...unit, state: 'claimed', refunded: unit.since }, '300 R-Coin'),
      'Claimed in the game, and refunded: 300 R-Coin',
    )
  })
})

describe('the date of a history', () => {
  it('is the date in Manila, even if it differs from UTC', () => {
    assert.deepEqual(formatHistoryDate('2026-11-20T16:30:00.000Z'), { date: '21 Nov 2026', time: '00:30' })
  })
})
