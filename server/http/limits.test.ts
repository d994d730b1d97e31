import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LIMITS } from '#contract/request-limits.ts'
import { getTime } from '#contract/site.ts'
import { createApi, createCall } from '#server/api.ts'
import { readConfig } from '#server/config.ts'
import { answerError } from '#server/errors.ts'
import { createTestApp } from '#test/helpers.ts'
import { createLimits } from './limits.ts'

const LIMIT = LIMITS.calls.max
const site = await createTestApp({ world: 'empty' })

/** The calls with limits of their own. */
function limited(env: Record<string, string>) {
  const config = readConfig(env)
  const deps = { ...site, config, limits: createLimits({ ...site, config }) }
  const api = createApi(deps)
  api.onError((error, c) => answerError(error, c, site.log))
  const call = (headers: Record<string, string> = {}) => api.request('/time', { headers })
  return Object.assign(call, { inProcess: createCall(deps) })
}

test('a flood of calls from one address is refused with 429 and Retry-After, and others are not', async () => {
  const call = limited({ TRUST_PROXY: '1' })
  const from = (address: string) => call({ 'X-Forwarded-For': address })
  for (let done = 0; done < LIMIT; done++) assert.equal((await from('203.0.113.5')).status, 200)
  const refused = await from('203.0.113.5')
  assert.equal(refused.status, 429)
  const wait = Number(refused.headers.get('Retry-After'))
  assert.ok(Number.isInteger(wait) && wait >= 1 && wait <= 60, `Retry-After ${wait}`)
  assert.deepEqual(await refused.json(), {
    error: 'Too many Requests! try again later',
    message: 'Too many Requests! try again later',
  })
  assert.equal((await from('203.0.113.6')).status, 200)
})

test('a caller does not escape by writing another X-Forwarded-For', async () => {
  const call = limited({})
  const made = Array.from({ length: LIMIT + 1 }, (_, index) => call({ 'X-Forwarded-For': `203.0.113.${index}` }))
  const statuses = (await Promise.all(made)).map(({ status }) => status)
  assert.equal(statuses.filter((status) => status === 429).length, 1)
})

test('with RATE_LIMIT=off nothing is refused', async () => {
  const call = limited({ RATE_LIMIT: 'off' })
  for (let done = 0; done < LIMIT + 5; done++) assert.equal((await call()).status, 200)
})

test('the pages’ own calls do not count, and nobody else passes as them', async () => {
  const call = limited({})
  for (let done = 0; done < LIMIT + 5; done++) await call.inProcess(getTime, {})
  for (let done = 0; done < LIMIT; done++) assert.equal((await call({ 'X-In-Process': '1' })).status, 200)
  assert.equal((await call({ 'X-In-Process': '1' })).status, 429)
})
