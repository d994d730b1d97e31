import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { LIMITS } from '#contract/request-limits.ts'
import { createTestApp } from '#test/helpers.ts'
import type { ApiDocument } from './openapi.ts'

const site = await createTestApp({ world: 'empty' })
const { text, json } = await site.get('/api/openapi.json')
const document: ApiDocument = json()
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, ...operation })),
)
const findOperation = (name: string) => operations.find((operation) => operation.name === name)

test('passes the recommended rules of Redocly without a finding', async () => {
  const config = await createConfig('extends: [recommended]')
  const findings = await lintFromString({ source: text, config })
  assert.deepEqual(
    findings.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`),
    [],
  )
})

test('every call has a unique name, a summary, an area, its access and its limit', () => {
  assert.ok(operations.length >= 40)
  assert.equal(new Set(operations.map(({ operationId }) => operationId)).size, operations.length)
  for (const { name, summary, tags, description, security, responses } of operations) {
    assert.match(summary, /^[A-Z]/, name)
    assert.ok(
      document.tags.some((tag) => tag.name === tags[0]),
      name,
    )
    assert.match(description, /^\*\*Who:\*\* [A-Z].*\.\n\n\*\*Limit:\*\* \d+ .* in \d+ min\./, name)
    assert.ok(Array.isArray(security), name)
    assert.ok('200' in responses && '429' in responses, name)
  }
  assert.deepEqual(document.info.license, { name: 'MIT', identifier: 'MIT' })
})

test('describes access, limits, keys and refusals as declared', () => {
  const buy = findOperation('POST /buyitem')
  assert.deepEqual(buy?.security, [{ token: [] }])
  assert.deepEqual(
    buy?.parameters?.map((parameter) => parameter.name),
    ['productnum', 'quantity', 'character', 'choice', 'Idempotency-Key'],
  )
  assert.match(buy?.responses[422]?.description ?? '', /Not enough R-Coin\./)
  assert.deepEqual(Object.keys(buy?.responses ?? {}).sort(), ['200', '401', '403', '404', '409', '422', '429', '503'])

  const submit = findOperation('POST /submitticket')
  assert.deepEqual(submit?.security, [{}, { token: [] }])
  assert.match(
    submit?.description ?? '',
    new RegExp(`${LIMITS.ticketForms.max} ${LIMITS.ticketForms.counts} in 60 min`),
  )
  assert.deepEqual(Object.keys(submit?.requestBody?.content ?? {}), ['multipart/form-data'])

  const news = findOperation('GET /getspecificnews/{id}')
  assert.deepEqual(news?.security, [])
  assert.match(news?.description ?? '', /\*\*Cached:\*\*/)
  assert.match(findOperation('POST /admin/tickets/answer')?.description ?? '', /permission tickets\.answer/)
  assert.deepEqual(Object.keys(findOperation('POST /ticketscreenshot')?.responses[200]?.content ?? {}), ['image/webp'])
})

test('shows access and limits on the page of the calls without a script', async () => {
  const page = await site.get('/api/docs')
  assert.match(page.text, /<b>Who:<\/b> Players who are logged in\./)
  assert.match(page.text, /<b>Limit:<\/b> 1500 logins from one address in 15 min\./)
  assert.doesNotMatch(page.text, /\*\*|<script/)
})
