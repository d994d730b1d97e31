import type { Registration } from '#contract/account-fields.ts'
import { REGISTER } from '#contract/account-messages.ts'
import { isUniqueViolation } from '#server/db/errors.ts'
import type { Db } from '#server/db/open.ts'
import type { Deps } from '#server/deps.ts'
import { Refusal, tooMany } from '#server/errors.ts'
import { countAttempt } from '#server/http/attempts.ts'
import type { Caller } from '#server/http/caller.ts'
import { isCountry } from './countries.ts'
import { recordEvent } from './events.ts'
import { hashPassword, hashSecretAnswer } from './passwords.ts'
import { selectAccountByEmail, selectAccountById } from './queries.ts'
import { sendVerification } from './verification.ts'

export type FormError = Record<string, string[]>

/** Forms one address may send in an hour, each of which tells whether a name is taken; and accounts it may open. */
const FORMS_PER_ADDRESS = 300
const REGISTRATIONS_PER_ADDRESS = 60
const HOUR_MS = 3_600_000

/** The 422 of a registration: what is wrong with which field (DECISIONS §3 Errors). */
export function formRefusal(found: Record<string, string[] | undefined>): Refusal {
  const formError: FormError = {}
  for (const [field, messages] of Object.entries(found)) formError[field] = [...new Set(messages)]
  const first = Object.values(formError).flat()[0] ?? REGISTER.failed
  return new Refusal(422, 'form-error', first, { extra: { 'form-error': formError } })
}

/** Checks the rules that concern several fields, and those that need the database. */
async function findFormErrors(db: Db, form: Registration): Promise<FormError> {
  const errors: FormError = {}
  const add = (field: string, message: string) => {
    errors[field] = [...(errors[field] ?? []), message]
  }
  if (form.userPassword !== form.userPasswordConfirm) add('userPasswordConfirm', REGISTER.passwordsDiffer)
  if (form.userPassword.toLowerCase() === form.userId.toLowerCase()) add('userPassword', REGISTER.passwordIsUserId)
  if (!form.agreeTerms) add('agreeTerms', REGISTER.termsRequired)
  if (form.country !== '' && !isCountry(form.country)) add('country', REGISTER.countryUnknown)
  if ((await selectAccountById(db, form.userId)) !== undefined) add('userId', REGISTER.userIdTaken)
  if ((await selectAccountByEmail(db, form.userEmail)) !== undefined) add('userEmail', REGISTER.emailTaken)
  return errors
}

/** The refusal of a name or address that another registration took after it was checked. */
function refuseTaken(error: unknown): Refusal | null {
  if (isUniqueViolation(error, 'accounts_user_id_key')) return formRefusal({ userId: [REGISTER.userIdTaken] })
  if (isUniqueViolation(error, 'accounts_user_email_key')) return formRefusal({ userEmail: [REGISTER.emailTaken] })
  return null
}

/** @throws Refusal 429 when an address does something more than `max` times an hour */
async function limitAddress({ db, now, config }: Deps, key: string, max: number): Promise<void> {
  if (!config.rateLimit) return
  const attempt = await countAttempt(db, { key, now: now(), windowMs: HOUR_MS })
  if (attempt.count > max) throw tooMany(attempt.retryAfterSeconds)
}

/**
 * Opens an account with nothing in it and mails a link to verify the address, in one
 * transaction. Unique names are the database's rule: of many at once, one wins.
 *
 * @throws Refusal 422 with form-error, 429
 */
export async function registerAccount(deps: Deps, form: Registration, caller: Caller): Promise<void> {
  const { db, now } = deps
  await limitAddress(deps, `form-from:${caller.address}`, FORMS_PER_ADDRESS)
  const errors = await findFormErrors(db, form)
  if (Object.keys(errors).length > 0) throw formRefusal(errors)
  await limitAddress(deps, `register-from:${caller.address}`, REGISTRATIONS_PER_ADDRESS)
  const [password_hash, secret_answer_hash] = await Promise.all([
    hashPassword(form.userPassword),
    hashSecretAnswer(form.secretAnswer),
  ])
  const at = now()
  const opening = db.transaction().execute(async (tx) => {
    const { user_num } = await tx
      .insertInto('accounts')
      .values({
        user_id: form.userId,
        user_email: form.userEmail,
        first_name: form.userFirstName,
        last_name: form.userLastName,
        password_hash,
        secret_question: form.secretQuestion,
        secret_answer_hash,
        gender: form.gender,
        country: form.country,
        created_at: at,
      })
      .returning('user_num')
      .executeTakeFirstOrThrow()
    await recordEvent(tx, { userNum: user_num, kind: 'registered', caller, now: at })
    await sendVerification(tx, { userNum: user_num, userId: form.userId, email: form.userEmail }, deps)
  })
  await opening.catch((error: unknown) => {
    throw refuseTaken(error) ?? error
  })
}
