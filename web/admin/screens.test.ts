import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SCREENS } from './screens.ts'

test('no two screens of the desk have the same path or the same key', () => {
  for (const field of ['path', 'key'] as const) {
    const values = SCREENS.map((screen) => screen[field])
    assert.deepEqual(values, [...new Set(values)])
  }
})

test('every screen of the desk has a key of one letter', () => {
  for (const { key, path } of SCREENS) assert.match(key, /^[a-zA-Z]$/, path)
})
