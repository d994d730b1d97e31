import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { CartLine } from '#contract/cart.ts'
import { CALL_TEXTS } from '#contract/messages.ts'
import { CallError, toCallError } from '#web/api/call.ts'
import { applyChange, describePriceChanges, getRefusalText, mergeRemovedLines, revertChange, sumCart } from './cart.ts'

const createLine = (seq: number, quantity = 2): CartLine => ({
  seq,
  productnum: seq,
  quantity,
  isChecked: 1,
  shopitem: {
    ProductNum: seq,
    ItemName: `Item ${seq}`,
    price: 10,
    section: 2,
    description: '',
    icon: null,
    image_url: null,
    ribbon: null,
    ribbon_label: null,
    category: 1,
    kind: 'item',
  },
})
const createChange = (seq: number, step: 1 | -1 | 'check') => ({ seq, ProductNum: seq, step })

describe('a change in the cart', () => {
  it('applies at once, and only to its line', () => {
    const linesAfter = applyChange([createLine(1), createLine(2)], createChange(2, 1))
    assert.deepEqual(
      linesAfter.map(({ quantity }) => quantity),
      [2, 3],
    )
  })

  it('removes the line when its quantity drops below one', () => {
    assert.deepEqual(
      applyChange([createLine(1, 1), createLine(2)], createChange(1, -1)).map(({ seq }) => seq),
      [2],
    )
  })

  it('is reverted after a failure, while later changes remain', () => {
    const linesBefore = [createLine(1), createLine(2)]
    const changedLines = applyChange(applyChange(linesBefore, createChange(1, 1)), createChange(2, 'check'))
    const linesAfter = revertChange(changedLines, createChange(1, 1), linesBefore[0])
    assert.deepEqual(
      linesAfter.map(({ quantity, isChecked }) => [quantity, isChecked]),
      [
        [2, 1],
        [2, 0],
      ],
    )
  })

  it('restores a removed line to its position after a failure', () => {
    const linesBefore = [createLine(1, 1), createLine(2)]
    const linesAfter = revertChange(applyChange(linesBefore, createChange(1, -1)), createChange(1, -1), linesBefore[0])
    assert.deepEqual(linesAfter, linesBefore)
  })
})

describe('a removed line', () => {
  const getSeqs = (rows: ReturnType<typeof mergeRemovedLines>) =>
    rows.map(({ line: { seq }, isRemoved }) => [seq, isRemoved])

  it('leaves an empty space, so the next line does not move under the pointer', () => {
    assert.deepEqual(getSeqs(mergeRemovedLines([createLine(1), createLine(3)], [createLine(2, 1)])), [
      [1, false],
      [2, true],
      [3, false],
    ])
  })

  it('becomes an ordinary line again when it returns to the cart', () => {
    assert.deepEqual(getSeqs(mergeRemovedLines([createLine(1), createLine(2)], [createLine(2, 1)])), [
      [1, false],
      [2, false],
    ])
  })
})

const createPricedLine = (price: number, quantity: number, isChecked: 0 | 1, section = 2) => ({
  quantity,
  isChecked,
  shopitem: { price, section },
})

describe('the totals of a cart', () => {
  it('include all lines in the subtotal and the checked ones in the total', () => {
    const sums = sumCart([createPricedLine(950, 1, 1), createPricedLine(35, 4, 1, 1), createPricedLine(120, 2, 0)])
    assert.equal(sums.count, 3)
    assert.equal(sums.subtotal, 1330)
    assert.equal(sums.total, 1090)
    assert.equal(sums.checkedLines.length, 2)
  })

  it('show both amounts when both currencies are checked', () => {
    const sums = sumCart([createPricedLine(950, 1, 1), createPricedLine(35, 4, 1, 1)])
    assert.equal(sums.hasBothCurrencies, true)
    assert.deepEqual(sums.cost, { rCoin: 950, milleage: 140 })
  })

  it('ignore the currency of an unchecked line', () => {
    assert.equal(sumCart([createPricedLine(950, 1, 1), createPricedLine(35, 4, 0, 1)]).hasBothCurrencies, false)
  })

  it('are zero for an empty cart', () => {
    const { count, subtotal, total } = sumCart([])
    assert.deepEqual({ count, subtotal, total }, { count: 0, subtotal: 0, total: 0 })
  })
})

const hoodie = { ProductNum: 1, ItemName: 'Batch 26 hoodie', price: 1200 }
const mami = { ProductNum: 3, ItemName: 'Midnight mami', price: 35 }

describe('changed prices', () => {
  it('are reported with the old and the new price', () => {
    assert.deepEqual(describePriceChanges([hoodie, mami], [{ ...hoodie, price: 1320 }, mami]), [
      'The price of Batch 26 hoodie changed from 1,200.00 to 1,320.00.',
    ])
  })

  it('are not reported for items that the page did not show', () => {
    assert.deepEqual(describePriceChanges([mami], [hoodie, mami]), [])
  })

  it('are reported even if the price is lower', () => {
    assert.equal(describePriceChanges([hoodie], [{ ...hoodie, price: 900 }]).length, 1)
  })
})

describe('the alert of a failed purchase, add to cart or cart load', () => {
  it('is the server’s message, or a generic one', () => {
    assert.equal(
      getRefusalText(toCallError(422, { error: 'Refused', message: 'Not enough R-Coin.' })),
      'Not enough R-Coin.',
    )
    assert.equal(getRefusalText(toCallError(500, {})), 'Unkown Error : Status 500')
    assert.equal(getRefusalText(new TypeError('x is undefined')), CALL_TEXTS.unexpected)
  })

  it('is null when the shell shows the failure', () => {
    for (const status of [0, 401, 429]) assert.equal(getRefusalText(new CallError(status, 'x')), null)
  })
})
