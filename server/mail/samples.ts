import { TICKET_CATEGORY_LABELS } from '#contract/tickets.ts'
import { type MailContent, type MailSite, mails } from './templates.ts'
import { ticketMails } from './ticket-templates.ts'

type MailSample = { title: string; render: (site: MailSite) => MailContent }

const SAMPLE_USER_ID = 'player1'
/** As long as a real token, but not valid. */
const SAMPLE_TOKEN = 'sample-link-that-opens-nothing-0'
const createTicketSample = (site: MailSite) => ({
  name: SAMPLE_USER_ID,
  number: 'T-7KQX-M2PD',
  link: `${site.publicUrl}/checkticket#key=${SAMPLE_TOKEN}`,
})

const SAMPLE_ALERT = {
  detail: 'Email is not being sent: 12 are waiting. Check the mail server.',
  since: new Date('2026-11-20T13:42:00Z'),
  over_at: null,
}

/** Samples of every email, for the desk. The type makes a template without a sample a compile error. */
const ACCOUNT_SAMPLES: Record<keyof typeof mails, MailSample> = {
  userId: { title: 'User ID reminder', render: (site) => mails.userId(site, SAMPLE_USER_ID) },
  resetLink: { title: 'Link to a new password', render: (site) => mails.resetLink(site, SAMPLE_USER_ID, SAMPLE_TOKEN) },
  verifyEmail: { title: 'Verify an address', render: (site) => mails.verifyEmail(site, SAMPLE_USER_ID, SAMPLE_TOKEN) },
  passwordChanged: { title: 'Password changed', render: (site) => mails.passwordChanged(site, SAMPLE_USER_ID) },
  emailChanged: {
    title: 'Email address changed',
    render: (site) => mails.emailChanged(site, SAMPLE_USER_ID, { token: SAMPLE_TOKEN, bySupport: false }),
  },
  helped: {
    title: 'Support helped',
    render: (site) =>
      mails.helped(site, SAMPLE_USER_ID, {
        what: 'Support mailed you a link to set a new password.',
        token: SAMPLE_TOKEN,
      }),
  },
  resetLater: {
    title: 'No link to a new password yet',
    render: (site) => mails.resetLater(site, SAMPLE_USER_ID, SAMPLE_ALERT.since),
  },
  erasureRequested: {
    title: 'Account will be erased',
    render: (site) =>
      mails.erasureRequested(site, SAMPLE_USER_ID, {
        token: SAMPLE_TOKEN,
        dueAt: SAMPLE_ALERT.since,
        isByPlayer: false,
      }),
  },
  dataCopied: { title: 'Data downloaded', render: (site) => mails.dataCopied(site, SAMPLE_USER_ID) },
  erasureTakenBack: {
    title: 'Account stays',
    render: (site) => mails.erasureTakenBack(site, SAMPLE_USER_ID, { isByPlayer: true }),
  },
  appealDecided: {
    title: 'Appeal decided',
    render: (site) =>
      mails.appealDecided(site, SAMPLE_USER_ID, {
        isLifted: false,
        answer: 'The log of Friday shows the same steps for nine hours.',
      }),
  },
  roleOffered: {
    title: 'Role offered',
    render: (site) => mails.roleOffered(site, SAMPLE_USER_ID, { role: 'support', by: 'owner1' }),
  },
  staffAccount: {
    title: 'To a member of the staff',
    render: (site) => mails.staffAccount(site, SAMPLE_USER_ID, { what: 'Your account was blocked.', by: 'owner1' }),
  },
  emailRestored: {
    title: 'Email address restored',
    render: (site) => mails.emailRestored(site, SAMPLE_USER_ID, { token: SAMPLE_TOKEN, factorsRemoved: 1 }),
  },
  factorChanged: {
    title: 'Second factor changed',
    render: (site) => mails.factorChanged(site, SAMPLE_USER_ID, 'A second factor was added to your account: My phone.'),
  },
  recoveryCodeUsed: { title: 'Recovery code used', render: (site) => mails.recoveryCodeUsed(site, SAMPLE_USER_ID, 3) },
  factorFailures: { title: 'Second factor failed', render: (site) => mails.factorFailures(site, SAMPLE_USER_ID) },
  addressWhitelisted: {
    title: 'Address whitelisted',
    render: (site) => mails.addressWhitelisted(site, SAMPLE_USER_ID, '203.0.113.7'),
  },
  downloadLink: { title: 'Link to the game', render: (site) => mails.downloadLink(site, SAMPLE_USER_ID) },
  receipt: {
    title: 'Receipt',
    render: (site) =>
      mails.receipt(site, SAMPLE_USER_ID, {
        lines: ['2 × Potion of Haste, 240 R-Coin', '1 × Wooden Sword, 90 Milleage'],
        giftFor: null,
      }),
  },
  letterCopy: {
    title: 'Copy of a letter',
    render: (site) =>
      mails.letterCopy(site, SAMPLE_USER_ID, {
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
      mails.toOwners(site, SAMPLE_USER_ID, {
        subject: 'A bridge was paired',
        lines: ['owner1 paired the bridge “Game machine” on 20 November, 21:42, Manila time.'],
      }),
  },
  alert: { title: 'Something is wrong', render: (site) => mails.alert(site, SAMPLE_ALERT) },
  mailServerTest: { title: 'Test of the mail server', render: (site) => mails.mailServerTest(site, SAMPLE_USER_ID) },
  testAlert: { title: 'Test alert', render: (site) => mails.testAlert(site) },
}

const TICKET_SAMPLES: Record<keyof typeof ticketMails, MailSample> = {
  submitted: {
    title: 'Ticket received',
    render: (site) =>
      ticketMails.submitted(site, { ...createTicketSample(site), category: TICKET_CATEGORY_LABELS.payment }),
  },
  answered: {
    title: 'Ticket answered',
    render: (site) =>
      ticketMails.answered(site, {
        ...createTicketSample(site),
        subject: 'Stuck in a wall',
        author: 'GM Ana',
        body: 'Thank you for the picture.\n\nWe moved your character; please log in again.',
        closed: false,
      }),
  },
  closed: { title: 'Ticket closed', render: (site) => ticketMails.closed(site, createTicketSample(site)) },
  merged: {
    title: 'Tickets merged',
    render: (site) => ticketMails.merged(site, { ...createTicketSample(site), from: 'T-3NFA-8WQC' }),
  },
  link: { title: 'Link to a ticket', render: (site) => ticketMails.link(site, createTicketSample(site)) },
}

export const MAIL_SAMPLES: Record<string, MailSample> = { ...ACCOUNT_SAMPLES, ...TICKET_SAMPLES }
