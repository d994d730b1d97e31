import { nameCurrencies } from '#contract/currencies.ts'
import { TICKET_CATEGORY_LABELS } from '#contract/tickets.ts'
import type { Db } from '#server/db/open.ts'
import { sendLetter } from '#server/features/mailbox/letters.ts'
import { enqueueMail } from '#server/mail/outbox.ts'
import type { MailSite } from '#server/mail/templates.ts'
import { ticketMails } from '#server/mail/ticket-templates.ts'
import { selectCurrencyNames } from '#server/settings.ts'
import type { TicketRow } from './queries.ts'
import { insertKey } from './writes.ts'

/** The address that opens a ticket. Browsers send nothing after the #, so the key reaches no log. */
export function linkTo(publicUrl: string, key: string): string {
  return `${publicUrl}/checkticket#key=${key}`
}

/** The notices to a requester. */
type Notice =
  | { kind: 'submitted' }
  | { kind: 'link' }
  | { kind: 'closed' }
  | { kind: 'merged'; from: string }
  | { kind: 'answered'; author: string; body: string; closed: boolean }

/** The subjects of letters in a member's mail box; a member's own actions send none. */
const SUBJECTS: Partial<Record<Notice['kind'], string>> = {
  answered: 'Support has answered',
  closed: 'Your ticket is closed',
  merged: 'Your tickets were merged',
}

/**
 * Notifies the requester about a ticket: an email with a new link is queued, and a letter is put into a member's mail
 * box. @returns the link's key
 */
export async function notifyRequester(
  tx: Db,
  { site, row, notice, now }: { site: MailSite; row: TicketRow; notice: Notice; now: Date },
): Promise<string> {
  const key = await insertKey(tx, row, now)
  const about = {
    name: row.user_id,
    number: row.number,
    link: linkTo(site.publicUrl, key),
  }
  const content =
    notice.kind === 'answered'
      ? ticketMails.answered(site, { ...about, ...notice, subject: row.user_num === null ? null : row.subject })
      : notice.kind === 'submitted'
        ? ticketMails.submitted(site, {
            ...about,
            category: nameCurrencies(TICKET_CATEGORY_LABELS[row.category], await selectCurrencyNames(tx)),
          })
        : notice.kind === 'merged'
          ? ticketMails.merged(site, { ...about, from: notice.from })
          : ticketMails[notice.kind](site, about)
  await enqueueMail(tx, row.mail_to, content, now)
  const subject = SUBJECTS[notice.kind]
  if (row.user_num !== null && subject !== undefined)
    await sendLetter(tx, {
      kind: 'ticket',
      to: row.user_num,
      subject: `${subject}: ${row.subject}`.slice(0, 120),
      body: notice.kind === 'answered' ? notice.body.slice(0, 4000) : `It is about your ticket ${row.number}.`,
      link: `/checkticket?ticket=${row.number}`,
      now,
    })
  return key
}
