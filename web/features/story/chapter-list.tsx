import styles from './chapter-list.module.css'
import { CHAPTERS } from './chapters.ts'

/** The chapters and the map, as stops to get off at. */
export function ChapterList() {
  return (
    <nav aria-label="Chapters">
      <ol className={styles.list}>
        {CHAPTERS.map(({ id, title, school }, i) => (
          <li key={id} data-school={school}>
            <a href={`#${id}`}>
              <span className={styles.number}>{i + 1}</span>
              {title}
            </a>
          </li>
        ))}
        <li className={styles.map}>
          <a href="#map">World map</a>
        </li>
      </ol>
    </nav>
  )
}
