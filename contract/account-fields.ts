/**
 * The fields of accounts with their rules (SPEC §5, DECISIONS §3), and the forms made of them. Every refusal is a full
 * sentence, and an empty field breaks only one rule. Browsers fetch this file when a form gets its first focus, so it is
 * written with zod/mini: 9 kB instead of 25.
 */
import * as z from 'zod/mini'
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

/** The database rejects NUL bytes, and a line break could end the header of an email. */
const NO_CONTROL = /^\P{Cc}*$/u
const noControlText = (label: string) => `${label} must not contain control characters.`

/** The maximum for text that is only compared and never stored; longer than anything a person types. */
const TYPED_MAX = 1024

/** Text that is compared with a stored value. */
export const typed = (label: string, required = requiredText(label)) =>
  z
    .string(required)
    .check(
      z.regex(/\S/, required),
      z.maxLength(TYPED_MAX, tooLongText(label, TYPED_MAX)),
      z.regex(NO_CONTROL, noControlText(label)),
    )

/**
 * A person's name: letters of the Latin script only, because letters of other scripts can look the same. Normalised
 * to NFKC, so wide letters and ligatures become plain ones.
 */
const personName = (label: string) =>
  z
    .string(requiredText(label))
    .check(
      z.normalize('NFKC'),
      z.trim(),
      z.minLength(1, requiredText(label)),
      z.maxLength(NAME_MAX, tooLongText(label, NAME_MAX)),
      z.regex(/^[\p{Script=Latin}\p{M}\d .,'’-]*$/u, `${label} may have letters, digits, spaces and . , ' - only.`),
    )

const userId = z.pipe(
  z.string(LOGIN.userIdRequired).check(z.regex(/\S/, LOGIN.userIdRequired)),
  z
    .string()
    .check(
      z.minLength(USER_ID_MIN, tooShortText('Username', USER_ID_MIN)),
      z.maxLength(USER_ID_MAX, tooLongText('Username', USER_ID_MAX)),
      z.regex(/^[A-Za-z0-9_]*$/, REGISTER.userIdCharacters),
    ),
)

const addressLike = z.email({ pattern: z.regexes.html5Email, error: RECOVERY.emailInvalid })

export const emailSchema = z.pipe(
  z
    .string(REGISTER.emailRequired)
    .check(z.trim(), z.minLength(1, REGISTER.emailRequired), z.maxLength(EMAIL_MAX, tooLongText('Email', EMAIL_MAX))),
  addressLike,
)

/** A password of `min` to 20 characters, for a new one 5 to 20; `label` is the field's. */
export const newPassword = (label: string, min = NEW_PASSWORD_MIN) =>
  z.pipe(
    z.string(requiredText(label)).check(z.regex(/\S/, requiredText(label))),
    z
      .string()
      .check(
        z.minLength(min, tooShortText(label, min)),
        z.maxLength(PASSWORD_MAX, tooLongText(label, PASSWORD_MAX)),
        z.regex(NO_CONTROL, noControlText(label)),
      ),
  )

const questionRequired = requiredText('Secret Question')

/** The number of a secret question, 1 to 6. Both alternatives have the text, because forms show the closest one's. */
const secretQuestion = z
  .union(
    [
      z.int(questionRequired),
      z.pipe(
        z.string(questionRequired).check(z.regex(/^[1-6]$/, questionRequired)),
        z.transform((text: string) => Number(text)),
      ),
    ],
    questionRequired,
  )
  .check(z.refine((value) => value >= 1 && value <= 6, questionRequired))

const secretAnswer = z
  .string(requiredText('Secret Answer'))
  .check(
    z.trim(),
    z.minLength(1, requiredText('Secret Answer')),
    z.maxLength(SECRET_ANSWER_MAX, tooLongText('Secret Answer', SECRET_ANSWER_MAX)),
    z.regex(NO_CONTROL, noControlText('Secret Answer')),
  )

/** The account number that the caller states. It is compared with the session before the input is validated. */
export const userNum = z.union(
  [
    z.int(),
    z.pipe(
      z.string().check(z.regex(/^\d{1,15}$/)),
      z.transform((text: string) => Number(text)),
    ),
  ],
  'UserNum must be a whole number.',
)

/** The second (in-game) password of 4 to 20 characters; an empty one is left unchanged. */
const secondPassword = z.string(requiredText('Second Password')).check(
  z.refine(
    (value) => value === '' || value.length >= SECOND_PASSWORD_MIN,
    tooShortText('Second Password', SECOND_PASSWORD_MIN),
  ),
  z.maxLength(PASSWORD_MAX, tooLongText('Second Password', PASSWORD_MAX)),
  z.regex(NO_CONTROL, noControlText('Second Password')),
)

const PHONE_CHARACTERS = 'Phone Number may have digits, spaces and + ( ) - . / only.'

const phone = z
  .string(PHONE_CHARACTERS)
  .check(z.trim(), z.maxLength(30, tooLongText('Phone Number', 30)), z.regex(/^[\d +()./-]*$/, PHONE_CHARACTERS))

/** A secret to be checked. An empty one is simply wrong. */
export const secretInput = (label: string) =>
  z.string(requiredText(label)).check(z.maxLength(TYPED_MAX, tooLongText(label, TYPED_MAX)))

/** The email address of an account to be recovered. */
const recoveryEmail = (required: string) =>
  z.pipe(
    z.string(required).check(z.trim(), z.minLength(1, required), z.maxLength(200, RECOVERY.emailInvalid)),
    addressLike,
  )

export const loginForm = z.object({
  UserID: typed('Username', LOGIN.userIdRequired),
  UserPass: typed('Password', LOGIN.passwordRequired),
})

/** What the browser checks before a registration is sent: neither the terms nor whether the passwords match (SPEC §5). */
export const registrationForm = z.object({
  userId,
  userFirstName: personName('First Name'),
  userLastName: personName('Last Name'),
  userPassword: newPassword('Password'),
  userPasswordConfirm: z.string(REGISTER.confirmRequired).check(z.minLength(1, REGISTER.confirmRequired)),
  userEmail: emailSchema,
  secretQuestion,
  secretAnswer,
  gender: z._default(z.enum(['Male', 'Female'], 'Gender must be Male or Female.'), 'Male'),
  country: z
    ._default(z.string(REGISTER.countryUnknown).check(z.regex(/^([A-Z]{2})?$/, REGISTER.countryUnknown)), '')
    .register(z.globalRegistry, { description: 'ISO 3166-1 alpha-2, or empty' }),
  agreeTerms: z._default(z.boolean(REGISTER.termsRequired), false),
})

export const findIdForm = z.object({ findIDEmail: recoveryEmail(RECOVERY.findIdEmailRequired) })

export const findPasswordForm = z.object({
  findPWID: typed('User ID', RECOVERY.findPasswordIdRequired),
  findPWEmail: recoveryEmail(RECOVERY.findPasswordEmailRequired),
})

const newPasswordPair = {
  NewUserPass: newPassword(PASSWORD.newLabel),
  RetypeUserPass: newPassword(PASSWORD.retypeLabel),
}

/** Refuses a retyped password that differs from the new one, also if another field is wrong. */
const passwordsMatch = z.superRefine<{ NewUserPass: string; RetypeUserPass: string }>(
  ({ NewUserPass, RetypeUserPass }, { addIssue, issues }) => {
    const isGood = !issues.some(({ path }) => path?.[0] === 'RetypeUserPass')
    if (isGood && NewUserPass !== RetypeUserPass)
      addIssue({ code: 'custom', path: ['RetypeUserPass'], message: PASSWORD.mismatch })
  },
  { when: () => true },
)

/** The new password, typed twice (SPEC §5 Change password). */
export const newPasswordForm = z.object(newPasswordPair).check(passwordsMatch)

/** The server only compares the current password; its lengths are the form's rule (SPEC §5 Change password). */
export const changePasswordForm = z
  .object({ UserPass: newPassword(PASSWORD.currentLabel, CURRENT_PASSWORD_MIN), ...newPasswordPair })
  .check(passwordsMatch)

export const secretAnswerForm = z.object({ secretAnswer: typed('Secret Answer') })

export const passwordForm = z.object({ UserPass: typed('Password', PASSWORD.incorrect) })

export const detailsForm = z.object({
  UserPass2: z._default(secondPassword, ''),
  UserEmail: emailSchema,
  NameFirst: personName('First Name'),
  NameLast: personName('Last Name'),
  PhoneNumber: z._default(phone, ''),
})
