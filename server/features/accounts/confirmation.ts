import { FACTOR } from '#contract/factor-messages.ts'
import { confirmIdentity as confirmIdentityCall } from '#contract/factors.ts'
import { CONFIRMED_MS, FACTOR_CEREMONY_MS } from '#contract/limits.ts'
import type { Db } from '#server/db/open.ts'
import type { Deps } from '#server/deps.ts'
import { refuse } from '#server/errors.ts'
import { createRequestOptions, partyOf, verifyAssertion } from '#server/features/factors/passkeys.ts'
import { notePasskeyUse, selectPasskeys, startCeremony, takeCeremony } from '#server/features/factors/queries.ts'
import type { Session } from '#server/http/session.ts'
import { checkPassword } from './changes.ts'

/** What a browser needs to confirm with a passkey; null for an account without a passkey that can be used here. */
export async function startConfirmation({ db, now, publicUrl }: Deps, { userNum, sessionId }: Session) {
  const party = partyOf(publicUrl)
  const passkeys = party === null ? [] : await selectPasskeys(db, userNum)
  if (party === null || passkeys.length === 0) return null
  const options = await createRequestOptions(party, passkeys, { verification: 'required' })
  const endsAt = new Date(now().getTime() + FACTOR_CEREMONY_MS)
  await startCeremony(db, { sessionId, kind: 'confirm', secret: options.challenge, endsAt })
  return options
}

/**
 * Confirms for fifteen minutes of this session that its person is still the account's: with the password, or with a
 * passkey that checks its owner. Wrong passwords count like everywhere else.
 *
 * @throws Refusal 422, 429
 */
export async function confirmIdentity(
  deps: Deps,
  session: Session,
  given: { UserPass?: string | undefined; assertion?: Record<string, unknown> | undefined },
) {
  const { db, now } = deps
  const at = now()
  const { UserPass, assertion } = given
  if (assertion !== undefined) {
    const used = await checkPasskey(deps, session, assertion)
    if (used === null) throw refuse(confirmIdentityCall, 'passkeyFailed')
    await db.transaction().execute(async (tx) => {
      await notePasskeyUse(tx, { ...used, now: at })
      await noteConfirmation(tx, session, at)
    })
  } else {
    if (!(await checkPassword(deps, session, UserPass ?? ''))) throw refuse(confirmIdentityCall, 'wrongPassword')
    await noteConfirmation(db, session, at)
  }
  const until = new Date(at.getTime() + CONFIRMED_MS)
  return { message: FACTOR.confirmed, confirmed_until: until.toISOString() }
}

async function checkPasskey(
  { db, now, publicUrl }: Deps,
  { sessionId, userNum }: Session,
  given: Record<string, unknown>,
) {
  const party = partyOf(publicUrl)
  const challenge = await takeCeremony(db, { sessionId, kind: 'confirm', now: now() })
  if (party === null || challenge === undefined) return null
  return verifyAssertion(party, await selectPasskeys(db, userNum), { challenge, given, verification: 'required' })
}

async function noteConfirmation(db: Db, { sessionId }: Session, at: Date): Promise<void> {
  await db.updateTable('sessions').set({ confirmed_at: at }).where('session_id', '=', sessionId).execute()
}
