import type { Deps } from '../deps.ts'
import { claimDueMails, markFailed, markSent } from './outbox.ts'
import type { SendMail } from './transport.ts'

const AT_ONCE = 20

/** Sends every mail that is due. A failure rests the mail and is logged; the others go on. @returns how many went out */
export async function sendDueMails({ db, now, log }: Deps, send: SendMail): Promise<number> {
  let sent = 0
  for (;;) {
    const due = await claimDueMails(db, now(), AT_ONCE)
    for (const mail of due) {
      try {
        await send(mail)
        await markSent(db, mail.mail, now())
        sent++
      } catch (error) {
        log.warn({ mail: mail.mail, attempts: mail.attempts, reason: (error as Error).message }, 'mail not sent')
        await markFailed(db, mail, (error as Error).message, now())
      }
    }
    if (due.length < AT_ONCE) return sent
  }
}
