import styles from './moment.module.css'
import { momentWords } from './moment-words.ts'

/** A moment of a history, in Manila time. */
export function Moment({ iso }: { iso: string }) {
  const { date, time } = momentWords(iso)
  return (
    <time dateTime={iso} className={styles.moment}>
      {date} <span>{time}</span>
    </time>
  )
}
