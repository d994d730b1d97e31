import { tabStore } from '#web/api/storage.ts'

const KEY = 'TAMBAYAN_SEARCHES'
const STORED_MAX = 5

/** Returns the searches of this visit, latest first; empty if the storage is unavailable. */
export function readRecentQueries(storage: Pick<Storage, 'getItem'> = tabStore): string[] {
  try {
    const stored: unknown = JSON.parse(storage.getItem(KEY) ?? '[]')
    return Array.isArray(stored) ? stored.filter((query) => typeof query === 'string').slice(0, STORED_MAX) : []
  } catch {
    return []
  }
}

/** Saves a search that led to a page. Stores the last five, each once, ignoring letter case. */
export function storeRecentQuery(query: string, storage: Pick<Storage, 'getItem' | 'setItem'> = tabStore): void {
  const others = readRecentQueries(storage).filter((other) => other.toLowerCase() !== query.toLowerCase())
  try {
    storage.setItem(KEY, JSON.stringify([query, ...others].slice(0, STORED_MAX)))
  } catch {
    // Without working storage, searches are not saved.
  }
}
