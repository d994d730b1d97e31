import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { updateUserDetails } from '#contract/accounts.ts'
import { checkDetails, type DetailsForm } from './details-rules.ts'

const good: DetailsForm = {
  UserEmail: 'juan@example.com',
  NameFirst: 'Juan',
  NameLast: 'dela Cruz',
  PhoneNumber: '+63 917 555 0100',
  UserPass2: '',
}

describe('changed details', () => {
  it('are right without a phone number and without a second password', () => {
    assert.deepEqual(checkDetails({ ...good, PhoneNumber: '' }), {})
  })

  it('need names and an address', () => {
    assert.deepEqual(checkDetails({ ...good, UserEmail: '', NameFirst: ' ', NameLast: '' }), {
      UserEmail: 'Email is required.',
      NameFirst: 'First Name is required.',
      NameLast: 'Last Name is required.',
    })
  })

  it('take a second password of 4 to 20 characters', () => {
    const wrong = (UserPass2: string) => checkDetails({ ...good, UserPass2 }).UserPass2
    assert.equal(wrong('abc'), 'Second Password must be at least 4 characters long.')
    assert.equal(wrong('x'.repeat(21)), 'Second Password must be at most 20 characters long.')
    assert.equal(wrong('abcd'), undefined)
  })

  it('say of a phone number what the server says', () => {
    const schema = updateUserDetails.input.body
    for (const PhoneNumber of ['call me', '1'.repeat(31), '+63 (2) 555-0100']) {
      const sent = schema.safeParse({ ...good, UserNum: 1, UserID: 'juan', PhoneNumber })
      assert.equal(checkDetails({ ...good, PhoneNumber }).PhoneNumber, sent.error?.issues[0]?.message)
    }
  })
})
