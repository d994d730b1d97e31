import { z } from 'zod'

/** What every refused call answers: the same text twice, for people (DECISIONS §3 Errors). */
export const errorSchema = z
  .object({
    error: z.string(),
    message: z.string(),
    'form-error': z
      .record(z.string(), z.array(z.string()))
      .optional()
      .meta({ description: 'What is wrong with which field, where the refusal belongs to fields' }),
  })
  .meta({ id: 'Error', description: 'Why the call was refused, in words for people.' })

export type ErrorBody = z.infer<typeof errorSchema>

/** The answer of a call that only says how it went. */
export const saidSchema = z.object({ message: z.string() })
