import type { Registration } from '#contract/accounts.ts'
import { VERIFY_LINK_GOOD_MS } from '#contract/limits.ts'
import { REGISTER } from '#contract/messages.ts'
import type { Db } from '#server/db/open.ts'
import type { Deps } from '#server/deps.ts'
import { Refusal, tooMany } from '#server/errors.ts'
import { countAttempt } from '#server/http/attempts.ts'
import { createLinkToken, hashToken } from '#server/http/tokens.ts'
import { enqueueMail } from '#server/mail/outbox.ts'
import { mails } from '#server/mail/templates.ts'
import { isCountry } from './countries.ts'
import { hashPassword, hashSecretAnswer } from './passwords.ts'
import { type Caller, recordEvent, replaceMailedLink, selectAccountByEmail, selectAccountById } from './queries.ts'

export type FormError = Record<string, string[]>

const REGISTRATIONS_PER_ADDRESS = 30
const HOUR_MS = 3_600_000

/** The 422 of a registration: what is wrong with which field (DECISIONS §3 Errors). */
export function formRefusal(formError: FormError): Refusal {
  const first = Object.values(formError).flat()[0] ?? REGISTER.failed
  return new Refusal(422, 'form-error', first, { extra: { 'form-error': formError } })
}

/** The rules that one field alone cannot tell, and those the database knows. */
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

/** A taken name that another registration took in the meantime, as the database tells it. */
function takenInTheMeantime(error: unknown): Refusal | null {
  const text = String((error as { constraint?: unknown }).constraint ?? (error as Error).message)
  if (text.includes('accounts_user_id_key')) return formRefusal({ userId: [REGISTER.userIdTaken] })
  if (text.includes('accounts_user_email_key')) return formRefusal({ userEmail: [REGISTER.emailTaken] })
  return null
}

/**
 * Opens an account with nothing in it and mails a link to verify the address, in one
 * transaction. Unique names are the database's rule: of many at once, one wins.
 *
 * @throws Refusal 422 with form-error, 429
 */
export async function registerAccount(deps: Deps, form: Registration, caller: Caller): Promise<void> {
  const { db, now, config } = deps
  const errors = await findFormErrors(db, form)
  if (Object.keys(errors).length > 0) throw formRefusal(errors)
  if (config.rateLimit) {
    const attempt = await countAttempt(db, { key: `register-from:${caller.address}`, now: now(), windowMs: HOUR_MS })
    if (attempt.count > REGISTRATIONS_PER_ADDRESS) throw tooMany(attempt.retryAfterSeconds)
  }
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
    throw takenInTheMeantime(error) ?? error
  })
}

/** Mails the link that verifies an address. */
export async function sendVerification(
  tx: Db,
  account: { userNum: number; userId: string; email: string },
  { now, config, publicUrl }: Deps,
): Promise<void> {
  const token = createLinkToken()
  const at = now()
  await replaceMailedLink(tx, {
    tokenHash: hashToken(token),
    kind: 'verify-email',
    userNum: account.userNum,
    email: account.email,
    now: at,
    endsAt: new Date(at.getTime() + VERIFY_LINK_GOOD_MS),
  })
  const site = { appName: config.appName, publicUrl }
  await enqueueMail(tx, account.email, mails.verifyEmail(site, account.userId, token), at)
}
