import { TICKET_CATEGORY_LABELS } from '#contract/ticket-messages.ts'
import type { Db } from '#server/db/open.ts'
import { enqueueMail } from '#server/mail/outbox.ts'
import type { MailSite } from '#server/mail/templates.ts'
import { ticketMails } from '#server/mail/ticket-templates.ts'
import type { TicketRow } from './queries.ts'
import { insertKey } from './writes.ts'

/** The address that opens a ticket. Browsers send nothing after the #, so the key reaches no log. */
export function linkTo(publicUrl: string, key: string): string {
  return `${publicUrl}/checkticket#key=${key}`
}

type Letter =
  | { kind: 'submitted' }
  | { kind: 'link' }
  | { kind: 'closed' }
  | { kind: 'merged'; from: string }
  | { kind: 'answered'; author: string; body: string; closed: boolean }

/** Writes a mail about a ticket with a link of its own into the outbox. @returns the link's key */
export async function mailRequester(
  tx: Db,
  { site, row, letter, now }: { site: MailSite; row: TicketRow; letter: Letter; now: Date },
): Promise<string> {
  const key = await insertKey(tx, row, now)
  const about = {
    name: row.user_id,
    number: row.number,
    link: linkTo(site.publicUrl, key),
  }
  const content =
    letter.kind === 'answered'
      ? ticketMails.answered(site, { ...about, ...letter, subject: row.user_num === null ? null : row.subject })
      : letter.kind === 'submitted'
        ? ticketMails.submitted(site, { ...about, category: TICKET_CATEGORY_LABELS[row.category] })
        : letter.kind === 'merged'
          ? ticketMails.merged(site, { ...about, from: letter.from })
          : ticketMails[letter.kind](site, about)
  await enqueueMail(tx, row.mail_to, content, now)
  return key
}
