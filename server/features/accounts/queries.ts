import { sql } from 'kysely'
import type { User } from '#contract/accounts.ts'
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

/** The account of a number, locked when asked within a transaction that will change it. */
export function selectAccount(db: Db, userNum: number, lock?: 'for update') {
  return db
    .selectFrom('accounts')
    .where('user_num', '=', userNum)
    .$if(lock === 'for update', (query) => query.forUpdate())
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

/** Keeps a mailed link; older ones of its kind are no longer good. */
export async function replaceMailedLink(
  tx: Db,
  link: {
    tokenHash: string
    kind: 'reset-password' | 'verify-email'
    userNum: number
    email: string
    now: Date
    endsAt: Date
  },
): Promise<void> {
  await tx.deleteFrom('mailed_links').where('user_num', '=', link.userNum).where('kind', '=', link.kind).execute()
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

/** A mailed link that is still good, locked so that it is used once. */
export function lockMailedLink(tx: Db, kind: 'reset-password' | 'verify-email', tokenHash: string, now: Date) {
  return tx
    .selectFrom('mailed_links')
    .where('token_hash', '=', tokenHash)
    .where('kind', '=', kind)
    .where('used_at', 'is', null)
    .where('ends_at', '>', now)
    .selectAll()
    .forUpdate()
    .executeTakeFirst()
}

/** The operators' switches. */
export function selectSettings(db: Db) {
  return db.selectFrom('site_settings').select(['maintenance', 'require_verified_email']).executeTakeFirstOrThrow()
}

/** Removes sessions and mailed links that are over. */
export async function sweepSessions(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('sessions').where('ends_at', '<', now).execute()
  await db.deleteFrom('mailed_links').where('ends_at', '<', now).execute()
}
