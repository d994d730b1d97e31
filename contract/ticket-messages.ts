/** The texts of support tickets. The specification has none, so all are our own. */
import { SCREENSHOT_PIXELS_MAX, SUPPORT_NAME_MAX, TICKET_MESSAGE_MAX, TICKET_SUBJECT_MAX } from './limits.ts'

/** What a ticket is about. */
export const TICKET_CATEGORIES = ['account', 'payment', 'bug', 'player-report', 'other'] as const
export type TicketCategory = (typeof TICKET_CATEGORIES)[number]

export const TICKET_CATEGORY_LABELS = {
  account: 'Account and login',
  payment: 'Payment and R-Coin',
  bug: 'A bug in the game or on the site',
  'player-report': 'Report a player',
  other: 'Something else',
} as const

export const TICKET_STATE_LABELS = {
  open: 'Open',
  answered: 'Answered',
  closed: 'Closed',
} as const

/** The next step, and who takes it. */
export const TICKET_STATE_NOTES = {
  open: 'We have your message and will reply to it.',
  answered: 'We have answered. Reply if anything is still unresolved, or close the ticket.',
  closed: 'This ticket is closed. A reply reopens it.',
} as const

export const TICKET = {
  categoryRequired: 'Please choose what your ticket is about.',
  subjectRequired: 'Subject is required.',
  subjectTooLong: `Subject must be at most ${TICKET_SUBJECT_MAX} characters long.`,
  subjectControl: 'Subject must not contain control characters.',
  messageRequired: 'Message is required.',
  messageTooLong: `Message must be at most ${TICKET_MESSAGE_MAX} characters long.`,
  messageControl: 'Message must not contain control characters.',
  emailNotYours: 'Answers go to the e-mail address of your account. Please leave it unchanged.',
  characterUnknown: 'Please choose one of your own characters.',
  characterForMembers: 'Only members can name a character. Please log in first.',
  numberRequired: 'Ticket number is required.',
  numberInvalid: 'Enter a ticket number such as T-7KQX-M2PD.',
  authorTooLong: `The name must be at most ${SUPPORT_NAME_MAX} characters long.`,
  authorControl: 'The name must not contain control characters.',
  noMatch: 'No ticket matches. If you submitted it while logged in, log in to see it.',
  linkToWrite: 'Please open the link in our e-mail to reply to this ticket.',
  adminsOnly: 'Only operators can answer tickets.',
  full: 'This conversation is full. Please submit a new ticket.',
  submitted: 'We have received your ticket and will answer by e-mail.',
  replied: 'We have received your reply.',
  closed: 'Your ticket is closed. A reply reopens it.',
  answered: 'The answer is on its way.',
  linkSaid:
    'If the number and the e-mail address match, the link is on its way. Please check your inbox and your spam folder.',
} as const

/** The texts about screenshots. Those about a single file contain its name. */
export const SCREENSHOT = {
  hint: 'Up to 3 screenshots: PNG, JPEG or WebP, at most 5 MB each.',
  tooMany: 'At most 3 screenshots at a time.',
  tooLarge: (name: string) => `The file “${name}” is larger than 5 MB.`,
  allTooLarge: 'That is too large: at most 3 screenshots of 5 MB each.',
  notAPicture: (name: string) => `The file “${name}” is not a PNG, JPEG or WebP picture.`,
  broken: (name: string) => `The file “${name}” is damaged or incomplete.`,
  tooManyPixels: (name: string) =>
    `The file “${name}” has too many pixels: at most ${SCREENSHOT_PIXELS_MAX / 1_000_000} million.`,
  empty: (name: string) => `The file “${name}” is empty.`,
  unreadable: 'The form could not be read. Please try again.',
  busy: 'Too many pictures are being uploaded right now. Please try again in a moment.',
  tooSlow: 'The upload took too long. Please try again with smaller pictures.',
} as const
