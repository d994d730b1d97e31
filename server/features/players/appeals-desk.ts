import * as calls from '#contract/appeals.ts'
import { refuse } from '#server/errors.ts'
import { type MountedCall, mount } from '#server/http/mount.ts'
import { describeTarget, lockOtherPlayer, requireStaffChangeApproval } from './account-protection.ts'
import { endAppeal, listAppeals, readWaitingAppeal } from './appeals.ts'
import { describeBlock, liftBlock } from './blocks.ts'

/** The desk's calls about appeals against blocks (SUPPORT-2, SUPPORT-3). */
export const appealDeskCalls: MountedCall[] = [
  mount(calls.getAppeals, (filters, { deps, staff }) =>
    listAppeals(deps.browseDb, filters, { staff, now: deps.now() }),
  ),

  mount(calls.decideAppeal, async ({ appeal, outcome, reason: answer }, context) => {
    const { deps, staff, record } = context
    const { db: tx, now } = deps
    const appealRow = await tx
      .selectFrom('block_appeals')
      .where('appeal', '=', appeal)
      .select('user_num')
      .executeTakeFirst()
    if (appealRow === undefined) throw refuse(calls.decideAppeal, 'appealNotFound')
    const account = await lockOtherPlayer(tx, staff, appealRow.user_num)
    const block = await readWaitingAppeal(tx, staff, { appeal, now: now() })
    const decidedBy = staff.userNum
    if (outcome === 'stays') await endAppeal(deps, account, { block: block.block, outcome, answer, by: decidedBy })
    else {
      await liftBlock(deps, account, { expectedBlock: block.block, by: decidedBy, answer })
      await requireStaffChangeApproval(context, account, {
        summary: `Lift the block of ${account.user_id}, who appealed`,
        effect: { block: block.block, appeal, answer },
        what: 'Your account is no longer blocked.',
      })
    }
    const before = describeBlock(block)
    record({
      ...describeTarget(account.user_num),
      before,
      after: { ...(outcome === 'stays' ? before : describeBlock(null)), appeal: outcome },
      reason: answer,
    })
    return {
      message:
        outcome === 'stays' ? 'The block stays, and the player gets an email.' : `${account.user_id} can log in again.`,
    }
  }),
]
