import { z } from 'zod'
import * as f from 'zod/mini'
import { comparedTextField } from './accounts.ts'
import { declareCalls } from './endpoint.ts'
import { messageSchema } from './errors.ts'
import { LOGIN_TEXTS } from './messages.ts'
import { offsetMoment } from './scalars.ts'

const accounts = declareCalls('accounts', 'player')

/** The fields of a login, which the browser requires before it makes the call (LOGIN-2). */
export const loginForm = f.object({
  UserID: comparedTextField('Username', LOGIN_TEXTS.userIdRequired),
  UserPass: comparedTextField('Password', LOGIN_TEXTS.passwordRequired),
})

/** If true, the login withdraws a request to erase the account. */
export const keepAccountField = f.optional(f.boolean('Choose whether to keep the account.'))

/** A player's own account (ACCOUNT-1), without `UserPass`, `UserPass2` and the secret answer (LOGIN-5). */
const userSchema = z
  .object({
    UserNum: z.int(),
    UserID: z.string(),
    UserEmail: z.string(),
    NameFirst: z.string(),
    NameLast: z.string(),
    PhoneNumber: z.string(),
    UserPoint: z.int().meta({ description: 'R-Coin' }),
    UserPoint2: z.int().meta({ description: 'Milleage' }),
    UserSQ: z.int().meta({ description: 'The number of the secret question' }),
    email_verified_at: offsetMoment.nullable(),
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

/** The JSON that the browser's credential API takes or returns. It is validated when it is used. */
export const webAuthnField = (description: string) =>
  z.record(z.string(), z.unknown(), 'The passkey’s answer could not be read.').meta({ description })

/** The response of a login and of its second step. */
export const loginAnswerSchema = z.object({
  user: userSchema.nullable(),
  token: z.string().nullable(),
  message: z.string(),
  status: z.int().meta({
    description: 'The user type on success; 2 wrong, 3 blocked, 4 locked, 5 email address not verified, 6 maintenance',
  }),
  challenge: z.string().nullable().optional().meta({
    description:
      'With status 2 after a correct password: the token for POST /login-factor, valid once and for 5 minutes. Null if the caller sent an invalid token',
  }),
  factors: z
    .array(z.enum(['totp', 'passkey', 'recovery']))
    .optional()
    .meta({ description: 'With a challenge: the kinds of factors that can answer it' }),
  options: webAuthnField('PublicKeyCredentialRequestOptionsJSON').optional(),
  erasure_due_at: offsetMoment.optional().meta({
    description: 'With status 3: when the account will be erased; a login with keepAccount withdraws the erasure',
  }),
  claim: z
    .literal(true)
    .optional()
    .meta({ description: 'With a token that allows only calls to complete an imported account' }),
})

export const processLogin = accounts.post('/processlogin', {
  summary: 'Log in; a failed login answers 200 with status 2 to 6, token null and user null',
  access: 'public',
  limit: 'login',
  input: { body: f.extend(loginForm, { keepAccount: keepAccountField }) },
  fields: loginForm,
  output: z.object({ data: loginAnswerSchema }),
})

export const logout = accounts.post('/logout', {
  summary: 'End this session',
  duringTakeOver: true,
  output: messageSchema,
})

export const getUser = accounts.get('/user', {
  summary: 'The account of this session, with its balances and characters',
  output: z.object({ data: userSchema, user_type: z.int() }),
})
