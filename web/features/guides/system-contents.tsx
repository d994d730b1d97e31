import styles from './system-contents.module.css'
import { SYSTEM_SECTIONS } from './systems/system-sections.ts'
import { useSectionInView } from './use-section-in-view.ts'

const IDS = SYSTEM_SECTIONS.map(({ id }) => id)

/** The contents of the page; where there is room they stay beside the text and mark the section being read. */
export function SystemContents() {
  const inView = useSectionInView(IDS)
  return (
    <nav className={styles.contents} aria-labelledby="contents-title">
      <h2 id="contents-title" className={styles.title}>
        On this page
      </h2>
      <ol className={styles.list}>
        {SYSTEM_SECTIONS.map(({ id, title }, index) => (
          <li key={id}>
            <a href={`#${id}`} className={styles.link} aria-current={id === inView ? 'true' : undefined}>
              <span className={styles.numeral} aria-hidden="true">
                {index + 1}
              </span>
              {title}
            </a>
          </li>
        ))}
      </ol>
    </nav>
  )
}
