import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestApp } from '#test/helpers.ts'

const site = await createTestApp({ world: 'empty' })

test('of very many different searches at once a few run, some wait, and the rest is asked to come back', async () => {
  const answers = await Promise.all(Array.from({ length: 100 }, (_, at) => site.get(`/api/search?q=word${at}`)))
  const refused = answers.filter(({ status }) => status === 503)
  assert.ok(refused.length > 0 && refused.length < 100, `${refused.length} refused`)
  assert.ok(answers.every(({ status }) => status === 200 || status === 503))
  for (const { headers } of refused) assert.match(String(headers.get('retry-after')), /^[1-9]/)
  assert.equal((await site.get('/api/search?q=later')).status, 200)
})
