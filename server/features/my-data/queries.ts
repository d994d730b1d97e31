import { sql } from 'kysely'
import { DAY_MS } from '#contract/durations.ts'
import type { DeletionBlock } from '#contract/my-data.ts'
import type { Db } from '#server/db/open.ts'
import type { Account } from '#server/features/accounts/queries.ts'
import { hasRoleOffer, isStaff } from '#server/features/players/account-protection.ts'

/** A player can make one copy in this time. */
const COPY_INTERVAL_MS = DAY_MS
/** A player can request one deletion in this time. */
const DELETION_INTERVAL_MS = 30 * DAY_MS

/** The event that counts the copies of an account. */
export const COPY_EVENT = 'data-copied'

const findEndOfWait = (lastTime: Date | null | undefined, ms: number, now: Date) =>
  lastTime != null && lastTime.getTime() + ms > now.getTime() ? new Date(lastTime.getTime() + ms) : null

/** Returns when the next copy of an account can be made; null for now. */
export async function findNextCopy(db: Db, userNum: number, now: Date): Promise<Date | null> {
  const row = await db
    .selectFrom('account_events')
    .where('user_num', '=', userNum)
    .where('kind', '=', COPY_EVENT)
    .where('created_at', '>', new Date(now.getTime() - COPY_INTERVAL_MS))
    .select(({ fn }) => fn.max('created_at').as('last'))
    .executeTakeFirst()
  return findEndOfWait(row?.last, COPY_INTERVAL_MS, now)
}

/** Returns when the player can request a deletion again; null for now. Operators' requests do not count. */
export async function findNextDeletion(db: Db, userNum: number, now: Date): Promise<Date | null> {
  const row = await db
    .selectFrom('account_erasures')
    .where('user_num', '=', userNum)
    .where('requested_by', 'is', null)
    .select(({ fn }) => fn.max('requested_at').as('last'))
    .executeTakeFirst()
  return findEndOfWait(row?.last, DELETION_INTERVAL_MS, now)
}

/** Lists the reasons why an account cannot be deleted now, such as open orders. */
export async function listDeletionBlocks(db: Db, account: Account, now: Date): Promise<DeletionBlock[]> {
  const userNum = account.user_num
  const { rows } = await sql<Record<Exclude<DeletionBlock, 'staff'>, boolean>>`
    select
      exists (select from account_blocks where user_num = ${userNum} and lifted_at is null
        and (ends_at is null or ends_at > ${now})) as block,
      exists (select from block_appeals where user_num = ${userNum} and outcome is null) as appeal,
      exists (select from forum_cases c join forum_posts p using (post) where p.author = ${userNum} and c.state = 'open') as forum,
      exists (select from deliveries where (user_num = ${userNum} or deliver_to = ${userNum}) and state = 'queued'
        and not is_service) as delivery,
      exists (select from service_orders where user_num = ${userNum} and state = 'waiting') as service,
      exists (select from letter_gifts where (buyer = ${userNum} or recipient = ${userNum}) and state = 'open') as gift,
      exists (select from approvals where ${userNum}::bigint = any(accounts) and state in ('waiting', 'approved')
        and expires_at > ${now}) as approval`.execute(db)
  const isOperator = isStaff({ ...account, has_role_offer: await hasRoleOffer(db, userNum) })
  const deletionBlocks = Object.entries(rows[0] ?? {}).flatMap(([code, isOpen]) =>
    isOpen ? [code as DeletionBlock] : [],
  )
  return [...(isOperator ? ['staff' as const] : []), ...deletionBlocks]
}
