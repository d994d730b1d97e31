import type { ReactNode } from 'react'
import styles from './folded.module.css'

type FoldedProps = {
  /** The text's title, which names the checkbox. */
  title: string
  /** Whether the text is long enough to be folded. */
  isLong: boolean
  children: ReactNode
}

/**
 * The text of a chapter. On a phone, a long text shows only its beginning until the reader checks a checkbox (which
 * works without scripts), focuses a link inside, or follows a link to a part of it.
 */
export function Folded({ title, isLong, children }: FoldedProps) {
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

/** Longer chapters, in characters of HTML, are folded. */
const FOLDED_LENGTH = 700

/** Whether texts in HTML are long enough to be folded. */
export const isLongText = (...texts: readonly string[]): boolean => texts.join('').length > FOLDED_LENGTH
