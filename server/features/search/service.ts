import { GUIDE_PAGES } from '#content/guide-pages.ts'
import { pageThrough } from '#contract/paging.ts'
import type { SearchHit } from '#contract/search.ts'
import {
  SEARCH_COUNT_MAX,
  SEARCH_FIRST_OF_KIND,
  SEARCH_KINDS,
  SEARCH_PAGE_SIZE,
  type SearchKind,
} from '#contract/search-words.ts'
import type { Deps } from '#server/deps.ts'
import { toCharacterHit, toGuideHit, toItemHit, toNewsHit } from './hits.ts'
import { readPlaces } from './places.ts'
import { type Ask, findCharacters, findGuidePages, findItems, findNews } from './queries.ts'

const NEWS_TYPES = [0, 2]
const GUIDE_TYPES = [1]
const LAST_PAGE = SEARCH_COUNT_MAX / SEARCH_PAGE_SIZE

export type SearchRequest = { words: string; kind: SearchKind | undefined; page: number }
type Found = { hits: SearchHit[]; total: number; best: number }

/** How many results a kind has, and how well the first one matches. */
const summaryOf = (rows: { total: number; score: number }[]) => ({
  total: rows[0]?.total ?? 0,
  best: rows[0]?.score ?? 0,
})

/** Guides are the site's own pages and news of that type, sorted together by relevance. */
async function findGuides(deps: Deps, ask: Ask): Promise<Found> {
  const upToHere = { ...ask, page: 1, size: ask.page * ask.size }
  const [pages, news] = await Promise.all([
    findGuidePages(deps.db, GUIDE_PAGES, upToHere),
    findNews(deps.db, GUIDE_TYPES, upToHere),
  ])
  const total = summaryOf(pages).total + summaryOf(news).total
  const { page } = pageThrough(ask.page, total, ask.size)
  const ranked = [
    ...pages.map((row) => ({ score: row.score, hit: toGuideHit(row) })),
    ...news.map((row) => ({ score: row.score, hit: toNewsHit(row, 'guides') })),
  ].sort((a, b) => b.score - a.score)
  return {
    hits: ranked.slice((page - 1) * ask.size, page * ask.size).map(({ hit }) => hit),
    total,
    best: ranked[0]?.score ?? 0,
  }
}

async function findOfKind(deps: Deps, kind: SearchKind, ask: Ask): Promise<Found> {
  if (kind === 'guides') return findGuides(deps, ask)
  if (kind === 'news') {
    const rows = await findNews(deps.db, NEWS_TYPES, ask)
    return { hits: rows.map((row) => toNewsHit(row, kind)), ...summaryOf(rows) }
  }
  if (kind === 'items') {
    const rows = await findItems(deps.db, ask)
    return { hits: rows.map(toItemHit), ...summaryOf(rows) }
  }
  const rows = await findCharacters(deps.db, ask)
  const places = rows.length === 0 ? {} : await readPlaces(deps)
  const hits = rows.map((row) => toCharacterHit(row, ask.words, places[row.cha_num] ?? null))
  return { hits, ...summaryOf(rows) }
}

/**
 * Searches the site. One kind comes in pages of 20; without a kind the first five of each are
 * returned, the kind with the best match first. Every kind is counted, in the same statement as its rows.
 */
export async function search(deps: Deps, { words, kind, page }: SearchRequest) {
  const wanted = kind === undefined ? 1 : Math.min(Math.max(page, 1), LAST_PAGE)
  const found = await Promise.all(
    SEARCH_KINDS.map(async (each) => {
      const size = kind === undefined ? SEARCH_FIRST_OF_KIND : each === kind ? SEARCH_PAGE_SIZE : 1
      const ask = { words, now: deps.now(), size, page: each === kind ? wanted : 1 }
      return { kind: each, ...(await findOfKind(deps, each, ask)) }
    }),
  )
  const counts = Object.fromEntries(found.map(({ kind: each, total }) => [each, total])) as Record<SearchKind, number>
  const shown =
    kind === undefined ? found.toSorted((a, b) => b.best - a.best) : found.filter((each) => each.kind === kind)
  const total = shown.reduce((sum, each) => sum + each.total, 0)
  const through = pageThrough(wanted, kind === undefined ? 0 : total, SEARCH_PAGE_SIZE)
  return { data: shown.flatMap(({ hits }) => hits), counts, total, page: through.page, ...through.paging }
}
