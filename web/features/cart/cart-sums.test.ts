import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { cartSums } from './cart-sums.ts'

const line = (price: number, quantity: number, isChecked: 0 | 1, section = 2) => ({
  quantity,
  isChecked,
  shopitem: { price, section },
})

describe('the sums of a cart', () => {
  it('have all lines in the subtotal and the checked ones in the total', () => {
    const sums = cartSums([line(950, 1, 1), line(35, 4, 1, 1), line(120, 2, 0)])
    assert.equal(sums.count, 3)
    assert.equal(sums.subtotal, 1330)
    assert.equal(sums.total, 1090)
    assert.equal(sums.checked.length, 2)
  })

  it('tell the two amounts when both currencies are checked', () => {
    const sums = cartSums([line(950, 1, 1), line(35, 4, 1, 1)])
    assert.equal(sums.mixed, true)
    assert.deepEqual(sums.cost, { rCoin: 950, milleage: 140 })
  })

  it('are not mixed by a line that is not checked', () => {
    assert.equal(cartSums([line(950, 1, 1), line(35, 4, 0, 1)]).mixed, false)
  })

  it('are nothing for an empty cart', () => {
    const { count, subtotal, total } = cartSums([])
    assert.deepEqual({ count, subtotal, total }, { count: 0, subtotal: 0, total: 0 })
  })
})
