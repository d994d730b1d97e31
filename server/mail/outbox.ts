import { sql } from 'kysely'
import { FAILED_MAIL_TEXT_RETENTION_MS, MAIL_RETENTION_MS } from '#contract/limits.ts'
import { deleteOld } from '../db/delete-old.ts'
import type { Db } from '../db/open.ts'
import { CURRENT_SERVER_NUM, sweepMailServers } from './servers.ts'
import type { MailContent } from './templates.ts'

/** The order in which emails are sent. A person is waiting for those with the priority `first`. */
const PRIORITY_RANKS = { first: 0, normal: 1, last: 2 } as const

/** The domains of the addresses of erased accounts, and of imported ones without an address. No email is sent there. */
export const ERASED_DOMAIN = 'erased.invalid'
export const IMPORTED_DOMAIN = 'unclaimed.invalid'

type MailOptions = {
  priority?: keyof typeof PRIORITY_RANKS
  /** The row of `mailed_links` for the link in the email. The link is valid for `lifetimeMs` after the email was sent. */
  link?: { tokenHash: string; lifetimeMs: number }
  /** The address that stops emails of this kind when it receives a POST (RFC 8058). */
  unsubscribeUrl?: string
  /** The mail server to use, if it is not the current one. */
  server?: number | undefined
}

/** Adds a mail to the outbox. Call it in the transaction of the change that causes the mail. */
export async function enqueueMail(
  tx: Db,
  to: string,
  content: MailContent,
  now: Date,
  { priority = 'normal', link, unsubscribeUrl, server }: MailOptions = {},
): Promise<void> {
  if (to.endsWith(`@${ERASED_DOMAIN}`) || to.endsWith(`@${IMPORTED_DOMAIN}`)) return
  await tx
    .insertInto('mail_outbox')
    .values({
      to_address: to,
      subject: content.subject,
      body_text: content.text,
      body_html: content.html,
      priority: PRIORITY_RANKS[priority],
      link_hash: link?.tokenHash ?? null,
      link_good_ms: link?.lifetimeMs ?? null,
      unsubscribe_url: unsubscribeUrl ?? null,
      server: server ?? null,
      created_at: now,
      next_attempt_at: sql`clock_timestamp()`,
    })
    .execute()
}

export type DueMail = {
  mail: number
  to_address: string
  subject: string
  body_text: string
  body_html: string
  unsubscribe_url: string | null
  created_at: Date
  attempts: number
  /** The mail server that was entered at the desk for it; null without one. */
  server: number | null
}

const ATTEMPTS_MAX = 20
/** The lease of a claimed email. It is longer than the email's deadline, or else two processes could send it. */
const CLAIM_LEASE = sql`interval '2 minutes'`

const DUE_CONDITION = sql`sent_at is null and given_up_at is null and next_attempt_at <= clock_timestamp()`

/** Returns whether an email is due. */
export async function hasDueMail(db: Db): Promise<boolean> {
  const { rows } = await sql<{
    due: boolean
  }>`select exists (select from mail_outbox where ${DUE_CONDITION}) as due`.execute(db)
  return rows[0]?.due === true
}

/**
 * Claims the first due email for this process and counts the attempt. If the process crashes before marking it, the
 * email is due again when the lease expires. The lease uses the database's clock.
 *
 * The lifetime of a link in the email starts here and again in `markSent`: it never starts long before the email is
 * sent, and has started even if this process dies in between.
 */
export async function claimDueMail(db: Db, now: Date): Promise<DueMail | undefined> {
  const { rows } = await sql<DueMail>`
    with claimed as (
      update mail_outbox set attempts = attempts + 1, next_attempt_at = clock_timestamp() + ${CLAIM_LEASE}
      where mail = (
        select mail from mail_outbox where ${DUE_CONDITION}
        order by priority, next_attempt_at, mail limit 1 for update skip locked)
      returning mail, to_address, subject, body_text, body_html, unsubscribe_url, created_at, attempts, link_hash, link_good_ms,
        coalesce(server, ${CURRENT_SERVER_NUM}) as server),
    ${createLinkStart(sql`claimed`, now)}
    select mail, to_address, subject, body_text, body_html, unsubscribe_url, created_at, attempts, server from claimed`.execute(
    db,
  )
  return rows[0]
}

const createLinkStart = (mail: ReturnType<typeof sql>, now: Date) => sql`
  started as (
    update mailed_links l set ends_at = ${now}::timestamptz + m.link_good_ms * interval '1 millisecond'
    from ${mail} m where l.token_hash = m.link_hash and l.used_at is null)`

/** Marks an email as sent or written as a file, and erases its text, because its links are as sensitive as passwords. */
export async function markSent(
  db: Db,
  { mail }: DueMail,
  { now, isSavedAsFile }: { now: Date; isSavedAsFile: boolean },
): Promise<void> {
  await sql`
    with sent as (
      update mail_outbox set sent_at = ${now}, kept_as_file = ${isSavedAsFile}, last_error = null, away_at = null, body_text = '', body_html = ''
      where mail = ${mail} returning link_hash, link_good_ms),
    ${createLinkStart(sql`sent`, now)}
    select from sent`.execute(db)
}

/**
 * Records why an email could not be sent, and whether the server was unusable. The next attempt follows in 1, 2, 4 …
 * minutes, at most six hours. After the last attempt the email has failed; its text is retained for a week, in which an
 * operator can send it again. Does nothing if another process has claimed the email since.
 */
export async function markFailed(
  db: Db,
  { mail, attempts }: DueMail,
  { error, isUnavailable, now }: { error: string; isUnavailable: boolean; now: Date },
): Promise<void> {
  const delayMinutes = Math.min(2 ** (attempts - 1), 360)
  const failedColumns = attempts >= ATTEMPTS_MAX ? { given_up_at: now } : {}
  await db
    .updateTable('mail_outbox')
    .set({
      last_error: error.slice(0, 500),
      away_at: isUnavailable ? now : null,
      next_attempt_at: sql`clock_timestamp() + ${delayMinutes} * interval '1 minute'`,
      ...failedColumns,
    })
    .where('mail', '=', mail)
    .where('attempts', '=', attempts)
    .where('sent_at', 'is', null)
    .execute()
}

/**
 * Deletes emails that were sent or failed more than 30 days ago, the texts of those that failed more than 7 days ago, and
 * mail servers that are no longer used.
 */
export async function sweepSentMails(db: Db, now: Date, signal?: AbortSignal): Promise<void> {
  await db
    .updateTable('mail_outbox')
    .set({ body_text: '', body_html: '' })
    .where('given_up_at', '<', new Date(now.getTime() - FAILED_MAIL_TEXT_RETENTION_MS))
    .where('body_text', '<>', '')
    .execute()
  const retentionStart = new Date(now.getTime() - MAIL_RETENTION_MS)
  await deleteOld(db, { table: 'mail_outbox', column: 'sent_at', before: retentionStart }, signal)
  await deleteOld(db, { table: 'mail_outbox', column: 'given_up_at', before: retentionStart }, signal)
  await sweepMailServers(db, now)
}
