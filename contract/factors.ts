import { z } from 'zod'
import { passwordForm, secretInput } from './account-fields.ts'
import { PASSWORD } from './account-messages.ts'
import { endpoint } from './endpoint.ts'
import { saidSchema } from './errors.ts'
import { codeForm, passkeyNameForm } from './factor-fields.ts'
import { FACTOR } from './factor-messages.ts'
import { loginAnswerSchema, webAuthn } from './session.ts'

const when = z.iso.datetime({ offset: true })
const assertion = webAuthn('AuthenticationResponseJSON of a passkey')

export const loginFactor = endpoint({
  method: 'POST',
  path: '/login-factor',
  summary:
    'The second step of a login; answers like processlogin. A wrong code keeps the challenge; a dead one becomes null',
  area: 'accounts',
  access: 'public',
  limit: 'login',
  input: {
    body: z
      .object({
        challenge: z.string(FACTOR.loginOver).max(200, FACTOR.loginOver),
        code: z.optional(secretInput(FACTOR.codeLabel)),
        assertion: assertion.optional(),
      })
      .refine(({ code, assertion }) => (code === undefined) !== (assertion === undefined), {
        path: ['code'],
        message: FACTOR.codeOrPasskey,
      }),
  },
  fields: codeForm,
  output: z.object({ data: loginAnswerSchema }),
})

export const confirmIdentity = endpoint({
  method: 'POST',
  path: '/confirmidentity',
  summary: 'Confirm your identity with the password or a passkey; holds for 15 minutes of this session',
  area: 'accounts',
  access: 'player',
  input: {
    body: z
      .object({ UserPass: z.optional(secretInput('Password')), assertion: assertion.optional() })
      .refine(({ UserPass, assertion }) => (UserPass === undefined) !== (assertion === undefined), {
        path: ['UserPass'],
        message: FACTOR.passwordOrPasskey,
      }),
  },
  fields: passwordForm,
  output: z.object({ message: z.string(), confirmed_until: when }),
  errors: {
    wrongPassword: { status: 422, message: PASSWORD.incorrect, field: 'UserPass' },
    passkeyFailed: { status: 422, message: FACTOR.passkeyFailed, field: 'assertion' },
  },
})

export const startConfirmation = endpoint({
  method: 'POST',
  path: '/confirmidentity/options',
  summary: 'Begin a confirmation with a passkey; options is null for an account without a usable one',
  area: 'accounts',
  access: 'player',
  output: z.object({ options: webAuthn('PublicKeyCredentialRequestOptionsJSON').nullable() }),
})

const confirmFirst = { status: 403, message: FACTOR.confirmFirst } as const
/** New codes, shown this once. */
const recoveryCodes = z.array(z.string())
const added = z.object({
  id: z.int(),
  recovery_codes: recoveryCodes
    .nullable()
    .meta({ description: 'The recovery codes that come with the first factor, else null' }),
})

export const getFactors = endpoint({
  method: 'GET',
  path: '/factors',
  summary: 'The second factors of this account',
  area: 'second factors',
  access: 'player',
  output: z.object({
    factors: z.array(
      z.object({
        id: z.int(),
        kind: z.enum(['totp', 'passkey']),
        name: z.string(),
        created_at: when,
        last_used_at: when.nullable(),
      }),
    ),
    recovery_codes_left: z.int(),
    passkeys_offered: z
      .boolean()
      .meta({ description: 'Whether browsers can use passkeys at the address of this site' }),
    confirmed_until: when.nullable().meta({ description: 'Until when changes need no new confirmation' }),
  }),
})

export const startTotp = endpoint({
  method: 'POST',
  path: '/factors/totp',
  summary: 'Begin to set up an authenticator app; its secret is shown this once. Needs a confirmation',
  area: 'second factors',
  access: 'player',
  idempotent: { shownOnce: 'id' },
  output: z.object({ id: z.int(), secret: z.string(), uri: z.string() }),
  errors: { confirmFirst },
})

export const confirmTotp = endpoint({
  method: 'POST',
  path: '/factors/totp/confirm',
  summary: 'Turn the authenticator app on with one of its codes; it replaces the one before. Needs a confirmation',
  area: 'second factors',
  access: 'player',
  idempotent: { shownOnce: 'id' },
  input: { body: z.object(codeForm.shape) },
  fields: codeForm,
  output: added,
  errors: {
    confirmFirst,
    setUpOver: { status: 409, message: FACTOR.setUpOver },
    wrongCode: { status: 422, message: FACTOR.appCodeWrong, field: 'code' },
  },
})

export const startPasskey = endpoint({
  method: 'POST',
  path: '/factors/passkey/options',
  summary: 'Begin to add a passkey. Needs a confirmation',
  area: 'second factors',
  access: 'player',
  output: z.object({ options: webAuthn('PublicKeyCredentialCreationOptionsJSON') }),
  errors: {
    confirmFirst,
    noPasskeysHere: { status: 409, message: FACTOR.noPasskeysHere },
    passkeysFull: { status: 409, message: FACTOR.passkeysFull },
  },
})

export const addPasskey = endpoint({
  method: 'POST',
  path: '/factors/passkey',
  summary: 'Add the passkey that the browser has made. Needs a confirmation',
  area: 'second factors',
  access: 'player',
  idempotent: { shownOnce: 'id' },
  input: {
    body: z.object({ ...passkeyNameForm.shape, credential: webAuthn('RegistrationResponseJSON of a new passkey') }),
  },
  fields: passkeyNameForm,
  output: added,
  errors: {
    confirmFirst,
    setUpOver: { status: 409, message: FACTOR.setUpOver },
    passkeysFull: { status: 409, message: FACTOR.passkeysFull },
    passkeyKnown: { status: 409, message: FACTOR.passkeyKnown },
    passkeyNotAdded: { status: 422, message: FACTOR.passkeyNotAdded, field: 'credential' },
  },
})

export const removeFactor = endpoint({
  method: 'POST',
  path: '/factors/remove',
  summary: 'Remove a second factor; the recovery codes go with the last one. Needs a confirmation',
  area: 'second factors',
  access: 'player',
  input: { body: z.object({ id: z.int('must be a whole number') }) },
  output: saidSchema,
  errors: {
    confirmFirst,
    notThere: { status: 404, message: FACTOR.notThere },
    staffNeedsOne: { status: 409, message: FACTOR.staffNeedsOne },
  },
})

export const renewRecoveryCodes = endpoint({
  method: 'POST',
  path: '/factors/recovery-codes',
  summary: 'Make ten new recovery codes, shown this once; the old ones end. Needs a confirmation',
  area: 'second factors',
  access: 'player',
  idempotent: { shownOnce: 'id' },
  output: z.object({ id: z.int(), recovery_codes: recoveryCodes }),
  errors: { confirmFirst, noFactor: { status: 409, message: FACTOR.noFactor } },
})
