import { sql } from 'kysely'
import { type Endpoint, isStaffAccess } from '#contract/endpoint.ts'
import { ADMIN_USER_TYPE } from '#contract/limits.ts'
import { STAFF_NAME } from '#contract/messages.ts'
import { ALL_PERMISSIONS, BUILT_IN_ROLES, type Permission } from '#contract/permissions.ts'
import { ROLE_OFFER_TEXTS } from '#contract/role-offers.ts'
import { isBlocked, isSuspended } from '../db/blocked.ts'
import { isDatabaseUnavailable } from '../db/errors.ts'
import type { Db } from '../db/open.ts'
import type { Deps } from '../deps.ts'
import { Refusal, refuse } from '../errors.ts'
import { readSettings } from '../settings.ts'
import { requireConfirmation, type Session } from './session.ts'

/** The operator who makes a call. */
export type Staff = {
  userNum: number
  userId: string
  /** The name that players see. It is not the user ID or a name of the account, unless the operator chose that. */
  staffName: string
  roles: string[]
  permissions: ReadonlySet<Permission>
  hasFactor: boolean
  /** Whether the game may have the account's password; then the operator cannot use the desk. */
  hasKnownPassword: boolean
  /** Whether the operator has opened the desk before; only then they count as an approver. */
  hasOpenedDesk: boolean
  /** When the operator last confirmed their identity in this session. */
  confirmedAt: Date | null
}

type MemberRow = {
  user_id: string
  staff_name: string
  roles: { role: string; permissions: Permission[] | null }[]
  has_factor: boolean
  has_known_password: boolean
  has_opened_desk: boolean
  confirmed_at: Date | null
}

/**
 * Returns an account's rights at the desk. The account must have user type 11 or more and at least one role, and must not be
 * blocked (DESK-1) or suspended.
 *
 * @param sessionId the session of the call, for its confirmation; undefined for an account that is not calling
 * @returns undefined for an account without rights
 */
export async function findStaff(db: Db, userNum: number, sessionId?: number): Promise<Staff | undefined> {
  const { rows } = await sql<MemberRow>`
    select a.user_id, a.staff_name,
      (select jsonb_agg(jsonb_build_object('role', r.role, 'permissions', r.permissions) order by r.role)
        from staff_members m join staff_roles r using (role) where m.user_num = a.user_num) as roles,
      exists (select from account_factors f where f.user_num = a.user_num) as has_factor,
      exists (select from game_accounts g where g.user_num = a.user_num and g.knows_password) as has_known_password,
      exists (select from staff_openings o where o.user_num = a.user_num) as has_opened_desk,
      (select s.confirmed_at from sessions s where s.session_id = ${sessionId ?? null}::bigint) as confirmed_at
    from accounts a
    where a.user_num = ${userNum} and a.user_type >= ${ADMIN_USER_TYPE} and not ${isBlocked('a')}
      and not ${isSuspended('a')}`.execute(db)
  const [row] = rows
  if (row === undefined || row.roles === null) return undefined
  const { user_id: userId, staff_name, roles, has_factor: hasFactor, confirmed_at: confirmedAt } = row
  const permissions = new Set(roles.flatMap(({ role, permissions }) => getPermissions(role, permissions)))
  return {
    userNum,
    userId,
    staffName: staff_name || STAFF_NAME,
    roles: roles.map(({ role }) => role),
    permissions,
    hasFactor,
    hasKnownPassword: row.has_known_password,
    hasOpenedDesk: row.has_opened_desk,
    confirmedAt,
  }
}

/** Returns the permissions of a role. The code defines those of built-in roles, and ignores unknown permissions. */
export function getPermissions(role: string, storedPermissions: readonly string[] | null): Permission[] {
  const definedPermissions = BUILT_IN_ROLES[role]?.permissions ?? storedPermissions ?? []
  return ALL_PERMISSIONS.filter((permission) => definedPermissions.includes(permission))
}

/** Selects all operators with a permission, ordered by user ID. */
export async function selectStaffWith(db: Db, permission: Permission) {
  const rows = await db
    .selectFrom('staff_members as m')
    .innerJoin('staff_roles as r', 'r.role', 'm.role')
    .innerJoin('accounts as a', 'a.user_num', 'm.user_num')
    .where((eb) => eb.not(isBlocked('a')))
    .where((eb) => eb.not(isSuspended('a')))
    .select(['m.user_num', 'a.user_id', 'r.role', 'r.permissions'])
    .orderBy('a.user_id')
    .execute()
  const membersWithPermission = rows.filter(({ role, permissions }) =>
    getPermissions(role, permissions).includes(permission),
  )
  return [...new Map(membersWithPermission.map(({ user_num, user_id }) => [user_num, { user_num, user_id }])).values()]
}

const hasSuspension = async (db: Db, userNum: number) =>
  (await db.selectFrom('staff_suspensions').where('user_num', '=', userNum).select('user_num').executeTakeFirst()) !==
  undefined

const hasOffer = async (db: Db, userNum: number) =>
  (await db.selectFrom('role_offers').where('user_num', '=', userNum).select('role').executeTakeFirst()) !== undefined

/** Creates a refusal of the desk. The desk's program uses `reason` to offer the remedy. */
const createDeskRefusal = (reason: 'no-permission' | 'password' | 'factor' | 'suspended' | 'offer', message: string) =>
  new Refusal(403, reason, message, { extra: { reason } })

/**
 * Returns the operator who makes a call of the desk.
 *
 * @throws Refusal 403 for others, and for operators whose password the game may have, who have no second factor yet
 *   (DESK-3), or who have to confirm their identity again
 */
export async function requireStaff(deps: Deps, endpoint: Endpoint, session: Session): Promise<Staff> {
  const { access, sudo } = endpoint
  if (!isStaffAccess(access)) throw new Error(`${endpoint.path} is not a call of the desk.`)
  const staff = await findStaff(deps.db, session.userNum, session.sessionId)
  if (staff === undefined && (await hasSuspension(deps.db, session.userNum)))
    throw createDeskRefusal('suspended', 'An owner has suspended your access to the desk.')
  if (staff === undefined || (access !== 'staff' && !staff.permissions.has(access))) {
    if (staff === undefined && (await hasOffer(deps.db, session.userNum)))
      throw createDeskRefusal('offer', ROLE_OFFER_TEXTS.acceptFirst)
    if (endpoint.errors?.notAllowed !== undefined) throw refuse(endpoint, 'notAllowed')
    throw createDeskRefusal('no-permission', 'Your roles do not allow this.')
  }
  if (staff.hasKnownPassword)
    throw createDeskRefusal(
      'password',
      'Set a new password first: the game may know the one you have. Then log in again.',
    )
  if (!staff.hasFactor && (await readSettings(deps)).require_staff_factor)
    throw createDeskRefusal('factor', 'Set up a second factor for your account first.')
  if (sudo) requireConfirmation(staff, deps.now())
  if (!staff.hasOpenedDesk) await recordOpening(deps, staff.userNum)
  return staff
}

/** Records that an operator has opened the desk (DESK-25). The call succeeds even if this fails. */
export async function recordOpening({ db, now }: Pick<Deps, 'db' | 'now'>, userNum: number): Promise<void> {
  const insertion = db
    .insertInto('staff_openings')
    .values({ user_num: userNum, opened_at: now() })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await insertion.catch((error: unknown) => {
    if (!isDatabaseUnavailable(error)) throw error
  })
}

/** Requires a permission and a confirmation. @throws Refusal 403 without them, 409 for an approved call */
export function requirePermission(
  staff: Staff,
  permission: Permission,
  { now, isApproved }: { now: Date; isApproved: boolean },
): void {
  if (staff.permissions.has(permission)) {
    if (!isApproved) requireConfirmation(staff, now)
  } else if (isApproved)
    throw new Refusal(409, 'gone', 'The person who requested this no longer has the permission for it.')
  else throw createDeskRefusal('no-permission', 'Your roles do not allow this.')
}

/** Returns the user IDs of accounts by their numbers; null is ignored. */
export async function selectUserIds(db: Db, userNums: readonly (number | null)[]): Promise<Map<number, string>> {
  const distinctNums = [...new Set(userNums.filter((userNum) => userNum !== null))]
  if (distinctNums.length === 0) return new Map()
  const rows = await db
    .selectFrom('accounts')
    .where('user_num', 'in', distinctNums)
    .select(['user_num', 'user_id'])
    .execute()
  return new Map(rows.map(({ user_num, user_id }) => [user_num, user_id]))
}
