import { type Board, classOfCode, schoolOfCode } from '#contract/game.ts'
import { clockParts } from '#contract/manila.ts'
import { NEWS } from '#contract/messages.ts'
import type { SearchHit } from '#contract/search.ts'
import type { TextPart } from '#contract/search-words.ts'

const NEWS_NAMES = ['News', 'Guide', 'Event']
/** What a written page belongs to, by the first step of its path. */
const PLACE_NAMES: Record<string, string> = {
  '/characters': 'Class guide',
  '/instructions': 'Full game guide',
  '/gamesystem': 'Game System',
}
const BOARD_NAMES: Record<Board, string> = {
  resu: 'Resu Ranking',
  mmr: 'MMR Ranking',
  level: 'Level Ranking',
  richest: 'Richest Ranking',
  killer: 'Killer Ranking',
}

/** A marked text without its marks. */
export function textOf(parts: readonly TextPart[]): string {
  return parts.map(({ text }) => text).join('')
}

/** The day of a news item in Manila, in its three parts; null without a date. */
export function dayOf(iso: string | null): { day: string; month: string; year: string } | null {
  if (iso === null) return null
  const [, day = '', month = '', year = ''] = clockParts(Date.parse(iso)).date.split(' ')
  return { day, month, year }
}

/** What stands under a hit's title, in short facts. */
export function factsOf({ news, character, path }: Pick<SearchHit, 'news' | 'character' | 'path'>): string[] {
  if (news !== null) {
    const date = dayOf(news.created_at)
    return [NEWS_NAMES[news.type] ?? 'News', date === null ? NEWS.noDate : `${date.day} ${date.month} ${date.year}`]
  }
  if (character !== null) {
    const cls = classOfCode(character.ChaClass)
    return [
      `Level ${character.ChaLevel}`,
      cls === undefined ? 'Unknown class' : cls.charAt(0).toUpperCase() + cls.slice(1),
      schoolOfCode(character.ChaSchool)?.name ?? 'Unknown school',
      character.place === null
        ? 'Not in a top 100'
        : `${BOARD_NAMES[character.place.board]}, rank ${character.place.rank}`,
    ]
  }
  return path.startsWith('/itemshop/') ? [] : [PLACE_NAMES[/^\/\w+/.exec(path)?.[0] ?? ''] ?? 'Page']
}

/**
 * Where a hit leads. A character's row is one of a hundred: the address asks the browser to go to
 * its name and to mark it, which takes a whole document.
 */
export function hrefOf({ path, character, title }: Pick<SearchHit, 'path' | 'character' | 'title'>): {
  to: string
  isDocument: boolean
} {
  const isListed = character !== null && character.place !== null
  if (!isListed) return { to: path, isDocument: false }
  const name = encodeURIComponent(textOf(title)).replaceAll('-', '%2D')
  return { to: `${path}#:~:text=${name}`, isDocument: true }
}
