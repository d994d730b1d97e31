import { type ReactNode, useLayoutEffect } from 'react'
import { isAllowed, useMe } from './me.ts'
import { MayNot } from './notices.tsx'
import type { Screen } from './screens.ts'

/** Names the window after a screen, before the screen may do so itself, and keeps it from who may not open it. */
export function ScreenFrame({ screen, children }: { screen: Screen; children: ReactNode }) {
  const me = useMe()
  useLayoutEffect(() => {
    document.title = `${screen.title} | Desk`
  }, [screen])
  return isAllowed(me, screen.permission) ? children : <MayNot access={screen.permission} />
}
