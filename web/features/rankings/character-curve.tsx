import { startOfDay } from '#contract/manila.ts'
import { formatCount } from '#contract/numbers.ts'
import { Panel } from '#web/ui/panel.tsx'
import { Value } from '#web/ui/value.tsx'
import { formatRelativeDay } from '../news/relative-time.ts'
import styles from './character-curve.module.css'
import type { Character } from './character-view.ts'

const WIDTH = 320
const HEIGHT = 84

type Day = Character['days'][number]

/** Level and place on the level board, day by day over the last 30 days. */
export function MonthCurve({ days }: { days: readonly Day[] }) {
  return (
    <Panel title="Last 30 days">
      <div className={styles.curves}>
        <Curve name="Level" days={days} read={({ level }) => level} />
        <Curve name="Place by level" days={days} read={({ rank }) => rank} isBetterLow />
      </div>
    </Panel>
  )
}

type CurveProps = { name: string; days: readonly Day[]; read: (day: Day) => number; isBetterLow?: boolean }

/** One value as a line that goes up when it gets better. */
function Curve({ name, days, read, isBetterLow = false }: CurveProps) {
  const values = days.map(read)
  const [low, high] = [Math.min(...values), Math.max(...values)]
  const first = days[0]
  const last = days.at(-1)
  if (first === undefined || last === undefined) return null
  const start = startOfDay(first.day).getTime()
  const length = Math.max(1, startOfDay(last.day).getTime() - start)
  const points = days.map((day) => {
    const part = high === low ? 0.5 : (read(day) - low) / (high - low)
    const x = ((startOfDay(day.day).getTime() - start) / length) * WIDTH
    return [x, (isBetterLow ? part : 1 - part) * (HEIGHT - 12) + 6] as const
  })
  const line = points.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join('L')
  const [endX, endY] = points.at(-1) ?? [0, 0]
  const whole = (value: number) => `${isBetterLow ? '#' : ''}${formatCount(value)}`
  return (
    <figure className={styles.curve}>
      <figcaption>
        <span>{name}</span>
        <strong>
          <Value>{whole(read(last))}</Value>
        </strong>
      </figcaption>
      <svg viewBox={`-3 0 ${WIDTH + 12} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        <path className={styles.area} d={`M0 ${HEIGHT}L${line}L${endX} ${HEIGHT}Z`} />
        <path className={styles.line} d={`M${line}`} vectorEffect="non-scaling-stroke" />
        <circle cx={endX} cy={endY} r="4" />
      </svg>
      <p className={styles.ends}>
        <Value>{`${formatRelativeDay(start)}: ${whole(read(first))}`}</Value>
        <Value>{`${formatRelativeDay(startOfDay(last.day))}: ${whole(read(last))}`}</Value>
      </p>
    </figure>
  )
}
