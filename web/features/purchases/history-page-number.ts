import { wholeNumberIn } from '#web/api/page.ts'

/** Reads the page of a history's address; anything but a positive whole number is the first page. */
export function readHistoryPage(query: URLSearchParams): number {
  return Math.max(1, wholeNumberIn(query.get('page')) ?? 1)
}

/** The search parameters of a history's page. The manifest imports this file, so the first visit carries it. */
export const historySearch = { names: ['page'], read: readHistoryPage }
