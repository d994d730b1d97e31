import { z } from 'zod'
import * as f from 'zod/mini'
import { comparedTextField, PASSWORD_TEXTS, passwordForm, secretField } from './accounts.ts'
import { declareCalls } from './endpoint.ts'
import { messageSchema } from './errors.ts'
import { FACTOR_NAME_MAX, TOTP_DIGITS, TOTP_PERIOD_S } from './limits.ts'
import { formatRequiredText, formatTooLongText } from './messages.ts'
import { offsetMoment } from './scalars.ts'
import { keepAccountField, loginAnswerSchema, webAuthnField } from './session.ts'

const accounts = declareCalls('accounts', 'player')
const secondFactors = declareCalls('second factors', 'player')

/** The texts of second factors, which the specification does not fix. */
export const FACTOR_TEXTS = {
  asked: 'Please confirm it’s you with your second factor.',
  wrongCode: 'This code is not correct. Please try again.',
  wrongPasskey: 'This passkey did not work. Please try again.',
  locked: 'Too many wrong codes. Please try again in 15 minutes.',
  lockedButPasskey: 'Too many wrong codes. Please use your passkey, or try again in 15 minutes.',
  loginOver: 'This login took too long or was already completed. Please log in again.',
  codeOrPasskey: 'Please enter a code or use a passkey.',

  confirmFirst: 'Please confirm it’s you first.',
  confirmed: 'Thank you. You can continue.',
  passkeyFailed: 'This passkey did not work. Please try again, or use your password.',
  passkeyUnreadable: 'The passkey’s answer could not be read.',
  passwordOrPasskey: 'Please enter your password or use a passkey.',

  setUpOver: 'This took too long. Please start again.',
  appCodeWrong: 'This code is not correct. Please look at the app again; each code works for half a minute.',
  passkeyNotAdded: 'This passkey could not be added. Please start again.',
  passkeyKnown: 'This passkey is already registered here.',
  passkeysFull: 'You have ten passkeys. Please remove one first.',
  passkeysUnavailable: 'This site cannot use passkeys at its current address.',
  nameLabel: 'Name',
  codeLabel: 'Code',
  notThere: 'This is no longer one of your second factors.',
  factorMissing: 'Set up an app or a passkey before you make recovery codes.',
  staffNeedsOne:
    'You work at the desk, which requires a second factor. Please add another one before you remove this one.',
  removed: 'The second factor has been removed.',
  lastRemoved: 'The second factor has been removed. You can now log in with just your password.',
} as const

/** Returns the address in the QR code for an authenticator app. */
export function toTotpAddress(secret: string, { issuer, userId }: { issuer: string; userId: string }): string {
  const [name, account] = [issuer.replaceAll(':', ' '), userId].map(encodeURIComponent)
  return `otpauth://totp/${name}:${account}?issuer=${name}&secret=${secret}&algorithm=SHA1&digits=${TOTP_DIGITS}&period=${TOTP_PERIOD_S}`
}

/** A code of an app or a recovery code, as typed or pasted. */
export const codeForm = f.object({ code: comparedTextField(FACTOR_TEXTS.codeLabel) })

export const passkeyNameForm = f.object({
  name: f
    .string(formatRequiredText(FACTOR_TEXTS.nameLabel))
    .check(
      f.trim(),
      f.minLength(1, formatRequiredText(FACTOR_TEXTS.nameLabel)),
      f.maxLength(FACTOR_NAME_MAX, formatTooLongText(FACTOR_TEXTS.nameLabel, FACTOR_NAME_MAX)),
      f.regex(/^\P{C}*$/u, 'Name must not contain control characters.'),
    ),
})

const assertion = webAuthnField('AuthenticationResponseJSON of a passkey')

export const loginFactor = accounts.post('/login-factor', {
  summary:
    'The second step of a login, with the response of processlogin. The challenge stays valid after a wrong code; an expired challenge becomes null',
  access: 'public',
  limit: 'login',
  input: {
    body: z
      .object({
        challenge: z.string(FACTOR_TEXTS.loginOver).max(200, FACTOR_TEXTS.loginOver),
        code: z.optional(secretField(FACTOR_TEXTS.codeLabel)),
        assertion: assertion.optional(),
        keepAccount: keepAccountField,
      })
      .refine(({ code, assertion }) => (code === undefined) !== (assertion === undefined), {
        path: ['code'],
        message: FACTOR_TEXTS.codeOrPasskey,
      }),
  },
  fields: codeForm,
  output: z.object({ data: loginAnswerSchema }),
})

export const confirmIdentity = accounts.post('/confirmidentity', {
  summary:
    'Confirm your identity with the password or a passkey, for 15 minutes of this session. The session gets a new token; the earlier token expires with the confirmation',
  input: {
    body: z
      .object({ UserPass: z.optional(secretField('Password')), assertion: assertion.optional() })
      .refine(({ UserPass, assertion }) => (UserPass === undefined) !== (assertion === undefined), {
        path: ['UserPass'],
        message: FACTOR_TEXTS.passwordOrPasskey,
      }),
  },
  fields: passwordForm,
  output: z.object({
    message: z.string(),
    confirmed_until: offsetMoment,
    token: z.string().meta({ description: 'The new token of this session' }),
    password_advice: z
      .string()
      .nullable()
      .meta({ description: 'The advice to change a password that is too short or common for staff; null otherwise' }),
  }),
  errors: {
    wrongPassword: { status: 422, message: PASSWORD_TEXTS.incorrect, field: 'UserPass' },
    passkeyFailed: { status: 422, message: FACTOR_TEXTS.passkeyFailed, field: 'assertion' },
  },
})

export const startConfirmation = accounts.post('/confirmidentity/options', {
  summary: 'Begin a confirmation with a passkey; `options` is null for an account without a usable passkey',
  output: z.object({ options: webAuthnField('PublicKeyCredentialRequestOptionsJSON').nullable() }),
})

/** The refusal of a call that needs a recent confirmation of identity. Its response also has the `reason` 'sudo'. */
const sudo = { status: 403, message: FACTOR_TEXTS.confirmFirst } as const
/** New codes, shown only once. */
const recoveryCodes = z.array(z.string())
const addedFactor = z.object({
  id: z.int(),
  recovery_codes: recoveryCodes
    .nullable()
    .meta({ description: 'The recovery codes that an account gets with its first factor; else null' }),
})

export const getFactors = secondFactors.get('/factors', {
  summary: 'The second factors of this account',
  output: z.object({
    factors: z.array(
      z.object({
        id: z.int(),
        kind: z.enum(['totp', 'passkey']),
        name: z.string(),
        created_at: offsetMoment,
        last_used_at: offsetMoment.nullable(),
      }),
    ),
    recovery_codes_left: z.int(),
    passkeys_offered: z
      .boolean()
      .meta({ description: 'Whether browsers can use passkeys at the address of this site' }),
    confirmed_until: offsetMoment
      .nullable()
      .meta({ description: 'The time until which changes need no new confirmation' }),
  }),
})

export const startTotp = secondFactors.post('/factors/totp', {
  summary: 'Begin to set up an authenticator app; its secret is shown only once. Needs a confirmation',
  idempotent: { shownOnce: 'id' },
  output: z.object({ id: z.int(), secret: z.string(), uri: z.string() }),
  errors: { sudo },
})

export const confirmTotp = secondFactors.post('/factors/totp/confirm', {
  summary:
    'Turn the authenticator app on with one of its codes; it replaces an earlier app. A first factor ends all other sessions. Needs a confirmation',
  idempotent: { shownOnce: 'id' },
  fields: codeForm,
  output: addedFactor,
  errors: {
    sudo,
    setUpOver: { status: 409, message: FACTOR_TEXTS.setUpOver },
    wrongCode: { status: 422, message: FACTOR_TEXTS.appCodeWrong, field: 'code' },
  },
})

export const startPasskey = secondFactors.post('/factors/passkey/options', {
  summary: 'Begin to add a passkey. Needs a confirmation',
  output: z.object({ options: webAuthnField('PublicKeyCredentialCreationOptionsJSON') }),
  errors: {
    sudo,
    passkeysUnavailable: { status: 409, message: FACTOR_TEXTS.passkeysUnavailable },
    passkeysFull: { status: 409, message: FACTOR_TEXTS.passkeysFull },
  },
})

export const addPasskey = secondFactors.post('/factors/passkey', {
  summary: 'Add the passkey that the browser has made. A first factor ends all other sessions. Needs a confirmation',
  idempotent: { shownOnce: 'id' },
  input: {
    body: z.object({
      ...passkeyNameForm.shape,
      credential: webAuthnField('RegistrationResponseJSON of a new passkey'),
    }),
  },
  fields: passkeyNameForm,
  output: addedFactor,
  errors: {
    sudo,
    setUpOver: { status: 409, message: FACTOR_TEXTS.setUpOver },
    passkeysFull: { status: 409, message: FACTOR_TEXTS.passkeysFull },
    passkeyKnown: { status: 409, message: FACTOR_TEXTS.passkeyKnown },
    passkeyNotAdded: { status: 422, message: FACTOR_TEXTS.passkeyNotAdded, field: 'credential' },
  },
})

export const removeFactor = secondFactors.post('/factors/remove', {
  summary: 'Remove a second factor; removing the last one also removes the recovery codes. Needs a confirmation',
  input: { body: z.object({ id: z.int('id must be a whole number.') }) },
  output: messageSchema,
  errors: {
    sudo,
    notThere: { status: 404, message: FACTOR_TEXTS.notThere },
    staffNeedsOne: { status: 409, message: FACTOR_TEXTS.staffNeedsOne },
  },
})

export const renewRecoveryCodes = secondFactors.post('/factors/recovery-codes', {
  summary: 'Make ten new recovery codes, shown only once; the old codes stop working. Needs a confirmation',
  idempotent: { shownOnce: 'id' },
  output: z.object({ id: z.int(), recovery_codes: recoveryCodes }),
  errors: { sudo, factorMissing: { status: 409, message: FACTOR_TEXTS.factorMissing } },
})
