import { useSyncExternalStore } from 'react'

/** A prompt of the open identity dialog: `answer` closes it, and `answered` resolves with the answer. */
type IdentityPrompt = { answer: (isConfirmed: boolean) => void; answered: Promise<boolean> }

let openPrompt: IdentityPrompt | null = null
const listeners = new Set<() => void>()

function setOpenPrompt(next: IdentityPrompt | null): void {
  openPrompt = next
  for (const listener of listeners) listener()
}

/**
 * Prompts the operator to confirm their identity. Concurrent calls share one prompt.
 *
 * @returns whether the operator confirmed
 */
export function promptIdentity(): Promise<boolean> {
  if (openPrompt !== null) return openPrompt.answered
  const { promise, resolve } = Promise.withResolvers<boolean>()
  setOpenPrompt({
    answered: promise,
    answer: (isConfirmed) => {
      setOpenPrompt(null)
      resolve(isConfirmed)
    },
  })
  return promise
}

/** Returns the open prompt for the dialog that shows it, or null. */
export function useIdentityPrompt(): IdentityPrompt | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => openPrompt,
  )
}
