/** The fields of accounts and their rules (SPEC §5, DECISIONS §3), each refusal a whole sentence. */
import { z } from 'zod'
import { RECOVERY, REGISTER, requiredText, tooLongText, tooShortText } from './account-messages.ts'
import {
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

/** Longer than anything a person types; what is only compared, never kept, may be this long. */
const TYPED_MAX = 1024

/** What is typed to be compared with what we keep: it must be there, and be no book. */
export const typed = (label: string, required = requiredText(label)) =>
  z
    .string(required)
    .refine((value) => value.trim() !== '', { message: required, abort: true })
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

const userIdSchema = z
  .string(LOGIN.userIdRequired)
  .refine((value) => value.trim() !== '', { message: LOGIN.userIdRequired, abort: true })
  .min(USER_ID_MIN, tooShortText('Username', USER_ID_MIN))
  .max(USER_ID_MAX, tooLongText('Username', USER_ID_MAX))
  .regex(/^[A-Za-z0-9_]*$/, REGISTER.userIdCharacters)

export const emailSchema = z
  .string(REGISTER.emailRequired)
  .trim()
  .refine((value) => value !== '', { message: REGISTER.emailRequired, abort: true })
  .max(EMAIL_MAX, tooLongText('Email', EMAIL_MAX))
  .pipe(z.email({ pattern: z.regexes.html5Email, error: RECOVERY.emailInvalid }))

/** A new password of 5 to 20 characters; `label` is the field's. */
export const newPasswordSchema = (label: string, required = requiredText(label)) =>
  z
    .string(required)
    .refine((value) => value.trim() !== '', { message: required, abort: true })
    .min(NEW_PASSWORD_MIN, tooShortText(label, NEW_PASSWORD_MIN))
    .max(PASSWORD_MAX, tooLongText(label, PASSWORD_MAX))
    .regex(NO_CONTROL, noControlText(label))

const secretQuestionSchema = z
  .union(
    [
      z.int(),
      z
        .string()
        .regex(/^[1-6]$/)
        .transform(Number),
    ],
    requiredText('Secret Question'),
  )
  .refine((value) => value >= 1 && value <= 6, requiredText('Secret Question'))

const secretAnswerSchema = z
  .string(requiredText('Secret Answer'))
  .trim()
  .min(1, requiredText('Secret Answer'))
  .max(SECRET_ANSWER_MAX, tooLongText('Secret Answer', SECRET_ANSWER_MAX))
  .regex(NO_CONTROL, noControlText('Secret Answer'))

export const registrationSchema = z
  .object({
    userId: userIdSchema,
    userFirstName: personName('First Name'),
    userLastName: personName('Last Name'),
    userPassword: newPasswordSchema('Password'),
    userPasswordConfirm: z.string(REGISTER.confirmRequired).min(1, REGISTER.confirmRequired),
    userEmail: emailSchema,
    secretQuestion: secretQuestionSchema,
    secretAnswer: secretAnswerSchema,
    gender: z.enum(['Male', 'Female'], 'Gender must be Male or Female.').default('Male'),
    country: z
      .string(REGISTER.countryUnknown)
      .regex(/^([A-Z]{2})?$/, REGISTER.countryUnknown)
      .default(''),
    agreeTerms: z.boolean(REGISTER.termsRequired).default(false),
  })
  .meta({ id: 'Registration' })

export type Registration = z.infer<typeof registrationSchema>

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
/** Who the caller says to be; `requireOwnAccount` has compared it with the token. */

export const PHONE_CHARACTERS = 'Phone Number may have digits, spaces and + ( ) - only.'

/** The second (in-game) password of 4 to 20 characters; empty leaves it as it is. */
export const secondPasswordSchema = z
  .string(requiredText('Second Password'))
  .refine(
    (value) => value === '' || value.length >= SECOND_PASSWORD_MIN,
    tooShortText('Second Password', SECOND_PASSWORD_MIN),
  )
  .max(PASSWORD_MAX, tooLongText('Second Password', PASSWORD_MAX))
  .regex(NO_CONTROL, noControlText('Second Password'))

/** A secret to be checked; an empty one is simply wrong. */
export const secretInput = (label: string) =>
  z.string(requiredText(label)).max(TYPED_MAX, tooLongText(label, TYPED_MAX))

export function recoveryEmail(required: string) {
  return z
    .string(required)
    .trim()
    .refine((value) => value !== '', { message: required, abort: true })
    .max(200, RECOVERY.emailInvalid)
    .pipe(z.email({ pattern: z.regexes.html5Email, error: RECOVERY.emailInvalid }))
}
