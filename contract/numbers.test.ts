// biome-ignore-all lint/style/noRestrictedImports: tests run only in Node, not in a browser
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { updateCheck } from './cart.ts'
import { formatCount, formatMoney, formatOrdinal, parseWholeNumber } from './numbers.ts'
import { wholeNumberParam } from './paging.ts'

const SAMPLE_NUMBERS = [
  0, 7, -7, 999, 1000, -1000, 12_345, 999_999, 1_000_000, -98_765_432, 9_007_199_254_740_991, 1234.5,
]

describe('a number for people', () => {
  it('has a comma before every three digits', () => {
    const formatter = new Intl.NumberFormat('en')
    for (const number of SAMPLE_NUMBERS) assert.equal(formatCount(number), formatter.format(number))
    assert.equal(formatCount(9_223_372_036_854_775_807n), '9,223,372,036,854,775,807')
  })

  it('has two decimals if it is money', () => {
    const formatter = new Intl.NumberFormat('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 })
    for (const number of SAMPLE_NUMBERS) assert.equal(formatMoney(number), formatter.format(number))
    assert.equal(formatMoney(50_000), '50,000.00')
  })

  it('is parsed with or without commas, and refused if it is not a whole number', () => {
    for (const [text, number] of [
      ['0', 0],
      ['1500', 1500],
      [' 1,500 ', 1500],
      ['1,234,567', 1_234_567],
    ] as const)
      assert.equal(parseWholeNumber(text), number, text)
    for (const text of ['', '5.00', '99.50', '5,00', '1,50', '-5', '−5', '+5', '1e3', '5 000', 'five', '1,2,3'])
      assert.equal(parseWholeNumber(text), null, text)
  })

  it('is clamped to safe integers in an address, where other text gets an error', () => {
    const pageParam = wholeNumberParam('Page')
    for (const [text, number] of [
      ['7', 7],
      ['-3', -3],
      ['9'.repeat(90), Number.MAX_SAFE_INTEGER],
    ] as const)
      assert.equal(pageParam.parse(text), number, text)
    for (const text of [
      '',
      ' ',
      'x',
      '1.5',
      'NaN',
      '1e9',
      '0x1',
      "1' or '1'='1",
      '<b>1</b>',
      '1\0',
      ['1', '1'],
      undefined,
    ])
      assert.equal(pageParam.safeParse(text).error?.issues[0]?.message, 'Page must be a whole number.')
  })

  it('is accepted as digits or an integer for a cart line', () => {
    const { body } = updateCheck.input
    for (const seq of [7, '7']) assert.equal(body.parse({ seq }).seq, 7)
    for (const seq of [null, 'x', '1e9', 1.5, [1], { a: 1 }, '1; drop table accounts', 1e300])
      assert.equal(body.safeParse({ seq }).success, false, String(seq))
  })
})

it('formats ordinals with the endings st, nd, rd and th', () => {
  const endings = { one: 'st', two: 'nd', few: 'rd', other: 'th' } as Record<string, string>
  const formatter = new Intl.PluralRules('en', { type: 'ordinal' })
  for (let rank = 0; rank < 1200; rank++) assert.equal(formatOrdinal(rank), `${rank}${endings[formatter.select(rank)]}`)
})
