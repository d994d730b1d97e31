import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { loginPathFor, ownPath } from './guard.ts'

describe('the path to return to after a login', () => {
  it('is a path of this site, with its query', () => {
    assert.equal(ownPath('/shoppurchases?page=2'), '/shoppurchases?page=2')
  })

  it('is the home page without a requested page', () => {
    assert.equal(ownPath(null), '/')
    assert.equal(ownPath(''), '/')
  })

  it('is never an address of another site', () => {
    for (const address of [
      'https://example.com',
      '//example.com',
      '/\\example.com',
      '/a\\b',
      '/\t/example.com',
      '/\n',
      'user',
    ]) {
      assert.equal(ownPath(address), '/', address)
    }
  })

  it('is never the login page', () => {
    assert.equal(ownPath('/login?next=/user'), '/')
    assert.equal(ownPath('/Login/'), '/')
    assert.equal(ownPath('/loginhelp'), '/loginhelp')
  })

  it('is part of the login page’s address', () => {
    assert.equal(loginPathFor('/user?a=1&b=2'), '/login?next=%2Fuser%3Fa%3D1%26b%3D2')
    assert.equal(loginPathFor('/'), '/login')
  })
})
