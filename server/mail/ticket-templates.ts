import { type MailContent, type MailSite, write } from './templates.ts'

/** Who is written to (null: a guest) about which ticket; the link opens it without an account. */
type About = { name: string | null; number: string; link: string }

const greet = (name: string | null) => (name === null ? 'Hello,' : `Hello ${name},`)
const seeTicket = (href: string) => ({ label: 'See my ticket', href })
const LINK_NOTE = 'The link opens your ticket without an account: share it with nobody.'

/** What a stranger typed as the address's owner is never repeated here: nobody sends mails of their own words through us. */
export const ticketMails = {
  submitted: (site: MailSite, { name, number, link, category }: About & { category: string }): MailContent =>
    write(site, {
      subject: `We have your ticket ${number}`,
      greeting: greet(name),
      lines: [
        `Thank you for writing to us. Your ticket is ${number}, about: ${category}.`,
        'We answer at this address.',
        LINK_NOTE,
        'If it was not you who wrote to us, you need not do anything.',
      ],
      link: seeTicket(link),
    }),
  answered: (
    site: MailSite,
    ticket: About & { subject: string | null; author: string; body: string; closed: boolean },
  ): MailContent =>
    write(site, {
      subject: `An answer to your ticket ${ticket.number}`,
      greeting: greet(ticket.name),
      lines: [
        ticket.subject === null
          ? `${ticket.author} answered your ticket:`
          : `${ticket.author} answered your ticket “${ticket.subject}”:`,
        ...ticket.body.split(/\n+/),
        ticket.closed ? 'The ticket is closed. A reply opens it again.' : 'To reply, open your ticket with the link.',
        LINK_NOTE,
      ],
      link: seeTicket(ticket.link),
    }),
  closed: (site: MailSite, { name, number, link }: About): MailContent =>
    write(site, {
      subject: `Your ticket ${number} is closed`,
      greeting: greet(name),
      lines: ['We closed your ticket. If something is still open, reply to it: that opens it again.', LINK_NOTE],
      link: seeTicket(link),
    }),
  link: (site: MailSite, { name, number, link }: About): MailContent =>
    write(site, {
      subject: `The link to your ticket ${number}`,
      greeting: greet(name),
      lines: ['You asked for the link to your ticket.', LINK_NOTE, 'If you did not ask, you need not do anything.'],
      link: seeTicket(link),
    }),
}
