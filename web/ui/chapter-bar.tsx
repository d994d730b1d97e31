import { type MouseEvent, useMemo, useRef } from 'react'
import styles from './chapter-bar.module.css'
import { ContentsList } from './contents.tsx'
import { useSectionInView } from './section-in-view.ts'

type ChapterBarProps = {
  entries: readonly { id: string; title: string }[]
  className?: string | undefined
}

/** The bar at the top of the window on a long page: the current chapter, the progress, and a list of all chapters. */
export function ChapterBar({ entries, className = '' }: ChapterBarProps) {
  const list = useRef<HTMLDetailsElement>(null)
  const sectionId = useSectionInView(useMemo(() => entries.map(({ id }) => id), [entries]))
  const currentIndex = Math.max(
    0,
    entries.findIndex(({ id }) => id === sectionId),
  )
  const closeAfterChoice = (event: MouseEvent) => {
    if (event.target instanceof Element && event.target.closest('a')) list.current?.removeAttribute('open')
  }
  return (
    <nav className={`${styles.bar} ${className}`} aria-label="Chapters">
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: a keyboard press on a link also sends a click */}
      <details ref={list} onClick={closeAfterChoice}>
        <summary className={styles.summary}>
          <span className={styles.title}>{entries[currentIndex]?.title}</span>
          <span className={styles.position}>
            {currentIndex + 1} of {entries.length}
          </span>
        </summary>
        <ContentsList
          entries={entries}
          current={sectionId}
          classes={{ list: `${styles.list} quiet-scroll`, entry: styles.entry, number: styles.number }}
        />
      </details>
      <span className={styles.progress} aria-hidden="true" />
    </nav>
  )
}
