import { CallError, createIdempotencyKey } from '#web/api/call.ts'

/** Whether a call may have taken effect although it failed: its answer was lost, or the server broke over it. */
export function isAnswerLost(error: unknown): boolean {
  return error instanceof CallError && (error.status === 0 || error.status >= 500)
}

/**
 * Sends with an Idempotency-Key that belongs to what is sent (DECISIONS §3 retries): the same content sent again after
 * a lost answer has the same key and so counts once. An answer, or a refusal, ends the key.
 */
export function createKeyedSend(createKey = createIdempotencyKey) {
  let kept: { content: string; key: string } | undefined
  return async <Answer>(input: object, send: (key: string) => Promise<Answer>): Promise<Answer> => {
    const content = contentOf(input)
    if (kept?.content !== content) kept = { content, key: createKey() }
    try {
      const answer = await send(kept.key)
      kept = undefined
      return answer
    } catch (error) {
      if (!isAnswerLost(error)) kept = undefined
      throw error
    }
  }
}

/** An input as text, to tell whether it is the same as before. A file is told by its name, size and time. */
function contentOf(input: object): string {
  return JSON.stringify(input, (_, value: unknown) =>
    value instanceof File ? [value.name, value.size, value.lastModified] : value,
  )
}
