// biome-ignore-all lint/style/noRestrictedImports: tests run in Node, what they test does not need it
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { formatCount, formatMoney, readWhole } from './numbers.ts'

const NUMBERS = [0, 7, -7, 999, 1000, -1000, 12_345, 999_999, 1_000_000, -98_765_432, 9_007_199_254_740_991, 1234.5]

describe('a number for people', () => {
  it('has a comma before every three digits, as the language has it', () => {
    const language = new Intl.NumberFormat('en')
    for (const number of NUMBERS) assert.equal(formatCount(number), language.format(number))
    assert.equal(formatCount(9_223_372_036_854_775_807n), '9,223,372,036,854,775,807')
  })

  it('has two decimals where it is money', () => {
    const language = new Intl.NumberFormat('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 })
    for (const number of NUMBERS) assert.equal(formatMoney(number), language.format(number))
    assert.equal(formatMoney(50_000), '50,000.00')
  })

  it('is read as it was meant, and what is no whole number is not read as one', () => {
    for (const [typed, number] of [
      ['0', 0],
      ['1500', 1500],
      [' 1,500 ', 1500],
      ['1,234,567', 1_234_567],
    ] as const)
      assert.equal(readWhole(typed), number, typed)
    for (const typed of ['', '5.00', '99.50', '5,00', '1,50', '-5', '−5', '+5', '1e3', '5 000', 'five', '1,2,3'])
      assert.equal(readWhole(typed), null, typed)
  })
})
