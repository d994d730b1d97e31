import { lazy, Suspense, useSyncExternalStore } from 'react'

const fetchDrawer = () => import('./drawer.tsx')
const Drawer = lazy(async () => ({ default: (await fetchDrawer()).Drawer }))

let wanted = false
const listeners = new Set<() => void>()

/** Fetches the drawer ahead of the tap that a finger on its button announces. */
export function prepareDrawer(): void {
  void fetchDrawer()
}

/** Puts the drawer into the page; it opens as it arrives. */
export function bringDrawer(): void {
  wanted = true
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The drawer, from its first opening on: most visits never need it. */
export function LazyDrawer() {
  const here = useSyncExternalStore(
    subscribe,
    () => wanted,
    () => false,
  )
  return here ? (
    <Suspense>
      <Drawer />
    </Suspense>
  ) : null
}
