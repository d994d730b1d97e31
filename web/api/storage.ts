/** The part of the browser's storage that the site uses. */
export type Store = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> & {
  keys: () => string[]
  /** Returns whether the newest value of a key exists only in this page, because the storage refused it. */
  isInMemory: (key: string) => boolean
}

/**
 * Wraps a storage of the browser that may be blocked or full. Values that the storage refuses stay in memory until the
 * page closes. No method throws.
 *
 * @param getStorage returns the storage; throws if the browser blocks it
 */
export function createStore(getStorage: () => Storage): Store {
  const memory = new Map<string, string | null>()
  const tryWith = <T>(action: (storage: Storage) => T, fallback: T): T => {
    try {
      return action(getStorage())
    } catch {
      return fallback
    }
  }
  return {
    getItem: (key) => memory.get(key) ?? (memory.has(key) ? null : tryWith((storage) => storage.getItem(key), null)),
    setItem: (key, value) => {
      const isStored = tryWith((storage) => {
        storage.setItem(key, value)
        return true
      }, false)
      if (isStored) memory.delete(key)
      else memory.set(key, value)
    },
    removeItem: (key) => {
      const isRemoved = tryWith((storage) => {
        storage.removeItem(key)
        return true
      }, false)
      if (isRemoved) memory.delete(key)
      else memory.set(key, null)
    },
    keys: () => {
      const storedKeys = tryWith((storage) => Object.keys(storage), [])
      return [...new Set([...storedKeys, ...memory.keys()])].filter((key) => memory.get(key) !== null)
    },
    isInMemory: (key) => typeof memory.get(key) === 'string',
  }
}

/** The storage that all tabs of this browser share. */
export const browserStore = createStore(() => localStorage)

/** The storage of this tab. */
export const tabStore = createStore(() => sessionStorage)
