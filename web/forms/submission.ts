import { createIdempotencyKey, isAnswerLost, isRefusedUnseen } from '#web/api/call.ts'

/**
 * Sends with an Idempotency-Key that belongs to the content (CALL-12, CALL-13): the same content, sent again after a
 * lost response, has the same key and so takes effect once, until the call returns a response or a refusal.
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

/** Returns an input as text, to compare it with an earlier one. A file is represented by its name, size and time. */
function serializeContent(input: object): string {
  return JSON.stringify(input, (_, value: unknown) =>
    value instanceof File ? [value.name, value.size, value.lastModified] : value,
  )
}
