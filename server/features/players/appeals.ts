import { sql } from 'kysely'
import * as calls from '#contract/appeals.ts'
import { DESK_PAGE_SIZE } from '#contract/desk.ts'
import type { ValidInput } from '#contract/endpoint.ts'
import { APPEAL_ANSWER_PERIOD_MS } from '#contract/limits.ts'
import { isHeldByOther } from '#server/approvals/approvers.ts'
import { escapeLike } from '#server/db/like.ts'
import type { Db } from '#server/db/open.ts'
import type { Deps } from '#server/deps.ts'
import { refuse } from '#server/errors.ts'
import type { Account } from '#server/features/accounts/queries.ts'
import { combineConditions, createNumberOrder, cutPage, type RowOf } from '#server/http/desk-lists.ts'
import type { Staff } from '#server/http/staff.ts'
import { enqueueMail } from '#server/mail/outbox.ts'
import { type MailSiteDeps, readMailSite } from '#server/mail/site.ts'
import { mails } from '#server/mail/templates.ts'

/** Returns whether an appeal against a block waits. */
export async function hasWaitingAppeal(tx: Db, block: number): Promise<boolean> {
  const waitingAppeals = tx.selectFrom('block_appeals').where('block', '=', block).where('outcome', 'is', null)
  return (await waitingAppeals.select('appeal').executeTakeFirst()) !== undefined
}

type AppealDecision = { block: number; outcome: 'lifted' | 'stays'; answer: string; by: number | null }

/**
 * Decides the waiting appeal against a block, if there is one, and mails the player the answer. The caller holds the
 * account's lock.
 */
export async function endAppeal(
  deps: MailSiteDeps & Pick<Deps, 'db' | 'now'>,
  { user_id, user_email }: Account,
  { block, outcome, answer, by }: AppealDecision,
): Promise<void> {
  const { db: tx, now } = deps
  const endedAppeal = await tx
    .updateTable('block_appeals')
    .set({ outcome, reply: answer, decided_by: by, decided_at: now() })
    .where('block', '=', block)
    .where('outcome', 'is', null)
    .returning('appeal')
    .executeTakeFirst()
  if (endedAppeal === undefined) return
  const mail = mails.appealDecided(await readMailSite(deps), user_id, { isLifted: outcome === 'lifted', answer })
  await enqueueMail(tx, user_email, mail, now())
}

/**
 * Returns a waiting appeal with its block, if the operator may decide about it (SUPPORT-4). The caller holds the account's
 * lock.
 *
 * @throws Refusal 403, 409
 */
export async function readWaitingAppeal(tx: Db, staff: Staff, { appeal, now }: { appeal: number; now: Date }) {
  const waitingAppeal = await tx
    .selectFrom('block_appeals as p')
    .innerJoin('account_blocks as b', 'b.block', 'p.block')
    .where('p.appeal', '=', appeal)
    .where('p.outcome', 'is', null)
    .where('b.lifted_at', 'is', null)
    .where((eb) => eb.or([eb('b.ends_at', 'is', null), eb('b.ends_at', '>', now)]))
    .select(['b.block', 'b.reason', 'b.note', 'b.ends_at', 'b.blocked_by'])
    .executeTakeFirst()
  if (waitingAppeal === undefined) throw refuse(calls.decideAppeal, 'decided')
  const isOwnBlock = waitingAppeal.blocked_by === staff.userNum
  if (isOwnBlock && (await isHeldByOther(tx, 'players.block', staff.userNum)))
    throw refuse(calls.decideAppeal, 'ownBlock')
  return waitingAppeal
}

type AppealRow = Omit<RowOf<typeof calls.getAppeals>, 'state' | 'due_at' | 'why_not' | 'made_at'> & {
  made_at: Date
  outcome: 'lifted' | 'stays' | null
  is_on: boolean
  blocker: number | null
}

/** Lists a page of the appeals that an operator may see. */
export async function listAppeals(
  db: Db,
  { after, sort, state, q }: ValidInput<typeof calls.getAppeals>,
  { staff, now }: { staff: Staff; now: Date },
) {
  const { condition: isAfterCursor, order } = createNumberOrder('p.appeal', after, sort === 'appeal')
  const isBlockActive = sql`(b.lifted_at is null and (b.ends_at is null or b.ends_at > ${now}))`
  const stateConditions = {
    waiting: sql`p.outcome is null and ${isBlockActive}`,
    over: sql`p.outcome is null and not ${isBlockActive}`,
    lifted: sql`p.outcome = 'lifted'`,
    stays: sql`p.outcome = 'stays'`,
  }
  const conditions = combineConditions([
    state !== '' && stateConditions[state],
    q !== '' && sql`lower(a.user_id) like ${`${escapeLike(q.toLowerCase())}%`}`,
    isAfterCursor,
  ])
  const { rows } = await sql<AppealRow>`
    select p.appeal, p.user_num, a.user_id, p.text, p.made_at, p.outcome, ${isBlockActive} as is_on, b.reason, b.note,
      b.starts_at as blocked_at, b.ends_at, b.blocked_by as blocker, by.user_id as blocked_by, p.reply as answer,
      d.user_id as decided_by, p.decided_at
    from block_appeals p
    join account_blocks b using (block)
    join accounts a on a.user_num = p.user_num
    left join accounts by on by.user_num = b.blocked_by
    left join accounts d on d.user_num = p.decided_by
    where ${conditions} order by ${order} limit ${DESK_PAGE_SIZE + 1}`.execute(db)
  const canOthersDecide = await isHeldByOther(db, 'players.block', staff.userNum)
  return cutPage(
    rows,
    ({ appeal }) => appeal,
    ({ outcome, is_on, blocker, ...row }) => ({
      ...row,
      state: outcome ?? (is_on ? ('waiting' as const) : ('over' as const)),
      due_at: new Date(row.made_at.getTime() + APPEAL_ANSWER_PERIOD_MS),
      why_not: canOthersDecide && blocker === staff.userNum ? calls.decideAppeal.errors.ownBlock.message : null,
    }),
  )
}
