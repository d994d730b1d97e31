import { confirmIdentity as confirmIdentityCall, FACTOR_TEXTS } from '#contract/factors.ts'
import { CONFIRMATION_VALID_MS, FACTOR_CEREMONY_LIFETIME_MS } from '#contract/limits.ts'
import { STAFF_PASSWORD_TEXTS } from '#contract/staff-passwords.ts'
import type { Db } from '#server/db/open.ts'
import type { Deps } from '#server/deps.ts'
import { refuse } from '#server/errors.ts'
import { createRequestOptions, getRelyingParty, verifyAssertion } from '#server/features/factors/passkeys.ts'
import { notePasskeyUse, selectPasskeys, startCeremony, takeCeremony } from '#server/features/factors/queries.ts'
import { createSessionRefusal, type Session } from '#server/http/session.ts'
import { createToken, hashToken } from '#server/http/tokens.ts'
import { checkPassword } from './changes.ts'
import { findStaffPasswordFault } from './passwords.ts'
import { selectAccount } from './queries.ts'

/** Returns the options of the browser's passkey prompt, or null for an account without a passkey for this site. */
export async function startConfirmation({ db, now, publicUrl }: Deps, { userNum, sessionId }: Session) {
  const party = getRelyingParty(publicUrl)
  const passkeys = party === null ? [] : await selectPasskeys(db, userNum)
  if (party === null || passkeys.length === 0) return null
  const options = await createRequestOptions(party, passkeys, { verification: 'required' })
  const endsAt = new Date(now().getTime() + FACTOR_CEREMONY_LIFETIME_MS)
  await startCeremony(db, { sessionId, kind: 'confirm', secret: options.challenge, endsAt })
  return options
}

/**
 * Confirms the identity of the session's player for fifteen minutes, by the password or by a passkey that verifies its
 * user. Wrong passwords count toward the limit of password checks. The response has a new token for the session.
 *
 * @throws Refusal 401, 422, 429
 */
export async function confirmIdentity(
  deps: Deps,
  session: Session,
  proof: { UserPass?: string | undefined; assertion?: Record<string, unknown> | undefined },
) {
  const { db, now } = deps
  const at = now()
  const { UserPass, assertion } = proof
  if (assertion !== undefined) {
    const passkey = await checkPasskey(deps, session, assertion)
    if (passkey === null) throw refuse(confirmIdentityCall, 'passkeyFailed')
    return db.transaction().execute(async (tx) => {
      await notePasskeyUse(tx, { ...passkey, now: at })
      return confirmSession(tx, session, at)
    })
  }
  const password = UserPass ?? ''
  if (!(await checkPassword(deps, session, password))) throw refuse(confirmIdentityCall, 'wrongPassword')
  const confirmation = await db.transaction().execute((tx) => confirmSession(tx, session, at))
  const account = await selectAccount(db, session.userNum)
  if (findStaffPasswordFault(deps, account, password) === null) return confirmation
  return { ...confirmation, password_advice: STAFF_PASSWORD_TEXTS.ask }
}

/** Checks a passkey's response to the options of `startConfirmation`. Each set of options can be used once. */
export async function checkPasskey(
  { db, now, publicUrl }: Deps,
  { sessionId, userNum }: Session,
  response: Record<string, unknown>,
) {
  const party = getRelyingParty(publicUrl)
  const challenge = await takeCeremony(db, { sessionId, kind: 'confirm', now: now() })
  if (party === null || challenge === undefined) return null
  return verifyAssertion(party, await selectPasskeys(db, userNum), {
    challenge,
    browserResponse: response,
    verification: 'required',
  })
}

/**
 * Records a confirmation and gives the session a new token. The previous token and the caller's token stay valid as long
 * as the confirmation, because other tabs may be using them and some clients do not adopt new tokens.
 */
export async function confirmSession(
  tx: Db,
  { sessionId, tokenHash }: Pick<Session, 'sessionId' | 'tokenHash'>,
  at: Date,
) {
  const confirmedUntil = new Date(at.getTime() + CONFIRMATION_VALID_MS)
  const currentSession = await tx
    .selectFrom('sessions')
    .where('session_id', '=', sessionId)
    .select('token_hash')
    .forUpdate()
    .executeTakeFirst()
  if (currentSession === undefined) throw createSessionRefusal()
  const token = createToken()
  await tx
    .updateTable('sessions')
    .set({ confirmed_at: at, token_hash: hashToken(token) })
    .where('session_id', '=', sessionId)
    .execute()
  const replacedHashes = [...new Set([currentSession.token_hash, tokenHash])]
  await tx
    .insertInto('replaced_tokens')
    .values(replacedHashes.map((token_hash) => ({ token_hash, session_id: sessionId, ends_at: confirmedUntil })))
    .onConflict((conflict) => conflict.column('token_hash').doUpdateSet({ ends_at: confirmedUntil }))
    .execute()
  return {
    message: FACTOR_TEXTS.confirmed,
    confirmed_until: confirmedUntil,
    token,
    password_advice: null as string | null,
  }
}
