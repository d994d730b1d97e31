import { copyMyData } from '#contract/my-data.ts'
import type { Db } from '#server/db/open.ts'
import type { Deps } from '#server/deps.ts'
import { refuse } from '#server/errors.ts'
import { matchPassword } from '#server/features/accounts/changes.ts'
import { checkPasskey } from '#server/features/accounts/confirmation.ts'
import { verifySecretAnswer } from '#server/features/accounts/passwords.ts'
import { type Account, selectAccount } from '#server/features/accounts/queries.ts'
import { checkCode, type Proof, spendProof } from '#server/features/factors/challenges.ts'
import type { Session } from '#server/http/session.ts'

export type ProofInput = {
  UserPass: string
  code: string
  secretAnswer: string
  assertion?: Record<string, unknown> | undefined
}

/** The account at the time of the check, and the code or passkey to mark as used. */
type Proved = { seen: Account; proof: Proof | null }

/**
 * Checks that the caller owns the account: by the password, and by a code, a passkey or, without a second factor, the secret
 * answer. Wrong passwords, codes and answers count toward the usual limits.
 *
 * @throws Refusal 422, 429
 */
export async function proveOwner(deps: Deps, session: Session, input: ProofInput): Promise<Proved> {
  const { db, now, limits } = deps
  const { userNum } = session
  const seen = await matchPassword(deps, session, input.UserPass)
  if (seen === undefined) throw refuse(copyMyData, 'wrongPassword')
  if (!seen.has_factor) {
    await limits.spend('secretAnswers', userNum)
    if (!(await verifySecretAnswer(seen.secret_answer_hash, input.secretAnswer)))
      throw refuse(copyMyData, 'wrongSecretAnswer')
    await limits.forget('secretAnswers', userNum)
    return { seen, proof: null }
  }
  if (input.assertion !== undefined) {
    const used = await checkPasskey(deps, session, input.assertion)
    if (used === null) throw refuse(copyMyData, 'wrongPasskey')
    return { seen, proof: { kind: 'passkey', ...used } }
  }
  await limits.spend('factorFailures', userNum)
  const proof = await checkCode({ ...deps, db }, { userNum, typedCode: input.code, now: now() })
  if (proof === null) throw refuse(copyMyData, 'wrongCode')
  return { seen, proof }
}

/**
 * Locks the account after its proof was checked, and marks the code as used. Call this in the transaction of the change.
 *
 * @throws Refusal 422 if the password, the factors or the code have changed since
 */
export async function lockProved(tx: Db, deps: Deps, { seen, proof }: Proved): Promise<Account> {
  const account = await selectAccount(tx, seen.user_num, 'for change')
  if (account.password_hash !== seen.password_hash) throw refuse(copyMyData, 'wrongPassword')
  if (account.has_factor !== seen.has_factor || (proof !== null && !(await spendProof(tx, proof, deps.now()))))
    throw refuse(copyMyData, 'wrongCode')
  if (proof !== null && proof.kind !== 'passkey') await deps.limits.forget('factorFailures', seen.user_num, tx)
  return account
}
