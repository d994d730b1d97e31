import type { ReactNode } from 'react'
import { Panel } from '#web/ui/panel.tsx'
import styles from './closed-notice.module.css'

type ClosedNoticeProps = {
  /** A drawing of 480×260. */
  picture: string
  children: ReactNode
}

/** A drawing beside what it means and the ways out. */
export function ClosedNotice({ picture, children }: ClosedNoticeProps) {
  return (
    <Panel>
      <div className={styles.notice}>
        <img className={styles.picture} src={picture} alt="" width="480" height="260" />
        <div className={styles.words}>{children}</div>
      </div>
    </Panel>
  )
}
