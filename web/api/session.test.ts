import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isAdmin, readLoginAnswer } from './session.ts'

describe('the admin check', () => {
  it('accepts user types from 11', () => {
    assert.equal(isAdmin(11, 11), true)
    assert.equal(isAdmin(99, 99), true)
    assert.equal(isAdmin(10, 10), false)
    assert.equal(isAdmin(1, 1), false)
  })

  it('rejects a manipulated stored type', () => {
    assert.equal(isAdmin(1, 11), false)
    assert.equal(isAdmin(11, 99), false)
  })

  it('fails until the server has confirmed the type', () => {
    assert.equal(isAdmin(null, 11), false)
  })

  it('rejects a stored type that is no number', () => {
    assert.equal(isAdmin(11, Number.NaN), false)
  })
})

const user = { UserNum: 7, UserID: 'juan', UserPoint: 0, UserPoint2: 0 }
const readAnswer = (status: number) => readLoginAnswer({ user, token: 'abc', status })

describe('the response to a login', () => {
  it('logs in a player up to status 1', () => {
    for (const status of [-1, 0, 1]) assert.equal(readAnswer(status)?.type, status)
  })

  it('logs in an admin from status 11', () => {
    for (const status of [11, 12, 99]) assert.equal(readAnswer(status)?.type, status)
  })

  it('is a failure from status 2 to 10', () => {
    for (let status = 2; status <= 10; status++) assert.equal(readAnswer(status), null)
  })

  it('is a failure without a token or a user, for any status', () => {
    assert.equal(readLoginAnswer({ user, token: null, status: 1 }), null)
    assert.equal(readLoginAnswer({ user: null, token: 'abc', status: 1 }), null)
  })
})
