import { MINUTE_MS } from '#contract/durations.ts'
import { Panel } from '#web/ui/panel.tsx'
import styles from './reset-card.module.css'
import { useServerTime } from './server-clock.ts'
import { useShellData } from './shell-data.ts'
import { getTimeToReset } from './time-to-reset.ts'

/** Draws an SVG path with a bar for each day. The first day of a week has a taller bar. */
function drawBars(from: number, to: number): string {
  let path = ''
  for (let day = from; day <= to; day += 1) path += `M${day * 10 - 7} 48V${day % 7 === 1 ? 0 : 16}`
  return path
}

type ResetCardProps = {
  /** Use `paper` on pages without other paper panels, otherwise `ink`. */
  tone?: 'ink' | 'paper'
}

/**
 * Shows the time until this month's rankings end. The HTML contains the remaining time at rendering; the browser
 * updates it by the server's clock.
 */
export function ResetCard({ tone = 'paper' }: ResetCardProps) {
  const renderedAt = useShellData()?.renderedAt
  const now = useServerTime(MINUTE_MS) ?? renderedAt
  if (now === undefined) return null
  const { amount, label, month, day, days } = getTimeToReset(now)
  return (
    <Panel tone={tone}>
      <div className={styles.card}>
        <p className={styles.until}>
          <span className={styles.amount}>{amount}</span> <span className={styles.text}>{label}</span>
        </p>
        <svg className={styles.month} viewBox={`0 0 ${days * 10} 52`} preserveAspectRatio="none" aria-hidden="true">
          <path className={styles.past} d={drawBars(1, day - 1)} />
          <path className={styles.coming} d={drawBars(day + 1, days)} />
          <path className={styles.todayEdge} d={drawBars(day, day).replace('48', '51')} />
          <path className={styles.today} d={drawBars(day, day)} />
        </svg>
        <p className={styles.ends} aria-hidden="true">
          <span>1 {month}</span>
          <span>First of next month, 00:00</span>
        </p>
      </div>
    </Panel>
  )
}
