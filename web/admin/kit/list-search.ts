import { parseAsString, type SingleParser, useQueryStates } from 'nuqs'
import { useMemo } from 'react'

/** A filter of a list, by its name in the list's call. */
export type Filter =
  /** The words in the list's one search field. */
  | { kind: 'search'; label: string }
  | { kind: 'text'; label: string }
  | { kind: 'choice'; label: string; options: readonly (readonly [value: string, label: string])[] }
  | { kind: 'day'; label: string }

export type Filters = Record<string, Filter>

type Search = Record<string, string>

/**
 * What a list shows, kept in the address: its filters, `sort`, and `after`, where the page begins. Every change but that
 * of the page begins the list anew.
 */
export function useListSearch(filters: Filters) {
  const names = Object.keys(filters).join(' ')
  const parsers = useMemo(() => {
    const all = ['sort', 'after', ...names.split(' ').filter((name) => name !== '')]
    return Object.fromEntries(all.map((name) => [name, parseAsString.withDefault('')])) as Record<
      string,
      SingleParser<string> & { defaultValue: string }
    >
  }, [names])
  const [values, setValues] = useQueryStates(parsers, { shallow: false, scroll: false })
  const search = values as Search
  const chosen = Object.keys(filters).filter((name) => (search[name] ?? '') !== '')

  return {
    /** What is chosen, without what is left open. */
    query: Object.fromEntries(Object.entries(search).filter(([, value]) => value !== '')) as Search,
    valueOf: (name: string) => search[name] ?? '',
    /** What is chosen as an address's query, without the page. */
    asText: new URLSearchParams(
      Object.entries(search).filter(([name, value]) => name !== 'after' && value !== ''),
    ).toString(),
    /** The names of the filters that are in use. */
    chosen,
    /** @param isTyping typing changes the present entry of the browser's history instead of adding one a letter */
    change: (changed: Record<string, string | null>, { isTyping = false } = {}) =>
      void setValues({ after: null, ...changed }, { history: isTyping ? 'replace' : 'push' }),
    clear: () =>
      void setValues(Object.fromEntries(['after', ...chosen].map((name) => [name, null])), { history: 'push' }),
  }
}

export type ListSearch = ReturnType<typeof useListSearch>
