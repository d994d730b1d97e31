import { Panel } from '#web/ui/panel.tsx'
import { Skeleton } from '#web/ui/states.tsx'
import styles from './account-page.module.css'

/** The four parts in their sizes, until it is known who asks. */
export function AccountSkeleton() {
  return (
    <div className={styles.parts} aria-busy="true">
      <Part index={1} title="Load R-COINS" height={262} />
      <Part index={2} title="Connection Information" height={180} />
      <Part index={3} title="Account Information" height={322} />
      <Part index={4} title="Characters list" height={168} />
    </div>
  )
}

function Part({ index, title, height }: { index: number; title: string; height: number }) {
  return (
    <Panel index={index} title={title}>
      <div className={styles.padded}>
        <Skeleton width="100%" height={height} />
      </div>
    </Panel>
  )
}
