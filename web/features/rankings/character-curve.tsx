import { DAY_MS } from '#contract/durations.ts'
import { getClockParts, getStartOfDay } from '#contract/manila.ts'
import { formatCount } from '#contract/numbers.ts'
import { Panel } from '#web/ui/panel.tsx'
import { Value } from '#web/ui/value.tsx'
import styles from './character-curve.module.css'
import type { Character } from './character-view.ts'

/** The number of days on the axis, and the number of days between labels. */
const DAYS = 30
const LABEL_EVERY_DAYS = 10
const WIDTH = 300
const HEIGHT = 100
/** The space above and below the line, in units of the drawing. */
const EDGE_SPACE = 12

/** Formats a time as a day in Manila, such as '29 Nov'. */
const formatShortDay = (time: number) => getClockParts(time).date.split(' ').slice(1, 3).join(' ')

type Day = Character['days'][number]

/** Two charts of the last 30 days: the rank by level, and the level. */
export function MonthCurve({ days }: { days: readonly Day[] }) {
  return (
    <Panel title="Last 30 days">
      <div className={styles.curves}>
        <Curve name="Place by level" days={days} readValue={({ rank }) => rank} isBetterLow />
        <Curve name="Level" days={days} readValue={({ level }) => level} />
      </div>
    </Panel>
  )
}

type CurveProps = { name: string; days: readonly Day[]; readValue: (day: Day) => number; isBetterLow?: boolean }

/** A chart of one value by day. The line rises when the value improves. */
function Curve({ name, days, readValue, isBetterLow = false }: CurveProps) {
  const lastDay = days.at(-1)
  if (lastDay === undefined) return null
  const values = days.map(readValue)
  const [low, high] = [Math.min(...values), Math.max(...values)]
  const end = getStartOfDay(lastDay.day).getTime()
  const start = end - (DAYS - 1) * DAY_MS
  const toX = (time: number) => ((time - start) / (end - start)) * WIDTH
  const toY = (value: number) => {
    const fraction = high === low ? 0.5 : (value - low) / (high - low)
    return EDGE_SPACE + (isBetterLow ? fraction : 1 - fraction) * (HEIGHT - 2 * EDGE_SPACE)
  }
  const points = days.map((day) => [toX(getStartOfDay(day.day).getTime()), toY(readValue(day))] as const)
  const line = points.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join('L')
  const formatValue = (value: number) => `${isBetterLow ? '#' : ''}${formatCount(value)}`
  const ticks = [...new Set([low, Math.round((low + high) / 2), high])]
  const labels = Array.from(
    { length: DAYS / LABEL_EVERY_DAYS },
    (_, index) => start + index * LABEL_EVERY_DAYS * DAY_MS,
  )
  return (
    <figure className={styles.curve}>
      <figcaption>
        <span>{name}</span>
        <strong>
          <Value>{formatValue(readValue(lastDay))}</Value>
        </strong>
        <span className="visually-hidden">
          Between <Value>{formatValue(low)}</Value> and <Value>{formatValue(high)}</Value> in the last 30 days
        </span>
      </figcaption>
      <div className={styles.chart} aria-hidden="true">
        <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
          {ticks.map((tick) => (
            <path key={tick} className={styles.grid} d={`M0 ${toY(tick)}H${WIDTH}`} vectorEffect="non-scaling-stroke" />
          ))}
          <path className={styles.area} d={`M${points[0]?.[0] ?? 0} ${HEIGHT}L${line}L${WIDTH} ${HEIGHT}Z`} />
          <path className={styles.line} d={`M${line}`} vectorEffect="non-scaling-stroke" />
        </svg>
        <i style={{ top: `${toY(readValue(lastDay))}%` }} />
        {ticks.map((tick) => (
          <span key={tick} className={styles.tick} style={{ top: `${toY(tick)}%` }}>
            {formatValue(tick)}
          </span>
        ))}
        <p className={styles.days}>
          {labels.map((time) => (
            <span key={time} style={{ left: `${(toX(time) / WIDTH) * 100}%` }}>
              {formatShortDay(time)}
            </span>
          ))}
          <span>{formatShortDay(end)}</span>
        </p>
      </div>
    </figure>
  )
}
