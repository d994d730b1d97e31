import { Skeleton } from '#web/ui/states.tsx'
import styles from './ranked-skeleton.module.css'

/** A board's size before its rows are here. */
export function RankedSkeleton({ rows, compact = false }: { rows: number; compact?: boolean }) {
  return (
    <div role="status" className={compact ? styles.compact : undefined}>
      <span className="visually-hidden">Loading</span>
      <div className={styles.band} />
      <div className={styles.head} />
      {Array.from({ length: rows - 1 }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: blocks without identity
        <div className={styles.row} key={index}>
          <Skeleton width={24} height={20} />
          <Skeleton width={150} height={18} />
          <Skeleton width={96} height={20} />
        </div>
      ))}
    </div>
  )
}
