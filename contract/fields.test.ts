// biome-ignore-all lint/style/noRestrictedImports: tests run in Node, what they test does not need it
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { reasonField } from './fields.ts'

test('a reason has 3 to 300 characters and may have line breaks (DESK-23)', () => {
  const isReason = (text: string) => reasonField.safeParse(text).success
  for (const text of ['RMT', 'First prize\nof the fiesta', 'x'.repeat(300)]) assert.ok(isReason(text), text)
  for (const text of ['', '  x ', 'x'.repeat(301), 'a\tb c']) assert.ok(!isReason(text), text)
})
