import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { estimatePasswordStrength } from './password-strength.ts'

const getLevel = (password: string, userId?: string) => estimatePasswordStrength(password, userId).level

describe('the strength of a password', () => {
  it('shows the allowed lengths for an empty password', () => {
    assert.deepEqual(estimatePasswordStrength(''), { level: 0, text: '5 to 20 characters.' })
  })

  it('reports a password that is too short or too long', () => {
    assert.equal(estimatePasswordStrength('abcd').text, 'Too short: at least 5 characters.')
    assert.equal(estimatePasswordStrength('x'.repeat(21)).text, 'Too long: the game allows 20 characters.')
  })

  it('is weak for a common password, a sequence or a repeated letter', () => {
    for (const weakPassword of ['password123', 'qwerty', '123456789', 'aaaaaaaaaaaa', 'abcdefghijkl', 'zyxwvuts']) {
      assert.equal(getLevel(weakPassword), 1, weakPassword)
    }
  })

  it('is weak if the password contains the user ID', () => {
    assert.equal(estimatePasswordStrength('Juan-2026!x', 'juan').text, 'Weak: it contains your user ID.')
    assert.equal(getLevel('Juan-2026!x', ''), 3)
  })

  it('increases with length and with kinds of characters', () => {
    assert.equal(getLevel('bundok7'), 2)
    assert.equal(getLevel('bundok-at-dagat-7'), 3)
    assert.equal(getLevel('dagat9!KzQ'), 3)
  })
})
