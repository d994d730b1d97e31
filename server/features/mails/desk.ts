import { sql } from 'kysely'
import { DESK_PAGE_SIZE } from '#contract/desk-list.ts'
import * as calls from '#contract/desk-mails.ts'
import type { Db } from '#server/db/open.ts'
import type { Deps } from '#server/deps.ts'
import { refuse } from '#server/errors.ts'
import { type Mounted, mount } from '#server/http/mount.ts'
import { enqueueMail } from '#server/mail/outbox.ts'
import { MAIL_SAMPLES } from '#server/mail/samples.ts'

const siteOf = ({ config, publicUrl }: Deps) => ({ appName: config.appName, publicUrl })

const STATES = {
  waiting: sql`sent_at is null and given_up_at is null`,
  sent: sql`sent_at is not null`,
  'given-up': sql`given_up_at is not null`,
} as const

type MailRow = {
  mail: number
  to_address: string
  subject: string
  state: keyof typeof STATES
  attempts: number
  created_at: Date
  next_attempt_at: Date
  sent_at: Date | null
  given_up_at: Date | null
  last_error: string | null
  has_text: boolean
  has_good_link: boolean
}

/** A mail's link, where it has one, that a mail sent now would still bring to life. */
const GOOD_LINK = sql`(link_hash is null or exists (
  select from mailed_links l where l.token_hash = link_hash and l.used_at is null))`

/** A page of the outbox, newest first. */
async function selectMails(db: Db, { after, state, q }: { after: string; state: keyof typeof STATES | ''; q: string }) {
  const address = sql`lower(to_address)`
  const words = sql`lower(${q})`
  const { rows } = await sql<MailRow>`
    select mail, to_address, subject, attempts, created_at, next_attempt_at, sent_at, given_up_at, last_error,
      case when sent_at is not null then 'sent' when given_up_at is not null then 'given-up' else 'waiting' end as state,
      body_text <> '' as has_text, ${GOOD_LINK} as has_good_link
    from mail_outbox
    where ${state === '' ? sql`true` : STATES[state]}
      and ${q === '' ? sql`true` : sql`${address} ~>=~ ${words} and ${address} ~<~ (${words} || chr(1114111))`}
      and ${/^\d{1,15}$/.test(after) ? sql`mail < ${Number(after)}` : sql`true`}
    order by mail desc limit ${sql.lit(DESK_PAGE_SIZE + 1)}`.execute(db)
  const shown = rows.slice(0, DESK_PAGE_SIZE)
  return {
    rows: shown.map(({ sent_at, given_up_at, created_at, next_attempt_at, has_text, has_good_link, ...row }) => ({
      ...row,
      created_at: created_at.toISOString(),
      next_attempt_at: row.state === 'waiting' ? next_attempt_at.toISOString() : null,
      ended_at: (sent_at ?? given_up_at)?.toISOString() ?? null,
      can_send_again: row.state !== 'sent' && has_text && has_good_link,
    })),
    next: rows.length > DESK_PAGE_SIZE ? String(shown.at(-1)?.mail) : null,
  }
}

/**
 * Puts mails back at the head of the queue: those that were given up with all their attempts, those that wait without
 * waiting any longer.
 *
 * @returns the numbers of those that could be
 */
async function resend(tx: Db, mails: number[]): Promise<number[]> {
  const { rows } = await sql<{ mail: number }>`
    update mail_outbox set given_up_at = null, attempts = case when given_up_at is null then attempts else 0 end,
      next_attempt_at = clock_timestamp()
    where mail = any(${mails}::bigint[]) and sent_at is null and body_text <> '' and ${GOOD_LINK}
    returning mail`.execute(tx)
  return rows.map(({ mail }) => mail)
}

/** The desk's calls about outgoing mail. */
export const mailDeskCalls: Mounted[] = [
  mount(calls.getMails, (filters, { deps }) => selectMails(deps.browseDb, filters)),

  mount(calls.resendMails, async ({ mails }, { deps, record }) => {
    const resent = await resend(deps.db, mails)
    if (resent.length === 0) throw refuse(calls.resendMails, 'nothing')
    const [first = 0] = resent
    record({ target: ['mail', first], after: { mails: resent } })
    const skipped = new Set(mails).size - resent.length
    const left = skipped === 0 ? '' : ` ${skipped} could not be sent again.`
    return {
      message: `${resent.length === 1 ? 'The mail is' : `${resent.length} mails are`} on the way.${left}`,
      resent: resent.length,
      skipped,
    }
  }),

  mount(calls.getMailTemplates, (_, { deps }) => ({
    rows: Object.entries(MAIL_SAMPLES).map(([name, { title, render }]) => ({ name, title, ...render(siteOf(deps)) })),
  })),

  mount(calls.sendTestMail, async ({ template, to }, { deps, record }) => {
    const sample = Object.entries(MAIL_SAMPLES).find(([name]) => name === template)?.[1]
    if (sample === undefined) throw refuse(calls.sendTestMail, 'noTemplate')
    const content = sample.render(siteOf(deps))
    await enqueueMail(deps.db, to, { ...content, subject: `Test: ${content.subject}` }, deps.now(), {
      priority: 'first',
    })
    record({ target: ['mail template', template], after: { sent_to: to }, personal: ['sent_to'] })
    return { message: `A test of “${sample.title}” is on its way to ${to}.` }
  }),
]
