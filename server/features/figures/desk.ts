import { DAY_MS } from '#contract/durations.ts'
import * as calls from '#contract/figures.ts'
import { FIGURES_RANGE_DAYS_MAX, FIGURES_SHOWN_DAYS } from '#contract/limits.ts'
import { getStartOfDay, toDayRange, toManilaDay } from '#contract/manila.ts'
import { refuse } from '#server/errors.ts'
import { type MountedCall, mount } from '#server/http/mount.ts'
import {
  type Ranges,
  selectCampaigns,
  selectCategories,
  selectDayPage,
  selectDays,
  selectHours,
  selectItems,
  selectShares,
  selectStreamers,
  selectSums,
} from './queries.ts'

const subtractDays = (day: string, days: number) => toManilaDay(getStartOfDay(day).getTime() - days * DAY_MS)

/** Parses the requested range of days, and as many days before it. @throws Refusal 422 */
function parseRange(filter: { from: string; until: string }, now: Date): Ranges {
  if ([filter.from, filter.until].some((day) => day !== '' && toDayRange(day) === undefined))
    throw refuse(calls.getFigures, 'dayNotFound')
  const until = filter.until || subtractDays(toManilaDay(now), 1)
  const from = filter.from || subtractDays(until, FIGURES_SHOWN_DAYS - 1)
  if (until < from) throw refuse(calls.getFigures, 'tooEarly')
  const days = Math.round((getStartOfDay(until).getTime() - getStartOfDay(from).getTime()) / DAY_MS) + 1
  if (days > FIGURES_RANGE_DAYS_MAX) throw refuse(calls.getFigures, 'tooLong')
  return { from, until, before: { from: subtractDays(from, days), until: subtractDays(from, 1) } }
}

/** The calls of the desk's figures. They only read counts that the job has stored. */
export const figureDeskCalls: MountedCall[] = [
  mount(calls.getFigures, async (filter, { deps: { browseDb: db, now } }) => {
    const ranges = parseRange(filter, now())
    const [days, sums, sums_before, hours] = await Promise.all([
      selectDays(db, ranges),
      selectSums(db, ranges),
      selectSums(db, ranges.before),
      selectHours(db, ranges),
    ])
    const counted_at = days.at(-1)?.counted_at ?? null
    return { ...ranges, counted_at, days, sums, sums_before, hours: hours.map(({ logins }) => logins) }
  }),

  mount(calls.getFigureDays, ({ after, ...filter }, { deps: { browseDb: db, now } }) =>
    selectDayPage(db, parseRange(filter, now()), after),
  ),

  mount(calls.getFigureHours, async (filter, { deps: { browseDb: db, now } }) => ({
    rows: await selectHours(db, parseRange(filter, now())),
    next: null,
  })),

  mount(calls.getFigureCategories, async (filter, { deps: { browseDb: db, now } }) => ({
    rows: await selectCategories(db, parseRange(filter, now())),
    next: null,
  })),

  mount(calls.getFigureItems, ({ after, ...filter }, { deps: { browseDb: db, now } }) =>
    selectItems(db, parseRange(filter, now()), after),
  ),

  mount(calls.getFigureCampaigns, ({ after, ...filter }, { deps: { browseDb: db, now } }) =>
    selectCampaigns(db, parseRange(filter, now()), after),
  ),

  mount(calls.getFigureShares, ({ after, ...filter }, { deps: { browseDb: db, now } }) =>
    selectShares(db, parseRange(filter, now()), after),
  ),

  mount(calls.getFigureStreamers, (filter, { deps: { browseDb: db, now } }) =>
    selectStreamers(db, parseRange(filter, now())),
  ),
]
