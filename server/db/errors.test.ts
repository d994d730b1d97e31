import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isDatabaseUnavailable, markDriverError } from './errors.ts'

const createErrorWithCode = (code: string) => Object.assign(new Error('no'), { code })

const NETWORK_CODES = [
  'ECONNREFUSED',
  'ECONNRESET',
  'ETIMEDOUT',
  'EPIPE',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
]

const LOST_CONNECTION_MESSAGES = [
  'Connection terminated unexpectedly',
  'Connection terminated due to connection timeout',
  'timeout exceeded when trying to connect',
  'timeout expired',
  'Client has encountered a connection error and is not queryable',
]

test('treats the error codes of a failing server as an unavailable database', () => {
  for (const code of [
    '08006',
    '53300',
    '57P01',
    '57P02',
    '57P03',
    '25006',
    '53100',
    '57014',
    '55P03',
    '40001',
    '40P01',
  ]) {
    assert.equal(isDatabaseUnavailable(createErrorWithCode(code)), true, code)
  }
})

test('treats a network error as an unavailable database only if the driver reports it', () => {
  for (const createCommonError of [
    ...NETWORK_CODES.map((code) => () => createErrorWithCode(code)),
    ...LOST_CONNECTION_MESSAGES.map((message) => () => new Error(message)),
  ]) {
    const [callerError, driverError] = [createCommonError(), createCommonError()]
    markDriverError(driverError)
    assert.deepEqual(
      [isDatabaseUnavailable(callerError), isDatabaseUnavailable(driverError)],
      [false, true],
      String(callerError),
    )
  }
})

test('does not treat a refused statement or any other error as an unavailable database', () => {
  for (const code of ['23505', '23514', '42P01', '22P02', '42501', 'ENOENT', 'EACCES']) {
    const error = createErrorWithCode(code)
    markDriverError(error)
    assert.equal(isDatabaseUnavailable(error), false, code)
  }
  for (const otherError of [new Error('x is not a function'), null, undefined, 'text', { code: 8006 }]) {
    assert.equal(isDatabaseUnavailable(otherError), false)
  }
})
