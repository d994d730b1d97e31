import { useSyncExternalStore } from 'react'

/** The keys of SPEC §3 Session. Nothing secret but the token is ever stored. */
export const SESSION_KEYS = { token: 'ACCESS_TOKEN', type: 'USER_TYPE', user: 'USER_DATA' } as const

export type SessionUser = { UserNum: number; UserID: string; UserPoint: number; UserPoint2: number }
export type Session = { token: string; type: number; user: SessionUser }

/**
 * Runs before first paint: marks a stored session on <html>, so that styles can
 * hide what belongs to the other state and nothing flashes or shifts.
 */
export const SESSION_BOOT_SCRIPT = `try{if(localStorage.getItem("${SESSION_KEYS.token}"))document.documentElement.dataset.session="in"}catch{}`

const listeners = new Set<() => void>()
let cached: { raw: string; session: Session | null } = { raw: '', session: null }

/** The stored token, or null for a guest. */
export function accessToken(): string | null {
  try {
    return localStorage.getItem(SESSION_KEYS.token)
  } catch {
    return null
  }
}

function readSession(): Session | null {
  const token = accessToken()
  if (token === null) return null
  const type = localStorage.getItem(SESSION_KEYS.type) ?? ''
  const userText = localStorage.getItem(SESSION_KEYS.user) ?? ''
  const raw = `${token}\n${type}\n${userText}`
  if (raw !== cached.raw) cached = { raw, session: parseSession(token, type, userText) }
  return cached.session
}

function parseSession(token: string, type: string, userText: string): Session | null {
  try {
    const user = JSON.parse(userText) as SessionUser
    return typeof user.UserID === 'string' ? { token, type: Number(type), user } : null
  } catch {
    return null
  }
}

/** Keeps the mark of the boot script true, so that the same styles hold after a login or logout. */
function markDocument(): void {
  const { dataset } = document.documentElement
  if (readSession() === null) delete dataset.session
  else dataset.session = 'in'
}

function tellListeners(): void {
  markDocument()
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  if (listeners.size === 1) {
    // A stored user that cannot be read counts as a guest; the boot script saw only the token.
    markDocument()
    window.addEventListener('storage', tellListeners)
  }
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) window.removeEventListener('storage', tellListeners)
  }
}

/** Forgets the stored session, in every open tab (SPEC §4 Logout). */
export function clearSession(): void {
  for (const key of Object.values(SESSION_KEYS)) localStorage.removeItem(key)
  tellListeners()
}

/** The session of this browser, the same in every open tab; null while rendering on the server and for guests. */
export function useSession(): Session | null {
  return useSyncExternalStore(subscribe, readSession, () => null)
}
