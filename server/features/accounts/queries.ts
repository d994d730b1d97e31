import { sql } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import { SESSION_MAX_MS } from '#contract/limits.ts'
import type { User } from '#contract/session.ts'
import { isBlocked } from '#server/db/blocked.ts'
import type { Db } from '#server/db/open.ts'
import type { FactorKind } from '#server/features/factors/challenges.ts'
import type { Caller } from '#server/http/client-address.ts'
import { createAttemptsKey } from '#server/http/limits.ts'
import { selectKnownDevice } from './devices.ts'

/**
 * Selects the account with a user ID, compared without case, or with a number. Adds the caller's known device or address,
 * and whether a change of the email address can still be undone.
 */
export function selectForLogin(db: Db, identity: { userId: string } | { userNum: number }, caller: Caller, now: Date) {
  return db
    .selectFrom('accounts')
    .$if('userId' in identity, (query) =>
      query.where(sql`lower(user_id)`, '=', 'userId' in identity ? identity.userId.toLowerCase() : ''),
    )
    .$if('userNum' in identity, (query) => query.where('user_num', '=', 'userNum' in identity ? identity.userNum : 0))
    .selectAll('accounts')
    .select((eb) => [
      selectKnownDevice('accounts.user_num', caller, now).as('known_place'),
      eb
        .exists(
          eb
            .selectFrom('mailed_links as l')
            .whereRef('l.user_num', '=', 'accounts.user_num')
            .where('l.kind', '=', 'undo-email')
            .where('l.used_at', 'is', null)
            .where('l.ends_at', '>', now)
            .select('l.kind'),
        )
        .as('change_can_be_undone'),
    ])
    .executeTakeFirst()
}

/** Selects the account with a user ID, compared without case. */
export function selectAccountById(db: Db, userId: string) {
  return db.selectFrom('accounts').where(sql`lower(user_id)`, '=', userId.toLowerCase()).selectAll().executeTakeFirst()
}

/** Selects the account with an email address, compared without case. */
export function selectAccountByEmail(db: Db, email: string) {
  return db
    .selectFrom('accounts')
    .where(sql`lower(user_email)`, '=', email.toLowerCase())
    .selectAll()
    .executeTakeFirst()
}

/**
 * Selects an account by its number. Within a transaction, the lock 'for change' on its row is the lock for everything that
 * belongs to the account.
 */
export function selectAccount(db: Db, userNum: number, lock?: 'for change') {
  return db
    .selectFrom('accounts')
    .where('user_num', '=', userNum)
    .$if(lock === 'for change', (query) => query.forNoKeyUpdate())
    .selectAll()
    .executeTakeFirstOrThrow()
}

export type Account = Awaited<ReturnType<typeof selectAccount>>

/** Builds the statement that selects accounts as their owners see them, with their characters. */
function selectUsers(db: Db) {
  return db
    .selectFrom('accounts as a')
    .select((account) => [
      'a.user_num as UserNum',
      'a.user_id as UserID',
      'a.user_email as UserEmail',
      'a.first_name as NameFirst',
      'a.last_name as NameLast',
      'a.phone_number as PhoneNumber',
      'a.r_coin as UserPoint',
      'a.milleage as UserPoint2',
      'a.secret_question as UserSQ',
      'a.email_verified_at',
      jsonArrayFrom(
        account
          .selectFrom('characters as c')
          .whereRef('c.user_num', '=', 'a.user_num')
          .select([
            'c.cha_num as ChaNum',
            'c.cha_name as ChaName',
            'c.cha_level as ChaLevel',
            'c.cha_class as ChaClass',
            'c.cha_school as ChaSchool',
          ])
          .orderBy('c.cha_level', 'desc')
          .orderBy('c.cha_num'),
      ).as('characters'),
    ])
}

type UserRow = Awaited<ReturnType<ReturnType<typeof selectUsers>['executeTakeFirstOrThrow']>>

const toUser = (row: UserRow): User => ({ ...row, email_verified_at: row.email_verified_at?.toISOString() ?? null })

/** Returns an account as its owner sees it. */
export async function selectUser(db: Db, userNum: number): Promise<User> {
  return toUser(await selectUsers(db).where('a.user_num', '=', userNum).executeTakeFirstOrThrow())
}

type NewSession = { account: Account; tokenHash: string; factor: FactorKind | null; caller: Caller; now: Date }

/** The text in the account's history for each second factor that finished a login. */
const LOGIN_NOTES: Record<FactorKind, string> = {
  totp: 'with a code of the app',
  passkey: 'with a passkey',
  recovery: 'with a recovery code',
}

/**
 * Opens a session, records the login and reads the account for its owner, in one statement. A password change and the
 * first second factor end every session. If one of them happened since the password was checked, no session may open, so
 * the statement locks the account's row and compares it.
 *
 * @returns undefined when the account has changed since the check
 */
export async function insertSession(db: Db, session: NewSession): Promise<User | undefined> {
  const { account, tokenHash, factor, caller, now } = session
  const note = factor === null ? '' : LOGIN_NOTES[factor]
  const at = sql`${now}::timestamptz`
  const endsAt = new Date(now.getTime() + SESSION_MAX_MS)
  const user = selectUsers(db).where('a.user_num', 'in', sql<number>`(select user_num from opened)`)
  const { rows } = await sql<UserRow>`
    with account as (
      select user_num from accounts
      where user_num = ${account.user_num} and password_hash = ${account.password_hash} and not ${isBlocked('accounts', now)}
        and (not has_factor or ${factor}::text is not null)
      for share),
    opened as (
      insert into sessions (token_hash, user_num, address, device, created_at, last_seen_at, confirmed_at, factor, ends_at)
      select ${tokenHash}, user_num, ${caller.address}, ${caller.device}, ${at}, ${at}, ${at}, ${factor}, ${endsAt}::timestamptz
      from account returning user_num),
    noted as (
      insert into account_events (user_num, kind, address, device, note, created_at)
      select user_num, 'login', ${caller.address}, ${caller.device}, ${note}, ${at} from opened)
    ${user}`.execute(db)
  return rows[0] && toUser(rows[0])
}

/** Ends a session at a logout; its device gets no more notifications. */
export async function endSession(db: Db, sessionId: number): Promise<void> {
  await db.deleteFrom('push_subscriptions').where('session_id', '=', sessionId).execute()
  await db.deleteFrom('sessions').where('session_id', '=', sessionId).execute()
}

/** Ends every session of an account, or all but one; their devices get no more notifications. */
export async function endSessions(db: Db, userNum: number, exceptSession?: number): Promise<void> {
  await db
    .deleteFrom('push_subscriptions')
    .where('user_num', '=', userNum)
    .$if(exceptSession !== undefined, (query) =>
      query.where((eb) => eb.or([eb('session_id', 'is', null), eb('session_id', '<>', exceptSession ?? 0)])),
    )
    .execute()
  await db
    .deleteFrom('sessions')
    .where('user_num', '=', userNum)
    .$if(exceptSession !== undefined, (query) => query.where('session_id', '<>', exceptSession ?? 0))
    .execute()
}

/** Returns the key under which the failed logins of an ID are counted, whether or not it has an account. */
export function toFailureKey(userId: string): string {
  return userId.toLowerCase().slice(0, 60)
}

/** Returns the key under which failed logins from a known device or address are counted together. */
export function toDeviceFailureKey(userNum: number, deviceKey: string): string {
  return `${userNum} ${deviceKey}`
}

/** Resets the counts of an account's failed logins on all devices and addresses. */
export async function liftLocks(tx: Db, account: Pick<Account, 'user_num' | 'user_id'>): Promise<void> {
  const devices = await tx.selectFrom('known_places').where('user_num', '=', account.user_num).select('place').execute()
  const keys = [
    createAttemptsKey('loginFailures', toFailureKey(account.user_id)),
    ...devices.map(({ place }) => createAttemptsKey('knownPlaceFailures', toDeviceFailureKey(account.user_num, place))),
  ]
  await tx.deleteFrom('attempts').where('key', 'in', keys).execute()
}

export type LinkKind = 'reset-password' | 'verify-email' | 'undo-email' | 'keep-account'

/** Stores a mailed link. Earlier ones stay valid. */
export async function insertMailedLink(
  tx: Db,
  link: { tokenHash: string; kind: LinkKind; userNum: number; email: string; now: Date; endsAt: Date },
): Promise<void> {
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

/** Ends an account's mailed links of some kinds. */
export async function endMailedLinks(tx: Db, userNum: number, kinds: LinkKind[]): Promise<void> {
  await tx.deleteFrom('mailed_links').where('user_num', '=', userNum).where('kind', 'in', kinds).execute()
}

type LinkToken = { kind: LinkKind; tokenHash: string; now: Date }

/** Selects a mailed link that is still valid. */
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

/**
 * Locks and returns the account that a link was mailed to. Returns undefined when the link is no longer valid, or the
 * account has another address now.
 */
export async function lockAccountOfLink(tx: Db, link: LinkToken): Promise<Account | undefined> {
  const foundLink = await selectMailedLink(tx, link)
  if (foundLink === undefined) return undefined
  const account = await selectAccount(tx, foundLink.user_num, 'for change')
  if (account.user_email.toLowerCase() !== foundLink.email.toLowerCase()) return undefined
  // Read again, because the link may have been used or have ended before the lock was obtained.
  return (await selectMailedLink(tx, link)) && account
}
