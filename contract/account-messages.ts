/** The specification's texts for accounts, letter for letter, and our own where it has none. */
import { manilaMinute } from './manila.ts'

/** '{Label} is required.': for required fields that have no text of their own (DECISIONS §4). */
export const requiredText = (label: string) => `${label} is required.`
export const tooShortText = (label: string, n: number) => `${label} must be at least ${n} characters long.`
export const tooLongText = (label: string, n: number) => `${label} must be at most ${n} characters long.`

export const REGISTER = {
  confirmRequired: 'Confirm - Password is required.',
  emailRequired: 'Email is required.',
  userIdCharacters: 'Username may contain only the letters A to Z, digits and _.',
  closed: 'Registration is closed at the moment. Please come back later.',
  userIdTaken: 'This Username is already taken.',
  emailTaken: 'This Email is already in use.',
  passwordIsUserId: 'Password must not be the same as the Username.',
  passwordsDiffer: 'Password and Confirm - Password do not match.',
  termsRequired: 'Please accept the terms of use.',
  countryUnknown: 'Please choose a country from the list.',
  success: 'Your account is ready. Please check your e-mail to verify your address.',
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
  said: 'If an account matches, an e-mail is on its way. Please check your inbox and your spam folder.',
  linkDead: 'This link is no longer valid. Please request a new one.',
  reset: 'Your new password is set. Please log in with it.',
  undoDead: 'This link is no longer valid. If your account is in the wrong hands, please write to support.',
  undone: 'Your e-mail address is back. We have mailed you a link to set a new password.',
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
  changed: 'Your password has been changed. Please log in again.',
} as const

export const ACCOUNT = {
  detailsChanged: 'Your details have been changed. Please log in again.',
  processing: 'Processing request',
  pleaseWait: 'please wait...',
  whitelisted: 'Your address has been whitelisted.',
  loggedOut: 'You have been logged out.',
  othersEnded: 'All other devices have been logged out.',
} as const

/** Login answers by status (SPEC §4, DECISIONS §3). */
export const LOGIN_ANSWERS = {
  welcome: (userId: string) => `Welcome back, ${userId}!`,
  wrong: 'User ID or password is incorrect.',
  blocked: 'This account is blocked. Please contact support.',
  blockedBecause: (reason: string, until: Date | null) =>
    `This account is blocked${until === null ? '' : ` until ${manilaMinute(until)}, Manila time`}. ${reason}${/[.!?]$/.test(reason) ? '' : '.'}`,
  locked: 'Too many failed logins. Please try again in 15 minutes.',
  unverified: 'Please verify your e-mail address first. We sent you a link.',
  maintenance: 'The server is under maintenance. Please try again later.',
  noToken: 'Please log in.',
  notYours: 'This account is not yours.',
  claimFirst: 'Please complete your account first, at /claim.',
} as const

/** For players who come from the game with their old password. */
export const CLAIM = {
  done: 'Check your email: the link in it completes your account.',
  claimed: 'Your account is already complete.',
  userIdRequired: 'Please choose a new User ID.',
  linked: 'Your game account is linked.',
  notTaken: 'There is no game account to link.',
  notMovedIn: 'The operators have not moved this game account in yet. Please write to support.',
  wrongPassword: 'This is not the old password of the game account.',
} as const
