import { z } from 'zod'
import * as f from 'zod/mini'
import { balancesSchema } from './cart.ts'
import { describeFields } from './describe-fields.ts'
import { declareDeskCalls } from './desk.ts'
import { declareCalls } from './endpoint.ts'
import { maintenance, messageSchema } from './errors.ts'
import { isSitePath, lineField, linesField } from './fields.ts'
import { LETTER_PLAYERS_MAX, OPENED_COUNT_MAX } from './limits.ts'
import { moment, offsetMoment } from './scalars.ts'

const mailBox = declareCalls('mail box', 'player')

const desk = declareDeskCalls('letters', { read: 'letters.send', notPersonal: ['gift'] })

/** The kinds of letters, and their names in the mail box. */
export const LETTER_KINDS = {
  staff: 'From the team',
  refund: 'Refund',
  voucher: 'Voucher',
  ticket: 'Support',
  block: 'Account',
  security: 'Security',
  gift: 'Gift',
  prize: 'Prize',
  forum: 'Forum',
  event: 'Event',
  reward: 'Reward',
  service: 'Service',
} as const

export type LetterKind = keyof typeof LETTER_KINDS

/** The texts of the mail box. */
export const MAILBOX_TEXTS = {
  title: 'Mail box',
  line: 'News about your account, your purchases and your tickets, and letters from the team.',
  letterNotFound: 'This letter was deleted or has expired.',
  deleted: 'Deleted.',
  allRead: 'Everything is marked as read.',
  empty: 'Your mail box is empty.',
  emptyLine: 'Refunds, answers from support and letters from the team will appear here.',
  failed: 'We couldn’t load your letters.',
  claimed: 'It is yours now.',
  claimedItem: 'It is yours now, and on its way to your item bank.',
  claimedBefore: 'You have already claimed this gift.',
  giftGone: 'This gift is no longer available.',
  giftUsedUp: 'All gifts of this letter have been claimed.',
  claimFirst: 'Claim the gift first. Then you can delete this letter.',
  claimOrRefuseFirst: 'Claim or refuse the gift first. Then you can delete this letter.',
  refused: 'Refused. The sender gets the money back.',
  saved: 'Saved.',
  linkNotFound: 'This link is not valid.',
  stopped: 'Done. You won’t get any more copies of this kind by email.',
} as const

/** Unread letters are counted up to this number, at which the icon shows 99+. */
export const UNREAD_COUNT_MAX = 100

const LETTER_KIND_NAMES = Object.keys(LETTER_KINDS) as [LetterKind, ...LetterKind[]]

const rowSchema = z.object({
  letter: z.int(),
  kind: z.enum(LETTER_KIND_NAMES),
  subject: z.string(),
  sent_at: offsetMoment,
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
      state: z
        .enum(['open', 'claimed', 'gone'])
        .meta({ description: 'gone: returned, withdrawn or used up before this player claimed it' }),
      bought: z.boolean().meta({ description: 'Whether another player paid for it; then it can be refused' }),
      own: z
        .boolean()
        .meta({ description: 'Whether only this player can claim it. The letter cannot be deleted before that' }),
    })
    .nullable()
    .meta({ description: 'Money or units of an item' }),
})

const unread = z.int().meta({ description: `How many letters are unread; ${UNREAD_COUNT_MAX} means that many or more` })
const letterNotFound = { status: 404, message: MAILBOX_TEXTS.letterNotFound } as const

/** The browser calls this for the count at the mail box icon (SHELL-6). */
export const getUnreadLetters = mailBox.get('/mailbox/unread', {
  summary: 'How many letters are unread',
  output: z.object({ unread }),
})

export const getLetters = mailBox.get('/mailbox', {
  summary: 'The letters of this account, newest first, 20 at a time',
  input: {
    query: z.object({
      after: z
        .string()
        .regex(/^\d{0,15}$/, 'after must be the next of the previous page.')
        .default('')
        .meta({ description: 'The `next` of the previous page' }),
    }),
  },
  output: z.object({ letters: z.array(rowSchema), next: z.string().nullable(), unread }),
})

/** The call is a POST, because it also marks the letter as read. */
export const openLetter = mailBox.post('/mailbox/open', {
  summary: 'Read a letter',
  input: { body: z.object({ letter: z.int('Choose a letter.') }) },
  output: z.object({
    letter: rowSchema.extend({
      body: z.string(),
      link: z.string().meta({ description: 'The path of a page of this site, or empty' }),
      expires_at: offsetMoment,
    }),
    unread,
  }),
  errors: { letterNotFound },
})

export const deleteLetter = mailBox.post('/mailbox/delete', {
  summary: 'Delete a letter permanently',
  input: { body: z.object({ letter: z.int('Choose a letter.') }) },
  output: z.object({ message: z.string(), unread }),
  errors: {
    letterNotFound,
    claimFirst: { status: 409, message: MAILBOX_TEXTS.claimFirst },
    claimOrRefuseFirst: { status: 409, message: MAILBOX_TEXTS.claimOrRefuseFirst },
  },
})

const claimedBefore = { status: 409, message: MAILBOX_TEXTS.claimedBefore } as const
const giftGone = { status: 409, message: MAILBOX_TEXTS.giftGone } as const
const giftNotFound = { status: 404, message: MAILBOX_TEXTS.giftGone } as const

export const claimLetterGift = mailBox.post('/mailbox/claim', {
  summary: 'Claim the gift of a letter, once',
  idempotent: true,
  input: { body: z.object({ letter: z.int('Choose a letter.') }) },
  output: balancesSchema,
  errors: {
    letterNotFound,
    giftNotFound,
    claimedBefore,
    giftGone,
    giftUsedUp: { status: 409, message: MAILBOX_TEXTS.giftUsedUp },
    maintenance,
  },
})

export const refuseLetterGift = mailBox.post('/mailbox/refuse', {
  summary: 'Refuse a gift that another player bought; the money goes back to them',
  idempotent: true,
  input: { body: z.object({ letter: z.int('Choose a letter.') }) },
  output: messageSchema,
  errors: { letterNotFound, giftNotFound, claimedBefore, giftGone, maintenance },
})

export const readAllLetters = mailBox.post('/mailbox/readall', {
  summary: 'Mark every letter as read',
  output: z.object({ message: z.string(), unread }),
})

const copies = z
  .array(z.enum(LETTER_KIND_NAMES))
  .meta({ description: 'The kinds of letters of which the site mails a copy if they stay unread' })

export const getMailboxSettings = mailBox.get('/mailbox/settings', {
  summary: 'The kinds of letters that are copied by email',
  output: z.object({
    copies,
    verified: z.boolean().meta({ description: 'Whether the email address is confirmed, which copies require' }),
  }),
})

export const saveMailboxSettings = mailBox.post('/mailbox/settings', {
  summary: 'Choose the kinds of letters that are copied by email',
  input: { body: z.object({ copies }) },
  output: messageSchema,
})

/** The page of the mailed link makes this call. Mail programs send a POST to that page instead (RFC 8058). */
export const stopCopies = mailBox.post('/mailbox/unsubscribe', {
  summary: 'Stop mailed copies of letters, with the link in such a copy',
  access: 'public',
  input: { body: z.object({ token: z.string('The link is not complete.').max(100, 'The link is not complete.') }) },
  output: messageSchema,
  errors: { linkNotFound: { status: 404, message: MAILBOX_TEXTS.linkNotFound } },
})

const LEVEL_MAX = 9999

/** The possible recipients of a letter. */
const LETTER_AUDIENCES = ['player', 'everyone', 'levels', 'school', 'buyers'] as const

/** An optional whole number; forms send it as text. */
const numberField = (rule: string, max: number) =>
  f.pipe(
    f._default(f.union([f.string(), f.number(), f.null()]), ''),
    f.pipe(
      f.transform((input: string | number | null) => (input === '' || input === null ? null : Number(input))),
      f.nullable(f.number(rule).check(f.int(rule), f.minimum(0, rule), f.maximum(max, rule))),
    ),
  )

export const audienceFields = {
  to: f.enum(LETTER_AUDIENCES, 'Choose who gets the letter.'),
  user_id: f._default(f.string().check(f.trim(), f.maxLength(20, 'A user ID has at most 20 characters.')), ''),
  level_from: numberField('Enter a level.', LEVEL_MAX),
  level_to: numberField('Enter a level.', LEVEL_MAX),
  school: numberField('Choose a school.', 99),
  bought: numberField('Choose an item.', 2_000_000_000),
}

/** The gifts that a letter can bring. */
const LETTER_GIFTS = ['', 'r_coin', 'milleage', 'item'] as const

const GIFT_MAX = 999_999_999

export const giftFields = {
  gift: f._default(f.enum(LETTER_GIFTS, 'Choose the gift of the letter.'), ''),
  gift_amount: numberField('Enter a whole amount.', GIFT_MAX),
  gift_item: numberField('Choose an item.', 2_000_000_000),
  gift_quantity: numberField('Enter how many, from 1 to 99.', 99),
}

type GiftInput = {
  gift: (typeof LETTER_GIFTS)[number]
  gift_amount: number | null
  gift_item: number | null
  gift_quantity: number | null
}

const isMoneyGift = ({ gift }: GiftInput) => gift === 'r_coin' || gift === 'milleage'

/** The fields that each choice of `gift` requires. */
export const giftChecks = [
  f.refine<GiftInput>((input) => !isMoneyGift(input) || (input.gift_amount ?? 0) > 0, {
    path: ['gift_amount'],
    message: 'Enter how much each player gets.',
  }),
  f.refine<GiftInput>((input) => input.gift !== 'item' || input.gift_item !== null, {
    path: ['gift_item'],
    message: 'Enter the number of the item.',
  }),
  f.refine<GiftInput>((input) => input.gift !== 'item' || (input.gift_quantity ?? 0) > 0, {
    path: ['gift_quantity'],
    message: 'Enter how many, from 1 to 99.',
  }),
] as const

type AudienceInput = {
  to: (typeof LETTER_AUDIENCES)[number]
  user_id: string
  level_from: number | null
  level_to: number | null
  school: number | null
  bought: number | null
}

/** The fields that each choice of `to` requires. */
export const audienceChecks = [
  f.refine<AudienceInput>((input) => input.to !== 'player' || input.user_id !== '', {
    path: ['user_id'],
    message: 'Enter the user ID of the player.',
  }),
  f.refine<AudienceInput>((input) => input.to !== 'levels' || input.level_from !== null, {
    path: ['level_from'],
    message: 'Enter the lowest level.',
  }),
  f.refine<AudienceInput>(
    (input) => input.to !== 'levels' || (input.level_to !== null && input.level_to >= (input.level_from ?? 0)),
    { path: ['level_to'], message: 'Enter the highest level, not below the lowest.' },
  ),
  f.refine<AudienceInput>((input) => input.to !== 'school' || input.school !== null, {
    path: ['school'],
    message: 'Choose a school.',
  }),
  f.refine<AudienceInput>((input) => input.to !== 'buyers' || input.bought !== null, {
    path: ['bought'],
    message: 'Enter the number of the item.',
  }),
] as const

const letterTextFields = {
  subject: lineField(120, 'Give the letter a subject.'),
  body: linesField(4000, 'Write the letter.'),
  link: f._default(
    f.string().check(
      f.trim(),
      f.refine((link) => link === '' || isSitePath(link), 'Enter a page of this site, such as /news, or nothing.'),
    ),
    '',
  ),
}

export const letterForm = f
  .object({
    ...audienceFields,
    ...giftFields,
    // The maximum worth of all claims together, in R-Coin or Milleage. The desk fills it in from `countRecipients`.
    gift_budget: numberField('Count the recipients first.', Number.MAX_SAFE_INTEGER),
    ...letterTextFields,
  })
  .check(...audienceChecks, ...giftChecks)

/** A letter to selected players, without a gift. */
export const chosenLetterForm = f.object({
  players: f
    .array(f.int('Choose players from the list.').check(f.positive('Choose players from the list.')))
    .check(
      f.minLength(1, 'Choose at least one player.'),
      f.maxLength(LETTER_PLAYERS_MAX, `Choose at most ${LETTER_PLAYERS_MAX} players.`),
    ),
  ...letterTextFields,
})

const playerNotFound = { status: 422, message: 'There is no account with this user ID.', field: 'user_id' } as const
const itemNotFound = { status: 422, message: 'There is no item with this number.', field: 'bought' } as const
const giftItemNotFound = { status: 422, message: 'There is no item with this number.', field: 'gift_item' } as const
const receiverNotFound = {
  status: 422,
  message: 'This player can’t receive a gift yet: they need a confirmed email address and a character.',
  field: 'user_id',
} as const

export const getSentLetters = desk.list('/admin/letters', {
  summary: 'The letters that staff have written, newest first',
  sorts: ['-letter'],
  filters: {},
  row: z.object({
    letter: z.int(),
    subject: z.string(),
    body: z.string(),
    to: z.enum(LETTER_AUDIENCES),
    to_words: z.string(),
    to_num: z.int().nullable(),
    link: z.string(),
    sent_by: z.string(),
    sent_at: moment,
    expires_at: moment,
    opened: z
      .int()
      .max(OPENED_COUNT_MAX)
      .meta({ description: `How many players have opened it; ${OPENED_COUNT_MAX} means that many or more` }),
    gift: z
      .object({
        kind: z.enum(LETTER_GIFTS),
        words: z.string(),
        claims: z.int().meta({ description: 'The number of players who claimed it' }),
        claimed: z.int().meta({ description: 'The worth of all claims, in R-Coin or Milleage' }),
        budget: z.int().meta({ description: 'The maximum worth of all claims' }),
        state: z.enum(['open', 'claimed', 'withdrawn']),
      })
      .nullable(),
  }),
})

const letterLabels = {
  subject: 'Subject',
  body: { label: 'Letter', kind: 'long', rows: 8 },
  link: { label: 'Link to a page', hint: 'optional, such as /news' },
} as const

export const chosenLetterFields = describeFields(chosenLetterForm, letterLabels)

export const letterFields = describeFields(letterForm, {
  to: {
    label: 'To',
    options: {
      player: 'One player',
      everyone: 'Everyone',
      levels: 'Players with a character of certain levels',
      school: 'Players with a character of a school',
      buyers: 'Players who bought an item',
    },
  },
  user_id: { label: 'User ID', kind: 'id' },
  school: { label: 'School', kind: 'choice', none: 'Choose a school' },
  bought: { label: 'Item number', hint: 'as on the Items screen' },
  level_from: 'From level',
  level_to: 'To level',
  ...letterLabels,
  gift: {
    label: 'Gift',
    none: 'No gift',
    options: { r_coin: 'R-Coin', milleage: 'Milleage', item: 'An item' },
  },
  gift_amount: 'Amount for each player',
  gift_item: { label: 'Item', kind: 'item' },
  gift_quantity: 'How many for each player',
  gift_budget: { label: 'Budget', hint: 'R-Coin or Milleage, for all claims together' },
})

/** The call is a POST, because its input is a whole form. It only writes to the audit log. */
export const countRecipients = desk.read('/admin/letters/recipients', {
  title: 'Count letter recipients',
  summary: 'How many players a letter would reach now, or with a gift, how many could receive it',
  method: 'POST',
  input: {
    body: z.object({ ...audienceFields, ...giftFields }).check(...audienceChecks, ...giftChecks),
  },
  output: z.object({
    recipients: z.int(),
    each: z.int().meta({ description: 'The value of the gift for one recipient, in R-Coin or Milleage' }),
    total: z.int().meta({ description: 'Recipients × each' }),
  }),
  errors: { playerNotFound, itemNotFound, giftItemNotFound, receiverNotFound },
})

export const sendLetters = desk.write('/admin/letters/send', {
  title: 'Send letter',
  summary: 'Send a letter to one player or many players',
  approvable: true,
  fields: letterForm,
  output: z.object({ message: z.string(), letter: z.int() }),
  errors: {
    playerNotFound,
    itemNotFound,
    giftItemNotFound,
    receiverNotFound,
    notCounted: { status: 422, message: 'Count the recipients first: the total is the budget.', field: 'gift_budget' },
    belowOne: { status: 422, message: 'The budget is not enough for one gift.', field: 'gift_budget' },
  },
})

export const sendChosenLetter = desk.write('/admin/letters/chosen', {
  title: 'Send letter to chosen players',
  summary: 'Send a letter without a gift to individually chosen players, to all of them or none',
  fields: chosenLetterForm,
  errors: {
    playersNotFound: {
      status: 409,
      message: 'One of these accounts does not exist or was erased. Load the list again.',
    },
  },
})

export const withdrawLetterGift = desk.write('/admin/letters/withdraw-gift', {
  title: 'Withdraw letter gift',
  summary: 'Withdraw the gift of a letter from all players who have not claimed it',
  access: 'letters.gift',
  input: { body: z.object({ letter: z.int('Choose a letter.') }) },
  errors: {
    giftNotFound: { status: 404, message: 'This letter has no gift from the team.' },
    giftEnded: { status: 409, message: 'This gift has already been claimed or withdrawn.' },
  },
})
