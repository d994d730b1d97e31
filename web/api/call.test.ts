import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { DESK_QUERY_HEADER } from '#contract/desk.ts'
import { getFactors } from '#contract/factors.ts'
import { CALL_TEXTS, formatUnknownError } from '#contract/messages.ts'
import { getPlayers } from '#contract/players.ts'
import { getSearch } from '#contract/search.ts'
import {
  buildRequest,
  CallError,
  type CallOptions,
  createNoAnswerError,
  getAlertText,
  getDialogText,
  isNotFoundError,
  onCallEvent,
  readResponse,
  toCallError,
} from './call.ts'

const createFailure = async (status: number, body: unknown) => toCallError(status, body)

describe('the texts of a failed call', () => {
  it('are the server’s error text, else its message, else the status', async () => {
    assert.equal(getDialogText(await createFailure(422, { error: 'No.', message: 'Never.' })), 'No.')
    assert.equal(getDialogText(await createFailure(422, { message: 'Never.' })), 'Never.')
    assert.equal(getDialogText(await createFailure(502, null)), 'Unkown Error : Status 502')
    assert.equal(formatUnknownError(500), 'Unkown Error : Status 500')
  })

  it('differ in a dialog and an alert when there is no response', () => {
    const networkError = new CallError(0, CALL_TEXTS.network)
    assert.equal(getDialogText(networkError), 'An unexpected error occurred. Please try again.')
    assert.equal(getAlertText(networkError), 'Network error. Please check your connection.')
  })

  it('use the text of FAIL-4 in an alert about too many requests', async () => {
    assert.equal(getAlertText(await createFailure(429, null)), 'Too many Requests! try again later')
  })

  it('do not include the server’s reason, which is in `reason`', async () => {
    assert.equal((await createFailure(403, { error: 'No.', message: 'No.', reason: 'sudo' })).reason, 'sudo')
    assert.equal((await createFailure(403, { error: 'No.', message: 'No.' })).reason, undefined)
    assert.equal((await createFailure(502, null)).reason, undefined)
  })
})

it('counts only the status 404 as not found', async () => {
  assert.equal(isNotFoundError(await createFailure(404, { message: 'Never.' })), true)
  for (const status of [0, 401, 422, 429, 500])
    assert.equal(isNotFoundError(await createFailure(status, null)), false, String(status))
  assert.equal(isNotFoundError(new Error('No.')), false)
})

describe('the request of a call', () => {
  it('sends search queries of the desk in a header, and other input in the address', () => {
    const deskRequest = buildRequest(getPlayers, { q: 'juan@example.ph', sort: 'user_num' })
    assert.equal(deskRequest.url, '/api/admin/players')
    assert.deepEqual(deskRequest.init.headers, { [DESK_QUERY_HEADER]: 'q=juan%40example.ph&sort=user_num' })
    assert.deepEqual(buildRequest(getPlayers, {}), { url: '/api/admin/players', init: { method: 'GET', headers: {} } })
    assert.equal(buildRequest(getSearch, { q: 'kris' }).url, '/api/search?q=kris')
  })
})

describe('the event of a failed call for the shell', () => {
  const collectEventKinds = async (makeCall: () => unknown) => {
    const kinds: string[] = []
    const stopListening = onCallEvent(({ kind }) => void kinds.push(kind))
    await makeCall()
    stopListening()
    return kinds
  }
  const settleFailedCall = (status: number, body: object, shellFailures: CallOptions['shellFailures']) =>
    assert.rejects(readResponse(getFactors, Response.json(body, { status }), { token: null, shellFailures }), {
      status,
    })

  it('reports that the account must be taken over, wherever the failure is shown', async () => {
    const claimBody = { error: 'No.', message: 'No.', reason: 'claim' }
    for (const shellFailures of ['all', 'ended-session', 'none'] as const)
      assert.deepEqual(await collectEventKinds(() => settleFailedCall(403, claimBody, shellFailures)), ['claim'])
  })

  it('reports a full limit or a lost response, unless the caller shows it', async () => {
    assert.deepEqual(await collectEventKinds(() => settleFailedCall(429, {}, 'all')), ['too-many'])
    assert.deepEqual(await collectEventKinds(() => settleFailedCall(429, {}, 'ended-session')), [])
    assert.deepEqual(await collectEventKinds(() => createNoAnswerError('all')), ['no-answer'])
    assert.deepEqual(await collectEventKinds(() => createNoAnswerError('none')), [])
  })
})
