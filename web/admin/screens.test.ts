import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SCREENS } from './screens.ts'

test('gives every screen of the desk its own path and key', () => {
  for (const field of ['path', 'key'] as const) {
    const values = SCREENS.map((screen) => screen[field])
    assert.deepEqual(values, [...new Set(values)])
  }
})

test('gives every screen of the desk a key of one letter', () => {
  for (const { key, path } of SCREENS) assert.match(key, /^[a-zA-Z]$/, path)
})
