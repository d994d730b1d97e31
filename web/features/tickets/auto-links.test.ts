import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { withLinks } from './auto-links.ts'

const linksOf = (text: string) => withLinks(text).flatMap(({ href }) => href ?? [])

describe('web addresses in a message', () => {
  it('are links, and every other character stays as it was', () => {
    const text = 'See https://example.com/a?b=1.\nOr (https://example.com/c), please!'
    assert.deepEqual(linksOf(text), ['https://example.com/a?b=1', 'https://example.com/c'])
    assert.equal(
      withLinks(text)
        .map((part) => part.text)
        .join(''),
      text,
    )
  })

  it('keep brackets of their own', () => {
    assert.deepEqual(linksOf('https://example.com/Jeepney_(car)'), ['https://example.com/Jeepney_(car)'])
  })

  it('are never scripts, other kinds of addresses, or hosts in disguise', () => {
    for (const text of [
      'javascript:alert(1)',
      'data:text/html,x',
      'ftp://example.com',
      'https://tambayan.example@evil.example/',
      'https://',
    ])
      assert.deepEqual(linksOf(text), [], text)
  })

  it('need not be there', () => {
    assert.deepEqual(withLinks('Salamat po'), [{ text: 'Salamat po' }])
    assert.deepEqual(withLinks(''), [])
  })
})
