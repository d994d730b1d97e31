import { type ReactNode, useLayoutEffect } from 'react'
import { isAllowed, useMe } from './me.ts'
import { MayNot } from './notices.tsx'
import type { Screen } from './screens.ts'

/** Names the window after a screen, which may rename it later, and refuses people who may not open the screen. */
export function ScreenFrame({ screen, children }: { screen: Screen; children: ReactNode }) {
  const me = useMe()
  useLayoutEffect(() => {
    document.title = `${screen.title} | Desk`
  }, [screen])
  return isAllowed(me, screen.permission) ? children : <MayNot access={screen.permission} />
}
