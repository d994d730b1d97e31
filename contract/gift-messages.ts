import { DAY_MS } from './durations.ts'
import { formatCount } from './numbers.ts'

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
export const GIFT_ACCOUNT_AGE_MS = 7 * DAY_MS

type Worth = {
  currency?: 'r_coin' | 'milleage' | null
  amount?: number | null
  item_name?: string | null
  quantity?: number | null
}

/** What a gift or a prize is, in words: '500 R-Coin', '2 × Bandana', or 'Bandana' for one. */
export function giftWorth({ currency, amount, item_name, quantity }: Worth): string {
  if (amount != null) return `${formatCount(amount)} ${currency === 'r_coin' ? 'R-Coin' : 'Milleage'}`
  return quantity === 1 ? (item_name ?? 'an item') : `${quantity} × ${item_name ?? 'item'}`
}
