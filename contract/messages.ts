/** Texts of several areas. The texts that docs/RULES.md quotes are literal, including odd spellings. */
import { formatManilaMinute } from './manila.ts'

export const SHELL_TEXTS = {
  since: 'since 2002',
  copyright: 'Copyright 2009-2010',
  rCoin: 'R-Coin',
  milleage: 'Milleage',
  sendLink: 'Send the link to my computer',
} as const

export const NEWS_TEXTS = {
  justNow: 'just now',
  dateMissing: 'No date available',
  empty: 'No news data available.',
  newBadge: 'new',
  columns: ['SUBJECT', 'WRITER', 'DATE', 'VIEWS'],
} as const

export const RANKING_TEXTS = {
  noteTop: 'Top 100 players in this month.',
  noteReset: 'Rankings will be reset every first day of month.',
} as const

export const CLUB_TEXTS = { noClub: 'none' } as const

export const PAGER_TEXTS = { previous: 'Previous', next: 'Next', last: 'Last' } as const

export const NOT_FOUND_TEXTS = { title: '404 NOT FOUND' } as const

/** The public name of an operator who has not set a name. */
export const STAFF_NAME = 'Staff'

/** The text of a page that the operators have not published yet. */
export const PREPARING_TEXT = 'This page is being prepared.'

export const ERROR_PAGE_TEXTS = {
  title: 'Unable to process your request!',
  text: 'We are very sorry for the inconvenience! An error has occurred due to a temporary system issue. If this problem continues, please report it to our support section for a faster response.',
  goBack: 'Go Back',
  support: 'Support',
  homepage: 'Homepage',
} as const

/** The text for an offline visitor whose browser has no cached page (OFFLINE-3). */
export const NO_CONNECTION_TEXTS = {
  title: 'No connection',
  tryAgain: 'Try again',
  line: 'You can still read the pages that you opened before.',
} as const

/** The labels of dialogs, and the texts of their errors (DIALOG-3, DIALOG-4). */
export const DIALOG_TEXTS = {
  confirm: 'OK',
  cancel: 'Cancel',
  invalidEmail: 'Invalid email address',
  invalidUrl: 'Invalid URL',
  errorTitle: 'ERROR!',
} as const

export const CALL_TEXTS = {
  network: 'Network error. Please check your connection.',
  tooMany: 'Too many Requests! try again later',
  sessionExpired: 'Session expired. Please log in again.',
  unexpected: 'An unexpected error occurred. Please try again.',
} as const

/** Returns the text for a failed call whose response has no text (FAIL-2). */
export function formatUnknownError(status: number): string {
  return `Unkown Error : Status ${status}`
}

export const LOGIN_TEXTS = {
  userIdRequired: 'Username is required.',
  passwordRequired: 'Password is required.',
  signUp: 'Sign up',
  forgot: 'Forget your ID or Password',
  storageBlocked:
    'Your browser stores nothing for this site, so you are logged in on this page only. Allow site data in its settings to stay logged in.',
  adminAlert: (userId: string) => `Welcome back admin! ${userId} Logging in...`,
} as const

export const EMPTY_LIST_TEXTS = { emptyText: 'No Data' } as const

/** Returns '{Label} is required.', for required fields without another text (REG-9). */
export const formatRequiredText = (label: string) => `${label} is required.`

export const formatTooShortText = (label: string, limit: number) =>
  `${label} must be at least ${limit} characters long.`

export const formatTooLongText = (label: string, limit: number) => `${label} must be at most ${limit} characters long.`

/** The texts of logins by status (LOGIN-3). */
export const LOGIN_ANSWERS = {
  welcome: (userId: string) => `Welcome back, ${userId}!`,
  wrong: 'User ID or password is incorrect.',
  blocked: 'This account is blocked. Please contact support.',
  blockedBecause: (reason: string, until: Date | null) =>
    `This account is blocked${until === null ? '' : ` until ${formatManilaMinute(until)}, Manila time`}. ${reason}${/[.!?]$/.test(reason) ? '' : '.'}`,
  erasing: (due: Date) =>
    `This account will be erased on ${formatManilaMinute(due)}, Manila time. You can keep it until then: choose “Keep my account” at the login, or press the button behind the link that we mailed.`,
  locked: 'Too many failed logins. Please try again in 15 minutes.',
  unverified: 'Please verify your email address first. We sent you a link.',
  maintenance: 'The server is under maintenance. Please try again later.',
  tokenMissing: 'Please log in.',
  notYours: 'This account is not yours.',
  claimFirst: 'Please complete your account first, at /claim.',
} as const
