import * as calls from '#contract/events.ts'
import { EVENT_TEXTS, getNextOccurrence } from '#contract/events.ts'
import { toManilaDay } from '#contract/manila.ts'
import { refuse } from '#server/errors.ts'
import { type MountedCall, mount } from '#server/http/mount.ts'
import { findEvent, listOccurrences, selectVisibleEvent } from './queries.ts'

/** The calls of the events' pages (EVENT-5) and of reminders (EVENT-7). */
export const eventCalls: MountedCall[] = [
  mount(calls.getEvents, async ({ view, day }, { deps }) => {
    const firstDay = calls.getFirstDay(view, day === '' ? toManilaDay(deps.now()) : day)
    return { first: firstDay, data: await listOccurrences(deps.browseDb, calls.getViewSpan(view, firstDay)) }
  }),

  mount(calls.getEvent, async ({ id }, { deps }) => {
    const event = await findEvent(deps.db, Number(id), deps.now())
    if (event === undefined) throw refuse(calls.getEvent, 'eventNotFound')
    return event
  }),

  mount(calls.getEventReminder, async ({ id }, { deps: { db }, session: { userNum } }) => {
    const event = Number(id)
    if ((await selectVisibleEvent(db, event)) === undefined) throw refuse(calls.getEventReminder, 'eventNotFound')
    const row = await db
      .selectFrom('event_reminders')
      .where('user_num', '=', userNum)
      .where('event', '=', event)
      .select('every_time')
      .executeTakeFirst()
    return { wanted: row !== undefined, every: row?.every_time ?? true }
  }),

  mount(calls.setEventReminder, async ({ event, wanted, every }, { deps: { db, now }, session: { userNum } }) => {
    const row = await selectVisibleEvent(db, event)
    if (row === undefined) throw refuse(calls.setEventReminder, 'eventNotFound')
    if (!wanted) {
      await db.deleteFrom('event_reminders').where('user_num', '=', userNum).where('event', '=', event).execute()
      return { message: EVENT_TEXTS.wontRemind }
    }
    if (row.cancelled_why !== '') throw refuse(calls.setEventReminder, 'cancelled')
    if (getNextOccurrence(row, now().getTime()) === undefined) throw refuse(calls.setEventReminder, 'over')
    await db
      .insertInto('event_reminders')
      .values({ user_num: userNum, event, asked_at: now(), every_time: every })
      .onConflict((conflict) => conflict.columns(['user_num', 'event']).doUpdateSet({ every_time: every }))
      .execute()
    return { message: every && row.repeats !== 'once' ? EVENT_TEXTS.willRemindEvery : EVENT_TEXTS.willRemind }
  }),
]
