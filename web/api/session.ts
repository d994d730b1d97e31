import { useSyncExternalStore } from 'react'
import { ADMIN_USER_TYPE } from '#contract/limits.ts'
import { deleteSavedPages } from './connection.ts'
import { browserStore } from './storage.ts'

/** The storage keys of SESSION-1. The token is the only secret that is stored. */
export const SESSION_KEYS = { token: 'ACCESS_TOKEN', type: 'USER_TYPE', user: 'USER_DATA' } as const

export type SessionUser = { UserNum: number; UserID: string; UserPoint: number; UserPoint2: number }
export type Session = { token: string; type: number; user: SessionUser }

/**
 * Runs before first paint: marks a stored session on <html>. Styles then hide the content for guests, which would
 * otherwise flash.
 */
export const SESSION_BOOT_SCRIPT = `try{if(localStorage.getItem("${SESSION_KEYS.token}"))document.documentElement.dataset.session="in"}catch{}`

/**
 * Runs after the document is parsed: restores the scroll position from before a reload or a return, and gives the
 * history entry the key under which the router stores the position.
 */
export const SCROLL_BOOT_SCRIPT = `{if(!history.state?.key)history.replaceState({key:Math.random().toString(32).slice(2)},"");try{const y=JSON.parse(sessionStorage.getItem("react-router-scroll-positions")||"{}")[history.state.key];if(typeof y=="number")scrollTo(0,y)}catch{}}`

const listeners = new Set<() => void>()
let cachedSession: { raw: string; session: Session | null } = { raw: '', session: null }

/** Returns the stored token, or null for a guest. */
export function getAccessToken(): string | null {
  return browserStore.getItem(SESSION_KEYS.token)
}

function readSession(): Session | null {
  const token = getAccessToken()
  if (token === null) return null
  const type = browserStore.getItem(SESSION_KEYS.type) ?? ''
  const userText = browserStore.getItem(SESSION_KEYS.user) ?? ''
  const raw = `${token}\n${type}\n${userText}`
  if (raw !== cachedSession.raw) cachedSession = { raw, session: parseSession(token, type, userText) }
  return cachedSession.session
}

function parseSession(token: string, type: string, userText: string): Session | null {
  try {
    const user = JSON.parse(userText) as SessionUser
    return typeof user.UserID === 'string' ? { token, type: Number(type), user } : null
  } catch {
    return null
  }
}

/** Updates the boot script's mark after a login or logout. */
function markDocument(): void {
  const { dataset } = document.documentElement
  if (readSession() === null) delete dataset.session
  else dataset.session = 'in'
}

function notifyListeners(): void {
  markDocument()
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  if (listeners.size === 1) {
    // A stored user that is invalid counts as a guest; the boot script only checked the token.
    markDocument()
    window.addEventListener('storage', notifyListeners)
  }
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) window.removeEventListener('storage', notifyListeners)
  }
}

/** The type that the server last confirmed, with its token. It is not stored, so only the server can change it. */
let confirmation: { token: string; type: number } | null = null

/** Returns whether the server has confirmed a session's token since this page loaded. */
export function isTokenConfirmed(token: string): boolean {
  return confirmation?.token === token
}

/**
 * Stores the server's response about a token for every open tab. The token is written last, because it completes the
 * session.
 */
export function saveSession(
  token: string,
  type: number,
  { UserNum, UserID, UserPoint, UserPoint2 }: SessionUser,
): void {
  confirmation = { token, type }
  browserStore.setItem(SESSION_KEYS.type, String(type))
  browserStore.setItem(SESSION_KEYS.user, JSON.stringify({ UserNum, UserID, UserPoint, UserPoint2 }))
  browserStore.setItem(SESSION_KEYS.token, token)
  notifyListeners()
}

/** Returns whether the session exists only in this page, because the browser blocks the storage (SESSION-7). */
export const isSessionTemporary = () => browserStore.isInMemory(SESSION_KEYS.token)

/**
 * Stores the new token of a confirmed session for every open tab.
 *
 * @param sentToken the token that the confirmation was sent with. If the stored token differs, a later session has
 * begun, and nothing changes
 */
export function renewToken(sentToken: string | null, token: string): void {
  if (sentToken === null || getAccessToken() !== sentToken) return
  if (confirmation?.token === sentToken) confirmation = { token, type: confirmation.type }
  browserStore.setItem(SESSION_KEYS.token, token)
  notifyListeners()
}

/** Stores the balances of a response for every open tab (SESSION-6: after each purchase). */
export function saveBalances({ userPoints, userPoints2 }: { userPoints?: number; userPoints2?: number }): void {
  const session = readSession()
  if (session === null) return
  const { UserPoint, UserPoint2 } = session.user
  const user = { ...session.user, UserPoint: userPoints ?? UserPoint, UserPoint2: userPoints2 ?? UserPoint2 }
  browserStore.setItem(SESSION_KEYS.user, JSON.stringify(user))
  notifyListeners()
}

/** The prefix of the keys of form drafts in the browser's storage. */
export const DRAFT_PREFIX = 'TAMBAYAN_DRAFT_'

/** Deletes players' drafts, for example at a logout, to hide them from the next user of the computer. */
export function deleteDrafts(): void {
  for (const key of browserStore.keys()) if (key.startsWith(DRAFT_PREFIX)) browserStore.removeItem(key)
}

/** Deletes the stored session in every open tab (SESSION-3), and the cached pages for reading offline (OFFLINE-4). */
export function clearSession(): void {
  confirmation = null
  if (getAccessToken() !== null) void deleteSavedPages()
  for (const key of Object.values(SESSION_KEYS)) browserStore.removeItem(key)
  notifyListeners()
}

/** Returns the session of this browser, the same in every open tab; null for guests and on the server. */
export function useSession(): Session | null {
  return useSyncExternalStore(subscribe, readSession, () => null)
}

/** Returns the stored token and rerenders when any tab changes it; null for guests and on the server. */
export function useAccessToken(): string | null {
  return useSyncExternalStore(subscribe, getAccessToken, () => null)
}

/** Returns the account number of the stored session; 0 for guests and on the server. */
export function getAccountNumber(): number {
  return typeof window === 'undefined' ? 0 : (readSession()?.user.UserNum ?? 0)
}

/** A visitor's state on players' pages (SITE-9); `unknown` until the browser has read the session. */
export type SessionState = 'unknown' | 'guest' | 'in'

/** Returns `unknown` on the server, during hydration, and until the account of a token is known. */
function readSessionState(): SessionState {
  if (readSession() !== null) return 'in'
  return getAccessToken() === null ? 'guest' : 'unknown'
}

/** Returns whether the visitor is logged in, for pages that depend on it. */
export function useSessionState(): SessionState {
  return useSyncExternalStore<SessionState>(subscribe, readSessionState, () => 'unknown')
}

function readIsAdmin(): boolean {
  const session = readSession()
  return session !== null && isTokenConfirmed(session.token) && isAdmin(confirmation?.type ?? null, session.type)
}

/** Returns whether an admin is logged in: both the server and the stored type must confirm it (SESSION-5). */
export function useIsAdmin(): boolean {
  return useSyncExternalStore(subscribe, readIsAdmin, () => false)
}

/** Applies the admin check of SESSION-5: the server's type is 11 or more, and the stored type is the same. */
export function isAdmin(confirmedType: number | null, storedType: number): boolean {
  return confirmedType !== null && confirmedType >= ADMIN_USER_TYPE && confirmedType === storedType
}

type LoginAnswer = { user: SessionUser | null; token: string | null; status: number }

/**
 * Reads a login's response by its status (LOGIN-6, SITE-8): up to 1 is a player, 11 or more an admin, 2 to 10 a
 * failure.
 *
 * @returns null for a failure
 */
export function readLoginAnswer({ user, token, status }: LoginAnswer) {
  const isRefused = status > 1 && status < ADMIN_USER_TYPE
  return isRefused || user === null || token === null ? null : { user, token, type: status }
}
