import type { ValidInput } from '#contract/endpoint.ts'
import { ADMIN_USER_TYPE } from '#contract/limits.ts'
import * as calls from '#contract/role-offers.ts'
import type { Db } from '#server/db/open.ts'
import type { Deps } from '#server/deps.ts'
import { createInputRefusal, refuse } from '#server/errors.ts'
import { mayGameKnowPassword } from '#server/features/bridge/game-passwords.ts'
import { endRoleOffer, grantRole } from '#server/features/staff/members.ts'
import { writeAudit } from '#server/http/audit.ts'
import type { Caller } from '#server/http/client-address.ts'
import type { Session } from '#server/http/session.ts'
import { lockAccount, matchPassword, replacePassword } from './changes.ts'
import { confirmSession } from './confirmation.ts'
import { findStaffPasswordFault, hashPassword } from './passwords.ts'

/** Selects an account's open role offers, oldest first, with the names of the roles and the operators who made them. */
export const selectRoleOffers = (db: Db, userNum: number) =>
  db
    .selectFrom('role_offers as o')
    .innerJoin('staff_roles as r', 'r.role', 'o.role')
    .leftJoin('accounts as a', 'a.user_num', 'o.offered_by')
    .where('o.user_num', '=', userNum)
    .select(['o.role', 'r.name', 'a.user_id as offered_by', 'o.offered_at'])
    .orderBy('o.offered_at')
    .orderBy('o.role')
    .execute()

/**
 * Accepts an offered role with the password of the account; the role applies from then on (DESK-38). A password that is
 * too short or common for staff, or that the game may know, has to be replaced in the same call.
 *
 * @returns the new token of the session, which is confirmed
 * @throws Refusal 404 without the offer, 422 for a wrong password or an unsuitable new one, 429
 */
export async function acceptRole(
  deps: Deps,
  session: Session,
  { role, UserPass, NewUserPass }: ValidInput<typeof calls.acceptRole>,
  caller: Caller,
) {
  const { db, now } = deps
  const checkedAccount = await matchPassword(deps, session, UserPass)
  if (checkedAccount === undefined) throw refuse(calls.acceptRole, 'wrongPassword')
  const findFault = (password: string) =>
    findStaffPasswordFault(deps, { user_id: session.userId, user_type: ADMIN_USER_TYPE }, password)
  const isPasswordKnownToGame = await mayGameKnowPassword(db, session.userNum)
  const fault = findFault(NewUserPass ?? UserPass)
  if (fault !== null) throw createInputRefusal({ NewUserPass: [fault] })
  if (isPasswordKnownToGame && (NewUserPass ?? UserPass) === UserPass) throw refuse(calls.acceptRole, 'mustDiffer')
  if (NewUserPass?.toLowerCase() === session.userId.toLowerCase()) throw refuse(calls.acceptRole, 'passwordIsUserId')
  const passwordHash = NewUserPass === undefined ? undefined : await hashPassword(NewUserPass)
  const at = now()
  return db.transaction().execute(async (tx) => {
    // Locks the role before the account, as invitations do; the reverse sequence could deadlock.
    await tx.selectFrom('staff_roles').where('role', '=', role).select('role').forShare().execute()
    const account = await lockAccount(tx, checkedAccount)
    const offer = await tx
      .selectFrom('role_offers')
      .where('user_num', '=', session.userNum)
      .where('role', '=', role)
      .select('offered_by')
      .executeTakeFirst()
    if (offer === undefined) throw refuse(calls.acceptRole, 'noOffer')
    await endRoleOffer(tx, session.userNum, role)
    await grantRole(tx, { userNum: session.userNum, role, grantedBy: offer.offered_by, now: at })
    if (NewUserPass !== undefined && passwordHash !== undefined) {
      const replacement = { password: NewUserPass, passwordHash, caller, exceptSession: session.sessionId }
      await replacePassword({ ...deps, db: tx }, account, replacement)
    }
    await writeAudit(tx, {
      at,
      actor: { kind: 'person', userNum: session.userNum },
      action: 'role accepted',
      target: ['staff', session.userNum],
      player: session.userNum,
      after: { roles: [role] },
      notPersonal: ['roles'],
      address: caller.address,
    })
    const { token } = await confirmSession(tx, session, at)
    return { message: calls.ROLE_OFFER_TEXTS.accepted, role, token }
  })
}

/** Declines an offered role. @throws Refusal 404 without the offer */
export async function declineRole({ db, now }: Deps, { userNum }: Session, role: string, caller: Caller) {
  await db.transaction().execute(async (tx) => {
    if (!(await endRoleOffer(tx, userNum, role))) throw refuse(calls.declineRole, 'noOffer')
    await writeAudit(tx, {
      at: now(),
      actor: { kind: 'person', userNum },
      action: 'role declined',
      target: ['staff', userNum],
      player: userNum,
      before: { roles: [role] },
      after: { roles: [] },
      notPersonal: ['roles'],
      address: caller.address,
    })
  })
  return calls.ROLE_OFFER_TEXTS.declined
}
