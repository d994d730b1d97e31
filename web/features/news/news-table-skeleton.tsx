import { NEWS_PAGE_SIZE } from '#contract/limits.ts'
import { Skeleton } from '#web/ui/states.tsx'
import styles from './news-table-skeleton.module.css'

const WIDTHS = ['62%', '48%', '55%', '40%', '58%', '45%', '52%']

/** A board's size before its rows are here. */
export function NewsTableSkeleton() {
  return (
    <div role="status">
      <span className="visually-hidden">Loading</span>
      <div className={styles.latest}>
        <Skeleton width={144} height={96} />
        <Skeleton width="50%" height={28} />
      </div>
      {WIDTHS.slice(0, NEWS_PAGE_SIZE - 1).map((width) => (
        <div className={styles.row} key={width}>
          <Skeleton width={width} height={18} />
        </div>
      ))}
    </div>
  )
}
