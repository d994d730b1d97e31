import { useSyncExternalStore } from 'react'
import './schemes.css'

const STORAGE_KEY = 'DESK_SCHEME'
const LIGHT_QUERY = matchMedia('(prefers-color-scheme: light)')
const CHANGE_EVENT = 'desk-scheme'

/** `system` follows the device; `light` and `dark` are the operator's choice on this device. */
export type SchemeChoice = 'system' | 'light' | 'dark'

function readChoice(): SchemeChoice {
  try {
    const stored = localStorage.getItem(STORAGE_KEY)
    return stored === 'light' || stored === 'dark' ? stored : 'system'
  } catch {
    return 'system'
  }
}

function applyScheme(): void {
  const choice = readChoice()
  document.documentElement.dataset.scheme = choice !== 'system' ? choice : LIGHT_QUERY.matches ? 'light' : 'dark'
}

/** Applies the light or dark scheme and follows changes. Call it once, before the desk renders. */
export function startScheme(): void {
  applyScheme()
  LIGHT_QUERY.addEventListener('change', applyScheme)
}

/** Returns the operator's choice and a function that changes it. */
export function useScheme(): [SchemeChoice, (choice: SchemeChoice) => void] {
  const choice = useSyncExternalStore((listener) => {
    addEventListener(CHANGE_EVENT, listener)
    return () => removeEventListener(CHANGE_EVENT, listener)
  }, readChoice)
  return [
    choice,
    (next) => {
      try {
        if (next === 'system') localStorage.removeItem(STORAGE_KEY)
        else localStorage.setItem(STORAGE_KEY, next)
      } catch {
        // Without storage, the desk follows the device's scheme.
      }
      applyScheme()
      dispatchEvent(new Event(CHANGE_EVENT))
    },
  ]
}
