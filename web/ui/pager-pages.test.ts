import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { listPagerCells } from './pager-pages.ts'

describe('the pager', () => {
  it('lists a single page', () => {
    assert.deepEqual(listPagerCells(1, 1), [1])
  })

  it('lists every page while the last is at most 1000 plus twice the adjacents', () => {
    const pages = listPagerCells(500, 1004)
    assert.equal(pages.length, 1004)
    assert.ok(!pages.includes('…'))
  })

  it('replaces the gaps around the current page by ellipses from 1005 pages on', () => {
    assert.deepEqual(listPagerCells(500, 1005), [1, 2, '…', 498, 499, 500, 501, 502, '…', 1004, 1005])
  })

  it('shows the first two and the last two pages on the first page', () => {
    assert.deepEqual(listPagerCells(1, 2000), [1, 2, 3, '…', 1999, 2000])
  })

  it('shows the first two and the last two pages on the last page', () => {
    assert.deepEqual(listPagerCells(2000, 2000), [1, 2, '…', 1998, 1999, 2000])
  })

  it('shows the number of a page that is the only one in a gap', () => {
    assert.deepEqual(listPagerCells(6, 2000), [1, 2, 3, 4, 5, 6, 7, 8, '…', 1999, 2000])
  })

  it('derives the threshold from the number of neighbours', () => {
    assert.equal(listPagerCells(500, 1002, 1).length, 1002)
    assert.deepEqual(listPagerCells(500, 1003, 1), [1, 2, '…', 499, 500, 501, '…', 1002, 1003])
  })

  it('lists the pages in ascending order without repetition', () => {
    for (const page of [1, 2, 3, 4, 5, 6, 1500, 1996, 1997, 1998, 1999, 2000]) {
      const numbers = listPagerCells(page, 2000).filter((cell) => cell !== '…')
      assert.deepEqual(
        numbers,
        [...new Set(numbers)].sort((a, b) => a - b),
      )
      assert.ok(numbers.includes(page))
    }
  })
})
