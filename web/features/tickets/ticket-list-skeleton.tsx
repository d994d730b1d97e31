import { Panel } from '#web/ui/panel.tsx'
import { Skeleton } from '#web/ui/states.tsx'
import styles from './ticket-list.module.css'

const ROWS = 5

/** The list in its size, until it is known who asks and what they wrote. */
export function TicketListSkeleton() {
  return (
    <Panel title="My tickets">
      <div role="status">
        <span className="visually-hidden">Loading</span>
        {Array.from({ length: ROWS }, (_, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: blocks without identity
          <div className={styles.ghost} key={index}>
            <Skeleton width="60%" height={24} />
            <Skeleton width={220} height={18} />
          </div>
        ))}
      </div>
    </Panel>
  )
}
