import { tabStore } from '#web/api/storage.ts'

const KEY = 'TAMBAYAN_SEARCHES'
const KEPT = 5

/** The searches of this visit, the latest first; none when storage is unavailable. */
export function readRecentWords(storage: Pick<Storage, 'getItem'> = tabStore): string[] {
  try {
    const stored: unknown = JSON.parse(storage.getItem(KEY) ?? '[]')
    return Array.isArray(stored) ? stored.filter((words) => typeof words === 'string').slice(0, KEPT) : []
  } catch {
    return []
  }
}

/** Saves a search that led to a page: each once, ignoring letter case, and only the last five. */
export function keepRecentWords(words: string, storage: Pick<Storage, 'getItem' | 'setItem'> = tabStore): void {
  const others = readRecentWords(storage).filter((other) => other.toLowerCase() !== words.toLowerCase())
  try {
    storage.setItem(KEY, JSON.stringify([words, ...others].slice(0, KEPT)))
  } catch {
    // Without working storage, searches are not saved.
  }
}
