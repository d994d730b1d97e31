import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { CartLine } from '#contract/cart.ts'
import { applyChange, revertChange } from './cart-changes.ts'

const line = (seq: number, quantity = 2): CartLine => ({
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
  },
})
const change = (seq: number, step: 1 | -1 | 'check') => ({ seq, ProductNum: seq, step })

describe('a press in the cart', () => {
  it('is seen at once, on its line only', () => {
    const after = applyChange([line(1), line(2)], change(2, 1))
    assert.deepEqual(
      after.map(({ quantity }) => quantity),
      [2, 3],
    )
  })

  it('removes the line when there is one less of one', () => {
    assert.deepEqual(
      applyChange([line(1, 1), line(2)], change(1, -1)).map(({ seq }) => seq),
      [2],
    )
  })

  it('that failed goes back and leaves later presses alone', () => {
    const before = [line(1), line(2)]
    const both = applyChange(applyChange(before, change(1, 1)), change(2, 'check'))
    const after = revertChange(both, change(1, 1), before[0])
    assert.deepEqual(
      after.map(({ quantity, isChecked }) => [quantity, isChecked]),
      [
        [2, 1],
        [2, 0],
      ],
    )
  })

  it('that removed a line and failed brings it back where it stood', () => {
    const before = [line(1, 1), line(2)]
    const after = revertChange(applyChange(before, change(1, -1)), change(1, -1), before[0])
    assert.deepEqual(after, before)
  })
})
