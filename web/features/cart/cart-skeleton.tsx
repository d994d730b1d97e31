import { Panel } from '#web/ui/panel.tsx'
import { Skeleton } from '#web/ui/states.tsx'
import styles from './cart-page.module.css'
import { Receipt } from './receipt.tsx'

const LINES = ['first', 'second', 'third']

/** The cart's size before its lines are here. */
export function CartSkeleton() {
  return (
    <div className={styles.cart} role="status">
      <span className="visually-hidden">Loading</span>
      <Panel title="Items">
        {LINES.map((line) => (
          <div className={styles.ghost} key={line}>
            <Skeleton width={72} height={60} />
            <Skeleton width="60%" height={24} />
          </div>
        ))}
      </Panel>
      <Receipt title="Summary" note="">
        <div className={styles.blank} />
      </Receipt>
    </div>
  )
}
