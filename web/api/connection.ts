import { useSyncExternalStore } from 'react'

/**
 * Whether the browser has no network, or the service worker showed a cached page because nothing answered (OFFLINE-2).
 */
export const isOffline = () => !navigator.onLine || document.documentElement.dataset.offline !== undefined

function subscribe(listener: () => void): () => void {
  for (const sign of ['online', 'offline']) window.addEventListener(sign, listener)
  return () => {
    for (const sign of ['online', 'offline']) window.removeEventListener(sign, listener)
  }
}

/** The same as it changes; false on the server. */
export const useOffline = () => useSyncExternalStore(subscribe, isOffline, () => false)

/** Whether the service worker would show a cached page in place of a document that fails to load. */
export const hasSavedPages = () => Boolean(navigator.serviceWorker?.controller)

/** Returns the names of the service worker's caches: none without https, or where the browser blocks its storage. */
export async function listCacheNames(): Promise<string[]> {
  try {
    return 'caches' in globalThis ? await caches.keys() : []
  } catch {
    return []
  }
}

/** Deletes what the service worker stored. */
export async function deleteSavedPages(): Promise<void> {
  for (const name of await listCacheNames()) await caches.delete(name)
}
