import { LOGIN_CHALLENGE_LIFETIME_MS } from '#contract/limits.ts'
import type { Db } from '#server/db/open.ts'
import { createToken, hashToken } from '#server/http/tokens.ts'
import type { SiteKey } from '#server/site-key.ts'
import { findTotpCounter, hashRecoveryCode, openTotpSecret, parseCode } from './codes.ts'
import { createRequestOptions, type RelyingParty, verifyAssertion } from './passkeys.ts'
import {
  consumeRecoveryCode,
  consumeTotp,
  countRecoveryCodes,
  notePasskeyUse,
  type Passkey,
  selectPasskeys,
  selectTotp,
} from './queries.ts'

export type FactorKind = 'totp' | 'passkey' | 'recovery'

/** The data with which a browser answers a challenge. */
export type ChallengeOffer = { challenge: string; factors: FactorKind[]; options?: Record<string, unknown> }

type Owner = { user_num: number; password_hash: string }

/** Hashes the password hash, which is enough to detect a change of the password. */
const hashPasswordHash = ({ password_hash }: Owner) => hashToken(password_hash)

/** Selects the factors with which an account can answer a challenge. @param party null if browsers support no passkeys */
async function selectAvailableFactors(db: Db, userNum: number, party: RelyingParty | null) {
  const totp = await selectTotp(db, userNum)
  const passkeys = party === null ? [] : await selectPasskeys(db, userNum)
  const codes = await countRecoveryCodes(db, userNum)
  const factors: FactorKind[] = [
    ...(totp === undefined ? [] : ['totp' as const]),
    ...(passkeys.length === 0 ? [] : ['passkey' as const]),
    ...(codes === 0 ? [] : ['recovery' as const]),
  ]
  return { totp, passkeys, factors }
}

async function createOptions(party: RelyingParty | null, passkeys: Passkey[], challenge?: string) {
  if (party === null || passkeys.length === 0) return {}
  const options = await createRequestOptions(party, passkeys, { verification: 'preferred', challenge })
  return { options: { ...options } }
}

/** Stores a login with a correct password for five minutes, to wait for the second factor. A new password ends it. */
export async function startChallenge(
  db: Db,
  account: Owner,
  { party, now }: { party: RelyingParty | null; now: Date },
): Promise<ChallengeOffer> {
  const { passkeys, factors } = await selectAvailableFactors(db, account.user_num, party)
  const { options } = await createOptions(party, passkeys)
  const challenge = createToken()
  await db
    .insertInto('login_challenges')
    .values({
      challenge_hash: hashToken(challenge),
      user_num: account.user_num,
      password_mark: hashPasswordHash(account),
      passkey_challenge: options?.challenge ?? null,
      ends_at: new Date(now.getTime() + LOGIN_CHALLENGE_LIFETIME_MS),
    })
    .execute()
  return { challenge, factors, ...(options && { options }) }
}

/** Selects a challenge that has not ended. */
export async function selectChallenge(db: Db, challenge: string, now: Date) {
  const row = await db
    .selectFrom('login_challenges')
    .where('challenge_hash', '=', hashToken(challenge))
    .where('ends_at', '>', now)
    .select(['challenge_hash', 'user_num', 'password_mark', 'passkey_challenge'])
    .executeTakeFirst()
  return row && { challenge, ...row }
}

export type Challenge = NonNullable<Awaited<ReturnType<typeof selectChallenge>>>

/** Returns whether a challenge belongs to an account and its current password. */
export const belongsToAccount = (challenge: Challenge, account: Owner): boolean =>
  challenge.user_num === account.user_num && challenge.password_mark === hashPasswordHash(account)

/** Creates the response that offers the same challenge again after a wrong answer. */
export async function createRetryOffer(
  db: Db,
  challenge: Challenge,
  party: RelyingParty | null,
): Promise<ChallengeOffer> {
  const { passkeys, factors } = await selectAvailableFactors(db, challenge.user_num, party)
  const passkeyChallenge = challenge.passkey_challenge ?? undefined
  const { options } = passkeyChallenge === undefined ? {} : await createOptions(party, passkeys, passkeyChallenge)
  return { challenge: challenge.challenge, factors, ...(options && { options }) }
}

/** An answer to a challenge, which the transaction of the login uses up. Only a recovery code is not checked before. */
export type Proof =
  | { kind: 'totp'; factor: number; counter: number }
  | { kind: 'passkey'; factor: number; signCount: number }
  | { kind: 'recovery'; userNum: number; codeHash: string }

/** Checks a typed code. A recovery code is checked later, when `consumeProof` uses it up. */
export async function checkCode(
  { db, siteKey }: { db: Db; siteKey: SiteKey },
  { userNum, typedCode, now }: { userNum: number; typedCode: string; now: Date },
): Promise<Proof | null> {
  const { kind, code } = parseCode(typedCode)
  if (kind === 'recovery') return { kind, userNum, codeHash: hashRecoveryCode(code) }
  const totp = await selectTotp(db, userNum)
  if (totp === undefined) return null
  const secret = openTotpSecret(siteKey, userNum, totp.sealed)
  const counter = findTotpCounter(secret, code, { now, lastCounter: totp.lastCounter })
  return counter === null ? null : { kind, factor: totp.factor, counter }
}

/** Checks a passkey's response. */
export async function checkPasskey(
  db: Db,
  challenge: Challenge,
  { response, party }: { response: Record<string, unknown>; party: RelyingParty | null },
): Promise<Proof | null> {
  const { passkey_challenge: passkeyChallenge, user_num } = challenge
  if (party === null || passkeyChallenge === null) return null
  const passkeys = await selectPasskeys(db, user_num)
  const passkeyUse = await verifyAssertion(party, passkeys, {
    challenge: passkeyChallenge,
    browserResponse: response,
    verification: 'preferred',
  })
  return passkeyUse && { kind: 'passkey', ...passkeyUse }
}

/** Uses up an answer. @returns false if it was used before, or is a wrong recovery code */
export async function consumeProof(tx: Db, proof: Proof, now: Date): Promise<boolean> {
  if (proof.kind === 'totp') return consumeTotp(tx, { ...proof, now })
  if (proof.kind === 'recovery') return consumeRecoveryCode(tx, { ...proof, now })
  await notePasskeyUse(tx, { ...proof, now })
  return true
}

/** Deletes a challenge. @returns false if another request has used it before */
export async function endChallenge(tx: Db, { challenge_hash }: Challenge): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('login_challenges')
    .where('challenge_hash', '=', challenge_hash)
    .executeTakeFirstOrThrow()
  return numDeletedRows === 1n
}
