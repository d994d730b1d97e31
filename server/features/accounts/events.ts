import { sql } from 'kysely'
import type { Db } from '#server/db/open.ts'
import { sendLetter } from '#server/features/mailbox/letters.ts'
import type { Caller } from '#server/http/client-address.ts'
import { createAttemptsKey } from '#server/http/limits.ts'
import { toFailureKey } from './queries.ts'

const SECURITY_ADVICE = 'If this was not you, change your password now and write to support.'

/** The mailbox letters about events, by the kind of event. */
const LETTERS: Record<string, [kind: 'security' | 'block', subject: string, body: string]> = {
  'password-changed': ['security', 'Your password was changed', SECURITY_ADVICE],
  'password-reset': ['security', 'Your password was reset', `Someone opened the link in our email. ${SECURITY_ADVICE}`],
  'game-password-set': ['security', 'The password of your game account was set', SECURITY_ADVICE],
  'details-changed': ['security', 'Your account details were changed', SECURITY_ADVICE],
  'email-restored': [
    'security',
    'A change to your email address was undone',
    'Your account has its former email address again. Choose a new password if someone else knew the old one.',
  ],
  'factor-added': ['security', 'A second factor was added', SECURITY_ADVICE],
  'factor-replaced': ['security', 'A second factor was replaced', SECURITY_ADVICE],
  'factor-removed': ['security', 'A second factor was removed', SECURITY_ADVICE],
  'recovery-codes-renewed': [
    'security',
    'You have new recovery codes',
    `The old ones no longer work. ${SECURITY_ADVICE}`,
  ],
  'recovery-code-used': [
    'security',
    'A recovery code was used to log in',
    `Each code works once. You can make new ones on your account page. ${SECURITY_ADVICE}`,
  ],
  blocked: [
    'block',
    'Your account was blocked',
    'The team blocked your account. The history on your account page shows the reason.',
  ],
  unblocked: ['block', 'Your account is open again', 'The team has lifted the block. You can log in and play.'],
}

/** Adds an event to an account's history, which its player can read, and sends a letter if the event has one. */
export async function recordEvent(
  db: Db,
  event: { userNum: number; kind: string; caller: Caller; note?: string; now: Date },
): Promise<void> {
  await db
    .insertInto('account_events')
    .values({
      user_num: event.userNum,
      kind: event.kind,
      address: event.caller.address,
      device: event.caller.device,
      note: event.note ?? '',
      created_at: event.now,
    })
    .execute()
  const [kind, subject, body] = LETTERS[event.kind] ?? []
  if (kind !== undefined && subject !== undefined && body !== undefined)
    await sendLetter(db, { kind, to: event.userNum, subject, body, link: '/user', now: event.now })
}

/**
 * Adds a failed login to the account's history. It runs the same statement for known and unknown IDs, because the response
 * time must not reveal which IDs exist. The update changes no value, but makes the statement write in both cases.
 */
export async function recordFailedLogin(
  db: Db,
  { userId, caller, now }: { userId: string; caller: Caller; now: Date },
): Promise<void> {
  await sql`
    with counted as (update attempts set count = count where key = ${createAttemptsKey('loginFailures', toFailureKey(userId))})
    insert into account_events (user_num, kind, address, device, created_at)
    select user_num, 'login-failed', ${caller.address}, ${caller.device}, ${now}
    from accounts where lower(user_id) = ${userId.toLowerCase()}`.execute(db)
}
