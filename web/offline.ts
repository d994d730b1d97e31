import { pageAt } from './pages.ts'

let registered: Promise<ServiceWorkerRegistration> | undefined

/**
 * Has the service worker keep the page on show, if search engines may know it too: all others are a player's, or have a
 * secret in their address.
 */
export async function saveForOffline(address: string): Promise<void> {
  // There is none without https. In development it would show old code.
  const worker: ServiceWorkerContainer | undefined = navigator.serviceWorker
  if (worker === undefined || import.meta.env.DEV) return
  registered ??= worker.register('/service-worker.js')
  await registered
  const { pathname, searchParams } = new URL(address, location.origin)
  const { access, listing, search } = pageAt(pathname).page
  const isDeclared = [...searchParams.keys()].every((name) => search?.names.includes(name))
  const isKept = isDeclared && access === 'all' && listing !== 'noindex'
  const { active } = await worker.ready
  // The menu opens without network, too.
  await import('./shell/drawer.tsx')
  // The files that were loaded before the worker was there.
  const files = performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname)
  active?.postMessage({ keep: isKept ? address : '', files: files.filter((file) => file.startsWith('/assets/')) })
}
