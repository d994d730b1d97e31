import { DAY_MS, HOUR_MS, MINUTE_MS } from '#contract/durations.ts'
import { GIFTS_A_DAY } from '#contract/gifts.ts'
import * as limits from '#contract/limits.ts'
import { RANKING_TEXTS } from '#contract/messages.ts'
import { formatCount } from '#contract/numbers.ts'
import { LIMITS } from '#contract/request-limits.ts'
import { TICKET_CATEGORY_LABELS } from '#contract/tickets.ts'

const goldPerMessage = (amount: number) => `${formatCount(amount)} gold per message`

/** The numbers and sentences of the contract that texts contain in braces, such as `{whitelistMax}`. */
const VALUES: Readonly<Record<string, string | number>> = {
  accountCategory: TICKET_CATEGORY_LABELS.account,
  accountEventDays: limits.ACCOUNT_EVENTS_RETENTION_MS / DAY_MS,
  appealDays: limits.APPEAL_ANSWER_PERIOD_MS / DAY_MS,
  appealKeptDays: limits.APPEAL_RETENTION_MS / DAY_MS,
  cartLinesMax: limits.CART_LINES_MAX,
  forumDeletedDays: limits.FORUM_DELETED_RETENTION_MS / DAY_MS,
  draftDays: limits.DRAFT_RETENTION_MS / DAY_MS,
  forumUnreadDays: limits.FORUM_UNREAD_MAX_MS / DAY_MS,
  forumPictureHours: limits.UNUSED_FORUM_PICTURE_RETENTION_MS / HOUR_MS,
  giftsADay: GIFTS_A_DAY,
  givenUpTextDays: limits.FAILED_MAIL_TEXT_RETENTION_MS / DAY_MS,
  idempotencyHours: limits.IDEMPOTENCY_KEY_RETENTION_MS / HOUR_MS,
  invitationDays: limits.INVITATION_LIFETIME_MS / DAY_MS,
  starterDays: limits.STARTER_ITEMS_LIFETIME_MS / DAY_MS,
  invitationRewardedDays: limits.INVITATION_REWARDED_RETENTION_MS / DAY_MS,
  letterDays: limits.LETTER_RETENTION_MS / DAY_MS,
  lineQuantityMax: limits.LINE_QUANTITY_MAX,
  loginFailures: LIMITS.loginFailures.max,
  loginWindowMinutes: LIMITS.loginFailures.windowMs / MINUTE_MS,
  mailDays: limits.MAIL_RETENTION_MS / DAY_MS,
  newPasswordMin: limits.NEW_PASSWORD_MIN,
  partySearchChannel: 'Party search channel',
  partySearchCost: `${goldPerMessage(limits.PARTY_SEARCH_MESSAGE_GOLD)}, usable once every ${limits.PARTY_SEARCH_WAIT_MINUTES} minutes`,
  partySearchMessageGold: formatCount(limits.PARTY_SEARCH_MESSAGE_GOLD),
  passwordMax: limits.PASSWORD_MAX,
  paymentCategory: TICKET_CATEGORY_LABELS.payment,
  placeKnownDays: limits.KNOWN_DEVICE_RETENTION_MS / DAY_MS,
  rankingReset: RANKING_TEXTS.noteReset,
  rankingSize: limits.RANKING_SIZE,
  regionalChannel: 'Regional channel',
  regionalCost: goldPerMessage(limits.REGIONAL_MESSAGE_GOLD),
  regionalMessageGold: formatCount(limits.REGIONAL_MESSAGE_GOLD),
  playDays: limits.PLAY_DAYS_RETENTION_MS / DAY_MS,
  resetLinkMinutes: limits.RESET_LINK_LIFETIME_MS / MINUTE_MS,
  screenshotDays: limits.SCREENSHOTS_RETENTION_MS / DAY_MS,
  sealedFormDays: limits.SEALED_FORMS_RETENTION_MS / DAY_MS,
  sessionIdleHours: limits.SESSION_IDLE_MAX_MS / HOUR_MS,
  sessionMaxDays: limits.SESSION_MAX_MS / DAY_MS,
  ticketDays: limits.TICKET_RETENTION_MS / DAY_MS,
  ticketKeyDays: limits.TICKET_KEY_LIFETIME_MS / DAY_MS,
  undoEmailDays: limits.UNDO_EMAIL_LINK_LIFETIME_MS / DAY_MS,
  erasureDays: limits.IRREVERSIBLE_AFTER_MS / DAY_MS,
  formerEmailDays: limits.FORMER_EMAIL_RETENTION_MS / DAY_MS,
  userIdMax: limits.USER_ID_MAX,
  userIdMin: limits.USER_ID_MIN,
  verifyLinkDays: limits.VERIFY_LINK_LIFETIME_MS / DAY_MS,
  voteDays: limits.VOTES_RETENTION_MS / DAY_MS,
  voucherFailures: LIMITS.voucherFailures.max,
  whitelistMax: limits.WHITELIST_MAX,
}

/** Values that are filled in from the site's settings when a page is rendered. */
const VALUES_FILLED_LATER = ['app', 'operator', 'Operator', 'contact']

/** Returns a text with its values filled in. @throws for an unknown name */
export const fillValues = (text: string): string =>
  text.replace(/\{(\w+)\}/g, (match, name: string) => {
    const value = VALUES[name]
    if (value === undefined && !VALUES_FILLED_LATER.includes(name)) throw new Error(`There is no value ${match}.`)
    return value === undefined ? match : String(value)
  })
