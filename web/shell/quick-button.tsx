import { type MouseEvent, useEffect, useRef, useState } from 'react'
import { QUICK_BUTTON_MS } from '#contract/limits.ts'
import styles from './quick-button.module.css'
import { scrollToTop } from './scroll-to-top.ts'

/** Back to the top (SPEC §1): appears once the page has been scrolled, and its ring follows the scroll position. */
export function QuickButton() {
  const mark = useRef<HTMLSpanElement>(null)
  const [away, setAway] = useState(false)

  useEffect(() => {
    if (mark.current === null) return
    const observer = new IntersectionObserver(([entry]) => setAway(entry !== undefined && !entry.isIntersecting))
    observer.observe(mark.current)
    return () => observer.disconnect()
  }, [])

  const onClick = (event: MouseEvent) => {
    event.preventDefault()
    scrollToTop(QUICK_BUTTON_MS)
  }

  return (
    <>
      <span className={styles.mark} ref={mark} aria-hidden="true" />
      {/* biome-ignore lint/a11y: a link to the top, named by its label, that slides there where scripts run */}
      <a
        href="#top"
        aria-label="Back to the top"
        className={styles.quick}
        data-away={away || undefined}
        onClick={onClick}
      >
        <svg viewBox="0 0 48 48" fill="none" aria-hidden="true">
          <path className={styles.track} d="M2 2H46V36L36 46H2Z" />
          <path className={styles.ring} d="M2 2H46V36L36 46H2Z" pathLength="1" />
          <path className={styles.arrow} d="M14 27 24 16 34 27" />
        </svg>
      </a>
    </>
  )
}
