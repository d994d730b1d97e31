/**
 * The fields of accounts and their rules (SPEC §5, DECISIONS §3), each refusal a whole sentence. A field that is left
 * empty breaks one rule only.
 */
import { z } from 'zod'
import { PASSWORD, RECOVERY, REGISTER, requiredText, tooLongText, tooShortText } from './account-messages.ts'
import {
  CURRENT_PASSWORD_MIN,
  EMAIL_MAX,
  NAME_MAX,
  NEW_PASSWORD_MIN,
  PASSWORD_MAX,
  SECOND_PASSWORD_MIN,
  SECRET_ANSWER_MAX,
  USER_ID_MAX,
  USER_ID_MIN,
} from './limits.ts'
import { LOGIN } from './messages.ts'

/** A NUL byte would be refused by the database, a line break could end a mail's header. */
const NO_CONTROL = /^\P{Cc}*$/u
const noControlText = (label: string) => `${label} must not contain control characters.`

/** Longer than anything a person types; text that is only compared and never stored may be this long. */
const TYPED_MAX = 1024

/** Text that is compared with what we store. */
export const typed = (label: string, required = requiredText(label)) =>
  z
    .string(required)
    .regex(/\S/, required)
    .max(TYPED_MAX, tooLongText(label, TYPED_MAX))
    .regex(NO_CONTROL, noControlText(label))

/**
 * Letters that look like others are no names: one script, spaces and the usual punctuation.
 * Kept in the compatibility form, so that wide or joined letters cannot pass for plain ones.
 */
export const personName = (label: string) =>
  z
    .string(requiredText(label))
    .normalize('NFKC')
    .trim()
    .min(1, requiredText(label))
    .max(NAME_MAX, tooLongText(label, NAME_MAX))
    .regex(/^[\p{Script=Latin}\p{M}\d .,'’-]*$/u, `${label} may have letters, digits, spaces and . , ' - only.`)

export const userIdSchema = z
  .string(LOGIN.userIdRequired)
  .regex(/\S/, LOGIN.userIdRequired)
  .pipe(
    z
      .string()
      .min(USER_ID_MIN, tooShortText('Username', USER_ID_MIN))
      .max(USER_ID_MAX, tooLongText('Username', USER_ID_MAX))
      .regex(/^[A-Za-z0-9_]*$/, REGISTER.userIdCharacters),
  )

export const emailSchema = z
  .string(REGISTER.emailRequired)
  .trim()
  .min(1, REGISTER.emailRequired)
  .max(EMAIL_MAX, tooLongText('Email', EMAIL_MAX))
  .pipe(z.email({ pattern: z.regexes.html5Email, error: RECOVERY.emailInvalid }))

/** A new password of 5 to 20 characters; `label` is the field's. */
export const newPasswordSchema = (label: string, min = NEW_PASSWORD_MIN) =>
  z
    .string(requiredText(label))
    .regex(/\S/, requiredText(label))
    .pipe(
      z
        .string()
        .min(min, tooShortText(label, min))
        .max(PASSWORD_MAX, tooLongText(label, PASSWORD_MAX))
        .regex(NO_CONTROL, noControlText(label)),
    )

/** The present password as the form asks for it (SPEC §5 Change password); the server only compares it. */
export const currentPasswordSchema = newPasswordSchema(PASSWORD.currentLabel, CURRENT_PASSWORD_MIN)

const questionRequired = requiredText('Secret Question')

/** One of the six secret questions, by its number. Each alternative has the text, because forms show the closest one's. */
export const secretQuestionSchema = z
  .union(
    [
      z.int(questionRequired),
      z
        .string(questionRequired)
        .regex(/^[1-6]$/, questionRequired)
        .transform(Number),
    ],
    questionRequired,
  )
  .refine((value) => value >= 1 && value <= 6, questionRequired)

export const secretAnswerSchema = z
  .string(requiredText('Secret Answer'))
  .trim()
  .min(1, requiredText('Secret Answer'))
  .max(SECRET_ANSWER_MAX, tooLongText('Secret Answer', SECRET_ANSWER_MAX))
  .regex(NO_CONTROL, noControlText('Secret Answer'))

/** Which account the caller says to be; it has been compared with the session before it is read. */
export const userNum = z.union(
  [
    z.int(),
    z
      .string()
      .regex(/^\d{1,15}$/)
      .transform(Number),
  ],
  'UserNum must be a whole number.',
)
const PHONE_CHARACTERS = 'Phone Number may have digits, spaces and + ( ) - only.'

/** The second (in-game) password of 4 to 20 characters; empty leaves it as it is. */
export const secondPasswordSchema = z
  .string(requiredText('Second Password'))
  .refine(
    (value) => value === '' || value.length >= SECOND_PASSWORD_MIN,
    tooShortText('Second Password', SECOND_PASSWORD_MIN),
  )
  .max(PASSWORD_MAX, tooLongText('Second Password', PASSWORD_MAX))
  .regex(NO_CONTROL, noControlText('Second Password'))

export const phoneSchema = z
  .string(PHONE_CHARACTERS)
  .trim()
  .max(30, tooLongText('Phone Number', 30))
  .regex(/^[\d +()./-]*$/, PHONE_CHARACTERS)

/** A secret to be checked; an empty one is wrong like any other. */
export const secretInput = (label: string) =>
  z.string(requiredText(label)).max(TYPED_MAX, tooLongText(label, TYPED_MAX))

/** The e-mail address of an account to be found again. */
export const recoveryEmail = (required: string) =>
  z
    .string(required)
    .trim()
    .min(1, required)
    .max(200, RECOVERY.emailInvalid)
    .pipe(z.email({ pattern: z.regexes.html5Email, error: RECOVERY.emailInvalid }))
