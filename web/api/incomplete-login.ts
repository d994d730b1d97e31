import { useSyncExternalStore } from 'react'
import type { CallOutput } from '#contract/endpoint.ts'
import type { processLogin } from '#contract/session.ts'

/** A login with the right password that waits for its second factor. */
export type WaitingLogin = {
  challenge: string
  factors: readonly ('totp' | 'passkey' | 'recovery')[]
  options: Record<string, unknown> | undefined
  nextPath: string
  /** Whether the login cancels a request to erase the account. */
  keepAccount: boolean
}

/** A correct login to a blocked account: its credentials, which an appeal sends, and the response's message. */
export type BlockedLogin = { UserID: string; UserPass: string; message: string }

/** A correct login to an account whose erasure is requested. */
export type ErasingLogin = { UserID: string; UserPass: string; message: string; erasureDueAt: string; nextPath: string }

let currentLogin: WaitingLogin | BlockedLogin | ErasingLogin | null = null
const listeners = new Set<() => void>()

/** Stores a login in memory only, so a reload restarts it. Null deletes it. */
export function storeLogin(login: typeof currentLogin): void {
  currentLogin = login
  for (const listener of listeners) listener()
}

/** Returns the login that waits for its second factor; null if the response has no challenge. */
export function toWaitingLogin(
  { challenge, factors = [], options }: CallOutput<typeof processLogin>['data'],
  nextPath: string,
  keepAccount = false,
): WaitingLogin | null {
  return typeof challenge === 'string' ? { challenge, factors, options, nextPath, keepAccount } : null
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

/** Returns the incomplete login of this tab. */
export function useIncompleteLogin(): typeof currentLogin {
  return useSyncExternalStore(
    subscribe,
    () => currentLogin,
    () => null,
  )
}
