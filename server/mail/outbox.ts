import { sql } from 'kysely'
import type { Db } from '../db/open.ts'
import type { MailContent } from './templates.ts'

/** Adds a mail to the outbox. Call it in the transaction of the change that causes the mail. */
export async function enqueueMail(tx: Db, to: string, content: MailContent, now: Date): Promise<void> {
  await tx
    .insertInto('mail_outbox')
    .values({
      to_address: to,
      subject: content.subject,
      body_text: content.text,
      body_html: content.html,
      created_at: now,
      next_attempt_at: now,
    })
    .execute()
}

export type DueMail = {
  mail: number
  to_address: string
  subject: string
  body_text: string
  body_html: string
  created_at: Date
  attempts: number
}

const MINUTE_MS = 60_000
/** How long to wait after the nth failed attempt: 1, 2, 4 … minutes, at most six hours. */
const retryDelayMs = (attempt: number) => Math.min(2 ** (attempt - 1), 360) * MINUTE_MS
const ATTEMPTS_MAX = 20

/** How long a claimed mail belongs to one process: longer than a slow mail server may take, or two would send it. */
const LEASE_MS = 10 * MINUTE_MS

/**
 * Claims one due mail for this process and counts the attempt. If the process crashes before
 * marking it, the mail is due again when the lease expires.
 */
export async function claimDueMail(db: Db, now: Date): Promise<DueMail | undefined> {
  const { rows } = await sql<DueMail>`
    update mail_outbox set attempts = attempts + 1, next_attempt_at = ${new Date(now.getTime() + LEASE_MS)}
    where mail = (
      select mail from mail_outbox
      where sent_at is null and given_up_at is null and next_attempt_at <= ${now}
      order by next_attempt_at, mail limit 1 for update skip locked)
    returning mail, to_address, subject, body_text, body_html, created_at, attempts`.execute(db)
  return rows[0]
}

/** Marks a mail as sent and erases its text, because links in it are as powerful as passwords. */
export async function markSent(db: Db, mail: number, now: Date): Promise<void> {
  await db
    .updateTable('mail_outbox')
    .set({ sent_at: now, last_error: null, body_text: '', body_html: '' })
    .where('mail', '=', mail)
    .execute()
}

/** Records why a mail could not be sent. After the last attempt it is given up and its text erased. */
export async function markFailed(db: Db, { mail, attempts }: DueMail, error: string, now: Date): Promise<void> {
  const givenUp = attempts >= ATTEMPTS_MAX ? { given_up_at: now, body_text: '', body_html: '' } : {}
  await db
    .updateTable('mail_outbox')
    .set({
      last_error: error.slice(0, 500),
      next_attempt_at: new Date(now.getTime() + retryDelayMs(attempts)),
      ...givenUp,
    })
    .where('mail', '=', mail)
    .execute()
}

/** How long the outbox remembers that a mail was sent. */
const SENT_KEPT_MS = 30 * 24 * 3_600_000

/** Deletes mails that were sent more than 30 days ago. */
export async function sweepSentMails(db: Db, now: Date): Promise<void> {
  await db
    .deleteFrom('mail_outbox')
    .where('sent_at', '<', new Date(now.getTime() - SENT_KEPT_MS))
    .execute()
}
