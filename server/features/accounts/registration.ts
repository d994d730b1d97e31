import english from 'i18n-iso-countries/langs/en.json' with { type: 'json' }
import { emailSchema, type Registration, register } from '#contract/accounts.ts'
import { NOT_IN_ISO_3166 } from '#contract/limits.ts'
import type { Db } from '#server/db/open.ts'
import type { Deps } from '#server/deps.ts'
import { type FieldErrors, refuse, refuseViolations } from '#server/errors.ts'
import { assertGameCanRead, sealGamePasswords } from '#server/features/bridge/game-passwords.ts'
import { isReservedForImport } from '#server/features/bridge/import.ts'
import { recordInvitation } from '#server/features/rewards/friends.ts'
import { recordNewcomer } from '#server/features/rewards/starter.ts'
import { type Caller, getNetwork } from '#server/http/client-address.ts'
import { readSettings, readSettingsNow } from '#server/settings.ts'
import { endReservation, isEmailTaken } from './email-change.ts'
import { recordEvent } from './events.ts'
import { hashPassword, hashSecretAnswer } from './passwords.ts'
import { selectAccountById } from './queries.ts'
import { sendVerification } from './verification.ts'

/** Returns whether a code is that of a country in ISO 3166-1 alpha-2. */
export function isCountry(code: string): boolean {
  return code !== NOT_IN_ISO_3166 && Object.hasOwn(english.countries, code)
}

/** Checks that the country exists, and that the user ID and the email address are free. */
export async function checkRegistration(
  { userId, userEmail, country }: Record<string, unknown>,
  { db, now }: Deps,
  formErrors: Readonly<FieldErrors>,
): Promise<FieldErrors> {
  const { userIdTaken, emailTaken, countryUnknown } = register.errors
  const fieldErrors: FieldErrors = {}
  if (typeof country === 'string' && country !== '' && !formErrors.country && !isCountry(country))
    fieldErrors.country = [countryUnknown.message]
  if (typeof userId === 'string' && !formErrors.userId && (await isUserIdTaken(db, userId)))
    fieldErrors.userId = [userIdTaken.message]
  const email = emailSchema.safeParse(userEmail)
  if (email.success && (await isEmailTaken(db, email.data, now()))) fieldErrors.userEmail = [emailTaken.message]
  return fieldErrors
}

/** Returns whether an ID belongs to an account, or to an imported player who has not logged in yet. */
const isUserIdTaken = async (db: Db, userId: string) =>
  (await selectAccountById(db, userId)) !== undefined || (await isReservedForImport(db, userId))

/**
 * Creates an account and mails a link to verify its address, in one transaction. The database enforces unique names, so of
 * several concurrent registrations of a name one succeeds.
 *
 * @throws Refusal 409 while registration is closed, 422 with form-error, 429
 */
export async function registerAccount(deps: Deps, form: Registration, caller: Caller): Promise<void> {
  const { db, config, limits } = deps
  if (!(await readSettings(deps)).registration_open) throw refuse(register, 'closed')
  await limits.consume('registrations', getNetwork(caller.address))
  const [password_hash, secret_answer_hash] = await Promise.all([
    hashPassword(form.userPassword),
    hashSecretAnswer(form.secretAnswer),
  ])
  const transaction = db.transaction().execute(async (tx) => {
    if (!(await readSettingsNow({ db: tx, config })).registration_open) throw refuse(register, 'closed')
    await createAccount({ ...deps, db: tx }, form, { password_hash, secret_answer_hash }, caller)
  })
  await transaction.catch(
    refuseViolations(register, { accounts_user_id_key: 'userIdTaken', accounts_user_email_key: 'emailTaken' }),
  )
}

/** Creates the account of a registration, with both balances at 0 (REG-8), in the transaction `db`. @returns its UserNum */
export async function createAccount(
  deps: Deps,
  form: Registration,
  hashes: { password_hash: string; secret_answer_hash: string },
  caller: Caller,
): Promise<number> {
  const { db: tx } = deps
  const now = deps.now()
  if (await isReservedForImport(tx, form.userId)) throw refuse(register, 'userIdTaken')
  await endReservation(tx, form.userEmail, now)
  const { user_num } = await tx
    .insertInto('accounts')
    .values({
      user_id: form.userId,
      user_email: form.userEmail,
      first_name: form.userFirstName,
      last_name: form.userLastName,
      ...hashes,
      secret_question: form.secretQuestion,
      gender: form.gender,
      country: form.country,
      created_at: now,
    })
    .returning('user_num')
    .executeTakeFirstOrThrow()
  await recordEvent(tx, { userNum: user_num, kind: 'registered', caller, now })
  await recordInvitation(tx, user_num, form.invite, now)
  await recordNewcomer(tx, user_num, now)
  await assertGameCanRead(tx, { userPassword: form.userPassword })
  await sealGamePasswords(tx, user_num, { password: form.userPassword }, now)
  await sendVerification(tx, { userNum: user_num, userId: form.userId, email: form.userEmail }, deps)
  return user_num
}
