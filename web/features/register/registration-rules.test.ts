import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  checkRegistration,
  formErrorAlert,
  REGISTRATION_FIELDS,
  type RegistrationForm,
  toRegistration,
} from './registration-rules.ts'

const good: RegistrationForm = {
  userId: 'dagitab_07',
  userFirstName: 'Amihan',
  userLastName: 'Reyes',
  userEmail: 'dagitab@example.com',
  gender: 'Female',
  userPassword: 'lagaslas-9',
  userPasswordConfirm: 'lagaslas-9',
  secretQuestion: '2',
  secretAnswer: 'Baguio',
  country: '',
  agreeTerms: true,
}

describe('a registration before it is sent', () => {
  it('is right without a country', () => {
    assert.deepEqual(checkRegistration(good), {})
  })

  it('asks for every required field in the words of the specification', () => {
    const empty = { ...good, userId: ' ', userPassword: '', userPasswordConfirm: '', userEmail: '' }
    assert.deepEqual(checkRegistration({ ...empty, secretQuestion: '', secretAnswer: ' ' }), {
      userId: 'Username is required.',
      userPassword: 'Password is required.',
      userPasswordConfirm: 'Confirm - Password is required.',
      userEmail: 'Email is required.',
      secretQuestion: 'Secret Question is required.',
      secretAnswer: 'Secret Answer is required.',
    })
  })

  it('knows an address when it sees one', () => {
    assert.deepEqual(checkRegistration({ ...good, userEmail: 'dagitab' }), {
      userEmail: 'Enter a valid email address.',
    })
  })

  it('keeps to the lengths', () => {
    const long = { ...good, userId: 'x'.repeat(21), userFirstName: 'x'.repeat(31), userPassword: 'x'.repeat(21) }
    assert.deepEqual(checkRegistration({ ...long, userEmail: `${'x'.repeat(50)}@example.com` }), {
      userId: 'Username must be at most 20 characters long.',
      userFirstName: 'First Name must be at most 30 characters long.',
      userPassword: 'Password must be at most 20 characters long.',
      userEmail: 'Email must be at most 60 characters long.',
    })
  })

  it('leaves differing passwords and the terms to the server', () => {
    assert.deepEqual(checkRegistration({ ...good, userPasswordConfirm: 'other', agreeTerms: false }), {})
  })

  it('offers six secret questions', () => {
    for (const secretQuestion of ['0', '7', 'Hometown']) {
      assert.deepEqual(Object.keys(checkRegistration({ ...good, secretQuestion })), ['secretQuestion'])
    }
  })

  it('travels with the number of the question', () => {
    assert.equal(toRegistration(good).secretQuestion, 2)
    assert.deepEqual(Object.keys(toRegistration(good)).sort(), [...REGISTRATION_FIELDS].sort())
  })
})

describe('the alert of a refused registration', () => {
  it('prefixes each line with a star', () => {
    assert.equal(
      formErrorAlert({ userId: ['Taken.'], agreeTerms: ['Accept.', 'Really.'] }),
      '*Taken.\n*Accept.\n*Really.',
    )
  })
})
