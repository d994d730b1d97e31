/** The specification's texts, letter for letter, odd spellings included. One place, so that a test can find each. */

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

/** The text of a failed call that says nothing itself (SPEC §8). */
export function unknownError(status: number): string {
  return `Unkown Error : Status ${status}`
}

export const LOGIN = {
  userIdRequired: 'Username is required.',
  passwordRequired: 'Password is required.',
  signUp: 'Sign up',
  forgot: 'Forget your ID or Password',
} as const

export const EMPTY = { noData: 'No Data' } as const

/** '{Label} is required.' – the text of required fields without one of their own (DECISIONS §4). */
export const requiredText = (label: string) => `${label} is required.`
export const tooShortText = (label: string, n: number) => `${label} must be at least ${n} characters long.`
export const tooLongText = (label: string, n: number) => `${label} must be at most ${n} characters long.`

export const REGISTER = {
  confirmRequired: 'Confirm - Password is required.',
  emailRequired: 'Email is required.',
  userIdCharacters: 'Username may have letters A to Z, digits and _ only.',
  userIdTaken: 'This Username is already taken.',
  emailTaken: 'This Email is already in use.',
  passwordIsUserId: 'Password must not be the Username.',
  passwordsDiffer: 'Password and Confirm - Password do not match.',
  termsRequired: 'Please accept the terms of use.',
  countryUnknown: 'Please choose a country of the list.',
  success: 'Your account is ready. Please check your mail to verify your address.',
  failed: 'Please correct the marked fields.',
} as const

/** The six secret questions, in their order (SPEC §2.6). */
export const SECRET_QUESTIONS = [
  'Favorite color',
  'Hometown',
  'Favorite movie',
  "Childhood friend's name",
  'Pet name',
  'Favorite singer',
] as const

export const RECOVERY = {
  findIdEmailRequired: 'Email Address is required to retrieve your UserID.',
  findPasswordEmailRequired: 'Email Address is required to retrieve your Password.',
  findPasswordIdRequired: 'User ID is required to retrieve your Password.',
  emailInvalid: 'Enter a valid email address.',
  said: 'If an account matches, a mail is on its way. Please look into your inbox, and into the spam folder too.',
  linkDead: 'This link is no longer good. Please ask for a new one.',
  reset: 'Your new password is set. Please log in with it.',
} as const

export const PASSWORD = {
  mismatch: 'New Password and Re-Enter Password Does not match!',
  currentLabel: 'Current Password',
  newLabel: 'New Password',
  retypeLabel: 'Retype New Password',
  confirmTitle: 'Confirm Secret Answer',
  confirmLabel: 'Please enter your secret answer',
  confirmPlaceholder: 'Secret Answer',
  submit: 'Submit',
  secretAnswerWrong: 'Secret Answer is incorrect. Please try again.',
  secretAnswerRight: 'Secret Answer confirmed.',
  secretAnswerFirst: 'Please confirm your secret answer first.',
  incorrect: 'Password is incorrect. Please try again.',
  checkFailed: 'An error occurred while validating the password.',
  right: 'Password is correct.',
  changed: 'Your password is changed. Please log in again.',
} as const

export const ACCOUNT = {
  detailsChanged: 'Your details are changed. Please log in again.',
  processing: 'Processing request',
  pleaseWait: 'please wait...',
  whitelisted: 'Your address is whitelisted.',
  loggedOut: 'You are logged out.',
  othersEnded: 'All other devices are logged out.',
} as const

/** Login answers by status (SPEC §4, DECISIONS §3). */
export const LOGIN_ANSWERS = {
  welcome: (userId: string) => `Welcome back, ${userId}!`,
  adminAlert: (userId: string) => `Welcome back admin! ${userId} Logging in...`,
  wrong: 'User ID or password is incorrect.',
  blocked: 'This account is blocked. Please write to support.',
  locked: 'Too many failed logins. Please try again in 15 minutes.',
  unverified: 'Please verify your e-mail address first. We sent you a link.',
  maintenance: 'The server is under maintenance. Please try again later.',
  noToken: 'Please log in.',
  notYours: 'This account is not yours.',
} as const

export const SHOP = {
  confirmBuy: 'Are you sure you want to buy this item?',
  categoriesFailed: 'failed to fetch shop categories',
  itemsFailed: 'failed to fetch shop items',
  historyFailed: 'Failed to fetch purchase history',
  addToCart: 'Add to cart',
  buyNow: 'Buy now',
  proceed: 'Proceed to Buy',
  checkout: 'Checkout',
  subtotal: 'Subtotal',
  total: 'Total',
  noItem: 'There is no such item in the shop.',
  noLine: 'There is no such line in your cart.',
  itemGone: 'An item in your cart is no longer sold. Please remove it.',
  cartFull: 'Your cart is full: 50 different items at most.',
  lineFull: 'At most 99 of one item.',
  stepOnly: 'The quantity changes by 1 at a time.',
  nothingChecked: 'No checked items in your cart.',
  notChecked: 'Only checked lines of your own cart can be bought.',
  added: 'Added to cart.',
  changed: 'Your cart is changed.',
  bought: 'Thank you! Your purchase is on its way to your item bank.',
  shortRCoin: 'Not enough R-Coin.',
  shortMilleage: 'Not enough Milleage.',
  shortBoth: 'Not enough R-Coin and Milleage.',
  keyReused: 'This request was already used for something else. Please try again.',
  receiptsOn: 'Receipts will be mailed to you.',
  receiptsOff: 'No receipts will be mailed to you.',
} as const

export const VOUCHER = {
  codeRequired: 'Voucher Code is required.',
  loginFirst: 'Please Login to Continue!',
  notices: ['Codes are case-sensitive.', 'Each code can be used only once.'],
  unknown: 'This voucher code is not valid.',
  used: 'This voucher code was already used.',
  expired: 'This voucher code has expired.',
  oncePerAccount: 'You already used a code of this kind.',
  unknownReferral: 'This referral code is not known.',
  redeemed: 'Your code was redeemed.',
} as const
