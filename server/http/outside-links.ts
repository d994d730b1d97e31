import { findOutsideLinks } from '#contract/outside-links.ts'
import type { Permission } from '#contract/permissions.ts'
import type { Deps } from '#server/deps.ts'
import { hasOtherOwner } from '../approvals/approvals.ts'
import type { ApprovalTools, DeskTools } from './mount.ts'

type LinkApprovalTools = Pick<DeskTools, 'requirePermission' | 'staff'> &
  Pick<ApprovalTools, 'requireApproval'> & { deps: Pick<Deps, 'db' | 'publicUrl'> }

/**
 * Checks a changed text that players trust. New addresses outside this site need a confirmation, and another owner's approval
 * if there is one, like a download (DESK-30). Existing and removed addresses need neither.
 *
 * @param permission the permission of the call
 * @param what names the text for the owner who approves the change
 * @throws Refusal 403; ApprovalNeeded
 */
export async function approveOutsideLinks(
  { deps: { db, publicUrl }, staff, requirePermission, requireApproval }: LinkApprovalTools,
  permission: Permission,
  { what, before, after }: { what: string; before: unknown; after: unknown },
): Promise<void> {
  const existingAddresses = findOutsideLinks(before, publicUrl)
  const newAddresses = [...new Set(findOutsideLinks(after, publicUrl))]
    .filter((address) => !existingAddresses.includes(address))
    .sort()
  if (newAddresses.length === 0) return
  requirePermission(permission)
  if (!(await hasOtherOwner(db, staff.userNum))) return
  const addressList =
    newAddresses.length > 3
      ? `${newAddresses.slice(0, 3).join(', ')} and ${newAddresses.length - 3} more`
      : newAddresses.join(', ')
  await requireApproval({
    approverKind: 'owner',
    accounts: [],
    summary: `Show players ${addressList} in ${what}`,
    effect: { in: what, addresses: newAddresses },
  })
}
