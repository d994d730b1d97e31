/** The forms about a player. Browsers fetch this file on demand, so it is written with zod/mini. */
import * as z from 'zod/mini'
import { emailSchema } from './account-fields.ts'
import { reasonField } from './desk-staff-fields.ts'

const accountNumber = z.number('Say whose account it is.').check(z.int(), z.positive())

/** Text of several lines that only staff read. */
const remark = (missing: string) =>
  z
    .string(missing)
    .check(
      z.trim(),
      z.maxLength(2000, 'Use at most 2,000 characters.'),
      z.regex(/^[\P{Cc}\n\r\t]*$/u, 'Control characters are not allowed.'),
      z.regex(/^\P{Cs}*$/u, 'Control characters are not allowed.'),
    )

/** The block that the operator saw, null for none: whoever was faster is noticed. */
const seenBlock = z.nullable(z.int('Load the page again.'))

export const blockForm = z.object({
  user_num: accountNumber,
  block: seenBlock,
  reason: reasonField,
  ends_at: z.nullable(z.iso.datetime({ offset: true, error: 'Enter a day and a time, or leave it open.' })),
  note: z._default(remark('Write a note.'), ''),
})

export const unblockForm = z.object({ user_num: accountNumber, block: seenBlock, reason: reasonField })

/** What is done to an account without anything to choose. */
export const accountForm = z.object({ user_num: accountNumber, reason: reasonField })

export const changeEmailForm = z.object({
  user_num: accountNumber,
  from: z.string('Load the page again.').check(z.maxLength(60, 'Load the page again.')),
  email: emailSchema,
  reason: reasonField,
})

export const confirmEmailForm = z.object({
  user_num: accountNumber,
  email: z.string('Load the page again.').check(z.maxLength(60, 'Load the page again.')),
  reason: reasonField,
})

export const playerNoteForm = z.object({
  user_num: accountNumber,
  body: remark('Write a note.').check(z.minLength(1, 'Write a note.')),
})

export const eraseForm = z.object({
  user_num: accountNumber,
  user_id: z
    .string('Type the user ID.')
    .check(z.trim(), z.minLength(1, 'Type the user ID.'), z.maxLength(40, 'This is not the user ID.')),
  rename_characters: z.boolean('Say whether character names identify the person.'),
  reason: reasonField,
})
