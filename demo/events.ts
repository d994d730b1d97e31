import { z } from 'zod'
import { flag, wholeNumber } from '#content/files.ts'
import { DAY_MS, HOUR_MS } from '#contract/durations.ts'
import { getOccurrences } from '#contract/events.ts'
import { BOARDS } from '#contract/game.ts'
import { getStartOfDay, toManilaDay } from '#contract/manila.ts'
import type { Db } from '#server/db/open.ts'
import { getReminderTime } from '#server/features/events/jobs.ts'
import { readTexts } from './read.ts'
import { subtractMs, type World } from './world.ts'

const eventHead = z.strictObject({
  title: z.string(),
  /** The days from today to the first day. With `weekday` (Sunday is 0), the event begins on the next such day. */
  in_days: wholeNumber,
  weekday: wholeNumber.optional(),
  /** The hour in Manila at which the event begins. */
  at: wholeNumber,
  hours: wholeNumber,
  weekly: flag.default(false),
  /** The weekdays of a weekly event, Sunday is 0, such as '3 6 0'. */
  weekdays: z
    .string()
    .default('')
    .transform((text) => text.split(' ').flatMap((part) => (part === '' ? [] : Number(part)))),
  /** The omitted day of a weekly event, counted from its first day. */
  off: wholeNumber.optional(),
  club_war: flag.default(false),
  /** The number of weeks for which the event repeats; without a number it has no end. */
  weeks: wholeNumber.optional(),
  prize: z.string().default(''),
  board: z.enum(BOARDS).optional(),
  /** The number of a drawing in art/news. */
  picture: wholeNumber,
  /** The subject of the news item about it. */
  news: z.string().optional(),
  cancelled: z.string().default(''),
  /** The results of its occurrences, earliest first. */
  results: z
    .string()
    .default('')
    .transform((text) => text.split('|').flatMap((result) => result.trim() || [])),
  body: z.string(),
})

/** Inserts the events: two weekly ones, two single ones to come, a past one with its result, and a cancelled one. */
export async function insertEvents(tx: Db, { now }: World): Promise<void> {
  const today = getStartOfDay(toManilaDay(now)).getTime()
  for (const plan of readTexts('events/*.md', eventHead)) {
    const {
      title,
      in_days,
      weekday,
      hours,
      weekly,
      weekdays,
      off,
      club_war,
      weeks,
      prize,
      board = null,
      picture,
      cancelled,
      body,
    } = plan
    const noon = new Date(today + in_days * DAY_MS + 12 * HOUR_MS)
    const daysToWait = weekday === undefined ? 0 : (weekday - noon.getUTCDay() + 7) % 7
    const start = today + (in_days + daysToWait) * DAY_MS + plan.at * HOUR_MS
    const eventFields = {
      starts_at: new Date(start),
      ends_at: new Date(start + hours * HOUR_MS),
      repeats: weekly ? ('weekly' as const) : ('once' as const),
      weekdays,
      exceptions: off === undefined ? [] : [{ day: toManilaDay(start + off * DAY_MS), starts_at: null }],
      repeats_until: weeks === undefined ? null : new Date(start + weeks * 7 * DAY_MS),
      visible: true,
      cancelled_why: cancelled,
      reminded_of: null,
    }
    const item =
      plan.news === undefined
        ? undefined
        : await tx.selectFrom('news').where('subject', '=', plan.news).select('id').executeTakeFirstOrThrow()
    const plannedAt = subtractMs(now, 30 * DAY_MS)
    const { event } = await tx
      .insertInto('events')
      .values({
        ...eventFields,
        exceptions: JSON.stringify(eventFields.exceptions),
        title,
        club_war,
        about: body.trim(),
        prize,
        board,
        picture: `/art/news-${String(picture).padStart(2, '0')}.webp`,
        news: item?.id ?? null,
        remind_at: getReminderTime(eventFields, now),
        created_at: plannedAt,
        changed_at: plannedAt,
      })
      .returning('event')
      .executeTakeFirstOrThrow()
    const times = getOccurrences(eventFields, { from: 0, until: Number.POSITIVE_INFINITY, limit: plan.results.length })
    for (const [nth, { from }] of times.entries()) {
      const starts_at = new Date(from)
      const result = plan.results[nth] ?? ''
      await tx
        .insertInto('event_results')
        .values({ event, starts_at, result, entered_at: new Date(starts_at.getTime() + (hours + 2) * HOUR_MS) })
        .execute()
    }
  }
}
