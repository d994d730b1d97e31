import { DAY_MS } from '#contract/durations.ts'
import { formatManilaMinute } from '#contract/manila.ts'
import { OWNER } from '#contract/permissions.ts'
import { restoreStaff, suspendStaff } from '#contract/staff.ts'
import type { Db } from '#server/db/open.ts'
import type { Deps } from '#server/deps.ts'
import { refuse } from '#server/errors.ts'
import type { Staff } from '#server/http/staff.ts'
import { mailOwners } from './notify.ts'
import { lockOwners, requireRemainingOwner } from './owners.ts'

type StaffContext = { deps: Deps; staff: Staff }
type SuspensionInput = { userNum: number; reason: string }

/**
 * Suspends an operator's access to the desk until an owner or a command restores it, logs the operator out, and notifies
 * every owner. This needs no approval (DESK-9), so a single owner can stop a stolen account. The operator retains the
 * roles and still counts as an owner when another owner has to approve.
 *
 * @returns the user ID
 * @throws Refusal 403, 404, 409
 */
export async function suspendMember(
  { deps, staff }: StaffContext,
  { userNum, reason }: SuspensionInput,
): Promise<string> {
  const { db: tx, now } = deps
  if (!staff.roles.includes(OWNER)) throw refuse(suspendStaff, 'ownersOnly')
  if (userNum === staff.userNum) throw refuse(suspendStaff, 'own')
  await lockOwners(tx)
  const member = await tx
    .selectFrom('accounts')
    .where('user_num', '=', userNum)
    .where('user_num', 'in', (eb) => eb.selectFrom('staff_members').select('user_num'))
    .select('user_id')
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (member === undefined) throw refuse(suspendStaff, 'memberNotFound')
  const suspension = await tx
    .insertInto('staff_suspensions')
    .values({ user_num: userNum, suspended_by: staff.userNum, suspended_at: now() })
    .onConflict((conflict) => conflict.column('user_num').doNothing())
    .returning('user_num')
    .executeTakeFirst()
  if (suspension === undefined) throw refuse(suspendStaff, 'suspended')
  if (await wasCalledRecently(tx, suspendStaff.path, userNum, now())) throw refuse(suspendStaff, 'tooSoon')
  await tx.deleteFrom('sessions').where('user_num', '=', userNum).execute()
  await requireRemainingOwner(deps)
  await mailOwners(tx, deps, {
    subject: `${member.user_id} can no longer open the desk`,
    lines: [
      `${staff.userId} suspended ${member.user_id} on ${formatManilaMinute(now())}, Manila time, and logged them out. The reason: ${reason}`,
      'Any other owner can restore their access under Staff.',
    ],
  })
  return member.user_id
}

/**
 * Restores a suspended operator's access to the desk and notifies every owner. @returns the user ID @throws Refusal 403, 409
 */
export async function restoreMember(
  { deps, staff }: StaffContext,
  { userNum, reason }: SuspensionInput,
): Promise<string> {
  const { db: tx, now } = deps
  if (!staff.roles.includes(OWNER)) throw refuse(restoreStaff, 'ownersOnly')
  if (!(await endSuspension(tx, userNum))) throw refuse(restoreStaff, 'notSuspended')
  const { user_id } = await tx
    .selectFrom('accounts')
    .where('user_num', '=', userNum)
    .select('user_id')
    .executeTakeFirstOrThrow()
  await mailOwners(tx, deps, {
    subject: `${user_id} can open the desk again`,
    lines: [
      `${staff.userId} restored the access of ${user_id} on ${formatManilaMinute(now())}, Manila time. The reason: ${reason}`,
    ],
  })
  return user_id
}

/** Ends a suspension. @returns whether there was one */
export async function endSuspension(tx: Db, userNum: number): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('staff_suspensions')
    .where('user_num', '=', userNum)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

/**
 * Returns whether the audit log has a call about an account from the last 24 hours. A single owner may make some calls only
 * once in that time, which prevents owners from locking another operator out.
 */
export async function wasCalledRecently(tx: Db, action: string, userNum: number, now: Date): Promise<boolean> {
  const entry = await tx
    .selectFrom('audit_log')
    .where('player', '=', userNum)
    .where('action', '=', action)
    .where('at', '>', new Date(now.getTime() - DAY_MS))
    .select('entry')
    .executeTakeFirst()
  return entry !== undefined
}
