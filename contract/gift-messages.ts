/** The words of gifts between players. */
export const GIFT = {
  send: 'Send as a gift',
  sent: 'Sent! Your gift waits in their mail box. If they don’t claim it within 30 days, you get your money back.',
  userIdRequired: 'Enter the user ID of the player.',
  noRecipient: 'We can’t send this gift: nobody with this user ID can receive it.',
  yourself: 'You can’t send a gift to yourself.',
  unverified: 'Confirm your email address first. Then you can send gifts.',
  tooYoung: 'Your account has to be 7 days old before you can send gifts.',
  tooMany: 'You can send 5 gifts in 24 hours. Please try again later.',
  accepts: 'Other players can send you gifts.',
  refuses: 'Other players can no longer send you gifts.',
} as const

/** How many gifts an account can send in 24 hours. */
export const GIFTS_A_DAY = 5
/** How old an account must be to send one. */
export const GIFT_ACCOUNT_AGE_MS = 7 * 24 * 3_600_000
