import { createIdempotencyKey, isAnswerLost, isRefusedUnseen } from '#web/api/call.ts'

/**
 * Returns a function that sends content with an Idempotency-Key (CALL-12, CALL-13). After a lost response, the same
 * content is sent with the same key, so it takes effect once. A response or a refusal ends the use of the key.
 */
export function createKeyedSend(createKey = createIdempotencyKey) {
  let last: { content: string; key: string; isLost: boolean } | undefined
  return async <Answer>(input: object, send: (key: string) => Promise<Answer>): Promise<Answer> => {
    const content = serializeContent(input)
    const sending = last?.content === content ? last : { content, key: createKey(), isLost: false }
    try {
      const answer = await send(sending.key)
      last = undefined
      return answer
    } catch (error) {
      const isLost = isAnswerLost(error) || (sending.isLost && isRefusedUnseen(error))
      last = isLost ? { ...sending, isLost } : undefined
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
