import { z } from 'zod'
import {
  changePasswordForm,
  detailsForm,
  findIdForm,
  findPasswordForm,
  newPassword,
  newPasswordForm,
  passwordForm,
  registrationForm,
  secretAnswerForm,
  secretInput,
  typed,
  userNum,
} from './account-fields.ts'
import { PASSWORD, RECOVERY, REGISTER } from './account-messages.ts'
import { endpoint } from './endpoint.ts'
import { saidSchema } from './errors.ts'

const wrongPassword = { status: 422, message: PASSWORD.incorrect, field: 'UserPass' } as const
const passwordIsUserId = { status: 422, message: REGISTER.passwordIsUserId, field: 'NewUserPass' } as const
/** The secret of a mailed link; without one it is as dead as an unknown one. */
const linkToken = (dead: string) => z.string(dead).min(1, dead).max(200, dead)
const owner = { UserNum: userNum, UserID: typed('UserID') }

const registrationSchema = z
  .object({
    ...registrationForm.shape,
    agreeTerms: z.boolean(REGISTER.termsRequired).default(false).refine(Boolean, REGISTER.termsRequired),
  })
  .superRefine(
    ({ userId, userPassword, userPasswordConfirm }, { addIssue, issues }) => {
      const isGood = (name: string) => !issues.some(({ path }) => path?.[0] === name)
      if (!isGood('userPassword')) return
      if (isGood('userId') && userPassword.toLowerCase() === userId.toLowerCase())
        addIssue({ code: 'custom', path: ['userPassword'], message: REGISTER.passwordIsUserId })
      if (isGood('userPasswordConfirm') && userPassword !== userPasswordConfirm)
        addIssue({ code: 'custom', path: ['userPasswordConfirm'], message: REGISTER.passwordsDiffer })
    },
    // Also if other fields are wrong, because one answer names them all; but not if the input is not an object.
    { when: ({ issues }) => issues.every(({ path = [] }) => path.length > 0) },
  )
  .meta({ id: 'Registration' })

export type Registration = z.infer<typeof registrationSchema>

export const register = endpoint({
  method: 'POST',
  path: '/register',
  summary: 'Open an account',
  area: 'accounts',
  access: 'public',
  limit: 'registrationForms',
  input: { body: registrationSchema },
  fields: registrationForm,
  output: z.object({ status: z.literal(1), message: z.string() }),
  errors: {
    closed: { status: 409, message: REGISTER.closed },
    userIdTaken: { status: 422, message: REGISTER.userIdTaken, field: 'userId' },
    emailTaken: { status: 422, message: REGISTER.emailTaken, field: 'userEmail' },
    countryUnknown: { status: 422, message: REGISTER.countryUnknown, field: 'country' },
  },
})

export const findUserId = endpoint({
  method: 'POST',
  path: '/findUserID',
  summary: 'Mail the user ID; the same answer whether or not there is one',
  area: 'accounts',
  access: 'public',
  limit: 'recovery',
  input: { body: z.object(findIdForm.shape) },
  fields: findIdForm,
  output: saidSchema,
})

export const findPassword = endpoint({
  method: 'POST',
  path: '/findPassword',
  summary: 'Mail a link to set a new password; the same answer whether or not there is such an account',
  area: 'accounts',
  access: 'public',
  limit: 'recovery',
  input: { body: z.object(findPasswordForm.shape) },
  fields: findPasswordForm,
  output: saidSchema,
})

export const resetPassword = endpoint({
  method: 'POST',
  path: '/resetpassword',
  summary: 'Set a new password with a mailed link, which works once',
  area: 'accounts',
  access: 'public',
  input: {
    body: z.object({
      token: linkToken(RECOVERY.linkDead),
      NewUserPass: newPassword(PASSWORD.newLabel),
    }),
  },
  fields: newPasswordForm,
  output: saidSchema,
  errors: { linkDead: { status: 422, message: RECOVERY.linkDead, field: 'token' }, passwordIsUserId },
})

export const undoEmailChange = endpoint({
  method: 'POST',
  path: '/undoemail',
  summary: 'Undo a change of the e-mail address with the link mailed to the former one. Ends every session',
  area: 'accounts',
  access: 'public',
  input: { body: z.object({ token: linkToken(RECOVERY.undoDead) }) },
  output: saidSchema,
  errors: { linkDead: { status: 422, message: RECOVERY.undoDead, field: 'token' } },
})

export const updatePassword = endpoint({
  method: 'POST',
  path: '/updatepassword',
  summary: 'Change the password; validate-secret-answer comes first. Ends every session',
  area: 'accounts',
  access: 'player',
  input: {
    body: z.object({
      ...owner,
      UserPass: typed(PASSWORD.currentLabel),
      NewUserPass: newPassword(PASSWORD.newLabel),
    }),
  },
  fields: changePasswordForm,
  output: saidSchema,
  errors: {
    secretAnswerFirst: { status: 409, message: PASSWORD.secretAnswerFirst },
    wrongPassword,
    passwordIsUserId,
  },
})

export const validateSecretAnswer = endpoint({
  method: 'POST',
  path: '/validate-secret-answer',
  summary: 'Confirm the secret answer, which holds for 5 minutes of this session',
  area: 'accounts',
  access: 'player',
  input: { body: z.object({ ...owner, secretAnswer: secretInput('Secret Answer') }) },
  fields: secretAnswerForm,
  output: saidSchema,
  errors: { wrongSecretAnswer: { status: 422, message: PASSWORD.secretAnswerWrong, field: 'secretAnswer' } },
})

const passwordCheck = {
  method: 'POST',
  summary: 'Check the password; message is null when it is wrong',
  area: 'accounts',
  access: 'player',
  input: { body: z.object({ ...owner, UserPass: secretInput('Password') }) },
  fields: passwordForm,
  output: z.object({ message: z.string().nullable() }),
} as const

export const validatePassword = endpoint({ ...passwordCheck, path: '/validate-password' })
/** SPEC §7 writes this path with an additional /api. */
export const validatePasswordAsWritten = endpoint({ ...passwordCheck, path: '/api/validate-password' })

export const updateUserDetails = endpoint({
  method: 'POST',
  path: '/updateuserdetails',
  summary: 'Change e-mail address, names, phone number and second password. Ends every session',
  area: 'accounts',
  access: 'player',
  input: {
    body: z.object({ ...owner, UserPass: z._default(secretInput('Password'), ''), ...detailsForm.shape }),
  },
  fields: detailsForm,
  output: saidSchema,
  errors: { wrongPassword, emailTaken: { status: 422, message: REGISTER.emailTaken, field: 'UserEmail' } },
})

export const getSessions = endpoint({
  method: 'GET',
  path: '/sessions',
  summary: 'Where this account is logged in, last seen first',
  area: 'accounts',
  access: 'player',
  output: z.object({
    data: z.array(
      z.object({
        id: z.int(),
        device: z.string(),
        address: z.string(),
        last_seen_at: z.iso.datetime({ offset: true }),
        current: z.boolean(),
        factor: z.enum(['totp', 'passkey', 'recovery']).nullable().meta({
          description: 'The second factor of the login, if it had one',
        }),
      }),
    ),
  }),
})

export const endOtherSessions = endpoint({
  method: 'POST',
  path: '/sessions/end-others',
  summary: 'Log out everywhere except here',
  area: 'accounts',
  access: 'player',
  output: saidSchema,
})

export const getAccountHistory = endpoint({
  method: 'GET',
  path: '/account-history',
  summary: 'Logins and changes of this account, the latest 50',
  area: 'accounts',
  access: 'player',
  output: z.object({
    data: z.array(
      z.object({
        id: z.int(),
        kind: z.string(),
        address: z.string(),
        device: z.string(),
        note: z.string(),
        created_at: z.iso.datetime({ offset: true }),
      }),
    ),
  }),
})
