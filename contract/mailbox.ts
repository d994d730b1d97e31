import { z } from 'zod'
import { movedSchema } from './cart.ts'
import { endpoint } from './endpoint.ts'
import { maintenance, saidSchema } from './errors.ts'
import { LETTER_KINDS, type LetterKind, MAILBOX, UNREAD_COUNTED } from './mailbox-messages.ts'

const kinds = Object.keys(LETTER_KINDS) as [LetterKind, ...LetterKind[]]

const rowSchema = z.object({
  letter: z.int(),
  kind: z.enum(kinds),
  subject: z.string(),
  sent_at: z.iso.datetime({ offset: true }),
  read: z.boolean(),
  gift: z
    .object({
      currency: z.enum(['r_coin', 'milleage']).nullable(),
      amount: z.int().nullable(),
      product_num: z.int().nullable(),
      item_name: z.string().nullable(),
      icon: z.string().nullable(),
      image_url: z.string().nullable(),
      quantity: z.int().nullable(),
      state: z.enum(['open', 'claimed', 'gone']),
      bought: z.boolean().meta({ description: 'Whether another player paid for it; then it can be refused' }),
      own: z
        .boolean()
        .meta({ description: 'Whether it is for this player alone; then the letter stays until it is claimed' }),
    })
    .nullable()
    .meta({ description: 'Money or units of an item' }),
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
  errors: {
    noLetter,
    claimFirst: { status: 409, message: MAILBOX.claimFirst },
    claimOrRefuseFirst: { status: 409, message: MAILBOX.claimOrRefuseFirst },
  },
})

const claimedBefore = { status: 409, message: MAILBOX.claimedBefore } as const
const giftGone = { status: 409, message: MAILBOX.giftGone } as const
const noGift = { status: 404, message: MAILBOX.giftGone } as const

export const claimLetterGift = endpoint({
  method: 'POST',
  path: '/mailbox/claim',
  summary: 'Claim the gift of a letter, once',
  area: 'mail box',
  access: 'player',
  idempotent: true,
  input: { body: z.object({ letter: z.int('Choose a letter.') }) },
  output: movedSchema,
  errors: {
    noLetter,
    noGift,
    claimedBefore,
    giftGone,
    giftUsedUp: { status: 409, message: MAILBOX.giftUsedUp },
    maintenance,
  },
})

export const refuseLetterGift = endpoint({
  method: 'POST',
  path: '/mailbox/refuse',
  summary: 'Refuse a gift that another player bought; the money goes back to them',
  area: 'mail box',
  access: 'player',
  idempotent: true,
  input: { body: z.object({ letter: z.int('Choose a letter.') }) },
  output: saidSchema,
  errors: { noLetter, noGift, claimedBefore, giftGone, maintenance },
})

export const readAllLetters = endpoint({
  method: 'POST',
  path: '/mailbox/readall',
  summary: 'Mark every letter as read',
  area: 'mail box',
  access: 'player',
  output: z.object({ message: z.string(), unread }),
})

const copies = z
  .array(z.enum(kinds))
  .meta({ description: 'Kinds of letters of which a copy is mailed if they stay unread' })

export const getMailboxSettings = endpoint({
  method: 'GET',
  path: '/mailbox/settings',
  summary: 'Which letters are copied by email',
  area: 'mail box',
  access: 'player',
  output: z.object({
    copies,
    verified: z.boolean().meta({ description: 'Whether the email address is confirmed; copies need that' }),
  }),
})

export const saveMailboxSettings = endpoint({
  method: 'POST',
  path: '/mailbox/settings',
  summary: 'Choose which letters are copied by email',
  area: 'mail box',
  access: 'player',
  input: { body: z.object({ copies }) },
  output: saidSchema,
})

/** Mail programs use a POST to the page of the same link instead (RFC 8058). */
export const stopCopies = endpoint({
  method: 'POST',
  path: '/mailbox/unsubscribe',
  summary: 'Stop copies of letters with a mailed link',
  area: 'mail box',
  access: 'public',
  input: { body: z.object({ token: z.string('The link is not complete.').max(100, 'The link is not complete.') }) },
  output: saidSchema,
  errors: { noLink: { status: 404, message: MAILBOX.noLink } },
})
