import { type MailContent, type MailSite, renderMail } from './templates.ts'

/** The recipient's user ID (null for a guest), the ticket's number, and a link that opens it without an account. */
type TicketReference = { name: string | null; number: string; link: string }

const formatGreeting = (name: string | null) => (name === null ? 'Hello,' : `Hello ${name},`)
const createTicketLink = (href: string) => ({ label: 'See my ticket', href })
const LINK_NOTE = 'The link opens your ticket without an account, so do not share it with anyone.'

/** Emails about tickets. They never repeat a guest's text, so no one can use the site to send texts to strangers. */
export const ticketMails = {
  submitted: (site: MailSite, { name, number, link, category }: TicketReference & { category: string }): MailContent =>
    renderMail(site, {
      subject: `We have received your ticket ${number}`,
      greeting: formatGreeting(name),
      lines: [
        `Thank you for writing to us. Your ticket number is ${number}. It is about: ${category}.`,
        'We will answer at this email address.',
        LINK_NOTE,
        'If you did not write to us, you can ignore this email.',
      ],
      link: createTicketLink(link),
    }),
  answered: (
    site: MailSite,
    ticket: TicketReference & { subject: string | null; author: string; body: string; closed: boolean },
  ): MailContent =>
    renderMail(site, {
      subject: `An answer to your ticket ${ticket.number}`,
      greeting: formatGreeting(ticket.name),
      lines: [
        ticket.subject === null
          ? `${ticket.author} answered your ticket:`
          : `${ticket.author} answered your ticket “${ticket.subject}”:`,
        ...ticket.body.split(/\n+/),
        ticket.closed ? 'The ticket is closed. A reply reopens it.' : 'To reply, open your ticket with the link.',
        LINK_NOTE,
      ],
      link: createTicketLink(ticket.link),
    }),
  closed: (site: MailSite, { name, number, link }: TicketReference): MailContent =>
    renderMail(site, {
      subject: `Your ticket ${number} is closed`,
      greeting: formatGreeting(name),
      lines: ['We have closed your ticket. If anything is still unresolved, reply and it opens again.', LINK_NOTE],
      link: createTicketLink(link),
    }),
  merged: (site: MailSite, { name, number, link, from }: TicketReference & { from: string }): MailContent =>
    renderMail(site, {
      subject: `Your ticket ${from} is now part of ${number}`,
      greeting: formatGreeting(name),
      lines: [
        `You wrote to us twice, so we have put the two tickets together: everything you wrote in ${from} is now in ${number}. We will answer there.`,
        LINK_NOTE,
      ],
      link: createTicketLink(link),
    }),
  link: (site: MailSite, { name, number, link }: TicketReference): MailContent =>
    renderMail(site, {
      subject: `The link to your ticket ${number}`,
      greeting: formatGreeting(name),
      lines: [
        'You asked for the link to your ticket.',
        LINK_NOTE,
        'If you did not ask for this, you can ignore this email.',
      ],
      link: createTicketLink(link),
    }),
}
