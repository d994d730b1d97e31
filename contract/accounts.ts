import { z } from 'zod'
import * as f from 'zod/mini'
import { declareCalls } from './endpoint.ts'
import { messageSchema } from './errors.ts'
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
import { formatRequiredText, formatTooLongText, formatTooShortText, LOGIN_TEXTS } from './messages.ts'
import { offsetMoment } from './scalars.ts'

const accounts = declareCalls('accounts', 'player')
const whitelist = declareCalls('whitelist', 'player')

/** The texts for accounts. The texts that docs/RULES.md quotes are literal. */

export const REGISTRATION_TEXTS = {
  confirmRequired: 'Confirm - Password is required.',
  emailRequired: 'Email is required.',
  userIdCharacters: 'Username may contain only the letters A to Z, digits and _.',
  closed: 'Registration is closed at the moment. Please come back later.',
  userIdTaken: 'This Username is already taken.',
  userIdReserved: 'This Username is reserved. Please choose another one.',
  emailTaken: 'This Email is already in use.',
  passwordIsUserId: 'Password must not be the same as the Username.',
  passwordsDiffer: 'Password and Confirm - Password do not match.',
  termsRequired: 'Please accept the terms of use.',
  countryUnknown: 'Please choose a country from the list.',
  success: 'Your account is ready. Please check your email to verify your address.',
} as const

/** The six secret questions, in their order (REG-2). */
export const SECRET_QUESTIONS = [
  'Favorite color',
  'Hometown',
  'Favorite movie',
  "Childhood friend's name",
  'Pet name',
  'Favorite singer',
] as const

/** The texts of the recovery of an ID or a password (FIND-5). */
export const RECOVERY_TEXTS = {
  findIdEmailRequired: 'Email Address is required to retrieve your UserID.',
  findPasswordEmailRequired: 'Email Address is required to retrieve your Password.',
  findPasswordIdRequired: 'User ID is required to retrieve your Password.',
  emailInvalid: 'Enter a valid email address.',
  requested: 'If an account matches, an email is on its way. Please check your inbox and your spam folder.',
  linkDead: 'This link is no longer valid. Please request a new one.',
  reset: 'Your new password is set. Please log in with it.',
  undoDead: 'This link is no longer valid. If your account is in the wrong hands, please write to support.',
  undone: 'Your email address is back. We have mailed you a link to set a new password.',
  undoneEarlier:
    'Your email address is back; this link was used before. If you still need a link to a new password, choose “Forget your ID or Password” at the login.',
  undoneFrozen:
    'Your email address is back. Support helped with this account less than 24 hours ago, so you can ask for a link to a new password only after that.',
} as const

export const PASSWORD_TEXTS = {
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
  gameCharacters: 'Use letters A to Z, digits and symbols such as ! and #: the game cannot read other characters.',
  right: 'Password is correct.',
  changed: 'Your password has been changed. Please log in again.',
  mustDiffer: 'Please choose another password. The game may store this one in a weaker form.',
} as const

/** The texts for staff about their game passwords. The site never sends a staff member's password for the site to the game. */
export const GAME_PASSWORD_TEXTS = {
  label: 'New game password',
  done: 'Your new game password is on its way to the game.',
  onlyStaff: 'You log in to the game with the password that you have here.',
  gameAccountNotFound: 'You have no account in the game that could get a password.',
  mustDiffer: 'Choose another password than the one you have here: the game stores it in a weaker form.',
} as const

export const ACCOUNT_TEXTS = {
  detailsChanged: 'Your details have been changed. Please log in again.',
  processing: 'Processing request',
  pleaseWait: 'please wait...',
  whitelisted: 'Your address has been whitelisted.',
  loggedOut: 'You have been logged out.',
  otherSessionsEnded: 'All other devices have been logged out.',
} as const

/** The database rejects NUL bytes, and a line break could end the header of an email. */
const NO_CONTROL_CHARACTERS = /^\P{Cc}*$/u
const formatControlCharactersText = (label: string) => `${label} must not contain control characters.`

/** The maximum length of text that is only compared and never stored. */
const COMPARED_TEXT_MAX = 1024

/** Text that is compared with a stored value. */
export const comparedTextField = (label: string, requiredText = formatRequiredText(label)) =>
  f
    .string(requiredText)
    .check(
      f.regex(/\S/, requiredText),
      f.maxLength(COMPARED_TEXT_MAX, formatTooLongText(label, COMPARED_TEXT_MAX)),
      f.regex(NO_CONTROL_CHARACTERS, formatControlCharactersText(label)),
    )

/**
 * A person's name: letters of the Latin script only, because letters of other scripts can look the same. Normalised
 * to NFKC, so wide letters and ligatures become plain ones.
 */
const personNameField = (label: string) =>
  f
    .string(formatRequiredText(label))
    .check(
      f.normalize('NFKC'),
      f.trim(),
      f.minLength(1, formatRequiredText(label)),
      f.maxLength(NAME_MAX, formatTooLongText(label, NAME_MAX)),
      f.regex(/^[\p{Script=Latin}\p{M}\d .,'’-]*$/u, `${label} may have letters, digits, spaces and . , ' - only.`),
    )

/** User IDs that sound like staff, or that programs could read as a special value such as null, in lower case (REG-10). */
const RESERVED_USER_IDS: ReadonlySet<string> = new Set(
  'admin administrator gamemaster game_master moderator support system root server official webmaster postmaster anonymous deleted null undefined none true false nan'.split(
    ' ',
  ),
)

/** The user ID of a new account, of players and of the first owner. */
export const userIdField = f.pipe(
  f.string(LOGIN_TEXTS.userIdRequired).check(f.regex(/\S/, LOGIN_TEXTS.userIdRequired)),
  f
    .string()
    .check(
      f.minLength(USER_ID_MIN, formatTooShortText('Username', USER_ID_MIN)),
      f.maxLength(USER_ID_MAX, formatTooLongText('Username', USER_ID_MAX)),
      f.regex(/^[A-Za-z0-9_]*$/, REGISTRATION_TEXTS.userIdCharacters),
    ),
)

const emailFormat = f.email({ pattern: f.regexes.html5Email, error: RECOVERY_TEXTS.emailInvalid })

export const emailSchema = f.pipe(
  f
    .string(REGISTRATION_TEXTS.emailRequired)
    .check(
      f.trim(),
      f.minLength(1, REGISTRATION_TEXTS.emailRequired),
      f.maxLength(EMAIL_MAX, formatTooLongText('Email', EMAIL_MAX)),
    ),
  emailFormat,
)

/** Returns the rule of a new password. @param label the field's label @param min the minimum length */
export const newPasswordField = (label: string, min = NEW_PASSWORD_MIN) =>
  f.pipe(
    f.string(formatRequiredText(label)).check(f.regex(/\S/, formatRequiredText(label))),
    f.string().check(
      // A phone may send ñ as one character and a computer as two. Normalisation makes both the same password of the
      // same length.
      f.normalize('NFC'),
      f.minLength(min, formatTooShortText(label, min)),
      f.maxLength(PASSWORD_MAX, formatTooLongText(label, PASSWORD_MAX)),
      f.regex(NO_CONTROL_CHARACTERS, formatControlCharactersText(label)),
    ),
  )

const SECRET_QUESTION_REQUIRED = formatRequiredText('Secret Question')

/**
 * The number of a secret question, 1 to 6. Both alternatives have the same message, because a form shows only one of
 * them.
 */
const secretQuestionField = f
  .union(
    [
      f.int(SECRET_QUESTION_REQUIRED),
      f.pipe(
        f.string(SECRET_QUESTION_REQUIRED).check(f.regex(/^[1-6]$/, SECRET_QUESTION_REQUIRED)),
        f.transform((text: string) => Number(text)),
      ),
    ],
    SECRET_QUESTION_REQUIRED,
  )
  .check(f.refine((value) => value >= 1 && value <= 6, SECRET_QUESTION_REQUIRED))

const secretAnswerField = f
  .string(formatRequiredText('Secret Answer'))
  .check(
    f.trim(),
    f.minLength(1, formatRequiredText('Secret Answer')),
    f.maxLength(SECRET_ANSWER_MAX, formatTooLongText('Secret Answer', SECRET_ANSWER_MAX)),
    f.regex(NO_CONTROL_CHARACTERS, formatControlCharactersText('Secret Answer')),
  )

/** The account number that the caller sends. It is compared with the session before the input is validated. */
export const userNumField = f.union(
  [
    f.int(),
    f.pipe(
      f.string().check(f.regex(/^\d{1,15}$/)),
      f.transform((text: string) => Number(text)),
    ),
  ],
  'UserNum must be a whole number.',
)

/** The second (in-game) password of 4 to 20 characters. An empty text means no change. */
const secondPasswordField = f.string(formatRequiredText('Second Password')).check(
  f.normalize('NFC'),
  f.refine(
    (value) => value === '' || value.length >= SECOND_PASSWORD_MIN,
    formatTooShortText('Second Password', SECOND_PASSWORD_MIN),
  ),
  f.maxLength(PASSWORD_MAX, formatTooLongText('Second Password', PASSWORD_MAX)),
  f.regex(NO_CONTROL_CHARACTERS, formatControlCharactersText('Second Password')),
)

const PHONE_RULE = 'Phone Number may have digits, spaces and + ( ) - . / only.'

const phoneField = f
  .string(PHONE_RULE)
  .check(f.trim(), f.maxLength(30, formatTooLongText('Phone Number', 30)), f.regex(/^[\d +()./-]*$/, PHONE_RULE))

/** A secret to check. An empty secret counts as wrong instead of missing. */
export const secretField = (label: string) =>
  f.string(formatRequiredText(label)).check(f.maxLength(COMPARED_TEXT_MAX, formatTooLongText(label, COMPARED_TEXT_MAX)))

/** The email address of the account to recover. */
const recoveryEmailField = (requiredText: string) =>
  f.pipe(
    f.string(requiredText).check(f.trim(), f.minLength(1, requiredText), f.maxLength(200, RECOVERY_TEXTS.emailInvalid)),
    emailFormat,
  )

/**
 * The fields of a registration with the rules that the browser checks before it sends one (REG-3). The server alone checks
 * the terms and compares the two passwords (REG-4).
 */
export const registrationForm = f.object({
  userId: userIdField.check(
    f.refine((userId) => !RESERVED_USER_IDS.has(userId.toLowerCase()), REGISTRATION_TEXTS.userIdReserved),
  ),
  userFirstName: personNameField('First Name'),
  userLastName: personNameField('Last Name'),
  userPassword: newPasswordField('Password'),
  userPasswordConfirm: f
    .string(REGISTRATION_TEXTS.confirmRequired)
    .check(f.minLength(1, REGISTRATION_TEXTS.confirmRequired)),
  userEmail: emailSchema,
  secretQuestion: secretQuestionField,
  secretAnswer: secretAnswerField,
  gender: f._default(f.enum(['Male', 'Female'], 'Gender must be Male or Female.'), 'Male'),
  country: f
    ._default(
      f.string(REGISTRATION_TEXTS.countryUnknown).check(f.regex(/^([A-Z]{2})?$/, REGISTRATION_TEXTS.countryUnknown)),
      '',
    )
    .register(f.globalRegistry, { description: 'ISO 3166-1 alpha-2, or empty' }),
  agreeTerms: f._default(f.boolean(REGISTRATION_TEXTS.termsRequired), false),
  invite: f
    ._default(f.string('The invitation must be a text.').check(f.maxLength(100, 'The invitation is too long.')), '')
    .register(f.globalRegistry, { description: 'The token in a friend’s link; an unknown token is ignored' }),
})

export const findIdForm = f.object({ findIDEmail: recoveryEmailField(RECOVERY_TEXTS.findIdEmailRequired) })

export const findPasswordForm = f.object({
  findPWID: comparedTextField('User ID', RECOVERY_TEXTS.findPasswordIdRequired),
  findPWEmail: recoveryEmailField(RECOVERY_TEXTS.findPasswordEmailRequired),
})

const newPasswordFields = {
  NewUserPass: newPasswordField(PASSWORD_TEXTS.newLabel),
  RetypeUserPass: newPasswordField(PASSWORD_TEXTS.retypeLabel),
}

/** Refuses a retyped password that differs from the new password, even if another field is invalid. */
const checkSamePasswords = f.superRefine<{ NewUserPass: string; RetypeUserPass: string }>(
  ({ NewUserPass, RetypeUserPass }, { addIssue, issues }) => {
    const isValid = !issues.some(({ path }) => path?.[0] === 'RetypeUserPass')
    if (isValid && NewUserPass !== RetypeUserPass)
      addIssue({ code: 'custom', path: ['RetypeUserPass'], message: PASSWORD_TEXTS.mismatch })
  },
  { when: () => true },
)

/** The new password, typed twice (PASS-1, PASS-2). */
export const newPasswordForm = f.object(newPasswordFields).check(checkSamePasswords)

/** The server only compares the current password. The lengths are a rule of the form (PASS-2). */
export const changePasswordForm = f
  .object({ UserPass: newPasswordField(PASSWORD_TEXTS.currentLabel, CURRENT_PASSWORD_MIN), ...newPasswordFields })
  .check(checkSamePasswords)

export const secretAnswerForm = f.object({ secretAnswer: comparedTextField('Secret Answer') })

export const passwordForm = f.object({ UserPass: comparedTextField('Password', PASSWORD_TEXTS.incorrect) })

export const detailsForm = f.object({
  UserPass2: f._default(secondPasswordField, ''),
  UserEmail: emailSchema,
  NameFirst: personNameField('First Name'),
  NameLast: personNameField('Last Name'),
  PhoneNumber: f._default(phoneField, ''),
})

const wrongPassword = { status: 422, message: PASSWORD_TEXTS.incorrect, field: 'UserPass' } as const
const mustDiffer = { status: 422, message: PASSWORD_TEXTS.mustDiffer, field: 'NewUserPass' } as const
const passwordIsUserId = { status: 422, message: REGISTRATION_TEXTS.passwordIsUserId, field: 'NewUserPass' } as const
/** The token of a mailed link. A missing token counts as unknown. */
const linkTokenField = (invalidText: string) => z.string(invalidText).min(1, invalidText).max(200, invalidText)
const callerFields = { UserNum: userNumField, UserID: comparedTextField('UserID') }

/** Refuses a password that equals the user ID, and a repetition that differs, even if other fields are invalid. */
export function addPasswordChecks<Schema extends z.ZodType<{ userId: string } & Record<PasswordFieldName, string>>>(
  schema: Schema,
) {
  return schema.superRefine(
    ({ userId, userPassword, userPasswordConfirm }, { addIssue, issues }) => {
      const isValid = (name: string) => !issues.some(({ path }) => path?.[0] === name)
      if (!isValid('userPassword')) return
      if (isValid('userId') && userPassword.toLowerCase() === userId.toLowerCase())
        addIssue({ code: 'custom', path: ['userPassword'], message: REGISTRATION_TEXTS.passwordIsUserId })
      if (isValid('userPasswordConfirm') && userPassword !== userPasswordConfirm)
        addIssue({ code: 'custom', path: ['userPasswordConfirm'], message: REGISTRATION_TEXTS.passwordsDiffer })
    },
    // A response names every invalid field, so this check also runs after other errors, except if the input is not an
    // object.
    { when: ({ issues }) => issues.every(({ path = [] }) => path.length > 0) },
  )
}

type PasswordFieldName = 'userPassword' | 'userPasswordConfirm'

const registrationSchema = addPasswordChecks(
  z.object({
    ...registrationForm.shape,
    agreeTerms: z
      .boolean(REGISTRATION_TEXTS.termsRequired)
      .default(false)
      .refine(Boolean, REGISTRATION_TEXTS.termsRequired),
  }),
).meta({ id: 'Registration' })

export type Registration = z.infer<typeof registrationSchema>

export const register = accounts.post('/register', {
  summary: 'Open an account',
  access: 'public',
  limit: 'registrationForms',
  input: { body: registrationSchema },
  fields: registrationForm,
  output: z.object({ status: z.literal(1), message: z.string() }),
  errors: {
    closed: { status: 409, message: REGISTRATION_TEXTS.closed },
    userIdTaken: { status: 422, message: REGISTRATION_TEXTS.userIdTaken, field: 'userId' },
    emailTaken: { status: 422, message: REGISTRATION_TEXTS.emailTaken, field: 'userEmail' },
    countryUnknown: { status: 422, message: REGISTRATION_TEXTS.countryUnknown, field: 'country' },
  },
})

export const findUserId = accounts.post('/findUserID', {
  summary: 'Mail the user ID. The response does not reveal whether an account exists',
  access: 'public',
  limit: 'recovery',
  fields: findIdForm,
  output: messageSchema,
})

export const findPassword = accounts.post('/findPassword', {
  summary: 'Mail a link to set a new password. The response does not reveal whether the account exists',
  access: 'public',
  limit: 'recovery',
  fields: findPasswordForm,
  output: messageSchema,
})

export const resetPassword = accounts.post('/resetpassword', {
  summary: 'Set a new password with a mailed link, which works once. Ends every session',
  access: 'public',
  input: {
    body: z.object({
      token: linkTokenField(RECOVERY_TEXTS.linkDead),
      NewUserPass: newPasswordField(PASSWORD_TEXTS.newLabel),
    }),
  },
  fields: newPasswordForm,
  output: messageSchema,
  errors: { linkDead: { status: 422, message: RECOVERY_TEXTS.linkDead, field: 'token' }, passwordIsUserId, mustDiffer },
})

export const undoEmailChange = accounts.post('/undoemail', {
  summary: 'Undo a change of the email address with the link mailed to the former address. Ends every session',
  access: 'public',
  input: { body: z.object({ token: linkTokenField(RECOVERY_TEXTS.undoDead) }) },
  output: messageSchema,
  errors: { linkDead: { status: 422, message: RECOVERY_TEXTS.undoDead, field: 'token' } },
})

export const updatePassword = accounts.post('/updatepassword', {
  summary: 'Change the password after a call of validate-secret-answer. Ends every session',
  input: {
    body: z.object({
      ...callerFields,
      UserPass: comparedTextField(PASSWORD_TEXTS.currentLabel),
      NewUserPass: newPasswordField(PASSWORD_TEXTS.newLabel),
    }),
  },
  fields: changePasswordForm,
  output: messageSchema,
  errors: {
    secretAnswerFirst: { status: 409, message: PASSWORD_TEXTS.secretAnswerFirst },
    wrongPassword,
    passwordIsUserId,
    mustDiffer,
  },
})

export const validateSecretAnswer = accounts.post('/validate-secret-answer', {
  summary: 'Confirm the secret answer; the confirmation holds for 5 minutes in this session',
  input: { body: z.object({ ...callerFields, secretAnswer: secretField('Secret Answer') }) },
  fields: secretAnswerForm,
  output: messageSchema,
  errors: { wrongSecretAnswer: { status: 422, message: PASSWORD_TEXTS.secretAnswerWrong, field: 'secretAnswer' } },
})

const passwordCheckDeclaration = {
  summary: 'Check the password; message is null when it is wrong',
  input: { body: z.object({ ...callerFields, UserPass: secretField('Password') }) },
  fields: passwordForm,
  output: z.object({ message: z.string().nullable() }),
} as const

export const validatePassword = accounts.post('/validate-password', passwordCheckDeclaration)
/** Programs also call this path with an additional /api (CALL-3). */
export const validatePasswordAtApiPath = accounts.post('/api/validate-password', passwordCheckDeclaration)

export const updateUserDetails = accounts.post('/updateuserdetails', {
  summary: 'Change email address, names, phone number and second password. Ends every session',
  input: {
    body: z.object({ ...callerFields, UserPass: z._default(secretField('Password'), ''), ...detailsForm.shape }),
  },
  fields: detailsForm,
  output: messageSchema,
  // A taken email address is 422 (CALL-10).
  errors: { wrongPassword, emailTaken: { status: 422, message: REGISTRATION_TEXTS.emailTaken, field: 'UserEmail' } },
})

export const getSessions = accounts.get('/sessions', {
  summary: 'The sessions of this account, the most recently active first',
  output: z.object({
    data: z.array(
      z.object({
        id: z.int(),
        device: z.string(),
        address: z.string(),
        last_seen_at: offsetMoment,
        current: z.boolean(),
        factor: z.enum(['totp', 'passkey', 'recovery']).nullable().meta({
          description: 'The second factor of the login; null for a login without one',
        }),
      }),
    ),
  }),
})

export const endOtherSessions = accounts.post('/sessions/end-others', {
  summary: 'Log out everywhere except here',
  output: messageSchema,
})

export const getAccountHistory = accounts.get('/account-history', {
  summary: 'Logins and changes of this account, the latest 50',
  output: z.object({
    data: z.array(
      z.object({
        id: z.int(),
        kind: z.string(),
        address: z.string(),
        device: z.string(),
        note: z.string(),
        created_at: offsetMoment,
      }),
    ),
  }),
})

export const getUserIp = whitelist.get('/user-ip', {
  summary: 'The caller’s address and whether this account has whitelisted it',
  output: z.object({
    useripdata: z.object({
      CC_IP: z.string(),
      CC_status: z.union([z.literal(0), z.literal(1)]).meta({ description: '0: not whitelisted' }),
    }),
  }),
})

export const whitelistUserIp = whitelist.post('/whitelist-user-ip', {
  summary: 'Whitelist the caller’s address. An account has at most five; a further one replaces the oldest',
  output: messageSchema,
})
