import { html } from 'hono/html'
import { formatDays } from '#contract/durations.ts'
import { GIFT_LIFETIME_MS } from '#contract/limits.ts'
import { formatManilaMinute } from '#contract/manila.ts'

export type MailContent = { subject: string; text: string; html: string }

export type MailSite = { appName: string; publicUrl: string; colors?: MailColors }

/** The colors of an email, from the theme; a site without a theme has `DEFAULT_COLORS`. */
export type MailColors = { paper: string; ink: string; button: string; label: string }
const DEFAULT_COLORS: MailColors = { paper: '#f5f1e6', ink: '#0a0c13', button: '#0a0c13', label: '#ffd21f' }

/** The parts of an email, as plain text. */
type MailParts = {
  subject: string
  greeting: string
  lines: string[]
  link?: { label: string; href: string }
  footerLink?: { label: string; href: string }
}

/** Breaks a paragraph into lines of at most 72 characters, which every mail program shows well. */
function wrapParagraph(paragraph: string): string {
  return paragraph.replace(/(.{1,72})(?:\s+|$)/g, '$1\n').trimEnd()
}

/** Renders an email as plain text and as HTML, and escapes everything that a person typed. */
export function renderMail(site: MailSite, { subject, greeting, lines, link, footerLink }: MailParts): MailContent {
  const text = [
    greeting,
    ...lines.map(wrapParagraph),
    ...(link ? [`${link.label}:\n${link.href}`] : []),
    `${site.appName}\n${site.publicUrl}`,
    ...(footerLink ? [`${footerLink.label}:\n${footerLink.href}`] : []),
  ]
  const { paper, ink, button, label } = site.colors ?? DEFAULT_COLORS
  const page = html`<!doctype html><html lang="en"><body style="margin:0;padding:24px;background:${paper};color:${ink};font:16px/1.5 sans-serif">
<div style="max-width:560px;margin:0 auto"><h1 style="font-size:22px">${subject}</h1><p>${greeting}</p>
${lines.map((line) => html`<p>${line}</p>`)}
${link ? html`<p><a href="${link.href}" style="display:inline-block;padding:12px 20px;background:${button};color:${label};text-decoration:none;font-weight:bold">${link.label}</a></p><p style="font-size:14px">${link.href}</p>` : ''}
<hr style="border:0;border-top:3px solid ${ink}"><p style="font-size:14px">${site.appName} · ${site.publicUrl}</p>${footerLink ? html`<p style="font-size:14px"><a href="${footerLink.href}" style="color:${ink}">${footerLink.label}</a></p>` : ''}</div></body></html>`
  return { subject: `${subject} | ${site.appName}`, text: `${text.join('\n\n')}\n`, html: String(page) }
}

const formatGreeting = (userId: string) => `Hello ${userId},`
const NOT_YOU_TEXT =
  'If this was not you, someone else may know your password. Change it right away or contact support.'

/** The restriction that support's help puts on the account. */
const FROZEN_TEXT = 'For 24 hours, the account cannot buy anything, send gifts or get another link to set a password.'

/** The site's emails, except those about tickets. Each function renders one from its values. */
export const mails = {
  userId: (site: MailSite, userId: string) =>
    renderMail(site, {
      subject: 'Your user ID',
      greeting: formatGreeting(userId),
      lines: [
        `The user ID for this email address is: ${userId}`,
        'If you did not ask for this, you can ignore this email.',
      ],
      link: { label: 'Log in', href: `${site.publicUrl}/login` },
    }),
  resetLink: (site: MailSite, userId: string, token: string) =>
    renderMail(site, {
      subject: 'Set a new password',
      greeting: formatGreeting(userId),
      lines: [
        'This link works once and expires in 30 minutes.',
        'If you did not ask for it, you can ignore this email; your password stays the same.',
      ],
      link: { label: 'Set a new password', href: `${site.publicUrl}/resetpassword?token=${token}` },
    }),
  verifyEmail: (site: MailSite, userId: string, token: string) =>
    renderMail(site, {
      subject: 'Verify your email address',
      greeting: formatGreeting(userId),
      lines: ['Please open this link and press its button to verify that this address is yours. It expires in 7 days.'],
      link: { label: 'Verify my address', href: `${site.publicUrl}/verifyemail?token=${token}` },
    }),
  passwordChanged: (site: MailSite, userId: string) =>
    renderMail(site, {
      subject: 'Your password was changed',
      greeting: formatGreeting(userId),
      lines: ['The password for your account was changed, and every device was logged out.', NOT_YOU_TEXT],
      link: { label: 'Find my account', href: `${site.publicUrl}/findaccount` },
    }),
  emailChanged: (site: MailSite, userId: string, { token, bySupport }: { token: string | null; bySupport: boolean }) =>
    renderMail(site, {
      subject: 'Your email address was changed',
      greeting: formatGreeting(userId),
      lines: [
        `${bySupport ? 'Support gave your account' : 'Your account has'} a new email address. This one no longer belongs to it.`,
        ...(bySupport ? [FROZEN_TEXT] : []),
        ...(token === null
          ? ['If this was not you, please write to support.']
          : [
              'If this was you, there is nothing you need to do.',
              'If it was not you, open this link within 7 days and press the button. Your account gets this address back, every device is logged out, and you choose a new password.',
            ]),
      ],
      link:
        token === null
          ? { label: 'Write to support', href: `${site.publicUrl}/ticket` }
          : { label: 'It was not me', href: `${site.publicUrl}/undoemail?token=${token}` },
    }),
  /** @param token the token of the link that undoes the help; null for an address that may not undo the help */
  helped: (site: MailSite, userId: string, { what, token }: { what: string; token: string | null }) =>
    renderMail(site, {
      subject: 'Support helped with your account',
      greeting: formatGreeting(userId),
      lines: [
        what,
        FROZEN_TEXT,
        ...(token === null
          ? ['If you did not ask for this, please write to support.']
          : [
              'If you requested this, you don’t need to do anything.',
              'If you did not, open this link within 7 days and press the button. Every device is logged out, your password and the links we mailed stop working, and you choose a new password.',
            ]),
      ],
      link:
        token === null
          ? { label: 'Write to support', href: `${site.publicUrl}/ticket` }
          : { label: 'I did not ask for this', href: `${site.publicUrl}/undoemail?token=${token}` },
    }),
  resetLater: (site: MailSite, userId: string, until: Date) =>
    renderMail(site, {
      subject: 'No link to a new password yet',
      greeting: formatGreeting(userId),
      lines: [
        `Support helped with your account less than 24 hours ago, so it gets no link to set a password until ${formatManilaMinute(until)}, Manila time. After that, “Find my account” sends you one.`,
        'If you did not ask support for help, use the link in the email about it.',
      ],
      link: { label: 'Find my account', href: `${site.publicUrl}/findaccount` },
    }),
  /** @param request.isByPlayer whether the player requested the erasure */
  erasureRequested: (
    site: MailSite,
    userId: string,
    { token, dueAt, isByPlayer }: { token: string; dueAt: Date; isByPlayer: boolean },
  ) =>
    renderMail(site, {
      subject: 'Your account will be erased',
      greeting: formatGreeting(userId),
      lines: [
        `${isByPlayer ? 'You requested the erasure of your account.' : 'Support is going to erase your account.'} It is locked and hidden now, and on ${formatManilaMinute(dueAt)}, Manila time, its personal data is deleted. After that, no one can restore it.`,
        'If you want to keep your account, open this link before then and press the button. You can also log in and choose “Keep my account”.',
      ],
      link: { label: 'Keep my account', href: `${site.publicUrl}/keepaccount?token=${token}` },
    }),
  dataCopied: (site: MailSite, userId: string) =>
    renderMail(site, {
      subject: 'Your data was downloaded',
      greeting: formatGreeting(userId),
      lines: [
        'A file with everything that we store about your account was downloaded from your account page.',
        NOT_YOU_TEXT,
      ],
      link: { label: 'My Account', href: `${site.publicUrl}/user` },
    }),
  erasureTakenBack: (site: MailSite, userId: string, { isByPlayer }: { isByPlayer: boolean }) =>
    renderMail(site, {
      subject: 'Your account stays',
      greeting: formatGreeting(userId),
      lines: [
        `${isByPlayer ? 'The request to erase your account was withdrawn' : 'Support withdrew the request to erase your account'}. Everything is as it was before, and you can log in again.`,
        NOT_YOU_TEXT,
      ],
      link: { label: 'Log in', href: `${site.publicUrl}/login` },
    }),
  appealDecided: (site: MailSite, userId: string, { isLifted, answer }: { isLifted: boolean; answer: string }) =>
    renderMail(site, {
      subject: isLifted ? 'Your block was lifted' : 'Your appeal was decided',
      greeting: formatGreeting(userId),
      lines: [
        isLifted
          ? 'We looked at your appeal, and your account is no longer blocked.'
          : 'We looked at your appeal, and the block stays. You cannot appeal against it again.',
        ...(answer === '' ? [] : [answer]),
      ],
      link: isLifted
        ? { label: 'Log in', href: `${site.publicUrl}/login` }
        : { label: 'How we decide', href: `${site.publicUrl}/operationpolicy#appeals` },
    }),
  /** To an operator, about an action of another operator, or of a command, on their account. */
  staffAccount: (site: MailSite, userId: string, { what, by }: { what: string; by: string | null }) =>
    renderMail(site, {
      subject: 'Your staff account',
      greeting: formatGreeting(userId),
      lines: [
        `${what} ${by === null ? 'A command on the site’s server did this.' : `${by} did this at the desk.`}`,
        'If you did not expect it, please talk to an owner of the site.',
      ],
    }),
  roleOffered: (site: MailSite, userId: string, { role, by }: { role: string; by: string }) =>
    renderMail(site, {
      subject: 'You are offered a role',
      greeting: formatGreeting(userId),
      lines: [
        `${by} offers you the role ${role} at the desk. Log in, open the desk and enter your password to accept it.`,
        'If you do not want the role, decline it there or do nothing.',
      ],
      link: { label: 'Open the desk', href: `${site.publicUrl}/admin` },
    }),
  emailRestored: (
    site: MailSite,
    userId: string,
    { token, factorsRemoved }: { token: string; factorsRemoved: number },
  ) =>
    renderMail(site, {
      subject: 'Set a new password',
      greeting: formatGreeting(userId),
      lines: [
        'Your account has this email address again, and every device was logged out. Its password no longer works, because someone else may know it.',
        'Set a new one with this link. It works once and expires in 30 minutes; after that, “Find my account” sends you another.',
        ...(factorsRemoved > 0 ? ['Second factors that were added since the change have been removed.'] : []),
        'Please also check your details, your second password and your whitelisted addresses under My Account.',
      ],
      link: { label: 'Set a new password', href: `${site.publicUrl}/resetpassword?token=${token}` },
    }),
  factorChanged: (site: MailSite, userId: string, what: string) =>
    renderMail(site, {
      subject: 'Your second factor was changed',
      greeting: formatGreeting(userId),
      lines: [what, NOT_YOU_TEXT],
      link: { label: 'My Account', href: `${site.publicUrl}/user` },
    }),
  recoveryCodeUsed: (site: MailSite, userId: string, remainingCodes: number) =>
    renderMail(site, {
      subject: 'A recovery code was used',
      greeting: formatGreeting(userId),
      lines: [
        'Someone logged in to your account with your password and one of your recovery codes.',
        remainingCodes === 0
          ? 'It was the last one. Please make new ones under My Account.'
          : `${remainingCodes === 1 ? 'One recovery code is' : `${remainingCodes} recovery codes are`} left. You can make new ones under My Account.`,
        NOT_YOU_TEXT,
      ],
      link: { label: 'My Account', href: `${site.publicUrl}/user` },
    }),
  factorFailures: (site: MailSite, userId: string) =>
    renderMail(site, {
      subject: 'Failed logins to your account',
      greeting: formatGreeting(userId),
      lines: [
        'Someone entered the correct password for your account but failed the second factor too many times. Codes are refused for 15 minutes.',
        'If this was not you, your account is still safe, but someone knows your password. Please change it.',
      ],
      link: { label: 'Change my password', href: `${site.publicUrl}/changepassword` },
    }),
  addressWhitelisted: (site: MailSite, userId: string, address: string) =>
    renderMail(site, {
      subject: 'A new address was whitelisted',
      greeting: formatGreeting(userId),
      lines: [`The address ${address} can now be used to connect with your account.`, NOT_YOU_TEXT],
      link: { label: 'My Account', href: `${site.publicUrl}/user` },
    }),
  downloadLink: (site: MailSite, userId: string) =>
    renderMail(site, {
      subject: 'The link to the game',
      greeting: formatGreeting(userId),
      lines: ['You asked for this link on your phone. Open it on the Windows computer that you want to play on.'],
      link: { label: 'Download the game', href: `${site.publicUrl}/downloads` },
    }),
  /** @param giftFor the user ID of the player who gets the items as a gift; null for the buyer's own */
  receipt: (site: MailSite, userId: string, { lines, giftFor }: { lines: string[]; giftFor: string | null }) =>
    renderMail(site, {
      subject: 'Your receipt',
      greeting: formatGreeting(userId),
      lines: [
        giftFor === null ? 'You bought:' : `You bought for ${giftFor}:`,
        ...lines,
        giftFor === null
          ? 'It is on its way to your item bank.'
          : `It is waiting in the mail box of ${giftFor}, who has ${formatDays(GIFT_LIFETIME_MS)} to claim it. If they refuse it or don’t claim it, you get your money back.`,
      ],
      link: { label: 'Purchase History', href: `${site.publicUrl}/shoppurchases` },
    }),
  letterCopy: (
    site: MailSite,
    userId: string,
    letter: { letter: number; subject: string; body: string; kind: string; hasGift: boolean; unsubscribeUrl: string },
  ) =>
    renderMail(site, {
      subject: letter.subject,
      greeting: formatGreeting(userId),
      lines: [
        'This letter is waiting in your mail box:',
        ...letter.body.split(/\n{2,}/),
        ...(letter.hasGift ? ['It comes with a gift, which you can claim there.'] : []),
      ],
      link: { label: 'Open the letter', href: `${site.publicUrl}/mailbox?letter=${letter.letter}` },
      footerLink: { label: `Stop email copies of letters like this: “${letter.kind}”`, href: letter.unsubscribeUrl },
    }),
  /** To every owner, about an event that they should know of at once. */
  toOwners: (site: MailSite, userId: string, { subject, lines }: { subject: string; lines: string[] }) =>
    renderMail(site, {
      subject,
      greeting: formatGreeting(userId),
      lines: [
        ...lines,
        'Every owner gets this email. If this should not have happened, act now; the audit log has it.',
      ],
      link: { label: 'Open the desk', href: `${site.publicUrl}/admin` },
    }),
  alert: (site: MailSite, { detail, since, over_at }: { detail: string; since: Date; over_at: Date | null }) =>
    renderMail(site, {
      subject: over_at === null ? 'Something is wrong' : 'A problem is over',
      greeting: 'Hello,',
      lines:
        over_at === null
          ? [
              detail,
              `This has been going on since ${formatManilaMinute(since)}, Manila time. We will write again when it is over.`,
            ]
          : [
              detail,
              `This lasted from ${formatManilaMinute(since)} to ${formatManilaMinute(over_at)}, Manila time, and is over now.`,
            ],
      link: { label: 'See how the site is doing', href: `${site.publicUrl}/admin/health` },
    }),
  mailServerTest: (site: MailSite, userId: string) =>
    renderMail(site, {
      subject: 'A test of the mail server',
      greeting: formatGreeting(userId),
      lines: ['This is a test. If you read it, the mail server works, and you can choose it at the desk.'],
      link: { label: 'Open the desk', href: `${site.publicUrl}/admin/mail` },
    }),
  testAlert: (site: MailSite) =>
    renderMail(site, {
      subject: 'A test alert',
      greeting: 'Hello,',
      lines: [
        'This is a test. We will write to this address when something on the site has been wrong for ten minutes.',
      ],
      link: { label: 'See how the site is doing', href: `${site.publicUrl}/admin/health` },
    }),
}
