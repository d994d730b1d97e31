import { useEffect } from 'react'
import { useLocation, useNavigate } from 'react-router'
import type { Page } from './page.ts'
import { useSessionState } from './session.ts'

/**
 * Guards the present page (ROUTE-1, ROUTE-5): guests of a players' page are sent to /login and return afterwards;
 * players on a guests' page are sent home. It renders nothing, so the page around it does not render again when the
 * login is known.
 */
export function PageGuard({ access }: { access: Page['access'] }): null {
  const state = useSessionState()
  const navigate = useNavigate()
  const { pathname, search } = useLocation()
  useEffect(() => {
    if (isLeaving()) return
    if (access === 'players' && state === 'guest') void navigate(loginPathFor(pathname + search), { replace: true })
    if (access === 'guests' && state === 'in') void navigate('/', { replace: true })
  }, [access, state, navigate, pathname, search])
  return null
}

/** Whether it is a path of this site: it starts with one slash, and nothing in it can make a browser read it as another address. */
export const isOwnPath = (wanted: string): boolean => /^\/(?!\/)[^\\\p{Cc}]*$/u.test(wanted)

/**
 * Where a visitor wanted to go, if that is a path of this site. /login itself does not count.
 *
 * @returns the path, or `/`
 */
export function ownPath(wanted: string | null): string {
  if (wanted === null || !isOwnPath(wanted)) return '/'
  return /^\/login(?![^/?#])/i.test(wanted) ? '/' : wanted
}

/** The item that a guest wanted to add to the cart or to buy (SHOP-8). */
export type LoginIntent = { add: number } | { buy: number }

/** Returns the address of /login that returns to a path afterwards and carries the guest's intention. */
export function loginPathFor(path: string, intent?: LoginIntent): string {
  const next = ownPath(path)
  const query = [
    ...(next === '/' ? [] : [`next=${encodeURIComponent(next)}`]),
    ...Object.entries(intent ?? {}).map(([name, item]) => `${name}=${item}`),
  ]
  return query.length === 0 ? '/login' : `/login?${query.join('&')}`
}

let afterLogin: (() => void) | undefined

/** Sets the action that follows the next login; undefined for none. */
export function setAfterLogin(action: (() => void) | undefined): void {
  afterLogin = action
}

/** Returns the action that follows the current login, and clears it. */
export function takeAfterLogin(): (() => void) | undefined {
  const action = afterLogin
  afterLogin = undefined
  return action
}

let leaving = 0

/** Whether a login, a logout or an expired session is on its way to another page. Until it arrives, guards do nothing. */
export function isLeaving(): boolean {
  return leaving > 0
}

/**
 * Changes the session and goes to another page, in that order, without a guard sending the visitor somewhere else in
 * between.
 *
 * @param go resolves when the other page is shown
 */
export async function leave(go: () => Promise<void>): Promise<void> {
  leaving++
  try {
    await go()
  } finally {
    leaving--
  }
}

/** Resolves after `ms` milliseconds. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
