import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { checkLogin } from './check-login.ts'

const check = (UserID: string, UserPass: string) => checkLogin(new Map(Object.entries({ UserID, UserPass })))

describe('the login form', () => {
  it('asks for both fields when both are empty', () => {
    assert.deepEqual(check('', ''), { UserID: 'Username is required.', UserPass: 'Password is required.' })
  })

  it('takes blanks for nothing', () => {
    assert.deepEqual(check('  ', '\t'), { UserID: 'Username is required.', UserPass: 'Password is required.' })
  })

  it('complains about the empty field only', () => {
    assert.deepEqual(check('juan', ''), { UserPass: 'Password is required.' })
  })

  it('is content with both, whatever their length', () => {
    assert.deepEqual(check('j', 'x'.repeat(500)), {})
  })
})
