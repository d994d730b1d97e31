import { SEARCH_KINDS, SEARCH_TEXTS } from '#contract/search.ts'
import { usePageSearch } from '#web/api/page.ts'
import { usePageQuery } from '#web/api/queries.ts'
import { SearchForm } from '#web/forms/search-form.tsx'
import { PageHead } from '#web/shell/page-head.tsx'
import { useCurrencyNames } from '#web/ui/currency-names.ts'
import layout from '#web/ui/layout.module.css'
import { Link } from '#web/ui/link.tsx'
import { Pager } from '#web/ui/pager.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { Skeleton } from '#web/ui/states.tsx'
import { TabLinks } from '#web/ui/tabs.tsx'
import text from '#web/ui/text.module.css'
import { useArt } from '#web/ui/theme-art.ts'
import { describeResultCount, formatResultCount, getHitKey, listSuggestedQueries } from './hit-text.ts'
import shared from './hits.module.css'
import { HitLink } from './hits.tsx'
import styles from './search-page.module.css'
import {
  getSearchPath,
  getSearchQuery,
  getSearchTarget,
  hasQuery,
  KIND_NAMES,
  type SearchAnswer,
  type SearchView,
  searchSearch,
} from './search-view.ts'

export default function SearchPage() {
  const view = usePageSearch(searchSearch)
  return (
    <>
      <PageHead
        crumb={SEARCH_TEXTS.heading}
        title={SEARCH_TEXTS.heading}
        lines={['News, guides, items, characters and the forum, all in one place.']}
      />
      <div className={`${layout.panels} ${styles.search}`}>
        <SearchForm
          action="/search"
          id="search-words"
          label="Search news, guides, items, characters and the forum"
          placeholder="News, guides, items, characters"
          query={view.query}
          size="lg"
          autoComplete="off"
        >
          {view.kind !== null && <input type="hidden" name="kind" value={view.kind} />}
        </SearchForm>
        {hasQuery(view) ? <SearchOutcome view={view} /> : <SearchStart showsRule={view.query !== ''} />}
      </div>
    </>
  )
}

function SearchOutcome({ view }: { view: SearchView }) {
  const { data, error } = usePageQuery(getSearchQuery(view), { retry: false })
  if (data !== undefined) return <Results view={view} answer={data} />
  if (error !== null) {
    return (
      <p className={styles.failed} role="alert">
        {error.message}
      </p>
    )
  }
  return (
    <div className={layout.stack} role="status">
      <span className="visually-hidden">Searching</span>
      <Skeleton width="100%" height={56} />
      <Skeleton width="100%" height={240} />
    </div>
  )
}

/** Shown before a search, and for a query that is too short or too long. */
function SearchStart({ showsRule }: { showsRule: boolean }) {
  return (
    <Panel>
      <div className={styles.start}>
        {showsRule && (
          <p className={styles.rule} role="status">
            {SEARCH_TEXTS.lengthRule}
          </p>
        )}
        <h2 className={text.size24Loose}>What are you looking for?</h2>
        <p className={styles.line}>
          The beginning of a word is enough. Put words in “quotes” to find them side by side, and a minus before a word
          to leave it out.
        </p>
        <Suggestions label="Suggested searches" />
      </div>
    </Panel>
  )
}

type ResultsProps = { view: SearchView; answer: SearchAnswer }

/** The results: a tab for each kind with its count, then pages of one kind, or the first results of each kind. */
function Results({ view, answer }: ResultsProps) {
  const { query, kind } = view
  const tabs = [
    { key: 'all', label: `All ${formatResultCount(answer.counts)}`, to: getSearchTarget({ query, kind: null }) },
    ...SEARCH_KINDS.map((resultKind) => ({
      key: resultKind,
      label: `${KIND_NAMES[resultKind]} ${formatResultCount(answer.counts, [resultKind])}`,
      to: getSearchTarget({ query, kind: resultKind }),
    })),
  ]
  return (
    <>
      <TabLinks label="Kinds of results" tabs={tabs} current={kind ?? 'all'} list="results" />
      <div id="results" className={layout.stack}>
        <p className={styles.count} role="status">
          {describeResultCount(answer.counts, query, kind === null ? undefined : [kind])}
          {kind !== null && ` in ${KIND_NAMES[kind]}`}
        </p>
        {answer.total === 0 ? (
          <NothingFound view={view} hasOtherResults={kind !== null && formatResultCount(answer.counts) !== '0'} />
        ) : kind === null ? (
          <Groups query={query} answer={answer} />
        ) : (
          <Panel>
            <Hits hits={answer.data} />
          </Panel>
        )}
        {kind !== null && (
          <Pager
            list="results"
            target={getSearchTarget(view)}
            page={answer.page}
            lastPage={answer.last_page}
            label="Pages of results"
          />
        )}
      </div>
    </>
  )
}

/** The first results of each kind. The kind with the best hit comes first. */
function Groups({ query, answer: { data, counts } }: { query: string; answer: SearchAnswer }) {
  const kinds = [...new Set(data.map(({ kind }) => kind))]
  return kinds.map((kind) => {
    const hits = data.filter((hit) => hit.kind === kind)
    const allLink = counts[kind] > hits.length && (
      <Link className={styles.more} to={getSearchTarget({ query, kind })}>
        All {formatResultCount(counts, [kind])}
        <span className="visually-hidden"> {KIND_NAMES[kind]}</span>
      </Link>
    )
    return (
      <Panel key={kind} title={KIND_NAMES[kind]} actions={allLink || undefined}>
        <Hits hits={hits} />
      </Panel>
    )
  })
}

function Hits({ hits }: { hits: SearchAnswer['data'] }) {
  return (
    <ul className={layout.rows}>
      {hits.map((hit) => (
        <li key={getHitKey(hit)}>
          <HitLink className={styles.link} hit={hit} />
        </li>
      ))}
    </ul>
  )
}

type NothingFoundProps = {
  view: SearchView
  /** Whether other kinds have results. */
  hasOtherResults: boolean
}

/** No results, with advice for another search. */
function NothingFound({ view: { query, kind }, hasOtherResults }: NothingFoundProps) {
  return (
    <Panel>
      <div className={styles.empty}>
        <img src={useArt('/art/receipt-empty.svg')} alt="" width="84" height="96" loading="lazy" />
        <div className={styles.text}>
          <h2 className={text.size24Loose}>
            {kind !== null && hasOtherResults ? `Nothing found in ${KIND_NAMES[kind]}` : 'Nothing found'}
          </h2>
          {hasOtherResults ? (
            <p>
              There are results of other kinds.{' '}
              <Link to={getSearchTarget({ query, kind: null })}>Show all results</Link>.
            </p>
          ) : (
            <p>
              Try fewer words or another spelling. The beginning of a word is enough, and so is the beginning of a
              character’s name.
            </p>
          )}
          <Suggestions label="Other searches" />
        </div>
      </div>
    </Panel>
  )
}

/** Suggested searches, as links. */
function Suggestions({ label }: { label: string }) {
  const names = useCurrencyNames()
  return (
    <nav aria-label={label}>
      <ul className={shared.suggestions}>
        {listSuggestedQueries(names).map((query) => (
          <li key={query}>
            <Link className={shared.suggestion} to={getSearchPath(query)}>
              {query}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
