import { findOutsideLinks } from '#contract/outside-links.ts'
import type { Permission } from '#contract/permissions.ts'
import type { Deps } from '#server/deps.ts'
import { hasOtherOwner } from '../approvals/approvals.ts'
import type { ApprovalTools, DeskTools } from './mount.ts'

type Trusting = Pick<DeskTools, 'requirePermission' | 'staff'> &
  Pick<ApprovalTools, 'requireApproval'> & { deps: Pick<Deps, 'db' | 'publicUrl'> }

/**
 * Checks texts that players trust or download by: new addresses outside this site take a confirmation, and another
 * owner's approval if there is one, as a download does (DESK-30). Existing and removed addresses take neither.
 *
 * @param permission that of the call
 * @param what the text, for the owner who approves it
 * @throws Refusal 403; ApprovalNeeded
 */
export async function approveOutsideLinks(
  { deps: { db, publicUrl }, staff, requirePermission, requireApproval }: Trusting,
  permission: Permission,
  { what, before, after }: { what: string; before: unknown; after: unknown },
): Promise<void> {
  const known = findOutsideLinks(before, publicUrl)
  const added = [...new Set(findOutsideLinks(after, publicUrl))].filter((address) => !known.includes(address)).sort()
  if (added.length === 0) return
  requirePermission(permission)
  if (!(await hasOtherOwner(db, staff.userNum))) return
  const shown = added.length > 3 ? `${added.slice(0, 3).join(', ')} and ${added.length - 3} more` : added.join(', ')
  await requireApproval({
    by: 'owner',
    accounts: [],
    summary: `Show players ${shown} in ${what}`,
    effect: { in: what, addresses: added },
  })
}
