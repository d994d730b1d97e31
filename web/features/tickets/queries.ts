import { queryOptions } from '@tanstack/react-query'
import { checkTicket, getTicketScreenshot, getTickets } from '#contract/tickets.ts'
import { call } from '#web/api/call.ts'
import { MINE } from '#web/api/queries.ts'

/** How the visitor shows that a ticket is theirs (see `access` in contract/tickets.ts). */
export type Access = { key: string } | { number: string; email?: string }

/** What belongs to a member is forgotten with them. */
function keyOf(access: Access, userNum: number): unknown[] {
  if ('key' in access) return ['ticket', 'key', access.key]
  return access.email === undefined
    ? [MINE, userNum, 'ticket', access.number]
    : ['ticket', 'email', access.number, access.email]
}

const TICKET_REFRESH_MS = 60_000

/** A ticket with its conversation, looked at again each minute and whenever the tab comes back. */
export const ticketQuery = (access: Access, userNum: number) =>
  queryOptions({
    queryKey: keyOf(access, userNum),
    queryFn: async () => (await call(checkTicket, access, { shellShows: 'ended-session' })).ticket,
    retry: false,
    staleTime: 0,
    refetchOnWindowFocus: true,
    // A refused one is not asked for again and again: failed tries are counted.
    refetchInterval: ({ state }) => (state.status === 'success' ? TICKET_REFRESH_MS : false),
  })

/** A page of a member's tickets, the newest first. */
export const ticketsQuery = (userNum: number, page: number) =>
  queryOptions({
    queryKey: [MINE, userNum, 'tickets', page],
    enabled: userNum > 0,
    retry: false,
    staleTime: 0,
    refetchOnWindowFocus: true,
    queryFn: () => call(getTickets, { page }, { shellShows: 'ended-session' }),
  })

/** The picture of a message. It needs the token or the key, so it is fetched and no address leads to it. */
export const screenshotQuery = (access: Access, userNum: number, id: string) =>
  queryOptions({
    queryKey: [...keyOf(access, userNum), 'screenshot', id],
    staleTime: Number.POSITIVE_INFINITY,
    retry: 1,
    queryFn: () => call(getTicketScreenshot, { ...access, screenshot: id }, { shellShows: 'ended-session' }),
  })
