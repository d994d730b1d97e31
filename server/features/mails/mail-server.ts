import { sql } from 'kysely'
import wellKnown from 'nodemailer/lib/well-known'
import type { ValidInput } from '#contract/endpoint.ts'
import * as calls from '#contract/mail-server.ts'
import type { ApprovalSubject } from '#server/approvals/approvals.ts'
import type { Db } from '#server/db/open.ts'
import type { Deps } from '#server/deps.ts'
import { Refusal, refuse } from '#server/errors.ts'
import { mailOwners } from '#server/features/staff/notify.ts'
import { type MountedCall, mount } from '#server/http/mount.ts'
import {
  findMailServer,
  formatServer,
  getConnectionOptions,
  type MailAccount,
  sealMailPassword,
} from '#server/mail/servers.ts'
import { readMailSite } from '#server/mail/site.ts'
import { mails } from '#server/mail/templates.ts'
import { sendOnce } from '#server/mail/transport.ts'

/** The mail providers that the desk offers, by their names in nodemailer. */
const PROVIDER_NAMES = [
  'Brevo',
  'FastMail',
  'Gmail',
  'iCloud',
  'Mailgun',
  'Mailjet',
  'Resend',
  'SendGrid',
  'SMTP2GO',
  'Zoho',
]

const providers = PROVIDER_NAMES.flatMap((name) => {
  const provider = wellKnown(name)
  return provider === false ? [] : [{ name, host: provider.host ?? '', port: Number(provider.port) }]
})

type ServerRow = NonNullable<Awaited<ReturnType<typeof findMailServer>>>

const omitPassword = ({ host, port, login, sealed, sender }: ServerRow) => ({
  host,
  port,
  login,
  has_password: sealed !== null,
  sender,
})

/** The desk's calls about the mail server of the site. */
export const mailServerDeskCalls: MountedCall[] = [
  mount(calls.getMailServer, async (_, { deps: { db, config }, staff }) => {
    const currentServer = await findMailServer(db)
    const testedServer = await db
      .selectFrom('mail_servers')
      .where('tried_by', '=', staff.userNum)
      .where('used_at', 'is', null)
      .$if(currentServer !== undefined, (query) => query.where('tried_at', '>', currentServer?.used_at ?? new Date(0)))
      .selectAll()
      .orderBy('server', 'desc')
      .limit(1)
      .executeTakeFirst()
    return {
      source: config.smtpUrl !== undefined ? 'environment' : currentServer === undefined ? 'none' : 'desk',
      server: currentServer === undefined ? null : omitPassword(currentServer),
      used_at: currentServer?.used_at ?? null,
      tried:
        testedServer === undefined
          ? null
          : {
              ...omitPassword(testedServer),
              server: testedServer.server,
              tried_at: testedServer.tried_at,
              said: testedServer.said,
            },
      providers,
      test_to: (await findRecipient(db, staff.userNum)).user_email,
    }
  }),

  mount(calls.tryMailServer, {
    prepare: async (input, { deps, session }) => {
      if (deps.config.smtpUrl !== undefined) throw refuse(calls.tryMailServer, 'environment')
      const { host, port, login, sender } = input
      const account = { host: host.toLowerCase(), port, login, sealed: await sealPassword(input, deps) }
      return { ...account, sender, said: await sendTest(account, sender, { deps, userNum: session.userNum }) }
    },
    write: async (_, { deps: { db, now }, staff, record, prepared }) => {
      const { server } = await db
        .insertInto('mail_servers')
        .values({ ...prepared, tried_at: now(), tried_by: staff.userNum })
        .returning('server')
        .executeTakeFirstOrThrow()
      record({
        target: ['mail server', server],
        after: { tried: formatServer(prepared), sender: prepared.sender, said: prepared.said },
      })
      return {
        message: `The mail server accepted a test email to your address. Its answer: “${prepared.said}”.`,
        server,
      }
    },
  }),

  mount(calls.useMailServer, async ({ server }, { deps, staff, record, requireApproval }) => {
    const { db, now, config } = deps
    if (config.smtpUrl !== undefined) throw refuse(calls.useMailServer, 'environment')
    await sql`lock table mail_servers in share row exclusive mode`.execute(db)
    const formerServer = await findMailServer(db)
    const testedServer =
      server === null
        ? undefined
        : await db
            .selectFrom('mail_servers')
            .where('server', '=', server)
            .where('used_at', 'is', null)
            .selectAll()
            .executeTakeFirst()
    if (server !== null && testedServer === undefined) throw refuse(calls.useMailServer, 'notTried')
    if (server === null && formerServer === undefined) throw refuse(calls.useMailServer, 'none')
    await requireApproval(describeChange(testedServer, formerServer))
    await db
      .updateTable('mail_servers')
      .set({ ended_at: now() })
      .where('server', '=', formerServer?.server ?? 0)
      .execute()
    await db
      .updateTable('mail_servers')
      .set({ used_at: now() })
      .where('server', '=', testedServer?.server ?? 0)
      .execute()
    const notice = {
      subject: 'The mail server was changed',
      lines: [
        testedServer === undefined
          ? `${staff.userId} has removed the mail server. From now on the site saves its email as files and does not deliver it.`
          : `${staff.userId} has changed the mail server. The site now sends its email over ${formatServer(testedServer)}, from ${testedServer.sender}.`,
        `Before, it was ${formerServer === undefined ? 'none' : formatServer(formerServer)}.`,
      ],
    }
    // Sends the notice over the former server too, because the new server could drop it.
    if (formerServer !== undefined) await mailOwners(db, deps, notice, { server: formerServer.server })
    if (testedServer !== undefined) await mailOwners(db, deps, notice)
    record({
      target: ['mail server', (testedServer ?? formerServer)?.server ?? 0],
      before: {
        server: formerServer === undefined ? 'none' : formatServer(formerServer),
        sender: formerServer?.sender ?? '',
      },
      after: {
        server: testedServer === undefined ? 'none' : formatServer(testedServer),
        sender: testedServer?.sender ?? '',
      },
    })
    return {
      message:
        testedServer === undefined
          ? 'The mail server is removed.'
          : `Email goes over ${formatServer(testedServer)} from now on.`,
    }
  }),
]

const findRecipient = (db: Db, userNum: number) =>
  db.selectFrom('accounts').where('user_num', '=', userNum).select(['user_id', 'user_email']).executeTakeFirstOrThrow()

/** Describes a change for the owner who approves it (DESK-15). */
function describeChange(testedServer: ServerRow | undefined, formerServer: ServerRow | undefined): ApprovalSubject {
  const before = formerServer === undefined ? 'none' : formatServer(formerServer)
  const after = testedServer === undefined ? 'none' : formatServer(testedServer)
  return {
    approverKind: 'owner',
    accounts: [],
    summary: `Change the mail server from ${before} to ${after}`,
    effect: {
      'mail server': after,
      number: testedServer?.server ?? null,
      sender: testedServer?.sender ?? '',
      'in place of': before,
    },
  }
}

/**
 * Returns the sealed password: the entered one, or the stored one if host, port and login are the same (DESK-16). Null
 * without a login.
 *
 * @throws Refusal 422
 */
async function sealPassword(
  { host, port, login, password }: ValidInput<typeof calls.tryMailServer>,
  { db, siteKey }: Pick<Deps, 'db' | 'siteKey'>,
): Promise<string | null> {
  if (login === '' && password !== '') throw refuse(calls.tryMailServer, 'mailUserMissing')
  if (login === '') return null
  const account = { host: host.toLowerCase(), port, login }
  if (password !== '') return sealMailPassword(siteKey, account, password)
  const currentServer = await findMailServer(db)
  if (
    currentServer?.host !== account.host ||
    currentServer.port !== port ||
    currentServer.login !== login ||
    currentServer.sealed === null
  )
    throw refuse(calls.tryMailServer, 'passwordAgain')
  return currentServer.sealed
}

type TestContext = { deps: Pick<Deps, 'db' | 'config' | 'publicUrl' | 'siteKey'>; userNum: number }

/** Sends a test to the operator. @returns the server's response @throws Refusal 422 */
async function sendTest(account: MailAccount, sender: string, { deps, userNum }: TestContext): Promise<string> {
  const { user_id, user_email } = await findRecipient(deps.db, userNum)
  const site = await readMailSite(deps)
  const { subject, text, html } = mails.mailServerTest(site, user_id)
  const mail = { to_address: user_email, subject, body_text: text, body_html: html, unsubscribe_url: null }
  const from = { name: site.appName, address: sender }
  return sendOnce(getConnectionOptions(account, deps.siteKey), mail, from).then(quoteResponse, (error: unknown) => {
    throw toRefusal(error)
  })
}

/** Returns a mail server's response on one line, cut to 300 characters. */
const quoteResponse = (response: string) =>
  response
    .replace(/[\p{Cc}\p{Cs}\s]+/gu, ' ')
    .trim()
    .slice(0, 300)

const UNKNOWN_NAME_CODE = /^(EDNS|ENOTFOUND|EAI_\w+|ENODATA)$/
const CONNECTION_ERROR_CODE = /^(ECONNECTION|ETIMEDOUT|EABORT|ABORT_ERR|ECONN\w+|E(HOST|NET)UNREACH|EACCES|EPIPE)$/

/**
 * Converts a failed test to a refusal (DESK-16). Quotes only a mail server's response about the login or the mail,
 * because other responses may come from other programs, such as one on this machine.
 */
function toRefusal(error: unknown): Refusal {
  const { code, cause, errno, response, responseCode } = error as Record<string, unknown>
  const codes = [code, errno, (cause as { code?: unknown } | undefined)?.code].map(String)
  if (typeof responseCode === 'number' && typeof response === 'string') {
    if (code === 'EAUTH') return createTestRefusal('login', response)
    if (code === 'EENVELOPE' || code === 'EMESSAGE') return createTestRefusal('refused', response)
  }
  if (codes.some((codeText) => UNKNOWN_NAME_CODE.test(codeText))) return refuse(calls.tryMailServer, 'unknownName')
  if (/certificate|self.signed|TLS|SSL|altname/i.test(`${(error as Error).message} ${codes}`))
    return refuse(calls.tryMailServer, 'notSecure')
  if (code === 'EAUTH' || code === 'ENOAUTH') return refuse(calls.tryMailServer, 'login')
  if (code === 'ESOCKET' || CONNECTION_ERROR_CODE.test(String(code)))
    return refuse(calls.tryMailServer, 'serverUnreachable')
  return refuse(calls.tryMailServer, 'mailServerNotFound')
}

function createTestRefusal(name: 'login' | 'refused', response: string): Refusal {
  const { status, message, field } = calls.tryMailServer.errors[name]
  const text = `${message} Its answer: “${quoteResponse(response)}”.`
  return new Refusal(status, name, text, { extra: { 'form-error': { [field]: [text] } } })
}
