import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { DESK_QUERY_HEADER } from '#contract/desk.ts'
import { getFactors } from '#contract/factors.ts'
import { CALL_TEXTS, formatUnknownError } from '#contract/messages.ts'
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

const failWith = async (status: number, body: unknown) => toCallError(status, body)

describe('the texts of a failed call', () => {
  it('are the server’s error text, else its message, else the status', async () => {
    assert.equal(dialogText(await failWith(422, { error: 'No.', message: 'Never.' })), 'No.')
    assert.equal(dialogText(await failWith(422, { message: 'Never.' })), 'Never.')
    assert.equal(dialogText(await failWith(502, null)), 'Unkown Error : Status 502')
    assert.equal(formatUnknownError(500), 'Unkown Error : Status 500')
  })

  it('differ in a dialog and an alert when there is no response', () => {
    const unanswered = new CallError(0, CALL_TEXTS.network)
    assert.equal(dialogText(unanswered), 'An unexpected error occurred. Please try again.')
    assert.equal(alertText(unanswered), 'Network error. Please check your connection.')
  })

  it('use the text of FAIL-4 in an alert about too many requests', async () => {
    assert.equal(alertText(await failWith(429, null)), 'Too many Requests! try again later')
  })

  it('leave the server’s reason to the error’s `reason`', async () => {
    assert.equal((await failWith(403, { error: 'No.', message: 'No.', reason: 'sudo' })).reason, 'sudo')
    assert.equal((await failWith(403, { error: 'No.', message: 'No.' })).reason, undefined)
    assert.equal((await failWith(502, null)).reason, undefined)
  })
})

describe('the request of a call', () => {
  it('sends search queries of the desk in a header, and other input in the address', () => {
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
  const settleWith = (status: number, body: object, shellShows: CallOptions['shellShows']) =>
    assert.rejects(settle(getFactors, Response.json(body, { status }), { token: null, shellShows }), { status })

  it('reports that the account must be taken over, wherever the failure is shown', async () => {
    const claim = { error: 'No.', message: 'No.', reason: 'claim' }
    for (const shows of ['all', 'ended-session', 'none'] as const)
      assert.deepEqual(await kindsReportedBy(() => settleWith(403, claim, shows)), ['claim'])
  })

  it('reports a full limit or a lost response, unless the caller shows it', async () => {
    assert.deepEqual(await kindsReportedBy(() => settleWith(429, {}, 'all')), ['too-many'])
    assert.deepEqual(await kindsReportedBy(() => settleWith(429, {}, 'ended-session')), [])
    assert.deepEqual(await kindsReportedBy(() => createNoAnswerError('all')), ['no-answer'])
    assert.deepEqual(await kindsReportedBy(() => createNoAnswerError('none')), [])
  })
})
