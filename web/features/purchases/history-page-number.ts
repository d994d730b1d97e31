/** The page of a history's address: anything but a positive whole number is the first. */
export function readHistoryPage(query: URLSearchParams): number {
  const text = query.get('page') ?? ''
  return /^\d{1,9}$/.test(text) ? Math.max(1, Number(text)) : 1
}

/** A history's part of an address. */
export const historySearch = { names: ['page'], read: readHistoryPage }
