import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { costOf, isShort, missingMoney, purseOf } from './amounts.ts'

const line = (price: number, section: number, quantity = 1) => ({ shopitem: { price, section }, quantity })

describe('what a purchase costs', () => {
  it('counts section 2 in R-Coin and every other section in Milleage', () => {
    const lines = [line(1200, 2), line(35, 1, 4), line(10, 3), line(250, 2, 2)]
    assert.deepEqual(costOf(lines), { rCoin: 1700, milleage: 150 })
  })

  it('is nothing for nothing', () => {
    assert.deepEqual(costOf([]), { rCoin: 0, milleage: 0 })
  })
})

describe('what is missing', () => {
  it('is told in each currency by itself: a full purse of one does not help the other', () => {
    const missing = missingMoney({ rCoin: 1200, milleage: 100 }, { rCoin: 900, milleage: 5000 })
    assert.deepEqual(missing, { rCoin: 300, milleage: 0 })
    assert.equal(isShort(missing), true)
  })

  it('is nothing when the last coin is spent', () => {
    assert.equal(isShort(missingMoney({ rCoin: 900, milleage: 0 }, { rCoin: 900, milleage: 0 })), false)
  })

  it('is counted from UserPoint and UserPoint2', () => {
    assert.deepEqual(purseOf({ UserPoint: 7, UserPoint2: 8 }), { rCoin: 7, milleage: 8 })
  })
})
