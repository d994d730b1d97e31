import type { ReactNode } from 'react'
import styles from './receipt.module.css'

type ReceiptProps = { title: string; note: ReactNode; className?: string | undefined; children: ReactNode }

/** A till receipt: paper with a torn edge. */
export function Receipt({ title, note, className, children }: ReceiptProps) {
  return (
    <section className={[styles.receipt, className].filter(Boolean).join(' ')} data-surface="paper" aria-label={title}>
      <div className={styles.head}>
        <h2 className={styles.title}>{title}</h2>
        <span className={styles.note}>{note}</span>
      </div>
      {children}
    </section>
  )
}
