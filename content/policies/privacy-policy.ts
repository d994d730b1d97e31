import { DAY_MS, HOUR_MS, MINUTE_MS } from '#contract/durations.ts'
import {
  ACCOUNT_EVENTS_KEPT_MS,
  FORUM_DELETED_KEPT_MS,
  FORUM_PICTURE_UNUSED_MS,
  GIVEN_UP_TEXT_KEPT_MS,
  IDEMPOTENCY_KEY_MS,
  MAIL_KEPT_MS,
  PLACE_KNOWN_MS,
  RESET_LINK_GOOD_MS,
  SCREENSHOTS_KEPT_MS,
  SESSION_IDLE_MS,
  SESSION_MAX_MS,
  TICKET_KEPT_MS,
  TICKET_KEY_GOOD_MS,
  UNDO_EMAIL_GOOD_MS,
  VERIFY_LINK_GOOD_MS,
  WHITELIST_MAX,
} from '#contract/limits.ts'
import { LIMITS } from '#contract/request-limits.ts'
import type { Policy } from './policy.ts'

/** What is stored about whom, why and for how long, and what the Data Privacy Act lets people ask for. */
export const privacyPolicy: Policy = {
  title: 'Privacy Policy',
  path: '/privacypolicy',
  search: { summary: 'What we know about you, why, and for how long.', words: 'personal data cookies delete gdpr' },
  write: ({ app, operator, contact }) => ({
    about: `What ${app} stores about you, why, for how long, who sees it, and your rights under the Data Privacy Act.`,
    inShort: [
      'We store what the game and your account need, and say here exactly what that is.',
      'No advertising, no trackers, nothing sold, nothing fetched from other companies. One cookie, for the login alone.',
      'Passwords and secret answers are stored in a form that nobody can read back.',
      'Ask to see, correct or erase your data at any time. It costs nothing.',
    ],
    sections: [
      {
        id: 'controller',
        title: 'Who is responsible',
        blocks: [
          `What is stored here, and why, is decided and answered for by ${operator}: the personal information controller under the Data Privacy Act of 2012 (Republic Act No. 10173). Write to ${contact} about anything on this page; that also reaches the person who acts as our data protection officer.`,
          `This page covers the website and the game server of ${app}. Pages run by others that we link to, such as our messenger or social page, have rules of their own.`,
        ],
      },
      {
        id: 'stored',
        title: 'What we store, why, and how long',
        blocks: [
          {
            table: {
              columns: ['What', 'Why', 'How long'],
              rows: [
                [
                  '**Account**: user ID, first and last name, e-mail address and whether it was verified, gender, country and phone number if you give them, the day it was opened',
                  'To run the account, to reach you, to give it back to you when it is lost',
                  'As long as the account exists',
                ],
                [
                  '**Password, second password and secret answer**, each as an Argon2id hash; which of the six secret questions you chose',
                  'To know that it is you. Nobody can read them back',
                  'As long as the account exists, or until you change them',
                ],
                [
                  '**Second factors**, if you add them: the secret of your app, the public keys and names of your passkeys, recovery codes as hashes, when each was last used',
                  'So that your password alone does not open your account',
                  'Until you remove them',
                ],
                [
                  '**Logins**: a hash of the token, the address (IP) and the kind of device, when it was last seen',
                  'So that you stay logged in, and can see and end every login',
                  `Until you log out, ${SESSION_IDLE_MS / HOUR_MS} hours without use, or ${SESSION_MAX_MS / DAY_MS} days`,
                ],
                [
                  '**History of the account**: logins, failed logins, changes of password, second factors, details and whitelist, each with address and device',
                  'So that you and support can see whether somebody else was there',
                  `${ACCOUNT_EVENTS_KEPT_MS / DAY_MS} days; you see the newest 50 under [My Account](/user)`,
                ],
                [
                  '**Where you log in**: addresses and devices from which you logged in, the device as the hash of a cookie',
                  'So that strangers who try wrong passwords cannot lock you out where you are known',
                  `${PLACE_KNOWN_MS / DAY_MS} days after the last login there`,
                ],
                [
                  `**Whitelisted addresses**, at most ${WHITELIST_MAX}`,
                  'The game lets you in only from these',
                  'Until they drop out, or the account is removed',
                ],
                [
                  '**Characters**: name, level, class, school, gold, kills, deaths, resurrections, MMR, time of the last level',
                  'They are the game. [Rankings](/rankings) show them to everyone',
                  'As long as the account exists; a closed month’s top 100 stay on record',
                ],
                [
                  '**Balances and the ledger**: every change of R-Coin and Milleage with its reason, day and the balance after it',
                  'So that no coin gets lost and every complaint can be checked',
                  'As long as the account exists; without your name for as long as the books are kept',
                ],
                [
                  '**Vouchers** you redeemed with any referral code, **purchases** and how far each delivery has got, your cart, whether you want receipts',
                  'To deliver, to show your histories, to settle refunds',
                  'As long as the ledger; the cart until you empty it',
                ],
                [
                  '**Tickets**: your messages and our answers, the character it is about, the address it was sent from, for guests the e-mail address; up to three pictures a message, which are redrawn on arrival, so that the location and camera data hidden in them are gone',
                  'To help you, and to stop floods of tickets',
                  `${TICKET_KEPT_MS / DAY_MS} days after the last message or the closing, the pictures ${SCREENSHOTS_KEPT_MS / DAY_MS} days; a ticket that waits for our answer stays until it has one`,
                ],
                [
                  '**The forum**: your posts and what they said before you edited them, your pictures, likes, votes, reports, the topics you watch and how far you have read them. Readers see them under the name of your main character',
                  'So that players can talk with each other, and moderators can keep it friendly',
                  `As long as the account exists; the text of a post that you delete or a moderator rejects ${FORUM_DELETED_KEPT_MS / DAY_MS} days, a picture that no post shows ${FORUM_PICTURE_UNUSED_MS / HOUR_MS} hours`,
                ],
                [
                  '**Who has opened a topic** of the forum: your account, or for guests a hash of address and browser',
                  'To count a view once per person and day',
                  'Three days at most',
                ],
                [
                  '**Blocks** with their reason and end, and **notes** that staff write about an account or a ticket',
                  'To keep the game fair, and so that two of us do not ask you the same',
                  'As long as the account or the ticket exists',
                ],
                [
                  '**Of an erased account**: its number, and its user ID as a hash with a secret key',
                  'So that nobody takes over your name, and a restored backup does not bring you back',
                  'For good',
                ],
                [
                  '**E-mails**: the text until it is sent; then only the address, the subject and the time',
                  'To know whether it went out',
                  `The text until it is sent, or for ${GIVEN_UP_TEXT_KEPT_MS / DAY_MS} days after we gave up sending it; the rest ${MAIL_KEPT_MS / DAY_MS} days. Where e-mails are saved as files instead of being sent, the files stay ${MAIL_KEPT_MS / DAY_MS} days`,
                ],
                [
                  '**Links in e-mails**, as a hash',
                  'To set a new password, to verify an address, to undo a change of the address (with the former address, which nobody else can take meanwhile), or to open a ticket',
                  `${RESET_LINK_GOOD_MS / MINUTE_MS} minutes, ${VERIFY_LINK_GOOD_MS / DAY_MS} days, ${UNDO_EMAIL_GOOD_MS / DAY_MS} days, and ${TICKET_KEY_GOOD_MS / DAY_MS} days`,
                ],
                [
                  '**Counters of failed attempts**, by ID, account or address',
                  'To stop guessing',
                  `${LIMITS.loginFailures.windowMs / MINUTE_MS} minutes to a day, and deleted within an hour after that`,
                ],
                [
                  '**The answer to a purchase or a voucher**, under the key your browser sent with it',
                  'So that pressing twice charges you once',
                  `${IDEMPOTENCY_KEY_MS / HOUR_MS} hours`,
                ],
              ],
            },
          },
          'Beyond that the site keeps no list of who read which page. Its log records faults and refused uploads. The machine or proxy in front of it may log requests with their addresses for a few days, to find faults and fend off attacks.',
          'Backups hold all of the above. The embedded database writes one each night and keeps fourteen, so what was erased is gone from them after two weeks; where we use a separate database server, its backups are kept no longer than 30 days.',
          'Our legal grounds are your agreement with us (the account, the shop), our interest in a safe and fair game (history, counters, logs), and your consent for what is optional (country, phone number, receipts), which you can withdraw by emptying the field.',
        ],
      },
      {
        id: 'not',
        title: 'What we do not do',
        blocks: [
          {
            list: [
              'No advertising, no analytics, no trackers, no profiles. No machine decides from your data what you may see or buy.',
              'No fonts, scripts or pictures from other companies: your browser talks to this site alone until you follow a link out.',
              'No payment details. Nothing on this site is paid with money or a card; vouchers are codes.',
              'No selling, renting out or swapping of data, ever, with anyone.',
              'No chats from the game on this site. Chat in the game passes through the game server, and staff look at it when something is reported.',
            ],
          },
        ],
      },
      {
        id: 'browser',
        title: 'What is stored in your own browser',
        blocks: [
          'We set one cookie, when you log in. Besides, the site keeps a few things in your browser’s storage. You can delete all of it:',
          {
            table: {
              columns: ['Key', 'What it holds', 'How long'],
              rows: [
                [
                  'TAMBAYAN_DEVICE',
                  'The cookie: a random token by which the login recognises the device. Scripts cannot read it, and pages are not sent it',
                  `${PLACE_KNOWN_MS / DAY_MS} days after the last login`,
                ],
                ['ACCESS_TOKEN', 'The random token of your login', 'Until you log out or it is refused'],
                ['USER_TYPE', 'Whether the account is a player’s or staff', 'As above'],
                ['USER_DATA', 'Account number, user ID and the two balances, for the side panel', 'As above'],
                [
                  'TAMBAYAN_CACHE',
                  'News, downloads and banners already read, to save mobile data',
                  'At most 30 minutes of use',
                ],
                [
                  'TAMBAYAN_REGISTER_DRAFT',
                  'What you typed into the register form, without passwords and the secret answer',
                  'Until the account is open or the tab is closed',
                ],
                [
                  'TAMBAYAN_DRAFT_…',
                  'A ticket or a reply you have begun to write, without its pictures',
                  'Until it is sent or the tab is closed',
                ],
                ['TAMBAYAN_SEARCHES', 'What you last searched for on this site', 'Until the tab is closed'],
                [
                  'TAMBAYAN_SUPPORT_NAME',
                  'For staff: the name that their answers are signed with',
                  'Until it is deleted',
                ],
              ],
            },
          },
          'They are needed for what you ask the site to do, so we do not ask with a banner. On a shared machine, log out.',
        ],
      },
      {
        id: 'who-sees',
        title: 'Who sees it',
        blocks: [
          {
            list: [
              'Everyone: your characters as the rankings and the game show them, and credits under pictures you sent us. Never your user ID, your real name, your e-mail address or your country.',
              'Staff: what they need for the ticket or the report in front of them. They are bound to keep it to themselves.',
              'Streamers: how often their referral code was used and what those vouchers were worth in total. Not by whom.',
              'Those who handle it for us: the host of the server and, if we use one, the mail service. They act only on our instructions.',
              'Authorities: when the law obliges us, and then only what was asked for.',
            ],
          },
          'The machines may be outside the Philippines. We remain answerable for your data wherever they are.',
        ],
      },
      {
        id: 'safety',
        title: 'How it is kept safe',
        blocks: [
          `Passwords, secret answers, tokens and the links in e-mails are stored as hashes. A reset link works once, within ${RESET_LINK_GOOD_MS / MINUTE_MS} minutes, and ends every login. When your e-mail address is changed, the former address gets a link that undoes it for ${UNDO_EMAIL_GOOD_MS / DAY_MS} days. Guessing is slowed down and then stopped. Balances change only together with their line in the ledger. Pages allow no scripts from elsewhere. There are few staff accounts.`,
          'If data still gets into the wrong hands in a way that may harm you, we tell you and the National Privacy Commission, within 72 hours of learning of it, what happened, what is affected and what to do.',
        ],
      },
      {
        id: 'rights',
        title: 'Your rights',
        blocks: [
          'Under the Data Privacy Act you may, free of charge:',
          {
            list: [
              '**be informed**, as this page tries to do;',
              '**see** what we hold about you, and have a copy in a common format to take elsewhere;',
              '**correct** it. You can change your names, e-mail address and phone number yourself under [My Account](/user); for the rest, write to us;',
              '**object** to a use, or withdraw your consent;',
              '**erase or block** it. Your account, names, addresses, tickets and histories go, and so does the text of your posts in the forum. Lines of the ledger stay without your name, since the totals must still be right, and so do the names of characters in closed months, unless they name you;',
              '**be compensated** for damage from data that was false, out of date or misused.',
            ],
          },
          `To use any of them, write to ${contact} from the e-mail address of the account, or submit a [ticket](/ticket) while logged in. If that shows that it is you, we ask for nothing more. You get an answer within 15 days. Heirs and guardians may ask too.`,
          'If we do not answer, or answer badly, you can complain to the [National Privacy Commission](https://privacy.gov.ph). You do not have to ask us first, though we would like the chance.',
        ],
      },
      {
        id: 'minors',
        title: 'Under eighteen',
        blocks: [
          'Anyone under 18 needs the consent of a parent or guardian to open an account. Parents may see, correct and erase what their child gave us, in the same way. We do not ask for a school, a class or a photo, and none of our staff will.',
        ],
      },
      {
        id: 'changes',
        title: 'Changes',
        blocks: [
          'When the software stores something new or keeps it longer, this page says so first; the news announces it at least seven days ahead, and the date at the top changes. If it needs your consent, we ask.',
        ],
      },
    ],
  }),
}
