import { DAY_MS, HOUR_MS, MINUTE_MS } from './durations.ts'

/** The numbers of docs/RULES.md and further limits. Each name contains the unit. */

// How long browsers cache public responses (NEWS-11, BANNER-3)
export const NEWS_CACHE_MS = 30_000
export const BANNER_CACHE_MS = 1_800_000

// News (NEWS-1, NEWS-3, NEWS-8)
export const NEWS_PAGE_SIZE = 8
export const NEWS_COUNT_MAX = 50
/** The number of views shown for every news item. */
export const NEWS_VIEWS_SHOWN = 65

export const PREVIEW_LIFETIME_MS = 10 * MINUTE_MS
export const NEWS_SUBJECT_MAX = 120
export const NEWS_AUTHOR_MAX = 40
export const NEWS_CONTENT_MAX = 50_000

// Rankings (RANK-1)
export const RANKING_SIZE = 100
/** The number of ranks that are counted on a board while its month or season is open. */
export const COUNTED_RANKS_MAX = 1000

/** The disk space for the drawn pictures of shared links (SHARE-2). */
export const SHARE_PICTURES_MAX_BYTES = 200_000_000
/** The time after its last use at which a drawn picture of shared links is deleted. */
export const SHARE_PICTURE_CACHE_MS = 30 * DAY_MS

// The pager (PAGER-3)
export const PAGER_ADJACENTS = 2
export const PAGER_FULL_LIST_MAX = 1000

// The shell: banner rotator, quick button, clock and toasts (BANNER-1, SHELL-2, SHELL-3, DIALOG-2)
export const ROTATOR = { width: 615, height: 210, startMs: 3000, slideMs: 3000, fadeMs: 800, thumbPx: 24 }
export const QUICK_BUTTON_MS = 500
export const CLOCK_TICK_MS = 1000
export const TOASTS = { visible: 3, durationMs: 4000, gapPx: 14 }

/**
 * The limits of the service worker's cache (OFFLINE-1): at most 3 MB, including the site's scripts and fonts of 1.3 MB.
 * After `timeoutSeconds` it shows the cached page. A document older than `freshMs` is cached again at the next visit.
 */
export const OFFLINE_CACHE = {
  pagesMaxBytes: 600_000,
  picturesMax: 16,
  pictureMaxBytes: 40_000,
  freshMs: 10 * 60_000,
  timeoutSeconds: 10,
}

// Accounts: the lengths of their fields (REG-4, REG-5, PASS-2, ACCOUNT-6)
export const USER_ID_MIN = 4
export const USER_ID_MAX = 20
export const NEW_PASSWORD_MIN = 5
export const CURRENT_PASSWORD_MIN = 4
export const SECOND_PASSWORD_MIN = 4
export const PASSWORD_MAX = 20
/** The minimum length of a password for accounts with a role at the desk. */
export const STAFF_PASSWORD_MIN = 12
export const NAME_MAX = 30
export const EMAIL_MAX = 60
export const SECRET_ANSWER_MAX = 60
/** The lowest user type of an administrator (SITE-8). */
export const ADMIN_USER_TYPE = 11
/** The maximum length of a query at the desk, in characters. */
export const DESK_SEARCH_MAX = 120
export const DESK_SEARCH_RULE = `Search for at most ${DESK_SEARCH_MAX} characters.`
/** The maximum number of whitelisted addresses of an account. A further one replaces the oldest. */
export const WHITELIST_MAX = 5
/** Kosovo's code is in lists of countries by name, but not assigned in ISO 3166-1. */
export const NOT_IN_ISO_3166 = 'XK'

// Requests
export const REQUEST_BODY_MAX_BYTES = 64 * 1024

// Sessions (SESSION-2)
export const SESSION_IDLE_MAX_MS = 12 * HOUR_MS
export const SESSION_MAX_MS = 30 * DAY_MS
/** The time for which a confirmation of identity is valid (DESK-2). */
export const CONFIRMATION_VALID_MS = 15 * MINUTE_MS
/** The time for which a correct secret answer allows a change of password. */
export const SECRET_ANSWER_VALID_MS = 5 * MINUTE_MS

// Second factors
/** The time limit for the second factor of a login. */
export const LOGIN_CHALLENGE_LIFETIME_MS = 5 * MINUTE_MS
/** The time limit for adding a passkey or an authenticator app. */
export const FACTOR_CEREMONY_LIFETIME_MS = 10 * MINUTE_MS
export const PASSKEYS_MAX = 10
export const FACTOR_NAME_MAX = 40
export const RECOVERY_CODE_COUNT = 10
export const TOTP_DIGITS = 6
export const TOTP_PERIOD_S = 30
/** The time for which the first owner's link works (DESK-12). */
export const FIRST_OWNER_LINK_LIFETIME_MS = DAY_MS

// Links in mails
export const RESET_LINK_LIFETIME_MS = 30 * MINUTE_MS
export const VERIFY_LINK_LIFETIME_MS = 7 * DAY_MS
export const UNDO_EMAIL_LINK_LIFETIME_MS = 7 * DAY_MS
/** The delay before an irreversible change such as an erasure takes effect; until then it can be undone. */
export const IRREVERSIBLE_AFTER_MS = 7 * DAY_MS
/** The time after a change of address for which the former address is notified of a request to erase the account. */
export const FORMER_EMAIL_RETENTION_MS = 30 * DAY_MS
/** The time for which an account cannot spend after staff helped a player back into it. */
export const HELP_FREEZE_PERIOD_MS = DAY_MS

/** The time after the game's last sign of activity for which the minutes of online characters count as played. */
export const GAME_REPORT_LIFETIME_MS = 15 * MINUTE_MS

// Periods of storage. The privacy policy and server/retention.test.ts use them.
/** The time for which an account's daily minutes in the game are stored. */
export const PLAY_DAYS_RETENTION_MS = 31 * DAY_MS
/** The time for which the account's history is stored for the player. */
export const ACCOUNT_EVENTS_RETENTION_MS = 365 * DAY_MS
/** The time after a login during which its address and its device count as known. */
export const KNOWN_DEVICE_RETENTION_MS = 90 * DAY_MS
/** The time for which the record of a sent or abandoned mail, and mails written as files, are stored. */
export const MAIL_RETENTION_MS = 30 * DAY_MS
/** The time for which the text of a failed email is stored for a retry. */
export const FAILED_MAIL_TEXT_RETENTION_MS = 7 * DAY_MS
/** The time for which an Idempotency-Key is stored. */
export const IDEMPOTENCY_KEY_RETENTION_MS = DAY_MS
/** The time for which a ticket with its screenshots is stored after its last message, unless it waits for support. */
export const TICKET_RETENTION_MS = 365 * DAY_MS
/** The time for which screenshots are stored after the last change of their ticket, unless it waits for support. */
export const SCREENSHOTS_RETENTION_MS = 90 * DAY_MS
export const LETTER_RETENTION_MS = 90 * DAY_MS
/** The time for which a bought gift waits for its recipient. */
export const GIFT_LIFETIME_MS = 30 * DAY_MS
/** The time for which the current and earlier texts of a deleted or rejected post are stored. */
export const FORUM_DELETED_RETENTION_MS = 30 * DAY_MS
/** The time for which an unused picture of the forum is stored. */
export const UNUSED_FORUM_PICTURE_RETENTION_MS = DAY_MS
/** The time after its newest post at which a topic counts as read, and the positions of its readers are deleted. */
export const FORUM_UNREAD_MAX_MS = 90 * DAY_MS
export const FORUM_BOOKMARKS_MAX = 200
/** The maximum number of forum drafts in a browser. The oldest are deleted first. */
export const DRAFTS_MAX = 20
export const DRAFT_RETENTION_MS = 30 * DAY_MS
/** The time for which the readers of a topic are stored after the day on which they read it. */
export const FORUM_VIEWS_RETENTION_MS = 2 * DAY_MS
/** The time for which a news item stays in the trash. */
export const NEWS_TRASH_RETENTION_MS = 30 * DAY_MS
/** The time for which an unused picture of the desk is stored. */
export const UNUSED_FILE_RETENTION_MS = 30 * DAY_MS
/** The time for which personal values are stored in the audit log. */
export const AUDIT_PERSONAL_RETENTION_MS = 365 * DAY_MS
/** The time for which sealed passwords that no bridge has fetched are stored. */
export const SEALED_FORMS_RETENTION_MS = 30 * DAY_MS
/** The time for which decided appeals are stored. */
export const APPEAL_RETENTION_MS = 365 * DAY_MS
/** The time limit for a decision on an appeal. */
export const APPEAL_ANSWER_PERIOD_MS = 14 * DAY_MS
/** The time for which votes are stored: those of this month and the previous one. */
export const VOTES_RETENTION_MS = 62 * DAY_MS
/** The time for which an invitation of a friend is stored. */
export const INVITATION_LIFETIME_MS = 365 * DAY_MS
export const INVITATION_REWARDED_RETENTION_MS = 62 * DAY_MS
/** The time for which a new account can wait for its starter items. */
export const STARTER_ITEMS_LIFETIME_MS = 365 * DAY_MS
/** The time for which counts of the players online are stored; the chart shows the last day. */
export const ONLINE_COUNTS_RETENTION_MS = 2 * DAY_MS
/** The time for which the counts of each hour, by school and class, are stored (STATUS-3). */
export const ONLINE_HOURS_RETENTION_MS = 30 * DAY_MS
/** The days for which details such as logins by hour and sales by item are stored: this year and the previous one. */
export const DAILY_DETAILS_RETENTION_DAYS = 2 * 366
/** The time for which errors of the server are stored, by hour. */
export const ERRORS_RETENTION_MS = 7 * DAY_MS
/** The time for which an alert is stored after it ended. */
export const ALERTS_RETENTION_MS = 30 * DAY_MS
/** After this time without a change, the site no longer updates a message on Discord. */
export const DISCORD_POSTS_RETENTION_MS = 400 * DAY_MS

// Delays of the pages (LOGIN-6, SESSION-4, REG-6, PASS-6)
export const LOGIN_REDIRECT_MS = 500
export const SESSION_EXPIRED_REDIRECT_MS = 500
export const REGISTERED_REDIRECT_MS = 1000
export const PASSWORD_CHANGED_LOGOUT_MS = 2000
export const PROGRESS_DIALOG_MS = 10_000

// The shop (SHOP-4, SHOP-6, SHELL-8, CART-4)
export const SHOP_PAGE_SIZE = 8
/** The maximum length of an item's name on its card. */
export const CARD_NAME_MAX = 10
/** The maximum length of an item's name in the summary of the cart. */
export const CART_NAME_MAX = 14
export const HISTORY_PAGE_SIZE = 10
export const CART_LINES_MAX = 50
export const LINE_QUANTITY_MAX = 99
/** The highest price of an item. */
export const PRICE_MAX = 999_999_999
/** The highest value of a voucher in either currency. */
export const VOUCHER_VALUE_MAX = 999_999_999
/** The age of a purchase above which its refund counts against an operator's money limit. */
export const COUNTED_REFUND_AGE_MS = 7 * DAY_MS
/** The maximum number of vouchers created at once. */
export const VOUCHERS_AT_ONCE = 10_000
/** The section of items paid in R-Coin; all others are paid in Milleage. */
export const R_COIN_SECTION = 2

// Figures (DESK-18)
/** The days without a login after which a player counts as absent: the longest lifetime of a session. */
export const PLAYER_INACTIVE_DAYS = 30
/** The number of recent days whose figures a later run of the job still counts if their own run was missed. */
export const CATCH_UP_DAYS = 60
/** The number of days shown by default. */
export const FIGURES_SHOWN_DAYS = 30
export const FIGURES_RANGE_DAYS_MAX = 366

// Services for characters (SERVICE-5)
/** The delay before an order is issued again if its character was online. */
export const SERVICE_ONLINE_RETRY_MS = 10_000
/** The delay before an order is issued again if the bridge did not report on it. */
export const SERVICE_UNREPORTED_RETRY_MS = MINUTE_MS
/** The number of refusals by the game's database after which an order is refunded. */
export const SERVICE_ATTEMPTS_MAX = 5

// The bridge to the game (BRIDGE-7, BRIDGE-9, BRIDGE-13)
/** The lifetime of a code that pairs a bridge. */
export const BRIDGE_CODE_LIFETIME_MS = 10 * MINUTE_MS
/** The number of wrong attempts that invalidate the code. */
export const BRIDGE_CODE_FAILURES_MAX = 10
/** The maximum duration of an import that an owner opened. */
export const IMPORT_OPEN_HOURS_MAX = 24
/** The highest balance that an import takes over. */
export const GAME_BALANCE_MAX = 1_000_000_000
/** After this time without a message, a bridge counts as unavailable. */
export const BRIDGE_OFFLINE_AFTER_MS = 60_000

// The response cache
/** The time for which the site caches a response. Operators' changes invalidate it at once. */
export const ANSWER_CACHE_MS = 5000

// Support tickets
export const TICKET_KEY_LIFETIME_MS = 30 * DAY_MS
export const APPEAL_TEXT_MAX = 2000
export const TICKET_SUBJECT_MAX = 120
export const TICKET_MESSAGE_MAX = 4000
export const TICKET_MESSAGES_MAX = 200
export const TICKET_PAGE_SIZE = 10
/** The maximum number of tickets per bulk action, which is a page of the desk's list (DESK-19). */
export const TICKETS_AT_ONCE = 50
export const SUPPORT_NAME_MAX = 40
export const SCREENSHOTS_MAX = 3
export const SCREENSHOT_MAX_BYTES = 5 * 1024 * 1024
/** The maximum is enough for a screen of 5120 × 2880 and for a phone's camera. */
export const SCREENSHOT_PIXELS_MAX = 20_000_000
export const SCREENSHOT_SIDE_MAX_PX = 1920
export const TICKET_UPLOAD_MAX_BYTES = SCREENSHOTS_MAX * SCREENSHOT_MAX_BYTES + 64 * 1024

// The game's own numbers that the guides state (GUIDE-3, GUIDE-4)
export const REGIONAL_MESSAGE_GOLD = 10_000
export const PARTY_SEARCH_MESSAGE_GOLD = 20_000
export const PARTY_SEARCH_WAIT_MINUTES = 2

// Letters of the desk
/** The maximum number of individually chosen players for a letter, which is a page of the desk's list (DESK-19). */
export const LETTER_PLAYERS_MAX = 50
/** Players who opened a letter are counted up to this number, at which the desk adds 'or more'. */
export const OPENED_COUNT_MAX = 1000
