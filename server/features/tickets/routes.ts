import { TICKET_PAGE_SIZE } from '#contract/limits.ts'
import { pageThrough } from '#contract/paging.ts'
import * as calls from '#contract/tickets.ts'
import { TICKET } from '#contract/tickets.ts'
import { refuse } from '#server/errors.ts'
import type { Caller } from '#server/http/client-address.ts'
import { type Mounted, mount } from '#server/http/mount.ts'
import type { Session } from '#server/http/session.ts'
import { type Asker, openTicket } from './access.ts'
import { countMembersTickets, lockTicket, selectMembersTickets, selectScreenshot } from './queries.ts'
import { addReply, closeTicket, prepareReply } from './reply.ts'
import { readScreenshots } from './screenshots.ts'
import { mailTicketLink } from './send-link.ts'
import { confirmTicket, prepareTicket, takeTicket } from './submit.ts'
import { describeTicket, summarize } from './view.ts'

const askerOf = ({ session, caller }: { session: Session | null; caller: Caller }): Asker => ({
  userNum: session?.userNum ?? null,
  address: caller.address,
})

/** The calls of support tickets: those of guests and players who wrote one, a player's own list. */
export const ticketCalls: Mounted[] = [
  mount(calls.submitTicket, {
    prepare: ({ email, ChaNum: chaNum, screenshots }, asked) =>
      prepareTicket(asked.deps, { email, chaNum, files: readScreenshots(screenshots) }, askerOf(asked)),
    write: async (ticket, asked) => ({ ticket: await takeTicket(asked.deps, ticket, asked.prepared, askerOf(asked)) }),
    finish: ({ ticket }, asked) => confirmTicket(asked.deps, ticket, askerOf(asked)),
  }),

  // A retry gets the ticket as it is now.
  mount(calls.replyTicket, {
    prepare: ({ message: _, screenshots, ...access }, asked) =>
      prepareReply(asked.deps, access, readScreenshots(screenshots), askerOf(asked)),
    write: async ({ message }, { deps, prepared }) => {
      await addReply(deps, message, prepared)
      return { ticket: prepared.ticket }
    },
    finish: async ({ ticket }, { deps: { db } }) => ({
      message: TICKET.replied,
      ticket: await describeTicket(db, await lockTicket(db, ticket), true),
    }),
  }),

  mount(calls.checkTicket, async (access, asked) => {
    const { row, mayWrite } = await openTicket(asked.deps, access, askerOf(asked))
    return { ticket: await describeTicket(asked.deps.db, row, mayWrite) }
  }),

  mount(calls.closeTicket, async (access, asked) => ({
    message: TICKET.closed,
    ticket: await closeTicket(asked.deps, access, askerOf(asked)),
  })),

  mount(calls.sendTicketLink, async (pair, asked) => ({
    message: await mailTicketLink(asked.deps, pair, askerOf(asked)),
  })),

  mount(calls.getTicketScreenshot, async ({ screenshot, ...access }, asked) => {
    const { row } = await openTicket(asked.deps, access, askerOf(asked))
    const picture = await selectScreenshot(asked.deps.db, row.ticket, screenshot)
    if (picture === undefined) throw refuse(calls.getTicketScreenshot, 'noMatch')
    const name = `${row.number}-${screenshot.slice(0, 8)}.webp`
    return new File([new Uint8Array(picture.content)], name, { type: 'image/webp' })
  }),

  mount(calls.getTickets, async ({ page: wanted = 1 }, { deps: { db }, session: { userNum } }) => {
    const total = await countMembersTickets(db, userNum)
    const { page, paging } = pageThrough(wanted, total, TICKET_PAGE_SIZE)
    const at = { limit: TICKET_PAGE_SIZE, offset: (page - 1) * TICKET_PAGE_SIZE }
    const rows = await selectMembersTickets(db, userNum, at)
    return { tickets: rows.map(summarize), ...paging }
  }),
]
