import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { momentWords } from './moment-words.ts'

describe('the date of a history', () => {
  it('is Manila’s, also where the day there is another one', () => {
    assert.deepEqual(momentWords('2026-11-20T16:30:00.000Z'), { date: '21 Nov 2026', time: '00:30' })
  })
})
