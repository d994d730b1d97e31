import { sql } from 'kysely'
import { DESK_PAGE_SIZE } from '#contract/desk.ts'
import * as calls from '#contract/desk-events.ts'
import { DAY_MS } from '#contract/durations.ts'
import type { ValidInput } from '#contract/endpoint.ts'
import { type EventException, getNextOccurrence, getOccurrences } from '#contract/events.ts'
import type { Db } from '#server/db/open.ts'
import { refuse } from '#server/errors.ts'
import { cutPage, parseCursor } from '#server/http/desk-lists.ts'
import { type MountedCall, mount } from '#server/http/mount.ts'
import { getReminderTime, notifySubscribers } from './jobs.ts'
import { countReminders, type EventRow, endsAfter, selectResults } from './queries.ts'

/** The number of past times for which operators can enter a result. */
const PAST_TIMES_MAX = 8

const readEvent = (db: Db, event: number): Promise<EventRow | undefined> =>
  db.selectFrom('events').where('event', '=', event).selectAll().executeTakeFirst()

const AUDITED_FIELDS = [
  'title',
  'about',
  'picture',
  'prize',
  'board',
  'news',
  'starts_at',
  'ends_at',
  'repeats',
  'weekdays',
  'repeats_until',
  'exceptions',
  'visible',
  'club_war',
  'cancelled_why',
] as const

const toAuditValues = (row: Pick<EventRow, (typeof AUDITED_FIELDS)[number]>) =>
  Object.fromEntries(AUDITED_FIELDS.map((name) => [name, row[name]]))

/** Returns the times of an event that have begun, the latest first. */
function listPastTimes(row: EventRow, now: Date): Date[] {
  const from = row.repeats === 'once' ? 0 : now.getTime() - PAST_TIMES_MAX * 7 * DAY_MS
  return getOccurrences(row, { from, until: now.getTime() + 1, limit: PAST_TIMES_MAX * 7 + 1 })
    .map((occurrence) => new Date(occurrence.from))
    .reverse()
    .slice(0, PAST_TIMES_MAX)
}

/** The calls of the desk that plan events. */
export const eventDeskCalls: MountedCall[] = [
  mount(calls.getDeskEvents, async ({ after, state }, { deps: { browseDb: db, now } }) => {
    const rows = await db
      .selectFrom('events')
      .selectAll()
      .select((eb) =>
        eb
          .selectFrom('event_reminders as r')
          .whereRef('r.event', '=', 'events.event')
          .select(sql<number>`count(*)::int`.as('reminders'))
          .as('reminders'),
      )
      .$if(after !== '', (query) => query.where('event', '<', parseCursor(after)))
      .$if(state === 'hidden', (query) => query.where('visible', '=', false))
      .$if(state === 'cancelled', (query) => query.where('visible', '=', true).where('cancelled_why', '<>', ''))
      .$if(state === 'coming' || state === 'over', (query) =>
        query
          .where('visible', '=', true)
          .where('cancelled_why', '=', '')
          .where((eb) => (state === 'coming' ? endsAfter(now())(eb) : eb.not(endsAfter(now())(eb)))),
      )
      .orderBy('event', 'desc')
      .limit(DESK_PAGE_SIZE + 1)
      .execute()
    return cutPage(
      rows,
      ({ event }) => event,
      (row) => {
        const occurrence = getNextOccurrence(row, now().getTime())
        return {
          ...row,
          reminders: Number(row.reminders),
          next_at: occurrence === undefined ? null : new Date(occurrence.from),
          state: getState(row, occurrence !== undefined),
        }
      },
    )
  }),

  mount(calls.getDeskEvent, async ({ event }, { deps: { db, now } }) => {
    const row = await readEvent(db, event)
    if (row === undefined) throw refuse(calls.getDeskEvent, 'eventNotFound')
    return {
      ...row,
      results: await selectResults(db, event),
      reminders: await countReminders(db, event),
      ended: listPastTimes(row, now()),
    }
  }),

  mount(calls.saveEvent, async (input, { deps: { db: tx, now }, record }) => {
    const { event: existingEvent, version, ...form } = input
    const values = await toValues(tx, form)
    const at = now()
    const row = existingEvent === null ? undefined : await lockEvent(tx, existingEvent)
    if (existingEvent !== null && row === undefined) throw refuse(calls.saveEvent, 'eventNotFound')
    if (row !== undefined && row.version !== version) throw refuse(calls.saveEvent, 'conflict')
    const remind_at = getReminderTime({ ...values, reminded_of: row?.reminded_of ?? null }, at)
    const isOver = getNextOccurrence(values, at.getTime()) === undefined
    if (row === undefined) {
      const { event } = await tx
        .insertInto('events')
        .values({
          ...toRow(values),
          remind_at,
          created_at: at,
          changed_at: at,
        })
        .returning('event')
        .executeTakeFirstOrThrow()
      record({ target: ['event', event], after: toAuditValues(values) })
      return { message: `${values.title} is planned.`, event, version: 1 }
    }
    const isCancelledNow = row.cancelled_why === '' && values.cancelled_why !== '' && !isOver
    await tx
      .updateTable('events')
      .set({
        ...toRow(values),
        remind_at,
        changed_at: at,
        version: row.version + 1,
      })
      .where('event', '=', row.event)
      .execute()
    if (isCancelledNow)
      await notifySubscribers(tx, row, {
        subject: `Cancelled: ${values.title}`,
        body: `${values.title} does not take place: ${values.cancelled_why}`,
        now: at,
      })
    record({ target: ['event', row.event], before: toAuditValues(row), after: toAuditValues(values) })
    return { message: `${values.title} is saved.`, event: row.event, version: row.version + 1 }
  }),

  mount(calls.enterEventResult, async ({ event, starts_at, result }, { deps: { db: tx, now }, record }) => {
    const row = await lockEvent(tx, event)
    if (row === undefined) throw refuse(calls.enterEventResult, 'eventNotFound')
    const startsAt = new Date(starts_at)
    const existingResult = await tx
      .selectFrom('event_results')
      .where('event', '=', event)
      .where('starts_at', '=', startsAt)
      .select('result')
      .executeTakeFirst()
    const times = getOccurrences(row, { from: startsAt.getTime(), until: now().getTime() })
    if (existingResult === undefined && !times.some(({ from }) => from === startsAt.getTime()))
      throw refuse(calls.enterEventResult, 'notThen')
    if (result === '')
      await tx.deleteFrom('event_results').where('event', '=', event).where('starts_at', '=', startsAt).execute()
    else
      await tx
        .insertInto('event_results')
        .values({ event, starts_at: startsAt, result, entered_at: now() })
        .onConflict((conflict) => conflict.columns(['event', 'starts_at']).doUpdateSet({ result, entered_at: now() }))
        .execute()
    record({
      target: ['event', event],
      before: { result: existingResult?.result ?? '' },
      after: { result, starts_at: startsAt.toISOString() },
    })
    return { message: result === '' ? 'The result is taken back.' : 'The result is shown on the event’s page.' }
  }),
]

function getState({ visible, cancelled_why }: EventRow, hasNext: boolean) {
  if (!visible) return 'hidden' as const
  if (cancelled_why !== '') return 'cancelled' as const
  return hasNext ? ('coming' as const) : ('over' as const)
}

const lockEvent = (tx: Db, event: number): Promise<EventRow | undefined> =>
  tx.selectFrom('events').where('event', '=', event).selectAll().forUpdate().executeTakeFirst()

const toRow = <Values extends { exceptions: readonly EventException[] }>(values: Values) => ({
  ...values,
  exceptions: JSON.stringify(values.exceptions),
})

type EventForm = Omit<ValidInput<typeof calls.saveEvent>, 'event' | 'version'>

/** Returns the row of a form. @throws Refusal 422 */
async function toValues(tx: Db, { starts_at, ends_at, repeats_until, exceptions, ...form }: EventForm) {
  if (form.news !== null) {
    const item = await tx.selectFrom('news').where('id', '=', form.news).select('id').executeTakeFirst()
    if (item === undefined) throw refuse(calls.saveEvent, 'newsNotFound')
  }
  return {
    ...form,
    starts_at: new Date(starts_at),
    ends_at: new Date(ends_at),
    weekdays: form.repeats === 'weekly' ? form.weekdays : [],
    repeats_until: form.repeats !== 'once' && repeats_until !== null ? new Date(repeats_until) : null,
    exceptions: form.repeats === 'once' ? [] : exceptions.toSorted((a, b) => a.day.localeCompare(b.day)),
  }
}
