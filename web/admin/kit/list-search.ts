import { useEffect } from 'react'
import { useLocation, useNavigate } from 'react-router'
import type { FieldOptions } from '#contract/describe-fields.ts'

/** A filter of a list; its key is the name of the call's parameter. */
export type Filter =
  /** The list's single search field. */
  | { kind: 'search'; label: string }
  | { kind: 'text'; label: string }
  /** A filter that a link sets. It has no field, only a chip that removes it. */
  | { kind: 'link'; label: string }
  | {
      kind: 'choice'
      label: string
      options: FieldOptions
      /** The label of the option that turns the filter off; 'All' by default. */
      all?: string
    }
  | { kind: 'day'; label: string }

export type Filters = Record<string, Filter>

type SearchValues = Record<string, string>

/** Whether an operator types the filter's value, which can then contain personal data. */
const isTextFilter = (filter: Filter | undefined) => filter?.kind === 'search' || filter?.kind === 'text'

/**
 * Moves typed values from an address's query to its fragment. Browsers never send the fragment, so no proxy logs it.
 */
function splitQuery(filters: Filters, query: URLSearchParams, typedParams = new URLSearchParams()) {
  const [search, hash] = [new URLSearchParams(), new URLSearchParams(typedParams)]
  for (const [name, value] of query) {
    if (!isTextFilter(filters[name])) search.append(name, value)
    else if (!hash.has(name)) hash.set(name, value)
  }
  return { search: search.toString(), hash: hash.toString() }
}

const parseFragment = (hash: string) => new URLSearchParams(hash.replace(/^#/, ''))

/**
 * Reads and changes the state of a list in the address: its filters, `sort`, and `after`, where the page begins. Typed
 * values are in the fragment. A change of a filter or of the sort returns to the first page.
 */
export function useListSearch(filters: Filters) {
  const address = useLocation()
  const navigate = useNavigate()
  const [query, typedParams] = [new URLSearchParams(address.search), parseFragment(address.hash)]
  const textFilters = Object.keys(filters).filter((name) => isTextFilter(filters[name]))
  const search: SearchValues = {}
  for (const name of ['sort', 'after', ...Object.keys(filters)])
    search[name] = (isTextFilter(filters[name]) ? typedParams.get(name) : null) ?? query.get(name) ?? ''
  const namesInUse = Object.keys(filters).filter((name) => (search[name] ?? '') !== '')

  const hasTypedQuery = textFilters.some((name) => query.has(name))
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, for an address from outside such as an old bookmark
  useEffect(() => {
    if (hasTypedQuery)
      void navigate(splitQuery(filters, query, typedParams), { replace: true, preventScrollReset: true })
  }, [hasTypedQuery])

  /**
   * Changes query and fragment in one step of the browser's history.
   *
   * @param isTyping replaces the current history entry instead of adding one for each letter
   */
  const change = (changes: Record<string, string | null>, { isTyping = false } = {}) => {
    const allParams = new URLSearchParams(location.search)
    for (const [name, value] of parseFragment(location.hash)) allParams.set(name, value)
    for (const [name, value] of Object.entries({ after: null, ...changes })) {
      if (value === null || value === '') allParams.delete(name)
      else allParams.set(name, value)
    }
    void navigate(splitQuery(filters, allParams), { replace: isTyping, preventScrollReset: true })
  }

  return {
    /** The values in use, without empty ones. */
    query: Object.fromEntries(Object.entries(search).filter(([, value]) => value !== '')) as SearchValues,
    getValue: (name: string) => search[name] ?? '',
    /** The values in use as a query string, without the page. */
    queryText: new URLSearchParams(
      Object.entries(search).filter(([name, value]) => name !== 'after' && value !== ''),
    ).toString(),
    /** Returns the address on this screen for an earlier `queryText`. */
    toAddress: (text: string) => {
      const { search, hash } = splitQuery(filters, new URLSearchParams(text))
      return `?${search}${hash === '' ? '' : `#${hash}`}`
    },
    /** The names of the filters that are in use. */
    namesInUse,
    change,
    clear: () => change(Object.fromEntries(namesInUse.map((name) => [name, null]))),
  }
}

export type ListSearch = ReturnType<typeof useListSearch>
