import { RECOVERY, REGISTER, tooLongText } from '#contract/account-messages.ts'
import { EMAIL_MAX } from '#contract/limits.ts'
import { SCREENSHOT, TICKET } from '#contract/ticket-messages.ts'

/** A field of the ticket's or the reply's form that a refusal can stand under. */
export type RefusedField = 'category' | 'subject' | 'message' | 'email' | 'ChaNum' | 'screenshots'

const FIELD_OF_TEXT = new Map<string, RefusedField>([
  [TICKET.categoryRequired, 'category'],
  [TICKET.subjectRequired, 'subject'],
  [TICKET.subjectTooLong, 'subject'],
  [TICKET.subjectControl, 'subject'],
  [TICKET.messageRequired, 'message'],
  [TICKET.messageTooLong, 'message'],
  [TICKET.messageControl, 'message'],
  [TICKET.emailNotYours, 'email'],
  [REGISTER.emailRequired, 'email'],
  [RECOVERY.emailInvalid, 'email'],
  [tooLongText('Email', EMAIL_MAX), 'email'],
  [TICKET.characterUnknown, 'ChaNum'],
  [TICKET.characterForMembers, 'ChaNum'],
  [SCREENSHOT.tooMany, 'screenshots'],
  [SCREENSHOT.allTooLarge, 'screenshots'],
])

/** What stands before and after the file's name in the texts that say what is wrong with one. */
const AROUND_A_NAME = [
  SCREENSHOT.tooLarge,
  SCREENSHOT.notAPicture,
  SCREENSHOT.broken,
  SCREENSHOT.tooManyPixels,
  SCREENSHOT.empty,
].map((textOf) => textOf('\n').split('\n') as [before: string, after: string])

const namesAFile = (text: string) =>
  AROUND_A_NAME.some(([before, after]) => text.startsWith(before) && text.endsWith(after))

/** The field a refusal of the server is about, by its words; undefined when it is about the whole. */
export function fieldOfRefusal(text: string): RefusedField | undefined {
  return FIELD_OF_TEXT.get(text) ?? (namesAFile(text) ? 'screenshots' : undefined)
}
