import type { CallOutput } from '#contract/endpoint.ts'
import { checkTicket, getTicketScreenshot, getTickets } from '#contract/tickets.ts'
import { call } from '#web/api/call.ts'
import { type Query, toCallQuery, toQueryKey } from '#web/api/queries.ts'

/** The visitor's proof of access to a ticket (see `accessFields` in contract/tickets.ts). */
export type Access = { key: string } | { number: string; email?: string }

/** The ticket pages show the failures of these calls themselves, so the shell shows only an ended session. */
const callOptions = { shellFailures: 'ended-session' } as const

/**
 * Returns the query of a ticket with its conversation. A ticket opened by a key or an email address belongs to no
 * account, so it stays visible after a login or logout.
 */
export function getTicketQuery(access: Access): Query<CallOutput<typeof checkTicket>> {
  const isOfPlayer = 'number' in access && access.email === undefined
  return {
    ...toCallQuery(checkTicket, access),
    key: isOfPlayer ? toQueryKey(checkTicket, access) : [checkTicket.path, access],
    fetch: () => call(checkTicket, access, callOptions),
  }
}

/** Returns the query of a page of a player's tickets, newest first. */
export function getTicketsQuery(page: number): Query<CallOutput<typeof getTickets>> {
  return { ...toCallQuery(getTickets, { page }), fetch: () => call(getTickets, { page }, callOptions) }
}

/** Returns the query of a picture of a message. Loading it requires the session's token or the ticket's key. */
export function getScreenshotQuery(access: Access, id: string): Query<CallOutput<typeof getTicketScreenshot>> {
  return {
    key: [...getTicketQuery(access).key, 'screenshot', id],
    freshMs: Number.POSITIVE_INFINITY,
    stored: false,
    fetch: () => call(getTicketScreenshot, { ...access, screenshot: id }, callOptions),
  }
}
