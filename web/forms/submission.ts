import { createIdempotencyKey, isRefusedBeforeRun, mayHaveTakenEffect } from '#web/api/call.ts'

/**
 * Returns a function that sends content with an Idempotency-Key (CALL-12, CALL-13). After a lost response, the same
 * content is sent with the same key, so it takes effect once. After a response or a refusal, the next send uses a new
 * key. A repeat keeps its key if it is refused before it runs, because the outcome of the lost attempt is still unknown.
 */
export function createKeyedSend(createKey = createIdempotencyKey) {
  let lostAttempt: { content: string; key: string } | undefined
  return async <Answer>(input: object, send: (key: string) => Promise<Answer>): Promise<Answer> => {
    const content = serializeContent(input)
    const repeatedAttempt = lostAttempt?.content === content ? lostAttempt : undefined
    const attempt = repeatedAttempt ?? { content, key: createKey() }
    try {
      const answer = await send(attempt.key)
      lostAttempt = undefined
      return answer
    } catch (error) {
      const isLost = mayHaveTakenEffect(error) || (repeatedAttempt !== undefined && isRefusedBeforeRun(error))
      lostAttempt = isLost ? attempt : undefined
      throw error
    }
  }
}

/** Serializes an input to compare it with an earlier one. A file is represented by its name, size and time. */
function serializeContent(input: object): string {
  return JSON.stringify(input, (_, value: unknown) =>
    value instanceof File ? [value.name, value.size, value.lastModified] : value,
  )
}
