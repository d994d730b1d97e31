import type { Board } from './game.ts'

/** What can be found, in the order of the tabs. */
export const SEARCH_KINDS = ['guides', 'news', 'items', 'characters'] as const
export type SearchKind = (typeof SEARCH_KINDS)[number]

export const SEARCH_WORDS_MIN = 2
export const SEARCH_WORDS_MAX = 80
export const SEARCH_PAGE_SIZE = 20
/** So many of each kind stand side by side while no kind is chosen. */
export const SEARCH_FIRST_OF_KIND = 5
/** Nobody reads further, so nothing is counted further. */
export const SEARCH_COUNT_MAX = 1000

export const SEARCH = {
  heading: 'Search',
  lengthRule: `Search takes ${SEARCH_WORDS_MIN} to ${SEARCH_WORDS_MAX} characters.`,
  kindRule: `Kind must be ${SEARCH_KINDS.slice(0, -1).join(', ')} or ${SEARCH_KINDS.at(-1)}.`,
} as const

/** A mark that an answer may carry: part of a text, and whether it is what was asked for. */
export type TextPart = { text: string; hit: boolean }

/** Where a character stands on one of this month's boards. */
export type Place = { board: Board; rank: number }

/** What was typed, as it is asked for: one form of each letter, single spaces, none around. */
export function trimWords(typed: string): string {
  return typed.normalize('NFC').replace(/\s+/g, ' ').trim()
}

/** Trimmed words in small letters: what differs only in case finds the same. */
export function normalWords(typed: string): string {
  return trimWords(typed).toLowerCase()
}

/** Whether trimmed words are of a length that the call takes. */
export function isSearchable(words: string): boolean {
  return words.length >= SEARCH_WORDS_MIN && words.length <= SEARCH_WORDS_MAX
}
