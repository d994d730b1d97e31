import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countText } from './text-count.ts'

test('ignores spaces around the text, as the validation of the field does', () => {
  assert.deepEqual(countText(` ${'a'.repeat(10)}\r\n`, 10), {
    typedLength: 10,
    isTooLong: false,
    announcement: '0 characters left',
  })
  assert.deepEqual(countText('a'.repeat(11), 10), {
    typedLength: 11,
    isTooLong: true,
    announcement: '1 character too many',
  })
  assert.deepEqual(countText('a', 4000), { typedLength: 1, isTooLong: false, announcement: '' })
})

test('returns null for a text without a limit', () => {
  assert.equal(countText('a'.repeat(48), undefined), null)
  assert.equal(countText('a'.repeat(48), 0), null)
})
