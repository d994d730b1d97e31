import type { ReactNode } from 'react'
import styles from './panel.module.css'

type PanelProps = {
  id?: string
  /** The number on the paper plate before the title. */
  index?: number | string
  title?: ReactNode
  /** The heading level of the title; 2 by default. */
  level?: 1 | 2 | 3
  /** Quiet links at the right of the title bar. */
  actions?: ReactNode
  tone?: 'ink' | 'paper'
  className?: string | undefined
  children: ReactNode
}

/** A panel in the style of a game window: one cut corner, a thin inner line, and an optional title bar. */
export function Panel({ id, index, title, level = 2, actions, tone = 'ink', className, children }: PanelProps) {
  const Heading = `h${level}` as const
  return (
    <section
      id={id}
      className={[styles.panel, tone === 'paper' && styles.paper, className].filter(Boolean).join(' ')}
      data-surface={tone === 'paper' ? 'paper' : undefined}
    >
      {title !== undefined && (
        <div className={styles.bar}>
          {index !== undefined && (
            <span className={styles.plate} aria-hidden="true">
              {index}
            </span>
          )}
          <Heading className={styles.title}>{title}</Heading>
          {actions !== undefined && <div className={styles.actions}>{actions}</div>}
        </div>
      )}
      {children}
    </section>
  )
}
