import { keepPreviousData } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { isSearchable, normalWords } from '#contract/search-words.ts'
import { useLoaded } from '#web/api/queries.ts'
import { type SearchAnswer, searchQuery } from './queries.ts'
import { cutWords } from './search-view.ts'

/** So long nobody types before a search is asked for. */
const REST_MS = 200

type BoxSearch = {
  /** The words as they will be asked for. */
  words: string
  /** What was found, for the words or still for those before them; null when nothing is asked. */
  answer: SearchAnswer | null
  /** Whether the answer is the one to these words. */
  isSettled: boolean
  failure: string | null
}

/** Searches while somebody types, a moment after the last key; a search overtaken by the next one is broken off. */
export function useBoxSearch(typed: string): BoxSearch {
  const words = cutWords(typed)
  const [rested, setRested] = useState(words)
  useEffect(() => {
    const timer = setTimeout(() => setRested(words), REST_MS)
    return () => clearTimeout(timer)
  }, [words])

  const isAsked = isSearchable(words)
  const { data, error, isPlaceholderData } = useLoaded(searchQuery({ words: rested, kind: null, page: 1 }), {
    enabled: isAsked && isSearchable(rested),
    retry: false,
    placeholderData: keepPreviousData,
  })
  const isSame = normalWords(rested) === normalWords(words)
  return {
    words,
    answer: isAsked ? (data ?? null) : null,
    isSettled: isSame && !isPlaceholderData && data !== undefined,
    failure: isAsked && isSame ? (error?.message ?? null) : null,
  }
}
