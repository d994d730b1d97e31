import { z } from 'zod'
import { audienceChecks, audienceFields, LETTER_TO, letterForm } from './desk-letters-fields.ts'
import { deskList, deskQuery } from './desk-list.ts'
import { endpoint } from './endpoint.ts'

const noPlayer = { status: 422, message: 'There is no account with this user ID.', field: 'user_id' } as const
const noItem = { status: 422, message: 'There is no item with this number.', field: 'bought' } as const

export const getSentLetters = endpoint({
  method: 'GET',
  path: '/admin/letters',
  summary: 'The letters that staff have written, newest first',
  area: 'desk: letters',
  access: 'letters.send',
  input: { query: deskQuery(['-letter'], {}) },
  output: deskList(
    z.object({
      letter: z.int(),
      subject: z.string(),
      body: z.string(),
      to: z.enum(LETTER_TO),
      to_words: z.string(),
      to_num: z.int().nullable(),
      link: z.string(),
      sent_by: z.string(),
      sent_at: z.iso.datetime(),
      expires_at: z.iso.datetime(),
      opened: z.int(),
    }),
  ),
})

/** A POST, because it takes the form as it is. It changes nothing but the audit log. */
export const countRecipients = endpoint({
  method: 'POST',
  path: '/admin/letters/recipients',
  summary: 'How many players a letter would reach now',
  area: 'desk: letters',
  access: 'letters.send',
  input: { body: z.object(audienceFields).check(...audienceChecks) },
  output: z.object({ recipients: z.int() }),
  errors: { noPlayer, noItem },
})

export const sendLetters = endpoint({
  method: 'POST',
  path: '/admin/letters/send',
  summary: 'Write to one player or to many',
  area: 'desk: letters',
  access: 'letters.send',
  idempotent: true,
  input: { body: z.object(letterForm.shape).check(...audienceChecks) },
  fields: letterForm,
  output: z.object({ message: z.string(), letter: z.int() }),
  errors: { noPlayer, noItem },
})
