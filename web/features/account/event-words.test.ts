import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { eventWords, isAlarming } from './event-words.ts'

describe('what happened to an account', () => {
  it('is told in words', () => {
    assert.equal(eventWords('login'), 'Logged in')
    assert.equal(eventWords('password-changed'), 'Password changed')
  })

  it('is told as it is written when nobody named it yet', () => {
    assert.equal(eventWords('name-tag-bought'), 'Name tag bought')
  })

  it('is marked when it may be somebody else’s doing', () => {
    assert.equal(isAlarming('login-failed'), true)
    assert.equal(isAlarming('login'), false)
  })
})
