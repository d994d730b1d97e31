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

/** Returns the address of /login that returns to a path afterwards. */
export function loginPathFor(wanted: string): string {
  const next = ownPath(wanted)
  return next === '/' ? '/login' : `/login?next=${encodeURIComponent(next)}`
}

let wanted: (() => void) | undefined

/** Stores the action of a guest who is sent to /login (SHOP-8). */
export function wantAfterLogin(action: () => void): void {
  wanted = action
}

/** Runs the action from before the login, once. */
export function runPending(): void {
  wanted?.()
  wanted = undefined
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
