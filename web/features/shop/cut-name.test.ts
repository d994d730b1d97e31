import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { CARD_NAME_MAX, CART_NAME_MAX } from '#contract/limits.ts'
import { cutName } from './cut-name.ts'

describe('a name on a card or in the cart summary', () => {
  it('is cut to 10 characters and an ellipsis on a card', () => {
    assert.equal(cutName('Batch 26 hoodie', CARD_NAME_MAX), 'Batch 26 h…')
  })

  it('is cut to 14 characters and an ellipsis in the summary', () => {
    assert.equal(cutName('Batch 26 hoodie', CART_NAME_MAX), 'Batch 26 hoodi…')
  })

  it('stays whole when it is exactly as long as its limit', () => {
    assert.equal(cutName('Ten letter', CARD_NAME_MAX), 'Ten letter')
  })

  it('is never cut through a character', () => {
    assert.equal(cutName('🏮🏮🏮', 2), '🏮🏮…')
  })
})
