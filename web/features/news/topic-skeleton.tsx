import { Skeleton } from '#web/ui/states.tsx'
import styles from './topic-skeleton.module.css'

/** An item's size before it is here. */
export function TopicSkeleton() {
  return (
    <div className={styles.topic} role="status">
      <span className="visually-hidden">Loading</span>
      <Skeleton width="70%" height={56} />
      <Skeleton width="30%" height={20} />
      <Skeleton width="100%" height={240} />
    </div>
  )
}
