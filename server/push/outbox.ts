import { type RawBuilder, sql } from 'kysely'
import { HOUR_MS } from '#contract/durations.ts'
import type { PushKind } from '#contract/push.ts'
import type { Db } from '#server/db/open.ts'

/** The age at which an unsent message is no longer useful. */
const MESSAGE_LIFETIME_MS = 6 * HOUR_MS
/** How long a claim lasts. */
const CLAIM_LEASE = sql`interval '1 minute'`
const DUE_CONDITION = sql`next_attempt_at <= clock_timestamp()`

/** The content of a message: its kind and its sender. */
export type Push = { kind: PushKind; sender: string }

/**
 * Queues a message to the devices of accounts that want its kind, in the transaction of its cause. Queues no second message
 * of the same kind for a device.
 *
 * @param options.condition a condition on the subscription `s`
 */
export async function enqueuePushes(
  tx: Db,
  { kind, sender, condition, now }: Push & { condition: RawBuilder<unknown>; now: Date },
): Promise<void> {
  await sql`
    insert into push_outbox (subscription, kind, sender, created_at)
    select s.subscription, ${kind}, ${sender}, ${now}::timestamptz from push_subscriptions s
    where ${kind} = any(s.kinds) and ${condition}
    on conflict (subscription, kind) do nothing`.execute(tx)
}

export type DuePush = Push & {
  push: number
  attempts: number
  subscription: number
  user_num: number
  endpoint: string
  p256dh: string
  auth: string
}

/** Returns whether a message is due. */
export async function hasDuePush(db: Db): Promise<boolean> {
  const { rows } = await sql<{
    due: boolean
  }>`select exists (select from push_outbox where ${DUE_CONDITION}) as due`.execute(db)
  return rows[0]?.due === true
}

/** Claims the message that has been due longest, and counts the attempt. */
export async function claimPush(db: Db): Promise<DuePush | undefined> {
  const { rows } = await sql<DuePush>`
    with claimed as (
      update push_outbox set attempts = attempts + 1, next_attempt_at = clock_timestamp() + ${CLAIM_LEASE}
      where push = (
        select push from push_outbox where ${DUE_CONDITION} order by next_attempt_at, push limit 1 for update skip locked)
      returning push, subscription, kind, sender, attempts)
    select c.push, c.kind, c.sender, c.attempts, s.subscription, s.user_num, s.endpoint, s.p256dh, s.auth
    from claimed c join push_subscriptions s using (subscription)`.execute(db)
  return rows[0]
}

/** Deletes a message that was sent or is no longer wanted. */
export const deletePush = (db: Db, { push }: DuePush) => db.deleteFrom('push_outbox').where('push', '=', push).execute()

/** Removes a device that its push service no longer accepts, with its queued messages (PUSH-4). */
export const deleteDevice = (db: Db, { subscription }: DuePush) =>
  db.deleteFrom('push_subscriptions').where('subscription', '=', subscription).execute()

/** Tries a message again after 1, 2, 4 … minutes. */
export const delayPush = (db: Db, { push, attempts }: DuePush) =>
  db
    .updateTable('push_outbox')
    .set({ next_attempt_at: sql`clock_timestamp() + ${2 ** Math.min(attempts - 1, 7)} * interval '1 minute'` })
    .where('push', '=', push)
    .where('attempts', '=', attempts)
    .execute()

/** Deletes messages that were queued too long ago. */
export async function deleteOldPushes(db: Db, now: Date): Promise<void> {
  await db
    .deleteFrom('push_outbox')
    .where('created_at', '<', new Date(now.getTime() - MESSAGE_LIFETIME_MS))
    .execute()
}
