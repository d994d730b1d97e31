import { DAY_MS } from '#contract/durations.ts'
import { FIGURES_SHOWN_DAYS } from '#contract/limits.ts'
import { manilaDay } from '#contract/manila.ts'
import { getToday } from '#contract/today.ts'
import type { Db } from '#server/db/open.ts'
import { selectDays } from '#server/features/figures/queries.ts'
import { type Mounted, mount } from '#server/http/mount.ts'
import { readFirstSteps } from './first-steps.ts'
import { findNeeds } from './needs.ts'

/** The call of the desk's first screen. */
export const todayDeskCalls: Mounted[] = [
  mount(getToday, async (_, { deps, staff }) => {
    const mayRead = staff.permissions.has('figures.read')
    const [first_steps, needs, figures] = await Promise.all([
      readFirstSteps(deps, staff),
      findNeeds(deps, staff),
      mayRead ? selectFigures(deps.browseDb, deps.now()) : null,
    ])
    return { first_steps, needs, figures }
  }),
]

/** The last days with today, a day that was not counted as 0. */
async function selectFigures(db: Db, now: Date) {
  const days = Array.from({ length: FIGURES_SHOWN_DAYS }, (_, index) =>
    manilaDay(now.getTime() - (FIGURES_SHOWN_DAYS - 1 - index) * DAY_MS),
  )
  const rows = await selectDays(db, { from: days[0] ?? '', until: days.at(-1) ?? '' })
  const byDay = new Map(rows.map((row) => [row.day, row]))
  const seriesOf = (name: 'registrations' | 'active_players' | 'r_coin_spent' | 'milleage_spent') =>
    days.map((day) => byDay.get(day)?.[name] ?? 0)
  return {
    days,
    counted_at: byDay.get(manilaDay(now))?.counted_at ?? null,
    registrations: seriesOf('registrations'),
    active_players: seriesOf('active_players'),
    r_coin_spent: seriesOf('r_coin_spent'),
    milleage_spent: seriesOf('milleage_spent'),
  }
}
