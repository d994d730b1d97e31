import { Skeleton } from '#web/ui/states.tsx'
import styles from './history-board.module.css'

const ROWS = 10

/** A history's size before its rows are here. */
export function HistorySkeleton() {
  return (
    <div role="status">
      <span className="visually-hidden">Loading</span>
      {Array.from({ length: ROWS }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: blocks without identity
        <div className={styles.ghost} key={index}>
          <Skeleton width={56} height={44} />
          <Skeleton width={150} height={20} />
          <Skeleton width={90} height={20} />
        </div>
      ))}
    </div>
  )
}
