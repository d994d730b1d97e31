import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { checkEmail, checkLength, checkText, onlyWrong } from './field-rules.ts'

const email = (value: string, max?: number) => checkEmail(value, 'Email is required.', max)

describe('the rules of single fields', () => {
  it('take blanks for nothing', () => {
    assert.equal(checkText(' \t', 'First Name', 30), 'First Name is required.')
    assert.equal(email('  '), 'Email is required.')
  })

  it('want something like an address', () => {
    for (const wrong of ['juan', 'juan@', '@example.com', 'juan@example..com', 'juan @example.com', 'a@b@c']) {
      assert.equal(email(wrong), 'Enter a valid email address.', wrong)
    }
    for (const right of ['juan@example.com', ' juan.dela-cruz+game@mail.example.ph ', 'a@b']) {
      assert.equal(email(right), undefined, right)
    }
  })

  it('count characters and name the field', () => {
    assert.equal(email(`${'a'.repeat(60)}@example.com`, 60), 'Email must be at most 60 characters long.')
    assert.equal(checkText('x'.repeat(31), 'First Name', 30), 'First Name must be at most 30 characters long.')
    assert.equal(checkLength('abc', 'Current Password', 4, 20), 'Current Password must be at least 4 characters long.')
    assert.equal(checkLength('abcd', 'Current Password', 4, 20), undefined)
  })

  it('say nothing of what is right', () => {
    assert.deepEqual(onlyWrong({ a: undefined, b: 'wrong' }), { b: 'wrong' })
  })
})
