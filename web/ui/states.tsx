import { Fragment, type ReactNode } from 'react'
import { NEWS_TEXTS } from '#contract/messages.ts'
import styles from './states.module.css'
import text from './text.module.css'
import { useArt } from './theme-art.ts'

type SkeletonProps = { width: number | string; height: number | string }

/** A placeholder with the size of the loading content (LOOK-8). */
export function Skeleton({ width, height }: SkeletonProps) {
  return <span className={styles.block} style={{ width, height }} aria-hidden="true" />
}

type LoadingProps = { className?: string | undefined; rows?: number; children: ReactNode }

/**
 * Wraps placeholders and names them for screen readers. `rows` repeats the placeholder. The parts below the
 * content are hidden until it has loaded.
 */
export function Loading({ className, rows = 1, children }: LoadingProps) {
  return (
    <div className={className} role="status" data-loading>
      <span className="visually-hidden">Loading</span>
      {Array.from({ length: rows }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity
        <Fragment key={index}>{children}</Fragment>
      ))}
    </div>
  )
}

type EmptyStateProps = {
  /** The message, such as 'No Data' (HISTORY-3). */
  title: string
  /** The next step for the reader. */
  line?: string
  action?: ReactNode
}

/** Shown for an empty list: a torn receipt, the message, and the next step (LOOK-8). */
export function EmptyState({ title, line, action }: EmptyStateProps) {
  return (
    <div className={styles.empty}>
      <img src={useArt('/art/receipt-empty.svg')} alt="" width="84" height="96" loading="lazy" />
      <div className={styles.text}>
        <p className={text.size24Loose}>{title}</p>
        {line !== undefined && <p className={styles.line}>{line}</p>}
        {action}
      </div>
    </div>
  )
}

/** The yellow 'new' badge of the latest items (NEWS-2). */
export function NewBadge() {
  return <span className={styles.badge}>{NEWS_TEXTS.newBadge}</span>
}
