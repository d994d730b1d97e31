import { SEARCH } from '#contract/search-words.ts'
import { usePageSearch } from '#web/api/page.ts'
import { useLoaded } from '#web/api/queries.ts'
import { PageHead } from '#web/shell/page-head.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { Skeleton } from '#web/ui/states.tsx'
import { searchQuery } from './queries.ts'
import { SearchForm } from './search-form.tsx'
import styles from './search-page.module.css'
import { SearchResults } from './search-results.tsx'
import { isAsked, type SearchView, searchSearch, searchTarget } from './search-view.ts'
import { Suggestions } from './suggestions.tsx'

export default function SearchPage() {
  const view = usePageSearch(searchSearch)
  return (
    <>
      <PageHead
        crumb={SEARCH.heading}
        title={SEARCH.heading}
        lines={['News, guides, items and characters, all in one place.']}
      />
      <div className={styles.search}>
        <SearchForm view={view} />
        {isAsked(view) ? <Answer view={view} /> : <Start isTooShort={view.words !== ''} />}
      </div>
    </>
  )
}

function Answer({ view }: { view: SearchView }) {
  const { data, error } = useLoaded(searchQuery(view), { retry: false })
  if (data !== undefined) return <SearchResults view={view} answer={data} />
  if (error !== null) {
    return (
      <p className={styles.failed} role="alert">
        {error.message}
      </p>
    )
  }
  return (
    <div className={styles.coming} role="status">
      <span className="visually-hidden">Searching</span>
      <Skeleton width="100%" height={56} />
      <Skeleton width="100%" height={240} />
    </div>
  )
}

/** Nothing asked for yet. */
function Start({ isTooShort }: { isTooShort: boolean }) {
  return (
    <Panel>
      <div className={styles.start}>
        {isTooShort && (
          <p className={styles.rule} role="status">
            {SEARCH.lengthRule}
          </p>
        )}
        <h2 className={styles.title}>What are you looking for?</h2>
        <p className={styles.line}>
          The beginning of a word is enough. Words in “quotes” stand together, and a word after a minus must not occur.
        </p>
        <Suggestions label="Searches to begin with" />
      </div>
    </Panel>
  )
}
