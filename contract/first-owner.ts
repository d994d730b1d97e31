import { z } from 'zod'
import * as f from 'zod/mini'
import { addPasswordChecks, REGISTRATION_TEXTS, registrationForm, userIdField } from './accounts.ts'
import { declareCalls } from './endpoint.ts'
import { codeForm, FACTOR_TEXTS } from './factors.ts'
import { loginAnswerSchema } from './session.ts'
import { newStaffPasswordField } from './staff-passwords.ts'

const accounts = declareCalls('accounts', 'public')

/** The error texts of the first owner's page, which the specification does not fix. */
export const FIRST_OWNER_TEXTS = {
  linkInvalid:
    'This link is no longer valid. If the site has no owner yet, restart it: each start prints a new link, which works once within 24 hours.',
  secretWrong: 'The key of the app is not valid. Please open the link again.',
} as const

const { userEmail, userPasswordConfirm, secretQuestion, secretAnswer } = registrationForm.shape

/**
 * The input for the first owner: a player's account without the fields for the game or the shop, and an authenticator
 * app.
 */
export const firstOwnerForm = f.object({
  userId: userIdField,
  userEmail,
  userPassword: newStaffPasswordField('Password'),
  userPasswordConfirm,
  secretQuestion,
  secretAnswer,
  ...codeForm.shape,
})

/** The token in the link that the server prints at its start. */
const tokenField = z.string(FIRST_OWNER_TEXTS.linkInvalid).max(200, FIRST_OWNER_TEXTS.linkInvalid)
/** The response of both calls for any input when the site has an owner. */
const linkInvalid = { status: 404, message: FIRST_OWNER_TEXTS.linkInvalid } as const

export const openFirstOwner = accounts.post('/first-owner/app', {
  summary: 'The key for the first owner’s authenticator app, and the name of its entry there; needs the link’s token',
  input: { body: z.object({ word: tokenField }) },
  output: z.object({ secret: z.string(), site_name: z.string() }),
  errors: { gone: linkInvalid },
})

export const makeFirstOwner = accounts.post('/first-owner', {
  summary: 'Create the first owner with the link that a site without an owner prints at its start, and log in',
  input: {
    body: addPasswordChecks(
      z.object({
        word: tokenField,
        ...firstOwnerForm.shape,
        secret: z.string(FIRST_OWNER_TEXTS.secretWrong).regex(/^[A-Z2-7]{32}$/, FIRST_OWNER_TEXTS.secretWrong),
      }),
    ),
  },
  fields: firstOwnerForm,
  output: z.object({ data: loginAnswerSchema, recovery_codes: z.array(z.string()) }),
  errors: {
    gone: linkInvalid,
    userIdTaken: { status: 422, message: REGISTRATION_TEXTS.userIdTaken, field: 'userId' },
    emailTaken: { status: 422, message: REGISTRATION_TEXTS.emailTaken, field: 'userEmail' },
    wrongCode: { status: 422, message: FACTOR_TEXTS.appCodeWrong, field: 'code' },
  },
})
