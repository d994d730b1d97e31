import { SEARCH_COUNT_MAX } from '#contract/search-words.ts'

/** A count as people read it; what is counted no further bears a plus. */
export function countText(count: number): string {
  return count >= SEARCH_COUNT_MAX ? `${SEARCH_COUNT_MAX.toLocaleString('en-US')}+` : count.toLocaleString('en-US')
}

/** How much was found, in a sentence. */
export function foundText(count: number, words: string): string {
  if (count === 0) return `Nothing found for “${words}”`
  return `${countText(count)} ${count === 1 ? 'result' : 'results'} for “${words}”`
}
