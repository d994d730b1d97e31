import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readShopView, shelfTarget, shopPath } from './shop-view.ts'

const read = (query: string) => readShopView(new URLSearchParams(query))

describe('the shop’s address', () => {
  it('shows all items from the first page on when it says nothing', () => {
    assert.deepEqual(read(''), { category: 0, page: 1, q: '', sort: '' })
    assert.equal(shopPath(read('')), '/itemshop')
  })

  it('takes nonsense for the default', () => {
    assert.deepEqual(read('category=-1&page=0&sort=color'), { category: 0, page: 1, q: '', sort: '' })
    assert.deepEqual(read('category=abc&page=1e9'), { category: 0, page: 1, q: '', sort: '' })
  })

  it('reads back what it writes', () => {
    const view = { category: 3, page: 2, q: 'rain & bow', sort: '-price' } as const
    assert.deepEqual(read(shopPath(view).split('?')[1] ?? ''), view)
  })

  it('gives the pager a target that already has a query', () => {
    assert.equal(shelfTarget(read('')), '/itemshop?category=0')
    assert.equal(shopPath(read('category=2&page=4')), '/itemshop?category=2&page=4')
  })

  it('cuts a search that the call would refuse', () => {
    assert.equal(read(`q=${'a'.repeat(90)}`).q.length, 60)
  })
})
