import { ADMIN_USER_TYPE } from '#contract/limits.ts'
import * as calls from '#contract/players.ts'
import type { ApprovalSubject } from '#server/approvals/approvals.ts'
import type { Db } from '#server/db/open.ts'
import type { Deps } from '#server/deps.ts'
import { refuse } from '#server/errors.ts'
import { type Account, selectAccount } from '#server/features/accounts/queries.ts'
import { selectOfferedRoles } from '#server/features/staff/members.ts'
import { lockOwners, requireOwnerApproval } from '#server/features/staff/owners.ts'
import type { ApprovalTools, DeskTools } from '#server/http/mount.ts'
import type { Staff } from '#server/http/staff.ts'
import { enqueueMail } from '#server/mail/outbox.ts'
import { readMailSite } from '#server/mail/site.ts'
import { mails } from '#server/mail/templates.ts'

/** Returns whether an account has an open role offer. */
export const hasRoleOffer = async (tx: Db, userNum: number) => (await selectOfferedRoles(tx, userNum)).length > 0

/**
 * Locks and returns a player's account.
 *
 * @throws Refusal 404 for a number without an account, 409 for an account whose personal data was erased
 */
export async function lockPlayer(tx: Db, userNum: number): Promise<PlayerAccount> {
  const accountRow = await tx
    .selectFrom('accounts')
    .where('user_num', '=', userNum)
    .select('erased_at')
    .executeTakeFirst()
  if (accountRow === undefined) throw refuse(calls.blockPlayer, 'playerNotFound')
  const account = await selectAccount(tx, userNum, 'for change')
  if (account.erased_at !== null) throw refuse(calls.blockPlayer, 'erased')
  return { ...account, has_role_offer: await hasRoleOffer(tx, userNum) }
}

/** An account, and whether it has a role offer, which protects it like an operator's account. */
type PlayerAccount = Account & { has_role_offer: boolean }

/** Returns whether an account is an operator's, or becomes an operator's when its player accepts a role. */
export const isStaff = ({ user_type, has_role_offer }: Pick<PlayerAccount, 'user_type' | 'has_role_offer'>) =>
  user_type >= ADMIN_USER_TYPE || has_role_offer

/**
 * Locks the account of a player whom an operator blocks, unblocks or changes. Operators cannot act on themselves, and only
 * those who manage staff can act on staff, because otherwise anyone who answers tickets could take over an owner.
 *
 * @throws Refusal 403, 404, 409
 */
export async function lockOtherPlayer(tx: Db, staff: Staff, userNum: number): Promise<PlayerAccount> {
  if (userNum === staff.userNum) throw refuse(calls.blockPlayer, 'own')
  const accountRow = await tx
    .selectFrom('accounts')
    .where('user_num', '=', userNum)
    .select('user_type')
    .executeTakeFirst()
  if (accountRow !== undefined && isStaff({ ...accountRow, has_role_offer: await hasRoleOffer(tx, userNum) }))
    await lockOwners(tx)
  const account = await lockPlayer(tx, userNum)
  if (isStaff(account) && !staff.permissions.has('staff.write')) throw refuse(calls.blockPlayer, 'staffOnly')
  return account
}

type StaffChange = Pick<ApprovalSubject, 'summary' | 'effect'> & { what: string; address?: string }

/**
 * Requires an owner's approval for a change to a staff member's account, and mails the staff member. Call this after all
 * other checks, so that owners never have to approve a change that would be refused.
 *
 * @param change.what describes the change in the mail
 * @param change.address receives the mail; the default is the account's address
 * @throws ApprovalNeeded, Refusal 409
 */
export async function requireStaffChangeApproval(
  context: DeskTools & ApprovalTools & { deps: Deps },
  account: PlayerAccount,
  change: StaffChange,
): Promise<void> {
  if (!isStaff(account)) return
  const { deps, staff } = context
  const { user_num, user_id, user_email } = account
  const { summary, effect, what, address = user_email } = change
  await requireOwnerApproval(deps.db, context, account, { summary, effect: { account: user_num, user_id, ...effect } })
  await enqueueMail(
    deps.db,
    address,
    mails.staffAccount(await readMailSite(deps), user_id, { what, by: staff.userId }),
    deps.now(),
  )
}

/** Returns the audit target of a call about a player. */
export const describeTarget = (userNum: number) => ({ target: ['player', userNum] as const, player: userNum })
