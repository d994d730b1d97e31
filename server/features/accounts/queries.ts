import { sql } from 'kysely'
import type { User } from '#contract/accounts.ts'
import { SESSION_IDLE_MS } from '#contract/limits.ts'
import type { Db } from '#server/db/open.ts'

/** The account of a user ID, compared without case. */
export function selectAccountById(db: Db, userId: string) {
  return db.selectFrom('accounts').where(sql`lower(user_id)`, '=', userId.toLowerCase()).selectAll().executeTakeFirst()
}

/** The account of an e-mail address, compared without case. */
export function selectAccountByEmail(db: Db, email: string) {
  return db
    .selectFrom('accounts')
    .where(sql`lower(user_email)`, '=', email.toLowerCase())
    .selectAll()
    .executeTakeFirst()
}

/**
 * The account of a number. Within a transaction its row is the lock for all that belongs to
 * it: 'for change' lets one at a time through, 'for share' waits for those only.
 */
export function selectAccount(db: Db, userNum: number, lock?: 'for change' | 'for share') {
  return db
    .selectFrom('accounts')
    .where('user_num', '=', userNum)
    .$if(lock === 'for change', (query) => query.forNoKeyUpdate())
    .$if(lock === 'for share', (query) => query.forShare())
    .selectAll()
    .executeTakeFirstOrThrow()
}

export type Account = Awaited<ReturnType<typeof selectAccount>>

/** What the owner gets to see of an account, with its characters. */
export async function selectUser(db: Db, userNum: number): Promise<User> {
  const account = await selectAccount(db, userNum)
  const characters = await db
    .selectFrom('characters')
    .where('user_num', '=', userNum)
    .select(['cha_num', 'cha_name', 'cha_level', 'cha_class', 'cha_school'])
    .orderBy('cha_level', 'desc')
    .orderBy('cha_num')
    .execute()
  return {
    UserNum: account.user_num,
    UserID: account.user_id,
    UserEmail: account.user_email,
    NameFirst: account.first_name,
    NameLast: account.last_name,
    PhoneNumber: account.phone_number,
    UserPoint: account.r_coin,
    UserPoint2: account.milleage,
    UserSQ: account.secret_question,
    email_verified_at: account.email_verified_at?.toISOString() ?? null,
    characters: characters.map((character) => ({
      ChaNum: character.cha_num,
      ChaName: character.cha_name,
      ChaLevel: character.cha_level,
      ChaClass: character.cha_class,
      ChaSchool: character.cha_school,
    })),
  }
}

/** Ends every session of an account, or all but one. */
export async function endSessions(db: Db, userNum: number, except?: number): Promise<void> {
  await db
    .deleteFrom('sessions')
    .where('user_num', '=', userNum)
    .$if(except !== undefined, (query) => query.where('session_id', '<>', except ?? 0))
    .execute()
}

export type Caller = { address: string; device: string }

/** Writes down what happened to an account, for its player to read. */
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
}

/** Under which key failed logins with an ID are counted, known or not, in any case of letters. */
export function loginFailuresKey(userId: string): string {
  return `login:${userId.toLowerCase().slice(0, 60)}`
}

/**
 * Writes a failed login into the account's history. One statement that writes either way, so
 * that an unknown ID costs the database as much as a known one.
 */
export async function recordFailedLogin(
  db: Db,
  { userId, caller, now }: { userId: string; caller: Caller; now: Date },
): Promise<void> {
  await sql`
    with counted as (update attempts set count = count where key = ${loginFailuresKey(userId)})
    insert into account_events (user_num, kind, address, device, created_at)
    select user_num, 'login-failed', ${caller.address}, ${caller.device}, ${now}
    from accounts where lower(user_id) = ${userId.toLowerCase()}`.execute(db)
}

export type LinkKind = 'reset-password' | 'verify-email'

/** Keeps a mailed link; older ones of its kind are no longer good. Lock the account before, or two at once stay. */
export async function replaceMailedLink(
  tx: Db,
  link: { tokenHash: string; kind: LinkKind; userNum: number; email: string; now: Date; endsAt: Date },
): Promise<void> {
  await endMailedLinks(tx, link.userNum, link.kind)
  await tx
    .insertInto('mailed_links')
    .values({
      token_hash: link.tokenHash,
      kind: link.kind,
      user_num: link.userNum,
      email: link.email,
      created_at: link.now,
      ends_at: link.endsAt,
      used_at: null,
    })
    .execute()
}

/** Makes an account's links of a kind worthless. */
export async function endMailedLinks(tx: Db, userNum: number, kind: LinkKind): Promise<void> {
  await tx.deleteFrom('mailed_links').where('user_num', '=', userNum).where('kind', '=', kind).execute()
}

type LinkToken = { kind: LinkKind; tokenHash: string; now: Date }

/** A mailed link that is still good. */
export function selectMailedLink(db: Db, { kind, tokenHash, now }: LinkToken) {
  return db
    .selectFrom('mailed_links')
    .where('token_hash', '=', tokenHash)
    .where('kind', '=', kind)
    .where('used_at', 'is', null)
    .where('ends_at', '>', now)
    .selectAll()
    .executeTakeFirst()
}

/** The account that a good link was mailed to, locked; nothing when the link is dead or its address is the account's no more. */
export async function lockAccountOfLink(tx: Db, link: LinkToken): Promise<Account | undefined> {
  const found = await selectMailedLink(tx, link)
  if (found === undefined) return undefined
  const account = await selectAccount(tx, found.user_num, 'for change')
  if (account.user_email.toLowerCase() !== found.email.toLowerCase()) return undefined
  // While we waited for the lock, the link may have been used or a newer one mailed.
  return (await selectMailedLink(tx, link)) && account
}

/** The operators' switches. */
export function selectSettings(db: Db) {
  return db.selectFrom('site_settings').select(['maintenance', 'require_verified_email']).executeTakeFirstOrThrow()
}

/** How long a player can read back what happened to the account. */
const EVENTS_KEPT_MS = 365 * 24 * 3_600_000

/** Removes sessions and mailed links that are over, and history of more than a year. */
export async function sweepSessions(db: Db, now: Date): Promise<void> {
  await db
    .deleteFrom('sessions')
    .where((s) => s.or([s('ends_at', '<', now), s('last_seen_at', '<', new Date(now.getTime() - SESSION_IDLE_MS))]))
    .execute()
  await db.deleteFrom('mailed_links').where('ends_at', '<', now).execute()
  await db
    .deleteFrom('account_events')
    .where('created_at', '<', new Date(now.getTime() - EVENTS_KEPT_MS))
    .execute()
}
