import { LOGIN_CHALLENGE_GOOD_MS } from '#contract/limits.ts'
import type { Db } from '#server/db/open.ts'
import { createToken, hashToken } from '#server/http/tokens.ts'
import type { SiteKey } from '#server/site-key.ts'
import { findTotpCounter, hashRecoveryCode, openTotpSecret, readCode } from './codes.ts'
import { createRequestOptions, type Party, verifyAssertion } from './passkeys.ts'
import {
  countRecoveryCodes,
  notePasskeyUse,
  type Passkey,
  selectPasskeys,
  selectTotp,
  spendRecoveryCode,
  spendTotp,
} from './queries.ts'

export type FactorKind = 'totp' | 'passkey' | 'recovery'

/** The data with which a browser answers a challenge. */
export type ChallengeOffer = { challenge: string; factors: FactorKind[]; options?: Record<string, unknown> }

type Owner = { user_num: number; password_hash: string }

/** The password hash is not copied: a hash of it is enough to tell whether it has changed. */
const passwordMark = ({ password_hash }: Owner) => hashToken(password_hash)

/**
 * Selects the means with which an account can answer a challenge. @param party null where browsers support no passkeys
 */
async function selectMeans(db: Db, userNum: number, party: Party | null) {
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

async function optionsFor(party: Party | null, passkeys: Passkey[], challenge?: string) {
  if (party === null || passkeys.length === 0) return {}
  const options = await createRequestOptions(party, passkeys, { verification: 'preferred', challenge })
  return { options: options as unknown as Record<string, unknown> & { challenge: string } }
}

/** Stores a login with a right password until its second factor comes: for five minutes, and for this password. */
export async function startChallenge(
  db: Db,
  account: Owner,
  { party, now }: { party: Party | null; now: Date },
): Promise<ChallengeOffer> {
  const { passkeys, factors } = await selectMeans(db, account.user_num, party)
  const { options } = await optionsFor(party, passkeys)
  const challenge = createToken()
  await db
    .insertInto('login_challenges')
    .values({
      challenge_hash: hashToken(challenge),
      user_num: account.user_num,
      password_mark: passwordMark(account),
      passkey_challenge: options?.challenge ?? null,
      ends_at: new Date(now.getTime() + LOGIN_CHALLENGE_GOOD_MS),
    })
    .execute()
  return { challenge, factors, ...(options && { options }) }
}

/** A challenge that is still good. */
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

/** Whether a challenge is for an account with the password that it has now. */
export const belongsToAccount = (challenge: Challenge, account: Owner): boolean =>
  challenge.user_num === account.user_num && challenge.password_mark === passwordMark(account)

/** Offers a challenge again, after an answer that did not fit. */
export async function offerAgain(db: Db, challenge: Challenge, party: Party | null): Promise<ChallengeOffer> {
  const { passkeys, factors } = await selectMeans(db, challenge.user_num, party)
  const signed = challenge.passkey_challenge ?? undefined
  const { options } = signed === undefined ? {} : await optionsFor(party, passkeys, signed)
  return { challenge: challenge.challenge, factors, ...(options && { options }) }
}

/** An answer to a challenge that fits, to be used up in the transaction of the login. */
export type Proof =
  | { kind: 'totp'; factor: number; counter: number }
  | { kind: 'passkey'; factor: number; signCount: number }
  | { kind: 'recovery'; userNum: number; codeHash: string }

/** Checks a typed code. A recovery code is looked up only when it is used. */
export async function checkCode(
  { db, siteKey }: { db: Db; siteKey: SiteKey },
  { userNum, typed, now }: { userNum: number; typed: string; now: Date },
): Promise<Proof | null> {
  const { kind, code } = readCode(typed)
  if (kind === 'recovery') return { kind, userNum, codeHash: hashRecoveryCode(code) }
  const totp = await selectTotp(db, userNum)
  if (totp === undefined) return null
  const secret = openTotpSecret(siteKey, userNum, totp.sealed)
  const counter = findTotpCounter(secret, code, { now, after: totp.after })
  return counter === null ? null : { kind, factor: totp.factor, counter }
}

/** Checks a passkey's response. */
export async function checkPasskey(
  db: Db,
  challenge: Challenge,
  { given, party }: { given: Record<string, unknown>; party: Party | null },
): Promise<Proof | null> {
  const { passkey_challenge: signed, user_num } = challenge
  if (party === null || signed === null) return null
  const passkeys = await selectPasskeys(db, user_num)
  const used = await verifyAssertion(party, passkeys, { challenge: signed, given, verification: 'preferred' })
  return used && { kind: 'passkey', ...used }
}

/** Uses an answer up. @returns false when another request has used it already */
export async function spendProof(tx: Db, proof: Proof, now: Date): Promise<boolean> {
  if (proof.kind === 'totp') return spendTotp(tx, { ...proof, now })
  if (proof.kind === 'recovery') return spendRecoveryCode(tx, { ...proof, now })
  await notePasskeyUse(tx, { ...proof, now })
  return true
}

/** Uses a challenge up. @returns false when another request has used it already */
export async function endChallenge(tx: Db, { challenge_hash }: Challenge): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('login_challenges')
    .where('challenge_hash', '=', challenge_hash)
    .executeTakeFirstOrThrow()
  return numDeletedRows === 1n
}
