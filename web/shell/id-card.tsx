import type { ReactNode } from 'react'
import styles from './id-card.module.css'

/** A school ID: paper with a lanyard slot. It lies in half light until its person uses it. */
export function IdCard({ children }: { children: ReactNode }) {
  return (
    <section className={styles.card} data-surface="paper" aria-label="Your account">
      <span className={styles.slot} aria-hidden="true" />
      {children}
    </section>
  )
}
