import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { passwordStrength } from './password-strength.ts'

const level = (password: string, userId?: string) => passwordStrength(password, userId).level

describe('the strength of a password', () => {
  it('shows the allowed lengths for an empty password', () => {
    assert.deepEqual(passwordStrength(''), { level: 0, text: '5 to 20 characters.' })
  })

  it('reports a password that is too short or too long', () => {
    assert.equal(passwordStrength('abcd').text, 'Too short: at least 5 characters.')
    assert.equal(passwordStrength('x'.repeat(21)).text, 'Too long: the game allows 20 characters.')
  })

  it('is weak for a common password, a sequence or a repeated letter', () => {
    for (const weak of ['password123', 'qwerty', '123456789', 'aaaaaaaaaaaa', 'abcdefghijkl', 'zyxwvuts']) {
      assert.equal(level(weak), 1, weak)
    }
  })

  it('is weak if the password contains the user ID', () => {
    assert.equal(passwordStrength('Juan-2026!x', 'juan').text, 'Weak: it contains your user ID.')
    assert.equal(level('Juan-2026!x', ''), 3)
  })

  it('increases with length and with kinds of characters', () => {
    assert.equal(level('bundok7'), 2)
    assert.equal(level('bundok-at-dagat-7'), 3)
    assert.equal(level('dagat9!KzQ'), 3)
  })
})
