import * as calls from '#contract/factors.ts'
import { FACTOR_TEXTS, toTotpAddress } from '#contract/factors.ts'
import { ADMIN_USER_TYPE, FACTOR_CEREMONY_LIFETIME_MS, PASSKEYS_MAX } from '#contract/limits.ts'
import type { Db } from '#server/db/open.ts'
import type { Deps } from '#server/deps.ts'
import { refuse, refuseViolations } from '#server/errors.ts'
import {
  createRecoveryCodes,
  createTotpSecret,
  findTotpCounter,
  hashRecoveryCode,
  openTotpSecret,
  sealTotpSecret,
} from '#server/features/factors/codes.ts'
import { createCreationOptions, getRelyingParty, verifyCreation } from '#server/features/factors/passkeys.ts'
import {
  countRecoveryCodes,
  removeFactors,
  replaceRecoveryCodes,
  selectCeremony,
  selectFactors,
  selectPasskeys,
  startCeremony,
  takeCeremony,
} from '#server/features/factors/queries.ts'
import { lockOwners } from '#server/features/staff/owners.ts'
import type { Caller } from '#server/http/client-address.ts'
import { getConfirmationEnd, requireConfirmation, type Session } from '#server/http/session.ts'
import { enqueueMail } from '#server/mail/outbox.ts'
import { readMailSite } from '#server/mail/site.ts'
import { mails } from '#server/mail/templates.ts'
import { readSettingsNow } from '#server/settings.ts'
import { recordEvent } from './events.ts'
import { type Account, endSessions, selectAccount } from './queries.ts'

/** The session and the caller of a change of second factors. */
type FactorRequest = { session: Session; caller: Caller }

/** Returns the second factors of an account as its owner sees them. */
export async function listFactors({ db, now, publicUrl }: Deps, session: Session) {
  const factors = await selectFactors(db, session.userNum)
  return {
    factors,
    recovery_codes_left: await countRecoveryCodes(db, session.userNum),
    passkeys_offered: getRelyingParty(publicUrl) !== null,
    confirmed_until: getConfirmationEnd(session, now()),
  }
}

/** Returns the secret for a new authenticator app, which is active only after `confirmTotp`. @throws Refusal 403 */
export async function startTotp(deps: Deps, { session }: FactorRequest) {
  requireConfirmation(session, deps.now())
  const secret = createTotpSecret()
  const id = await startCeremony(deps.db, {
    sessionId: session.sessionId,
    kind: 'totp',
    secret: sealTotpSecret(deps.siteKey, session.userNum, secret),
    endsAt: new Date(deps.now().getTime() + FACTOR_CEREMONY_LIFETIME_MS),
  })
  const { site_name } = await readSettingsNow(deps)
  return { id, secret, uri: toTotpAddress(secret, { issuer: site_name, userId: session.userId }) }
}

/**
 * Activates an authenticator app with one of its codes, which cannot be used again, and replaces an earlier app. Call it
 * in the transaction of the call.
 *
 * @throws Refusal 403, 409 when no set-up was started, 422 for a wrong code
 */
export async function confirmTotp(deps: Deps, code: string, { session, caller }: FactorRequest) {
  const { db: tx, now } = deps
  requireConfirmation(session, now())
  const ceremony = { sessionId: session.sessionId, kind: 'totp', now: now() } as const
  const account = await selectAccount(tx, session.userNum, 'for change')
  const sealedSecret = await selectCeremony(tx, ceremony)
  if (sealedSecret === undefined) throw refuse(calls.confirmTotp, 'setUpOver')
  const secret = openTotpSecret(deps.siteKey, account.user_num, sealedSecret)
  const counter = findTotpCounter(secret, code.replace(/\D/g, ''), { now: now(), lastCounter: -1 })
  if (counter === null) throw refuse(calls.confirmTotp, 'wrongCode')
  await takeCeremony(tx, ceremony)
  const { numDeletedRows } = await tx
    .deleteFrom('account_factors')
    .where('user_num', '=', account.user_num)
    .where('kind', '=', 'totp')
    .executeTakeFirstOrThrow()
  const values = { kind: 'totp', name: 'Authenticator app', totp_secret: sealedSecret, totp_counter: counter } as const
  const event = numDeletedRows === 0n ? 'factor-added' : 'factor-replaced'
  return insertFactor(deps, account, { values, event, session, caller })
}

/** Returns the options with which the browser creates a passkey. @throws Refusal 403, 409 */
export async function startPasskey({ db, now, config, publicUrl }: Deps, { session }: FactorRequest) {
  requireConfirmation(session, now())
  const party = getRelyingParty(publicUrl)
  if (party === null) throw refuse(calls.startPasskey, 'passkeysUnavailable')
  const { sessionId, userNum, userId } = session
  const passkeys = await selectPasskeys(db, userNum)
  if (passkeys.length >= PASSKEYS_MAX) throw refuse(calls.startPasskey, 'passkeysFull')
  const { site_name } = await readSettingsNow({ db, config })
  const options = await createCreationOptions(party, { appName: site_name, userNum, userId, passkeys })
  const endsAt = new Date(now().getTime() + FACTOR_CEREMONY_LIFETIME_MS)
  await startCeremony(db, { sessionId, kind: 'passkey', secret: options.challenge, endsAt })
  return options
}

/** Adds the passkey that the browser has made, in the transaction of the call. @throws Refusal 403, 409, 422 */
export async function addPasskey(
  deps: Deps,
  input: { name: string; credential: Record<string, unknown> },
  { session, caller }: FactorRequest,
) {
  const { db: tx, now, publicUrl } = deps
  requireConfirmation(session, now())
  const party = getRelyingParty(publicUrl)
  const account = await selectAccount(tx, session.userNum, 'for change')
  const challenge = await takeCeremony(tx, { sessionId: session.sessionId, kind: 'passkey', now: now() })
  if (party === null || challenge === undefined) throw refuse(calls.addPasskey, 'setUpOver')
  const passkey = await verifyCreation(party, { challenge, browserResponse: input.credential })
  if (passkey === null) throw refuse(calls.addPasskey, 'passkeyNotAdded')
  if ((await selectPasskeys(tx, account.user_num)).length >= PASSKEYS_MAX)
    throw refuse(calls.addPasskey, 'passkeysFull')
  const values = {
    kind: 'passkey',
    name: input.name,
    credential_id: passkey.credentialId,
    public_key: passkey.publicKey,
    sign_count: passkey.signCount,
    transports: passkey.transports,
  } as const
  return insertFactor(deps, account, { values, event: 'factor-added', session, caller }).catch(
    refuseViolations(calls.addPasskey, { account_factors_credential_id_key: 'passkeyKnown' }),
  )
}

type NewFactor = {
  values:
    | { kind: 'totp'; name: string; totp_secret: string; totp_counter: number }
    | {
        kind: 'passkey'
        name: string
        credential_id: string
        public_key: string
        sign_count: number
        transports: string[]
      }
  event: 'factor-added' | 'factor-replaced'
  session: Session
  caller: Caller
}

/**
 * Adds a factor to an account whose row the transaction has locked. The first factor also creates recovery codes and ends
 * all other sessions, because they were opened with the password alone.
 */
async function insertFactor(deps: Deps, account: Account, { values, event, session, caller }: NewFactor) {
  const { db, now } = deps
  const userNum = account.user_num
  const { factor: id } = await db
    .insertInto('account_factors')
    .values({ ...values, user_num: userNum, created_at: now() })
    .returning('factor')
    .executeTakeFirstOrThrow()
  await notifyOfChange(deps, account, { event, caller, factorName: values.name })
  if (account.has_factor) return { id, recovery_codes: null }
  await endSessions(db, userNum, session.sessionId)
  const codes = createRecoveryCodes()
  await replaceRecoveryCodes(db, { userNum, codeHashes: codes.map(hashRecoveryCode), now: now() })
  return { id, recovery_codes: codes }
}

/**
 * Removes a second factor; the recovery codes are removed with the last one. Staff need one while the desk requires it.
 * @throws Refusal 403, 404, 409
 */
export async function removeFactor(deps: Deps, id: number, { session, caller }: FactorRequest): Promise<string> {
  const { db, now } = deps
  requireConfirmation(session, now())
  return db.transaction().execute(async (tx) => {
    // Read the setting under the owners' lock, because an owner may be making a factor mandatory at the same time.
    if (session.userType >= ADMIN_USER_TYPE) await lockOwners(tx)
    const { require_staff_factor: isRequired } = await readSettingsNow({ ...deps, db: tx })
    const account = await selectAccount(tx, session.userNum, 'for change')
    const factors = await selectFactors(tx, account.user_num)
    const factor = factors.find((row) => row.id === id)
    if (factor === undefined) throw refuse(calls.removeFactor, 'notThere')
    const isLast = factors.length === 1
    if (isLast && isRequired && account.user_type >= ADMIN_USER_TYPE) throw refuse(calls.removeFactor, 'staffNeedsOne')
    if (isLast) await removeFactors(tx, account.user_num)
    else await tx.deleteFrom('account_factors').where('factor', '=', id).execute()
    await notifyOfChange({ ...deps, db: tx }, account, { event: 'factor-removed', caller, factorName: factor.name })
    return isLast ? FACTOR_TEXTS.lastRemoved : FACTOR_TEXTS.removed
  })
}

/**
 * Removes every second factor of an account whose owner has lost them, and ends all its sessions. Call it in a transaction
 * that holds the account's lock, and notify the owner.
 *
 * @returns the number of removed factors
 */
export async function removeLostFactors(
  tx: Db,
  { user_num: userNum }: Pick<Account, 'user_num'>,
  { caller, now }: { caller: Caller; now: Date },
): Promise<number> {
  const removedCount = await removeFactors(tx, userNum)
  if (removedCount === 0) return 0
  await endSessions(tx, userNum)
  await recordEvent(tx, { userNum, kind: 'factor-removed', caller, now })
  return removedCount
}

/** Replaces the recovery codes, in the transaction of the call. @throws Refusal 403, 409 without a factor */
export async function renewRecoveryCodes(deps: Deps, { session, caller }: FactorRequest) {
  const { db: tx, now } = deps
  requireConfirmation(session, now())
  const account = await selectAccount(tx, session.userNum, 'for change')
  if (!account.has_factor) throw refuse(calls.renewRecoveryCodes, 'factorMissing')
  const codes = createRecoveryCodes()
  const codeHashes = codes.map(hashRecoveryCode)
  const id = await replaceRecoveryCodes(tx, { userNum: account.user_num, codeHashes, now: now() })
  await notifyOfChange(deps, account, { event: 'recovery-codes-renewed', caller, factorName: '' })
  return { id, recovery_codes: codes }
}

type FactorEvent = 'factor-added' | 'factor-replaced' | 'factor-removed' | 'recovery-codes-renewed'

/** The text of the owner's email about each kind of change. */
const CHANGE_TEXTS: Record<FactorEvent, (factorName: string) => string> = {
  'factor-added': (factorName) => `A second factor was added to your account: ${factorName}.`,
  'factor-replaced': (factorName) => `A second factor of your account was replaced: ${factorName}.`,
  'factor-removed': (factorName) => `A second factor was removed from your account: ${factorName}.`,
  'recovery-codes-renewed': () => 'New recovery codes were made for your account. The old ones no longer work.',
}

/** Writes a change into the account's history and mails the owner. */
async function notifyOfChange(
  { db, now, config, publicUrl }: Deps & { db: Db },
  { user_num: userNum, user_id, user_email }: Account,
  { event, caller, factorName }: { event: FactorEvent; caller: Caller; factorName: string },
): Promise<void> {
  await recordEvent(db, { userNum, kind: event, caller, note: factorName, now: now() })
  const site = await readMailSite({ db, config, publicUrl })
  await enqueueMail(db, user_email, mails.factorChanged(site, user_id, CHANGE_TEXTS[event](factorName)), now())
}
