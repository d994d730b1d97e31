import { getPageAt } from './pages.ts'

let registration: Promise<ServiceWorkerRegistration> | undefined

/**
 * Makes the service worker cache the current page if it is public. Other pages are private, or have a secret in their
 * address.
 */
export async function saveForOffline(address: string): Promise<void> {
  // No service worker exists without https. In development it would show old code.
  const worker: ServiceWorkerContainer | undefined = navigator.serviceWorker
  if (worker === undefined || import.meta.env.DEV) return
  registration ??= worker.register('/service-worker.js')
  await registration
  const { pathname, searchParams } = new URL(address, location.origin)
  const { access, listing, search } = getPageAt(pathname).page
  const isDeclared = [...searchParams.keys()].every((name) => search?.names.includes(name))
  const isCacheable = isDeclared && access === 'all' && listing !== 'noindex'
  const { active } = await worker.ready
  // The drawer must open offline, too.
  await import('./shell/drawer.tsx')
  // Files that loaded before the service worker started.
  const files = performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname)
  active?.postMessage({ keep: isCacheable ? address : '', files: files.filter((file) => file.startsWith('/assets/')) })
}
