import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { findPassword, findUserId, register, updatePassword, updateUserDetails } from '#contract/accounts.ts'
import type { FormValues } from '#contract/endpoint.ts'
import { processLogin } from '#contract/session.ts'
import { checkFields, createResolver } from './rules.ts'

/** Returns the errors of a form's fields. Asserts that react-hook-form and `checkFields` find the same errors. */
async function checkBothWays<E extends Parameters<typeof checkFields>[0]>(endpoint: E, values: FormValues<E>) {
  const options = { fields: {}, shouldUseNativeValidation: false }
  const { errors } = await createResolver(endpoint).resolver(values as Record<string, unknown>, undefined, options)
  const errorTexts = Object.fromEntries(Object.entries(errors).map(([name, error]) => [name, error?.message]))
  assert.deepEqual(errorTexts, await checkFields(endpoint, values))
  return errorTexts
}

const details = {
  UserEmail: 'juan@example.com',
  NameFirst: 'Juan',
  NameLast: 'dela Cruz',
  PhoneNumber: '+63 917 555 0100',
  UserPass2: '',
}

describe('the login form', () => {
  const checkLogin = (UserID: string, UserPass: string) => checkBothWays(processLogin, { UserID, UserPass })

  it('requires both fields when both are empty', async () => {
    assert.deepEqual(await checkLogin('', ''), {
      UserID: 'Username is required.',
      UserPass: 'Password is required.',
    })
  })

  it('treats blanks as empty', async () => {
    assert.deepEqual(await checkLogin('  ', '\t'), {
      UserID: 'Username is required.',
      UserPass: 'Password is required.',
    })
  })

  it('reports only the empty field', async () => {
    assert.deepEqual(await checkLogin('juan', ''), { UserPass: 'Password is required.' })
  })

  it('accepts values of any length', async () => {
    assert.deepEqual(await checkLogin('j', 'x'.repeat(500)), {})
  })
})

describe('the rules of single fields', () => {
  const checkDetails = (changedDetails: Partial<typeof details>) =>
    checkBothWays(updateUserDetails, { ...details, ...changedDetails })

  it('treat a value of blanks as empty', async () => {
    assert.deepEqual(await checkDetails({ NameFirst: ' \t', UserEmail: '  ' }), {
      NameFirst: 'First Name is required.',
      UserEmail: 'Email is required.',
    })
  })

  it('require a valid email address', async () => {
    for (const invalidEmail of ['juan', 'juan@', '@example.com', 'juan@example..com', 'juan @example.com', 'a@b@c']) {
      assert.deepEqual(
        await checkDetails({ UserEmail: invalidEmail }),
        { UserEmail: 'Enter a valid email address.' },
        invalidEmail,
      )
    }
    for (const validEmail of ['juan@example.com', ' juan.dela-cruz+game@mail.example.ph ', 'a@b']) {
      assert.deepEqual(await checkDetails({ UserEmail: validEmail }), {}, validEmail)
    }
  })

  it('report a wrong length with the name of the field', async () => {
    assert.deepEqual(await checkDetails({ UserEmail: `${'a'.repeat(60)}@example.com`, NameFirst: 'x'.repeat(31) }), {
      UserEmail: 'Email must be at most 60 characters long.',
      NameFirst: 'First Name must be at most 30 characters long.',
    })
    const checkCurrent = (UserPass: string) =>
      checkBothWays(updatePassword, { UserPass, NewUserPass: 'bundok-7', RetypeUserPass: 'bundok-7' })
    assert.deepEqual(await checkCurrent('abc'), { UserPass: 'Current Password must be at least 4 characters long.' })
    assert.deepEqual(await checkCurrent('abcd'), {})
  })

  it('report only the invalid field', async () => {
    assert.deepEqual(await checkDetails({ NameLast: '' }), { NameLast: 'Last Name is required.' })
  })
})

describe('changed details', () => {
  it('are valid without a phone number and a second password', async () => {
    assert.deepEqual(await checkBothWays(updateUserDetails, { ...details, PhoneNumber: '' }), {})
  })

  it('require names and an email address', async () => {
    assert.deepEqual(
      await checkBothWays(updateUserDetails, { ...details, UserEmail: '', NameFirst: ' ', NameLast: '' }),
      {
        UserEmail: 'Email is required.',
        NameFirst: 'First Name is required.',
        NameLast: 'Last Name is required.',
      },
    )
  })

  it('accept a second password of 4 to 20 characters', async () => {
    const getSecondPasswordError = async (UserPass2: string) =>
      (await checkBothWays(updateUserDetails, { ...details, UserPass2 })).UserPass2
    assert.equal(await getSecondPasswordError('abc'), 'Second Password must be at least 4 characters long.')
    assert.equal(await getSecondPasswordError('x'.repeat(21)), 'Second Password must be at most 20 characters long.')
    assert.equal(await getSecondPasswordError('abcd'), undefined)
  })

  it('report the server’s error for a phone number', async () => {
    for (const PhoneNumber of ['call me', '1'.repeat(31), '+63 (2) 555-0100']) {
      const changedDetails = { ...details, PhoneNumber }
      const parsed = updateUserDetails.input.body.safeParse({ ...changedDetails, UserNum: 1, UserID: 'juan' })
      const errorTexts = await checkBothWays(updateUserDetails, changedDetails)
      assert.equal(errorTexts.PhoneNumber, parsed.error?.issues[0]?.message)
    }
  })
})

describe('the change of a password', () => {
  const checkChange = (UserPass: string, NewUserPass: string, RetypeUserPass: string) =>
    checkBothWays(updatePassword, { UserPass, NewUserPass, RetypeUserPass })

  it('requires all three fields', async () => {
    assert.deepEqual(await checkChange('', ' ', ''), {
      UserPass: 'Current Password is required.',
      NewUserPass: 'New Password is required.',
      RetypeUserPass: 'Retype New Password is required.',
    })
  })

  it('reports a text that is too short', async () => {
    assert.deepEqual(await checkChange('abc', 'abcd', 'abcd'), {
      UserPass: 'Current Password must be at least 4 characters long.',
      NewUserPass: 'New Password must be at least 5 characters long.',
      RetypeUserPass: 'Retype New Password must be at least 5 characters long.',
    })
  })

  it('reports a text that is too long', async () => {
    const longValues = 'x'.repeat(21)
    assert.deepEqual(await checkChange(longValues, longValues, longValues), {
      UserPass: 'Current Password must be at most 20 characters long.',
      NewUserPass: 'New Password must be at most 20 characters long.',
      RetypeUserPass: 'Retype New Password must be at most 20 characters long.',
    })
  })

  it('requires the new password twice', async () => {
    const mismatch = { RetypeUserPass: 'New Password and Re-Enter Password Does not match!' }
    assert.deepEqual(await checkChange('abcd', 'bundok-7', 'bundok-8'), mismatch)
    assert.deepEqual(await checkChange('abcd', 'abcd', 'abcde'), {
      NewUserPass: 'New Password must be at least 5 characters long.',
      ...mismatch,
    })
  })

  it('accepts passwords of the minimum and the maximum length', async () => {
    assert.deepEqual(await checkChange('abcd', 'abcde', 'abcde'), {})
    assert.deepEqual(await checkChange('x'.repeat(20), 'y'.repeat(20), 'y'.repeat(20)), {})
  })
})

describe('the find-ID form', () => {
  it('requires an email address', async () => {
    assert.deepEqual(await checkBothWays(findUserId, { findIDEmail: ' ' }), {
      findIDEmail: 'Email Address is required to retrieve your UserID.',
    })
  })

  it('requires a valid email address', async () => {
    assert.deepEqual(await checkBothWays(findUserId, { findIDEmail: 'juan' }), {
      findIDEmail: 'Enter a valid email address.',
    })
    assert.deepEqual(await checkBothWays(findUserId, { findIDEmail: 'juan@example.com' }), {})
  })
})

describe('the find-password form', () => {
  it('requires both fields', async () => {
    assert.deepEqual(await checkBothWays(findPassword, { findPWID: '', findPWEmail: '' }), {
      findPWID: 'User ID is required to retrieve your Password.',
      findPWEmail: 'Email Address is required to retrieve your Password.',
    })
  })

  it('reports only invalid fields', async () => {
    assert.deepEqual(await checkBothWays(findPassword, { findPWID: 'juan', findPWEmail: 'juan@' }), {
      findPWEmail: 'Enter a valid email address.',
    })
    assert.deepEqual(await checkBothWays(findPassword, { findPWID: 'juan', findPWEmail: 'juan@example.com' }), {})
  })
})

describe('a registration before it is sent', () => {
  const validRegistration: FormValues<typeof register> = {
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

  it('is valid without a country', async () => {
    assert.deepEqual(await checkBothWays(register, validRegistration), {})
  })

  it('requires every field with the texts of REG-4 and REG-9', async () => {
    const empty = { ...validRegistration, userId: ' ', userPassword: '', userPasswordConfirm: '', userEmail: '' }
    assert.deepEqual(await checkBothWays(register, { ...empty, secretQuestion: '', secretAnswer: ' ' }), {
      userId: 'Username is required.',
      userPassword: 'Password is required.',
      userPasswordConfirm: 'Confirm - Password is required.',
      userEmail: 'Email is required.',
      secretQuestion: 'Secret Question is required.',
      secretAnswer: 'Secret Answer is required.',
    })
  })

  it('requires a valid email address', async () => {
    assert.deepEqual(await checkBothWays(register, { ...validRegistration, userEmail: 'dagitab' }), {
      userEmail: 'Enter a valid email address.',
    })
  })

  it('enforces the maximum lengths', async () => {
    const longValues = {
      ...validRegistration,
      userId: 'x'.repeat(21),
      userFirstName: 'x'.repeat(31),
      userPassword: 'x'.repeat(21),
    }
    assert.deepEqual(await checkBothWays(register, { ...longValues, userEmail: `${'x'.repeat(50)}@example.com` }), {
      userId: 'Username must be at most 20 characters long.',
      userFirstName: 'First Name must be at most 30 characters long.',
      userPassword: 'Password must be at most 20 characters long.',
      userEmail: 'Email must be at most 60 characters long.',
    })
  })

  it('leaves differing passwords and the terms to the server', async () => {
    assert.deepEqual(
      await checkBothWays(register, { ...validRegistration, userPasswordConfirm: 'other', agreeTerms: false }),
      {},
    )
  })

  it('rejects a secret question that is not offered', async () => {
    for (const secretQuestion of ['0', '7', 'Hometown']) {
      assert.deepEqual(await checkBothWays(register, { ...validRegistration, secretQuestion }), {
        secretQuestion: 'Secret Question is required.',
      })
    }
  })

  it('sends the number of the secret question', () => {
    const parsed = register.fields.parse(validRegistration)
    assert.equal(parsed.secretQuestion, 2)
    assert.deepEqual(Object.keys(parsed).sort(), [...Object.keys(validRegistration), 'invite'].sort())
  })
})

it('gives no field a maxlength, which would cut what is typed or pasted', () => {
  const files = globSync('web/**/*.tsx').filter((file) => /maxlength(?=[={}'"])/i.test(readFileSync(file, 'utf8')))
  assert.deepEqual(files, [])
})

it('refuses an email address of 69 characters instead of cutting it to another valid one', async () => {
  const address = `${'x'.repeat(50)}@example.com.ph.net`
  const { UserEmail } = await checkBothWays(updateUserDetails, { ...details, UserEmail: address })
  assert.match(String(UserEmail), /at most 60 characters/)
})
