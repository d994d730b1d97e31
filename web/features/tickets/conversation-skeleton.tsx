import { Skeleton } from '#web/ui/states.tsx'
import styles from './conversation.module.css'

/** A conversation's size before it is here. */
export function ConversationSkeleton() {
  return (
    <div className={styles.ghosts} role="status">
      <span className="visually-hidden">Loading</span>
      <div className={styles.head}>
        <Skeleton width={180} height={26} />
        <Skeleton width="70%" height={36} />
        <Skeleton width="50%" height={24} />
      </div>
      <Skeleton width="100%" height={140} />
      <Skeleton width="100%" height={240} />
    </div>
  )
}
