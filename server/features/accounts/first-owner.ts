import type { ValidInput } from '#contract/endpoint.ts'
import * as calls from '#contract/first-owner.ts'
import { FIRST_OWNER_LINK_LIFETIME_MS } from '#contract/limits.ts'
import { OWNER } from '#contract/permissions.ts'
import type { Db } from '#server/db/open.ts'
import type { Deps } from '#server/deps.ts'
import { refuse, refuseViolations } from '#server/errors.ts'
import {
  createRecoveryCodes,
  createTotpSecret,
  findTotpCounter,
  hashRecoveryCode,
  sealTotpSecret,
} from '#server/features/factors/codes.ts'
import { replaceRecoveryCodes } from '#server/features/factors/queries.ts'
import { grantRole } from '#server/features/staff/members.ts'
import { lockOwners } from '#server/features/staff/owners.ts'
import { writeAudit } from '#server/http/audit.ts'
import type { Caller } from '#server/http/client-address.ts'
import type { Fields } from '#server/http/input.ts'
import { createToken, hashToken } from '#server/http/tokens.ts'
import { readSettingsNow } from '#server/settings.ts'
import { recordEvent } from './events.ts'
import { openSession } from './login.ts'
import { hashPassword, hashSecretAnswer } from './passwords.ts'
import { selectForLogin } from './queries.ts'

/**
 * Creates the token of a link to the page that makes the first owner (DESK-12). It replaces the previous token. Each
 * start of the site calls this.
 *
 * @returns the token, of which only the hash is stored; null if the site has ever had an owner
 */
export function createFirstOwnerToken(db: Db, now: Date): Promise<string | null> {
  const token = createToken()
  const link = { word_hash: hashToken(token), ends_at: new Date(now.getTime() + FIRST_OWNER_LINK_LIFETIME_MS) }
  return db.transaction().execute(async (tx) => {
    await lockOwners(tx)
    const row = await tx
      .insertInto('first_owner')
      .values(link)
      .onConflict((conflict) =>
        conflict.column('only_row').doUpdateSet(link).where('first_owner.owned_since', 'is', null),
      )
      .returning('only_row')
      .executeTakeFirst()
    return row === undefined ? null : token
  })
}

/** @throws Refusal 404 unless the token is that of the current link */
async function requireToken(db: Db, token: unknown, now: Date): Promise<void> {
  const link = await db
    .selectFrom('first_owner')
    .where('word_hash', '=', typeof token === 'string' ? hashToken(token) : '')
    .where('ends_at', '>', now)
    .select('only_row')
    .executeTakeFirst()
  if (link === undefined) throw refuse(calls.makeFirstOwner, 'gone')
}

/**
 * Checks the token before the other fields, because a caller without it must learn nothing about them.
 *
 * @throws Refusal 404
 */
export async function checkFirstOwnerToken({ word: token }: Fields, { db, now }: Deps) {
  await requireToken(db, token, now())
  return {}
}

/**
 * Creates a key for the owner's authenticator app, and returns it with the site's name. The browser sends the key back with a
 * code from the app.
 */
export async function createFirstOwnerSecret(deps: Deps) {
  const { site_name } = await readSettingsNow(deps)
  return { secret: createTotpSecret(), site_name }
}

/**
 * Creates the first owner in one transaction (account, role, authenticator app and recovery codes), and logs them in. The
 * address counts as verified, because a new site has no mail server yet. Of several concurrent calls one succeeds.
 *
 * @throws Refusal 404, 422
 */
export async function makeFirstOwner(deps: Deps, form: ValidInput<typeof calls.makeFirstOwner>, caller: Caller) {
  const { db, siteKey } = deps
  const now = deps.now()
  const counter = findTotpCounter(form.secret, form.code.replace(/\D/g, ''), { now, lastCounter: -1 })
  if (counter === null) throw refuse(calls.makeFirstOwner, 'wrongCode')
  const [password_hash, secret_answer_hash] = await Promise.all([
    hashPassword(form.userPassword),
    hashSecretAnswer(form.secretAnswer),
  ])
  const recovery_codes = createRecoveryCodes()
  const transaction = db.transaction().execute(async (tx) => {
    await lockOwners(tx)
    await requireToken(tx, form.word, now)
    const { user_num: userNum } = await tx
      .insertInto('accounts')
      .values({
        user_id: form.userId,
        user_email: form.userEmail,
        first_name: '',
        last_name: '',
        password_hash,
        secret_question: form.secretQuestion,
        secret_answer_hash,
        email_verified_at: now,
        created_at: now,
      })
      .returning('user_num')
      .executeTakeFirstOrThrow()
    await recordEvent(tx, { userNum, kind: 'registered', caller, now })
    await grantRole(tx, { userNum, role: OWNER, grantedBy: null, now })
    const name = 'Authenticator app'
    const totp_secret = sealTotpSecret(siteKey, userNum, form.secret)
    await tx
      .insertInto('account_factors')
      .values({ kind: 'totp', name, totp_secret, totp_counter: counter, user_num: userNum, created_at: now })
      .execute()
    await replaceRecoveryCodes(tx, { userNum, codeHashes: recovery_codes.map(hashRecoveryCode), now })
    await recordEvent(tx, { userNum, kind: 'factor-added', caller, note: name, now })
    await writeAudit(tx, {
      at: now,
      actor: { kind: 'person', userNum },
      action: 'first owner',
      target: ['staff', userNum],
      player: userNum,
      after: { roles: [OWNER], second_factor: true },
      notPersonal: ['roles'],
      address: caller.address,
    })
    const account = await selectForLogin(tx, { userNum }, caller, now)
    if (account === undefined) throw new Error('The new account of the first owner was not found.')
    return openSession({ ...deps, db: tx }, account, { factor: 'totp', caller })
  })
  const data = await transaction.catch(
    refuseViolations(calls.makeFirstOwner, {
      accounts_user_id_key: 'userIdTaken',
      accounts_user_email_key: 'emailTaken',
    }),
  )
  return { data, recovery_codes }
}
