import { useSyncExternalStore } from 'react'

/**
 * Returns whether the browser is offline, or the service worker showed a cached page because the site did not respond
 * (OFFLINE-2).
 */
export const isOffline = () => !navigator.onLine || document.documentElement.dataset.offline !== undefined

function subscribe(listener: () => void): () => void {
  for (const type of ['online', 'offline']) window.addEventListener(type, listener)
  return () => {
    for (const type of ['online', 'offline']) window.removeEventListener(type, listener)
  }
}

/** Returns `isOffline` and rerenders when it changes; false on the server. */
export const useOffline = () => useSyncExternalStore(subscribe, isOffline, () => false)

/** Returns whether the service worker can show a cached page instead of a document that fails to load. */
export const hasSavedPages = () => Boolean(navigator.serviceWorker?.controller)

/** Returns the names of the service worker's caches; empty without https, or if the browser blocks the storage. */
export async function listCacheNames(): Promise<string[]> {
  try {
    return 'caches' in globalThis ? await caches.keys() : []
  } catch {
    return []
  }
}

/** Deletes the service worker's caches. */
export async function deleteSavedPages(): Promise<void> {
  for (const name of await listCacheNames()) await caches.delete(name)
}
