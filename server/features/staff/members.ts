import { sql } from 'kysely'
import { deleteRole, inviteStaff, saveRole, takeRole } from '#contract/desk-staff.ts'
import { ADMIN_USER_TYPE } from '#contract/limits.ts'
import { ALL_PERMISSIONS, BUILT_IN_ROLES, GUARDED_ROLES, OWNER, type Permission } from '#contract/permissions.ts'
import { isBlocked } from '#server/db/blocked.ts'
import type { Db } from '#server/db/open.ts'
import { refuse } from '#server/errors.ts'
import { permissionsOf } from '#server/http/staff.ts'
import { selectOperators } from './queries.ts'

const PLAYER_USER_TYPE = 1

/** What only another owner can agree to give: a guarded role, or one that moves money or gives roles. */
const GUARDED_PERMISSIONS: readonly Permission[] = [
  'money.adjust',
  'orders.refund',
  'vouchers.mint',
  'staff.write',
  'settings.write',
  'players.personal',
]

/** Whether giving a role with these permissions needs the consent of another owner. */
export const isGuarded = (role: string, permissions: readonly Permission[]) =>
  GUARDED_ROLES.includes(role) || permissions.some((permission) => GUARDED_PERMISSIONS.includes(permission))

type Invitation = { userId: string; role: string }

/** The account and role of an invitation, both locked. @throws Refusal 422 for an account or a role that cannot be had */
export async function lockInvitation(tx: Db, { userId, role }: Invitation) {
  const account = await tx
    .selectFrom('accounts')
    .where(sql`lower(user_id)`, '=', userId.toLowerCase())
    .select(['user_num', 'user_id', 'user_type', isBlocked('accounts').as('is_blocked')])
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (account === undefined) throw refuse(inviteStaff, 'noAccount')
  if (account.is_blocked) throw refuse(inviteStaff, 'blocked')
  const known = await tx.selectFrom('staff_roles').where('role', '=', role).selectAll().forShare().executeTakeFirst()
  if (known === undefined) throw refuse(inviteStaff, 'noRole')
  return { account, permissions: permissionsOf(role, known.permissions) }
}

/** Gives an account a role; it becomes an account of staff. Giving a role twice changes nothing. */
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
}

/**
 * Takes a role from somebody. Without the last one they are a player again and logged out.
 *
 * @returns the user ID and the roles that are left
 * @throws Refusal 404 for somebody who does not have it, 409 for the last owner
 */
export async function takeRoleFrom(tx: Db, userNum: number, role: string): Promise<{ userId: string; left: string[] }> {
  // Two owners who take each other's role at once wait for each other here.
  await sql`select from staff_roles where role = ${OWNER} for no key update`.execute(tx)
  const account = await tx
    .selectFrom('accounts')
    .where('user_num', '=', userNum)
    .select(['user_num', 'user_id'])
    .forNoKeyUpdate()
    .executeTakeFirst()
  const taken = await tx
    .deleteFrom('staff_members')
    .where('user_num', '=', userNum)
    .where('role', '=', role)
    .returning('role')
    .executeTakeFirst()
  if (account === undefined || taken === undefined) throw refuse(takeRole, 'noMember')
  const operators = await selectOperators(tx)
  if (role === OWNER && !operators.some((operator) => operator.role === OWNER)) throw refuse(takeRole, 'lastOwner')
  const left = await tx.selectFrom('staff_members').where('user_num', '=', userNum).select('role').execute()
  if (left.length === 0) {
    await tx.updateTable('accounts').set({ user_type: PLAYER_USER_TYPE }).where('user_num', '=', userNum).execute()
    await tx.deleteFrom('sessions').where('user_num', '=', userNum).execute()
  }
  return { userId: account.user_id, left: left.map((one) => one.role).sort() }
}

type RoleInput = { role: string; name: string; permissions: Permission[]; version: number | null }

/**
 * Makes a role (version null) or changes one of the operators' own making.
 *
 * @returns the role as it was, undefined for a new one
 * @throws Refusal 422 for a role that comes with the site or a name that is taken, 409 when somebody changed it meanwhile
 */
export async function writeRole(tx: Db, { role, name, permissions, version }: RoleInput) {
  if (role in BUILT_IN_ROLES) throw refuse(saveRole, 'builtIn')
  const before = await tx.selectFrom('staff_roles').where('role', '=', role).selectAll().forUpdate().executeTakeFirst()
  const wanted = ALL_PERMISSIONS.filter((permission) => permissions.includes(permission))
  if (version === null) {
    const added = await tx
      .insertInto('staff_roles')
      .values({ role, name, permissions: wanted })
      .onConflict((conflict) => conflict.column('role').doNothing())
      .returning('role')
      .executeTakeFirst()
    if (added === undefined) throw refuse(saveRole, 'taken')
    return undefined
  }
  if (before?.version !== version) throw refuse(saveRole, 'changedMeanwhile')
  await tx
    .updateTable('staff_roles')
    .set({ name, permissions: wanted, version: version + 1 })
    .where('role', '=', role)
    .execute()
  return before
}

/** Deletes a role of the operators' own making that nobody has. @throws Refusal 404, 409, 422 */
export async function removeRole(tx: Db, role: string) {
  if (role in BUILT_IN_ROLES) throw refuse(deleteRole, 'builtIn')
  const before = await tx.selectFrom('staff_roles').where('role', '=', role).selectAll().forUpdate().executeTakeFirst()
  if (before === undefined) throw refuse(deleteRole, 'noRole')
  const member = await tx.selectFrom('staff_members').where('role', '=', role).select('role').executeTakeFirst()
  if (member !== undefined) throw refuse(deleteRole, 'inUse')
  await tx.deleteFrom('staff_roles').where('role', '=', role).execute()
  return before
}
