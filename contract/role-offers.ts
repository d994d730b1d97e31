import { z } from 'zod'
import * as f from 'zod/mini'
import { newPasswordField, PASSWORD_TEXTS, passwordForm, REGISTRATION_TEXTS } from './accounts.ts'
import { declareCalls } from './endpoint.ts'
import { messageSchema } from './errors.ts'
import { moment } from './scalars.ts'

const roles = declareCalls('accounts', 'player')

/** The texts about role offers. */
export const ROLE_OFFER_TEXTS = {
  accepted: 'You have accepted the role.',
  declined: 'You have declined the role.',
  noOffer: 'You have no offer of this role. It may have been withdrawn.',
  acceptFirst: 'You have been offered a role. Accept it with your password first.',
} as const

const noOffer = { status: 404, message: ROLE_OFFER_TEXTS.noOffer } as const

/**
 * The role with the account's password, and a new password if the current one is too weak for staff or may be
 * known to the game.
 */
export const acceptRoleForm = f.object({
  role: f.string('Choose a role.').check(f.maxLength(30, 'There is no such role.')),
  UserPass: passwordForm.shape.UserPass,
  NewUserPass: f.optional(newPasswordField(PASSWORD_TEXTS.newLabel)),
})

export const getRoleOffers = roles.get('/role-offers', {
  summary: 'The roles at the desk that this account was offered and has not accepted',
  output: z.object({
    offers: z.array(
      z.object({
        role: z.string(),
        name: z.string(),
        offered_by: z.string().nullable().meta({ description: 'null if a command at the terminal made the offer' }),
        offered_at: moment,
      }),
    ),
  }),
})

export const acceptRole = roles.post('/role-offers/accept', {
  summary:
    'Accept an offered role with the password, and with a new password if the current one is too weak for staff or the game may know it. Confirms the session, which gets a new token. A new password ends all other sessions',
  fields: acceptRoleForm,
  output: z.object({
    message: z.string(),
    role: z.string(),
    token: z.string().meta({ description: 'The new token of this session' }),
  }),
  errors: {
    noOffer,
    wrongPassword: { status: 422, message: PASSWORD_TEXTS.incorrect, field: 'UserPass' },
    passwordIsUserId: { status: 422, message: REGISTRATION_TEXTS.passwordIsUserId, field: 'NewUserPass' },
    mustDiffer: { status: 422, message: PASSWORD_TEXTS.mustDiffer, field: 'NewUserPass' },
  },
})

export const declineRole = roles.post('/role-offers/decline', {
  summary: 'Decline an offered role',
  input: { body: z.object({ role: z.string().max(30) }) },
  output: messageSchema,
  errors: { noOffer },
})
