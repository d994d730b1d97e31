import type { ReactNode, Ref } from 'react'
import { Link } from '#web/ui/link.tsx'
import { PART_KEYS, type PartKey } from './content/part-keys.ts'
import { PARTS, partNumber } from './content/parts.ts'
import { PartBody } from './part-body.tsx'
import { PartLink } from './part-link.tsx'
import styles from './part-window.module.css'

type PartWindowProps = {
  part: PartKey
  heading: ReactNode
  /** Closes it where scripts run; without them the link leads to the guide. */
  onClose?: () => void
  scrollBox?: Ref<HTMLElement>
}

/** The inside of a popup: number and title, the text, and the ways on. */
export function PartWindow({ part, heading, onClose, scrollBox }: PartWindowProps) {
  const at = PART_KEYS.indexOf(part)
  const previous = PART_KEYS[at - 1]
  const next = PART_KEYS[at + 1]
  return (
    <div className={styles.inner}>
      <div className={styles.bar}>
        <span className={styles.number} aria-hidden="true">
          {partNumber(part)}
        </span>
        {heading}
        <Link
          to="/instructions"
          className={styles.close}
          preventScrollReset
          onClick={
            onClose &&
            ((event) => {
              event.preventDefault()
              onClose()
            })
          }
        >
          <svg width="20" height="20" viewBox="0 0 20 20" aria-hidden="true">
            <path d="M2 2 18 18M18 2 2 18" stroke="currentColor" strokeWidth="3" />
          </svg>
          <span className="visually-hidden">Close</span>
        </Link>
      </div>
      <section
        className={styles.scroll}
        ref={scrollBox}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must be able to scroll it
        tabIndex={0}
        aria-label={`${PARTS[part].title}: text`}
      >
        <PartBody part={part} />
      </section>
      <nav className={styles.foot} aria-label="Other regions">
        {previous === undefined ? (
          <span />
        ) : (
          <PartLink part={previous}>
            <span aria-hidden="true">← </span>
            <span className="visually-hidden">Previous: </span>
            {PARTS[previous].title}
          </PartLink>
        )}
        {next !== undefined && (
          <PartLink part={next}>
            <span className="visually-hidden">Next: </span>
            {PARTS[next].title}
            <span aria-hidden="true"> →</span>
          </PartLink>
        )}
      </nav>
    </div>
  )
}
