import { z } from 'zod'
import {
  emailSchema,
  newPasswordSchema,
  PHONE_CHARACTERS,
  personName,
  recoveryEmail,
  registrationSchema,
  secondPasswordSchema,
  secretInput,
  typed,
  userNum,
} from './account-fields.ts'
import { RECOVERY, tooLongText } from './account-messages.ts'
import { endpoint } from './endpoint.ts'
import { errorAnswer, errorSchema, jsonAnswer } from './errors.ts'
import { LOGIN } from './messages.ts'

/** The account as its owner gets it (SPEC §3 User): no password, no hash, no secret answer. */
export const userSchema = z
  .object({
    UserNum: z.int(),
    UserID: z.string(),
    UserEmail: z.string(),
    NameFirst: z.string(),
    NameLast: z.string(),
    PhoneNumber: z.string(),
    UserPoint: z.int().meta({ description: 'R-Coin' }),
    UserPoint2: z.int().meta({ description: 'Milleage' }),
    UserSQ: z.int().meta({ description: 'Which of the six secret questions' }),
    email_verified_at: z.iso.datetime({ offset: true }).nullable(),
    characters: z.array(
      z.object({
        ChaNum: z.int(),
        ChaName: z.string(),
        ChaLevel: z.int(),
        ChaClass: z.string(),
        ChaSchool: z.int(),
      }),
    ),
  })
  .meta({ id: 'User' })

export type User = z.infer<typeof userSchema>

const body = <Schema extends z.ZodType>(schema: Schema) => ({
  body: { required: true, content: { 'application/json': { schema } } },
})
const messageSchema = z.object({ message: z.string() })
const tags = ['accounts']
const guarded = { 401: errorAnswer('No token, or a dead one'), 403: errorAnswer('Somebody else’s account') }
const limited = { 422: errorAnswer('A rule is broken'), 429: errorAnswer('Too many tries') }
const owner = { UserNum: userNum, UserID: typed('UserID') }

export const processLogin = endpoint({
  method: 'post',
  path: '/processlogin',
  summary: 'Log in. A failure is 200 with status 2 to 6, token null and user null',
  tags,
  request: body(
    z.object({ UserID: typed('Username', LOGIN.userIdRequired), UserPass: typed('Password', LOGIN.passwordRequired) }),
  ),
  responses: {
    200: jsonAnswer(
      'status: UserType on success; 2 wrong, 3 blocked, 4 locked, 5 e-mail not verified, 6 maintenance',
      z.object({
        data: z.object({
          user: userSchema.nullable(),
          token: z.string().nullable(),
          message: z.string(),
          status: z.int(),
        }),
      }),
    ),
    ...limited,
  },
})

export const logout = endpoint({
  method: 'post',
  path: '/logout',
  summary: 'End this session',
  tags,
  responses: { 200: jsonAnswer('Ended', messageSchema), 401: guarded[401] },
})

export const register = endpoint({
  method: 'post',
  path: '/register',
  summary: 'Open an account',
  tags,
  request: body(registrationSchema),
  responses: {
    200: jsonAnswer('Opened', z.object({ status: z.literal(1), message: z.string() })),
    422: jsonAnswer(
      'What is wrong with which field',
      errorSchema.extend({ 'form-error': z.record(z.string(), z.array(z.string())) }),
    ),
    429: limited[429],
  },
})

export const findUserId = endpoint({
  method: 'post',
  path: '/findUserID',
  summary: 'Mail the user ID; the same answer whether or not there is one',
  tags,
  request: body(z.object({ findIDEmail: recoveryEmail(RECOVERY.findIdEmailRequired) })),
  responses: { 200: jsonAnswer('Said', messageSchema), ...limited },
})

export const findPassword = endpoint({
  method: 'post',
  path: '/findPassword',
  summary: 'Mail a link to set a new password; the same answer whether or not there is such an account',
  tags,
  request: body(
    z.object({
      findPWID: typed('User ID', RECOVERY.findPasswordIdRequired),
      findPWEmail: recoveryEmail(RECOVERY.findPasswordEmailRequired),
    }),
  ),
  responses: { 200: jsonAnswer('Said', messageSchema), ...limited },
})

export const resetPassword = endpoint({
  method: 'post',
  path: '/resetpassword',
  summary: 'Set a new password with a mailed link, once',
  tags,
  request: body(
    z.object({
      token: z.string(RECOVERY.linkDead).min(1, RECOVERY.linkDead).max(200, RECOVERY.linkDead),
      NewUserPass: newPasswordSchema('New Password'),
    }),
  ),
  responses: { 200: jsonAnswer('Set', messageSchema), ...limited },
})

export const updatePassword = endpoint({
  method: 'post',
  path: '/updatepassword',
  summary: 'Change the password; validate-secret-answer comes first. Ends every session',
  tags,
  request: body(
    z.object({
      ...owner,
      UserPass: typed('Current Password'),
      NewUserPass: newPasswordSchema('New Password'),
    }),
  ),
  responses: {
    200: jsonAnswer('Changed', messageSchema),
    ...guarded,
    409: errorAnswer('The secret answer was not confirmed in the last 5 minutes'),
    ...limited,
  },
})

export const validateSecretAnswer = endpoint({
  method: 'post',
  path: '/validate-secret-answer',
  summary: 'Confirm the secret answer; good for 5 minutes of this session',
  tags,
  request: body(z.object({ ...owner, secretAnswer: secretInput('Secret Answer') })),
  responses: { 200: jsonAnswer('Right', messageSchema), ...guarded, ...limited },
})

const validate = {
  method: 'post',
  summary: 'Check the password; message is null when it is wrong',
  tags,
  request: body(z.object({ ...owner, UserPass: secretInput('Password') })),
  responses: {
    200: jsonAnswer('Checked', z.object({ message: z.string().nullable() })),
    ...guarded,
    ...limited,
  },
} as const

export const validatePassword = endpoint({ ...validate, tags, path: '/validate-password' })
/** SPEC §7 writes the path with /api of its own. */
export const validatePasswordAsWritten = endpoint({ ...validate, tags, path: '/api/validate-password' })

export const updateUserDetails = endpoint({
  method: 'post',
  path: '/updateuserdetails',
  summary: 'Change e-mail, names, phone number, second password. Ends every session',
  tags,
  request: body(
    z.object({
      ...owner,
      UserPass: secretInput('Password').default(''),
      UserPass2: secondPasswordSchema.default(''),
      UserEmail: emailSchema,
      NameFirst: personName('First Name'),
      NameLast: personName('Last Name'),
      PhoneNumber: z
        .string(PHONE_CHARACTERS)
        .trim()
        .max(30, tooLongText('Phone Number', 30))
        .regex(/^[\d +()./-]*$/, PHONE_CHARACTERS)
        .default(''),
    }),
  ),
  responses: { 200: jsonAnswer('Changed', messageSchema), ...guarded, ...limited },
})

export const getUser = endpoint({
  method: 'get',
  path: '/user',
  summary: 'The account of this session, with its balances and characters',
  tags,
  responses: {
    200: jsonAnswer('The account', z.object({ data: userSchema, user_type: z.int() })),
    401: guarded[401],
  },
})

export const getSessions = endpoint({
  method: 'get',
  path: '/sessions',
  summary: 'Where this account is logged in, last seen first',
  tags,
  responses: {
    200: jsonAnswer(
      'The sessions',
      z.object({
        data: z.array(
          z.object({
            id: z.int(),
            device: z.string(),
            address: z.string(),
            last_seen_at: z.iso.datetime({ offset: true }),
            current: z.boolean(),
          }),
        ),
      }),
    ),
    401: guarded[401],
  },
})

export const endOtherSessions = endpoint({
  method: 'post',
  path: '/sessions/end-others',
  summary: 'Log out everywhere but here',
  tags,
  responses: { 200: jsonAnswer('Ended', messageSchema), 401: guarded[401] },
})

export const getAccountHistory = endpoint({
  method: 'get',
  path: '/account-history',
  summary: 'Logins and changes of this account, the latest 50',
  tags,
  responses: {
    200: jsonAnswer(
      'The events',
      z.object({
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
    ),
    401: guarded[401],
  },
})
