import { sql } from 'kysely'
import type { Db } from '../db/open.ts'
import type { MailContent } from './templates.ts'

/** Writes a mail into the outbox; call it with the transaction of what causes the mail. */
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
  attempts: number
}

/** How long a mail rests after its nth attempt: 1, 2, 4 … minutes, at most six hours. */
const pauseMinutes = (attempt: number) => Math.min(2 ** (attempt - 1), 360)
const ATTEMPTS_MAX = 20

/**
 * Takes the due mails for this process: each counts an attempt and rests before it may be
 * taken again, so that a crash after sending repeats it at most once a pause.
 */
export async function claimDueMails(db: Db, now: Date, limit: number): Promise<DueMail[]> {
  const { rows } = await sql<DueMail>`
    update mail_outbox set
      attempts = attempts + 1,
      next_attempt_at = ${now}::timestamptz + least(power(2, attempts), 360) * interval '1 minute'
    where mail in (
      select mail from mail_outbox
      where sent_at is null and given_up_at is null and next_attempt_at <= ${now}
      order by next_attempt_at, mail limit ${limit} for update skip locked)
    returning mail, to_address, subject, body_text, body_html, attempts`.execute(db)
  return rows.sort((a, b) => a.mail - b.mail)
}

/** Marks a mail as sent; it is never taken again. */
export async function markSent(db: Db, mail: number, now: Date): Promise<void> {
  await db.updateTable('mail_outbox').set({ sent_at: now, last_error: null }).where('mail', '=', mail).execute()
}

/** Notes why a mail could not be sent; after the last attempt it is given up. */
export async function markFailed(db: Db, { mail, attempts }: DueMail, error: string, now: Date): Promise<void> {
  await db
    .updateTable('mail_outbox')
    .set({
      last_error: error.slice(0, 500),
      next_attempt_at: new Date(now.getTime() + pauseMinutes(attempts) * 60_000),
      ...(attempts >= ATTEMPTS_MAX ? { given_up_at: now } : {}),
    })
    .where('mail', '=', mail)
    .execute()
}
