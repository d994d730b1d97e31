import { FACTOR_TEXTS } from '#contract/factors.ts'
import type { Deps } from '#server/deps.ts'
import { selectPasswordDraft, storeDraftAtLogin } from '#server/features/bridge/game-passwords.ts'
import {
  belongsToAccount,
  type Challenge,
  checkCode,
  checkPasskey,
  consumeProof,
  createRetryOffer,
  endChallenge,
  type Proof,
  selectChallenge,
} from '#server/features/factors/challenges.ts'
import { getRelyingParty } from '#server/features/factors/passkeys.ts'
import { countRecoveryCodes } from '#server/features/factors/queries.ts'
import type { Caller } from '#server/http/client-address.ts'
import { enqueueMail } from '#server/mail/outbox.ts'
import { readMailSite } from '#server/mail/site.ts'
import { mails } from '#server/mail/templates.ts'
import { withdrawErasure } from './erasure-requests.ts'
import { recordEvent } from './events.ts'
import { createFailure, findRefusal, type LoginAccount, type LoginAnswer, openSession, refuseEntry } from './login.ts'
import { selectAccount, selectForLogin } from './queries.ts'

type FactorAnswer = {
  challenge: string
  code?: string | undefined
  assertion?: Record<string, unknown> | undefined
  keepAccount?: boolean | undefined
}

const LOGIN_EXPIRED = { ...createFailure(2, FACTOR_TEXTS.loginOver), challenge: null }

/** Rolls back a login whose code or passkey answer was used before. */
class UsedProofError extends Error {}

/**
 * Completes the second step of a login (FACTOR-2, FACTOR-5). Returns the same responses as `logIn`: status 2 with the same
 * challenge for a wrong code or passkey, and status 2 without a challenge for an invalid challenge. Failures count for the
 * account across challenges; after ten in 15 minutes codes return status 4, while a passkey still works. One transaction
 * opens the session, uses up the challenge and the code and, if the player chose so, withdraws the request to erase the
 * account.
 */
export async function finishLogin(deps: Deps, answer: FactorAnswer, caller: Caller): Promise<LoginAnswer> {
  const { db, now, limits, publicUrl } = deps
  const at = now()
  const challenge = await selectChallenge(db, answer.challenge, at)
  const foundAccount = challenge && (await selectForLogin(db, { userNum: challenge.user_num }, caller, at))
  if (challenge === undefined || foundAccount === undefined || !belongsToAccount(challenge, foundAccount))
    return LOGIN_EXPIRED
  const keepsAccount = answer.keepAccount === true && foundAccount.erasure_due_at !== null
  const account = keepsAccount ? { ...foundAccount, erasure_due_at: null } : foundAccount
  const party = getRelyingParty(publicUrl)
  const userNum = account.user_num
  const createRetryAnswer = async (status: number, message: string) => ({
    ...createFailure(status, message),
    ...(await createRetryOffer(db, challenge, party)),
  })

  const { code, assertion = {} } = answer
  // Counted before the code is checked, because otherwise concurrent tries could exceed the limit.
  if (code !== undefined && !(await limits.count('factorFailures', userNum))) {
    await warnOwner(deps, account)
    const { factors } = await createRetryOffer(db, challenge, party)
    return createRetryAnswer(4, factors.includes('passkey') ? FACTOR_TEXTS.lockedButPasskey : FACTOR_TEXTS.locked)
  }
  const proof =
    code === undefined
      ? await checkPasskey(db, challenge, { response: assertion, party })
      : await checkCode(deps, { userNum, typedCode: code, now: at })
  const refusal = await findRefusal(deps, account)
  const login = proof && (await completeLogin(deps, { challenge, proof, account, keepsAccount, refusal, caller }))
  if (login === null) {
    if (code === undefined) await limits.count('factorFailures', userNum)
    await recordEvent(db, { userNum, kind: 'factor-failed', caller, now: at })
    return createRetryAnswer(2, code === undefined ? FACTOR_TEXTS.wrongPasskey : FACTOR_TEXTS.wrongCode)
  }
  if (login.token === null && code !== undefined) await limits.release('factorFailures', userNum)
  return login === refusal ? refuseEntry(deps, account, refusal) : login
}

type LoginCompletion = {
  challenge: Challenge
  proof: Proof
  account: LoginAccount
  /** Whether the login withdraws the request to erase the account. */
  keepsAccount: boolean
  refusal: LoginAnswer | null
  caller: Caller
}

/** Uses up the challenge and the code and opens the session, all or nothing. @returns null when the code was used before */
async function completeLogin(deps: Deps, login: LoginCompletion): Promise<LoginAnswer | null> {
  const { db, now, limits } = deps
  const { challenge, proof, account, keepsAccount, refusal, caller } = login
  const userNum = account.user_num
  const transaction = db.transaction().execute(async (tx) => {
    // Logins of an account run one after another, because otherwise two could use the same code.
    const lockedAccount = await selectAccount(tx, userNum, 'for change')
    const draft = await selectPasswordDraft(tx, challenge.challenge_hash)
    if (!belongsToAccount(challenge, lockedAccount) || !(await endChallenge(tx, challenge))) return LOGIN_EXPIRED
    if (!(await consumeProof(tx, proof, now()))) throw new UsedProofError()
    if (proof.kind === 'recovery') await notifyOfRecoveryCode({ ...deps, db: tx }, account, caller)
    if (keepsAccount) await withdrawErasure({ ...deps, db: tx }, lockedAccount, { by: null, caller })
    if (refusal !== null) return refusal
    await limits.reset('factorFailures', userNum, tx)
    const answer = await openSession({ ...deps, db: tx }, account, { factor: proof.kind, caller })
    if (answer.token !== null) await storeDraftAtLogin(tx, userNum, draft, now())
    return answer
  })
  return transaction.catch((error: unknown) => {
    if (error instanceof UsedProofError) return null
    throw error
  })
}

/** Notifies the owner that a recovery code was used, and how many are left. */
async function notifyOfRecoveryCode(
  { db, now, config, publicUrl }: Deps,
  account: LoginAccount,
  caller: Caller,
): Promise<void> {
  const { user_num: userNum, user_id, user_email } = account
  const codesLeft = await countRecoveryCodes(db, userNum)
  await recordEvent(db, { userNum, kind: 'recovery-code-used', caller, note: `${codesLeft} left`, now: now() })
  await enqueueMail(
    db,
    user_email,
    mails.recoveryCodeUsed(await readMailSite({ db, config, publicUrl }), user_id, codesLeft),
    now(),
  )
}

/** Warns the owner, at most once a day, of repeated second-factor failures after the correct password. */
async function warnOwner({ db, now, limits, config, publicUrl }: Deps, account: LoginAccount): Promise<void> {
  if (!(await limits.count('factorWarnings', account.user_num))) return
  const site = await readMailSite({ db, config, publicUrl })
  await enqueueMail(db, account.user_email, mails.factorFailures(site, account.user_id), now())
}
