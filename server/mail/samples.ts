import { TICKET_CATEGORY_LABELS } from '#contract/tickets.ts'
import { type MailContent, type MailSite, mails } from './templates.ts'
import { ticketMails } from './ticket-templates.ts'

type Sample = { title: string; render: (site: MailSite) => MailContent }

const USER = 'player1'
/** As long as a real token, but not valid. */
const TOKEN = 'sample-link-that-opens-nothing-0'
const ticket = (site: MailSite) => ({
  name: USER,
  number: 'T-7KQX-M2PD',
  link: `${site.publicUrl}/checkticket#key=${TOKEN}`,
})

const ALERT = {
  detail: 'Email is not being sent: 12 are waiting. Check the mail server.',
  since: new Date('2026-11-20T13:42:00Z'),
  over_at: null,
}

/** Samples of every email, for the desk. The type makes a template without a sample a compile error. */
const ACCOUNT_SAMPLES: Record<keyof typeof mails, Sample> = {
  userId: { title: 'User ID reminder', render: (site) => mails.userId(site, USER) },
  resetLink: { title: 'Link to a new password', render: (site) => mails.resetLink(site, USER, TOKEN) },
  verifyEmail: { title: 'Verify an address', render: (site) => mails.verifyEmail(site, USER, TOKEN) },
  passwordChanged: { title: 'Password changed', render: (site) => mails.passwordChanged(site, USER) },
  emailChanged: {
    title: 'Email address changed',
    render: (site) => mails.emailChanged(site, USER, { token: TOKEN, bySupport: false }),
  },
  helped: {
    title: 'Support helped',
    render: (site) =>
      mails.helped(site, USER, { what: 'Support mailed you a link to set a new password.', token: TOKEN }),
  },
  resetLater: { title: 'No link to a new password yet', render: (site) => mails.resetLater(site, USER, ALERT.since) },
  erasureRequested: {
    title: 'Account will be erased',
    render: (site) => mails.erasureRequested(site, USER, { token: TOKEN, dueAt: ALERT.since, isOwn: false }),
  },
  dataCopied: { title: 'Data downloaded', render: (site) => mails.dataCopied(site, USER) },
  erasureTakenBack: {
    title: 'Account stays',
    render: (site) => mails.erasureTakenBack(site, USER, { isOwn: true }),
  },
  appealDecided: {
    title: 'Appeal decided',
    render: (site) =>
      mails.appealDecided(site, USER, {
        isLifted: false,
        answer: 'The log of Friday shows the same steps for nine hours.',
      }),
  },
  roleOffered: {
    title: 'Role offered',
    render: (site) => mails.roleOffered(site, USER, { role: 'support', by: 'owner1' }),
  },
  staffAccount: {
    title: 'To a member of the staff',
    render: (site) => mails.staffAccount(site, USER, { what: 'Your account was blocked.', by: 'owner1' }),
  },
  emailRestored: {
    title: 'Email address restored',
    render: (site) => mails.emailRestored(site, USER, { token: TOKEN, factorsRemoved: 1 }),
  },
  factorChanged: {
    title: 'Second factor changed',
    render: (site) => mails.factorChanged(site, USER, 'A second factor was added to your account: My phone.'),
  },
  recoveryCodeUsed: { title: 'Recovery code used', render: (site) => mails.recoveryCodeUsed(site, USER, 3) },
  factorFailures: { title: 'Second factor failed', render: (site) => mails.factorFailures(site, USER) },
  addressWhitelisted: {
    title: 'Address whitelisted',
    render: (site) => mails.addressWhitelisted(site, USER, '203.0.113.7'),
  },
  downloadLink: { title: 'Link to the game', render: (site) => mails.downloadLink(site, USER) },
  receipt: {
    title: 'Receipt',
    render: (site) =>
      mails.receipt(site, USER, {
        lines: ['2 × Potion of Haste, 240 R-Coin', '1 × Wooden Sword, 90 Milleage'],
        giftFor: null,
      }),
  },
  letterCopy: {
    title: 'Copy of a letter',
    render: (site) =>
      mails.letterCopy(site, USER, {
        letter: 12,
        subject: 'Event tonight',
        body: 'Meet us at 20:00.\n\nBring your friends.',
        kind: 'From the team',
        hasGift: true,
        unsubscribeUrl: `${site.publicUrl}/unsubscribe?token=abc`,
      }),
  },
  toOwners: {
    title: 'To all owners',
    render: (site) =>
      mails.toOwners(site, USER, {
        subject: 'A bridge was paired',
        lines: ['owner1 paired the bridge “Game machine” on 20 November, 21:42, Manila time.'],
      }),
  },
  alert: { title: 'Something is wrong', render: (site) => mails.alert(site, ALERT) },
  mailServerTest: { title: 'Test of the mail server', render: (site) => mails.mailServerTest(site, USER) },
  testAlert: { title: 'Test alert', render: (site) => mails.testAlert(site) },
}

const TICKET_SAMPLES: Record<keyof typeof ticketMails, Sample> = {
  submitted: {
    title: 'Ticket received',
    render: (site) => ticketMails.submitted(site, { ...ticket(site), category: TICKET_CATEGORY_LABELS.payment }),
  },
  answered: {
    title: 'Ticket answered',
    render: (site) =>
      ticketMails.answered(site, {
        ...ticket(site),
        subject: 'Stuck in a wall',
        author: 'GM Ana',
        body: 'Thank you for the picture.\n\nWe moved your character; please log in again.',
        closed: false,
      }),
  },
  closed: { title: 'Ticket closed', render: (site) => ticketMails.closed(site, ticket(site)) },
  merged: {
    title: 'Tickets merged',
    render: (site) => ticketMails.merged(site, { ...ticket(site), from: 'T-3NFA-8WQC' }),
  },
  link: { title: 'Link to a ticket', render: (site) => ticketMails.link(site, ticket(site)) },
}

export const MAIL_SAMPLES: Record<string, Sample> = { ...ACCOUNT_SAMPLES, ...TICKET_SAMPLES }
