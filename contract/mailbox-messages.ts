/** What a letter is about, and how the mail box names it. */
export const LETTER_KINDS = {
  staff: 'From the team',
  refund: 'Refund',
  voucher: 'Voucher',
  ticket: 'Support',
  block: 'Account',
  security: 'Security',
} as const

export type LetterKind = keyof typeof LETTER_KINDS

/** The words of the mail box. */
export const MAILBOX = {
  title: 'Mail box',
  line: 'News about your account, your purchases and your tickets, and letters from the team.',
  noLetter: 'This letter is gone.',
  deleted: 'Deleted.',
  allRead: 'Everything is read.',
  empty: 'Your mail box is empty.',
  emptyLine: 'Refunds, answers of support and letters from the team will be here.',
  failed: 'We couldn’t load your letters.',
} as const

/** More unread letters are not counted: the icon says 99+. */
export const UNREAD_COUNTED = 100
