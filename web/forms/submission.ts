import { createIdempotencyKey, isRefusedBeforeRun, mayHaveTakenEffect } from '#web/api/call.ts'

/**
 * Returns a function that sends content with an Idempotency-Key (CALL-12, CALL-13). After a lost response, the same
 * content is sent with the same key, so it takes effect once. After a response or a refusal, the next send uses a new
 * key.
 */
export function createKeyedSend(createKey = createIdempotencyKey) {
  let lostAttempt: { content: string; key: string; isLost: boolean } | undefined
  return async <Answer>(input: object, send: (key: string) => Promise<Answer>): Promise<Answer> => {
    const content = serializeContent(input)
    const attempt = lostAttempt?.content === content ? lostAttempt : { content, key: createKey(), isLost: false }
    try {
      const answer = await send(attempt.key)
      lostAttempt = undefined
      return answer
    } catch (error) {
      const isLost = mayHaveTakenEffect(error) || (attempt.isLost && isRefusedBeforeRun(error))
      lostAttempt = isLost ? { ...attempt, isLost } : undefined
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
