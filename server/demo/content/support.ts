import type { TicketCategory } from '#contract/ticket-messages.ts'

const HOUR = 60
const DAY = 24 * HOUR

/** Why players are blocked. `endsInDays` counts from now; without it the block has no end. */
export const blocks: { reason: string; note: string; daysAgo: number; endsInDays?: number }[] = [
  {
    reason: 'You offered R-Coin for money in the plaza, three times after a warning.',
    note: 'Screenshots in the ticket of juan. Two more accounts on the same address, look there first.',
    daysAgo: 6,
  },
  {
    reason: 'Seven days for insults in the regional channel.',
    note: 'Second time. The next one is a month.',
    daysAgo: 2,
    endsInDays: 5,
  },
  {
    reason: 'A program played your character. You can play again on your own after this.',
    note: 'Eleven hours of the same steps.',
    daysAgo: 12,
    endsInDays: 18,
  },
  {
    reason: 'The account was taken over. Write to us and we give it back to you.',
    note: 'Owner wrote from the old address; waiting for the answer about the first character.',
    daysAgo: 1,
  },
  { reason: 'Three days for selling a rented account.', note: '', daysAgo: 20, endsInDays: -17 },
]

export const notes = [
  'Asked twice for a refund of the same pole. Was told no, kindly.',
  'Plays with his two brothers on one connection. The shared address is fine.',
  'Reported the jeepney bug first. Send a thank-you at the next event.',
  'Speaks mostly Cebuano; Bituin answers.',
]

export const readyAnswers = [
  {
    title: 'Code was used already',
    body: 'Hello {player},\n\nthis code was redeemed by somebody else before you. A code is good once, so we cannot give it out a second time. Codes for everybody are announced in the news.\n\n{me}',
  },
  {
    title: 'Item has not arrived',
    body: 'Hello {player},\n\nwe have looked at {ticket}: the item is on its way to your item bank. Please log out of the game and in again; it arrives within a few minutes. If it does not, just reply here.\n\n{me}',
  },
  {
    title: 'Forgot the password',
    body: 'Hello {player},\n\nwe have sent you a link to set a new password. It works once, for 30 minutes. Please look into your spam folder too.\n\n{me}',
  },
  {
    title: 'Thanks for the report',
    body: 'Hello {player},\n\nthank you for telling us. We look into it and do what is needed, but we do not tell others what that is.\n\n{me}',
  },
  {
    title: 'Moved your character',
    body: 'Hello {player},\n\nwe moved {character} to the plaza. Please log in again.\n\n{me}',
  },
]

type SupportTicket = {
  number: string
  /** The index of a player, or a guest's address. */
  from: number | string
  category: TicketCategory
  subject: string
  state: 'open' | 'answered' | 'closed'
  priority: 0 | 1 | 2 | 3
  isMine?: true
  note?: string
  messages: { by: 'requester' | 'GM Bituin'; minutesAgo: number; text: string }[]
}

/** What others than juan wrote to support. */
export const supportTickets: SupportTicket[] = [
  {
    number: 'T-4HJ7-WQ2E',
    from: 14,
    category: 'account',
    subject: 'Somebody is in my account right now',
    state: 'open',
    priority: 3,
    messages: [
      {
        by: 'requester',
        minutesAgo: 35,
        text: 'Please hurry po. I was logged out while playing and my password does not work anymore. My friend sees my character selling everything at the market!',
      },
    ],
  },
  {
    number: 'T-B6ZM-93KC',
    from: 52,
    category: 'payment',
    subject: 'Bought two capes, got one',
    state: 'open',
    priority: 2,
    isMine: true,
    note: 'Second unit is still queued. If it is not there by tonight, refund it.',
    messages: [
      {
        by: 'requester',
        minutesAgo: 5 * HOUR,
        text: 'I paid for two but only one is in my item bank. I already logged out and in.',
      },
    ],
  },
  {
    number: 'T-R8VE-5LXY',
    from: 'ate.minda@example.net',
    category: 'account',
    subject: 'My son cannot register',
    state: 'open',
    priority: 1,
    messages: [
      {
        by: 'requester',
        minutesAgo: 9 * HOUR,
        text: 'Good morning. The page says that his username is already taken but he never played before. What can we do?',
      },
    ],
  },
  {
    number: 'T-C2PD-KN8S',
    from: 87,
    category: 'bug',
    subject: 'The bridge in Mystic Peak has a hole',
    state: 'open',
    priority: 0,
    messages: [
      {
        by: 'requester',
        minutesAgo: 2 * DAY,
        text: 'If you walk at the very left you fall through the bridge and land on the roof of the canteen. It is funny, not urgent.',
      },
    ],
  },
  {
    number: 'T-WY5Q-T7GA',
    from: 120,
    category: 'player-report',
    subject: 'He kills new players at the gate all night',
    state: 'answered',
    priority: 1,
    isMine: true,
    messages: [
      {
        by: 'requester',
        minutesAgo: DAY + 2 * HOUR,
        text: 'There is one who waits at the gate of Phoenix and kills everybody below level 20. Is that allowed?',
      },
      {
        by: 'GM Bituin',
        minutesAgo: DAY,
        text: 'Hello, thank you for telling us. Fighting at the gate is allowed, hunting the same beginner again and again is not. We are watching the gate tonight.',
      },
    ],
  },
  {
    number: 'T-N3XF-6BJH',
    from: 200,
    category: 'payment',
    subject: 'Wrong referral code',
    state: 'closed',
    priority: 1,
    isMine: true,
    messages: [
      {
        by: 'requester',
        minutesAgo: 8 * DAY,
        text: 'I typed the code of the wrong streamer. Can you change it to TAMBAYAN?',
      },
      {
        by: 'GM Bituin',
        minutesAgo: 8 * DAY - 40,
        text: 'Hello, the R-Coin is the same for you either way. We cannot change the streamer afterwards, but they are friends and will not mind.',
      },
    ],
  },
]

/** Mails that were given up, and how the mail server refused them. */
export const givenUpMails = [
  { to: 'no.such.box@example.com', error: '550 5.1.1 No such mailbox', daysAgo: 1 },
  { to: 'full.box@example.org', error: '452 4.2.2 The mailbox is full', daysAgo: 3 },
  { to: 'typo@exmaple.net', error: 'queryMx ENOTFOUND exmaple.net', daysAgo: 5 },
]
