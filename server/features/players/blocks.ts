import { blockPlayer, unblockPlayer } from '#contract/players.ts'
import { isBlockedNow } from '#server/db/blocked.ts'
import type { Db } from '#server/db/open.ts'
import type { Deps } from '#server/deps.ts'
import { refuse } from '#server/errors.ts'
import { recordEvent } from '#server/features/accounts/events.ts'
import { type Account, endSessions } from '#server/features/accounts/queries.ts'
import type { MailSiteDeps } from '#server/mail/site.ts'
import { endAppeal, hasWaitingAppeal } from './appeals.ts'
import { SUPPORT } from './recover.ts'

/** Selects the active block; null for none. A block that was set in the database has no number. */
async function selectOpenBlock(tx: Db, account: Account, now: Date) {
  if (!isBlockedNow(account, now)) return null
  const openBlock = await tx
    .selectFrom('account_blocks')
    .where('user_num', '=', account.user_num)
    .where('lifted_at', 'is', null)
    .selectAll()
    .executeTakeFirst()
  return openBlock ?? { block: null, reason: '', note: '', starts_at: account.blocked_at, ends_at: null }
}

type BlockChange = {
  expectedBlock: number | null
  reason: string
  note: string
  endsAt: Date | null
  by: number | null
  now: Date
}

/**
 * Blocks an account or changes its block, unless an appeal waits (SUPPORT-4), and ends its sessions. The caller holds the
 * account's lock.
 *
 * @returns the previous block
 * @throws Refusal 409 if the block has changed since it was read or has a waiting appeal, 422 for an end in the past
 */
export async function blockAccount(
  tx: Db,
  account: Account,
  { expectedBlock, reason, note, endsAt, by, now }: BlockChange,
) {
  const userNum = account.user_num
  const blockBefore = await selectOpenBlock(tx, account, now)
  if ((blockBefore?.block ?? null) !== expectedBlock) throw refuse(blockPlayer, 'conflict')
  if (blockBefore?.block != null && (await hasWaitingAppeal(tx, blockBefore.block)))
    throw refuse(blockPlayer, 'appealed')
  if (endsAt !== null && endsAt <= now) throw refuse(blockPlayer, 'endsInThePast')
  // Also ends an expired block, whose end does not change.
  await tx
    .updateTable('account_blocks')
    .set((eb) => ({
      lifted_at: eb.fn<Date>('least', ['ends_at', eb.val(now)]),
      lifted_by: blockBefore === null ? null : by,
    }))
    .where('user_num', '=', userNum)
    .where('lifted_at', 'is', null)
    .execute()
  await tx
    .insertInto('account_blocks')
    .values({
      user_num: userNum,
      reason,
      note,
      starts_at: now,
      ends_at: endsAt,
      blocked_by: by,
      lifted_at: null,
      lifted_by: null,
    })
    .execute()
  await endSessions(tx, userNum)
  await recordEvent(tx, { userNum, kind: 'blocked', caller: SUPPORT, note: reason, now })
  return blockBefore
}

/**
 * Lifts a block, and decides a waiting appeal against it in the player's favor. The caller holds the account's lock.
 *
 * @param lift.answer the answer to the player's appeal
 * @throws Refusal 409 if there is no block, or it has changed since it was read
 */
export async function liftBlock(
  deps: MailSiteDeps & Pick<Deps, 'db' | 'now'>,
  account: Account,
  { expectedBlock, by, answer = '' }: { expectedBlock: number | null; by: number | null; answer?: string },
) {
  const { db: tx } = deps
  const now = deps.now()
  const userNum = account.user_num
  const blockBefore = await selectOpenBlock(tx, account, now)
  if (blockBefore === null) throw refuse(unblockPlayer, 'notBlocked')
  if (blockBefore.block !== expectedBlock) throw refuse(unblockPlayer, 'conflict')
  if (blockBefore.block === null)
    await tx
      .updateTable('accounts')
      .set({ blocked_at: null, blocked_until: null })
      .where('user_num', '=', userNum)
      .execute()
  else
    await tx
      .updateTable('account_blocks')
      .set({ lifted_at: now, lifted_by: by })
      .where('block', '=', blockBefore.block)
      .execute()
  if (blockBefore.block !== null)
    await endAppeal(deps, account, { block: blockBefore.block, outcome: 'lifted', answer, by })
  await recordEvent(tx, { userNum, kind: 'unblocked', caller: SUPPORT, now })
  return blockBefore
}

/** Describes a block for the audit log. */
export const describeBlock = (block: { reason: string; note: string; ends_at: Date | null } | null) =>
  block === null
    ? { blocked: false }
    : { blocked: true, ends_at: block.ends_at, block_reason: block.reason, note: block.note }
