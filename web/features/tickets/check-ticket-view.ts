import { readHistoryPage } from '#web/features/purchases/history-page-number.ts'
import type { Access } from './queries.ts'

/**
 * The parameters of /checkticket: `ticket` is a ticket's number, `page` a page of a member's list. Only the browser reads
 * them: one document serves every address.
 */
export const checkTicketSearch = {
  names: ['page', 'ticket'],
  read: (query: URLSearchParams) => ({ page: readHistoryPage(query), ticket: query.get('ticket') }),
}

export const ticketPath = (number: string) => `/checkticket?ticket=${encodeURIComponent(number)}`

/** A guest's key is never in the query: only the part after the # stays in the browser. */
export const keyPath = (key: string) => `/checkticket#key=${key}`

type Wanted = {
  ticket: string | null
  hash: string
  /** The state of the history entry, with the e-mail address the visitor has just typed, if any. */
  state: unknown
}

/** The ticket that an address of /checkticket names; null when it names none. */
export function readWanted({ ticket, hash, state }: Wanted): Access | null {
  const key = new URLSearchParams(hash.replace(/^#/, '')).get('key')
  if (key !== null && /^[\w-]{1,200}$/.test(key)) return { key }
  if (ticket === null || ticket.trim() === '') return null
  const email = (state as { email?: unknown } | null)?.email
  return typeof email === 'string' ? { number: ticket, email } : { number: ticket }
}
