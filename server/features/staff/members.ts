import { sql } from 'kysely'
import { ADMIN_USER_TYPE } from '#contract/limits.ts'
import { ALL_PERMISSIONS, BUILT_IN_ROLES, OWNER, type Permission } from '#contract/permissions.ts'
import { deleteRole, inviteStaff, saveRole, takeRole } from '#contract/staff.ts'
import { isBlocked } from '#server/db/blocked.ts'
import type { Db } from '#server/db/open.ts'
import { refuse } from '#server/errors.ts'
import { sealRandomPassword } from '#server/features/bridge/game-passwords.ts'
import { getPermissions } from '#server/http/staff.ts'
import { hasRemainingOwner, lockOwners, type OwnerRules } from './owners.ts'

const PLAYER_USER_TYPE = 1

type Invitation = { userId: string; role: string }

/** Locks the account and the role of an invitation. @throws Refusal 422 for an unsuitable account or role */
export async function lockInvitation(tx: Db, { userId, role }: Invitation) {
  // Locks the role before the account, as changes of a role do; the reverse could deadlock.
  const roleRow = await tx.selectFrom('staff_roles').where('role', '=', role).selectAll().forShare().executeTakeFirst()
  const account = await tx
    .selectFrom('accounts')
    .where(sql`lower(user_id)`, '=', userId.toLowerCase())
    .select(['user_num', 'user_id', 'user_email', isBlocked('accounts').as('is_blocked')])
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (account === undefined) throw refuse(inviteStaff, 'accountNotFound')
  if (account.is_blocked) throw refuse(inviteStaff, 'blocked')
  if (roleRow === undefined) throw refuse(inviteStaff, 'roleNotFound')
  return { account, permissions: getPermissions(role, roleRow.permissions) }
}

/**
 * Offers an account a role, which it gets by accepting the offer with its password (DESK-38). Has no effect if the
 * account has the role or the offer already.
 *
 * @returns whether this is a new offer
 */
export async function offerRole(
  tx: Db,
  { userNum, role, offeredBy, now }: { userNum: number; role: string; offeredBy: number | null; now: Date },
): Promise<boolean> {
  const { rows } = await sql`
    insert into role_offers (user_num, role, offered_by, offered_at)
    select ${userNum}, ${role}, ${offeredBy}, ${now}
    where not exists (select from staff_members where user_num = ${userNum} and role = ${role})
    on conflict do nothing returning role`.execute(tx)
  return rows.length > 0
}

/** Selects the open role offers of an account, oldest first. */
export async function selectOfferedRoles(db: Db, userNum: number): Promise<string[]> {
  const rows = await db
    .selectFrom('role_offers')
    .where('user_num', '=', userNum)
    .select('role')
    .orderBy('offered_at')
    .orderBy('role')
    .execute()
  return rows.map(({ role }) => role)
}

/** Withdraws or declines an offered role. @returns whether there was an offer */
export async function endRoleOffer(tx: Db, userNum: number, role: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('role_offers')
    .where('user_num', '=', userNum)
    .where('role', '=', role)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

/**
 * Gives an account a role, which makes it a staff account, and sets an unknown password for its account in the game. Has no
 * effect if the account has the role already.
 */
export async function grantRole(
  tx: Db,
  { userNum, role, grantedBy, now }: { userNum: number; role: string; grantedBy: number | null; now: Date },
): Promise<void> {
  await tx
    .updateTable('accounts')
    .set({ user_type: ADMIN_USER_TYPE })
    .where('user_num', '=', userNum)
    .where('user_type', '<', ADMIN_USER_TYPE)
    .execute()
  await tx
    .insertInto('staff_members')
    .values({ user_num: userNum, role, granted_by: grantedBy, granted_at: now })
    .onConflict((conflict) => conflict.columns(['user_num', 'role']).doNothing())
    .execute()
  await recordRights(tx, now, [userNum])
  await sealRandomPassword(tx, userNum, now)
}

/**
 * Removes a role or a role offer from an account. An operator who loses the last role becomes a player and is logged out.
 *
 * @returns the user ID, the email address, the remaining roles, and whether the account counted as an owner
 * @throws Refusal 404 for an account without the role, 409 for the last owner
 */
export async function revokeRole(
  tx: Db,
  { userNum, role, ...ownerRules }: { userNum: number; role: string } & OwnerRules,
): Promise<{ userId: string; email: string; remainingRoles: string[]; isOwner: boolean; wasOffer: boolean }> {
  await lockOwners(tx)
  const account = await tx
    .selectFrom('accounts')
    .where('user_num', '=', userNum)
    .select(['user_num', 'user_id', 'user_email'])
    .forNoKeyUpdate()
    .executeTakeFirst()
  const deletedRole = await tx
    .deleteFrom('staff_members')
    .where('user_num', '=', userNum)
    .where('role', '=', role)
    .returning('role')
    .executeTakeFirst()
  const wasOffer = deletedRole === undefined && (await endRoleOffer(tx, userNum, role))
  if (account === undefined || (deletedRole === undefined && !wasOffer)) throw refuse(takeRole, 'memberNotFound')
  if (role === OWNER && !wasOffer && !(await hasRemainingOwner(tx, ownerRules))) throw refuse(takeRole, 'lastOwner')
  await recordRights(tx, ownerRules.now, [userNum])
  const remainingRows = await tx.selectFrom('staff_members').where('user_num', '=', userNum).select('role').execute()
  const openingRow = await tx
    .selectFrom('staff_openings')
    .where('user_num', '=', userNum)
    .select('user_num')
    .executeTakeFirst()
  if (remainingRows.length === 0 && !wasOffer) {
    await tx.updateTable('accounts').set({ user_type: PLAYER_USER_TYPE }).where('user_num', '=', userNum).execute()
    await tx.deleteFrom('sessions').where('user_num', '=', userNum).execute()
    await tx.deleteFrom('staff_openings').where('user_num', '=', userNum).execute()
  }
  const remainingRoles = remainingRows.map((row) => row.role).sort()
  const { user_id: userId, user_email: email } = account
  const isOwner = openingRow !== undefined && [...(wasOffer ? [] : [role]), ...remainingRoles].includes(OWNER)
  return { userId, email, remainingRoles, isOwner, wasOffer }
}

type RoleInput = { role: string; name: string; permissions: Permission[]; version: number | null }

/**
 * Creates a role, if the version is null, or changes a custom role.
 *
 * @returns the role before the change; undefined for a new role
 * @throws Refusal 422 for a built-in role or a name that is taken, 409 when another operator changed it first
 */
export async function writeRole(tx: Db, { role, name, permissions, version }: RoleInput, now: Date) {
  if (role in BUILT_IN_ROLES) throw refuse(saveRole, 'builtIn')
  const before = await tx.selectFrom('staff_roles').where('role', '=', role).selectAll().forUpdate().executeTakeFirst()
  const orderedPermissions = ALL_PERMISSIONS.filter((permission) => permissions.includes(permission))
  if (version === null) {
    const addedRole = await tx
      .insertInto('staff_roles')
      .values({ role, name, permissions: orderedPermissions })
      .onConflict((conflict) => conflict.column('role').doNothing())
      .returning('role')
      .executeTakeFirst()
    if (addedRole === undefined) throw refuse(saveRole, 'taken')
    return undefined
  }
  if (before?.version !== version) throw refuse(saveRole, 'conflict')
  await tx
    .updateTable('staff_roles')
    .set({ name, permissions: orderedPermissions, version: version + 1 })
    .where('role', '=', role)
    .execute()
  const members = await selectRoleHolders(tx, role)
  await recordRights(
    tx,
    now,
    members.map(({ user_num }) => user_num),
  )
  return before
}

/** Selects the accounts that have a role or an offer of it, and whether they are owners too. */
export const selectRoleHolders = (tx: Db, role: string) =>
  tx
    .selectFrom((eb) =>
      eb
        .selectFrom('staff_members')
        .select(['user_num', 'role'])
        .union(eb.selectFrom('role_offers').select(['user_num', 'role']))
        .as('m'),
    )
    .innerJoin('accounts as a', 'a.user_num', 'm.user_num')
    .where('m.role', '=', role)
    .select(['a.user_num', 'a.user_id'])
    .select((eb) =>
      eb
        .exists(
          eb
            .selectFrom('staff_members as o')
            .whereRef('o.user_num', '=', 'm.user_num')
            .where('o.role', '=', OWNER)
            .select('o.role'),
        )
        .as('is_owner'),
    )
    .orderBy('a.user_num')
    .execute()

/** Deletes an unassigned custom role. @throws Refusal 404, 409, 422 */
export async function removeRole(tx: Db, role: string) {
  if (role in BUILT_IN_ROLES) throw refuse(deleteRole, 'builtIn')
  const before = await tx.selectFrom('staff_roles').where('role', '=', role).selectAll().forUpdate().executeTakeFirst()
  if (before === undefined) throw refuse(deleteRole, 'roleNotFound')
  if ((await selectRoleHolders(tx, role)).length > 0) throw refuse(deleteRole, 'inUse')
  await tx.deleteFrom('staff_roles').where('role', '=', role).execute()
  return before
}

/**
 * Records in `staff_rights` the time since which each operator has had each permission. Call it in every transaction that
 * gives or removes roles or changes their permissions, and at each start, because the code defines the built-in roles.
 *
 * @param now the time from which operators have new permissions
 * @param userNums the accounts to record; all accounts if omitted
 */
export async function recordRights(tx: Db, now: Date, userNums?: readonly number[]): Promise<void> {
  const { rows: accounts } = await sql<{ user_num: number }>`
    select user_num from accounts
    where user_num in (select user_num from staff_members union select user_num from staff_rights)
      and (${userNums ?? null}::bigint[] is null or user_num = any(${userNums ?? null}::bigint[]))
    order by user_num for no key update`.execute(tx)
  if (accounts.length === 0) return
  const numbers = accounts.map(({ user_num }) => user_num)
  const roles = await tx
    .selectFrom('staff_members as m')
    .innerJoin('staff_roles as r', 'r.role', 'm.role')
    .where('m.user_num', 'in', numbers)
    .select(['m.user_num', 'r.role', 'r.permissions'])
    .execute()
  const grants = numbers.flatMap((userNum) => {
    const roleRows = roles.filter(({ user_num }) => user_num === userNum)
    const permissions = new Set(roleRows.flatMap(({ role, permissions }) => getPermissions(role, permissions)))
    return [...permissions].map((permission) => ({ user_num: userNum, permission }))
  })
  const [holders, permissions] = [grants.map(({ user_num }) => user_num), grants.map(({ permission }) => permission)]
  // Does not delete unknown permissions, which a newer version of the code may have written.
  await sql`
    delete from staff_rights s where user_num = any(${numbers}::bigint[]) and permission = any(${ALL_PERMISSIONS}::text[])
      and not exists (select from unnest(${holders}::bigint[], ${permissions}::text[]) h (user_num, permission)
        where h.user_num = s.user_num and h.permission = s.permission)`.execute(tx)
  await sql`
    insert into staff_rights (user_num, permission, since)
    select user_num, permission, ${now}::timestamptz
    from unnest(${holders}::bigint[], ${permissions}::text[]) h (user_num, permission)
    on conflict do nothing`.execute(tx)
}
