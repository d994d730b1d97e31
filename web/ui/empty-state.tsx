import type { ReactNode } from 'react'
import styles from './empty-state.module.css'

type EmptyStateProps = {
  /** The specification's words, such as 'No Data'. */
  title: string
  /** What to do next. */
  line?: string
  action?: ReactNode
}

/** Nothing here yet: a torn receipt, the spec's words, and a way on. */
export function EmptyState({ title, line, action }: EmptyStateProps) {
  return (
    <div className={styles.empty}>
      <img src="/art/receipt-empty.svg" alt="" width="84" height="96" loading="lazy" />
      <div className={styles.words}>
        <p className={styles.title}>{title}</p>
        {line !== undefined && <p className={styles.line}>{line}</p>}
        {action}
      </div>
    </div>
  )
}
