import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { LETTER_KINDS, type LetterKind, MAILBOX, UNREAD_COUNTED } from './mailbox-messages.ts'

const kinds = Object.keys(LETTER_KINDS) as [LetterKind, ...LetterKind[]]

const rowSchema = z.object({
  letter: z.int(),
  kind: z.enum(kinds),
  subject: z.string(),
  sent_at: z.iso.datetime({ offset: true }),
  read: z.boolean(),
})

const unread = z.int().meta({ description: `How many letters are unread; ${UNREAD_COUNTED} means that many or more` })
const noLetter = { status: 404, message: MAILBOX.noLetter } as const

/** For the icon of SPEC §2.3. */
export const getUnreadLetters = endpoint({
  method: 'GET',
  path: '/mailbox/unread',
  summary: 'How many letters are unread',
  area: 'mail box',
  access: 'player',
  output: z.object({ unread }),
})

export const getLetters = endpoint({
  method: 'GET',
  path: '/mailbox',
  summary: 'The letters of this account, newest first, 20 at a time',
  area: 'mail box',
  access: 'player',
  input: {
    query: z.object({
      after: z
        .string()
        .regex(/^\d{0,15}$/, 'after must be the next of the page before.')
        .default('')
        .meta({ description: 'The `next` of the page before' }),
    }),
  },
  output: z.object({ letters: z.array(rowSchema), next: z.string().nullable(), unread }),
})

/** A POST, because it also marks the letter as read. */
export const openLetter = endpoint({
  method: 'POST',
  path: '/mailbox/open',
  summary: 'Read a letter',
  area: 'mail box',
  access: 'player',
  input: { body: z.object({ letter: z.int('Choose a letter.') }) },
  output: z.object({
    letter: rowSchema.extend({
      body: z.string(),
      link: z.string().meta({ description: 'A page of this site that it is about, or nothing' }),
      expires_at: z.iso.datetime({ offset: true }),
    }),
    unread,
  }),
  errors: { noLetter },
})

export const deleteLetter = endpoint({
  method: 'POST',
  path: '/mailbox/delete',
  summary: 'Delete a letter for good',
  area: 'mail box',
  access: 'player',
  input: { body: z.object({ letter: z.int('Choose a letter.') }) },
  output: z.object({ message: z.string(), unread }),
  errors: { noLetter },
})

export const readAllLetters = endpoint({
  method: 'POST',
  path: '/mailbox/readall',
  summary: 'Mark every letter as read',
  area: 'mail box',
  access: 'player',
  output: z.object({ message: z.string(), unread }),
})
