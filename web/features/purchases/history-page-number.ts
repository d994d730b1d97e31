/** Reads the page of a history's address; anything but a positive whole number is the first page. */
export function readHistoryPage(query: URLSearchParams): number {
  const text = query.get('page') ?? ''
  return /^\d{1,9}$/.test(text) ? Math.max(1, Number(text)) : 1
}

/** The search parameters of a history's page. The manifest imports this file, so the first visit carries it. */
export const historySearch = { names: ['page'], read: readHistoryPage }
