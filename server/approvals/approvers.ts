import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { DAY_MS } from '#contract/durations.ts'
import { ADMIN_USER_TYPE } from '#contract/limits.ts'
import { OWNER, type Permission } from '#contract/permissions.ts'
import { isBlocked, isSuspended } from '../db/blocked.ts'
import type { Db } from '../db/open.ts'
import type { Staff } from '../http/staff.ts'

/** How long operators must have had the permission to approve before they can use it. */
const APPROVAL_RIGHT_AGE_MS = DAY_MS

/** An operator who can approve a request, and the time from which they can. */
export type Approver = { userId: string; from: Date }

/** An operator with the permission to approve: since when they have the permission, and since when they are an owner. */
export type EligibleApprover = { userNum: number; userId: string; since: Date; ownerSince: Date | null }

type ApprovalTarget = { requested_by: number; accounts: readonly number[]; only_owner: boolean }

/** Selects all approvers, ordered by user ID, or the one with an account number. */
export async function selectApprovers(db: Db, userNum?: number): Promise<EligibleApprover[]> {
  const rows = await db
    .selectFrom('staff_rights as s')
    .innerJoin('accounts as a', 'a.user_num', 's.user_num')
    .leftJoin('staff_members as m', (on) => on.onRef('m.user_num', '=', 's.user_num').on('m.role', '=', OWNER))
    .where('s.permission', '=', 'approvals.decide')
    .where('a.user_type', '>=', ADMIN_USER_TYPE)
    .where((eb) => eb.not(isBlocked('a')))
    .where((eb) => eb.not(isSuspended('a')))
    .$if(userNum !== undefined, (q) => q.where('s.user_num', '=', userNum ?? 0))
    .select(['s.user_num', 'a.user_id', 's.since', 'm.granted_at'])
    .orderBy('a.user_id')
    .execute()
  return rows.map((row) => ({
    userNum: row.user_num,
    userId: row.user_id,
    since: row.since,
    ownerSince: row.granted_at,
  }))
}

/** Returns the SQL condition that another operator has a permission, has opened the desk before and still can. */
export const createHeldByOtherCondition = (
  permission: Permission,
  exceptUserNum: number,
): RawBuilder<boolean> => sql<boolean>`exists (
  select from staff_rights s join accounts o using (user_num) join staff_openings using (user_num)
  where s.permission = ${permission} and s.user_num <> ${exceptUserNum} and o.user_type >= ${ADMIN_USER_TYPE}
    and not ${isBlocked('o')} and not ${isSuspended('o')})`

/** Returns whether another operator has a permission, as `createHeldByOtherCondition` defines it. */
export async function isHeldByOther(db: Db, permission: Permission, exceptUserNum: number): Promise<boolean> {
  const { rows } = await sql<{
    held: boolean
  }>`select ${createHeldByOtherCondition(permission, exceptUserNum)} as held`.execute(db)
  return rows[0]?.held === true
}

/** Returns whether an operator can decide on a request, now or when their permission is old enough. */
export const canEverApprove = (
  { userNum, ownerSince }: EligibleApprover,
  { requested_by, accounts, only_owner }: ApprovalTarget,
) => userNum !== requested_by && !accounts.includes(userNum) && (!only_owner || ownerSince !== null)

/** Returns the time from which an operator can decide: a day after they gained the permission. */
export function getApprovalStart(
  { since, ownerSince }: EligibleApprover,
  { only_owner }: Pick<ApprovalTarget, 'only_owner'>,
): Date {
  const start = Math.max(since.getTime(), only_owner ? (ownerSince?.getTime() ?? 0) : 0)
  return new Date(start + APPROVAL_RIGHT_AGE_MS)
}

/**
 * Checks whether an operator may decide on a request: not their own, not about their account, with a permission that is
 * a day old, and as an owner if only an owner may.
 *
 * @param approver the operator, as `selectApprovers` returns them
 * @returns the reason why they may not, or null
 */
export function findApprovalBlockReason(
  approver: EligibleApprover | undefined,
  staff: Staff,
  request: ApprovalTarget,
  now: Date,
): string | null {
  if (request.requested_by === staff.userNum) return 'You requested this yourself, so another operator has to decide.'
  if (request.accounts.includes(staff.userNum))
    return 'This is about your own account, so another operator has to decide.'
  if (approver === undefined) return 'Your roles do not allow you to decide on this.'
  if (!canEverApprove(approver, request)) return 'Only an owner can decide on this.'
  const from = getApprovalStart(approver, request)
  return from <= now
    ? null
    : `Your right to approve this is less than a day old. You can decide from ${formatMoment(from)}.`
}

/** Returns the SQL condition on `approvals` for waiting requests that the operator may decide on now. */
export function isApprovableBy(userNum: number, now: Date): RawBuilder<SqlBool> {
  const newestSince = new Date(now.getTime() - APPROVAL_RIGHT_AGE_MS)
  return sql<SqlBool>`(state = 'waiting' and expires_at > ${now} and requested_by <> ${userNum}
    and not ${userNum}::bigint = any(accounts)
    and exists (select from staff_rights s
      where s.user_num = ${userNum} and s.permission = 'approvals.decide' and s.since <= ${newestSince})
    and (not only_owner or exists (select from staff_members m
      where m.user_num = ${userNum} and m.role = ${OWNER} and m.granted_at <= ${newestSince})))`
}

const NAMED_APPROVERS_MAX = 3

/** Formats a time within the next days in Manila's time zone, such as 'Friday 14:10'. */
const formatMoment = (at: Date) => MOMENT_FORMAT.format(at).replace(',', '')
const MOMENT_FORMAT = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'Asia/Manila',
  weekday: 'long',
  hour: '2-digit',
  minute: '2-digit',
})

/** Formats 'maria or gm can approve it now' or 'maria can approve it from Friday 14:10, gm from Saturday 9:00'. */
export function formatApprovers(approvers: readonly Approver[], now: Date): string {
  const readyApprovers = approvers.filter(({ from }) => from <= now)
  const namedApprovers = (readyApprovers.length > 0 ? readyApprovers : approvers)
    .toSorted((a, b) => a.from.getTime() - b.from.getTime())
    .slice(0, NAMED_APPROVERS_MAX)
  if (readyApprovers.length > 0) {
    const names = namedApprovers.map(({ userId }) => userId)
    if (readyApprovers.length > NAMED_APPROVERS_MAX) names.push('another')
    return `${new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(names)} can approve it now`
  }
  return namedApprovers
    .map(({ userId, from }, index) => `${userId}${index === 0 ? ' can approve it' : ''} from ${formatMoment(from)}`)
    .join(', ')
}
