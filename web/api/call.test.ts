import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { CALLS, unknownError } from '#contract/messages.ts'
import { alertText, CallError, dialogText, refusalOf } from './call.ts'

const refused = async (status: number, body: unknown) => refusalOf(status, body)

describe('the words of a failed call', () => {
  it('are the server’s error, else its message, else the status', async () => {
    assert.equal(dialogText(await refused(422, { error: 'No.', message: 'Never.' })), 'No.')
    assert.equal(dialogText(await refused(422, { message: 'Never.' })), 'Never.')
    assert.equal(dialogText(await refused(502, null)), 'Unkown Error : Status 502')
    assert.equal(unknownError(500), 'Unkown Error : Status 500')
  })

  it('without an answer are one sentence in a dialog and another in an alert', () => {
    const unanswered = new CallError(0, CALLS.network)
    assert.equal(dialogText(unanswered), 'An unexpected error occurred. Please try again.')
    assert.equal(alertText(unanswered), 'Network error. Please check your connection.')
  })

  it('tell an alert of too many requests in the spec’s words', async () => {
    assert.equal(alertText(await refused(429, null)), 'Too many Requests! try again later')
  })
  it('have a reason beside them where the server gives one', async () => {
    assert.equal((await refused(403, { error: 'No.', message: 'No.', reason: 'sudo' })).reason, 'sudo')
    assert.equal((await refused(403, { error: 'No.', message: 'No.' })).reason, undefined)
    assert.equal((await refused(502, null)).reason, undefined)
  })
})
