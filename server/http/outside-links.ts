import type { Permission } from '#contract/permissions.ts'
import type { Deps } from '#server/deps.ts'
import { hasOtherOwner } from './approvals.ts'
import type { ApprovalTools, DeskTools } from './mount.ts'

/** Addresses with a scheme (also of an app, such as tg:) or without one, mail addresses, and names of hosts as people type them. */
const ADDRESS = new RegExp(
  [
    String.raw`(?:https?:[\\/]*|\b[a-z][a-z0-9+.-]*:\/\/|[\\/]{2})[^\s"'<>]+`,
    String.raw`\b(?:viber|tg|whatsapp|fb-messenger|magnet|javascript|data):[^\s"'<>]+`,
    String.raw`\bwww\.[^\s"'<>]+`,
    String.raw`[^\s"'<>@:/]+@[^\s"'<>@]+\.[a-z]{2,}`,
    String.raw`(?<![\w/.@-])(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?\.)+(?:[\p{L}]{2,}(?=[/:?#][^\s"'<>])[^\s"'<>]+|(?:com|net|org|info|biz|io|gg|ph|me|co|tv|ly|app|dev|link|site|online|xyz|top|club|shop|live|example)\b(?!\.[\p{L}\p{N}]))`,
  ].join('|'),
  'giu',
)

/** Returns the addresses in texts of a value that lead outside this site: web and email addresses, linked or not. */
export function findOutsideLinks(value: unknown, publicUrl: string): string[] {
  if (typeof value === 'object' && value !== null)
    return Object.values(value).flatMap((part) => findOutsideLinks(part, publicUrl))
  if (typeof value !== 'string') return []
  const own = new URL(publicUrl).host
  return (value.match(ADDRESS) ?? []).filter((address) => {
    const host = /^(?:(?:https?:)?\/\/(?:[^\\/?#@]*@)?)?([^\\/?#@]*)/i.exec(address)?.[1]
    return host?.toLowerCase() !== own
  })
}

type Trusting = Pick<DeskTools, 'requirePermission' | 'staff'> &
  Pick<ApprovalTools, 'requireApproval'> & { deps: Pick<Deps, 'db' | 'publicUrl'> }

/**
 * Checks texts that players trust or download by: new addresses outside this site take a confirmation, and another
 * owner's approval where there is one, as a download does (DESK-30). Existing and removed addresses take neither.
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
