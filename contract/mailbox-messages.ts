/** What a letter is about, and how the mail box names it. */
export const LETTER_KINDS = {
  staff: 'From the team',
  refund: 'Refund',
  voucher: 'Voucher',
  ticket: 'Support',
  block: 'Account',
  security: 'Security',
  gift: 'Gift',
  prize: 'Prize',
  forum: 'Forum',
} as const

export type LetterKind = keyof typeof LETTER_KINDS

/** The words of the mail box. */
export const MAILBOX = {
  title: 'Mail box',
  line: 'News about your account, your purchases and your tickets, and letters from the team.',
  noLetter: 'This letter is gone.',
  deleted: 'Deleted.',
  allRead: 'Everything is marked as read.',
  empty: 'Your mail box is empty.',
  emptyLine: 'Refunds, answers from support and letters from the team will appear here.',
  failed: 'We couldn’t load your letters.',
  claimed: 'It is yours now.',
  claimedItem: 'It is yours now, and on its way to your item bank.',
  claimedBefore: 'You have already claimed this gift.',
  giftGone: 'This gift is no longer there.',
  giftUsedUp: 'All gifts of this letter have been claimed.',
  claimFirst: 'Claim the gift first. Then you can delete this letter.',
  claimOrRefuseFirst: 'Claim or refuse the gift first. Then you can delete this letter.',
  refused: 'Refused. The sender gets the money back.',
  saved: 'Saved.',
  noLink: 'This link is not valid.',
  stopped: 'Done. You won’t get any more copies of this kind by email.',
} as const

/** More unread letters are not counted: the icon says 99+. */
export const UNREAD_COUNTED = 100
