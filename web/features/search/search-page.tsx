import { useQuery } from '@tanstack/react-query'
import { type MetaFunction, useLoaderData, useSearchParams } from 'react-router'
import { SEARCH } from '#contract/search-words.ts'
import { browserClient } from '#web/api/client.ts'
import { HydrateQueries } from '#web/api/hydrate-queries.tsx'
import { browserLoad, serverLoad } from '#web/api/page-data.ts'
import { pageMeta } from '#web/api/page-meta.ts'
import { PageHead } from '#web/shell/page-head.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { Skeleton } from '#web/ui/states.tsx'
import { searchQuery } from './queries.ts'
import { SearchForm } from './search-form.tsx'
import styles from './search-page.module.css'
import { SearchResults } from './search-results.tsx'
import { isAsked, readSearchView, type SearchView, searchTarget } from './search-view.ts'
import { Suggestions } from './suggestions.tsx'

const queriesOf = ({ url }: { url: URL }) => {
  const view = readSearchView(url.searchParams)
  return isAsked(view) ? [searchQuery(view)] : []
}

export const loader = serverLoad(queriesOf)
export const clientLoader = browserLoad(queriesOf)

export const meta: MetaFunction = ({ matches, location }) =>
  pageMeta(matches, {
    crumb: SEARCH.heading,
    description: 'One search over the news, the guides, the item shop and the characters of the server.',
    path: searchTarget(readSearchView(new URLSearchParams(location.search))),
    hidden: true,
  })

export default function SearchPage() {
  const { dehydrated } = useLoaderData<typeof loader>()
  const [query] = useSearchParams()
  const view = readSearchView(query)
  return (
    <HydrateQueries packed={dehydrated}>
      <PageHead
        crumb={SEARCH.heading}
        title={SEARCH.heading}
        lines={['News, guides, items and characters, all in one place.']}
      />
      <div className={styles.search}>
        <SearchForm view={view} />
        {isAsked(view) ? <Answer view={view} /> : <Start isTooShort={view.words !== ''} />}
      </div>
    </HydrateQueries>
  )
}

function Answer({ view }: { view: SearchView }) {
  const { data, error } = useQuery(searchQuery(view)(browserClient))
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
