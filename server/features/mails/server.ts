import { sql } from 'kysely'
import wellKnown from 'nodemailer/lib/well-known'
import type { ValidInput } from '#contract/endpoint.ts'
import * as calls from '#contract/mail-server.ts'
import type { ApprovalSubject } from '#server/approvals/approvals.ts'
import type { Db } from '#server/db/open.ts'
import type { Deps } from '#server/deps.ts'
import { Refusal, refuse } from '#server/errors.ts'
import { mailOwners } from '#server/features/staff/notify.ts'
import { type Mounted, mount } from '#server/http/mount.ts'
import {
  findMailServer,
  getConnectionOptions,
  type MailAccount,
  nameServer,
  sealMailPassword,
} from '#server/mail/servers.ts'
import { readMailSite } from '#server/mail/site.ts'
import { mails } from '#server/mail/templates.ts'
import { sendOnce } from '#server/mail/transport.ts'

/** The providers that the desk offers, under the names by which nodemailer knows their servers. */
const PROVIDERS = [
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

const providers = PROVIDERS.flatMap((name) => {
  const provider = wellKnown(name)
  return provider === false ? [] : [{ name, host: provider.host ?? '', port: Number(provider.port) }]
})

type Row = NonNullable<Awaited<ReturnType<typeof findMailServer>>>

const toVisible = ({ host, port, login, sealed, sender }: Row) => ({
  host,
  port,
  login,
  has_password: sealed !== null,
  sender,
})

/** The desk's calls about the mail server of the site. */
export const mailServerDeskCalls: Mounted[] = [
  mount(calls.getMailServer, async (_, { deps: { db, config }, staff }) => {
    const current = await findMailServer(db)
    const tried = await db
      .selectFrom('mail_servers')
      .where('tried_by', '=', staff.userNum)
      .where('used_at', 'is', null)
      .$if(current !== undefined, (query) => query.where('tried_at', '>', current?.used_at ?? new Date(0)))
      .selectAll()
      .orderBy('server', 'desc')
      .limit(1)
      .executeTakeFirst()
    return {
      source: config.smtpUrl !== undefined ? 'environment' : current === undefined ? 'none' : 'desk',
      server: current === undefined ? null : toVisible(current),
      used_at: current?.used_at ?? null,
      tried:
        tried === undefined
          ? null
          : { ...toVisible(tried), server: tried.server, tried_at: tried.tried_at, said: tried.said },
      providers,
      test_to: (await findAddress(db, staff.userNum)).user_email,
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
        after: { tried: nameServer(prepared), sender: prepared.sender, said: prepared.said },
      })
      return { message: `The mail server took a test for you. Its answer: “${prepared.said}”.`, server }
    },
  }),

  mount(calls.useMailServer, async ({ server }, { deps, staff, record, requireApproval }) => {
    const { db, now, config } = deps
    if (config.smtpUrl !== undefined) throw refuse(calls.useMailServer, 'environment')
    await sql`lock table mail_servers in share row exclusive mode`.execute(db)
    const former = await findMailServer(db)
    const tried =
      server === null
        ? undefined
        : await db
            .selectFrom('mail_servers')
            .where('server', '=', server)
            .where('used_at', 'is', null)
            .selectAll()
            .executeTakeFirst()
    if (server !== null && tried === undefined) throw refuse(calls.useMailServer, 'notTried')
    if (server === null && former === undefined) throw refuse(calls.useMailServer, 'none')
    await requireApproval(describeChange(tried, former))
    await db
      .updateTable('mail_servers')
      .set({ ended_at: now() })
      .where('server', '=', former?.server ?? 0)
      .execute()
    await db
      .updateTable('mail_servers')
      .set({ used_at: now() })
      .where('server', '=', tried?.server ?? 0)
      .execute()
    const notice = {
      subject: 'The mail server was changed',
      lines: [
        tried === undefined
          ? `${staff.userId} has removed the mail server. From now on the site saves its email as files and does not deliver it.`
          : `${staff.userId} has changed the mail server. The site now sends its email over ${nameServer(tried)}, from ${tried.sender}.`,
        `Before, it was ${former === undefined ? 'none' : nameServer(former)}.`,
      ],
    }
    // Sends the notice over the former server too, because the new server could drop it.
    if (former !== undefined) await mailOwners(db, deps, notice, { server: former.server })
    if (tried !== undefined) await mailOwners(db, deps, notice)
    record({
      target: ['mail server', (tried ?? former)?.server ?? 0],
      before: { server: former === undefined ? 'none' : nameServer(former), sender: former?.sender ?? '' },
      after: { server: tried === undefined ? 'none' : nameServer(tried), sender: tried?.sender ?? '' },
    })
    return {
      message:
        tried === undefined ? 'The mail server is removed.' : `Email goes over ${nameServer(tried)} from now on.`,
    }
  }),
]

const findAddress = (db: Db, userNum: number) =>
  db.selectFrom('accounts').where('user_num', '=', userNum).select(['user_id', 'user_email']).executeTakeFirstOrThrow()

/** Describes a change for the owner who approves it. */
function describeChange(tried: Row | undefined, former: Row | undefined): ApprovalSubject {
  const before = former === undefined ? 'none' : nameServer(former)
  const after = tried === undefined ? 'none' : nameServer(tried)
  return {
    by: 'owner',
    accounts: [],
    summary: `Change the mail server from ${before} to ${after}`,
    effect: { 'mail server': after, number: tried?.server ?? null, sender: tried?.sender ?? '', 'in place of': before },
  }
}

/** Returns the sealed password: the entered one, or the stored one if the server is the same. */
async function sealPassword(
  { host, port, login, password }: ValidInput<typeof calls.tryMailServer>,
  { db, siteKey }: Pick<Deps, 'db' | 'siteKey'>,
): Promise<string | null> {
  if (login === '' && password !== '') throw refuse(calls.tryMailServer, 'mailUserMissing')
  if (login === '') return null
  const account = { host: host.toLowerCase(), port, login }
  if (password !== '') return sealMailPassword(siteKey, account, password)
  const current = await findMailServer(db)
  if (current?.host !== account.host || current.port !== port || current.login !== login || current.sealed === null)
    throw refuse(calls.tryMailServer, 'passwordAgain')
  return current.sealed
}

type Tester = { deps: Pick<Deps, 'db' | 'config' | 'publicUrl' | 'siteKey'>; userNum: number }

/** Sends a test to the operator. @returns the server's response @throws Refusal 422 */
async function sendTest(account: MailAccount, sender: string, { deps, userNum }: Tester): Promise<string> {
  const { user_id, user_email } = await findAddress(deps.db, userNum)
  const site = await readMailSite(deps)
  const { subject, text, html } = mails.mailServerTest(site, user_id)
  const mail = { to_address: user_email, subject, body_text: text, body_html: html, unsubscribe_url: null }
  const from = { name: site.appName, address: sender }
  return sendOnce(getConnectionOptions(account, deps.siteKey), mail, from).then(quote, (error: unknown) => {
    throw explain(error)
  })
}

/** Returns one line of a mail server's response. */
const quote = (said: string) =>
  said
    .replace(/[\p{Cc}\p{Cs}\s]+/gu, ' ')
    .trim()
    .slice(0, 300)

const UNKNOWN_NAME = /^(EDNS|ENOTFOUND|EAI_\w+|ENODATA)$/
const NO_CONNECTION = /^(ECONNECTION|ETIMEDOUT|EABORT|ABORT_ERR|ECONN\w+|E(HOST|NET)UNREACH|EACCES|EPIPE)$/

/**
 * Converts a failed test to a refusal. Quotes only a mail server's response about the login or the mail, because other
 * responses may come from other programs, such as one on this machine.
 */
function explain(error: unknown): Refusal {
  const { code, cause, errno, response, responseCode } = error as Record<string, unknown>
  const codes = [code, errno, (cause as { code?: unknown } | undefined)?.code].map(String)
  if (typeof responseCode === 'number' && typeof response === 'string') {
    if (code === 'EAUTH') return createTestRefusal('login', response)
    if (code === 'EENVELOPE' || code === 'EMESSAGE') return createTestRefusal('refused', response)
  }
  if (codes.some((one) => UNKNOWN_NAME.test(one))) return refuse(calls.tryMailServer, 'unknownName')
  if (/certificate|self.signed|TLS|SSL|altname/i.test(`${(error as Error).message} ${codes}`))
    return refuse(calls.tryMailServer, 'notSecure')
  if (code === 'EAUTH' || code === 'ENOAUTH') return refuse(calls.tryMailServer, 'login')
  if (code === 'ESOCKET' || NO_CONNECTION.test(String(code))) return refuse(calls.tryMailServer, 'serverUnreachable')
  return refuse(calls.tryMailServer, 'mailServerNotFound')
}

function createTestRefusal(name: 'login' | 'refused', response: string): Refusal {
  const { status, message, field } = calls.tryMailServer.errors[name]
  const text = `${message} Its answer: “${quote(response)}”.`
  return new Refusal(status, name, text, { extra: { 'form-error': { [field]: [text] } } })
}
