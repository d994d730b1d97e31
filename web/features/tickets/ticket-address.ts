/** What a ticket's page is asked to show. A key never stands in the query: only what follows the # stays in the browser. */
export type Wanted = { key: string } | { number: string; email?: string } | null

/** Reads `/checkticket#key=…`, and `/checkticket?ticket=…` with the e-mail the visitor has just typed, if any. */
export function readWanted({ hash, search, state }: { hash: string; search: string; state: unknown }): Wanted {
  const key = new URLSearchParams(hash.replace(/^#/, '')).get('key')
  if (key !== null && /^[\w-]{1,200}$/.test(key)) return { key }
  const number = new URLSearchParams(search).get('ticket')
  if (number === null || number.trim() === '') return null
  const email = (state as { email?: unknown } | null)?.email
  return typeof email === 'string' ? { number, email } : { number }
}

export const ticketPath = (number: string) => `/checkticket?ticket=${encodeURIComponent(number)}`
export const keyPath = (key: string) => `/checkticket#key=${key}`
