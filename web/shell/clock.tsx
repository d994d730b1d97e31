import { clockParts } from '#contract/manila.ts'
import styles from './clock.module.css'
import { useServerTime } from './server-clock.ts'

/** The clock of the header: date and zone lead, hh:mm trails, the seconds stand smaller beside it (DECISIONS §4). */
export function Clock({ layout = 'fit' }: { layout?: 'fit' | 'one-line' }) {
  const now = useServerTime()
  const parts = now === null ? null : clockParts(now)
  const [weekday, day, month, year] = parts?.date.split(' ') ?? []
  return (
    <time
      className={layout === 'fit' ? styles.clock : `${styles.clock} ${styles.oneLine}`}
      dateTime={now === null ? undefined : new Date(now).toISOString()}
    >
      <span className={styles.leading}>
        {parts !== null && (
          <>
            <span className={styles.date}>
              <span className={styles.wide}>{weekday} </span>
              {day} {month}
              <span className={styles.wide}> {year}</span>
            </span>
            <span className={styles.dot} aria-hidden="true">
              {' · '}
            </span>
            <span>{parts.zone}</span>
          </>
        )}
      </span>{' '}
      <span className={styles.minutes}>{parts?.minutes ?? '--:--'}</span>
      <span className={styles.seconds}>:{parts?.seconds ?? '--'}</span>
    </time>
  )
}
