import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { CARD_NAME_MAX, CART_NAME_MAX } from '#contract/limits.ts'
import { computeShortfall, cutName, hasShortfall, sumCosts, toBalances } from './amounts.ts'
import { createItemHead, getListTarget, getShopPath, isQueryTooLong, itemSearch, readShopView } from './shop-view.ts'

const readView = (query: string) => readShopView(new URLSearchParams(query))

describe('the shop’s address', () => {
  it('shows the first page of all items without parameters', () => {
    assert.deepEqual(readView(''), { category: 0, page: 1, q: '', sort: '' })
    assert.equal(getShopPath(readView('')), '/itemshop')
  })

  it('replaces invalid parts by the default', () => {
    assert.deepEqual(readView('category=-1&page=0&sort=color'), { category: 0, page: 1, q: '', sort: '' })
    assert.deepEqual(readView('category=abc&page=1e9'), { category: 0, page: 1, q: '', sort: '' })
  })

  it('restores a view from its address', () => {
    const view = { category: 3, page: 2, q: 'rain & bow', sort: '-price' } as const
    assert.deepEqual(readView(getShopPath(view).split('?')[1] ?? ''), view)
  })

  it('gives the pager a target that already has a query', () => {
    assert.equal(getListTarget(readView('')), '/itemshop?category=0')
    assert.equal(getShopPath(readView('category=2&page=4')), '/itemshop?category=2&page=4')
  })

  it('does not cut a query that is too long, and does not search for it', () => {
    const view = readView(`q=${'a'.repeat(61)}`)
    assert.equal(view.q.length, 61)
    assert.equal(isQueryTooLong(view), true)
    assert.equal(isQueryTooLong(readView(`q=${'a'.repeat(60)}`)), false)
  })

  it('does not shorten a recipient’s user ID, which could then name another player', () => {
    assert.equal(itemSearch.read(new URLSearchParams('gift=1&to=maria.cristina.delos.santos')).to.length, 27)
  })
})

const item = {
  ProductNum: 7,
  ItemName: 'Batch 26 hoodie',
  price: 1200,
  section: 2,
  description: 'Black, warm.',
  icon: null,
  image_url: '/art/item-batch-26-hoodie.svg',
  ribbon: null,
  ribbon_label: null,
  category: 1,
  kind: 'item' as const,
}

describe('the head of an item’s page', () => {
  it('gives search engines the price and its currency', () => {
    const { jsonLd, path } = createItemHead(item, 'https://site.example')
    assert.equal(path, '/itemshop/7')
    assert.deepEqual(jsonLd.offers, {
      '@type': 'Offer',
      url: 'https://site.example/itemshop/7',
      price: '1200.00',
      priceCurrency: 'R-Coin',
      availability: 'https://schema.org/InStock',
    })
  })

  it('shares the item’s picture, or the JPEG of a default drawing', () => {
    assert.equal(createItemHead(item, '').picture, '/art/item-batch-26-hoodie-share.jpg')
    assert.equal(createItemHead({ ...item, image_url: 'https://example.com/hoodie.png' }, '').picture, undefined)
    assert.equal(createItemHead({ ...item, image_url: '/uploads/hoodie.png' }, '').picture, '/uploads/hoodie.png')
  })
})

const createLine = (price: number, section: number, quantity = 1) => ({ shopitem: { price, section }, quantity })

describe('the cost of a purchase', () => {
  it('counts section 2 in R-Coin and every other section in Milleage', () => {
    const lines = [createLine(1200, 2), createLine(35, 1, 4), createLine(10, 3), createLine(250, 2, 2)]
    assert.deepEqual(sumCosts(lines), { rCoin: 1700, milleage: 150 })
  })

  it('is zero without items', () => {
    assert.deepEqual(sumCosts([]), { rCoin: 0, milleage: 0 })
  })
})

describe('the shortfall of a purchase', () => {
  it('is computed for each currency separately', () => {
    const shortfall = computeShortfall({ rCoin: 1200, milleage: 100 }, { rCoin: 900, milleage: 5000 })
    assert.deepEqual(shortfall, { rCoin: 300, milleage: 0 })
    assert.equal(hasShortfall(shortfall), true)
  })

  it('is zero when the balances are exactly enough', () => {
    assert.equal(hasShortfall(computeShortfall({ rCoin: 900, milleage: 0 }, { rCoin: 900, milleage: 0 })), false)
  })

  it('uses UserPoint and UserPoint2', () => {
    assert.deepEqual(toBalances({ UserPoint: 7, UserPoint2: 8 }), { rCoin: 7, milleage: 8 })
  })
})

describe('a name on a card or in the cart summary', () => {
  it('is cut to 10 characters and an ellipsis on a card', () => {
    assert.equal(cutName('Batch 26 hoodie', CARD_NAME_MAX), 'Batch 26 h…')
  })

  it('is cut to 14 characters and an ellipsis in the summary', () => {
    assert.equal(cutName('Batch 26 hoodie', CART_NAME_MAX), 'Batch 26 hoodi…')
  })

  it('is not cut at exactly the limit', () => {
    assert.equal(cutName('Ten letter', CARD_NAME_MAX), 'Ten letter')
  })

  it('is never cut through a character', () => {
    assert.equal(cutName('🏮🏮🏮', 2), '🏮🏮…')
  })
})
