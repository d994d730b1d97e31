import { type ExpressionBuilder, type Selectable, sql } from 'kysely'
import { DAY_MS } from '#contract/durations.ts'
import { getNextOccurrence, getOccurrences, type Occurrence, type Period } from '#contract/events.ts'
import type { Db } from '#server/db/open.ts'
import type { Schema } from '#server/db/schema.ts'

export type EventRow = Selectable<Schema['events']>

/** The most events that are read for a list. A site plans a few each week. */
const EVENTS_MAX = 300
/** The most occurrences that a list shows. */
const OCCURRENCES_MAX = 500
/** The most results that an event's page shows. */
const RESULTS_MAX = 60

/** Builds the condition that an occurrence of an event ends, or may end, after a moment. */
export const endsAfter = (moment: Date) => (eb: ExpressionBuilder<Schema, 'events'>) =>
  eb.or([
    eb('ends_at', '>', moment),
    eb.and([
      eb('repeats', '<>', 'once'),
      eb.or([
        eb('repeats_until', 'is', null),
        // A repeated event lasts at most a week, and one occurrence can be moved by at most a week and half a day.
        eb('repeats_until', '>', new Date(moment.getTime() - 7 * DAY_MS)),
        eb.and([
          eb(sql<string>`exceptions::text`, '<>', '[]'),
          eb('repeats_until', '>', new Date(moment.getTime() - 15 * DAY_MS)),
        ]),
      ]),
    ]),
  ])

const selectVisibleEvents = (db: Db) => db.selectFrom('events').where('visible', '=', true).selectAll()

/** Returns a list's entry for an occurrence of an event. */
const toOccurrence = (row: EventRow, { from, until }: Occurrence) => ({
  event: row.event,
  title: row.title,
  prize: row.prize,
  picture: row.picture,
  starts_at: new Date(from),
  ends_at: new Date(until),
  repeats: row.repeats,
  weekdays: row.weekdays,
  cancelled: row.cancelled_why !== '',
})

const compareStarts = (a: { starts_at: Date; event: number }, b: { starts_at: Date; event: number }) =>
  a.starts_at.getTime() - b.starts_at.getTime() || a.event - b.event

/** Lists the occurrences of all visible events in a period, earliest first. */
export async function listOccurrences(db: Db, { from, until }: Period) {
  const rows = await selectVisibleEvents(db)
    // The first occurrence can be moved to an earlier day.
    .where('starts_at', '<', new Date(until + 8 * DAY_MS))
    .where(endsAfter(new Date(from)))
    .orderBy('starts_at', 'desc')
    .limit(EVENTS_MAX)
    .execute()
  const occurrences = rows.flatMap((row) =>
    getOccurrences(row, { from, until }).map((occurrence) => toOccurrence(row, occurrence)),
  )
  return occurrences.sort(compareStarts).slice(0, OCCURRENCES_MAX)
}

/** Lists running and future events that are not cancelled, each at its current or next occurrence. */
export async function listUpcoming(db: Db, now: Date, max: number) {
  const rows = await selectVisibleEvents(db)
    .where('cancelled_why', '=', '')
    .where(endsAfter(now))
    .orderBy('starts_at')
    .limit(EVENTS_MAX)
    .execute()
  const occurrences = rows.flatMap((row) => {
    const occurrence = getNextOccurrence(row, now.getTime())
    return occurrence === undefined ? [] : [toOccurrence(row, occurrence)]
  })
  return occurrences.sort(compareStarts).slice(0, max)
}

/** Selects the events of a calendar file, from the last month on, the earliest first. */
export const selectCalendarEvents = (db: Db, now: Date): Promise<EventRow[]> =>
  selectVisibleEvents(db)
    .where(endsAfter(new Date(now.getTime() - 31 * DAY_MS)))
    .orderBy('starts_at')
    .limit(EVENTS_MAX)
    .execute()

/** Selects an event that players can see. */
export const selectVisibleEvent = (db: Db, event: number): Promise<EventRow | undefined> =>
  selectVisibleEvents(db).where('event', '=', event).executeTakeFirst()

/** Selects the results of an event's occurrences, the latest first. */
export const selectResults = (db: Db, event: number) =>
  db
    .selectFrom('event_results')
    .where('event', '=', event)
    .select(['starts_at', 'result'])
    .orderBy('starts_at', 'desc')
    .limit(RESULTS_MAX)
    .execute()

/** Selects an event for its page; undefined if players can't see it. */
export async function findEvent(db: Db, event: number, now: Date) {
  const row = await selectVisibleEvent(db, event)
  if (row === undefined) return undefined
  const news =
    row.news === null
      ? undefined
      : await db
          .selectFrom('news')
          .where('id', '=', row.news)
          .where('published', '=', true)
          .where((eb) => eb.or([eb('created_at', 'is', null), eb('created_at', '<=', now)]))
          .select('id')
          .executeTakeFirst()
  return {
    ...row,
    news: news?.id ?? null,
    cancelled: row.cancelled_why !== '',
    results: await selectResults(db, event),
  }
}

/** Counts the subscribers of an event. */
export async function countReminders(db: Db, event: number): Promise<number> {
  const query = db
    .selectFrom('event_reminders')
    .where('event', '=', event)
    .select(({ fn }) => fn.countAll<number>().as('total'))
  return Number((await query.executeTakeFirstOrThrow()).total)
}
