import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { checkChangePassword } from './password-rules.ts'

const check = (current: string, newPassword: string, retyped: string) =>
  checkChangePassword({ current, newPassword, retyped })

describe('the change of a password', () => {
  it('needs all three fields', () => {
    assert.deepEqual(check('', ' ', ''), {
      current: 'Current Password is required.',
      newPassword: 'New Password is required.',
      retyped: 'Retype New Password is required.',
    })
  })

  it('names what is too short', () => {
    assert.deepEqual(check('abc', 'abcd', 'abcd'), {
      current: 'Current Password must be at least 4 characters long.',
      newPassword: 'New Password must be at least 5 characters long.',
      retyped: 'Retype New Password must be at least 5 characters long.',
    })
  })

  it('names what is too long', () => {
    const long = 'x'.repeat(21)
    assert.deepEqual(check(long, long, long), {
      current: 'Current Password must be at most 20 characters long.',
      newPassword: 'New Password must be at most 20 characters long.',
      retyped: 'Retype New Password must be at most 20 characters long.',
    })
  })

  it('wants the new password twice', () => {
    assert.deepEqual(check('abcd', 'bundok-7', 'bundok-8'), {
      retyped: 'New Password and Re-Enter Password Does not match!',
    })
  })

  it('is content at the edges', () => {
    assert.deepEqual(check('abcd', 'abcde', 'abcde'), {})
    assert.deepEqual(check('x'.repeat(20), 'y'.repeat(20), 'y'.repeat(20)), {})
  })
})
