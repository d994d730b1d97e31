import { z } from 'zod'
import * as f from 'zod/mini'
import { PASSWORD_TEXTS, secretField } from './accounts.ts'
import { declareCalls } from './endpoint.ts'
import { messageSchema } from './errors.ts'
import { FACTOR_TEXTS } from './factors.ts'
import { count, moment, nullableMoment } from './scalars.ts'

const accounts = declareCalls('accounts', 'player')

/** The reasons why an account cannot be deleted now, by the code in the response. */
export const DELETION_BLOCKS = {
  staff: 'You have a role at the desk or an offer of one. An owner has to remove your roles, or you decline the offer.',
  block: 'Your account is blocked. Write to support.',
  appeal: 'Your appeal is not decided yet.',
  forum: 'The team is still reviewing one of your posts in the forum.',
  delivery: 'An item that you bought is on its way to the game.',
  service: 'A service for one of your characters is not done yet.',
  gift: 'A gift that you sent or received is not accepted yet. Accept it in your mail box, or wait until it goes back after 30 days.',
  approval: 'The team is deciding about something that concerns your account.',
} as const

export type DeletionBlock = keyof typeof DELETION_BLOCKS

/**
 * The proof of identity: the password, with a code or a passkey if the account has a second factor, otherwise with the
 * secret answer. `assertion` is a passkey's response to the options that `startConfirmation` returns.
 */
const proofFields = {
  UserPass: secretField('Password'),
  code: f._default(secretField(FACTOR_TEXTS.codeLabel), ''),
  secretAnswer: f._default(secretField('Secret Answer'), ''),
  assertion: f.optional(f.record(f.string(), f.unknown(), FACTOR_TEXTS.passkeyUnreadable)),
}

export const copyForm = f.object(proofFields)

export const deletionForm = f.object({
  typed_user_id: f
    .string('Enter your user ID.')
    .check(f.trim(), f.minLength(1, 'Enter your user ID.'), f.maxLength(60, 'This is not your user ID.')),
  ...proofFields,
})

export const charactersLeftOutForm = f.object({ left_out: f.boolean('Choose whether your characters are left out.') })

const proofErrors = {
  wrongPassword: { status: 422, message: PASSWORD_TEXTS.incorrect, field: 'UserPass' },
  wrongCode: { status: 422, message: FACTOR_TEXTS.wrongCode, field: 'code' },
  wrongPasskey: { status: 422, message: FACTOR_TEXTS.wrongPasskey, field: 'assertion' },
  wrongSecretAnswer: { status: 422, message: PASSWORD_TEXTS.secretAnswerWrong, field: 'secretAnswer' },
} as const

export const getMyData = accounts.get('/my-data', {
  summary:
    'Whether the data of this account can be copied and the account deleted now, and the balances that a deletion would lose',
  output: z.object({
    has_factor: z.boolean().meta({
      description: 'Whether the password needs a code or a passkey with it; otherwise it needs the secret answer',
    }),
    secret_question: z.int(),
    next_copy_at: nullableMoment.meta({ description: 'When the next copy can be made; null if it can be made now' }),
    next_deletion_at: nullableMoment.meta({
      description: 'When a deletion can be requested again; null if it can be requested now',
    }),
    left_out: z
      .boolean()
      .meta({ description: 'Whether the characters are left out of activity, titles and drawn pictures' }),
    r_coin: count,
    milleage: count,
    blocks: z.array(z.enum(Object.keys(DELETION_BLOCKS) as [DeletionBlock, ...DeletionBlock[]])).meta({
      description: 'Why the account cannot be deleted now; empty if it can',
    }),
  }),
})

export const leaveOutCharacters = accounts.post('/my-data/left-out', {
  summary: 'Leave the characters of this account out of activity, titles and drawn pictures, or show them again',
  fields: charactersLeftOutForm,
  output: z.object({ left_out: z.boolean() }),
})

export const copyMyData = accounts.post('/my-data/copy', {
  summary: 'A file with everything that the site stores about this account; once a day',
  fields: copyForm,
  output: z.file(),
  errors: {
    ...proofErrors,
    copiedToday: { status: 409, message: 'You can download your data once a day. Please come back tomorrow.' },
  },
})

const blockErrors = Object.fromEntries(
  Object.entries(DELETION_BLOCKS).map(([code, message]) => [code, { status: 409, message }]),
) as Record<DeletionBlock, { status: 409; message: string }>

export const deleteMyAccount = accounts.post('/my-data/delete', {
  summary:
    'Lock this account and erase its personal data seven days later, unless the player withdraws the request; once in 30 days. Ends every session',
  fields: deletionForm,
  output: messageSchema.extend({ erasure_due_at: moment }),
  errors: {
    ...proofErrors,
    ...blockErrors,
    otherUserId: { status: 422, message: 'This is not your user ID.', field: 'typed_user_id' },
    requestedLately: { status: 409, message: 'You can request a deletion once in 30 days.' },
  },
})
