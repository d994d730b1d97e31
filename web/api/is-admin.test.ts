import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isAdmin } from './is-admin.ts'

describe('the admin check', () => {
  it('holds from user type 11 on', () => {
    assert.equal(isAdmin(11, 11), true)
    assert.equal(isAdmin(99, 99), true)
    assert.equal(isAdmin(10, 10), false)
    assert.equal(isAdmin(1, 1), false)
  })

  it('fails when the stored type was tampered with', () => {
    assert.equal(isAdmin(1, 11), false)
    assert.equal(isAdmin(11, 99), false)
  })

  it('fails as long as the server has not granted anything', () => {
    assert.equal(isAdmin(null, 11), false)
  })

  it('fails when the stored type is no number', () => {
    assert.equal(isAdmin(11, Number.NaN), false)
  })
})
