import { Autocomplete } from '@base-ui/react/autocomplete'
import { keepPreviousData } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { isSearchable, normalizeQuery, SEARCH_QUERY_MAX, SEARCH_TEXTS } from '#contract/search.ts'
import { usePageQuery } from '#web/api/queries.ts'
import { Squares } from '#web/ui/button.tsx'
import { useCurrencyNames } from '#web/ui/currency-names.ts'
import { Icon } from '#web/ui/icon.tsx'
import { useLayer } from '#web/ui/layers.ts'
import { Link } from '#web/ui/link.tsx'
import panel from '#web/ui/panel.module.css'
import searchField from '#web/ui/search-field.module.css'
import { describeResultCount, formatResultCount, getHitKey, listSuggestedQueries } from './hit-text.ts'
import shared from './hits.module.css'
import { HitLink } from './hits.tsx'
import { readRecentQueries, storeRecentQuery } from './recent-queries.ts'
import styles from './search-dialog.module.css'
import { cleanQuery, getSearchPath, getSearchQuery, KIND_NAMES, type SearchAnswer } from './search-view.ts'

/** The value of the last option, which opens the page with all results. */
const ALL_RESULTS = 'all'

/** The search box over any page. It shows results as you type; arrows choose, Enter opens and Escape closes. */
export function SearchDialog({ onClose }: { onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const field = useRef<HTMLInputElement>(null)
  const navigate = useNavigate()
  const [input, setInput] = useState('')
  const [recentQueries] = useState(readRecentQueries)
  const { query, answer, isSettled, failure } = useBoxSearch(input)
  const results = answer !== null && answer.total > 0 ? answer : null

  // The component loads only when a visitor opens the search.
  useEffect(() => dialog.current?.showModal(), [])

  const close = () => dialog.current?.close()
  useLayer(true, close)
  const saveAndClose = () => {
    if (isSearchable(query)) storeRecentQuery(query)
    close()
  }
  const searchFor = (newQuery: string) => {
    setInput(newQuery)
    field.current?.focus()
  }

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keyboard closes it with Escape, by the browser
    <dialog
      className={styles.dialog}
      ref={dialog}
      aria-label={SEARCH_TEXTS.heading}
      onClose={onClose}
      onClick={(event) => {
        // Only a click on the dimmed backdrop has the dialog itself as its target.
        if (event.target === event.currentTarget) close()
      }}
    >
      <div className={`${panel.panel} ${styles.inner}`}>
        <Autocomplete.Root
          inline
          open
          mode="none"
          items={results === null ? [] : [...results.data, ALL_RESULTS]}
          autoHighlight="always"
          keepHighlight
          value={input}
          onValueChange={(newQuery, { reason }) => {
            // A chosen result opens; it must not replace the query in the field.
            if (reason !== 'item-press') setInput(newQuery)
          }}
        >
          {/* biome-ignore lint/a11y/useSemanticElements: older browsers do not support the search element */}
          <form
            className={`${searchField.field} ${styles.form}`}
            action="/search"
            role="search"
            onSubmit={(event) => {
              event.preventDefault()
              if (!isSearchable(query)) return
              saveAndClose()
              void navigate(getSearchPath(query))
            }}
          >
            <Icon name="search" size={24} />
            <Autocomplete.Input
              className={searchField.input}
              ref={field}
              type="text"
              name="q"
              aria-label="Search news, guides, items, characters and the forum"
              aria-expanded={results !== null}
              placeholder="What are you looking for?"
              enterKeyHint="search"
              onKeyDown={(event) => {
                // The visible results may belong to the previous query. Enter then searches for the typed query.
                if (event.key === 'Enter' && !isSettled) event.preventBaseUIHandler()
              }}
            />
            <button type="button" className={styles.close} aria-label="Close the search" onClick={close}>
              <svg width="18" height="18" viewBox="0 0 22 22" stroke="currentColor" strokeWidth="3" aria-hidden="true">
                <path d="M2 2 20 20M20 2 2 20" />
              </svg>
              <kbd>Esc</kbd>
            </button>
          </form>
          <div className={`${styles.results} quiet-scroll`}>
            {answer === null &&
              failure === null &&
              (isSearchable(query) ? (
                <ResultsSkeleton />
              ) : query.length > SEARCH_QUERY_MAX ? (
                <p className={styles.failure} role="alert">
                  {SEARCH_TEXTS.lengthRule}
                </p>
              ) : (
                <SearchStart recentQueries={recentQueries} onChoose={searchFor} />
              ))}
            {answer?.total === 0 && isSettled && (
              <>
                <p className={styles.emptyNote}>Nothing by that name. Try fewer words, or just the beginning of one.</p>
                <Suggestions onChoose={searchFor} />
              </>
            )}
            {results !== null && (
              <ResultOptions answer={results} query={query} isStale={!isSettled} onLeave={saveAndClose} />
            )}
            {failure !== null && (
              <p className={styles.failure} role="alert">
                {failure}
              </p>
            )}
          </div>
        </Autocomplete.Root>
        <div className={styles.foot}>
          <p role="status">{answer !== null && isSettled ? describeResultCount(answer.counts, query) : ''}</p>
          <p className={styles.keys} aria-hidden="true">
            <kbd>↑</kbd>
            <kbd>↓</kbd> choose <kbd>Enter</kbd> open <kbd>/</kbd> or <kbd>Ctrl K</kbd> from any page
          </p>
        </div>
      </div>
    </dialog>
  )
}

/** The pause in typing before a search is sent, in ms. */
const TYPING_PAUSE_MS = 200

type BoxSearch = {
  /** The query without control characters and extra spaces. */
  query: string
  /** The results of the query, or of the previous one while it loads; null without a search. */
  answer: SearchAnswer | null
  /** Whether the response belongs to this query. */
  isSettled: boolean
  failure: string | null
}

/** Searches while a visitor types, after a pause; a newer search aborts the previous one. */
function useBoxSearch(input: string): BoxSearch {
  const query = cleanQuery(input)
  const [settledQuery, setSettledQuery] = useState(query)
  useEffect(() => {
    const timer = setTimeout(() => setSettledQuery(query), TYPING_PAUSE_MS)
    return () => clearTimeout(timer)
  }, [query])

  const isEnabled = isSearchable(query)
  const { data, error, isPlaceholderData } = usePageQuery(
    getSearchQuery({ query: settledQuery, kind: null, page: 1 }),
    {
      enabled: isEnabled && isSearchable(settledQuery),
      retry: false,
      placeholderData: keepPreviousData,
    },
  )
  const isSameQuery = normalizeQuery(settledQuery) === normalizeQuery(query)
  return {
    query,
    answer: isEnabled ? (data ?? null) : null,
    isSettled: isSameQuery && !isPlaceholderData && data !== undefined,
    failure: isEnabled && isSameQuery ? (error?.message ?? null) : null,
  }
}

/** Marks the highlighted option as selected for screen readers; the focus stays in the field. */
const getOptionProps = (isHighlighted: boolean) => ({ 'aria-selected': isHighlighted, tabIndex: -1 })

type ResultOptionsProps = {
  answer: SearchAnswer
  query: string
  /** Whether these are the results of the previous query. */
  isStale: boolean
  onLeave: () => void
}

/** The results as a list box in groups. The last option opens the page with all results. */
function ResultOptions({ answer: { data, counts }, query, isStale, onLeave }: ResultOptionsProps) {
  const kinds = [...new Set(data.map(({ kind }) => kind))]
  return (
    <Autocomplete.List aria-label="Results" data-old={isStale || undefined} className={styles.list}>
      {kinds.map((kind) => (
        <Autocomplete.Group className={styles.group} key={kind} aria-label={KIND_NAMES[kind]}>
          <div className={styles.heading} aria-hidden="true">
            {KIND_NAMES[kind]} <span>{formatResultCount(counts, [kind])}</span>
          </div>
          {data
            .filter((hit) => hit.kind === kind)
            .map((hit) => (
              <Autocomplete.Item
                key={getHitKey(hit)}
                className={styles.hit}
                value={hit}
                onClick={onLeave}
                render={(props, { highlighted: isHighlighted }) => (
                  <HitLink {...props} {...getOptionProps(isHighlighted)} hit={hit} />
                )}
              />
            ))}
        </Autocomplete.Group>
      ))}
      <Autocomplete.Item
        className={styles.all}
        value={ALL_RESULTS}
        onClick={onLeave}
        render={(props, { highlighted: isHighlighted }) => (
          <Link {...props} {...getOptionProps(isHighlighted)} to={getSearchPath(query)} />
        )}
      >
        All results for “{query}” <b>{formatResultCount(counts)}</b>
      </Autocomplete.Item>
    </Autocomplete.List>
  )
}

/** Shown until the first response arrives. */
function ResultsSkeleton() {
  return (
    <div className={styles.skeleton}>
      <Squares />
    </div>
  )
}

type SearchStartProps = { recentQueries: readonly string[]; onChoose: (query: string) => void }

/** Shown before the first search: recent searches and suggestions. */
function SearchStart({ recentQueries, onChoose }: SearchStartProps) {
  return (
    <>
      {recentQueries.length > 0 && (
        <section className={styles.group} aria-label="Recent searches">
          <h2 className={styles.heading}>Recent searches</h2>
          {recentQueries.map((query) => (
            <button type="button" className={styles.recentQuery} key={query} onClick={() => onChoose(query)}>
              <Icon name="search" size={18} /> {query}
            </button>
          ))}
        </section>
      )}
      <Suggestions onChoose={onChoose} />
    </>
  )
}

/** Suggested searches. */
function Suggestions({ onChoose }: Pick<SearchStartProps, 'onChoose'>) {
  const names = useCurrencyNames()
  return (
    <section className={styles.group} aria-label="Try">
      <h2 className={styles.heading}>Try</h2>
      <div className={`${shared.suggestions} ${styles.suggestions}`}>
        {listSuggestedQueries(names).map((query) => (
          <button type="button" className={shared.suggestion} key={query} onClick={() => onChoose(query)}>
            {query}
          </button>
        ))}
      </div>
    </section>
  )
}
