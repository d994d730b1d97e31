import { Hono } from 'hono'
import ical, { type ICalCalendar, ICalEventRepeatingFreq, ICalEventStatus } from 'ical-generator'
import type { Deps } from '#server/deps.ts'
import { notFound } from '#server/errors.ts'
import { wholeText } from '#server/http/answer-cache.ts'
import { readSettings } from '#server/settings.ts'
import { type EventRow, selectCalendarEvents, selectVisibleEvent } from './queries.ts'

/** How often calendar programs should ask again, in seconds. */
const ASK_EVERY_S = 6 * 3600

/**
 * Serves the events as calendar files (RFC 5545): `/events.ics` with all of them, to subscribe to, and `/events/{id}.ics`.
 * Times are UTC, because Manila has no summer time.
 */
export function calendarFiles(deps: Deps) {
  const { browseDb, cache, now, publicUrl } = deps
  const { host } = new URL(publicUrl)

  async function write(rows: readonly EventRow[]) {
    const { site_name: name } = await readSettings(deps)
    const calendar = ical({ name: `Events | ${name}`, prodId: '//Tambayan//Events//EN', ttl: ASK_EVERY_S })
    for (const row of rows) addEvent(calendar, row)
    return wholeText('text/calendar; charset=utf-8', calendar.toString())
  }

  function addEvent(calendar: ICalCalendar, row: EventRow): void {
    const { event, title, about, prize, starts_at, ends_at, repeats, repeats_until, cancelled_why } = row
    const url = `${publicUrl}/events/${event}`
    calendar.createEvent({
      id: `event-${event}@${host}`,
      summary: cancelled_why === '' ? title : `Cancelled: ${title}`,
      description: [cancelled_why, about, prize && `Prize: ${prize}`, url].filter((part) => part !== '').join('\n\n'),
      start: starts_at,
      end: ends_at,
      url,
      sequence: row.version - 1,
      stamp: row.changed_at,
      lastModified: row.changed_at,
      status: cancelled_why === '' ? ICalEventStatus.CONFIRMED : ICalEventStatus.CANCELLED,
      ...(repeats === 'weekly' && {
        repeating: { freq: ICalEventRepeatingFreq.WEEKLY, ...(repeats_until && { until: repeats_until }) },
      }),
    })
  }

  const files = new Hono()
  files.get('/events.ics', (c) =>
    cache.respond(c.req.raw, '/events.ics', async () => write(await selectCalendarEvents(browseDb, now()))),
  )
  files.get('/events/:file{[0-9]{1,15}\\.ics}', async (c) => {
    const event = Number(c.req.param('file').replace('.ics', ''))
    const row = await selectVisibleEvent(browseDb, event)
    if (row === undefined) throw notFound()
    return cache.respond(c.req.raw, `/events/${event}.ics`, () => write([row]))
  })
  return files
}
