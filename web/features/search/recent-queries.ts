import { tabStore } from '#web/api/storage.ts'

const STORAGE_KEY = 'TAMBAYAN_SEARCHES'
const STORED_MAX = 5

/** Returns the searches of this visit, latest first; empty if the storage is unavailable. */
export function readRecentQueries(storage: Pick<Storage, 'getItem'> = tabStore): string[] {
  try {
    const storedQueries: unknown = JSON.parse(storage.getItem(STORAGE_KEY) ?? '[]')
    return Array.isArray(storedQueries)
      ? storedQueries.filter((query) => typeof query === 'string').slice(0, STORED_MAX)
      : []
  } catch {
    return []
  }
}

/** Saves a search that led to a page. Stores the last five, each once, ignoring letter case. */
export function storeRecentQuery(query: string, storage: Pick<Storage, 'getItem' | 'setItem'> = tabStore): void {
  const otherQueries = readRecentQueries(storage).filter(
    (otherQuery) => otherQuery.toLowerCase() !== query.toLowerCase(),
  )
  try {
    storage.setItem(STORAGE_KEY, JSON.stringify([query, ...otherQueries].slice(0, STORED_MAX)))
  } catch {
    // Without working storage, searches are not saved.
  }
}
