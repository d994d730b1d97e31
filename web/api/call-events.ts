/** What a call met that concerns the whole page, not only who asked (SPEC §8). */
export type CallEvent = { kind: 'expired'; message: string } | { kind: 'too-many' } | { kind: 'no-answer' }

const listeners = new Set<(event: CallEvent) => void>()

/** Tells whoever listens, which is the shell. */
export function tellCallEvent(event: CallEvent): void {
  for (const listener of listeners) listener(event)
}

/** Listens until the returned function is called. */
export function onCallEvent(listener: (event: CallEvent) => void): () => void {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}
