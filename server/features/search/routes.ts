import { createHash } from 'node:crypto'
import { GUIDE_PAGES } from '#content/guide-pages.ts'
import { CLUB_RANKING_PATH } from '#contract/clubs.ts'
import { nameCurrencies } from '#contract/currencies.ts'
import { BOARD_LIST_KEYS, BOARDS } from '#contract/game.ts'
import { paginate } from '#contract/paging.ts'
import {
  getSearch,
  isSearchable,
  SEARCH_COUNT_MAX,
  SEARCH_PAGE_SIZE,
  SEARCH_RESULTS_PER_KIND,
  type SearchKind,
  type SearchRank,
} from '#contract/search.ts'
import type { Db } from '#server/db/open.ts'
import type { Deps } from '#server/deps.ts'
import { listWrittenPages } from '#server/features/documents/search-pages.ts'
import { selectAuthors } from '#server/features/forum/queries.ts'
import { hasClubs } from '#server/features/rankings/clubs.ts'
import { listRankings } from '#server/features/rankings/queries.ts'
import { type MountedCall, mount } from '#server/http/mount.ts'
import { getCurrencyNames, readSettings } from '#server/settings.ts'
import { type Hit, toCharacterHit, toGuideHit, toItemHit, toNewsHit, toPostHit } from './hits.ts'
import {
  correctQuery,
  findCharacters,
  findGuidePages,
  findItems,
  findNews,
  findPosts,
  type GuideRow,
  type NewsRow,
  preparePages,
  type SearchQuery,
} from './queries.ts'

/** The call that searches news, guides, items, characters and forum posts. */
export const searchCalls: MountedCall[] = [
  mount(getSearch, ({ q, kind, page = 1 }, { deps }) => search(deps, { query: q, kind, page })),
]

type SearchRequest = { query: string; kind: SearchKind | undefined; page: number }
type KindResults = { hits: Hit[]; total: number; best: number }
type ScoredRow = { total: number; score: number }

/** Returns the number of results of a kind, and the relevance of the first one. */
const summarize = (rows: ScoredRow[]) => ({ total: rows[0]?.total ?? 0, best: rows[0]?.score ?? 0 })

const toKindResults = <Row extends ScoredRow>(kind: SearchKind, rows: Row[], toHit: (row: Row) => Hit) => ({
  kind,
  hits: rows.map(toHit),
  ...summarize(rows),
})

/** Merges the site's pages and the news of the type guide, sorted by relevance. */
function mergeGuides(pages: GuideRow[], news: NewsRow[], request: Pick<SearchQuery, 'page' | 'size'>): KindResults {
  const total = Math.min(summarize(pages).total + summarize(news).total, SEARCH_COUNT_MAX.guides)
  const { page } = paginate(request.page, total, request.size)
  const ranked = [
    ...pages.map((row) => ({ score: row.score, hit: toGuideHit(row) })),
    ...news.map((row) => ({ score: row.score, hit: toNewsHit(row, 'guides') })),
  ].sort((a, b) => b.score - a.score)
  return {
    hits: ranked.slice((page - 1) * request.size, page * request.size).map(({ hit }) => hit),
    total,
    best: ranked[0]?.score ?? 0,
  }
}

/** Finds posts for the query with its typing errors corrected; none if there was nothing to correct. */
async function findSimilarPosts(db: Db, search: SearchQuery) {
  const query = await correctQuery(db, search.query)
  return query === search.query || !isSearchable(query) ? [] : findPosts(db, { ...search, query })
}

/**
 * Searches the site. Returns a page of 20 results for one kind. Without a kind it returns the first five of each kind; the
 * kind with the best match comes first. Counts every kind in the same statement as its rows.
 */
async function search(deps: Deps, { query, kind, page }: SearchRequest) {
  const requestedPage = kind === undefined ? 1 : Math.min(Math.max(page, 1), SEARCH_COUNT_MAX[kind] / SEARCH_PAGE_SIZE)
  const createQuery = (resultKind: SearchKind): SearchQuery => ({
    query,
    now: deps.now(),
    size: kind === undefined ? SEARCH_RESULTS_PER_KIND : resultKind === kind ? SEARCH_PAGE_SIZE : 1,
    page: resultKind === kind ? requestedPage : 1,
  })
  // Both lists are read from their beginning to the end of the page, because pages and news are sorted together.
  const guides = { ...createQuery('guides'), page: 1, size: createQuery('guides').page * createQuery('guides').size }
  const { browseDb } = deps
  // The queries run one after another, because a search must not occupy several processors of the database.
  const pages = await findGuidePages(browseDb, await readPages(deps), guides)
  const news = await findNews(browseDb, { query, now: deps.now(), news: createQuery('news'), guides })
  const items = await findItems(browseDb, createQuery('items'))
  const characters = await findCharacters(browseDb, createQuery('characters'))
  const exactPosts = await findPosts(browseDb, createQuery('forum'))
  const ranks = characters.length === 0 ? {} : await readRanks(deps)
  const hasNoMatches =
    exactPosts.length === 0 && (kind === 'forum' || [pages, news, items, characters].every((rows) => rows.length === 0))
  const posts = hasNoMatches ? await findSimilarPosts(browseDb, createQuery('forum')) : exactPosts
  const findAuthor = await selectAuthors(
    browseDb,
    posts.map((row) => row.author),
  )
  const kindResults = [
    {
      kind: 'guides' as const,
      ...mergeGuides(
        pages,
        news.filter((row) => row.is_guide),
        createQuery('guides'),
      ),
    },
    toKindResults(
      'news',
      news.filter((row) => !row.is_guide),
      (row) => toNewsHit(row, 'news'),
    ),
    toKindResults('items', items, toItemHit),
    toKindResults('characters', characters, (row) => toCharacterHit(row, query, ranks[row.cha_num] ?? null)),
    toKindResults('forum', posts, (row) => toPostHit(row, findAuthor(row.author).name)),
  ]
  const counts = Object.fromEntries(kindResults.map(({ kind: result, total }) => [result, total])) as Record<
    SearchKind,
    number
  >
  const shownResults =
    kind === undefined
      ? kindResults.toSorted((a, b) => b.best - a.best)
      : kindResults.filter((result) => result.kind === kind)
  const total = shownResults.reduce((sum, result) => sum + result.total, 0)
  const paginated = paginate(requestedPage, kind === undefined ? 0 : total, SEARCH_PAGE_SIZE)
  return { data: shownResults.flatMap(({ hits }) => hits), counts, total, page: paginated.page, ...paginated.paging }
}

/**
 * Returns the site's pages, prepared for searching. Preparing them is slow, so it is repeated only when their texts change.
 */
async function readPages(deps: Deps): Promise<string> {
  return (await deps.cache.getValue('written pages', async () => {
    const writtenPages = await listWrittenPages(deps)
    const extraTexts = new Map(GUIDE_PAGES.map(({ path, words }) => [path, words]))
    const omittedPath = (await hasClubs(deps)) ? '' : CLUB_RANKING_PATH
    const names = getCurrencyNames(await readSettings(deps))
    const otherPages = GUIDE_PAGES.flatMap(({ path, title, summary = '', words }) =>
      title === undefined || path === omittedPath
        ? []
        : [{ path, title: nameCurrencies(title, names), summary: nameCurrencies(summary, names), text: words }],
    )
    const pages = [
      ...otherPages,
      ...writtenPages.map((page) => ({ ...page, text: `${page.text} ${extraTexts.get(page.path) ?? ''}` })),
    ]
    const hash = createHash('sha256').update(JSON.stringify(pages)).digest('base64url')
    return deps.cache.getDerivedValue(`written pages ${hash}`, () => preparePages(deps.browseDb, pages))
  })) as string
}

/**
 * Reads the best rank of each character on this month's boards, by the character's number. Among equal ranks the level
 * board's wins. The ranks are cached, because the search box requests them with every typed key.
 */
async function readRanks(deps: Deps): Promise<Record<number, SearchRank>> {
  return (await deps.cache.getValue('places on boards', () => findRanks(deps))) as Record<number, SearchRank>
}

async function findRanks(deps: Deps): Promise<Record<number, SearchRank>> {
  const rankings = await listRankings(deps)
  const ranks: Record<number, SearchRank> = {}
  for (const board of ['level', ...BOARDS] as const) {
    for (const [index, { ChaNum }] of rankings[BOARD_LIST_KEYS[board]].entries()) {
      const bestRank = ranks[ChaNum]
      if (bestRank === undefined || index + 1 < bestRank.rank) ranks[ChaNum] = { board, rank: index + 1 }
    }
  }
  return ranks
}
