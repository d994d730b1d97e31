import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { DESK_QUERY_HEADER } from '#contract/desk.ts'
import { getFactors } from '#contract/factors.ts'
import { CALLS, unknownError } from '#contract/messages.ts'
import { getPlayers } from '#contract/players.ts'
import { getSearch } from '#contract/search.ts'
import {
  alertText,
  buildRequest,
  CallError,
  type CallOptions,
  createNoAnswerError,
  dialogText,
  onCallEvent,
  settle,
  toCallError,
} from './call.ts'

const refused = async (status: number, body: unknown) => toCallError(status, body)

describe('the texts of a failed call', () => {
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

  it('are those of FAIL-4 in an alert of too many requests', async () => {
    assert.equal(alertText(await refused(429, null)), 'Too many Requests! try again later')
  })
  it('have a reason if the server sends one', async () => {
    assert.equal((await refused(403, { error: 'No.', message: 'No.', reason: 'sudo' })).reason, 'sudo')
    assert.equal((await refused(403, { error: 'No.', message: 'No.' })).reason, undefined)
    assert.equal((await refused(502, null)).reason, undefined)
  })
})

describe('the request of a call', () => {
  it('has search queries of the desk in a header, and others in the address', () => {
    const desk = buildRequest(getPlayers, { q: 'juan@example.ph', sort: 'user_num' })
    assert.equal(desk.url, '/api/admin/players')
    assert.deepEqual(desk.init.headers, { [DESK_QUERY_HEADER]: 'q=juan%40example.ph&sort=user_num' })
    assert.deepEqual(buildRequest(getPlayers, {}), { url: '/api/admin/players', init: { method: 'GET', headers: {} } })
    assert.equal(buildRequest(getSearch, { q: 'kris' }).url, '/api/search?q=kris')
  })
})

describe('the event of a failed call for the shell', () => {
  const kindsReportedBy = async (act: () => unknown) => {
    const kinds: string[] = []
    const stop = onCallEvent(({ kind }) => void kinds.push(kind))
    await act()
    stop()
    return kinds
  }
  const settled = (status: number, body: object, shellShows: CallOptions['shellShows']) =>
    assert.rejects(settle(getFactors, Response.json(body, { status }), { token: null, shellShows }), { status })

  it('reports that the account has to be taken over, wherever the failure is shown', async () => {
    const claim = { error: 'No.', message: 'No.', reason: 'claim' }
    for (const shows of ['all', 'ended-session', 'none'] as const)
      assert.deepEqual(await kindsReportedBy(() => settled(403, claim, shows)), ['claim'])
  })

  it('is a full limit or a lost answer, unless the caller shows it', async () => {
    assert.deepEqual(await kindsReportedBy(() => settled(429, {}, 'all')), ['too-many'])
    assert.deepEqual(await kindsReportedBy(() => settled(429, {}, 'ended-session')), [])
    assert.deepEqual(await kindsReportedBy(() => createNoAnswerError('all')), ['no-answer'])
    assert.deepEqual(await kindsReportedBy(() => createNoAnswerError('none')), [])
  })
})
