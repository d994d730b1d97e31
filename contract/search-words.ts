import type { Board } from './game.ts'

/** The kinds of results, in the order of the tabs. */
export const SEARCH_KINDS = ['guides', 'news', 'items', 'characters', 'forum'] as const
export type SearchKind = (typeof SEARCH_KINDS)[number]

export const SEARCH_WORDS_MIN = 2
export const SEARCH_WORDS_MAX = 80
export const SEARCH_PAGE_SIZE = 20
/** How many results of each kind are shown while no kind is chosen. */
export const SEARCH_FIRST_OF_KIND = 5
/** Results of a kind are counted and shown up to this number, which bounds what a search has to read. */
export const SEARCH_COUNT_MAX: Readonly<Record<SearchKind, number>> = {
  guides: 80,
  news: 80,
  items: 80,
  characters: 400,
  forum: 80,
}

export const SEARCH = {
  heading: 'Search',
  lengthRule: `Search takes ${SEARCH_WORDS_MIN} to ${SEARCH_WORDS_MAX} characters.`,
  kindRule: `Kind must be ${SEARCH_KINDS.slice(0, -1).join(', ')} or ${SEARCH_KINDS.at(-1)}.`,
} as const

/** Part of a text, and whether it matches the search. */
export type TextPart = { text: string; hit: boolean }

/** A character's rank on one of this month's boards. */
export type Place = { board: Board; rank: number }

/** What was typed, in a normal form: NFC, single spaces, none at the ends. */
export function trimWords(typed: string): string {
  return typed.normalize('NFC').replace(/\s+/g, ' ').trim()
}

/** Trimmed words in lower case, because searches ignore case. */
export function normalWords(typed: string): string {
  return trimWords(typed).toLowerCase()
}

/** Whether trimmed words have a length that the call accepts. */
export function isSearchable(words: string): boolean {
  return words.length >= SEARCH_WORDS_MIN && words.length <= SEARCH_WORDS_MAX
}
