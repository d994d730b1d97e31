import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sharePictureOf, topicHead } from './topic-head.ts'

const item = {
  id: 7,
  subject: 'Lanterns on the roof',
  content: '<p>Bring <strong>two</strong> lamps.</p>',
  type: 2 as const,
  created_at: '2026-11-19T13:00:00Z',
  author: 'GM Bituin',
  img_thumbnail: '/art/news-05.webp',
  IsShowThumbnail: 1 as const,
}

test('a shared item shows the JPEG beside its WebP', () => {
  assert.equal(sharePictureOf('/art/news-05.webp'), '/art/news-05-share.jpg')
  assert.equal(sharePictureOf('/uploads/a.jpg'), '/uploads/a.jpg')
  assert.equal(sharePictureOf(null), undefined)
})

test('an item’s head names the one address that both of its pages share', () => {
  const head = topicHead(item, '')
  assert.equal(head.path, '/news?topic=7')
  assert.equal(head.description, 'Bring two lamps.')
})

test('the structured data carries headline, date, author and absolute addresses', () => {
  const jsonLd: Record<string, unknown> = topicHead(item, 'https://example.com').jsonLd
  assert.equal(jsonLd['@type'], 'NewsArticle')
  assert.equal(jsonLd.headline, 'Lanterns on the roof')
  assert.equal(jsonLd.datePublished, '2026-11-19T13:00:00Z')
  assert.deepEqual(jsonLd.author, { '@type': 'Person', name: 'GM Bituin' })
  assert.deepEqual(jsonLd.image, ['https://example.com/art/news-05-share.jpg'])
  assert.equal(jsonLd.mainEntityOfPage, 'https://example.com/news?topic=7')
})

test('without a date the structured data claims none', () => {
  assert.ok(!('datePublished' in topicHead({ ...item, created_at: null }, '').jsonLd))
})
