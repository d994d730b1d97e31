import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keepRecentWords, readRecentWords } from './recent-words.ts'

function createStorage(kept?: string) {
  const values = new Map<string, string>(kept === undefined ? [] : [['TAMBAYAN_SEARCHES', kept]])
  return {
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => void values.set(key, value),
  }
}

test('the last five searches are kept, the newest first and each once', () => {
  const storage = createStorage()
  for (const words of ['one', 'two', 'three', 'four', 'five', 'six', 'TWO']) keepRecentWords(words, storage)
  assert.deepEqual(readRecentWords(storage), ['TWO', 'six', 'five', 'four', 'three'])
})

test('a storage with nonsense in it, or none, has no searches', () => {
  for (const kept of ['{', '{"a":1}', 'null', '[1,null]']) assert.deepEqual(readRecentWords(createStorage(kept)), [])
  const forbidden = {
    getItem: () => {
      throw new Error('forbidden')
    },
    setItem: () => {
      throw new Error('forbidden')
    },
  }
  assert.deepEqual(readRecentWords(forbidden), [])
  keepRecentWords('one', forbidden)
})
