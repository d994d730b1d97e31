import { PAGER_ADJACENTS, PAGER_FULL_LIST } from '#contract/limits.ts'

/**
 * The cells between Previous and Next (PAGER-3): every page while the last one
 * is at most 1000 + 2 × adjacents; beyond that the first two, the last two and the
 * current page with its neighbours, with one ellipsis for each run left out.
 */
export function pagerPages(page: number, lastPage: number, adjacents = PAGER_ADJACENTS): (number | '…')[] {
  if (lastPage <= PAGER_FULL_LIST + 2 * adjacents) return range(1, lastPage)
  const from = Math.max(1, page - adjacents)
  const to = Math.min(lastPage, page + adjacents)
  const shown = [...new Set([1, 2, ...range(from, to), lastPage - 1, lastPage])].sort((a, b) => a - b)
  return shown.flatMap((number, index) => {
    const left = number - (shown[index - 1] ?? 0) - 1
    // The number of a single page is as short as an ellipsis.
    return left === 0 ? [number] : left === 1 ? [number - 1, number] : ['…' as const, number]
  })
}

function range(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index)
}
