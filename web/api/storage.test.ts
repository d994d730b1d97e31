import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createStore } from './storage.ts'

const KEY = 'ACCESS_TOKEN'

/** Creates a storage whose values are its properties, as in a browser. */
function createStorage(): Storage {
  const storage = {} as Record<string, string>
  const methods = {
    getItem: (key: string) => storage[key] ?? null,
    setItem: (key: string, value: string) => {
      storage[key] = value
    },
    removeItem: (key: string) => {
      delete storage[key]
    },
    clear: () => undefined,
    key: () => null,
    length: 0,
  }
  return Object.setPrototypeOf(storage, methods)
}

test('stores, lists and removes values in the browser’s storage', () => {
  const storage = createStorage()
  const store = createStore(() => storage)
  store.setItem(KEY, 'abc')
  assert.equal(storage.getItem(KEY), 'abc')
  assert.deepEqual(store.keys(), [KEY])
  assert.equal(store.isInMemory(KEY), false)
  store.removeItem(KEY)
  assert.equal(store.getItem(KEY), null)
})

test('stores values in memory when the browser blocks its storage', () => {
  const store = createStore(() => {
    throw new DOMException('Access is denied.', 'SecurityError')
  })
  assert.equal(store.getItem(KEY), null)
  store.setItem(KEY, 'abc')
  assert.equal(store.getItem(KEY), 'abc')
  assert.equal(store.isInMemory(KEY), true)
  assert.deepEqual(store.keys(), [KEY])
  store.removeItem(KEY)
  assert.equal(store.getItem(KEY), null)
  assert.deepEqual(store.keys(), [])
})

test('returns the newest value when a full storage holds an older one', () => {
  const storage = createStorage()
  const store = createStore(() => storage)
  store.setItem(KEY, 'old')
  Object.getPrototypeOf(storage).setItem = () => {
    throw new DOMException('Full.', 'QuotaExceededError')
  }
  store.setItem(KEY, 'new')
  assert.equal(store.getItem(KEY), 'new')
  store.removeItem(KEY)
  assert.equal(store.getItem(KEY), null)
})
