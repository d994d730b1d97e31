import { readHistoryPage } from '#web/features/purchases/history-page-number.ts'
import type { Access } from './queries.ts'

/**
 * The search parameters of /checkticket: `ticket` is a ticket's number, `page` a page of a player's list. Only the
 * browser reads them, so one document serves every address.
 */
export const checkTicketSearch = {
  names: ['page', 'ticket'],
  read: (query: URLSearchParams) => ({ page: readHistoryPage(query), ticket: query.get('ticket') }),
}

export const getTicketPath = (number: string) => `/checkticket?ticket=${encodeURIComponent(number)}`

/** Returns the address with a guest's key. It is in the fragment, because browsers never send the fragment. */
export const getKeyPath = (key: string) => `/checkticket#key=${key}`

type TicketAddress = {
  ticket: string | null
  hash: string
  /** The state of the history entry; it can have the email address that the visitor typed. */
  state: unknown
}

/** Returns the ticket in an address of /checkticket; null without one. */
export function readRequestedTicket({ ticket, hash, state }: TicketAddress): Access | null {
  const key = new URLSearchParams(hash.replace(/^#/, '')).get('key')
  if (key !== null && /^[\w-]{1,200}$/.test(key)) return { key }
  if (ticket === null || ticket.trim() === '') return null
  const email = (state as { email?: unknown } | null)?.email
  return typeof email === 'string' ? { number: ticket, email } : { number: ticket }
}
