import { sql } from 'kysely'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#contract/durations.ts'
import { CLASS_NAMES, SCHOOLS } from '#contract/game.ts'
import { getStartOfDay, toManilaDay } from '#contract/manila.ts'
import {
  MONTH_POINT_COUNT,
  MONTH_POINT_PERIOD_MS,
  ONLINE_POINT_COUNT,
  ONLINE_POINT_PERIOD_MS,
} from '#contract/players-online.ts'
import type { Deps } from '#server/deps.ts'

/**
 * Returns whether the players online are simulated (STATUS-6): in the demo world, until a bridge is paired for the first
 * time.
 */
export async function isOnlineSimulated({ db, config }: Pick<Deps, 'db' | 'config'>): Promise<boolean> {
  if (!config.demo) return false
  const { rows } = await sql<{ simulated: boolean }>`
    select not exists (select from bridges) and exists (select from characters where game_user_num is null) as simulated`.execute(
    db,
  )
  return rows[0]?.simulated === true
}

/** The fewest players of a day, and how many more play in the evening. */
const PLAYERS_MIN = 38
const PLAYERS_SWING = 187

/** Returns the number of simulated players at a time. It is highest at 21:00 in Manila, and higher on weekends. */
export function simulatePlayers(timeMs: number): number {
  const dayStart = getStartOfDay(toManilaDay(new Date(timeMs))).getTime()
  const eveningFactor = (1 + Math.cos((2 * Math.PI * (timeMs - dayStart - 21 * HOUR_MS)) / DAY_MS)) / 2
  const weekday = new Date(dayStart + 12 * HOUR_MS).getUTCDay()
  const weekendFactor = weekday === 0 || weekday === 6 ? 1.15 : 1
  const noise = 1 + 0.05 * Math.sin(timeMs / (7 * MINUTE_MS)) + 0.03 * Math.sin(timeMs / (47 * MINUTE_MS))
  return Math.round(PLAYERS_MIN + PLAYERS_SWING * eveningFactor * weekendFactor * noise)
}

/** Returns the highest number of simulated players since midnight in Manila. */
export function simulatePeak(now: Date): number {
  const start = getStartOfDay(toManilaDay(now)).getTime()
  const steps = Math.floor((now.getTime() - start) / (10 * MINUTE_MS))
  const times = Array.from({ length: steps }, (_, index) => start + index * 10 * MINUTE_MS)
  return Math.max(...[...times, now.getTime()].map(simulatePlayers))
}

/** Returns the simulated players online in the form of `readOnline`. */
export function simulateOnline(now: Date) {
  const nowMs = now.getTime()
  const peak = simulatePeak(now)
  const createSeries = (stepMs: number, length: number, highest: number) => {
    const from = (Math.floor(nowMs / stepMs) - length + 1) * stepMs
    const points = Array.from({ length }, (_, index) => simulatePlayers(Math.min(nowMs, from + (index + 0.5) * stepMs)))
    return { from: new Date(from), points, most: Math.max(highest, ...points) }
  }
  const day = createSeries(ONLINE_POINT_PERIOD_MS, ONLINE_POINT_COUNT, peak)
  const month = createSeries(MONTH_POINT_PERIOD_MS, MONTH_POINT_COUNT, day.most)
  const average = month.points.reduce((sum, players) => sum + players, 0) / MONTH_POINT_COUNT
  const scaleCounts = (ratio: number) => ({
    now: Math.round(simulatePlayers(nowMs) * ratio),
    average: Math.round(average * ratio * 10) / 10,
    most: Math.round(month.most * ratio),
  })
  return {
    demo: true,
    players: simulatePlayers(nowMs),
    counted_at: now,
    old: false,
    peak_today: peak,
    ...day,
    month: {
      ...month,
      up_percent: 99.6,
      schools: SCHOOLS.map(({ code }, index) => ({ school: code, ...scaleCounts([0.38, 0.33, 0.29][index] ?? 0) })),
      classes: CLASS_NAMES.map((name, index) => ({ class: name, ...scaleCounts((9 - index) / 42) })),
    },
  }
}
