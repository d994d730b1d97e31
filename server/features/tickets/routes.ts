import { TICKET_PAGE_SIZE } from '#contract/limits.ts'
import { pageThrough } from '#contract/paging.ts'
import { TICKET } from '#contract/ticket-messages.ts'
import * as calls from '#contract/tickets.ts'
import { refuse } from '#server/errors.ts'
import type { Caller } from '#server/http/client-address.ts'
import { type Mounted, mount } from '#server/http/mount.ts'
import type { Session } from '#server/http/session.ts'
import { type Asker, openTicket } from './access.ts'
import { countMembersTickets, selectMembersTickets, selectScreenshot } from './queries.ts'
import { closeTicket, replyToTicket } from './reply.ts'
import { readScreenshots } from './screenshots.ts'
import { mailTicketLink } from './send-link.ts'
import { submitTicket } from './submit.ts'
import { describeTicket, summarize } from './view.ts'

const askerOf = ({ session, caller }: { session: Session | null; caller: Caller }): Asker => ({
  userNum: session?.userNum ?? null,
  address: caller.address,
})

/** The calls of support tickets: those of guests and players who wrote one, a player's own list. */
export const ticketCalls: Mounted[] = [
  mount(calls.submitTicket, ({ ChaNum: chaNum, screenshots, ...fields }, asked) => {
    const submission = { ...fields, chaNum, files: readScreenshots(screenshots) }
    return submitTicket(asked.deps, submission, { asker: askerOf(asked), once: asked.once })
  }),

  mount(calls.replyTicket, async ({ message, screenshots, ...access }, asked) => {
    const reply = { message, files: readScreenshots(screenshots) }
    const outcome = await replyToTicket(asked.deps, access, reply, { asker: askerOf(asked), once: asked.once })
    return 'refused' in outcome ? outcome : { answer: { message: TICKET.replied, ticket: outcome.answer } }
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
