import { Link } from '#web/ui/link.tsx'
import { Panel } from '#web/ui/panel.tsx'
import styles from './nothing-found.module.css'
import { KIND_NAMES, type SearchView, searchTarget } from './search-view.ts'
import { Suggestions } from './suggestions.tsx'

type NothingFoundProps = {
  view: SearchView
  /** How many there are of all kinds together. */
  everything: number
}

/** Nothing, and what to do about it. */
export function NothingFound({ view: { words, kind }, everything }: NothingFoundProps) {
  const elsewhere = kind !== null && everything > 0
  return (
    <Panel>
      <div className={styles.empty}>
        <img src="/art/receipt-empty.svg" alt="" width="84" height="96" loading="lazy" />
        <div className={styles.words}>
          <h2 className={styles.title}>
            {elsewhere ? `No ${KIND_NAMES[kind].toLowerCase()} by that name` : 'Not on this campus'}
          </h2>
          {elsewhere ? (
            <p>
              Other kinds know it.{' '}
              <Link to={searchTarget({ words, kind: null })}>Look at everything that was found</Link>.
            </p>
          ) : (
            <p>
              Try fewer words or another spelling. The beginning of a word is enough, and a character is found by the
              beginning of its name.
            </p>
          )}
          <Suggestions label="Other searches" />
        </div>
      </div>
    </Panel>
  )
}
