import { copyMyData } from '#contract/my-data.ts'
import type { Db } from '#server/db/open.ts'
import type { Deps } from '#server/deps.ts'
import { refuse } from '#server/errors.ts'
import { matchPassword } from '#server/features/accounts/changes.ts'
import { checkPasskey } from '#server/features/accounts/confirmation.ts'
import { verifySecretAnswer } from '#server/features/accounts/passwords.ts'
import { type Account, selectAccount } from '#server/features/accounts/queries.ts'
import { checkCode, consumeProof, type Proof } from '#server/features/factors/challenges.ts'
import type { Session } from '#server/http/session.ts'

export type ProofInput = {
  UserPass: string
  code: string
  secretAnswer: string
  assertion?: Record<string, unknown> | undefined
}

/** The account at the time of the check, and the code or passkey to mark as used. */
type ProvenOwner = { account: Account; proof: Proof | null }

/**
 * Checks that the caller owns the account: by the password, and by a code, a passkey or, without a second factor, the secret
 * answer. `lockProvenAccount` checks recovery codes. Wrong passwords, codes and answers count toward the usual limits.
 *
 * @throws Refusal 422, 429
 */
export async function proveOwner(deps: Deps, session: Session, input: ProofInput): Promise<ProvenOwner> {
  const { db, now, limits } = deps
  const { userNum } = session
  const account = await matchPassword(deps, session, input.UserPass)
  if (account === undefined) throw refuse(copyMyData, 'wrongPassword')
  if (!account.has_factor) {
    await limits.consume('secretAnswers', userNum)
    if (!(await verifySecretAnswer(account.secret_answer_hash, input.secretAnswer)))
      throw refuse(copyMyData, 'wrongSecretAnswer')
    await limits.reset('secretAnswers', userNum)
    return { account, proof: null }
  }
  if (input.assertion !== undefined) {
    const usedPasskey = await checkPasskey(deps, session, input.assertion)
    if (usedPasskey === null) throw refuse(copyMyData, 'wrongPasskey')
    return { account, proof: { kind: 'passkey', ...usedPasskey } }
  }
  await limits.consume('factorFailures', userNum)
  const proof = await checkCode({ ...deps, db }, { userNum, typedCode: input.code, now: now() })
  if (proof === null) throw refuse(copyMyData, 'wrongCode')
  return { account, proof }
}

/**
 * Locks the account that `proveOwner` checked, marks its code or passkey as used, and checks a recovery code. Call this in
 * the transaction of the change.
 *
 * @throws Refusal 422 if the password or the factors have changed since, if the code was used, or if a recovery code is wrong
 */
export async function lockProvenAccount(tx: Db, deps: Deps, { account, proof }: ProvenOwner): Promise<Account> {
  const currentAccount = await selectAccount(tx, account.user_num, 'for change')
  if (currentAccount.password_hash !== account.password_hash) throw refuse(copyMyData, 'wrongPassword')
  if (
    currentAccount.has_factor !== account.has_factor ||
    (proof !== null && !(await consumeProof(tx, proof, deps.now())))
  )
    throw refuse(copyMyData, 'wrongCode')
  if (proof !== null && proof.kind !== 'passkey') await deps.limits.reset('factorFailures', account.user_num, tx)
  return currentAccount
}
