import { sql } from 'kysely'
import type { Db } from '#server/db/open.ts'

/**
 * Removes every second factor of an account, its recovery codes and its logins that wait for a factor. The caller notifies
 * the owner and writes the history.
 *
 * @returns the number of removed factors
 */
export async function removeFactors(tx: Db, userNum: number): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('account_factors')
    .where('user_num', '=', userNum)
    .executeTakeFirstOrThrow()
  await tx.deleteFrom('recovery_codes').where('user_num', '=', userNum).execute()
  await tx.deleteFrom('login_challenges').where('user_num', '=', userNum).execute()
  return Number(numDeletedRows)
}

/**
 * Removes second factors and recovery codes that were added since a time, perhaps by a thief, and the logins that wait for
 * a factor.
 *
 * @returns the number of removed factors
 */
export async function removeFactorsSince(tx: Db, userNum: number, since: Date): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('account_factors')
    .where('user_num', '=', userNum)
    .where('created_at', '>=', since)
    .executeTakeFirstOrThrow()
  await tx.deleteFrom('recovery_codes').where('user_num', '=', userNum).where('created_at', '>=', since).execute()
  await tx.deleteFrom('login_challenges').where('user_num', '=', userNum).execute()
  return Number(numDeletedRows)
}

/** Selects the passkeys of an account, in the order they were added. */
export async function selectPasskeys(db: Db, userNum: number) {
  const rows = await db
    .selectFrom('account_factors')
    .where('user_num', '=', userNum)
    .where('kind', '=', 'passkey')
    .select(['factor', 'credential_id', 'public_key', 'sign_count', 'transports'])
    .orderBy('factor')
    .execute()
  return rows.map(({ factor, credential_id, public_key, sign_count, transports }) => ({
    factor,
    credentialId: credential_id ?? '',
    publicKey: public_key ?? '',
    signCount: sign_count ?? 0,
    transports,
  }))
}

export type Passkey = Awaited<ReturnType<typeof selectPasskeys>>[number]

/** Records the use of a passkey. The count never decreases. */
export async function notePasskeyUse(tx: Db, use: { factor: number; signCount: number; now: Date }): Promise<void> {
  await tx
    .updateTable('account_factors')
    .set({ last_used_at: use.now, sign_count: sql`greatest(sign_count, ${use.signCount})` })
    .where('factor', '=', use.factor)
    .execute()
}

/** Removes every authenticator app with a sealed secret, after the loss of the site's key. @returns the accounts */
export async function removeAuthenticatorApps(tx: Db): Promise<number[]> {
  const rows = await tx
    .deleteFrom('account_factors')
    .where(sql<boolean>`is_sealed(totp_secret)`)
    .returning('user_num')
    .execute()
  await tx.deleteFrom('factor_ceremonies').where('kind', '=', 'totp').execute()
  return rows.map(({ user_num }) => user_num)
}

/** Selects the authenticator app of an account with its sealed secret and the counter of the last accepted code. */
export async function selectTotp(db: Db, userNum: number) {
  const row = await db
    .selectFrom('account_factors')
    .where('user_num', '=', userNum)
    .where('kind', '=', 'totp')
    .select(['factor', 'totp_secret', 'totp_counter'])
    .executeTakeFirst()
  return row && { factor: row.factor, sealed: row.totp_secret ?? '', lastCounter: row.totp_counter ?? 0 }
}

/** Stores the counter of an app's code. @returns false if this code or a later one was accepted before */
export async function consumeTotp(tx: Db, use: { factor: number; counter: number; now: Date }): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('account_factors')
    .set({ last_used_at: use.now, totp_counter: use.counter })
    .where('factor', '=', use.factor)
    .where('totp_counter', '<', use.counter)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/** Marks a recovery code as used. @returns false if it is not the account's or was used before */
export async function consumeRecoveryCode(
  tx: Db,
  use: { userNum: number; codeHash: string; now: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('recovery_codes')
    .set({ used_at: use.now })
    .where('user_num', '=', use.userNum)
    .where('code_hash', '=', use.codeHash)
    .where('used_at', 'is', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/** Counts the unused recovery codes of an account. */
export async function countRecoveryCodes(db: Db, userNum: number): Promise<number> {
  const { count } = await db
    .selectFrom('recovery_codes')
    .where('user_num', '=', userNum)
    .where('used_at', 'is', null)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Replaces all recovery codes of an account. @returns the lowest id of the new codes */
export async function replaceRecoveryCodes(
  tx: Db,
  { userNum, codeHashes, now }: { userNum: number; codeHashes: string[]; now: Date },
): Promise<number> {
  await tx.deleteFrom('recovery_codes').where('user_num', '=', userNum).execute()
  const rows = await tx
    .insertInto('recovery_codes')
    .values(codeHashes.map((code_hash) => ({ user_num: userNum, code_hash, created_at: now, used_at: null })))
    .returning('recovery_code')
    .execute()
  return Math.min(...rows.map(({ recovery_code }) => recovery_code))
}

/** Selects the second factors of an account for its owner, the app first. */
export function selectFactors(db: Db, userNum: number) {
  return db
    .selectFrom('account_factors')
    .where('user_num', '=', userNum)
    .select(['factor as id', 'kind', 'name', 'created_at', 'last_used_at'])
    .orderBy('kind', 'desc')
    .orderBy('factor')
    .execute()
}

/** A started set-up of a passkey or an authenticator app, or a started confirmation by passkey. */
type CeremonyKind = 'confirm' | 'passkey' | 'totp'

/**
 * Stores the secret or challenge of a set-up or confirmation that a session has started. Replaces an earlier one of the
 * same kind.
 *
 * @returns its id
 */
export async function startCeremony(
  db: Db,
  ceremony: { sessionId: number; kind: CeremonyKind; secret: string; endsAt: Date },
): Promise<number> {
  const { sessionId: session_id, kind, secret, endsAt: ends_at } = ceremony
  const row = await db
    .insertInto('factor_ceremonies')
    .values({ session_id, kind, secret, ends_at })
    .onConflict((conflict) =>
      conflict.columns(['session_id', 'kind']).doUpdateSet({ ceremony: sql`default`, secret, ends_at }),
    )
    .returning('ceremony')
    .executeTakeFirstOrThrow()
  return row.ceremony
}

/** Returns the stored secret or challenge of a session, if it is still valid. It stays, because a code may be mistyped. */
export async function selectCeremony(
  db: Db,
  { sessionId, kind, now }: { sessionId: number; kind: CeremonyKind; now: Date },
): Promise<string | undefined> {
  const row = await db
    .selectFrom('factor_ceremonies')
    .where('session_id', '=', sessionId)
    .where('kind', '=', kind)
    .where('ends_at', '>', now)
    .select('secret')
    .executeTakeFirst()
  return row?.secret
}

/** Deletes the stored secret or challenge of a session. @returns it, if it was still valid */
export async function takeCeremony(
  db: Db,
  { sessionId, kind, now }: { sessionId: number; kind: CeremonyKind; now: Date },
): Promise<string | undefined> {
  const row = await db
    .deleteFrom('factor_ceremonies')
    .where('session_id', '=', sessionId)
    .where('kind', '=', kind)
    .returning(['secret', 'ends_at'])
    .executeTakeFirst()
  return row !== undefined && row.ends_at > now ? row.secret : undefined
}
