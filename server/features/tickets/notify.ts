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

/** Builds the address that opens a ticket. Browsers don't send the part after the #, so no log contains the key. */
export function buildTicketLink(publicUrl: string, key: string): string {
  return `${publicUrl}/checkticket#key=${key}`
}

type Notice =
  | { kind: 'submitted' }
  | { kind: 'link' }
  | { kind: 'closed' }
  | { kind: 'merged'; from: string }
  | { kind: 'answered'; author: string; body: string; closed: boolean }

/** The subjects of letters to players. A player's own actions send no letter. */
const SUBJECTS: Partial<Record<Notice['kind'], string>> = {
  answered: 'Support has answered',
  closed: 'Your ticket is closed',
  merged: 'Your tickets were merged',
}

/**
 * Queues an email with a new link to the ticket for its requester, and sends players a letter.
 *
 * @returns the link's key
 */
export async function notifyRequester(
  tx: Db,
  { site, row, notice, now }: { site: MailSite; row: TicketRow; notice: Notice; now: Date },
): Promise<string> {
  const key = await insertKey(tx, row, now)
  const mailFields = {
    name: row.user_id,
    number: row.number,
    link: buildTicketLink(site.publicUrl, key),
  }
  const content =
    notice.kind === 'answered'
      ? ticketMails.answered(site, { ...mailFields, ...notice, subject: row.user_num === null ? null : row.subject })
      : notice.kind === 'submitted'
        ? ticketMails.submitted(site, {
            ...mailFields,
            category: nameCurrencies(TICKET_CATEGORY_LABELS[row.category], await selectCurrencyNames(tx)),
          })
        : notice.kind === 'merged'
          ? ticketMails.merged(site, { ...mailFields, from: notice.from })
          : ticketMails[notice.kind](site, mailFields)
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
