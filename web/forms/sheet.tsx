import type { ReactNode } from 'react'
import layout from '#web/ui/layout.module.css'
import styles from './sheet.module.css'

/** A printed form: paper under the three school colours, one corner cut. */
export function PaperSheet({ children, className }: { children: ReactNode; className?: string | undefined }) {
  return (
    <div className={[styles.sheet, className].filter(Boolean).join(' ')} data-surface="paper">
      {children}
    </div>
  )
}

type SheetPartProps = {
  /** The large numeral at the left, where a form has several parts. */
  numeral?: number
  title: string
  /** The purpose, under its title. */
  line?: string
  children: ReactNode
}

/** One part of a printed form. */
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

/** Fields of a form, in two columns if there is room. */
export function FormGrid({ children }: { children: ReactNode }) {
  return <div className={styles.grid}>{children}</div>
}

/** The buttons at the end of a form. */
export function FormActions({ children, className }: { children: ReactNode; className?: string | undefined }) {
  return <div className={[layout.buttons, styles.actions, className].filter(Boolean).join(' ')}>{children}</div>
}
