import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isCountry } from '#server/features/accounts/registration.ts'
import { formatErrorAlert, listCountries } from './registration.ts'

describe('the countries of the registration', () => {
  it('begin with the Philippines and continue from A to Z', () => {
    const names = listCountries().map(({ name }) => name)
    assert.deepEqual(names.slice(0, 3), ['Philippines', 'Afghanistan', 'Åland Islands'])
    assert.equal(names.filter((name) => name === 'Philippines').length, 1)
    assert.deepEqual(names.slice(1), names.slice(1).sort(new Intl.Collator('en').compare))
  })

  it('are all accepted by the server', () => {
    assert.ok(listCountries().every(({ code }) => isCountry(code)))
  })
})

describe('the alert of a refused registration', () => {
  it('prefixes each line with a star', () => {
    assert.equal(
      formatErrorAlert({ userId: ['Taken.'], agreeTerms: ['Accept.', 'Really.'] }),
      '*Taken.\n*Accept.\n*Really.',
    )
  })
})
