import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { itemHead } from './item-head.ts'

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
}

describe('the head of an item’s page', () => {
  it('tells search engines what it costs, in which currency', () => {
    const { jsonLd, path } = itemHead(item, 'https://site.example')
    assert.equal(path, '/itemshop/7')
    assert.deepEqual(jsonLd.offers, {
      '@type': 'Offer',
      url: 'https://site.example/itemshop/7',
      price: '1200.00',
      priceCurrency: 'R-Coin',
      availability: 'https://schema.org/InStock',
    })
  })

  it('shares a picture that messengers can show, else the site’s own', () => {
    assert.equal(itemHead(item, '').picture, '/art/item-batch-26-hoodie-share.jpg')
    assert.equal(itemHead({ ...item, image_url: '/uploads/hoodie.svg' }, '').picture, undefined)
    assert.equal(itemHead({ ...item, image_url: '/uploads/hoodie.png' }, '').picture, '/uploads/hoodie.png')
  })
})
