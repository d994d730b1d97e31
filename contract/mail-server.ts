import { z } from 'zod'
import * as f from 'zod/mini'
import { emailSchema } from './accounts.ts'
import { describeFields } from './describe-fields.ts'
import { declareDeskCalls } from './desk.ts'
import { isSingleLine, lineField, recordIdField, wholeField } from './fields.ts'
import { count, moment } from './scalars.ts'

const desk = declareDeskCalls('mails', { read: 'mail.configure' })

const HOST_RULE = 'Enter the name of the server, such as smtp.example.ph.'
const PASSWORD_RULE = 'Enter the password as one line of at most 500 characters.'

export const mailServerForm = f.object({
  host: f
    .string(HOST_RULE)
    .check(f.trim(), f.regex(/^(?=.{1,253}$)[a-zA-Z0-9]([a-zA-Z0-9.-]*[a-zA-Z0-9])?$/, HOST_RULE)),
  port: wholeField(1, 65_535),
  login: lineField(200),
  password: f.string(PASSWORD_RULE).check(f.maxLength(500, PASSWORD_RULE), f.refine(isSingleLine, PASSWORD_RULE)),
  sender: emailSchema,
})

/** The tested mail server to use; null to use none. */
export const useMailServerForm = f.object({ server: f.nullable(recordIdField) })

export const mailServerFields = describeFields(mailServerForm, {
  host: { label: 'Server', hint: 'such as smtp.example.ph', kind: 'address' },
  port: { label: 'Port', hint: '465 or 587; ask your provider', kind: 'digits' },
  login: { label: 'User', hint: 'empty if none is needed', kind: 'id' },
  password: { label: 'Password', kind: 'password' },
  sender: { label: 'Sender', hint: 'such as no-reply@example.ph', kind: 'email' },
})

const serverSchema = z.object({
  host: z.string(),
  port: count,
  login: z.string(),
  has_password: z.boolean(),
  sender: z.string(),
})

export const getMailServer = desk.read('/admin/mail-server', {
  summary: 'The mail server of the site, and the mail server that you tested last',
  output: z.object({
    source: z.enum(['environment', 'desk', 'none']).meta({
      description:
        'Where the mail server is set: in the environment by SMTP_URL, which overrides the desk, or at the desk',
    }),
    server: serverSchema.nullable(),
    used_at: moment.nullable(),
    tried: serverSchema
      .extend({
        server: z.int(),
        tried_at: moment,
        said: z.string().meta({ description: 'The response of the server to the test email' }),
      })
      .nullable()
      .meta({ description: 'The server that you tested last, if it accepted the email and is not in use yet' }),
    providers: z.array(z.object({ name: z.string(), host: z.string(), port: count })),
    test_to: z.string().meta({ description: 'The recipient of a test: the email address of your account' }),
  }),
})

const setByEnvironmentError = {
  status: 409,
  message: 'This site’s mail server is set with SMTP_URL. Remove that variable on the server first.',
} as const

/** Most errors are results of a test. They never contain the response of the mail server. */
export const tryMailServer = desk.write('/admin/mail-server/try', {
  title: 'Test mail server',
  summary: 'Send a test email to yourself over a mail server. If the server accepts it, the site can use the server',
  sudo: true,
  limit: 'mailServerTries',
  fields: mailServerForm,
  output: z.object({ message: z.string(), server: z.int() }),
  errors: {
    environment: setByEnvironmentError,
    unknownName: { status: 422, message: 'There is no server of this name.', field: 'host' },
    serverUnreachable: {
      status: 422,
      message: 'The server cannot be reached at this port. Some hosting companies block the ports of mail.',
      field: 'host',
    },
    notSecure: {
      status: 422,
      message: 'There is no secure connection to the server. Check its name, and try port 465 or 587.',
      field: 'port',
    },
    mailServerNotFound: { status: 422, message: 'The server at this port is not a mail server.', field: 'port' },
    login: { status: 422, message: 'The mail server does not accept this user with this password.', field: 'login' },
    refused: { status: 422, message: 'The mail server did not accept the test email.', field: 'sender' },
    passwordAgain: {
      status: 422,
      message: 'Enter the password again. The stored one is for another server, port or user.',
      field: 'password',
    },
    mailUserMissing: { status: 422, message: 'Enter the user whose password this is.', field: 'login' },
  },
})

export const useMailServer = desk.write('/admin/mail-server/use', {
  title: 'Change mail server',
  summary:
    'Use a tested mail server for the site’s email, or use none. Another owner, if there is one, has to approve it',
  sudo: true,
  approvable: true,
  fields: useMailServerForm,
  errors: {
    environment: setByEnvironmentError,
    notTried: { status: 409, message: 'This mail server was not tested recently. Test it again first.' },
    none: { status: 409, message: 'The site has no mail server.' },
  },
})
