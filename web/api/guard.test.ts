import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { loginPathFor, ownPath } from './guard.ts'

describe('the way back after a login', () => {
  it('leads to a path of this site, with its query', () => {
    assert.equal(ownPath('/shoppurchases?page=2'), '/shoppurchases?page=2')
  })

  it('leads to the home page without a requested page', () => {
    assert.equal(ownPath(null), '/')
    assert.equal(ownPath(''), '/')
  })

  it('never leaves this site', () => {
    for (const foreign of [
      'https://example.com',
      '//example.com',
      '/\\example.com',
      '/a\\b',
      '/\t/example.com',
      '/\n',
      'user',
    ]) {
      assert.equal(ownPath(foreign), '/', foreign)
    }
  })

  it('does not lead to the login page again', () => {
    assert.equal(ownPath('/login?next=/user'), '/')
    assert.equal(ownPath('/Login/'), '/')
    assert.equal(ownPath('/loginhelp'), '/loginhelp')
  })

  it('is part of the login page’s address', () => {
    assert.equal(loginPathFor('/user?a=1&b=2'), '/login?next=%2Fuser%3Fa%3D1%26b%3D2')
    assert.equal(loginPathFor('/'), '/login')
  })
})
