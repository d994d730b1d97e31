import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readLoginAnswer } from './login-answer.ts'

const user = { UserNum: 7, UserID: 'juan', UserPoint: 0, UserPoint2: 0 }
const answer = (status: number) => readLoginAnswer({ user, token: 'abc', status })

describe('the answer of a login', () => {
  it('is a player’s up to status 1', () => {
    for (const status of [-1, 0, 1]) assert.equal(answer(status)?.type, status)
  })

  it('is an admin’s from status 11 on', () => {
    for (const status of [11, 12, 99]) assert.equal(answer(status)?.type, status)
  })

  it('is a failure from status 2 to 10', () => {
    for (let status = 2; status <= 10; status++) assert.equal(answer(status), null)
  })

  it('is a failure without a token or a user, whatever the status', () => {
    assert.equal(readLoginAnswer({ user, token: null, status: 1 }), null)
    assert.equal(readLoginAnswer({ user: null, token: 'abc', status: 1 }), null)
  })
})
