import { DAY_MS, HOUR_MS, MINUTE_MS } from './durations.ts'

const QUARTER_HOUR_MS = 15 * MINUTE_MS

/**
 * A limit of `max` calls in a window that begins with the first call. /api/docs shows `counts`. With `perProcess`, each
 * process counts in memory; otherwise the database counts for the whole site.
 */
export type Limit = { max: number; windowMs: number; counts: string; perProcess?: true }

/**
 * Every rate limit (CALL-8). An endpoint counts its `limit` before it parses the input: by account, or for guests by
 * address (IPv6 by /64). Use cases count the other limits. Hundreds of players can share an IPv4 address, so limits by
 * address are generous. `RATE_LIMIT=off` disables all limits.
 */
export const LIMITS = {
  pages: {
    max: 1200,
    windowMs: MINUTE_MS,
    perProcess: true,
    counts: 'requests for uncached pages from one address',
  },
  guestCalls: { max: 3000, windowMs: MINUTE_MS, perProcess: true, counts: 'calls without a login from one address' },
  voteCalls: {
    max: 3000,
    windowMs: MINUTE_MS,
    perProcess: true,
    counts: 'calls with the address of one vote list, which count against no other limit',
  },
  playerCalls: { max: 600, windowMs: MINUTE_MS, perProcess: true, counts: 'calls of one account' },
  tokens: {
    max: 12_000,
    windowMs: MINUTE_MS,
    perProcess: true,
    counts: 'calls with a token, valid or not, from one address',
  },
  login: { max: 1500, windowMs: QUARTER_HOUR_MS, counts: 'logins from one address' },
  loginFailures: {
    max: 10,
    windowMs: QUARTER_HOUR_MS,
    counts: 'failed logins for one user ID from addresses and devices without a login to it within 90 days',
  },
  knownPlaceFailures: {
    max: 10,
    windowMs: QUARTER_HOUR_MS,
    counts: 'failed logins for one user ID from an address or a device it was logged in on within 90 days',
  },
  factorFailures: {
    max: 10,
    windowMs: QUARTER_HOUR_MS,
    counts: 'wrong codes and passkeys in logins to one account; a correct passkey still works',
  },
  factorWarnings: { max: 1, windowMs: DAY_MS, counts: 'emails that warn one account of wrong codes and passkeys' },
  discordLinks: { max: 20, windowMs: HOUR_MS, counts: 'requests of one account to connect with Discord' },
  emailChanges: { max: 5, windowMs: DAY_MS, counts: 'changes of the email address of one account' },
  passwordChecks: { max: 10, windowMs: QUARTER_HOUR_MS, counts: 'wrong passwords for one account' },
  secretAnswers: { max: 5, windowMs: QUARTER_HOUR_MS, counts: 'wrong secret answers for one account' },
  registrationForms: { max: 1000, windowMs: HOUR_MS, counts: 'registration forms from one address' },
  registrations: { max: 200, windowMs: HOUR_MS, counts: 'new accounts from one address' },
  recovery: { max: 300, windowMs: HOUR_MS, counts: 'recovery requests from one address' },
  recoveryMails: {
    max: 5,
    windowMs: HOUR_MS,
    counts: 'recovery emails to one account, requested from one device or address',
  },
  recoveryMailsInAll: {
    max: 10,
    windowMs: HOUR_MS,
    counts: 'recovery emails to one account, requested from unknown devices and addresses',
  },
  recoveryMailsBeyond: {
    max: 1,
    windowMs: QUARTER_HOUR_MS,
    counts: 'recovery emails to one account past the two limits above; further ones are not sent',
  },
  voucherFailures: { max: 10, windowMs: QUARTER_HOUR_MS, counts: 'refused vouchers for one account' },
  giftFailures: { max: 10, windowMs: QUARTER_HOUR_MS, counts: 'gifts of one account to players who cannot have them' },
  ticketForms: { max: 300, windowMs: HOUR_MS, counts: 'ticket forms from one address' },
  ticketsByGuestAddress: { max: 30, windowMs: HOUR_MS, counts: 'tickets of guests from one address' },
  ticketsByEmail: { max: 5, windowMs: HOUR_MS, counts: 'tickets of guests with one email address' },
  ticketsByMember: { max: 5, windowMs: HOUR_MS, counts: 'tickets of one account' },
  ticketsByMemberAddress: { max: 200, windowMs: HOUR_MS, counts: 'tickets of players from one address' },
  ticketReplies: { max: 20, windowMs: HOUR_MS, counts: 'replies to one ticket' },
  ticketLinks: { max: 3, windowMs: HOUR_MS, counts: 'mailed links of one ticket; further ones are not sent' },
  downloadLinkMails: { max: 3, windowMs: HOUR_MS, counts: 'emails with the download link to one account' },
  gameLinks: { max: 10, windowMs: QUARTER_HOUR_MS, counts: 'wrong old game passwords for one account' },
  claims: { max: 10, windowMs: HOUR_MS, counts: 'attempts to take over one account' },
  mailServerTries: { max: 30, windowMs: HOUR_MS, counts: 'mail servers that one operator tries' },
  backupTargetTries: { max: 30, windowMs: HOUR_MS, counts: 'targets for copies of backups that one operator tries' },
  pairing: { max: 60, windowMs: QUARTER_HOUR_MS, counts: 'attempts to pair a bridge from one address' },
  bridgeCalls: { max: 6000, windowMs: MINUTE_MS, perProcess: true, counts: 'calls of bridges from one address' },
  forumPictures: { max: 40, windowMs: HOUR_MS, counts: 'pictures for the forum of one account' },
  forumEdits: { max: 60, windowMs: HOUR_MS, counts: 'changes of posts by one account' },
  forumPreviews: { max: 60, windowMs: QUARTER_HOUR_MS, counts: 'previews of posts by one account' },
  forumReports: { max: 30, windowMs: HOUR_MS, counts: 'reports of posts by one account' },
  forumMentions: {
    max: 30,
    windowMs: HOUR_MS,
    counts: 'letters about mentions by one account; further ones are not sent',
  },
  tournamentEntries: {
    max: 40,
    windowMs: HOUR_MS,
    counts: 'registrations, withdrawals and check-ins for tournaments of one account',
  },
  eventReminders: { max: 60, windowMs: HOUR_MS, counts: 'changes of event reminders by one account' },
  pushDevices: { max: 60, windowMs: HOUR_MS, counts: 'changes of notifications by one account' },
  dailyClaims: { max: 60, windowMs: HOUR_MS, counts: 'claims of daily rewards by one account' },
  ticketFailures: { max: 50, windowMs: QUARTER_HOUR_MS, counts: 'failed attempts to open a ticket from one address' },
} as const satisfies Record<string, Limit>

export type LimitName = keyof typeof LIMITS
