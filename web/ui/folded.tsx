import type { ReactNode } from 'react'
import styles from './folded.module.css'

type FoldedTextProps = {
  /** The text's title, which names the checkbox. */
  title: string
  /** Whether the text is long enough to be folded. */
  isLong: boolean
  children: ReactNode
}

/**
 * The text of a chapter. On a phone, a long text shows only its beginning until the reader checks the checkbox, focuses
 * a link inside, or follows a link to a part of the text. The checkbox works without scripts.
 */
export function FoldedText({ title, isLong, children }: FoldedTextProps) {
  if (!isLong) return children
  return (
    <div className={styles.folded}>
      <div className={styles.text}>{children}</div>
      <label className={styles.toggle}>
        <input type="checkbox" className="visually-hidden" aria-label={`Show all of ${title}`} />
        <span className={styles.more} aria-hidden="true">
          Read on
        </span>
        <span className={styles.less} aria-hidden="true">
          Fold
        </span>
      </label>
    </div>
  )
}

/** The number of characters of HTML above which a chapter is folded. */
const FOLDED_LENGTH = 700

/** Returns whether texts in HTML are long enough to be folded. */
export const isLongText = (...texts: readonly string[]): boolean => texts.join('').length > FOLDED_LENGTH
