import { PAGER_ADJACENTS, PAGER_FULL_LIST_MAX } from '#contract/limits.ts'

/**
 * Returns the cells between Previous and Next (PAGER-3). If the last page is at most 1000 + 2 × adjacents, it
 * returns every page. Otherwise it returns the first two pages, the last two, and the current one with its neighbours,
 * with an ellipsis for each gap.
 */
export function listPagerCells(page: number, lastPage: number, adjacents = PAGER_ADJACENTS): (number | '…')[] {
  if (lastPage <= PAGER_FULL_LIST_MAX + 2 * adjacents) return createRange(1, lastPage)
  const from = Math.max(1, page - adjacents)
  const to = Math.min(lastPage, page + adjacents)
  const shownPages = [...new Set([1, 2, ...createRange(from, to), lastPage - 1, lastPage])].sort((a, b) => a - b)
  return shownPages.flatMap((number, index) => {
    const skippedCount = number - (shownPages[index - 1] ?? 0) - 1
    // A gap of one page shows the page's number, which is as short as an ellipsis.
    return skippedCount === 0 ? [number] : skippedCount === 1 ? [number - 1, number] : ['…' as const, number]
  })
}

function createRange(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index)
}
