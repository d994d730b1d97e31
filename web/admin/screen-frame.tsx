import { type ReactNode, useLayoutEffect } from 'react'
import { isAllowed, useMe } from './me.ts'
import { PermissionMissing } from './notices.tsx'
import type { Screen } from './screens.ts'

/**
 * Sets the window's title to the screen's, which the screen can change later, and refuses operators without its
 * permission.
 */
export function ScreenFrame({ screen, children }: { screen: Screen; children: ReactNode }) {
  const me = useMe()
  useLayoutEffect(() => {
    document.title = `${screen.title} | Desk`
  }, [screen])
  return isAllowed(me, screen.permission) ? children : <PermissionMissing access={screen.permission} />
}
