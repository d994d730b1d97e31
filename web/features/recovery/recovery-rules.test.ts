import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { checkFindId, checkFindPassword } from './recovery-rules.ts'

describe('the find-ID form', () => {
  it('needs an address', () => {
    assert.deepEqual(checkFindId({ findIDEmail: ' ' }), {
      findIDEmail: 'Email Address is required to retrieve your UserID.',
    })
  })

  it('knows an address when it sees one', () => {
    assert.deepEqual(checkFindId({ findIDEmail: 'juan' }), { findIDEmail: 'Enter a valid email address.' })
    assert.deepEqual(checkFindId({ findIDEmail: 'juan@example.com' }), {})
  })
})

describe('the find-password form', () => {
  it('needs both fields', () => {
    assert.deepEqual(checkFindPassword({ findPWID: '', findPWEmail: '' }), {
      findPWID: 'User ID is required to retrieve your Password.',
      findPWEmail: 'Email Address is required to retrieve your Password.',
    })
  })

  it('complains about what is wrong only', () => {
    assert.deepEqual(checkFindPassword({ findPWID: 'juan', findPWEmail: 'juan@' }), {
      findPWEmail: 'Enter a valid email address.',
    })
    assert.deepEqual(checkFindPassword({ findPWID: 'juan', findPWEmail: 'juan@example.com' }), {})
  })
})
