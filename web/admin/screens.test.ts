import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SCREENS } from './screens.ts'

test('no two screens of the desk have the same path or the same key', () => {
  for (const field of ['path', 'key'] as const) {
    const values = SCREENS.map((screen) => screen[field]).filter((value) => value !== undefined)
    assert.deepEqual(values, [...new Set(values)])
  }
})

test('keys of screens are single small letters', () => {
  for (const { key } of SCREENS) if (key !== undefined) assert.match(key, /^[a-z]$/)
})
