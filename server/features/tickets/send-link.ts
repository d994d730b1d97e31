import { TICKET_TEXTS } from '#contract/tickets.ts'
import type { Deps } from '#server/deps.ts'
import { getNetwork } from '#server/http/client-address.ts'
import { readMailSite } from '#server/mail/site.ts'
import type { Requester } from './access.ts'
import { notifyRequester } from './notify.ts'
import { selectTicketByNumber } from './queries.ts'

/** The minimum time of a request, which hides whether a ticket was found. */
const MIN_REQUEST_MS = 300

/**
 * Mails the link of a ticket to its email address, if the number and the email address match. The response and its time
 * are the same if they don't match. Each request counts as a failure, because otherwise the time of the first 429 would show
 * which pairs match.
 *
 * @throws Refusal 429
 */
export async function mailTicketLink(
  deps: Deps,
  { number, email }: { number: string; email: string },
  requester: Requester,
): Promise<string> {
  const network = getNetwork(requester.address)
  await deps.limits.check('ticketFailures', network)
  const mailTask = deps.db.transaction().execute(async (tx) => {
    const row = await selectTicketByNumber(tx, number)
    if (row?.mail_to.toLowerCase() !== email.toLowerCase()) return
    if (!(await deps.limits.count('ticketLinks', row.ticket, tx))) return
    const site = await readMailSite({ ...deps, db: tx })
    await notifyRequester(tx, { site, row, notice: { kind: 'link' }, now: deps.now() })
  })
  const countedTask = mailTask.then(() => deps.limits.count('ticketFailures', network))
  await Promise.all([countedTask, deps.sleep(MIN_REQUEST_MS)])
  return TICKET_TEXTS.linkSent
}
