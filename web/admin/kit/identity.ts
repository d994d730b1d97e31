import { useSyncExternalStore } from 'react'

/** A prompt of the open identity dialog: `answer` closes it, and `answered` resolves with the answer. */
type Question = { answer: (isConfirmed: boolean) => void; answered: Promise<boolean> }

let question: Question | null = null
const listeners = new Set<() => void>()

function setQuestion(next: Question | null): void {
  question = next
  for (const listener of listeners) listener()
}

/**
 * Prompts the operator to confirm their identity. Concurrent calls share one prompt.
 *
 * @returns whether the operator confirmed
 */
export function promptIdentity(): Promise<boolean> {
  if (question !== null) return question.answered
  const { promise, resolve } = Promise.withResolvers<boolean>()
  setQuestion({
    answered: promise,
    answer: (isConfirmed) => {
      setQuestion(null)
      resolve(isConfirmed)
    },
  })
  return promise
}

/** Returns the open prompt for the dialog that shows it, or null. */
export function useIdentityQuestion(): Question | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => question,
  )
}
