import { setTimeout as sleep } from 'node:timers/promises'
import { TICKET } from '#contract/ticket-messages.ts'
import type { Deps } from '#server/deps.ts'
import { mailRequester } from './letters.ts'
import { type Asker, countFailure, mayMailLink, refuseGuesser } from './limits.ts'
import { selectTicketByNumber } from './queries.ts'

/** Every request takes this long, whether or not there is a ticket. */
const SAME_TIME_MS = 300

/**
 * Mails the link of a ticket to the address its answers go to, when number and e-mail belong
 * together. The same answer in about the same time, whatever there is; each counts as a failed try,
 * or who is turned away when would tell which pairs were right. @throws Refusal 429
 */
export async function mailTicketLink(
  deps: Deps,
  { number, email }: { number: string; email: string },
  asker: Asker,
): Promise<string> {
  await refuseGuesser(deps, asker)
  const mailed = deps.db.transaction().execute(async (tx) => {
    const row = await selectTicketByNumber(tx, number)
    if (row?.mail_to.toLowerCase() !== email.toLowerCase()) return
    if (!(await mayMailLink(tx, deps, row.ticket))) return
    const site = { appName: deps.config.appName, publicUrl: deps.publicUrl }
    await mailRequester(tx, { site, row, letter: { kind: 'link' }, now: deps.now() })
  })
  const work = mailed.then(() => countFailure(deps, asker))
  await Promise.all([work, sleep(SAME_TIME_MS)])
  return TICKET.linkSaid
}
