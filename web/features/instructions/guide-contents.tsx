import { CHAPTERS } from './content/chapters.ts'
import styles from './guide-contents.module.css'

const ENTRIES = [
  { id: 'screen', title: 'The screen' },
  ...CHAPTERS.map(({ id, title }) => ({ id, title })),
  { id: 'regions', title: 'The nine regions in words' },
]

/** What the guide holds, in order, each with a jump to it. */
export function GuideContents() {
  return (
    <nav className={styles.contents} aria-label="On this page">
      <ol>
        {ENTRIES.map(({ id, title }, index) => (
          <li key={id}>
            <a href={`#${id}`}>
              <span className={styles.number} aria-hidden="true">
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
