/** The forms of second factors, written with zod/mini because the browser fetches them. */
import * as z from 'zod/mini'
import { typed } from './account-fields.ts'
import { requiredText, tooLongText } from './account-messages.ts'
import { FACTOR } from './factor-messages.ts'
import { FACTOR_NAME_MAX } from './limits.ts'

/** A code of an app or a recovery code, as people type and paste them. */
export const codeForm = z.object({ code: typed(FACTOR.codeLabel) })

export const passkeyNameForm = z.object({
  name: z
    .string(requiredText(FACTOR.nameLabel))
    .check(
      z.trim(),
      z.minLength(1, requiredText(FACTOR.nameLabel)),
      z.maxLength(FACTOR_NAME_MAX, tooLongText(FACTOR.nameLabel, FACTOR_NAME_MAX)),
      z.regex(/^\P{C}*$/u, 'Name must not contain control characters.'),
    ),
})
