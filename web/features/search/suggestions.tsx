import { Link } from '#web/ui/link.tsx'
import { searchPath } from './search-view.ts'
import styles from './suggestions.module.css'

/** Words that find something on every server: they are answered by the site's own pages. */
export const SUGGESTED_WORDS = ['how to start', 'brawler', 'R-Coin', 'system requirements', 'shortcut keys', 'club war']

/** A few searches to begin with. */
export function Suggestions({ label }: { label: string }) {
  return (
    <nav className={styles.suggestions} aria-label={label}>
      <ul>
        {SUGGESTED_WORDS.map((words) => (
          <li key={words}>
            <Link className={styles.word} to={searchPath(words)}>
              {words}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
