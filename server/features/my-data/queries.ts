import { sql } from 'kysely'
import { DAY_MS } from '#contract/durations.ts'
import type { DeletionBlock } from '#contract/my-data.ts'
import type { Db } from '#server/db/open.ts'
import type { Account } from '#server/features/accounts/queries.ts'
import { hasRoleOffer, isStaff } from '#server/features/players/reach.ts'

/** A player can make one copy in this time. */
const COPY_EVERY_MS = DAY_MS
/** A player can request one deletion in this time. */
const DELETION_EVERY_MS = 30 * DAY_MS

/** The event that counts the copies of an account. */
export const COPIED = 'data-copied'

const addTo = (last: Date | null | undefined, ms: number, now: Date) =>
  last != null && last.getTime() + ms > now.getTime() ? new Date(last.getTime() + ms) : null

/** Returns when the next copy of an account can be made; null for now. */
export async function findNextCopy(db: Db, userNum: number, now: Date): Promise<Date | null> {
  const row = await db
    .selectFrom('account_events')
    .where('user_num', '=', userNum)
    .where('kind', '=', COPIED)
    .where('created_at', '>', new Date(now.getTime() - COPY_EVERY_MS))
    .select(({ fn }) => fn.max('created_at').as('last'))
    .executeTakeFirst()
  return addTo(row?.last, COPY_EVERY_MS, now)
}

/** Returns when the player can request a deletion again; null for now. Operators' requests do not count. */
export async function findNextDeletion(db: Db, userNum: number, now: Date): Promise<Date | null> {
  const row = await db
    .selectFrom('account_erasures')
    .where('user_num', '=', userNum)
    .where('requested_by', 'is', null)
    .select(({ fn }) => fn.max('requested_at').as('last'))
    .executeTakeFirst()
  return addTo(row?.last, DELETION_EVERY_MS, now)
}

/** Lists the reasons why an account cannot be deleted now, such as open orders. */
export async function listDeletionBlocks(db: Db, account: Account, now: Date): Promise<DeletionBlock[]> {
  const n = account.user_num
  const { rows } = await sql<Record<Exclude<DeletionBlock, 'staff'>, boolean>>`
    select
      exists (select from account_blocks where user_num = ${n} and lifted_at is null
        and (ends_at is null or ends_at > ${now})) as block,
      exists (select from block_appeals where user_num = ${n} and outcome is null) as appeal,
      exists (select from forum_cases c join forum_posts p using (post) where p.author = ${n} and c.state = 'open') as forum,
      exists (select from deliveries where (user_num = ${n} or deliver_to = ${n}) and state = 'queued'
        and not is_service) as delivery,
      exists (select from service_orders where user_num = ${n} and state = 'waiting') as service,
      exists (select from letter_gifts where (buyer = ${n} or recipient = ${n}) and state = 'open') as gift,
      exists (select from approvals where ${n}::bigint = any(accounts) and state in ('waiting', 'approved')
        and expires_at > ${now}) as approval`.execute(db)
  const works = isStaff({ ...account, has_role_offer: await hasRoleOffer(db, n) })
  const open = Object.entries(rows[0] ?? {}).flatMap(([code, isOpen]) => (isOpen ? [code as DeletionBlock] : []))
  return [...(works ? ['staff' as const] : []), ...open]
}
