import { readWholeNumber } from '#web/api/page.ts'

/** Returns the page of a history in an address; the first page for anything but a positive whole number. */
export function readHistoryPage(query: URLSearchParams): number {
  return Math.max(1, readWholeNumber(query.get('page')) ?? 1)
}

/**
 * The search parameter of a history's page. It has a separate file, because the manifest imports it and every first
 * visit downloads it.
 */
export const historySearch = { names: ['page'], read: readHistoryPage }
