import { z } from 'zod'
import { LOGIN_ANSWERS } from './messages.ts'

/** The response of every refused call, with the same text in two fields (CALL-7). */
export const errorSchema = z
  .object({
    error: z.string(),
    message: z.string(),
    'form-error': z
      .record(z.string(), z.array(z.string()))
      .optional()
      .meta({ description: 'The errors of each field, if the refusal is about fields' }),
  })
  .meta({ id: 'Error', description: 'Why the call was refused, as readable text.' })

export type ErrorBody = z.infer<typeof errorSchema>

/** During maintenance, the refusal of calls that move money, with the operators' message (PAUSE-1). */
export const maintenance = { status: 503, message: LOGIN_ANSWERS.maintenance } as const

/** The refusal of a change after another operator changed the same record. */
export const conflict = {
  status: 409,
  message: 'Someone else has changed this in the meantime. Load it again and repeat your change.',
} as const

/** The reason why a call of the desk cannot send email. */
export const NO_MAIL_SERVER =
  'This site has no mail server, so emails are saved as files and not delivered. An owner enters one at the desk, under Mail.'

/** The response of a call that only reports its success. */
export const messageSchema = z.object({ message: z.string() })
