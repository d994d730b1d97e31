import { z } from 'zod'
import * as f from 'zod/mini'
import { emailSchema } from './accounts.ts'
import { describeFields } from './describe-fields.ts'
import { choiceFilter, declareDeskCalls, textFilter } from './desk.ts'
import { NO_MAIL_SERVER } from './errors.ts'
import { moment } from './scalars.ts'

const desk = declareDeskCalls('mails', { read: 'mails.read', write: 'mails.write' })

export const resendForm = f.object({
  mails: f
    .array(f.int('Choose some emails.'), 'Choose some emails.')
    .check(f.minLength(1, 'Choose some emails.'), f.maxLength(50, 'Choose at most 50 emails.')),
})

export const testMailForm = f.object({ template: f.string('Choose an email.'), to: emailSchema })

export const testMailFields = describeFields(testMailForm, { to: { label: 'Send to', kind: 'email' } })

const mailRow = z
  .object({
    mail: z.number(),
    to_address: z.string(),
    subject: z.string(),
    state: z
      .enum(['waiting', 'sent', 'kept', 'given-up'])
      .meta({ description: 'kept: saved as a file, because the site had no mail server' }),
    attempts: z.number(),
    created_at: moment,
    next_attempt_at: moment.nullable().meta({ description: 'Null unless the mail is waiting' }),
    ended_at: moment.nullable().meta({ description: 'When the mail was sent, saved as a file or given up' }),
    last_error: z.string().nullable(),
    can_send_again: z.boolean(),
  })
  .meta({ id: 'DeskMail' })

/** The list leaves out the texts of mails, because a link in a mail can open an account. */
export const getMails = desk.list('/admin/mails', {
  summary: 'The outgoing mail of the last 30 days, newest first',
  sorts: ['-mail'],
  filters: {
    state: choiceFilter(['waiting', 'sent', 'kept', 'given-up']),
    q: textFilter.meta({ description: 'The beginning of an email address' }),
  },
  row: mailRow,
})

export const resendMails = desk.write('/admin/mails/resend', {
  title: 'Resend emails',
  summary: 'Resend failed mail, or send waiting mail before its next attempt',
  fields: resendForm,
  output: z.object({ message: z.string(), resent: z.number(), skipped: z.number() }),
  errors: {
    nothing: {
      status: 409,
      message:
        'None of these can be sent again: they were already sent, are too old, or contain a link that has expired. You can send a new link from the player’s page.',
    },
  },
})

export const getMailTemplates = desk.read('/admin/mails/templates', {
  summary: 'Every email the site sends, with sample data',
  output: z.object({
    rows: z.array(
      z.object({ name: z.string(), title: z.string(), subject: z.string(), html: z.string(), text: z.string() }),
    ),
  }),
})

export const sendTestMail = desk.write('/admin/mails/test', {
  title: 'Send test email',
  summary: 'Send a template with sample data to an address',
  fields: testMailForm,
  errors: {
    mailServerMissing: { status: 409, message: NO_MAIL_SERVER },
    templateNotFound: { status: 422, message: 'There is no such email.', field: 'template' },
  },
})
