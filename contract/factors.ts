import { z } from 'zod'
import { passwordForm, secretInput } from './account-fields.ts'
import { PASSWORD } from './account-messages.ts'
import { endpoint } from './endpoint.ts'
import { FACTOR } from './factor-messages.ts'

/** What the browser's credential API takes or gives, as JSON. Its content is checked when it is used. */
const webAuthn = (description: string) =>
  z.record(z.string(), z.unknown(), FACTOR.passkeyUnreadable).meta({ description })
const assertion = webAuthn('AuthenticationResponseJSON of a passkey')

const when = z.iso.datetime({ offset: true })

export const confirmIdentity = endpoint({
  method: 'POST',
  path: '/confirmidentity',
  summary: 'Prove again who one is, with the password or a passkey; holds for 15 minutes of this session',
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
