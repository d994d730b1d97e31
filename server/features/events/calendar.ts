import { Hono } from 'hono'
import ical, {
  type ICalCalendar,
  ICalEventRepeatingFreq,
  ICalEventStatus,
  type ICalRepeatingOptions,
  ICalWeekday,
} from 'ical-generator'
import { findStart, getWeekday, getWeekdays } from '#contract/events.ts'
import type { Deps } from '#server/deps.ts'
import { createNotFound } from '#server/errors.ts'
import { createTextAnswer } from '#server/http/answer-cache.ts'
import { readSettings } from '#server/settings.ts'
import { type EventRow, selectCalendarEvents, selectVisibleEvent } from './queries.ts'

/** Seconds after which calendar programs should fetch the file again. */
const REFRESH_INTERVAL_S = 6 * 3600

/**
 * Serves the events as calendar files (EVENT-6, RFC 5545): `/events.ics` with all events, to subscribe to, and
 * `/events/{id}.ics`. Times are UTC, because Manila has no summer time.
 */
export function createCalendarFiles(deps: Deps) {
  const { browseDb, cache, now, publicUrl } = deps
  const { host } = new URL(publicUrl)

  async function writeCalendar(rows: readonly EventRow[]) {
    const { site_name: name } = await readSettings(deps)
    const calendar = ical({ name: `Events | ${name}`, prodId: '//Tambayan//Events//EN', ttl: REFRESH_INTERVAL_S })
    for (const row of rows) addEvent(calendar, row)
    return createTextAnswer('text/calendar; charset=utf-8', calendar.toString())
  }

  function addEvent(calendar: ICalCalendar, row: EventRow): void {
    const { event, title, about, prize, starts_at, ends_at, cancelled_why } = row
    const url = `${publicUrl}/events/${event}`
    const commonFields = {
      id: `event-${event}@${host}`,
      summary: cancelled_why === '' ? title : `Cancelled: ${title}`,
      description: [cancelled_why, about, prize && `Prize: ${prize}`, url].filter((part) => part !== '').join('\n\n'),
      url,
      sequence: row.version - 1,
      stamp: row.changed_at,
      lastModified: row.changed_at,
      status: cancelled_why === '' ? ICalEventStatus.CONFIRMED : ICalEventStatus.CANCELLED,
    }
    calendar.createEvent({ ...commonFields, start: starts_at, end: ends_at, repeating: toRule(row) })
    for (const { replaces, start } of listMovedTimes(row))
      calendar.createEvent({
        ...commonFields,
        recurrenceId: replaces,
        start,
        end: new Date(start.getTime() + ends_at.getTime() - starts_at.getTime()),
      })
  }

  const files = new Hono()
  files.get('/events.ics', (c) =>
    cache.respond(c.req.raw, '/events.ics', async () => writeCalendar(await selectCalendarEvents(browseDb, now()))),
  )
  files.get('/events/:file{[0-9]{1,15}\\.ics}', async (c) => {
    const event = Number(c.req.param('file').replace('.ics', ''))
    const row = await selectVisibleEvent(browseDb, event)
    if (row === undefined) throw createNotFound()
    return cache.respond(c.req.raw, `/events/${event}.ics`, () => writeCalendar([row]))
  })
  return files
}

const UTC_WEEKDAYS = [
  ICalWeekday.SU,
  ICalWeekday.MO,
  ICalWeekday.TU,
  ICalWeekday.WE,
  ICalWeekday.TH,
  ICalWeekday.FR,
  ICalWeekday.SA,
] as const

/** Returns the repetition rule of an event in UTC, where it may begin on the weekday before the one in Manila. */
function toRule(row: EventRow): ICalRepeatingOptions | null {
  const { repeats, starts_at, repeats_until, exceptions } = row
  if (repeats === 'once') return null
  const dayShift = starts_at.getUTCDay() - getWeekday(starts_at)
  const excludedTimes = exceptions.flatMap(({ day, starts_at: movedStart }) => {
    const start = movedStart === null ? findStart(row, day) : undefined
    return start === undefined ? [] : new Date(start)
  })
  return {
    freq: repeats === 'daily' ? ICalEventRepeatingFreq.DAILY : ICalEventRepeatingFreq.WEEKLY,
    ...(row.weekdays.length > 0 && {
      byDay: getWeekdays(row).flatMap((weekday) => UTC_WEEKDAYS[(weekday + dayShift + 7) % 7] ?? []),
    }),
    ...(repeats_until && { until: repeats_until }),
    ...(excludedTimes.length > 0 && { exclude: excludedTimes }),
  }
}

/** Lists the moved times of an event. */
const listMovedTimes = (row: EventRow): { replaces: Date; start: Date }[] =>
  row.exceptions.flatMap(({ day, starts_at }) => {
    const start = findStart(row, day)
    return starts_at === null || start === undefined ? [] : { replaces: new Date(start), start: new Date(starts_at) }
  })
