/** The forms about mails. Browsers fetch this file on demand, so it is written with zod/mini. */
import * as z from 'zod/mini'
import { emailSchema } from './account-fields.ts'

export const resendForm = z.object({
  mails: z
    .array(z.int('Choose some emails.'), 'Choose some emails.')
    .check(z.minLength(1, 'Choose some emails.'), z.maxLength(50, 'Choose at most 50 emails.')),
})

export const testMailForm = z.object({ template: z.string('Choose an email.'), to: emailSchema })
