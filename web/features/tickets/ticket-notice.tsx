import type { ReactNode } from 'react'
import { Panel } from '#web/ui/panel.tsx'
import styles from './ticket-notice.module.css'

type Props = {
  title: string
  line?: string
  /** Whether it is read out at once, as a failure is. */
  isAlarm?: boolean
  children?: ReactNode
}

/** The ticket box, what it says, and the ways on. */
export function TicketNotice({ title, line, isAlarm = false, children }: Props) {
  return (
    <Panel>
      <div className={styles.notice} role={isAlarm ? 'alert' : undefined}>
        <img src="/art/ticket-box.svg" alt="" width="120" height="136" className={styles.picture} />
        <div className={styles.words}>
          <h2 className={styles.title}>{title}</h2>
          {line !== undefined && <p className={styles.line}>{line}</p>}
          {children !== undefined && <div className={styles.actions}>{children}</div>}
        </div>
      </div>
    </Panel>
  )
}
