/** The specification's texts, letter for letter, odd spellings included. */

export const SHELL = {
  since: 'since 2002',
  copyright: 'Copyright 2009-2010',
  rCoin: 'R-Coin',
  milleage: 'Milleage',
} as const

export const NEWS = {
  justNow: 'just now',
  noDate: 'No date available',
  empty: 'No news data available.',
  newBadge: 'new',
  columns: ['SUBJECT', 'WRITER', 'DATE', 'VIEWS'],
} as const

export const RANKINGS = {
  noteTop: 'Top 100 players in this month.',
  noteReset: 'Rankings will be reset every first day of month.',
} as const

export const CLUBS = { noClub: 'none' } as const

export const PAGER = { previous: 'Previous', next: 'Next', last: 'Last' } as const

export const NOT_FOUND = { title: '404 NOT FOUND' } as const

export const ERROR_PAGE = {
  title: 'Unable to process your request!',
  text: 'We are very sorry for the inconvenience! An error has occurred due to a temporary system issue. If this problem continues, please report it to our support section for a faster response.',
  goBack: 'Go Back',
  support: 'Support',
  homepage: 'Homepage',
} as const

export const DIALOG = {
  confirm: 'OK',
  deny: 'No',
  cancel: 'Cancel',
  invalidEmail: 'Invalid email address',
  invalidUrl: 'Invalid URL',
  errorTitle: 'ERROR!',
} as const

export const CALLS = {
  network: 'Network error. Please check your connection.',
  tooMany: 'Too many Requests! try again later',
  sessionExpired: 'Session expired. Please log in again.',
  unexpected: 'An unexpected error occurred. Please try again.',
} as const

/** The text for a failed call whose answer has no text (SPEC §8). */
export function unknownError(status: number): string {
  return `Unkown Error : Status ${status}`
}

export const LOGIN = {
  userIdRequired: 'Username is required.',
  passwordRequired: 'Password is required.',
  signUp: 'Sign up',
  forgot: 'Forget your ID or Password',
  adminAlert: (userId: string) => `Welcome back admin! ${userId} Logging in...`,
} as const

export const EMPTY = { noData: 'No Data' } as const
