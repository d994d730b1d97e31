import { sql } from 'kysely'
import { ADMIN_USER_TYPE } from '#contract/limits.ts'
import { OWNER } from '#contract/permissions.ts'
import { lastOwner } from '#contract/staff.ts'
import type { ApprovalSubject } from '#server/approvals/approvals.ts'
import { isBlocked, isSuspended } from '#server/db/blocked.ts'
import type { Db } from '#server/db/open.ts'
import type { Deps } from '#server/deps.ts'
import { Refusal, refuse } from '#server/errors.ts'
import type { ApprovalTools, DeskTools } from '#server/http/mount.ts'
import type { Staff } from '#server/http/staff.ts'
import { readSettingsNow } from '#server/settings.ts'

/**
 * Serializes the transactions that could leave the desk without an owner. Otherwise two concurrent ones could each remove
 * one of the last two owners. Take this lock before the lock of any account.
 */
export const lockOwners = (tx: Db) => sql`select from staff_roles where role = ${OWNER} for no key update`.execute(tx)

/** The conditions for an owner to open the desk. */
export type OwnerRules = {
  /** Whether the desk opens only with a second factor. */
  isFactorRequired: boolean
  /** Whether an account that was offered the role counts as an owner, as it does for commands at the terminal. */
  countsOffers?: boolean
  now: Date
}

/**
 * Returns whether any owner can still open the desk (DESK-8). Call this under `lockOwners` after every change that can
 * lock an owner out: a change of the role, the second factor, the access, or the setting that requires a factor.
 */
export async function hasRemainingOwner(
  tx: Db,
  { isFactorRequired, countsOffers = false, now }: OwnerRules,
): Promise<boolean> {
  const activeOwner = await tx
    .selectFrom('staff_members as m')
    .innerJoin('accounts as a', 'a.user_num', 'm.user_num')
    .where('m.role', '=', OWNER)
    .where('a.user_type', '>=', ADMIN_USER_TYPE)
    .where((eb) => eb.not(isBlocked('a', now)))
    .where((eb) => eb.not(isSuspended('a')))
    .$if(isFactorRequired, (query) => query.where('a.has_factor', '=', true))
    .select('m.user_num')
    .executeTakeFirst()
  if (activeOwner !== undefined || !countsOffers) return activeOwner !== undefined
  const offer = await tx
    .selectFrom('role_offers as r')
    .innerJoin('accounts as a', 'a.user_num', 'r.user_num')
    .where('r.role', '=', OWNER)
    .where((eb) => eb.not(isBlocked('a', now)))
    .select('r.user_num')
    .executeTakeFirst()
  return offer !== undefined
}

/** Checks `hasRemainingOwner` with the present setting. @throws Refusal 409 without an owner */
export async function requireRemainingOwner({
  db: tx,
  config,
  now,
}: Pick<Deps, 'db' | 'config' | 'now'>): Promise<void> {
  await lockOwners(tx)
  // Reads the setting after the lock, because a concurrent call may have changed it.
  const { require_staff_factor: isFactorRequired } = await readSettingsNow({ db: tx, config })
  if (!(await hasRemainingOwner(tx, { isFactorRequired, now: now() })))
    throw refuse({ errors: { lastOwner } }, 'lastOwner')
}

/** The operator whom a call changes. */
type Target = {
  user_num: number
  user_id: string
  /** Whether the operator is an owner. Pass it if the call has already removed the role; otherwise it is looked up. */
  isOwner?: boolean
}

/**
 * Returns who has to approve an operator's change to another operator's account: an owner other than these two, or the
 * terminal if there is none. The only owner needs no approval. Owners count after they first opened the desk,
 * regardless of later changes to their accounts.
 */
export async function findRequiredApproval(
  tx: Db,
  staff: Staff,
  target: Omit<Target, 'user_id'>,
): Promise<'none' | 'owner' | 'terminal'> {
  const owners = await tx
    .selectFrom('staff_members as m')
    .innerJoin('staff_openings as o', 'o.user_num', 'm.user_num')
    .where('m.role', '=', OWNER)
    .select('m.user_num')
    .execute()
  const otherOwners = owners.filter(({ user_num }) => user_num !== staff.userNum && user_num !== target.user_num)
  if (otherOwners.length > 0) return 'owner'
  const isOwner = target.isOwner ?? owners.some(({ user_num }) => user_num === target.user_num)
  return staff.roles.includes(OWNER) && !isOwner ? 'none' : 'terminal'
}

/** Creates the refusal of a change that only a command at the terminal can make, because no other owner can approve it. */
export const createTerminalRefusal = ({ user_id }: Pick<Target, 'user_id'>, role: string = OWNER) =>
  new Refusal(
    409,
    'terminal',
    `Only an owner other than you and ${user_id} can agree to this, and there is none. Use the command line on the server: npm run staff -- take ${user_id} ${role}.`,
  )

/** Selects the user IDs of the operators who count as approvers: they may approve, and have opened the desk. */
export async function selectActiveApprovers(tx: Db): Promise<Map<number, string>> {
  const rows = await tx
    .selectFrom('staff_rights as r')
    .innerJoin('staff_openings as o', 'o.user_num', 'r.user_num')
    .innerJoin('accounts as a', 'a.user_num', 'r.user_num')
    .where('r.permission', '=', 'approvals.decide')
    .select(['a.user_num', 'a.user_id'])
    .execute()
  return new Map(rows.map((row) => [row.user_num, row.user_id]))
}

/**
 * Finds the approvers who no longer count after a change (DESK-25). Removing an approver needs another owner's
 * approval, because a single owner could otherwise remove everyone who has to approve.
 *
 * @param before the approvers who counted before the change
 * @returns their accounts, without the caller's
 * @throws Refusal 409 when only the terminal can do it, because there is no other owner
 */
export async function findLostApprovers(
  tx: Db,
  staff: Staff,
  { before, role }: { before: Map<number, string>; role: string },
): Promise<number[]> {
  const after = await selectActiveApprovers(tx)
  const lostApprovers = [...before].filter(([userNum]) => !after.has(userNum) && userNum !== staff.userNum)
  for (const [user_num, user_id] of lostApprovers)
    if ((await findRequiredApproval(tx, staff, { user_num, isOwner: true })) === 'terminal')
      throw createTerminalRefusal({ user_id }, role)
  return lostApprovers.map(([userNum]) => userNum)
}

/**
 * Requires another owner's approval of a change to a staff member's account.
 *
 * @throws ApprovalNeeded unless the call has been approved; Refusal 409 if no other owner could approve
 */
export async function requireOwnerApproval(
  tx: Db,
  { staff, requireApproval }: Pick<DeskTools, 'staff'> & Pick<ApprovalTools, 'requireApproval'>,
  target: Target,
  { summary, effect }: Pick<ApprovalSubject, 'summary' | 'effect'>,
): Promise<void> {
  if ((await findRequiredApproval(tx, staff, target)) === 'terminal') throw createTerminalRefusal(target)
  await requireApproval({ approverKind: 'owner', accounts: [target.user_num], summary, effect })
}
