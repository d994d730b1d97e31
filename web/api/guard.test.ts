import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { getLoginPath, toReturnPath } from './guard.ts'

describe('the path to return to after a login', () => {
  it('is a path of this site, with its query', () => {
    assert.equal(toReturnPath('/shoppurchases?page=2'), '/shoppurchases?page=2')
  })

  it('is the home page without a requested page', () => {
    assert.equal(toReturnPath(null), '/')
    assert.equal(toReturnPath(''), '/')
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
      assert.equal(toReturnPath(address), '/', address)
    }
  })

  it('is never the login page', () => {
    assert.equal(toReturnPath('/login?next=/user'), '/')
    assert.equal(toReturnPath('/Login/'), '/')
    assert.equal(toReturnPath('/loginhelp'), '/loginhelp')
  })

  it('is part of the login page’s address', () => {
    assert.equal(getLoginPath('/user?a=1&b=2'), '/login?next=%2Fuser%3Fa%3D1%26b%3D2')
    assert.equal(getLoginPath('/'), '/login')
  })
})
