import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { priceNotes } from './price-changes.ts'

const hoodie = { ProductNum: 1, ItemName: 'Batch 26 hoodie', price: 1200 }
const mami = { ProductNum: 3, ItemName: 'Midnight mami', price: 35 }

describe('prices that changed since they were shown', () => {
  it('are told with the old and the new one', () => {
    assert.deepEqual(priceNotes([hoodie, mami], [{ ...hoodie, price: 1320 }, mami]), [
      'The price of Batch 26 hoodie changed from 1,200.00 to 1,320.00.',
    ])
  })

  it('are not told of items that were not shown', () => {
    assert.deepEqual(priceNotes([mami], [hoodie, mami]), [])
  })

  it('are told too when they fell', () => {
    assert.equal(priceNotes([hoodie], [{ ...hoodie, price: 900 }]).length, 1)
  })
})
