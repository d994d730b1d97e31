import type { ReactNode } from 'react'
import layout from '#web/ui/layout.module.css'
import styles from './sheet.module.css'

/** A sheet of paper for a form, with the three school colors at the top and one cut corner. */
export function PaperSheet({ children, className }: { children: ReactNode; className?: string | undefined }) {
  return (
    <div className={[styles.sheet, className].filter(Boolean).join(' ')} data-surface="paper">
      {children}
    </div>
  )
}

type SheetPartProps = {
  /** The large number at the left, for a form with several parts. */
  numeral?: number
  title: string
  /** A line about the purpose, below the title. */
  line?: string
  children: ReactNode
}

/** One part of a paper form. */
export function SheetPart({ numeral, title, line, children }: SheetPartProps) {
  return (
    <section className={numeral === undefined ? styles.part : styles.numbered}>
      {numeral !== undefined && (
        <span className={styles.numeral} aria-hidden="true">
          {numeral}
        </span>
      )}
      <div className={layout.shrinks}>
        <h2 className={styles.title}>{title}</h2>
        {line !== undefined && <p className={styles.line}>{line}</p>}
        {children}
      </div>
    </section>
  )
}

/** The fields of a form, in two columns if there is room. */
export function FormGrid({ children }: { children: ReactNode }) {
  return <div className={styles.grid}>{children}</div>
}

/** The buttons at the end of a form. */
export function FormActions({ children, className }: { children: ReactNode; className?: string | undefined }) {
  return <div className={[layout.buttons, styles.actions, className].filter(Boolean).join(' ')}>{children}</div>
}
