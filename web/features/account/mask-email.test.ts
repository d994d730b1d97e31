import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { maskEmail } from './mask-email.ts'

describe('a masked e-mail address', () => {
  it('shows its first character and stars', () => {
    assert.equal(maskEmail('juan@example.com'), 'j***************')
  })

  it('shows nothing of an address that is not there', () => {
    assert.equal(maskEmail(''), '')
  })
})
