import { type CurrencyNames, nameCurrencies } from '#contract/currencies.ts'
import { BOARD_NAMES, findClassByCode, findSchool, NO_SCHOOL } from '#contract/game.ts'
import { getClockParts } from '#contract/manila.ts'
import { NEWS_TEXTS } from '#contract/messages.ts'
import { formatCount } from '#contract/numbers.ts'
import { SEARCH_COUNT_MAX, SEARCH_KINDS, type SearchHit, type SearchKind, type TextPart } from '#contract/search.ts'

const SUGGESTED_QUERIES = ['how to start', 'brawler', 'R-Coin', 'system requirements', 'shortcut keys', 'club war']

/** Returns queries that have results on every server, because they match the site's fixed pages. */
export const listSuggestedQueries = (names: CurrencyNames) =>
  SUGGESTED_QUERIES.map((query) => nameCurrencies(query, names))

const NEWS_NAMES = ['News', 'Guide', 'Event']
/** The names of pages' sections, by the first segment of their path. */
const SECTION_NAMES: Record<string, string> = {
  '/characters': 'Class guide',
  '/instructions': 'Full game guide',
  '/gamesystem': 'Game System',
}
/** Returns a marked text without its marks. */
function joinText(parts: readonly TextPart[]): string {
  return parts.map(({ text }) => text).join('')
}

/** Returns a key for a hit in a list, because two hits can share a path. */
export function getHitKey({ path, title }: Pick<SearchHit, 'path' | 'title'>): string {
  return `${path} ${joinText(title)}`
}

/** Returns the day of a news item in Manila in three parts; null without a date. */
export function formatDayParts(iso: string | null): { day: string; month: string; year: string } | null {
  if (iso === null) return null
  const [, day = '', month = '', year = ''] = getClockParts(Date.parse(iso)).date.split(' ')
  return { day, month, year }
}

/** Returns the short facts below a hit's title. */
export function listHitFacts({
  news,
  character,
  post,
  path,
}: Pick<SearchHit, 'news' | 'character' | 'post' | 'path'>): string[] {
  if (post !== null) {
    const date = formatDayParts(post.at)
    return [post.board, post.author, ...(date === null ? [] : [`${date.day} ${date.month} ${date.year}`])]
  }
  if (news !== null) {
    const date = formatDayParts(news.created_at)
    return [
      NEWS_NAMES[news.type] ?? 'News',
      date === null ? NEWS_TEXTS.dateMissing : `${date.day} ${date.month} ${date.year}`,
    ]
  }
  if (character !== null) {
    const cls = findClassByCode(character.ChaClass)
    return [
      `Level ${character.ChaLevel}`,
      cls === undefined ? 'Unknown class' : cls.charAt(0).toUpperCase() + cls.slice(1),
      ...(character.ChaSchool === NO_SCHOOL ? [] : [findSchool(character.ChaSchool)?.name ?? 'Unknown school']),
      character.place === null
        ? 'Not in a top 100'
        : `${BOARD_NAMES[character.place.board]} Ranking, rank ${character.place.rank}`,
    ]
  }
  return path.startsWith('/itemshop/') ? [] : [SECTION_NAMES[/^\/\w+/.exec(path)?.[0] ?? ''] ?? 'Page']
}

type Counts = Readonly<Record<SearchKind, number>>

/** Formats the number of results of some kinds, with thousands separators, and with a plus if counting stopped. */
export function formatResultCount(counts: Counts, kinds: readonly SearchKind[] = SEARCH_KINDS): string {
  const sum = kinds.reduce((total, kind) => total + counts[kind], 0)
  const isMore = kinds.some((kind) => counts[kind] >= SEARCH_COUNT_MAX[kind])
  return `${formatCount(sum)}${isMore ? '+' : ''}`
}

/** Describes the number of results in a sentence. */
export function describeResultCount(counts: Counts, query: string, kinds?: readonly SearchKind[]): string {
  const count = formatResultCount(counts, kinds)
  if (count === '0') return `Nothing found for “${query}”`
  return `${count} ${count === '1' ? 'result' : 'results'} for “${query}”`
}
