import { lazy, Suspense } from 'react'
import { useIdle } from './use-idle.ts'

const Drawer = lazy(async () => ({ default: (await import('./drawer.tsx')).Drawer }))

/** The drawer is fetched when the page is idle; until then its button leads to the footer's links. */
export function LazyDrawer() {
  return useIdle() ? (
    <Suspense>
      <Drawer />
    </Suspense>
  ) : null
}
