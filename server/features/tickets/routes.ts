import { createRoute } from '@hono/zod-openapi'
import type { Context, MiddlewareHandler } from 'hono'
import { ADMIN_USER_TYPE, TICKET_PAGE_SIZE, TICKET_UPLOAD_MAX_BYTES } from '#contract/limits.ts'
import { pageThrough } from '#contract/paging.ts'
import { SCREENSHOT, TICKET } from '#contract/ticket-messages.ts'
import * as calls from '#contract/tickets.ts'
import type { Deps } from '#server/deps.ts'
import { notFound, Refusal } from '#server/errors.ts'
import { callerOf } from '#server/http/caller.ts'
import { createRouter, reply } from '#server/http/router.ts'
import {
  allowSession,
  requireOwnAccount,
  requireOwnAccountIfAny,
  requireSession,
  type WithSession,
  type WithVisitor,
} from '#server/http/session.ts'
import { uploadForm as readUploadForm } from '#server/http/upload-form.ts'
import { openTicket } from './access.ts'
import { answerAsSupport } from './answer.ts'
import { type Asker, spendForm } from './limits.ts'
import { countMembersTickets, selectMembersTickets, selectScreenshot } from './queries.ts'
import { closeTicket, replyToTicket } from './reply.ts'
import { readScreenshots } from './screenshots.ts'
import { mailTicketLink } from './send-link.ts'
import { submitTicket } from './submit.ts'
import { describeTicket, summarize } from './view.ts'

/** Calls whose body is a form with files: they bring their own limit. */
export const TICKET_FORM_PATHS = [calls.submitTicket.path, calls.replyTicket.path]

const FORM = {
  maxBytes: TICKET_UPLOAD_MAX_BYTES,
  maxParts: 30,
  said: {
    tooLarge: SCREENSHOT.allTooLarge,
    unreadable: SCREENSHOT.unreadable,
    busy: SCREENSHOT.busy,
    tooSlow: SCREENSHOT.tooSlow,
  },
}

type Visitor = MiddlewareHandler<WithVisitor>
type Member = MiddlewareHandler<WithSession>

/** Calls of whoever wrote a ticket, guest or member. */
export function ticketRoutes(deps: Deps) {
  const asker = (c: Context<WithVisitor>): Asker => ({
    userNum: c.get('session')?.userNum ?? null,
    address: callerOf(c, deps.config.trustedProxies).address,
  })
  const spend: Visitor = async (c, next) => {
    await spendForm(deps, asker(c))
    await next()
  }
  const visitor: [Visitor, Visitor, Visitor] = [tellRefusals(deps), allowSession(deps), requireOwnAccountIfAny]
  const form: [Visitor, Visitor, Visitor, Visitor, Visitor] = [
    tellRefusals(deps),
    allowSession(deps),
    spend,
    readUploadForm(FORM),
    requireOwnAccountIfAny,
  ]
  const keyOf = (header: { 'idempotency-key'?: string | undefined }) => header['idempotency-key'] ?? null
  return createRouter()
    .openapi(createRoute({ ...calls.submitTicket, middleware: form }), async (c) => {
      const { category, subject, message, email, ChaNum: chaNum, screenshots } = c.req.valid('form')
      const asked = { category, subject, message, email, chaNum, files: readScreenshots(screenshots) }
      const taken = await submitTicket(deps, { ...asked, key: keyOf(c.req.valid('header')) }, asker(c))
      return reply(c, calls.submitTicket, taken)
    })
    .openapi(createRoute({ ...calls.replyTicket, middleware: form }), async (c) => {
      const { key, number, email, message, screenshots } = c.req.valid('form')
      const said = { message, files: readScreenshots(screenshots), key: keyOf(c.req.valid('header')) }
      const ticket = await replyToTicket(deps, { key, number, email }, said, asker(c))
      return reply(c, calls.replyTicket, { message: TICKET.replied, ticket })
    })
    .openapi(createRoute({ ...calls.checkTicket, middleware: visitor }), async (c) => {
      const { row, mayWrite } = await openTicket(deps, c.req.valid('json'), asker(c))
      return reply(c, calls.checkTicket, { ticket: await describeTicket(deps.db, row, mayWrite) })
    })
    .openapi(createRoute({ ...calls.closeTicket, middleware: visitor }), async (c) => {
      const ticket = await closeTicket(deps, c.req.valid('json'), asker(c))
      return reply(c, calls.closeTicket, { message: TICKET.closed, ticket })
    })
    .openapi(createRoute({ ...calls.sendTicketLink, middleware: visitor }), async (c) =>
      reply(c, calls.sendTicketLink, { message: await mailTicketLink(deps, c.req.valid('json'), asker(c)) }),
    )
    .openapi(createRoute({ ...calls.getTicketScreenshot, middleware: visitor }), async (c) => {
      const { screenshot, ...access } = c.req.valid('json')
      const { row } = await openTicket(deps, access, asker(c))
      const picture = await selectScreenshot(deps.db, row.ticket, screenshot)
      if (picture === undefined) throw notFound(TICKET.noMatch)
      return c.body(new Uint8Array(picture.content), 200, {
        'Content-Type': 'image/webp',
        'Content-Disposition': `inline; filename="${row.number}-${screenshot.slice(0, 8)}.webp"`,
        'Cache-Control': 'private, no-store',
      }) as never
    })
}

/** Calls that need an account: one's own list, and the answers of operators. */
export function memberTicketRoutes(deps: Deps) {
  const member: [Member, Member] = [requireSession(deps), requireOwnAccount]
  const admin: [Member, Member] = [requireSession(deps), requireAdmin]
  const site = { appName: deps.config.appName, publicUrl: deps.publicUrl }
  return createRouter()
    .openapi(createRoute({ ...calls.getTickets, middleware: member }), async (c) => {
      const { userNum } = c.get('session')
      const total = await countMembersTickets(deps.db, userNum)
      const { page, paging } = pageThrough(c.req.valid('query').page ?? 1, total, TICKET_PAGE_SIZE)
      const at = { limit: TICKET_PAGE_SIZE, offset: (page - 1) * TICKET_PAGE_SIZE }
      const rows = await selectMembersTickets(deps.db, userNum, at)
      return reply(c, calls.getTickets, { tickets: rows.map(summarize), ...paging })
    })
    .openapi(createRoute({ ...calls.answerTicket, middleware: admin }), async (c) => {
      const { number, message: body, author, close } = c.req.valid('json')
      const { userNum, userId } = c.get('session')
      const answer = { number, body, author: author || userId, authorNum: userNum, close }
      const row = await answerAsSupport({ db: deps.db, now: deps.now(), site }, answer)
      if (row === undefined) throw notFound(TICKET.noMatch)
      return reply(c, calls.answerTicket, {
        message: TICKET.answered,
        ticket: await describeTicket(deps.db, row, true),
      })
    })
}

const requireAdmin: Member = async (c, next) => {
  if (c.get('session').userType < ADMIN_USER_TYPE) throw new Refusal(403, 'admins-only', TICKET.adminsOnly)
  await next()
}

/** Notes in the log what was refused and from where: a flood or an attack shows there. Answers are nobody else's to keep. */
function tellRefusals({ log, config }: Deps): Visitor {
  return async (c, next) => {
    c.header('Cache-Control', 'no-store')
    await next()
    if (!(c.error instanceof Refusal)) return
    const { address } = callerOf(c, config.trustedProxies)
    log.warn({ address, path: c.req.path, status: c.error.status, id: c.error.id }, 'ticket call refused')
  }
}
