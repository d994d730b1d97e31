import { TICKET_PAGE_SIZE } from '#contract/limits.ts'
import { paginate } from '#contract/paging.ts'
import * as calls from '#contract/tickets.ts'
import { TICKET_TEXTS } from '#contract/tickets.ts'
import { refuse } from '#server/errors.ts'
import type { Caller } from '#server/http/client-address.ts'
import { type MountedCall, mount } from '#server/http/mount.ts'
import type { Session } from '#server/http/session.ts'
import { openTicket, type Requester } from './access.ts'
import { countPlayerTickets, lockTicket, selectPlayerTickets, selectScreenshot } from './queries.ts'
import { addReply, closeTicket, prepareReply } from './reply.ts'
import { readScreenshots } from './screenshots.ts'
import { mailTicketLink } from './send-link.ts'
import { confirmTicket, createTicket, prepareTicket } from './submit.ts'
import { describeTicket, summarizeTicket } from './view.ts'

const toRequester = ({ session, caller }: { session: Session | null; caller: Caller }): Requester => ({
  userNum: session?.userNum ?? null,
  address: caller.address,
})

/** The calls of guests and players about their tickets. */
export const ticketCalls: MountedCall[] = [
  mount(calls.submitTicket, {
    prepare: ({ email, ChaNum: chaNum, screenshots }, context) =>
      prepareTicket(context.deps, { email, chaNum, files: readScreenshots(screenshots) }, toRequester(context)),
    write: async (ticket, context) => ({
      ticket: await createTicket(context.deps, ticket, context.prepared, toRequester(context)),
    }),
    finish: ({ ticket }, context) => confirmTicket(context.deps, ticket, toRequester(context)),
  }),

  // A retry returns the ticket's current state.
  mount(calls.replyTicket, {
    prepare: ({ message: _, screenshots, ...access }, context) =>
      prepareReply(context.deps, access, readScreenshots(screenshots), toRequester(context)),
    write: async ({ message }, { deps, prepared }) => {
      await addReply(deps, message, prepared)
      return { ticket: prepared.ticket }
    },
    finish: async ({ ticket }, { deps: { db } }) => ({
      message: TICKET_TEXTS.replied,
      ticket: await describeTicket(db, await lockTicket(db, ticket), true),
    }),
  }),

  mount(calls.checkTicket, async (access, context) => {
    const { row, mayWrite } = await openTicket(context.deps, access, toRequester(context))
    return { ticket: await describeTicket(context.deps.db, row, mayWrite) }
  }),

  mount(calls.closeTicket, async (access, context) => ({
    message: TICKET_TEXTS.closed,
    ticket: await closeTicket(context.deps, access, toRequester(context)),
  })),

  mount(calls.sendTicketLink, async (numberAndEmail, context) => ({
    message: await mailTicketLink(context.deps, numberAndEmail, toRequester(context)),
  })),

  mount(calls.getTicketScreenshot, async ({ screenshot, ...access }, context) => {
    const { row } = await openTicket(context.deps, access, toRequester(context))
    const picture = await selectScreenshot(context.deps.db, row.ticket, screenshot)
    if (picture === undefined) throw refuse(calls.getTicketScreenshot, 'ticketMismatch')
    const name = `${row.number}-${screenshot.slice(0, 8)}.webp`
    return new File([new Uint8Array(picture.content)], name, { type: 'image/webp' })
  }),

  mount(calls.getTickets, async ({ page: requestedPage = 1 }, { deps: { db }, session: { userNum } }) => {
    const total = await countPlayerTickets(db, userNum)
    const { page, paging } = paginate(requestedPage, total, TICKET_PAGE_SIZE)
    const pageRange = { limit: TICKET_PAGE_SIZE, offset: (page - 1) * TICKET_PAGE_SIZE }
    const rows = await selectPlayerTickets(db, userNum, pageRange)
    return { tickets: rows.map(summarizeTicket), ...paging }
  }),
]
