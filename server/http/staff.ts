import { sql } from 'kysely'
import { type Endpoint, isForStaff } from '#contract/endpoint.ts'
import { ADMIN_USER_TYPE, CONFIRMED_MS } from '#contract/limits.ts'
import { ALL_PERMISSIONS, BUILT_IN_ROLES, type Permission } from '#contract/permissions.ts'
import { isBlocked } from '../db/blocked.ts'
import type { Db } from '../db/open.ts'
import type { Deps } from '../deps.ts'
import { Refusal, refuse } from '../errors.ts'
import { readSettings } from '../settings.ts'
import type { Session } from './session.ts'

/** A member of the staff who calls. */
export type Staff = {
  userNum: number
  userId: string
  roles: string[]
  permissions: ReadonlySet<Permission>
  hasFactor: boolean
  /** When the person of this session last confirmed who they are. */
  confirmedAt: Date | null
}

type MemberRow = {
  user_id: string
  roles: { role: string; permissions: Permission[] | null }[]
  has_factor: boolean
  confirmed_at: Date | null
}

/**
 * What an account may do at the desk: user type 11 or more, with at least one role, and not blocked (DECISIONS §5).
 *
 * @param sessionId the session whose confirmation counts; none for somebody who is not calling
 * @returns undefined for everybody else
 */
export async function findStaff(db: Db, userNum: number, sessionId?: number): Promise<Staff | undefined> {
  const { rows } = await sql<MemberRow>`
    select a.user_id,
      (select jsonb_agg(jsonb_build_object('role', r.role, 'permissions', r.permissions) order by r.role)
        from staff_members m join staff_roles r using (role) where m.user_num = a.user_num) as roles,
      exists (select from account_factors f where f.user_num = a.user_num) as has_factor,
      (select s.confirmed_at from sessions s where s.session_id = ${sessionId ?? null}::bigint) as confirmed_at
    from accounts a
    where a.user_num = ${userNum} and a.user_type >= ${ADMIN_USER_TYPE} and not ${isBlocked('a')}`.execute(db)
  const [row] = rows
  if (row === undefined || row.roles === null) return undefined
  const { user_id: userId, roles, has_factor: hasFactor, confirmed_at: confirmedAt } = row
  const permissions = new Set(roles.flatMap(({ role, permissions }) => permissionsOf(role, permissions)))
  return { userNum, userId, roles: roles.map(({ role }) => role), permissions, hasFactor, confirmedAt }
}

/** The permissions of a role: the code knows those of the built-in ones, and ignores what it does not know. */
export function permissionsOf(role: string, stored: readonly string[] | null): Permission[] {
  const known = BUILT_IN_ROLES[role]?.permissions ?? stored ?? []
  return ALL_PERMISSIONS.filter((permission) => known.includes(permission))
}

/** Everybody whose roles have a permission, by user ID. */
export async function selectStaffWith(db: Db, permission: Permission) {
  const rows = await db
    .selectFrom('staff_members as m')
    .innerJoin('staff_roles as r', 'r.role', 'm.role')
    .innerJoin('accounts as a', 'a.user_num', 'm.user_num')
    .where((eb) => eb.not(isBlocked('a')))
    .select(['m.user_num', 'a.user_id', 'r.role', 'r.permissions'])
    .orderBy('a.user_id')
    .execute()
  const able = rows.filter(({ role, permissions }) => permissionsOf(role, permissions).includes(permission))
  return [...new Map(able.map(({ user_num, user_id }) => [user_num, { user_num, user_id }])).values()]
}

/** Whether somebody confirmed who they are recently enough for what asks for it. */
export const isConfirmed = ({ confirmedAt }: Staff, now: Date) =>
  confirmedAt !== null && now.getTime() - confirmedAt.getTime() <= CONFIRMED_MS

/** A refusal of the desk; `reason` tells the desk what would help. */
const forbidden = (reason: 'no-permission' | 'factor' | 'sudo', message: string) =>
  new Refusal(403, reason, message, { extra: { reason } })

/**
 * The member of the staff who makes a call of the desk.
 *
 * @throws Refusal 403 for everybody who may not make it, who has yet to set up a second factor, or who has to confirm who
 *   they are again
 */
export async function requireStaff(deps: Deps, endpoint: Endpoint, session: Session): Promise<Staff> {
  const { access, sudo } = endpoint
  if (!isForStaff(access)) throw new Error(`${endpoint.path} is not a call of the desk.`)
  const staff = await findStaff(deps.db, session.userNum, session.sessionId)
  if (staff === undefined || (access !== 'staff' && !staff.permissions.has(access))) {
    if (endpoint.errors?.notAllowed !== undefined) throw refuse(endpoint, 'notAllowed')
    throw forbidden('no-permission', 'Your roles do not allow this.')
  }
  if (!staff.hasFactor && (await readSettings(deps)).require_staff_factor)
    throw forbidden('factor', 'Set up a second factor for your account first.')
  if (sudo && !isConfirmed(staff, deps.now())) throw forbidden('sudo', 'Please confirm it’s you.')
  return staff
}
