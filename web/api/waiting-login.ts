import { useSyncExternalStore } from 'react'
import type { CallOutput } from '#contract/endpoint.ts'
import type { processLogin } from '#contract/session.ts'

/** A login with the right password that waits for its second factor. */
export type WaitingLogin = {
  challenge: string
  factors: readonly ('totp' | 'passkey' | 'recovery')[]
  options: Record<string, unknown> | undefined
  goTo: string
  /** Whether the login cancels a request to erase the account. */
  keepAccount: boolean
}

/** A correct login to a blocked account: its credentials, for an appeal, and the response. */
export type BlockedLogin = { UserID: string; UserPass: string; message: string }

/** A correct login to an account that waits to be erased. */
export type ErasingLogin = { UserID: string; UserPass: string; message: string; erasureDueAt: string; goTo: string }

let waiting: WaitingLogin | BlockedLogin | ErasingLogin | null = null
const listeners = new Set<() => void>()

/** Stores a login in memory only, so a reload restarts it. Null deletes it. */
export function holdLogin(login: typeof waiting): void {
  waiting = login
  for (const listener of listeners) listener()
}

/** Returns the challenge in a login's response; undefined if there is none. */
export function waitingLogin(
  { challenge, factors = [], options }: CallOutput<typeof processLogin>['data'],
  goTo: string,
  keepAccount = false,
): WaitingLogin | null {
  return typeof challenge === 'string' ? { challenge, factors, options, goTo, keepAccount } : null
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

/** Returns the login that waits in this tab. */
export function useWaitingLogin(): typeof waiting {
  return useSyncExternalStore(
    subscribe,
    () => waiting,
    () => null,
  )
}
