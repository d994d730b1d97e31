import { sql } from 'kysely'
import { DAY_MS } from '#contract/durations.ts'
import { getOccurrences, REMINDER_BEFORE_MS } from '#contract/events.ts'
import { formatManilaMinute } from '#contract/manila.ts'
import type { Db } from '#server/db/open.ts'
import type { Deps } from '#server/deps.ts'
import { sendLetterToEach } from '#server/features/mailbox/letters.ts'
import { type EventRow, endsAfter } from './queries.ts'

type JobDeps = Pick<Deps, 'db' | 'now'> & { signal: AbortSignal }

type RemindableEvent = Pick<
  EventRow,
  | 'starts_at'
  | 'ends_at'
  | 'repeats'
  | 'weekdays'
  | 'repeats_until'
  | 'exceptions'
  | 'visible'
  | 'cancelled_why'
  | 'reminded_of'
>

/** Returns the start of the next occurrence for which no reminder was sent; null if there is none. */
function findNextReminder(event: RemindableEvent, now: Date): Date | null {
  if (!event.visible || event.cancelled_why !== '') return null
  const searchFrom = Math.max(now.getTime(), event.reminded_of?.getTime() ?? 0)
  const occurrences = getOccurrences(event, { from: searchFrom, until: Number.POSITIVE_INFINITY, limit: 2 })
  const occurrence = occurrences.find(({ from }) => from > searchFrom)
  return occurrence === undefined ? null : new Date(occurrence.from)
}

/** Returns when to send the next reminder of an event; null if it has no later occurrence. */
export function getReminderTime(event: RemindableEvent, now: Date): Date | null {
  const nextStart = findNextReminder(event, now)
  return nextStart && new Date(nextStart.getTime() - REMINDER_BEFORE_MS)
}

/** Returns whether a reminder is due, by the database's clock. */
export async function hasDueReminder(db: Db): Promise<boolean> {
  const { rows } = await sql<{ due: boolean }>`
    select exists (select from events where remind_at <= clock_timestamp()) as due`.execute(db)
  return rows[0]?.due === true
}

/** Sends reminders of events that are about to begin. A trigger queues the posts to Discord (DISCORD-1). */
export async function sendDueReminders({ db, now, signal }: JobDeps): Promise<void> {
  const dueEvents = await db
    .selectFrom('events')
    .where('remind_at', '<=', now())
    .select('event')
    .orderBy('remind_at')
    .limit(100)
    .execute()
  for (const { event } of dueEvents) {
    signal.throwIfAborted()
    await sendReminders(db, event, now())
  }
}

/**
 * Sends a letter to each subscriber of an event and stores the time of the next reminder, in one transaction
 * (EVENT-7). Sends no letter if the occurrence has already begun. For a repeated event, deletes the requests of
 * subscribers who wanted only one reminder.
 */
function sendReminders(db: Db, event: number, now: Date): Promise<void> {
  return db.transaction().execute(async (tx) => {
    const row = await tx.selectFrom('events').where('event', '=', event).selectAll().forUpdate().executeTakeFirst()
    if (row === undefined || row.remind_at === null || row.remind_at > now) return
    const startsAt = findNextReminder(row, now)
    const isSoon = startsAt !== null && startsAt.getTime() - REMINDER_BEFORE_MS <= now.getTime()
    if (isSoon)
      await notifySubscribers(tx, row, { subject: `${row.title} begins soon`, body: writeReminder(row, startsAt), now })
    if (row.repeats !== 'once')
      await tx.deleteFrom('event_reminders').where('event', '=', event).where('every_time', '=', false).execute()
    const updatedRow = isSoon ? { ...row, reminded_of: startsAt } : row
    await tx
      .updateTable('events')
      .set({
        reminded_of: updatedRow.reminded_of,
        remind_at: getReminderTime(updatedRow, now),
      })
      .where('event', '=', event)
      .execute()
  })
}

const writeReminder = ({ title }: EventRow, startsAt: Date) =>
  `${title} begins at ${formatManilaMinute(startsAt)}, Manila time.\n\nYou asked to be reminded. You can turn this off on the event’s page.`

/** Sends a letter to the subscribers of an event, in the caller's transaction. */
export async function notifySubscribers(
  tx: Db,
  { event }: Pick<EventRow, 'event'>,
  { subject, body, now }: { subject: string; body: string; now: Date },
): Promise<void> {
  const subscribers = await tx.selectFrom('event_reminders').where('event', '=', event).select('user_num').execute()
  const userNums = subscribers.map(({ user_num }) => user_num)
  if (userNums.length > 0)
    await sendLetterToEach(tx, userNums, { kind: 'event', subject, body, link: `/events/${event}`, now })
}

/**
 * Deletes the requests for reminders of events that ended more than a day ago (EVENT-7). Until then an event can still be
 * postponed.
 */
export async function sweepReminders(db: Db, now: Date): Promise<void> {
  await db
    .deleteFrom('event_reminders')
    .where('event', 'not in', (eb) =>
      eb
        .selectFrom('events')
        .where(endsAfter(new Date(now.getTime() - DAY_MS)))
        .select('event'),
    )
    .execute()
}
