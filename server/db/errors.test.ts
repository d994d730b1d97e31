import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isDatabaseAway } from './errors.ts'

const withCode = (code: string) => Object.assign(new Error('no'), { code })

test('a connection that cannot be made or is lost, and work that cannot be done now, mean that the database is away', () => {
  for (const code of [
    'ECONNREFUSED',
    'ECONNRESET',
    'ETIMEDOUT',
    'EPIPE',
    'ENOTFOUND',
    'EAI_AGAIN',
    'EHOSTUNREACH',
    'ENETUNREACH',
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
    assert.equal(isDatabaseAway(withCode(code)), true, code)
  }
  for (const message of [
    'Connection terminated unexpectedly',
    'Connection terminated due to connection timeout',
    'timeout exceeded when trying to connect',
    'timeout expired',
    'Client has encountered a connection error and is not queryable',
  ]) {
    assert.equal(isDatabaseAway(new Error(message)), true, message)
  }
})

test('a statement that the database refused, or any other accident, does not', () => {
  for (const code of ['23505', '23514', '42P01', '22P02', '42501', 'ENOENT', 'EACCES']) {
    assert.equal(isDatabaseAway(withCode(code)), false, code)
  }
  for (const other of [new Error('x is not a function'), null, undefined, 'text', { code: 8006 }]) {
    assert.equal(isDatabaseAway(other), false)
  }
})
