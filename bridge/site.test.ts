import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pairBridge } from '#contract/bridge.ts'
import type { CallInput } from '#contract/endpoint.ts'
import { callUnsigned } from './site.ts'

const pairThrough = (sendRequest: typeof fetch) =>
  callUnsigned('https://play.example.ph', pairBridge, {} as CallInput<typeof pairBridge>, sendRequest)

test('reports a missing answer with the reason of the system', async () => {
  const error = new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED') })
  await assert.rejects(
    pairThrough(() => Promise.reject(error)),
    {
      name: 'SiteUnavailable',
      message: 'The bridge could not get an answer from the site: connect ECONNREFUSED',
    },
  )
})

test('reports an answer over 32 MB as too long', async () => {
  const longAnswer = new Response(new Uint8Array(32 * 1024 * 1024 + 1))
  await assert.rejects(
    pairThrough(() => Promise.resolve(longAnswer)),
    {
      name: 'SiteUnavailable',
      message: 'The answer of the site is too long.',
    },
  )
})
