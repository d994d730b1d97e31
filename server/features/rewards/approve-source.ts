import { approveRewards } from '#contract/desk-rewards.ts'
import type { RewardSource } from '#contract/rewards.ts'
import { findApprovalBlockReason, selectApprovers } from '#server/approvals/approvers.ts'
import type { Deps } from '#server/deps.ts'
import { Refusal, refuse } from '#server/errors.ts'
import { type MountedCall, mount } from '#server/http/mount.ts'
import type { Staff } from '#server/http/staff.ts'
import { selectUserIds } from '#server/http/staff.ts'
import { approve, lockSources } from './charges.ts'
import { computePayout, describeSource, hashSource, readSourceState } from './source-state.ts'

/** Returns who approved a source in its current state, who raised it since, and why the caller cannot approve it. */
export async function readSourceApproval(deps: Deps, staff: Staff, source: RewardSource) {
  const { db } = deps
  const state = await readSourceState(deps, source)
  const { raised_by, approved_by } = await db
    .selectFrom('reward_sources')
    .where('source', '=', source)
    .select(['raised_by', 'approved_by'])
    .executeTakeFirstOrThrow()
  const charge = await db
    .selectFrom('reward_charges')
    .where('source', '=', source)
    .where('until_at', 'is', null)
    .select('actor')
    .executeTakeFirst()
  const names = await selectUserIds(db, [...raised_by, approved_by, charge?.actor ?? null])
  return {
    pays: computePayout(state),
    raised_by: raised_by.flatMap((userNum) => names.get(userNum) ?? []),
    charged_to: names.get(charge?.actor ?? 0) ?? null,
    approved_by: names.get(approved_by ?? 0) ?? null,
    content_hash: hashSource(state),
    why_not: await findSourceBlockReason(deps, staff, { raised_by, approved_by }),
  }
}

/** @returns why this operator cannot approve a source, or null */
async function findSourceBlockReason(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  staff: Staff,
  { raised_by, approved_by }: { raised_by: readonly number[]; approved_by: number | null },
): Promise<string | null> {
  if (approved_by !== null) return 'It is approved.'
  if (raised_by.length === 1 && raised_by[0] === staff.userNum)
    return 'You raised it yourself, so another owner has to approve it.'
  const [approver] = await selectApprovers(db, staff.userNum)
  const request = { requested_by: 0, accounts: [], only_owner: true }
  return findApprovalBlockReason(approver, staff, request, now())
}

/** The call by which an owner approves a source of rewards (REWARD-10). */
export const approveSourceCall: MountedCall = mount(approveRewards, async ({ source, content_hash }, context) => {
  const { deps, staff, record } = context
  const { db: tx } = deps
  await lockSources(tx, [source])
  const state = await readSourceState(deps, source)
  if (hashSource(state) !== content_hash) throw refuse(approveRewards, 'changedSince')
  const row = await tx
    .selectFrom('reward_sources')
    .where('source', '=', source)
    .select(['raised_by', 'approved_by'])
    .executeTakeFirstOrThrow()
  const reason = await findSourceBlockReason(deps, staff, row)
  if (reason !== null) throw new Refusal(403, 'not-yours', reason)
  await approve(deps, { source, payout: computePayout(state), by: staff.userNum })
  record({ target: ['rewards', source], after: { approved: describeSource(state) } })
  return {
    message: row.raised_by.includes(staff.userNum)
      ? 'Approved, except for your own changes. They count against your limit until another owner approves them.'
      : 'Approved. It no longer counts against anyone’s limit.',
  }
})
