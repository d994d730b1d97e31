import { z } from 'zod'

/** What every refused call answers: twice the same text, for people. DECISIONS §3. */
export const errorSchema = z
  .object({ error: z.string(), message: z.string() })
  .meta({ id: 'Error', description: 'Why the call was refused, in words for people.' })

export type ErrorBody = z.infer<typeof errorSchema>

/** The OpenAPI entry of an error answer. */
export function errorAnswer(description: string) {
  return { description, content: { 'application/json': { schema: errorSchema } } } as const
}

/** The OpenAPI entry of a JSON answer. */
export function jsonAnswer<Schema extends z.ZodType>(description: string, schema: Schema) {
  return { description, content: { 'application/json': { schema } } } as const
}
