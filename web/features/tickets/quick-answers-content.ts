import type { TicketCategory } from '#contract/tickets.ts'

type QuickAnswer = {
  question: string
  answer: string
  to: string
  link: string
  /** Shown to one of the two only, where the way differs. */
  for?: 'guest' | 'player'
}

/** What most people ask, and where it is answered at once. */
export const QUICK_ANSWERS: readonly QuickAnswer[] = [
  {
    question: 'I forgot my ID or password',
    answer: 'We mail you your ID, or a link for a new password.',
    to: '/findaccount',
    link: 'Find ID/PW',
    for: 'guest',
  },
  {
    question: 'I want another password',
    answer: 'You need the present one and your secret answer.',
    to: '/changepassword',
    link: 'Change Password',
    for: 'player',
  },
  {
    question: 'My voucher does not work',
    answer: 'A code is good once, and every letter counts. Paste it whole.',
    to: '/topup',
    link: 'Top Up R-Coin',
  },
  {
    question: 'I paid. Where is it?',
    answer: 'Each purchase says how far it is on its way to your item bank.',
    to: '/shoppurchases',
    link: 'Purchase History',
  },
  {
    question: 'The game will not start',
    answer: 'What your computer needs, and the client to download afresh.',
    to: '/downloads',
    link: 'Game Download',
  },
  {
    question: 'Is that allowed?',
    answer: 'What ends an account and what does not, in the rules.',
    to: '/operationpolicy',
    link: 'Operation Policy',
  },
  {
    question: 'How does this work?',
    answer: 'Keys, mouse, chat and every window, one by one.',
    to: '/instructions',
    link: 'Instructions',
  },
]

/** What helps us to answer the first time. */
export const WHAT_HELPS: Record<TicketCategory, string> = {
  account: 'Tell us your user ID and what you see when you try. Never send a password: we do not need it.',
  payment: 'Tell us the code, or the item and the day you bought it. A screenshot of the message helps.',
  bug: 'Tell us what you did, what you expected and what happened instead. A screenshot is worth three paragraphs.',
  'player-report': 'Tell us the character’s name, where and when it was, and show the chat in a screenshot.',
  other: 'Ideas, thanks and questions land on the same desk.',
}
