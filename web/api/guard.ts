import { useEffect } from 'react'
import { useLocation, useNavigate } from 'react-router'
import type { Page } from './page.ts'
import { useSessionState } from './session.ts'

/**
 * Guards the current page (ROUTE-1, ROUTE-5). Guests on a players' page go to /login and return afterwards; players on
 * a guests' page go to the home page. It is a component that renders nothing, so the page does not rerender when
 * the browser reads the session.
 */
export function PageGuard({ access }: { access: Page['access'] }): null {
  const state = useSessionState()
  const navigate = useNavigate()
  const { pathname, search } = useLocation()
  useEffect(() => {
    if (isLeaving()) return
    if (access === 'players' && state === 'guest') void navigate(getLoginPath(pathname + search), { replace: true })
    if (access === 'guests' && state === 'in') void navigate('/', { replace: true })
  }, [access, state, navigate, pathname, search])
  return null
}

/**
 * Returns whether a text is a path of this site: it starts with a single slash, and contains no character that would
 * make a browser read it as an address of another site.
 */
export const isSitePath = (text: string): boolean => /^\/(?!\/)[^\\\p{Cc}]*$/u.test(text)

/** Returns the requested path if it is a path of this site other than /login, otherwise `/` (ROUTE-6). */
export function toReturnPath(text: string | null): string {
  if (text === null || !isSitePath(text)) return '/'
  return /^\/login(?![^/?#])/i.test(text) ? '/' : text
}

/** The item that a guest chose to add to the cart or to buy (SHOP-8). */
export type LoginIntent = { add: number } | { buy: number }

/** Returns the address of /login that leads back to a path and carries the guest's chosen item. */
export function getLoginPath(path: string, intent?: LoginIntent): string {
  const returnPath = toReturnPath(path)
  const query = [
    ...(returnPath === '/' ? [] : [`next=${encodeURIComponent(returnPath)}`]),
    ...Object.entries(intent ?? {}).map(([name, item]) => `${name}=${item}`),
  ]
  return query.length === 0 ? '/login' : `/login?${query.join('&')}`
}

let actionAfterLogin: (() => void) | undefined

/** Sets the action that follows the next login; undefined for none. */
export function setActionAfterLogin(action: (() => void) | undefined): void {
  actionAfterLogin = action
}

/** Returns the action that follows the current login, and clears it. */
export function takeActionAfterLogin(): (() => void) | undefined {
  const action = actionAfterLogin
  actionAfterLogin = undefined
  return action
}

let leavingCount = 0

/**
 * Returns whether a login, a logout or an expired session is navigating to another page. Guards do nothing until that
 * page is displayed.
 */
export function isLeaving(): boolean {
  return leavingCount > 0
}

/**
 * Runs an action that changes the session and leaves the page. Guards do not redirect the visitor during it.
 *
 * @param navigateAway changes the session, then navigates; resolves when the other page is displayed
 */
export async function leavePage(navigateAway: () => Promise<void>): Promise<void> {
  leavingCount++
  try {
    await navigateAway()
  } finally {
    leavingCount--
  }
}

/** Resolves after `ms` milliseconds. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
